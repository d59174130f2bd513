"""SCOUT (Pearl 1980): a cheap test whether a move is better comes before its expensive evaluation.

Two procedures call each other. EVAL finds the value of a node: it evaluates the first successor, and then for each of
the others TESTs whether it is better than the best so far; only if it is, EVAL is called for it. TEST answers yes or
no, and needs to see one good successor where the player who is to gain moves, and all of them where his opponent does.

In terms of windows TEST is a window of no width at the value to beat, and EVAL is an open one. That is the difference
from principal variation search, where what is known above a node narrows the window in which it is evaluated, and
where the bound that a test came back with is used: EVAL begins from nothing each time.
"""

from __future__ import annotations

import numpy as np

from ludus.library.searches.full_width.alphabeta import AlphaBeta


class Scout(AlphaBeta):
    """SCOUT: test whether a move is better than the best so far, and evaluate it only if it is (Pearl 1980)."""

    name = "scout"
    contender = False
    variants = ("order=false, table=true, killers=true, history=true, aspiration=1.0, memory_of_table=0.01",)

    def window(self, tree, node, child):
        if is_tested(tree, node):
            return -tree.beta[node], -tree.alpha[node]
        if tree.best[node] < 0:
            return -np.inf, np.inf
        return -np.nextafter(tree.alpha[node], np.inf), -tree.alpha[node]

    def again(self, tree, node, child):
        """EVAL has found by TEST that `child` is better than the best so far: EVAL it."""
        if is_tested(tree, child) and not is_tested(tree, node) and -tree.backed[child] > tree.alpha[node]:
            tree.alpha[child], tree.beta[child] = -np.inf, np.inf
            return True
        return False


def is_tested(tree, node):
    """Whether `node` is searched by TEST: its window has no width."""
    return tree.beta[node] == np.nextafter(tree.floor[node], np.inf)
