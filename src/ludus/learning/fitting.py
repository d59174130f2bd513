"""What is fitted to a sample: classes of features, error buckets, intervals, the win curve, ProbCut's lines.

NumPy only, and nothing here knows of games. What is fitted is rounded, so that the last bits, in which processors may
differ, do not make another calibration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ludus.model.calibration import CLASSES, EDGES, LEVEL

THIN = 20.0
"""A bucket with this number of positions goes half by its own errors and half by those of all positions."""

FEWEST = 40
"""A class of phase with fewer positions goes by all positions, of whatever phase."""

DIGITS = 9
"""Significant digits of what is fitted."""

LEAST = 1e-6
"""The least standard deviation of errors, if there are any, as a part of the largest static value."""

STEEP = 0.1
"""The weight of the wish that the win curve be flat, in positions: results that follow from values without exception
would make it infinitely steep."""


def rounded(numbers: Any) -> np.ndarray:
    """Numbers to `DIGITS` significant digits."""
    found = np.atleast_1d(np.asarray(numbers, float))
    return np.array([float(f"{x:.{DIGITS - 1}e}") for x in found.flat]).reshape(np.shape(numbers))


# Features.


def feature_row(numbers: np.ndarray) -> np.ndarray:
    """Up to `EDGES` edges that cut these numbers into classes of like size, infinite where fewer do, and the median."""
    if len(numbers) == 0:
        return np.array([np.inf] * EDGES + [0.0])
    quarters = np.quantile(numbers, np.arange(1, CLASSES) / CLASSES, method="higher")
    edges = np.unique(quarters[quarters > numbers.min()])
    middle = np.quantile(numbers, 0.5, method="higher")
    return np.concatenate([edges, np.full(EDGES - len(edges), np.inf), [middle]])


def class_numbers(row: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The class of each number, as `calibration.class_of` has it."""
    return np.searchsorted(row[:EDGES], numbers, side="right")


def by_phase(fit: Callable[..., Any], classes: np.ndarray, *columns: np.ndarray) -> list[Any]:
    """What is fitted to the columns' numbers in each class of phase; where these are fewer than `FEWEST`, to all."""
    found = []
    for k in range(CLASSES):
        own = classes == k
        chosen = own if own.sum() >= FEWEST else np.ones(len(own), bool)
        found.append(fit(*(column[chosen] for column in columns)))
    return found


# Errors.


def bucket_rows(rows: np.ndarray, errors: np.ndarray, least: float) -> np.ndarray:
    """Mean, standard deviation and number of the errors in each bucket, of which `rows` are the numbers.

    Mean and variance are drawn towards those of all errors, the more the fewer there are in the bucket.
    """
    buckets = CLASSES**4
    mean, variance = (errors.mean(), errors.var()) if len(errors) else (0.0, 0.0)
    counts = np.bincount(rows, minlength=buckets).astype(float)
    shown = np.maximum(counts, 1.0)
    means = np.bincount(rows, errors, buckets) / shown
    variances = np.bincount(rows, (errors - means[rows]) ** 2, buckets) / shown
    own = counts / (counts + THIN)
    shrunk = own * means + (1 - own) * mean
    spreads = np.sqrt(own * variances + (1 - own) * variance)
    if errors.any():  # else a step of a search is known to change nothing
        spreads = np.maximum(spreads, least)
    return np.column_stack([shrunk, spreads, counts])


def share_normal(table: np.ndarray, rows: np.ndarray, errors: np.ndarray, fewest: int = 20) -> tuple[int, int]:
    """Of the buckets with at least `fewest` of these errors: how many there are, and in how many a test at 5 % does not
    tell the errors from the bucket's normal distribution (Kolmogorov and Smirnov)."""
    from scipy.stats import kstest

    tested = passed = 0
    for bucket in np.flatnonzero(np.bincount(rows, minlength=len(table)) >= fewest):
        mean, spread, _ = table[bucket]
        tested += 1
        if spread == 0.0:
            passed += not errors[rows == bucket].any()
            continue
        passed += bool(kstest((errors[rows == bucket] - mean) / spread, "norm").pvalue >= 0.05)
    return tested, passed


def interval_ends(errors: np.ndarray) -> tuple[float, float]:
    """The errors between which a further one lies with probability `LEVEL`, as far as there are enough of them."""
    n, tail = len(errors), (1 - LEVEL) / 2
    ordered = np.sort(errors)
    low = min(max(int(np.floor((n + 1) * tail)), 1), n)
    high = min(max(int(np.ceil((n + 1) * (1 - tail))), 1), n)
    return float(ordered[low - 1]), float(ordered[high - 1])


