"""Least-certainty-first exactly as Figure 2 of Utgoff & Cochran 2001 has it: every change of a goal sweeps the tree.

`ludus.library.searches.best_first.lcf` must make the same choices at a fraction of the cost
(tests/library/searches/best_first/test_lcf.py).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import PAUSED, RUNNING, STOP_SOLVED, STOP_SURE, TRAVERSED, spent
from ludus.kernel.random import below
from ludus.kernel.tree import UNOPENED, best_child
from ludus.library.searches.best_first.driver import BestFirst
from ludus.library.searches.best_first.lcf import proven_if_closed
from ludus.library.searches.best_first.lcf_goals import CELLS_OF_GOAL, goal_for, new_goals, round_values, sum_parity
from ludus.library.searches.best_first.lcf_lines import leaf_sign, leaf_swing


class PlainLcf(BestFirst):
    """LCF with `update_all_swing`; parameters as for `lcf`."""

    registers = {"first": "i8", "second": "i8"}
    columns = {"open": integer(), "swing": number(), "top": node_index()}
    # top: the child of the root that the node lies below

    def __init__(self, threshold: float = 0.0, ties: str = "literal") -> None:
        self.threshold = threshold
        self.ties_are_positive = ties == "positive"

    def select(self, game, tree):
        if tree.open[0] == 0:
            return np.int64(-STOP_SOLVED)
        least = least_swing(tree, 0, False)
        if tree.register[0].second == 0 or least == np.inf or (self.threshold > 0 and least >= self.threshold):
            return np.int64(-STOP_SURE)
        return descend(tree, choose(tree, 0, least))

    def back_up(self, game, tree, limits, leaf):
        add_children(game, tree, leaf)
        back_up_all(self, tree, leaf)
        if new_goals(tree):
            update_all_swing(self, tree)
            status = spent(game.meter, limits, False)
            if status != RUNNING and status != PAUSED:
                return status
            game.meter[TRAVERSED] += tree.size[0] - 1
        return RUNNING

    def extras(self, game, evaluator, compiled):
        return {"goal": np.zeros(CELLS_OF_GOAL)}

    def knowledge(self, tree, node):
        known = proven_if_closed(tree, node, super().knowledge(tree, node))
        return replace(known, more={"swing": float(tree.swing[node])})


def descend(tree, node):
    while tree.count[node] > 0:
        positive = tree.swing[node] > 0
        least = least_swing(tree, node, positive)
        if positive and least == np.inf:
            least = least_swing(tree, node, False)
        node = choose(tree, node, least)
    return node


def least_swing(tree, node, positive):
    least = np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.open[child] > 0 and (tree.swing[child] > 0 or not positive):
            least = min(least, tree.swing[child])
    return least


def choose(tree, node, least):
    """A child with this swing, ties at random."""
    ties = 0
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        ties += tree.open[child] > 0 and tree.swing[child] == least
    pick = below(tree.random, ties) if ties > 1 else np.int64(0)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.open[child] > 0 and tree.swing[child] == least:
            if pick == 0:
                return child
            pick -= 1
    return np.int64(0)


def add_children(game, tree, leaf):
    round_values(tree, leaf)
    n = tree.count[leaf]
    for child in range(tree.first[leaf], tree.first[leaf] + n):
        tree.open[child] = 1 if tree.count[child] == UNOPENED else 0
        tree.top[child] = child if leaf == 0 else tree.top[leaf]
    game.meter[TRAVERSED] += 2 * tree.path[leaf] + n


def back_up_all(search, tree, leaf):
    """Values and swings from the new children of `leaf` to the root."""
    if leaf > 0:
        for child in range(tree.first[leaf], tree.first[leaf] + tree.count[leaf]):
            update_swing(search, tree, child)
    node = leaf
    while node >= 0:
        tree.value[node] = -tree.value[best_child(tree, node)]
        tree.open[node] = 0
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            tree.open[node] += tree.open[child]
        if node > 0:
            update_swing(search, tree, node)
        node = tree.parent[node]


def update_all_swing(search, tree):
    """From the leaves up: children have larger numbers than their parents."""
    if tree.register[0].second == 0:  # a single move: nothing can change the decision
        tree.swing[1] = np.inf
        return
    for node in range(tree.size[0] - 1, 0, -1):
        update_swing(search, tree, node)


def update_swing(search, tree, node):
    """`update_swing_above` and `update_swing_below` in one."""
    top = tree.top[node]
    x, parity = goal_for(search, tree, top), sum_parity(tree, top)
    if tree.count[node] <= 0:
        tree.swing[node] = leaf_swing(tree, node, x, leaf_sign(tree, tree.parent[node], parity))
        return
    total, least = 0.0, np.inf
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        total += tree.swing[child]
        least = min(least, tree.swing[child])
    tree.swing[node] = total if tree.depth[node] % 2 == parity else least
