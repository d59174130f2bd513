"""Least-certainty-first exactly as Figure 2 of Utgoff & Cochran 2001 has it: every change of a goal sweeps the tree.

`ludus.searches.best_first.lcf` must make the same choices (tests/searches/test_lcf.py) at a fraction of the cost.
"""

from __future__ import annotations

import numpy as np

from ludus.core.budget import NEEDS_NODES, PAUSED, RUNNING, STOP_EXHAUSTED, STOP_SURE, TRAVERSED, spent
from ludus.core.random import below
from ludus.core.search import Search
from ludus.core.tree import UNOPENED, best_child, expand
from ludus.searches.best_first.lcf import LEAF, SECOND, STARTED, goal_for, new_goals, sum_parity
from ludus.searches.best_first.lcf_lines import leaf_sign, leaf_swing


class PlainLcf(Search):
    """LCF with `update_all_swing`; parameters as for `lcf`."""

    columns = {"depth": "i8", "path": "i8", "open": "i8", "swing": "f8", "top": "i8"}
    # top: the child of the root that the node lies below

    def __init__(self, threshold: float = 0.0, ties: str = "literal") -> None:
        self.threshold = threshold
        self.ties_are_positive = ties == "positive"

    def step(self, game, evaluator, tree, limits):
        tree.register[STARTED] = 1
        while True:
            status = spent(game.meter, limits, tree.count[0] == UNOPENED)
            if status != RUNNING:
                return status
            if tree.register[LEAF] == 0 and tree.count[0] != UNOPENED:
                if tree.open[0] == 0:
                    return STOP_EXHAUSTED
                least = least_swing(tree, 0, False)
                if tree.register[SECOND] == 0 or least == np.inf or (self.threshold > 0 and least >= self.threshold):
                    return STOP_SURE
                tree.register[LEAF] = descend(tree, choose(tree, 0, least))
            leaf = tree.register[LEAF]
            if not expand(game, evaluator, tree, leaf):
                return NEEDS_NODES
            tree.register[LEAF] = 0
            add_children(game, tree, leaf)
            back_up(self, tree, leaf)
            if new_goals(tree):
                update_all_swing(self, tree)
                status = spent(game.meter, limits, False)
                if status != RUNNING and status != PAUSED:
                    return status
                game.meter[TRAVERSED] += tree.size[0] - 1

    def extras(self, game, compiled):
        return {"goal": np.zeros(3)}

    def opinion(self, tree, child):
        return {"swing": float(tree.swing[child])}


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
    if leaf == 0:
        tree.path[0], tree.depth[0] = 0, 0
    n = tree.count[leaf]
    for child in range(tree.first[leaf], tree.first[leaf] + n):
        tree.depth[child] = tree.depth[leaf] + 1
        tree.path[child] = tree.path[leaf] + n
        tree.open[child] = 1 if tree.count[child] == UNOPENED else 0
        tree.top[child] = child if leaf == 0 else tree.top[leaf]
    game.meter[TRAVERSED] += 2 * tree.path[leaf] + n


def back_up(search, tree, leaf):
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
    if tree.register[SECOND] == 0:  # a single move: nothing can change the decision
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
