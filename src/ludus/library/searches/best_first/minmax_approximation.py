"""Min/max approximation (Rivest 1987): expand the leaf to which the value of the root is most sensitive.

The greatest and the least of some numbers have no useful derivatives: all but one are 0. Power means (`power_mean.py`)
come near them and depend on every number. So take M_p where the root's player moves and M_-p where the opponent does,
of numbers above 0 that are worth the more to the root's player the greater they are. How much the root's mean changes
with a leaf is then the product of the slopes along the path. Minus the logarithm of a slope is an edge's *penalty*;
penalties add up to the cost of a leaf, and the leaf of least cost is expanded. Each node knows the least cost below it.
An expansion changes the means and penalties at the nodes of one path only, so only these are renewed. Each node keeps
its power, which its parent's mean adds up, and its part of the parent's cost, its *merit*: a node takes one division
and one logarithm, however many moves it has. (From player to player the sign of the power changes, so the power of a
mean is the inverse of the mean of powers.)

Nor are all of that path renewed at once. A descent goes to the child of least merit, and successive leaves are mostly
near each other. So the way back ends where the change is too small for any choice above; what is above is renewed when
the search leaves that place, or pauses. How far a change of merit and mean can move the merits above: that of a node
is the least of its children's, and 2 p times the logarithm of its own mean, with a minus sign where the opponent
moves. Going up, changes of means have one sign and get smaller, for a power mean changes by no more than the number
that does; so, added up with alternating signs, they come to something between nothing and the first of them.

Two things could change a choice all the same, and where they may, nothing is put off. A node is resolved at once when
its best move is a proven win, which it may become because the value of a better one falls; that node's own value has
been a win all along. And with `reverse` means are not bounded in this way, since values and results of finished games
are not on one curve.

What takes most time in a large tree is waiting for memory of nodes that were last seen long ago. So each node knows
which ones a descent would come to next and last, and their memory is asked for as soon as the line turns there.

Values become numbers above 0 as in `backup(rule=pmean)`: results from -1 to 1 by a logistic curve, and `offset` added.
A finished game cannot be expanded, so its cost is infinite; but it takes part in the means.

Two things are often said of penalties that hold only in part. They are 0 where there is one move. But they are not
always at least 0: where the opponent moves, a slope may be as great as n^(1/p). A search by penalties needs no such
promise: the least sum over paths of a tree is found from below, whatever the signs.

What is played: the approximation guides the growth of the tree, as the abstract of the paper says, while the move is
chosen by minimax's values in the tree that has grown; of equals, by the better mean (so the survey of Abramson 1989).
`reverse=true` is Rivest's reverse approximation: penalties by the same formula, with minimax's values for the means.
*Completion* is as in `bfmm`; `complete=false` is the original, which goes on below what is decided.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ludus.kernel.columns import node as node_index
from ludus.kernel.columns import number
from ludus.kernel.limits import RUNNING, STOP_EXHAUSTED, STOP_SOLVED, TRAVERSED
from ludus.kernel.prefetch import prefetch
from ludus.kernel.tree import best_child, children
from ludus.library.searches.best_first.bfmm import BestFirstMinimax, set_value
from ludus.library.searches.power_mean import log_power_mean, penalty
from ludus.library.searches.win_curve import MEASURED, SLOPE, curve_of, result_of
from ludus.model.evaluator import WIN

ROUNDING = 1e-9
"""More than all that is lost by rounding on the way to the root, compared with the numbers themselves."""
FAINT = 1e-200
"""Powers that add up to less are so small that some may be rounded to 0."""


class MinMaxApproximation(BestFirstMinimax):
    """Min/max approximation: expand the leaf to which the root's power mean is most sensitive (Rivest 1987)."""

    name = "minmax-approximation"
    contender = True
    handles_chance = False
    interleaved = True
    variants = ("complete=false, p=4.0, offset=1.5, scale=2.0", "reverse=true, reuse=true")
    columns = {
        # Of a node that is not on the way to the last leaf: what a descent comes to. Only memory is asked for by these.
        "ahead": node_index(),  # the best child of the best child
        "leaf": node_index(),  # the end
        "log": number(),  # the logarithm of the mean, to the player who moves at the root
        "power": number(),  # of the mean, as a part of the greatest there may be: what the parent's mean adds up
        # The least sum of penalties on a way down to a leaf that can be expanded, inf if there is none; less what
        # depends on this node in the penalty of the edge to it, if there is one.
        "merit": number(),
        "lead": number(),  # of the best child over the next: the difference of their merits
        "ceiling": number(),  # as long as its merit grows by less, the choices above are the same
    }

    def __init__(
        self,
        p: float = 10.0,
        offset: float = 1.1,
        scale: float = 0.0,
        reverse: bool = False,
        complete: bool = True,
        reuse: bool = False,
    ) -> None:
        """
        p: the power of the means; the higher, the nearer to minimax, and the more the principal leaf is preferred
        offset: what is added to results from -1 to 1, so that they are above 0
        scale: the evaluator's value that means a probability of winning of 0.73; 0: the evaluator's calibration or, if
            it has none, the root mean square of its values of the root's moves
        reverse: penalties by minimax's values instead of power means
        complete, reuse: as for `bfmm`
        """
        super().__init__(complete=complete, reuse=reuse)
        if not 1 <= p < math.inf or not 1 < offset < math.inf:
            raise ValueError("p must be at least 1, and offset above 1")
        if not 0 <= scale < math.inf:
            raise ValueError("scale must be above 0, or 0 to have it measured")
        self.p, self.offset, self.scale, self.reverse = p, offset, scale, reverse
        self.inverse = 1.0 / p
        self.log_least, self.log_most = math.log(offset - 1.0), math.log(offset + 1.0)
        self.least = math.exp(p * (self.log_least - self.log_most))  # the least power there may be

    def select(self, game, tree):
        if tree.resolved[0]:
            return np.int64(-STOP_SOLVED)
        if tree.merit[0] == np.inf:
            return np.int64(-STOP_EXHAUSTED)
        return descend(self, tree, tree.register[0].node)

    def back_up(self, game, tree, limits, leaf):
        """Values, means and costs from the new children of `leaf` upward, as far as they may change a choice."""
        # The meter: a descent to the leaf, and the way back from its children.
        game.meter[TRAVERSED] += 2 * tree.path[leaf] + tree.count[leaf]
        if leaf == 0 and tree.curve[MEASURED] > 0.0:
            tree.curve[SLOPE] = 1.0 / typical_value(tree)
        for child in children(tree, leaf):
            finished = tree.count[child] == 0
            result = result_of(tree.curve, tree.value[child], finished)
            our_turn = ours(tree, child)
            tree.log[child] = math.log(self.offset + (result if our_turn else -result))
            tree.merit[child] = np.inf if finished else (1.0 + power_at(self, our_turn)[0]) * tree.log[child]
            tree.resolved[child] = self.complete and finished
            tree.best[child] = tree.ahead[child] = tree.leaf[child] = child
            set_power(self, tree, child, our_turn)
        tree.register[0].node = renew_path(self, tree, leaf)
        return RUNNING

    def settle(self, tree):
        """Renew what is above the last place of work."""
        at = tree.register[0]
        while at.node > 0:
            tree.ceiling[at.node] = -np.inf
            at.node = tree.parent[at.node]
            renew(self, tree, at.node)

    # What follows runs in Python only.

    def unused_columns(self, game):
        return (*super().unused_columns(game), "grown", "regrown")

    def extras(self, game, evaluator, compiled):
        logs = [0.0] + [math.log(n) for n in range(1, game.room + 1)]
        return {"curve": curve_of(evaluator, self.scale), "log_count": np.array(logs)}

    def choice(self, tree):
        """The root's child with the best value; of equals one that is proven, then one with the best mean."""
        children = range(int(tree.first[0]), int(tree.first[0] + tree.count[0]))
        return min(children, key=lambda child: (tree.value[child], -tree.resolved[child], -tree.log[child]))

    def knowledge(self, tree, node):
        """Of the root's moves also the mean, from -1 to 1, and the least cost of a leaf below."""
        known = super().knowledge(tree, node)
        if int(tree.parent[node]) != 0:
            return known
        mean = math.exp(tree.log[node]) - self.offset
        cost = float(tree.merit[node]) + penalty(0.0, float(tree.log[0]), int(tree.count[0]), self.p)
        return replace(known, more={"mean": mean, "cost": cost})


