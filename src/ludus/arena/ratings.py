"""Ratings of many players from pairs of games: Bradley-Terry with draws and first-move advantage, in Elo.

**Model.** Who is rated d higher and moves first is expected to score 1 / (1 + 10^(-(d + h) / 400)), a draw being half a
win; h, the advantage of the first move, is the same for all. The ratings are those at which everyone's points, and the
points of all who moved first, are as expected. These are the likelihood equations of Bradley and Terry (1952) and, with
draws and an order effect, of Davidson and Beaver (1977), who differ only in the curve from rating to score. Here the
curve is Elo's, whatever the share of draws, so that a difference means what it means in a match.

**Prior.** Beside the games played, everyone has half a game, spread evenly over all others and both sides and half won.
So everything is finite after 0 % and 100 %, without games, and among players who never met.

**Errors.** Draws make results less scattered than wins and losses, and the two games of a pair share their opening. So
the scatter is measured. The *dispersion* of a pairing is the squared error of the points in its pairs, over the
variance that independent games without draws would have; where there are few pairs that of its players stands in, then
that of all, then 1. The covariance follows from it (the "sandwich" of quasi-likelihood).

**Luck.** Whoever leads has been lucky, and a tournament that looks for the best player stops on a lucky day. So the
ratings are drawn together as far as they may be equal (`ludus.arena.shrinkage`).

**Intervals.** Profile likelihood: a rating is in the interval if the best fit that has it is not much less likely than
the best of all, in units of the dispersion. After one-sided results they are as lopsided as they should be. They are
wider than those for games that nobody has chosen, and hold the truth in 95 % of adaptive tournaments, at the moment
when they stop, the leader's too; simulations: `tests/verdicts.py` and `tests/arena/test_ratings.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ludus.arena.likelihood import Likelihood, assemble
from ludus.arena.shrinkage import shrink
from ludus.arena.statistics import Estimate

ELO = 400 / math.log(10)
"""A unit of log-odds in Elo."""
PRIOR_GAMES = 0.5
"""How many games the prior adds for each player."""
SHRINK_ALL, SHRINK_PLAYER, SHRINK_PAIRING = 4.0, 2.0, 5.0
"""Weight of 1 in the dispersion of all, of that in a player's, of the larger of its players' in a pairing's; the unit
is the variance of points, 1/2 for a pair of even games without draws."""
QUANTILE = 2.5
"""Half of a rating's interval, in standard errors: games are chosen, and end, by how the ratings look."""
NORMAL_QUANTILE = 1.959964
"""Half of the interval for the first move, which nothing depends on."""
POINTS = np.array([1.0, 0.5, 0.0])


@dataclass(frozen=True, eq=False)
class Ratings:
    """What the games say. Matrices: `games[i, j]`, those in which i moved first against j; `points[i, j]`, i's in them;
    `information[i, j]`, what one more pair would tell of the difference of i and j (one over its variance, in Elo)."""

    likelihood: Likelihood
    estimate: np.ndarray
    inverse: np.ndarray
    spread: np.ndarray
    quantiles: np.ndarray
    games: np.ndarray
    points: np.ndarray
    information: np.ndarray
    draws: float

    @cached_property
    def _shrunk(self) -> tuple[np.ndarray, np.ndarray]:
        known = self.games.sum(1) > 0
        return shrink(ELO * self.estimate[:-1], ELO**2 * self.spread[:-1, :-1], known)

    @property
    def elo(self) -> np.ndarray:
        """Ratings; their mean is 0."""
        return self._shrunk[0]

    @property
    def covariance(self) -> np.ndarray:
        """The covariance matrix of `elo`."""
        return self._shrunk[1]

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """As far from the ratings as the profile says, or less where the ratings are known better than from it."""
        reach = np.array(self.likelihood.profile(self.estimate, np.diag(self.spread), self.quantiles))
        reach[:, :-1] *= np.sqrt(np.diag(self.covariance) / np.diag(self.spread)[:-1]) / ELO
        middle = np.append(self.elo, ELO * self.estimate[-1])
        return middle - ELO * reach[0], middle + ELO * reach[1]

    @property
    def low(self) -> np.ndarray:
        """Lower ends of the 95 % intervals of `elo`."""
        return self._ends[0][:-1]

    @property
    def high(self) -> np.ndarray:
        """Upper ends of the 95 % intervals of `elo`."""
        return self._ends[1][:-1]

    @property
    def first_move(self) -> Estimate:
        """What it is worth to move first, in Elo."""
        low, high = self._ends
        return Estimate(float(ELO * self.estimate[-1]), float(low[-1]), float(high[-1]))

    def expected(self, i: int, j: int) -> float:
        """The score expected of i in a pair against j, between 0 and 1."""
        difference, first = self.estimate[i] - self.estimate[j], self.estimate[-1]
        return float(np.mean(1 / (1 + np.exp(-(difference + np.array([first, -first]))))))

    def superiority(self, i: int, j: int) -> float:
        """The likelihood that i is stronger than j.

        How far a lead is from none is told by the likelihood of a tie, in units of the dispersion. The variance at the
        estimate would not do: where somebody wins nearly all games with the first move it grows faster than the lead.
        """
        if i == j:
            return 0.5
        contrast = np.zeros(len(self.estimate))
        contrast[[i, j]] = 1.0, -1.0
        dispersion = (contrast @ self.spread @ contrast) / (contrast @ self.inverse @ contrast)
        deviance = float(self.likelihood.tied(self.estimate, contrast[None])[0])
        errors = math.copysign(math.sqrt(deviance / dispersion), self.elo[i] - self.elo[j])
        return math.erfc(-errors / math.sqrt(2)) / 2