def interval_rows(classes: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """The ends for each class of phase."""
    return np.array(by_phase(interval_ends, classes, errors)) if len(errors) else np.zeros((CLASSES, 2))


# The win curve.


class Curve(NamedTuple):
    """The logit of the probability of winning: intercept + slope * value."""

    intercept: float
    slope: float

    def __call__(self, values: np.ndarray) -> np.ndarray:
        return 1.0 / (1.0 + np.exp(-np.clip(self.intercept + self.slope * values, -500.0, 500.0)))


def win_curve(values: np.ndarray, results: np.ndarray) -> Curve:
    """Logistic regression of results, 1, 0.5 or 0, on values, by Newton's method."""
    if len(values) == 0:
        return Curve(0.0, 0.0)
    scale = float(values.std()) or 1.0
    design = np.column_stack([np.ones(len(values)), values / scale])
    found, penalty = np.zeros(2), np.full(2, STEEP)
    for _ in range(100):
        expected = 1.0 / (1.0 + np.exp(-np.clip(design @ found, -30.0, 30.0)))
        gradient = design.T @ (results - expected) - penalty * found
        curvature = (design.T * (expected * (1 - expected))) @ design + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        found = found + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-10:
            break
    return Curve(float(found[0]), float(found[1] / scale))


def standard_errors(curve: Curve, values: np.ndarray, results: np.ndarray, games: np.ndarray) -> Curve | None:
    """Of the two numbers of a win curve, clustered by game: positions of one game share its result, so their scores are
    added up before they are squared (Liang & Zeger 1986). None if there are fewer than two games."""
    numbers, cluster = np.unique(games, return_inverse=True)
    if len(numbers) < 2:
        return None
    design, expected = np.column_stack([np.ones(len(values)), values]), curve(values)
    curvature = (design.T * (expected * (1 - expected))) @ design
    scores = design * (results - expected)[:, None]
    totals = np.column_stack([np.bincount(cluster, column) for column in scores.T])
    inverse = np.linalg.pinv(curvature, hermitian=True)
    covariance = inverse @ (totals.T @ totals) @ inverse * len(numbers) / (len(numbers) - 1)
    return Curve(*np.sqrt(np.diag(covariance)).tolist())


def standard_error(predicted: np.ndarray, results: np.ndarray, games: np.ndarray) -> float | None:
    """Of the mean difference of results and predictions, clustered by game."""
    numbers, cluster = np.unique(games, return_inverse=True)
    if len(numbers) < 2:
        return None
    totals = np.bincount(cluster, results - predicted)
    return float(np.sqrt(np.sum(totals**2) * len(numbers) / (len(numbers) - 1)) / len(results))


def brier(predicted: np.ndarray | float, results: np.ndarray) -> float | None:
    """The mean squared difference of predicted probabilities and results; None if there are none."""
    return float(np.mean((predicted - results) ** 2)) if len(results) else None


def reliability(
    predicted: np.ndarray, results: np.ndarray, games: np.ndarray, bins: int = 10
) -> list[dict[str, float | None]]:
    """Mean prediction and mean result of positions with like predictions, in bins of like size; and the standard error
    of their difference, clustered by game."""
    order = np.argsort(predicted, kind="stable")
    lots = [lot for lot in np.array_split(order, bins) if len(lot)]
    return [
        {
            "predicted": float(predicted[lot].mean()),
            "won": float(results[lot].mean()),
            "positions": len(lot),
            "se": standard_error(predicted[lot], results[lot], games[lot]),
        }
        for lot in lots
    ]


# ProbCut (Buro 1995).


class Line(NamedTuple):
    """The deep value is slope * the shallow one + intercept, with errors of this standard deviation."""

    slope: float
    intercept: float
    sd: float


def line(shallow: np.ndarray, deep: np.ndarray, least: float) -> Line:
    """By least squares; where values hardly vary or are few, the slope is 1."""
    if len(deep) == 0:
        return Line(1.0, 0.0, least)
    spread = float(shallow.var()) if len(deep) >= 3 else 0.0
    slope = 1.0
    if spread > least**2:
        slope = float(np.mean((shallow - shallow.mean()) * (deep - deep.mean()))) / spread
    intercept = float(deep.mean() - slope * shallow.mean())
    freedom = max(len(deep) - 2, 1)
    sd = float(np.sqrt(np.sum((deep - slope * shallow - intercept) ** 2) / freedom))
    return Line(slope, intercept, max(sd, least))