def descend(search, tree, node):
    """The leaf of least cost below `node`, all choices above being as they were."""
    prefetch(tree.state, tree.leaf[node])
    fetch(tree, tree.leaf[node])
    ceiling = tree.ceiling[node] if node > 0 else np.inf
    while tree.count[node] > 0:
        ceiling = min(ceiling, tree.lead[node])
        if search.reverse or tree.value[node] >= WIN:
            ceiling = -np.inf  # nothing is put off below
        for child in children(tree, node):
            fetch(tree, child)  # the best one comes next, the others on the way back
        fetch(tree, tree.ahead[node])
        node = tree.best[node]
        tree.ceiling[node] = ceiling
    return node


def fetch(tree, node):
    """The numbers of `node` will be looked at soon: two lines of the processor's cache."""
    prefetch(tree.parent, node)
    prefetch(tree.merit, node)


def renew_path(search, tree, node):
    """Renew `node` and those above it until all choices further up are as they were. Where that is."""
    while True:
        log, merit = tree.log[node], tree.merit[node]
        renew(search, tree, node)
        if node == 0:
            return node
        growth = growth_above(search, tree, node, log, merit)
        if growth < tree.ceiling[node]:
            tree.ceiling[node] -= growth
            return node
        node = tree.parent[node]


def growth_above(search, tree, node, log, merit):
    """By how much the merit of `node`, or of one above, grows at most, since these were the numbers of `node`."""
    fall = log - tree.log[node] if ours(tree, node) else tree.log[node] - log
    scale = 1.0 + abs(tree.merit[node]) + 2.0 * search.p * abs(tree.log[node])
    return tree.merit[node] - merit + 2.0 * search.p * max(fall, 0.0) + ROUNDING * scale


