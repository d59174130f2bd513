"""Least-certainty-first search (Utgoff & Cochran 2001): expand where the least change would alter the decision.

Assume that the best two moves are misordered. The *swing* of a root's child is the least total change of leaf values
below it that makes it reach its *goal*: for the first child to fall to the second's value, for every other to rise to
the first's. Swings add up where all of a node's children must move and are the least where one suffices. The search
descends along the least non-zero swing to a leaf and expands it (Figure 2 of the paper).

The paper's algorithm recomputes every swing of the tree (`update_all_swing`) whenever the first or second child is new
or has a new value. This one makes the same choices at a fraction of the cost. The meter still charges what the paper's
algorithm would pay. The parts:

    lcf_goals       the goals of the root's children
    lcf_descent     down along the least swing to a leaf, and up again after its expansion
    lcf_lines       what is known of the swings when a goal has moved, without going through the tree
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from ludus.kernel.columns import integer, number, row
from ludus.kernel.limits import PAUSED, RUNNING, STOP_EXHAUSTED, STOP_SOLVED, STOP_SURE, TRAVERSED, spent
from ludus.kernel.tree import UNOPENED, children
from ludus.library.searches.best_first.driver import BestFirst, report
from ludus.library.searches.best_first.lcf_descent import INTERRUPTED, back_up_swings, descend, find_swing
from ludus.library.searches.best_first.lcf_goals import CELLS_OF_GOAL, new_goals, round_values, update_all_swing
from ludus.library.searches.best_first.lcf_lines import CELLS, LINES, forget
from ludus.model.result import Known


class LeastCertaintyFirst(BestFirst):
    """Least-certainty-first: descend where the smallest swing would change the decision (Utgoff & Cochran 2001)."""

    name = "lcf"
    interleaved = True
    contender = True
    variants = ("ties=literal, free_swings=true", "reuse=true", "threshold=0.5")
    registers = {
        "started": "i8",  # whether the goals have been set
        "first": "i8",  # the root's first and second child; 0: none
        "second": "i8",
        "goals": "i8",  # the number of the goals at which a descent last began at the root
        "node": "i8",  # where the next descent may start, all choices above it being as they were
        "top": "i8",  # the child of the root that `node`, and the leaf to be expanded next, lie below
        "rising": "i8",  # where the swings are being backed up; 0: nowhere
        "walk": "i8",  # where in the tree below that, or below the descent, swings are being found; 0: nowhere
        "report": "i8",  # whether the swings are to be worked out for people
    }
    columns = {
        "open": integer(),  # how many of its children have something to expand below them; of a leaf, whether it can be
        "ceiling": number(),  # as long as its swing is positive and below, the choices above are the same
        "swing": number(),  # of the root's children
        # The two sides of `lcf_lines.py`: what is known of its swing, should it fall, and should it rise.
        "fall": number(),
        "rise": number(),
        "fall_seen_at": number(),
        "rise_seen_at": number(),
        "fall_point": number(),
        "rise_point": number(),
        "fall_there": number(),
        "rise_there": number(),
        "fall_line": row(LINES * CELLS),
        "rise_line": row(LINES * CELLS),
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
        return {"goal": np.zeros(CELLS_OF_GOAL), "aim": np.zeros((game.max_moves, 2))}

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


# What an expansion changes.


def add_children(game, tree, leaf):
    """What the new children of `leaf` begin with."""
    forget(tree, leaf)
    tree.fall_seen_at[leaf], tree.rise_seen_at[leaf] = np.nan, np.nan
    round_values(tree, leaf)
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
    value = -least_value(tree, node)
    while value != tree.value[node]:
        before, tree.value[node] = tree.value[node], value
        node = tree.parent[node]
        if node <= 0:
            return True
        if -value >= tree.value[node]:  # better than all others were
            value = -value
        elif -before == tree.value[node]:  # it may have been the best
            value = -least_value(tree, node)
        else:
            return False
    return False


def least_value(tree, node):
    """The value of the best child of `node` to the opponent."""
    least = np.inf
    for child in children(tree, node):
        least = min(least, tree.value[child])
    return least


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
    for child in children(tree, 0):
        tree.swing[child] = np.inf
        if tree.register[0].second > 0:
            while not find_swing(search, tree, child):
                pass
    tree.register[0].node = 0
