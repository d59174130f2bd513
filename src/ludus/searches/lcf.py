"""Least-certainty-first search (Utgoff & Cochran 2001): expand where the least change would alter the decision.

Assume that the best two moves are misordered. The *swing* of a root's child is the least total change of leaf values
below it that makes it reach its *goal*: for the first child to fall to the second's value, for every other to rise to
the first's. Swings add up where all of a node's children must move and are the least where one suffices. The search
descends along the least non-zero swing to a leaf and expands it (Figure 2 of the paper).

The paper's algorithm recomputes every swing of the tree (`update_all_swing`) whenever the first or second child is new
or has a new value. This one makes the same choices at a fraction of the cost: `lcf_lines.py` says how. The meter still
charges what the paper's algorithm would pay.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ludus.core.budget import (
    DEPTH,
    NEEDS_NODES,
    PAUSED,
    RUNNING,
    STOP_DEPTH,
    STOP_EXHAUSTED,
    STOP_SURE,
    TRAVERSED,
    spent,
)
from ludus.core.random import below
from ludus.core.search import Search
from ludus.core.tree import UNOPENED, best_child, expand
from ludus.searches.lcf_lines import (
    ALL_CELLS,
    CELLS,
    HIGH,
    LOW,
    bound_from,
    forget_line,
    is_forgotten,
    is_known,
    leaf_sign,
    leaf_swing,
    line_above,
    renew_line,
    set_line,
    swing_at,
    swing_of,
)

# Registers. Node 0 is the root, so 0 also stands for "none".
STARTED, FIRST, SECOND, LEAF, TOP, REPORT = 0, 1, 2, 3, 4, 5
# TOP: the child of the root that LEAF, the next to be expanded, lies below

NUMBER = 2  # cell of `tree.goal`: how often goals have changed
TINY = 2.0**-30


class LeastCertaintyFirst(Search):
    """Least-certainty-first: descend where the smallest swing would change the decision (Utgoff & Cochran 2001)."""

    name = "lcf"
    best_first = True
    columns = {
        "depth": "i8",
        "path": "i8",  # how many child pointers a descent from the root to this node looks at
        "open": "i8",  # how many leaves below it can be expanded
        "rise": f"({ALL_CELLS},)f8",  # its swing as a function of the goal, if it should rise
        "fall": f"({ALL_CELLS},)f8",  # ... if it should fall, with all signs turned, so that it rises too
        "now": "f8",  # its swing at the present goal or, with a minus sign, a lower bound that is large enough
        "scanned": "f8",  # the goals (by their number) for which `now` is right for all its children
        "cursor": "i8",  # while lines are renewed: how many children have been seen
        "least": "f8",  # ... and the least swing among them
        "swing": "f8",  # of the root's children, for people
    }

    def __init__(
        self,
        threshold: float = 0.0,
        ties: Literal["literal", "positive"] = "literal",
        reuse: bool = False,
    ) -> None:
        """
        threshold: stop when no swing at the root is smaller; 0 for never
        ties: a tie of the best two moves is a swing of zero (`literal`), or a tiny positive one (`positive`)
        reuse: keep the tree below the position that comes up two plies later
        """
        if threshold < 0:
            raise ValueError("threshold must be 0 (none) or above")
        self.threshold = threshold
        self.ties_are_positive = ties == "positive"
        self.reuse = reuse

    def step(self, game, evaluator, tree, limits):
        """`select_move` of Figure 2, and `grow_tree` in its loop."""
        if tree.register[REPORT]:
            report_swings(self, tree)
            return STOP_EXHAUSTED
        if not tree.register[STARTED]:
            game.meter[TRAVERSED] += tree.size[0] - 1  # update_all_swing of a tree that was kept
            tree.register[STARTED] = 1
            if tree.count[0] > 0:
                new_goals(tree)
        while True:
            status = spent(game.meter, limits, tree.count[0] == UNOPENED)
            if status != RUNNING:
                return status
            if tree.register[LEAF] == 0 and tree.count[0] != UNOPENED:
                if tree.open[0] == 0:
                    return STOP_EXHAUSTED
                top = least_certain_child(self, tree)
                if top == 0:
                    return STOP_SURE  # nothing can change the decision, or nothing within the threshold
                tree.register[TOP] = top
                tree.register[LEAF] = descend(self, tree, top)
            leaf = tree.register[LEAF]
            if leaf > 0 and tree.depth[leaf] >= limits[DEPTH]:
                return STOP_DEPTH
            if not expand(game, evaluator, tree, leaf):
                return NEEDS_NODES
            tree.register[LEAF] = 0
            add_children(game, tree, leaf)
            revalued = back_up_values(tree, leaf)
            if leaf > 0:
                back_up_swings(self, tree, leaf, tree.register[TOP])
            if revalued and new_goals(tree):
                status = spent(game.meter, limits, False)
                if status != RUNNING and status != PAUSED:
                    return status
                game.meter[TRAVERSED] += tree.size[0] - 1  # update_all_swing

    # What follows runs in Python only.

    def extras(self, game, compiled):
        return {"goal": np.zeros(3)}

    def complete(self, session):
        session.tree.record.register[REPORT] = 1
        session.step()
        session.tree.record.register[REPORT] = 0

    def opinion(self, tree, child):
        return {"swing": float(tree.swing[child])}


# Values and goals. In the root player's sign a child of the root is worth minus its own value.


def add_children(game, tree, leaf):
    """What the new children of `leaf` begin with."""
    if leaf == 0:
        tree.path[0], tree.depth[0], tree.open[0] = 0, 0, 1
    n = tree.count[leaf]
    opened = -1
    for child in range(tree.first[leaf], tree.first[leaf] + n):
        tree.depth[child] = tree.depth[leaf] + 1
        tree.path[child] = tree.path[leaf] + n
        tree.open[child] = 1 if tree.count[child] == UNOPENED else 0
        opened += tree.open[child]
    if leaf > 0:
        for lines in (tree.rise, tree.fall):
            for line in range(0, ALL_CELLS, CELLS):
                lines[leaf, line + LOW], lines[leaf, line + HIGH] = np.inf, -np.inf
    game.meter[TRAVERSED] += 2 * tree.path[leaf] + n  # a descent to the leaf, and the way back from its children
    node = leaf
    while node >= 0:
        tree.open[node] += opened
        node = tree.parent[node]


def back_up_values(tree, node):
    """Negamax values from `node` upward; whether a child of the root has a new value."""
    while True:
        value = -tree.value[best_child(tree, node)]
        if value == tree.value[node]:
            return False
        tree.value[node] = value
        if tree.parent[node] <= 0:
            return True
        node = tree.parent[node]


def new_goals(tree):
    """Find the root's first and second child; whether either is new or has a new value."""
    tree.value[0] = -tree.value[best_child(tree, 0)]
    first, second = tree.first[0], np.int64(0)
    for child in range(first + 1, first + tree.count[0]):
        if tree.value[child] < tree.value[first]:
            first, second = child, first
        elif second == 0 or tree.value[child] < tree.value[second]:
            second = child
    best, next_best = -tree.value[first], -tree.value[second] if second > 0 else -np.inf
    changed = first != tree.register[FIRST] or second != tree.register[SECOND]
    changed = changed or best != tree.goal[0] or next_best != tree.goal[1]
    tree.register[FIRST], tree.register[SECOND] = first, second
    tree.goal[0], tree.goal[1] = best, next_best
    if changed:
        tree.goal[NUMBER] += 1
    return changed


