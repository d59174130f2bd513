"""How `lcf` gets from one leaf to the next: down along the least swing, and up again no further than need be.

The paper's algorithm starts every descent at the root, after it has backed up swings all the way to it. Most of that
is as it was before the expansion. So the descent notes at each node that it takes a *ceiling*: as long as the node's
swing is positive and below that, and no goal moves, all choices above are the same. What is backed up after
the expansion stops where a swing is below its ceiling, and the next descent starts there (as in recursive best-first
search, Korf 1993). Only the swings that a choice depends on are found: `lcf_lines.py` says how.
"""

import numpy as np

from ludus.kernel.limits import PAUSED, RUNNING
from ludus.kernel.random import below
from ludus.kernel.tree import children
from ludus.library.searches.best_first.lcf_goals import NUMBER, goal_for, sum_parity
from ludus.library.searches.best_first.lcf_lines import (
    all_must_move,
    is_bound,
    look_at_children,
    pass_through,
    renew,
    set_point,
    side_of,
    swing_of,
)

INTERRUPTED = np.int64(-1)
"""Instead of a leaf: it is not found yet."""


def descend(search, tree):
    """Along the least non-zero swing to a leaf; zero is allowed at the root. 0 if the decision is sure.

    Or INTERRUPTED, where finding a swing takes long; the descent goes on from there when it is asked for again.
    """
    at = tree.register[0]
    if at.second == 0:
        return np.int64(0)
    node = at.node
    if node == 0:
        node = descend_from_root(search, tree)
        if node <= 0:
            return node
        at.top = node
    top = at.top
    parity = sum_parity(tree, top)
    side, x = side_of(tree, parity), goal_for(search, tree, top)
    while tree.count[node] > 0:
        if side[1][node] != x:
            look_at_children(tree, side, node, x, parity)
        child = least_child(tree, side[0], node)
        if child >= 0:
            pass_through(tree, side, node, x, parity)
            node = child
        elif not renew(tree, side, -child, x, parity):
            at.node = node
            return INTERRUPTED
    return node


def descend_from_root(search, tree):
    """The root's child of least swing; 0 if that is infinite, or not below the threshold; or INTERRUPTED."""
    tree.register[0].goals = np.int64(tree.goal[NUMBER])
    tree.ceiling[0] = search.threshold if search.threshold > 0 else np.inf
    for child in children(tree, 0):
        tree.swing[child] = side_of(tree, sum_parity(tree, child))[0][child]
    while True:
        child = least_child(tree, tree.swing, np.int64(0))
        if child >= 0:
            return child if tree.swing[0] < tree.ceiling[0] else np.int64(0)
        if not find_swing(search, tree, -child):
            return INTERRUPTED


def find_swing(search, tree, child):
    """The exact swing of a child of the root; False if it is not found yet, since that takes long."""
    parity = sum_parity(tree, child)
    side, x = side_of(tree, parity), goal_for(search, tree, child)
    if is_bound(side[0][child]) and not renew(tree, side, child, x, parity):
        return False
    tree.swing[child] = side[0][child]
    return True


def least_child(tree, now, node):
    """The child of least positive swing, ties at random, and its ceiling; or, with a minus sign, one that may be it but
    whose swing is not known. Below a node of swing zero, and where nothing else is left, zero will do.

    A child that has nothing to expand below it is not for choosing. Its swing is zero or infinite. (The loop avoids
    branches, which no processor could predict here.)
    """
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    least, second, bound, ties, chosen, unknown = np.inf, np.inf, np.inf, 0, first, first
    for child in range(first, end):
        swing = -now[child] if is_bound(now[child]) else np.inf
        unknown = child if swing < bound else unknown
        bound = min(bound, swing)
        swing = now[child] if now[child] > 0.0 else np.inf
        second = min(second, max(least, swing))
        ties = 1 if swing < least else ties + (swing == least)
        chosen = child if swing < least else chosen
        least = min(least, swing)
    if node == 0 or not now[node] > 0.0 or (least == np.inf and bound == np.inf):
        for child in range(first, end):
            if now[child] == 0.0 and tree.open[child] > 0 and not is_bound(now[child]):
                least = 0.0
    if bound <= least and bound < np.inf:
        return -unknown
    if node == 0:
        now[0] = least
    if least == 0.0 or least == np.inf:
        ties, chosen = 0, np.int64(0)
        for child in range(first, end):
            if now[child] == least and tree.open[child] > 0:
                ties, chosen = ties + 1, child
    if ties > 1:
        second, pick = least, below(tree.random, ties)
        for child in range(first, end):
            if now[child] == least and tree.open[child] > 0:
                if pick == 0:
                    chosen = child
                    break
                pick -= 1
    tree.ceiling[chosen] = 0.0
    if 0.0 < now[node] < np.inf:
        tree.ceiling[chosen] = min(second, bound, tree.ceiling[node] - (now[node] - least))
    return chosen


def back_up_swings(search, tree):
    """After an expansion: the swings at the present goal, from the new children of the leaf upward, as far as they
    change and may change a choice. PAUSED if that takes long, and is not done yet.

    Above a swing that is as it was when it was last backed up, all are, unless they are forgotten: for what stops
    below its ceiling goes on only when it has changed. All get a point: it would be a waste to work out more before
    the goal moves.
    """
    at = tree.register[0]
    if at.rising == 0:
        return RUNNING
    parity = sum_parity(tree, at.top)
    side, x = side_of(tree, parity), goal_for(search, tree, at.top)
    now, seen_at, _, _, _ = side
    same_goals = at.goals == tree.goal[NUMBER]
    node, changed, summed = at.rising, True, all_must_move(tree, at.rising, parity)
    while node > 0:
        if changed or is_bound(now[node]):
            if seen_at[node] != x:
                look_at_children(tree, side, node, x, parity)
            swing, needed = swing_of(tree, now, node, summed)
            if needed > 0:
                if not renew(tree, side, needed, x, parity):
                    at.rising = node
                    return PAUSED
                continue
            changed = swing != now[node] or now[node] == 0.0  # or forgotten
            now[node] = swing
            set_point(side, node, swing, x)
        if same_goals and 0.0 < now[node] < tree.ceiling[node]:
            break
        node, summed = tree.parent[node], not summed
    at.node = node
    at.rising = 0
    return RUNNING
