"""What moving first is worth: how far whoever moves first is from scoring 1/2 against an equal.

Who is D stronger and moves first, an advantage of h, is expected to score s(D + h), and s(D - h) in the other game of
the pair, where s is the logistic curve. The ratings say what both together are; so h is what makes the points of all
who moved first as expected (the order effect of Davidson and Beaver, 1977). All numbers are in log-odds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ludus.arena.stats.statistics import Estimate

POINTS = np.array([1.0, 0.5, 0.0])
WEIGHT = 4.0
"""The weight of 1 in the dispersion."""
PRIOR = 0.5
"""How many games of equals, half of them won by whoever moves first, are added to those played."""
QUANTILE = 1.959964
"""Half of the interval, in standard errors: nothing depends on it, so it needs to be no wider."""
LARGEST = 20.0
"""The largest advantage that is considered."""


def _score(margin: np.ndarray | float) -> np.ndarray:
    return 1 / (1 + np.exp(-np.asarray(margin)))


def strength(score: np.ndarray, first: float) -> np.ndarray:
    """How much stronger a player is that has this score in a pair in which the first move is worth `first`.

    With u = exp(D) and a = exp(h), s(D + h) + s(D - h) = 2 score is a quadratic equation for u.
    """
    better = np.maximum(score, 1 - score)  # by symmetry, so that no digits are lost
    half = math.cosh(first) * (2 * better - 1)
    apart = np.log((half + np.sqrt(half**2 + 4 * better * (1 - better))) / (2 * (1 - better)))
    return np.where(score < 0.5, -apart, apart)


@dataclass(frozen=True, eq=False)
class FirstMove:
    """The pairs of one player with the other, row by row: tables as in `ratings.fit`."""

    one: np.ndarray
    other: np.ndarray
    table: np.ndarray

    def estimate(self, rating: np.ndarray) -> Estimate:
        """The advantage, with its 95 % interval, for players of these ratings."""
        pairs = self.table.sum((1, 2))
        score = _score(rating[self.one] - rating[self.other])
        points = (self.table * (np.subtract.outer(POINTS, POINTS) + 1)).sum()  # of those who moved first

        def missing(first: float) -> float:
            apart = strength(score, first)
            due = pairs @ (_score(first + apart) + _score(first - apart)) + PRIOR * float(_score(first))
            return points + PRIOR / 2 - float(due)

        value = _root(missing, -LARGEST, LARGEST)
        apart = strength(score, value)
        ahead, behind = _score(value + apart), _score(value - apart)
        expected = float(pairs @ (ahead * (1 - ahead) + behind * (1 - behind)))
        errors = np.subtract.outer(POINTS, POINTS) + 1 - (ahead + behind)[:, None, None]
        dispersion = (WEIGHT + (self.table * errors**2).sum()) / (WEIGHT + expected)
        bound = QUANTILE**2 * dispersion

        def logarithm(first: float) -> float:
            """Of the likelihood, with the players' strengths as found."""
            low = pairs @ (np.logaddexp(0, first + apart) + np.logaddexp(0, first - apart))
            return (points + PRIOR / 2) * first - float(low) - PRIOR * float(np.logaddexp(0, first))

        top = logarithm(value)

        def excess(first: float) -> float:
            return 2 * (top - logarithm(first)) - bound

        return Estimate(value, _root(excess, -2 * LARGEST, value), _root(excess, value, 2 * LARGEST))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that is monotone between these changes its sign, or the end where it is nearer to do so."""
    rising = function(high) > function(low)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if (function(middle) > 0) == rising else (middle, high)
    return (low + high) / 2