def fit(count: int, tables: Mapping[tuple[int, int], np.ndarray]) -> Ratings:
    """Rate `count` players, of whom i and j with i < j have played the pairs in `tables[i, j]`.

    A table says how often i had which results, won, drawn or lost: the row is that of the game in which i moved first,
    the column that of the other.
    """
    keys = np.array(list(tables), int).reshape(-1, 2)
    table = np.array(list(tables.values()), float).reshape(-1, 3, 3)
    one, other = keys.T
    if count < 2 or not ((one >= 0) & (one < other) & (other < count)).all():
        raise ValueError(f"ratings need two players or more, and tables of pairings i < j < {count}.")
    games, points = np.zeros((2, count, count))
    games[one, other] = games[other, one] = table.sum((1, 2))
    points[one, other] = table.sum(2) @ POINTS
    points[other, one] = games[other, one] - table.sum(1) @ POINTS
    prior = PRIOR_GAMES / (2 * count - 2) * (1 - np.eye(count))
    likelihood = Likelihood(games + prior, points + prior / 2)
    estimate, inverse = likelihood.maximum()

    chance = likelihood.chance(estimate)
    variance = chance * (1 - chance)
    both = variance + variance.T
    # The errors of a pair: in the points of `one`, and in the points of whoever moved first.
    mine = np.add.outer(POINTS, POINTS) - (chance + 1 - chance.T)[one, other, None, None]
    first = np.subtract.outer(POINTS, POINTS) + 1 - (chance + chance.T)[one, other, None, None]
    squares = np.zeros((2, count, count))
    squares[0][one, other] = squares[0][other, one] = (table * mine**2).sum((1, 2))
    squares[1][one, other] = squares[1][other, one] = (table * first**2).sum((1, 2))
    # How much the fit follows a pair: the points of i in it grow by `both` with the difference of i and j, by `tilt`
    # with the advantage of the first move.
    own, with_first, tilt = np.diag(inverse)[:-1], inverse[:-1, -1], variance - variance.T
    difference = np.add.outer(own, own) - 2 * inverse[:-1, :-1]
    leverage = both * difference + 2 * tilt * np.subtract.outer(with_first, with_first)
    leverage += tilt**2 / np.maximum(both, 1e-12) * inverse[-1, -1]
    squares[0] /= np.maximum(1 - leverage, 0.1)  # the fit has come closer to the results than the truth is
    scatter, first_scatter = (_dispersion(found, games * both) for found in squares)

    weight = games * variance
    middle = assemble(
        (weight + weight.T) * scatter + prior * both,
        ((weight - weight.T) * np.sqrt(scatter * first_scatter) + prior * (variance - variance.T)).sum(1),
        (weight * first_scatter + prior * variance).sum(),
    )
    pairs = games.sum() / 2
    quantiles = np.append(np.full(count, QUANTILE), NORMAL_QUANTILE)
    freedom = max(pairs + 2 * SHRINK_ALL - (count - 1), 4.0)
    return Ratings(
        likelihood,
        estimate,
        inverse,
        inverse @ middle @ inverse,
        quantiles * (1 + (quantiles**2 + 1) / (4 * freedom)),  # Student's, nearly
        games,
        points,
        both / scatter / ELO**2,
        float((table[:, 1].sum() + table[:, :, 1].sum()) / max(2 * pairs, 1)),
    )


def _dispersion(squares: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """For each pairing: its squared errors over those expected, both symmetric matrices, shrunk where there are few."""
    share = SHRINK_PAIRING / (SHRINK_PAIRING + expected)  # no pairing speaks for others as loud as for itself
    seen, due = share * squares, share * expected
    overall = (SHRINK_ALL + seen.sum() / 2) / (SHRINK_ALL + due.sum() / 2)
    player = (SHRINK_PLAYER * overall + seen.sum(1)) / (SHRINK_PLAYER + due.sum(1))
    return (SHRINK_PAIRING * np.maximum.outer(player, player) + squares) / (SHRINK_PAIRING + expected)
