"""Least-certainty-first search (Utgoff & Cochran 2001): expand where the least change would alter the decision.

Assume that the best two moves are misordered. The *swing* of a root's child is the least total change of leaf values
below it that makes it reach its *goal*: for the first child to fall to the second's value, for every other to rise to
the first's. Swings add up where all of a node's children must move and are the least where one suffices. The search
descends along the least non-zero swing to a leaf and expands it (Figure 2 of the paper).

The paper's algorithm recomputes every swing of the tree (`update_all_swing`) whenever the first or second child is new
or has a new value. This one makes the same choices at a fraction of the cost: `lcf_lines.py` says how. (Where sums of
values must be rounded, a swing may differ in its last bit, and a tie fall otherwise.) The meter still charges what the
paper's algorithm would pay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from ludus.core.budget import PAUSED, RUNNING, STOP_EXHAUSTED, STOP_SOLVED, STOP_SURE, TRAVERSED, spent
from ludus.core.columns import number, row, whole
from ludus.core.random import below
from ludus.core.result import Known
from ludus.core.tree import UNOPENED, best_child
from ludus.searches.best_first.driver import BestFirst, report
from ludus.searches.best_first.lcf_lines import (
    CELLS,
    LINES,
    all_must_move,
    forget,
    is_bound,
    leaf_sign,
    look_at_children,
    pass_through,
    renew,
    set_point,
    side_of,
    swing_of,
    swing_or_bound,
)

# Cells of `tree.goal`: the values of the root's first and second child, and how often they have changed.
BEST, NEXT_BEST, NUMBER = 0, 1, 2
# Cells of `tree.aim[i, parity]`: the goal of child i of the root, and its number.
GOAL, SINCE = 0, 1
TINY = 2.0**-30
INTERRUPTED = np.int64(-1)
"""Instead of a leaf: it is not found yet."""


class LeastCertaintyFirst(BestFirst):
    """Least-certainty-first: descend where the smallest swing would change the decision (Utgoff & Cochran 2001)."""

    name = "lcf"
    together = True
    contender = True
    variants = ("ties=literal, free_swings=true", "reuse=true", "threshold=0.5")
    known_extras = ("swing",)
    registers = {
        "started": "i8",  # whether the goals have been set
        "first": "i8",  # the root's first and second child; 0: none
        "second": "i8",
        "node": "i8",  # where the next descent may start, all choices above it being as they were
        "top": "i8",  # the child of the root that `node`, and the leaf to be expanded next, lie below
        "rising": "i8",  # where the swings are being backed up; 0: nowhere
        "walk": "i8",  # where in the tree below that, or below the descent, swings are being found; 0: nowhere
        "report": "i8",  # whether the swings are to be worked out for people
    }
    columns = {
        "open": whole(),  # how many of its children have something to expand below them; of a leaf, whether it can be
        "ceiling": number(),  # as long as its swing is positive and below, the choices above are the same
        # The two sides of `lcf_lines.py`: what is known of its swing, should it fall, and should it rise.
        "fall": number(),
        "rise": number(),
        "fall_line": row(LINES * CELLS),
        "rise_line": row(LINES * CELLS),
        "fall_since": number(),
        "rise_since": number(),
    }

    def __init__(
        self,
        threshold: float = 0.0,
        ties: Literal["literal", "positive"] = "positive",
        reuse: bool = False,
        free_swings: bool = False,
    ) -> None:
        """
        threshold: stop when no swing at the root is smaller; 0 for never
        ties: a tie of the best two moves is a tiny positive swing (`positive`), or as published zero (`literal`)
        reuse: keep the tree below the position that comes up two plies later
        free_swings: do not charge for `update_all_swing`, as in an experiment of the paper (section 5.1)
        """
        if threshold < 0:
            raise ValueError("threshold must be 0 (none) or above")
        self.threshold = threshold
        self.ties_are_positive = ties == "positive"
        self.reuse, self.free_swings = reuse, free_swings
        self.looks_ahead = threshold == 0  # or it may be content with what it sees at once

    # `select_move` of Figure 2, with `grow_tree` as the driver's loop.

    def begin(self, game, tree):
        at = tree.register[0]
        if at.report:
            report_swings(self, tree)
            return STOP_EXHAUSTED
        if not at.started:
            if not self.free_swings:
                game.meter[TRAVERSED] += tree.size[0] - 1  # update_all_swing of a tree that was kept
            at.started = 1
            tree.aim[:] = np.nan
            if tree.count[0] > 0:
                new_goals(tree)
                update_all_swing(self, tree)
        return back_up_swings(self, tree)

    def select(self, game, tree):
        if tree.open[0] == 0:  # all games have been played to the end
            return np.int64(-STOP_SOLVED)
        leaf = descend(self, tree)
        if leaf == INTERRUPTED:
            return np.int64(-PAUSED)
        return leaf if leaf > 0 else np.int64(-STOP_SURE)  # nothing can change the decision, or not enough

    def back_up(self, game, tree, limits, leaf):
        add_children(game, tree, leaf)
        changed = back_up_values(tree, leaf) and new_goals(tree)
        tree.register[0].rising = leaf
        if changed:
            forget_way_to(tree, leaf)
            update_all_swing(self, tree)
            status = spent(game.meter, limits, False)
            if status != RUNNING and status != PAUSED:
                return status
            if not self.free_swings:
                game.meter[TRAVERSED] += tree.size[0] - 1
        return back_up_swings(self, tree)

    def settle(self, tree):
        """What is known of the nodes on the way is known to this search only."""
        at = tree.register[0]
        if at.rising > 0:
            forget_way_to(tree, at.rising)
        else:
            forget_way_to(tree, tree.parent[at.leaf if at.leaf > 0 else at.node])

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        moves = game.max_moves
        return {"goal": np.zeros(3), "aim": np.zeros((moves, 2, 2)), "swing": np.zeros(1 + moves)}

    def conclude(self, session):
        report(session)

    def knowledge(self, tree, node):
        """Where nothing is left to expand, the value is that of finished games; of the root's moves also the swing."""
        known = proven_if_closed(tree, node, super().knowledge(tree, node))
        at_root = int(tree.parent[node]) == 0
        return replace(known, more={"swing": float(tree.swing[node])}) if at_root else known