def ours(tree, node):
    """Whether the player who moves at the root moves at `node`."""
    return tree.depth[node] % 2 == 0


def typical_value(tree):
    """The root mean square of the static values of the root's moves; 1 if there are none, or all are 0.

    An opinion that claims a win does not count.
    """
    squares, n = 0.0, 0
    for child in children(tree, 0):
        if tree.count[child] != 0 and abs(tree.value[child]) < WIN:
            squares += tree.value[child] * tree.value[child]
            n += 1
    return math.sqrt(squares / n) if squares > 0.0 else 1.0


def power_at(search, our_turn):
    """The power p of the mean where that player moves, 1 / p, and the logarithm of what counts most there."""
    if our_turn:
        return search.p, search.inverse, search.log_most
    return -search.p, -search.inverse, search.log_least


def renew(search, tree, node):
    """The value and the mean of `node`, the least cost below it, and the child through which that is to be had."""
    first, n, our_turn = tree.first[node], tree.count[node], ours(tree, node)
    value, resolved, total, least, second, best = np.inf, 0, 0.0, np.inf, np.inf, first
    for child in range(first, first + n):
        value, resolved = min(value, tree.value[child]), resolved + tree.resolved[child]
        total += tree.power[child]
        merit = tree.merit[child]
        best = child if merit < least else best
        least, second = min(least, merit), min(max(least, merit), second)
    tree.value[node], tree.resolved[node] = -value, 0
    if resolved > 0:
        set_value(tree, node)
    lead_to(tree, node, best)
    tree.lead[node] = second - least if least < np.inf else 0.0
    p, inverse, unit = power_at(search, our_turn)
    if search.reverse or n == 1:
        tree.log[node] = tree.log[best_child(tree, node)]
    elif total > FAINT:
        tree.log[node] = unit + inverse * (math.log(total) - tree.log_count[n])
    else:
        tree.log[node] = log_power_mean(tree.log, first, n, p)
    # Both the penalty of the edge to a node and those of the edges below it depend on its mean.
    tree.merit[node] = np.inf if tree.resolved[node] else least + (tree.log_count[n] + 2.0 * p * tree.log[node])
    if search.least > FAINT and not search.reverse:  # as `set_power` does, without an exponential
        tree.power[node] = search.least * n / total
    else:
        set_power(search, tree, node, our_turn)


def lead_to(tree, node, best):
    """A descent goes from `node` to its child `best`."""
    if best != tree.best[node]:  # below another child memory has to be fetched first
        fetch(tree, tree.best[best])
        fetch(tree, tree.ahead[best])
    tree.best[node], tree.ahead[node], tree.leaf[node] = best, tree.best[best], tree.leaf[best]


def set_power(search, tree, child, our_turn):
    """What the mean of the parent, where the other player moves, adds up."""
    p, _, unit = power_at(search, not our_turn)
    tree.power[child] = math.exp(p * (tree.log[child] - unit))
