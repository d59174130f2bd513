"""Evaluators of synthetic trees: the true value with errors, and what theory says without looking below a node."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.kernel.normal import normal_quantile
from ludus.kernel.random import as_unit, mix, number
from ludus.kernel.rules import digest, score
from ludus.library.games.dbf_tree import quantile, true_value
from ludus.library.games.synthetic import fair, within
from ludus.model.evaluator import Evaluator


class Truth(Evaluator):
    """The true value with errors that are independent from node to node.

    `noise` is the standard deviation of a normal error that is added, `flip` the probability that the sign is wrong.
    Both are multiplied by `decay` for each ply that the node lies below the first position.
    """

    def __init__(self, noise: float = 0.0, flip: float = 0.0, decay: float = 1.0, seed: int = 0) -> None:
        within("noise", noise, 0, 1e9)
        within("flip", flip, 0, 1)
        within("decay", decay, 0, 1)
        if seed < 0:
            raise ValueError("seed must be 0 or above")
        self.noise, self.flip, self.decay, self.seed = float(noise), float(flip), float(decay), seed


def with_errors(evaluator, value, depth, bits):
    """`value` as the evaluator sees it; `bits` are the node's own."""
    key = mix(bits ^ np.uint64(evaluator.seed))
    size = evaluator.decay ** float(depth)
    if as_unit(number(key, 0)) < evaluator.flip * size:
        value = -value
    return value + evaluator.noise * size * normal_quantile(as_unit(number(key, 1)))


class DbfTruth(Truth):
    """The minimax value, with errors: `noise` a normal deviation, `flip` the chance of a wrong sign."""

    name = "dbf-truth"
    games = ("dbf-tree",)

    def evaluate(self, game, state):
        return with_errors(self, true_value(game, state), state[1], digest(state))

    def final(self, game, state):
        return score(game, state)


class WinTruth(Truth):
    """Win or loss, 1 or -1, with errors: `flip` the chance of a wrong one, `noise` a normal deviation."""

    name = "win-truth"
    games = ("trap-tree", "recursive-game")

    def evaluate(self, game, state):
        return with_errors(self, score(game, state), state[1], digest(state))


class IntervalTruth(Truth):
    """The minimax value, with errors: `noise` a normal deviation, `flip` the chance of a wrong sign."""

    name = "interval-truth"
    games = ("interval-tree",)

    def evaluate(self, game, state):
        return with_errors(self, float(state[2]), state[1], digest(state))

    def final(self, game, state):
        return score(game, state)


class Odds(Evaluator):
    """The chance of a win less that of a loss, as far as depth and number of moves tell without a look below."""

    name = "odds"
    games = ("trap-tree", "recursive-game")

    def evaluate(self, game, state):
        return 1.0 - 2.0 * game.wins[state[1] + 1] ** float(state[2])


class DbfMean(Evaluator):
    """The mean of the leaves' distribution: the expected outcome of random play (Abramson 1987, corollary 1)."""

    name = "dbf-mean"
    games = ("dbf-tree",)

    def prepare(self, game: Any) -> None:
        place, half = game.place, game.spread / 2
        means = np.choose(game.kind, [2 * place - 1, place + half, place + half - 0.5, place])  # in the order of KINDS
        self.worth = np.append(means, means.mean())  # the last is for the first position, before any move

    def evaluate(self, game, state):
        return self.worth[state[2]] if state[1] % 2 == 0 else -self.worth[state[2]]

    def final(self, game, state):
        return score(game, state)


class DbfQuantile(Evaluator):
    """The quantile of the leaves' distribution to which minimax values converge (Abramson 1987, corollary 2).

    It is xi_b if the first player makes the last move, else 1 - xi_b (Pearl 1980; Nau 1982).
    """

    name = "dbf-quantile"
    games = ("dbf-tree",)

    def prepare(self, game: Any) -> None:
        xi = fair(game.branching)
        at = [quantile(game, first, xi if game.depth % 2 else 1 - xi) for first in range(game.branching)]
        self.worth = np.array([*at, max(at)])

    def evaluate(self, game, state):
        return self.worth[state[2]] if state[1] % 2 == 0 else -self.worth[state[2]]

    def final(self, game, state):
        return score(game, state)


class Interval(Evaluator):
    """A point of a node's interval: `at` 0 is the pessimistic bound, 1 the optimistic one, 0.5 the middle."""

    name = "interval"
    games = ("interval-tree",)

    def __init__(self, at: float = 0.5) -> None:
        self.at = float(within("at", at, 0, 1))

    def evaluate(self, game, state):
        return (1.0 - self.at) * state[3] + self.at * state[4]

    def final(self, game, state):
        return score(game, state)