def goal_for(search, tree, child):
    """The first child should fall to the second's value, with all signs turned; every other rise to the first's."""
    x = -tree.goal[1] if child == tree.register[FIRST] else tree.goal[0]
    if search.ties_are_positive and tree.goal[0] == tree.goal[1]:
        x += TINY * max(1.0, abs(x))
    return x


def sum_parity(tree, child):
    """At which depths, odd (1) or even (0), all children must move.

    For a rise at the opponent's nodes, since he takes the best that is left to him; for a fall at our own.
    """
    return np.int64(0) if child == tree.register[FIRST] else np.int64(1)


# Choosing.


def least_certain_child(search, tree):
    """The root's child of least swing, zero allowed, ties at random; 0 if all are infinite or beyond the threshold."""
    if tree.register[SECOND] == 0:
        return np.int64(0)
    first, end = tree.first[0], tree.first[0] + tree.count[0]
    least = np.inf
    for exact in (True, False):  # first what is known, then only what may still be as small
        for child in range(first, end):
            lines = tree.fall if child == tree.register[FIRST] else tree.rise
            x, parity = goal_for(search, tree, child), sum_parity(tree, child)
            if tree.open[child] == 0 or is_known(tree, lines, child, x) != exact:
                continue
            if not exact:
                if line_above(lines, child, x, least) >= 0:
                    continue
                renew_line(tree, lines, child, x, parity)
            least = min(least, swing_of(tree, lines, child, x, leaf_sign(tree, 0, parity)))
    if least == np.inf or (search.threshold > 0 and least >= search.threshold):
        return np.int64(0)
    ties, chosen = 0, np.int64(0)
    for child in range(first, end):
        if is_tied_at_root(search, tree, child, least):
            ties += 1
            chosen = child if ties == 1 else chosen
    if ties > 1:
        pick = below(tree.random, ties)
        for child in range(first, end):
            if is_tied_at_root(search, tree, child, least):
                if pick == 0:
                    return child
                pick -= 1
    return chosen


def is_tied_at_root(search, tree, child, least):
    lines = tree.fall if child == tree.register[FIRST] else tree.rise
    sign = leaf_sign(tree, 0, sum_parity(tree, child))
    return is_tied(tree, lines, child, goal_for(search, tree, child), sign, least)


def is_tied(tree, lines, child, x, sign, least):
    """Whether an open child has exactly this swing; one whose swing is not known was found to have a larger one."""
    return is_known(tree, lines, child, x) and swing_of(tree, lines, child, x, sign) == least and tree.open[child] > 0


