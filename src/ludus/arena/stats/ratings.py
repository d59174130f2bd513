"""Ratings of many players from pairs of games: Bradley-Terry with draws, in Elo.

**Model.** Who is rated d higher is expected to score 1 / (1 + 10^(-d / 400)) in a pair of games with sides swapped, a
draw being half a win: a difference means what it means in a match, and in the verdict. The likelihood is that of
Bradley and Terry (1952): at its maximum everyone's points are as expected, whatever the share of draws and of the first
move.

**Prior.** Beside the games played, everyone has half a game, spread evenly over all others and half won, and who has
played has a logistic prior around the centre of the roster, as wide as rosters are. It enters the likelihood as two
drawn games with the centre, for that is what a logistic density is. So everything is finite after 0 % and 100 %,
without games, and among players who never met; and results that a few games exaggerate are toned down.

**One posterior.** The likelihood times the prior is a posterior, and everything is read off it. The ratings are its
mode. An interval holds a rating if the best fit that has it is not much less likely than the mode (a profile); after
one-sided results it is as lopsided as it should be. The likelihood of superiority of one player over another follows
from how much less likely the best fit is in which they tie. So a rating is in its interval, and who is rated higher is
the likelier to be stronger.

**Errors.** Draws make results less scattered than wins and losses, and the two games of a pair share their opening. So
the scatter is measured, and "less likely" is meant in units of it. The *dispersion* of a pairing is the squared error
of the points in its pairs, over the variance that independent games without draws would have; where there are few pairs
that of its players stands in, then that of all, then 1. The covariance follows from it (the "sandwich" of
quasi-likelihood). The dispersion does not move the ratings.

**More points never mean a lower rating.** Points that go from j to i, in the same games, raise the rating of i and
lower that of j: see `ludus.arena.stats.likelihood`. That needs a prior that does not depend on the results.

**Luck.** Whoever leads has been lucky, and a tournament that looks for the best player stops on a lucky day. So the
intervals are the wider the more players there are: wide enough for the luckiest of them if all are equal. They hold the
truth in 95 % of adaptive tournaments, at the moment when they stop, the leader's too; simulations:
`tests/support/simulated_verdicts.py` and `tests/arena/stats/test_ratings.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from ludus.arena.stats.first_move import FirstMove
from ludus.arena.stats.likelihood import Likelihood, laplacian
from ludus.arena.stats.statistics import Estimate

ELO = 400 / math.log(10)
"""A unit of log-odds in Elo."""
PRIOR_GAMES = 0.5
"""How many games the prior adds for each player."""
SHRINK_ALL, SHRINK_PLAYER, SHRINK_PAIRING = 4.0, 2.0, 5.0
"""Weight of 1 in the dispersion of all, of that in a player's, of the larger of its players' in a pairing's; the unit
is the variance of points, 1/2 for a pair of even games without draws."""
SCALE = 350.0
"""The standard deviation, in Elo, of the normal density that is at its top as curved as the prior."""
LUCK = 0.0125
"""How often the interval of the luckiest of equals may lie above the truth."""
POINTS = np.array([1.0, 0.5, 0.0])


@dataclass(frozen=True, eq=False)
class Ratings:
    """What the games say. `mode` holds the players and, last, their centre, in log-odds; so do the matrices `inverse`,
    of the posterior's information there, and `spread`, the covariance. `information[i, j]` is what one more pair would
    tell of the difference of i and j (one over its variance, in Elo)."""

    posterior: Likelihood
    mode: np.ndarray
    inverse: np.ndarray
    spread: np.ndarray
    quantile: float
    information: np.ndarray
    draws: float
    first: FirstMove

    @cached_property
    def elo(self) -> np.ndarray:
        """Ratings; their mean is 0."""
        return ELO * (self.mode[:-1] - self.mode[:-1].mean())

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        count = len(self.elo)
        contrasts = np.hstack([np.eye(count) - 1 / count, np.zeros((count, 1))])
        down, up = self.posterior.profile(self.mode, contrasts, self.quantile**2 * self._dispersion(contrasts))
        return self.elo - ELO * down, self.elo + ELO * up

    @property
    def low(self) -> np.ndarray:
        """Lower ends of the 95 % intervals of `elo`."""
        return self._ends[0]

    @property
    def high(self) -> np.ndarray:
        """Upper ends of the 95 % intervals of `elo`."""
        return self._ends[1]

    @cached_property
    def first_move(self) -> Estimate:
        """What it is worth to move first, in Elo."""
        found = self.first.estimate(self.mode[:-1])
        return Estimate(*(ELO * each for each in (found.value, found.low, found.high)))

    def expected(self, i: int, j: int) -> float:
        """The score expected of i in a pair against j, between 0 and 1."""
        return float(1 / (1 + np.exp(self.mode[j] - self.mode[i])))

    def superiority(self, i: int, j: int) -> float:
        """The likelihood that i is stronger than j.

        How far a lead is from none is told by the density of the best fit that has none, in units of the dispersion.
        """
        if i == j:
            return 0.5
        contrast = np.zeros((1, len(self.mode)))
        contrast[0, [i, j]] = 1.0, -1.0
        deviance = float((self.posterior.tied(self.mode, contrast) / self._dispersion(contrast))[0])
        errors = math.copysign(math.sqrt(deviance), self.elo[i] - self.elo[j])
        return math.erfc(-errors / math.sqrt(2)) / 2

    def _dispersion(self, contrasts: np.ndarray) -> np.ndarray:
        """By how much the variance of each contrast exceeds that of independent games without draws."""
        variance, expected = (((contrasts @ each) * contrasts).sum(1) for each in (self.spread, self.inverse))
        return variance / expected


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
    pairs, points = np.zeros((2, count, count))
    pairs[one, other] = pairs[other, one] = table.sum((1, 2))
    points[one, other] = (table.sum(2) + table.sum(1)) @ POINTS
    points[other, one] = 2 * pairs[one, other] - points[one, other]
    half = PRIOR_GAMES / (count - 1) * (1 - np.eye(count))
    known = pairs.sum(1) > 0 if len(tables) else np.ones(count, bool)
    posterior = _posterior(2 * pairs + half, points + half / 2, known)
    mode, inverse = posterior.maximum()

    # The dispersion, from the errors in the points of `one` in each pair.
    chance = 1 / (1 + np.exp(mode[None, :-1] - mode[:-1, None]))
    both = 2 * chance * chance.T
    errors = np.add.outer(POINTS, POINTS) - 2 * chance[one, other, None, None]
    squares = np.zeros((count, count))
    squares[one, other] = squares[other, one] = (table * errors**2).sum((1, 2))
    own = np.diag(inverse)[:-1]
    leverage = both * (np.add.outer(own, own) - 2 * inverse[:-1, :-1])
    squares /= np.maximum(1 - leverage, 0.1)  # the fit has come closer to the results than the truth is
    scatter = _dispersion(squares, pairs * both)

    middle = posterior.at(mode)[2]
    middle[:-1, :-1] *= (2 * pairs * scatter + half) / (2 * pairs + half + np.eye(count))
    played = float(pairs.sum() / 2)
    freedom = max(played + 2 * SHRINK_ALL - (count - 1), 4.0)
    quantile = NormalDist().inv_cdf((1 - LUCK) ** (1 / count))
    return Ratings(
        posterior,
        mode,
        inverse,
        inverse @ laplacian(middle) @ inverse,
        quantile * (1 + (quantile**2 + 1) / (4 * freedom)),  # Student's, nearly
        both / scatter / ELO**2,
        float((table[:, 1].sum() + table[:, :, 1].sum()) / max(2 * played, 1)),
        FirstMove(one, other, table),
    )


def _posterior(games: np.ndarray, points: np.ndarray, known: np.ndarray) -> Likelihood:
    """The likelihood of these games, with a node more, the centre, around which those who are `known` have a prior.

    A logistic density of scale s is the likelihood of two drawn games whose log-odds are the distance divided by s.
    """
    count = len(games)
    stretch = np.ones((count + 1, count + 1))
    stretch[-1, :-1] = stretch[:-1, -1] = 2**0.5 * ELO / SCALE
    all_games, all_points = np.zeros((2, count + 1, count + 1))
    all_games[:-1, :-1], all_points[:-1, :-1] = games, points
    all_games[-1, :-1] = all_games[:-1, -1] = 2.0 * known
    all_points[-1, :-1] = all_points[:-1, -1] = 1.0 * known
    return Likelihood(all_games, all_points, stretch)


def _dispersion(squares: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """For each pairing: its squared errors over those expected, both symmetric matrices, shrunk where there are few."""
    share = SHRINK_PAIRING / (SHRINK_PAIRING + expected)  # no pairing speaks for others as loud as for itself
    seen, due = share * squares, share * expected
    overall = (SHRINK_ALL + seen.sum() / 2) / (SHRINK_ALL + due.sum() / 2)
    player = (SHRINK_PLAYER * overall + seen.sum(1)) / (SHRINK_PLAYER + due.sum(1))
    return (SHRINK_PAIRING * np.maximum.outer(player, player) + squares) / (SHRINK_PAIRING + expected)