def proven_if_closed(tree, node, known):
    """What is known of a node, and that it is proven if nothing is left to expand below it."""
    is_closed = tree.count[node] > 0 and tree.open[node] == 0
    return Known(known.value, known.value, known.value, proven=True) if is_closed else known


# Values and goals. In the root player's sign a child of the root is worth minus its own value.


def add_children(game, tree, leaf):
    """What the new children of `leaf` begin with."""
    forget(tree, leaf)
    tree.fall_since[leaf], tree.rise_since[leaf] = -1.0, -1.0
    n = tree.count[leaf]
    tree.open[leaf] = 0
    for child in range(tree.first[leaf], tree.first[leaf] + n):
        tree.open[child] = 1 if tree.count[child] == UNOPENED else 0
        tree.open[leaf] += tree.open[child]
    node = leaf
    while tree.open[node] == 0 and node > 0:
        node = tree.parent[node]
        tree.open[node] -= 1
    game.meter[TRAVERSED] += 2 * tree.path[leaf] + n  # a descent to the leaf, and the way back from its children


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
    changed = first != tree.register[0].first or second != tree.register[0].second
    changed = changed or best != tree.goal[0] or next_best != tree.goal[1]
    tree.register[0].first, tree.register[0].second = first, second
    tree.goal[0], tree.goal[1] = best, next_best
    if changed:
        tree.goal[NUMBER] += 1
    return changed


def goal_for(search, tree, child):
    """The first child should fall to the second's value, with all signs turned; every other rise to the first's."""
    x = -tree.goal[1] if child == tree.register[0].first else tree.goal[0]
    if search.ties_are_positive and tree.goal[0] == tree.goal[1]:
        x += TINY * max(1.0, abs(x))
    return x


def sum_parity(tree, child):
    """At which depths, odd (1) or even (0), all children must move.

    For a rise at the opponent's nodes, since he takes the best that is left to him; for a fall at our own.
    """
    return np.int64(0) if child == tree.register[0].first else np.int64(1)


