"""Bandwidth search (Harris 1974): a move that is good enough is taken, given how far the evaluator can be wrong.

The assumption: a static value lies above the true one by at most `e`, and below it by at most `d`. So it stands for an
interval of width e + d, which minimax shifts but does not widen: if a search says that a node is worth v, it is truly
worth at least v - below and at most v + above, where (below, above) is (e, d) if its mover also moves at the horizon,
else (d, e).

Moves are tried in the order of their static values. Let v be the best backed-up value so far, and s the static value of
a move that was not searched yet, both to the player who moves. That move is truly worth at most s + e. It is left out

- if it cannot be best: s + e <= v - below;
- or, unless `accept=false`, if the best so far is within e + d of it: s + e - (e + d) <= v - below.

Either way the move that is played is worse than the best by no more than e + d, if the assumption holds. No evaluator
of a real game is known to keep such a promise (Abramson 1989); where one breaks it, the other moves are searched as
soon as v tells. Otherwise this is alpha-beta. What is known from finished games alone needs no band: no move is left
out for its sake, and at the end of the game nothing is left out.
"""

from __future__ import annotations

import math

import numpy as np

from ludus.kernel.rules import evaluate, load
from ludus.kernel.tree import children
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.driver import Ties
from ludus.library.searches.full_width.order import as_listed, in_order
from ludus.library.searches.full_width.walk import look_at

OVER, UNDER = 0, 1
"""Cells of `tree.band`: by how much a static value may lie too high, and too low."""


class Bandwidth(AlphaBeta):
    """Alpha-beta that leaves out moves by how wrong their static values can be (Harris 1974)."""

    name = "bandwidth"
    contender = False
    exact = False
    chooses_depth = False
    handles_chance = False
    variants = ("accept=false, e=1.0, d=0.5, ties=random",)

    def __init__(self, e: float = 0.0, d: float = 0.0, accept: bool = True, ties: Ties = "first") -> None:
        """
        e, d: by how much a static value may lie above the true one, and below. If both are 0, each is the root mean
            square of the differences between the static values of the root's moves and their mean
        accept: leave a move out also if the best so far is within e + d of it, and not only if it cannot be best
        ties: as for `minimax`
        """
        super().__init__(ties=ties)
        if not (0 <= e < math.inf and 0 <= d < math.inf):
            raise ValueError("e and d must be 0 or above")
        self.e, self.d, self.accept = e, d, accept

    def arrange(self, game, evaluator, tree, node):
        """By static value; at the frontier that is what is searched, so as listed."""
        if node != 0 and tree.left[node] <= 1:
            as_listed(tree, node)
            return
        in_order(tree, node)
        state = load(tree.state, node)
        for child in children(tree, node):
            look_at(self, game, evaluator, tree, state, child)
            if tree.count[child] != 0:
                tree.static[child] = evaluate(evaluator, game, load(tree.state, child))
            tree.order[child] = -tree.static[child]
        if node == 0 and self.e == 0.0 and self.d == 0.0:
            tree.band[OVER] = tree.band[UNDER] = spread_of_moves(tree)

    def skipped(self, game, evaluator, tree, node, child):
        """By the band of a best value that is an estimate; nor is anything left out at the frontier."""
        if tree.best[node] < 0 or tree.count[child] == 0 or tree.left[node] <= 1 or tree.cut[tree.best[node]] == 0:
            return False
        at_most = tree.band[OVER] - tree.static[child]
        below = tree.band[UNDER] if tree.left[node] % 2 == 1 else tree.band[OVER]
        if self.accept:
            at_most -= tree.band[OVER] + tree.band[UNDER]
        return at_most <= tree.backed[node] - below

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        return super().extras(game, evaluator, compiled) | {"band": np.array([self.e, self.d])}


def spread_of_moves(tree):
    """The standard deviation of the static values of the root's moves that do not end the game; 1 if there is none."""
    total, squares, n = 0.0, 0.0, 0
    for child in children(tree, 0):
        if tree.count[child] != 0:
            total += tree.static[child]
            squares += tree.static[child] * tree.static[child]
            n += 1
    variance = squares / n - total / n * (total / n) if n > 0 else 0.0
    return math.sqrt(variance) if variance > 0.0 else 1.0
