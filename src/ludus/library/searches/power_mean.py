"""The power mean, also called the generalised or p-mean, and its slopes (Rivest 1987, section 3).

M_p(a_1, ..., a_n) = ((a_1^p + ... + a_n^p) / n)^(1/p), of numbers above 0. It is the plain average for p = 1, comes
near the greatest of them as p grows, and near the least as p falls below 0. Unlike these it depends on all of them, and
its derivatives say how much on each.
"""

from __future__ import annotations

import math

import numpy as np


def power_mean(values, n, p):
    """M_p of the first `n` values; `p` is not 0."""
    extreme = values[0]  # the one that counts most: as a unit of measure it keeps the powers at 1 and below
    for i in range(1, n):
        if (values[i] > extreme) == (p > 0.0):
            extreme = values[i]
    total = 0.0
    for i in range(n):
        total += (values[i] / extreme) ** p
    return extreme * (total / n) ** (1.0 / p)


def power_mean_slope(value, mean, n, p):
    """By how much M_p of `n` values, which is `mean`, changes with one of them that is `value`: its derivative."""
    return (value / mean) ** (p - 1.0) / np.float64(n)


# The same of logarithms: a tree holds these, so that a mean takes an exponential for each number and no power.


def log_power_mean(logs, first, n, p):
    """ln M_p of the `n` numbers whose logarithms are `logs[first]` and those after it; `p` is not 0."""
    least = greatest = logs[first]
    for i in range(first + 1, first + n):
        least, greatest = min(least, logs[i]), max(greatest, logs[i])
    extreme, total = greatest if p > 0.0 else least, 0.0
    for i in range(first, first + n):
        total += math.exp(p * (logs[i] - extreme))
    return min(max(extreme + math.log(total / n) / p, least), greatest)  # where it lies, but for rounding


def penalty(log_value, log_mean, n, p):
    """Minus the logarithm of `power_mean_slope`."""
    return math.log(n) + (p - 1.0) * (log_mean - log_value)
