"""Best-first minimax (Korf & Chickering 1996): always expand the leaf at the end of the principal variation.

The value of the root is the static value of one leaf, the end of the line that both sides think best. If that
leaf's value is wrong, so is the root's; so that is the leaf to look behind. Expanding it makes the line look better or
worse, and the next principal leaf may lie elsewhere.
"""

import numpy as np

from ludus.core.budget import RUNNING, STOP_EXHAUSTED, TRAVERSED
from ludus.core.columns import node as node_index
from ludus.core.tree import best_child
from ludus.searches.best_first.driver import BestFirst


class BestFirstMinimax(BestFirst):
    """Best-first minimax: expand the leaf at the end of the principal variation (Korf & Chickering 1996)."""

    name = "bfmm"
    contender = True
    variants = ("reuse=true",)
    registers = {"node": "i8"}  # where the next descent may start, all above it being as it was
    columns = {"best": node_index()}  # the child that the principal variation goes through

    def __init__(self, reuse: bool = False) -> None:
        """reuse: keep the tree below the position that comes up two plies later"""
        self.reuse = reuse

    def select(self, game, tree):
        leaf = tree.register[0].node
        while tree.count[leaf] > 0:
            leaf = tree.best[leaf]
        return np.int64(-STOP_EXHAUSTED) if tree.count[leaf] == 0 else leaf  # if it is a finished game

    def back_up(self, game, tree, limits, leaf):
        """Negamax values from the new children of `leaf` upward, as far as they change anything."""
        # The meter: a descent to the leaf, and the way back from its children.
        game.meter[TRAVERSED] += 2 * tree.path[leaf] + tree.count[leaf]
        node = leaf
        while True:
            tree.best[node] = best_child(tree, node)
            value = -tree.value[tree.best[node]]
            changed = value != tree.value[node]
            tree.value[node] = value
            if node == 0 or not changed:
                break
            node = tree.parent[node]
        tree.register[0].node = node
        return RUNNING
