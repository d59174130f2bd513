"""Estimates with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A number and its interval, a 95 % one where nothing else is said."""

    value: float
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def share(count: int, total: int, level: float = LEVEL) -> Estimate:
    """A share of a number of independent trials, with Wilson's interval; of none, all that is possible."""
    if total == 0:
        return Estimate(0.5, 0.0, 1.0)
    from scipy.stats import binomtest

    low, high = binomtest(count, total).proportion_ci(level, method="wilson")
    return Estimate(count / total, float(low), float(high))


def mean(values: object, level: float = LEVEL) -> Estimate:
    """The mean of many independent numbers, with the interval of the normal curve."""
    import numpy as np
    from scipy.special import ndtri

    numbers = np.asarray(values, float)
    middle = float(numbers.mean())
    error = float(numbers.std(ddof=1) / np.sqrt(len(numbers)) * ndtri(0.5 + level / 2)) if len(numbers) > 1 else np.inf
    return Estimate(middle, middle - error, middle + error)
