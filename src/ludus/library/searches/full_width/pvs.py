"""Principal variation search, also called NegaScout (Marsland & Campbell 1982; Reinefeld 1983).

If the moves are well ordered, the first one is best and the rest need only be shown to be no better. So the first child
of a node is searched with the whole window, every other one with a window of no width at the value to beat, which cuts
more. Such a *scout* comes back with a bound, v. If that lies inside the window (alpha, beta), the move is searched
again, with the window (v, beta): it is worth at least v, and exactly v if the second search finds no more.

Two plies above the horizon no second search is needed: a scout that finds the move better has looked at all replies,
each of them a leaf, so v is the value.
"""

from __future__ import annotations

import numpy as np

from ludus.kernel.columns import integer
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.selective import is_doubted


class PrincipalVariation(AlphaBeta):
    """Principal variation search: scouts with a window of no width, and searches again from v on (Reinefeld 1983)."""

    name = "pvs"
    contender = "table=true, killers=true, history=true, reductions=3"
    variants = ("table=true, killers=true, history=true, aspiration=0.5, ties=random, star=2",)
    columns = {"scout_cut": integer()}  # of a child that is searched again: `cut` as the scout left it

    def window(self, tree, node, child):
        if tree.best[node] < 0:
            return -tree.beta[node], -tree.alpha[node]
        return -np.nextafter(tree.alpha[node], np.inf), -tree.alpha[node]

    def again(self, tree, node, child):
        """A scout has come back with a bound inside the window of `node`: search from there on."""
        if is_scouted(tree, node, child) and tree.alpha[node] < -tree.backed[child] < tree.beta[node]:
            tree.scout_cut[child] = tree.cut[child]
            tree.alpha[child], tree.beta[child] = -tree.beta[node], tree.backed[child]
            return True
        return False

    def doubted(self, tree, node, child):
        settle(self, tree, node, child)
        return self.selects and is_doubted(self, tree, node, child)


def is_scouted(tree, node, child):
    """Whether `child` was searched with a window of no width, narrower than that of `node`."""
    return tree.floor[child] > -tree.beta[node]


def settle(search, tree, node, child):
    """Is the value of `child` as good as one from the whole window of `node`? Then say so."""
    value = tree.backed[child]
    if is_scouted(tree, node, child):
        if value <= tree.floor[child] and has_leaves_only(search, tree, child):
            tree.floor[child] = -tree.beta[node]
    elif tree.beta[child] <= value and tree.beta[child] < -tree.alpha[node]:
        # The second search found no more than the scout: its lower bound and the scout's upper bound meet.
        tree.beta[child] = -tree.alpha[node]
        tree.cut[child] |= tree.scout_cut[child]


def has_leaves_only(search, tree, child):
    """Whether the moves of `child`, all of them tried, lead to leaves, and so to exact values."""
    if search.quiet_rule != 0 or search.free_forced or search.deeper:
        return False
    return tree.left[child] == 1 and tree.best[child] >= 0  # neither chance nor the table gave its value
