"""What it can cost to take a player: bounds on how far others are ahead of it, valid whenever one looks.

**Evidence.** Gamblers hold that player j scores less than m against player i, and bet on it pair after pair, each with
a capital of 1 to begin with. A bet is a number from 0 to 2, and the score x of j in the pair, from 0 to 1, multiplies
the capital by 1 + bet (m - x) / (2 (1 - m)). If j is expected to score m or more, no capital is expected to grow, and
by Ville's inequality (1939) it ever reaches C with a probability of at most 1 / C. They bet only while j has not scored
more than m on average: then the openings that are left, of which none comes twice, are no worse for j than all.

**Bound.** Each m is a level, in Elo. The bound on j's lead over i is the lowest level from which on the evidence of all
levels is C. The **regret** of i is at most the largest of its bounds. Every player has one opponent that is ahead of it
by most; the regret is too small only if the bound on that opponent is. So for all n players at once, C = n / 0.05 is
enough.

The theorem, its proof and simulations are in docs/how-to/ranking.md.
"""

from __future__ import annotations

import math

import numpy as np

from ludus.arena.stats.statistics import PAIR_SCORES, expected_score

LEVEL = 0.05
"""The largest share of runs in which a regret is ever larger than its bound."""
LEVELS = (*range(0, 100, 2), *range(100, 400, 5), *range(400, 1225, 25))
"""The leads that are tested, in Elo."""
BETS = (2 * np.arange(32) + 1) / 32
"""The gamblers' bets, evenly between 0 and 2; who bets 2 is ruined by one lost pair."""


class Leads:
    """Bounds on the leads of all players over all, from their direct pairs, counted one after the other.

    In all matrices the row is the player that is taken, and the column another that may be better.
    """

    def __init__(self, count: int, also: float = 0.0) -> None:
        """`also` is a level beside the others, in Elo."""
        self.count = count
        self.levels = np.array(sorted({*map(float, LEVELS), float(also)}))
        self._scores = np.array([expected_score(level) for level in self.levels])
        odds = (self._scores[:, None] - PAIR_SCORES) / (2 - 2 * self._scores[:, None])
        self._growth = np.log1p(odds[:, :, None] * BETS)
        """The logarithm of what a bet becomes; by level, score of the other player, and bet."""
        self._met, self._points = np.zeros((2, count, count))
        self._bets = np.zeros((count, count, len(self.levels), len(PAIR_SCORES)), np.int32)
        """How many bets were on pairs with each of the five scores of the column against the row."""

    def add(self, one: int, other: int, score: float) -> None:
        """Count a pair in which `one` has scored this much, from 0 to 1, against `other`."""
        for i, j, x in ((other, one, score), (one, other, 1 - score)):
            betting = self._points[i, j] <= self._scores * self._met[i, j]
            self._bets[i, j, betting, PAIR_SCORES.index(x)] += 1
            self._met[i, j] += 1
            self._points[i, j] += x

    def evidence(self, level: float) -> np.ndarray:
        """The evidence, as a logarithm, that the column is not ahead of the row by this level, one of `levels`."""
        k = int(np.searchsorted(self.levels, level))
        return self._capital(self._bets[:, :, k], self._growth[k])

    def bounds(self, one: int, statements: int | None = None) -> np.ndarray:
        """By how many Elo each other player may be ahead of this one; 0 if none, infinite if the games do not tell.

        The largest of them is right for all players at once in 95 % of runs. `statements` is how many bounds are to be
        right at once, if not one for each player.
        """
        capital = self._capital(self._bets[one], self._growth)
        shown = capital >= self.certain(statements)
        shown[one] = True
        lowest = np.minimum.accumulate(shown[:, ::-1], axis=1).sum(1)
        return np.append(self.levels, np.inf)[len(self.levels) - lowest]

    def certain(self, statements: int | None = None) -> float:
        """The evidence at which this number of statements hold at once; of two players only one can be the worse."""
        return math.log((statements or (self.count if self.count > 2 else 1)) / LEVEL)

    def _capital(self, bets: np.ndarray, growth: np.ndarray) -> np.ndarray:
        """The logarithm of the gamblers' mean capital."""
        each = (bets[..., None, :] @ growth)[..., 0, :]
        top = each.max(-1)
        return top + np.log(np.exp(each - top[..., None]).mean(-1))