def descend(search, tree, top):
    """From a root's child along the least non-zero swing to a leaf."""
    lines = tree.fall if top == tree.register[FIRST] else tree.rise
    x, parity = goal_for(search, tree, top), sum_parity(tree, top)
    node = top
    while tree.count[node] > 0:
        if tree.scanned[node] != tree.goal[NUMBER]:
            scan(tree, lines, node, x, parity)
        first, end = tree.first[node], tree.first[node] + tree.count[node]
        positive = swing_at(lines, node, x) > 0.0
        least = least_open(tree, first, end, positive)
        if positive and least == np.inf:
            least = least_open(tree, first, end, False)
        if least < 0.0:  # only a bound: its swing must be known
            for child in range(first, end):
                if tree.now[child] < 0.0:
                    renew_line(tree, lines, child, x, parity)
                    tree.now[child] = swing_at(lines, child, x)
            continue
        ties = 0
        for child in range(first, end):
            if tree.now[child] == least and tree.open[child] > 0:
                ties += 1
                node = child if ties == 1 else node
        if ties > 1:
            pick = below(tree.random, ties)
            for child in range(first, end):
                if tree.now[child] == least and tree.open[child] > 0:
                    if pick == 0:
                        node = child
                        break
                    pick -= 1
    return node


def least_open(tree, first, end, positive):
    """The least swing, or least positive swing, of the children that have something to expand below them; negative if
    it may be that of a child of which only a bound is known."""
    least, bound = np.inf, np.inf
    for child in range(first, end):
        swing = tree.now[child]
        if swing < 0.0:
            if tree.open[child] > 0:
                bound = min(bound, -swing)
        elif swing < least and (swing > 0.0 or not positive) and tree.open[child] > 0:
            least = swing
    return least if least < bound or bound == np.inf else -1.0


def scan(tree, lines, node, x, parity):
    """Find out the swings of all children of `node` at x, or that they are larger than one that suffices."""
    sign, least = leaf_sign(tree, node, parity), np.inf
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    total = tree.depth[node] % 2 == parity
    for child in range(first, end):
        if is_known(tree, lines, child, x):
            tree.now[child] = swing_of(tree, lines, child, x, sign)
            least = min(least, tree.now[child])
        else:
            tree.now[child] = -1.0
    for child in range(first, end):
        if tree.now[child] < 0.0:
            line = -1 if total else line_above(lines, child, x, least)
            if line < 0:
                renew_line(tree, lines, child, x, parity)
                tree.now[child] = swing_at(lines, child, x)
                least = min(least, tree.now[child])
            else:
                bound = bound_from(lines, child, line, x)
                tree.now[child] = -bound if bound < np.inf else np.inf
    tree.scanned[node] = tree.goal[NUMBER]


def report_swings(search, tree):
    """The exact swing of every child of the root."""
    for child in range(tree.first[0], tree.first[0] + max(tree.count[0], 0)):
        tree.swing[child] = np.inf
        if tree.register[SECOND] > 0:
            lines = tree.fall if child == tree.register[FIRST] else tree.rise
            x = goal_for(search, tree, child)
            parity = sum_parity(tree, child)
            if not is_known(tree, lines, child, x):
                renew_line(tree, lines, child, x, parity)
            tree.swing[child] = swing_of(tree, lines, child, x, leaf_sign(tree, 0, parity))


def back_up_swings(search, tree, leaf, top):
    """After an expansion: the swings at the current goal, from the new children of `leaf` up to the root's child `top`.

    On this path the lines hold at the goal only (the interval is a point): it would be a waste to work out more before
    the goal moves. The lines for the other kind of goal are forgotten; above a forgotten line all are.
    """
    lines = tree.fall if top == tree.register[FIRST] else tree.rise
    others = tree.rise if top == tree.register[FIRST] else tree.fall
    x, parity = goal_for(search, tree, top), sum_parity(tree, top)
    node = tree.parent[leaf]
    while node > 0 and not is_forgotten(others, node):
        forget_line(others, node)
        node = tree.parent[node]
    sign = leaf_sign(tree, leaf, parity)
    for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
        tree.now[child] = leaf_swing(tree, child, x, sign)
    tree.scanned[leaf] = tree.goal[NUMBER]
    node = leaf
    while node > 0:
        if tree.scanned[node] != tree.goal[NUMBER]:
            scan(tree, lines, node, x, parity)
        swing = total_swing(tree, node) if tree.depth[node] % 2 == parity else least_of_all(tree, node)
        if swing < 0.0:  # a child of which only a bound is known may be the least now
            scan(tree, lines, node, x, parity)
            swing = least_of_all(tree, node)
        forget_line(lines, node)
        set_line(lines, node, 0.0, swing, x, x, np.inf)
        tree.now[node] = swing
        node = tree.parent[node]


def total_swing(tree, node):
    swing = 0.0
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        swing += tree.now[child]
    return swing


def least_of_all(tree, node):
    """The least swing of a node's children; -1 if it may be that of one of which only a bound is known."""
    least, bound = np.inf, np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        swing = tree.now[child]
        if swing < 0.0:
            bound = min(bound, -swing)
        else:
            least = min(least, swing)
    return least if least < bound or bound == np.inf else -1.0