def update_all_swing(search, tree):
    """Give every child of the root its goal, and its swing as far as it can be read off."""
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
        i, x, parity = child - tree.first[0], goal_for(search, tree, child), sum_parity(tree, child)
        if x != tree.aim[i, parity, GOAL]:
            tree.aim[i, parity, GOAL], tree.aim[i, parity, SINCE] = x, tree.goal[NUMBER]
            side = side_of(tree, parity)
            side[0][child] = swing_or_bound(tree, side[1], child, x, leaf_sign(tree, 0, parity))


# Down and up.


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
    side, x, number = side_of(tree, parity), goal_for(search, tree, top), since(tree, top, parity)
    while tree.count[node] > 0:
        if side[2][node] != number:
            look_at_children(tree, side, node, x, parity, number)
        child = least_child(tree, side[0], node)
        if child >= 0:
            pass_through(tree, side, node, x, parity)
            node = child
        elif not renew(tree, side, -child, x, parity, number):
            at.node = node
            return INTERRUPTED
    return node


def descend_from_root(search, tree):
    """The root's child of least swing; 0 if that is infinite, or not below the threshold; or INTERRUPTED."""
    tree.rise_since[0] = tree.goal[NUMBER]
    tree.ceiling[0] = search.threshold if search.threshold > 0 else np.inf
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
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
    side = side_of(tree, parity)
    x, number = goal_for(search, tree, child), since(tree, child, parity)
    if is_bound(side[0][child]) and not renew(tree, side, child, x, parity, number):
        return False
    tree.swing[child] = side[0][child]
    return True


def since(tree, top, parity):
    return tree.aim[top - tree.first[0], parity, SINCE]


def least_child(tree, now, node):
    """The child of least positive swing, ties at random, and its ceiling; or, with a minus sign, one that may be it but
    whose swing is not known. Below a node of swing zero, and where nothing else is left, zero will do.

    A child that has nothing to expand below it is not for choosing. Its swing is zero or infinite. (The loop avoids
    branches, which no processor could predict here.)
    """
    first, end = tree.first[node], tree.first[node] + tree.count[node]
    least, second, bound, ties, chosen = np.inf, np.inf, np.inf, 0, first
    for child in range(first, end):
        bound = min(bound, -now[child] if is_bound(now[child]) else np.inf)
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
        while not is_bound(now[first]) or now[first] != -bound:
            first += 1
        return -first
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
    change and may change a choice (as in recursive best-first search, Korf 1993). PAUSED if that takes long, and is not
    done yet.

    Above a swing that is as it was, all are, up to one, marked as a bound, that was left behind when a swing below it
    could not change a choice. All get a line that holds at this goal only: it would be a waste to work out more before
    the goal moves.
    """
    at = tree.register[0]
    if at.rising == 0:
        return RUNNING
    parity = sum_parity(tree, at.top)
    side, x, number = side_of(tree, parity), goal_for(search, tree, at.top), since(tree, at.top, parity)
    now, line, known_since = side
    same_goals = tree.rise_since[0] == tree.goal[NUMBER]
    node, changed, summed = at.rising, True, all_must_move(tree, at.rising, parity)
    while node > 0:
        if changed or is_bound(now[node]):
            if known_since[node] != number:
                look_at_children(tree, side, node, x, parity, number)
            swing, needed = swing_of(tree, now, node, summed)
            if needed > 0:
                if not renew(tree, side, needed, x, parity, number):
                    at.rising = node
                    return PAUSED
                continue
            changed = swing != abs(now[node]) or now[node] == 0.0  # nothing was known
            now[node] = swing
            set_point(line, node, swing, x)
        if same_goals and 0.0 < now[node] < tree.ceiling[node]:
            if changed:
                now[tree.parent[node]] = -abs(now[tree.parent[node]])
            break
        node, summed = tree.parent[node], not summed
    at.node = node
    at.rising = 0
    return RUNNING


def forget_way_to(tree, node):
    """Forget what is known of `node` and the nodes above it."""
    while node > 0:
        forget(tree, node)
        node = tree.parent[node]


def report_swings(search, tree):
    """The exact swing of every child of the root."""
    if tree.count[0] <= 0:
        return
    update_all_swing(search, tree)
    tree.register[0].walk = 0  # what was interrupted begins again
    for child in range(tree.first[0], tree.first[0] + tree.count[0]):
        tree.swing[child] = np.inf
        if tree.register[0].second > 0:
            while not find_swing(search, tree, child):
                pass
    tree.register[0].node = 0
