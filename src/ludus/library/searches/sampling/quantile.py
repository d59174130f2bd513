"""Q-outcome (Abramson 1987, section 5.1.2): moves are ranked by a quantile of the scores of random play, not the mean.

In a uniform tree with b moves everywhere and independent leaves the minimax value comes the nearer to a quantile of the
leaves the deeper the tree is (Pearl 1980): with xi the root of x^b + x = 1, to the xi-quantile of the leaf values to a
player if he makes the last move of the game, to the (1 - xi)-quantile if his opponent does (Nau 1982). For b = 2 these
are .618 and .382. (The thesis has the two the other way round; simulation says that they are as here.) So that is what
a move is worth there under best play.

Real trees are not uniform, and the thesis advises the median, which lies between the two. Here b is the mean number of
moves in the positions of the playouts, and where a share s of them ends with a move of ours Q is
s xi + (1 - s) (1 - xi): the right one where the last mover is known, the median where it is anybody's guess. A quantile
is a score that some game had, and many moves may have the same: of equals the one with the better mean is played.

The scores are those of playouts, so each end of the game counts as often as random play comes to it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludus.kernel.columns import number
from ludus.kernel.limits import EXPANDED, NEEDS_NODES, RUNNING, STOP_SURE, TRAVERSED, spent
from ludus.kernel.playout import PLAYED, count_game, counting, estimate, longest_playout
from ludus.kernel.random import below
from ludus.kernel.rules import load
from ludus.kernel.tree import UNOPENED
from ludus.library.searches.sampling.flat import Flat, begin_move, open_root
from ludus.library.searches.sampling.told_playout import told_playout
from ludus.model.result import Known

MOST_PLAYOUTS = 10_000

ROUNDING = 1e-9
"""A share of the games that is a whole number but for rounding is that number."""


class Quantile(Flat):
    """The move whose playouts have the best quantile: the one to which minimax values converge (Abramson 1987)."""

    name = "quantile"
    plays_out = True
    variants = ("q=0.5, playouts=9",)
    registers = {
        "child": "i8",  # whose turn it is
        "turns": "i8",  # how many playouts each move has had
        "mover": "i8",  # of the last playout: who would have to move at its end
        "decisions": "i8",  # positions of the playouts in which somebody had to move
        "choices": "i8",  # the numbers of moves there, added up
        "games": "i8",  # playouts
        "ours": "i8",  # those that ended with a move of the root's player
        "longest": "i8",  # plies of a playout
    }
    columns = {"ranked": number()}  # the quantile by which the search has chosen

    def __init__(self, q: float = 0.0, playouts: int = 64) -> None:
        """
        q: the quantile, above 0 and below 1; 0: the one that the branching and the last mover of the playouts call for
        playouts: how many after each move
        """
        if not 0 <= q < 1:
            raise ValueError("q must be above 0 and below 1, or 0 for the one that the playouts call for")
        if not 1 <= playouts <= MOST_PLAYOUTS:
            raise ValueError(f"playouts must be at least 1 and at most {MOST_PLAYOUTS}")
        self.q, self.playouts = q, playouts
        self._set(counting("half", "score"))

    def extras(self, game, evaluator, compiled):
        return {"scores": np.zeros((game.room, self.playouts))}

    def step(self, game, evaluator, tree, limits):
        at = tree.register[0]
        if tree.count[0] == UNOPENED:
            if not open_root(game, tree):
                return NEEDS_NODES
            at.child = tree.first[0]
        while at.turns < self.playouts:
            if tree.count[at.child] != 0:
                status = spent(game.meter, limits, False)
                if status != RUNNING:
                    return status
                sample(self, game, evaluator, tree, at.child)
            game.meter[TRAVERSED] += 1
            at.child += 1
            if at.child == tree.first[0] + tree.count[0]:
                if at.games == 0:
                    return STOP_SURE  # all moves end the game
                at.child = tree.first[0]
                at.turns += 1
        return STOP_SURE

    def choose_move(self, tree, n, mover):
        tree.register[0].decisions += 1
        tree.register[0].choices += n
        return below(tree.random, n)

    # What follows runs in Python only.

    def prepare(self, tree, game, state, limits):
        tree.register[0].longest = longest_playout(game)

    def conclude(self, session):
        self._rank(session.tree.record)

    def choice(self, tree):
        """The best quantile; of equals the best mean, of these the first. A move that was not tried counts as even."""
        first, count = int(tree.first[0]), int(tree.count[0])
        self._rank(tree)
        values = np.nan_to_num(tree.ranked[first : first + count])
        means = np.where(values == values.max(), -np.nan_to_num(tree.value[first : first + count]), -np.inf)
        return first + int(means.argmax())

    def knowledge(self, tree, node):
        value, mean = float(tree.ranked[node]), 0.0 - float(tree.value[node])
        more = {"mean": mean, "playouts": int(tree.tally[node, PLAYED])}
        return Known(value, value, value, True, more) if int(tree.count[node]) == 0 else Known(value, more=more)

    def statistics(self, tree):
        if tree.register[0].games == 0:
            return {}
        return {"quantile": round(self._quantile(tree), 3), "branching": round(mean_branching(tree), 2)}

    def _rank(self, tree: Any) -> None:
        """Work out the quantiles of all moves."""
        nodes = range(int(tree.first[0]), int(tree.first[0]) + int(tree.count[0]))
        q = self._quantile(tree)
        tree.ranked[nodes.start : nodes.stop] = [value_of(tree, node, q) for node in nodes]

    def _quantile(self, tree: Any) -> float:
        """Which quantile it is, the same for all moves."""
        if self.q > 0:
            return self.q
        at, x = tree.register[0], xi(mean_branching(tree))
        share = float(at.ours) / float(max(at.games, 1))
        return share * x + (1.0 - share) * (1.0 - x)


def sample(search, game, evaluator, tree, child):
    """One playout after this move; one that ends the game needs none."""
    at = tree.register[0]
    n = begin_move(search, game, evaluator, tree, child)
    if n == 0:
        return
    game.meter[EXPANDED] += 1
    result = told_playout(search, game, tree, load(tree.state, child), n)
    at.games += 1
    at.ours += at.mover == 0
    tree.scores[child - tree.first[0], np.int64(tree.tally[child, PLAYED])] = result
    count_game(search, tree.tally, child, result, 1.0)
    tree.value[child] = estimate(tree.tally, child)


# What follows runs in Python only.


def value_of(tree: Any, node: int, q: float) -> float:
    """The q-quantile of a move's scores to the player who makes it; NaN if it was not tried.

    That is the least score that is no less than a part q of them.
    """
    played = int(tree.tally[node, PLAYED])
    if played == 0:
        return 0.0 - float(tree.value[node])  # a game that is over at once, or NaN
    scores = np.sort(0.0 - tree.scores[node - int(tree.first[0]), :played])
    return float(scores[max(math.ceil(q * played - ROUNDING) - 1, 0)])


def mean_branching(tree: Any) -> float:
    """The mean number of moves in the positions of the playouts; 1 if nobody had to move."""
    return float(tree.register[0].choices) / float(tree.register[0].decisions) if tree.register[0].decisions else 1.0


def xi(b: float) -> float:
    """The root of x^b + x = 1 between 0 and 1; for b = 1 it is 1/2."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle**b + middle < 1 else (low, middle)
    return low
