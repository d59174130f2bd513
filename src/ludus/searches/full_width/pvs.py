"""Principal variation search, also called NegaScout (Marsland & Campbell 1982; Reinefeld 1983).

If the moves are well ordered, the first one is best and the rest need only be shown to be no better. So the first child
of a node is searched with the whole window, every other one with a window of no width at the value to beat, which cuts
more. If such a *scout* finds that the move is better after all, it is searched again, with the whole window.
"""

from __future__ import annotations

import numpy as np

from ludus.searches.full_width.alphabeta import AlphaBeta


class PrincipalVariation(AlphaBeta):
    """Principal variation search: scouts with a window of no width, and searches again (Reinefeld 1983)."""

    name = "pvs"
    contender = "table=true, killers=true, history=true, reductions=3"
    variants = ("table=true, killers=true, history=true, aspiration=0.5, ties=random, star=2",)

    def window(self, tree, node, child):
        if tree.best[node] < 0:
            return -tree.beta[node], -tree.alpha[node]
        return -np.nextafter(tree.alpha[node], np.inf), -tree.alpha[node]

    def again(self, tree, node, child):
        """A scout has come back with a value inside the window of `node`: that is only a bound."""
        scouted = tree.floor[child] > -tree.beta[node]
        if scouted and tree.alpha[node] < -tree.backed[child] < tree.beta[node]:
            tree.alpha[child], tree.beta[child] = -tree.beta[node], -tree.alpha[node]
            return True
        return False
