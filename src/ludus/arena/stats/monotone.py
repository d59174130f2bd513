"""Does a row of means rise, or does it fall somewhere by more than noise? A test of monotonicity for paired samples.

Each subject (a pair of games from one opening, a position) has a result under every treatment (a depth), so results in
a row are correlated, which differences make use of. The null hypothesis is that the true means never fall in the order
given. For every two treatments of a chain, the earlier and the later, the mean difference is divided by its standard
error; the largest of these ratios is the statistic. Its distribution is simulated where all means are equal, which
among all rising rows makes a large value likeliest: normal contrasts with the correlations of the sample, divided by
the root of chi-square over its degrees of freedom, as in Student's t. So p is corrected for the number of contrasts
(the one-sided max-t test of multiple contrasts: Hothorn, Bretz & Westfall 2008).

The results lie between 0 and 1. To the squares of every difference those of one further subject are added, whose
results differ by a half: where two treatments never differ, or always by the same, the standard error is not 0.
`tests/arena/stats/test_monotone.py` simulates the size and the power of the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ludus.common.errors import LudusError

LEVEL = 0.05
"""A row is said to fall if that would be so unlikely, or less likely, by noise alone."""
DRAWS = 20_000
"""How often the largest contrast is simulated: p is never below 1 / (DRAWS + 1)."""
FURTHER = 0.25
"""The squared difference of the further subject."""
POWER = 0.842
"""The 80 % quantile of the normal distribution."""


@dataclass(frozen=True)
class Contrast:
    """Two treatments by their places, the earlier and the later, and how much the later mean is below the other's."""

    earlier: int
    later: int
    drop: float
    error: float
    """Its standard error."""


@dataclass(frozen=True)
class Monotonicity:
    """What the test says of a row of means."""

    p: float
    """How likely so clear a fall is if the true means never fall."""
    p_rise: float
    """How likely so clear a rise is if the true means never rise."""
    fall: Contrast
    """Where the row falls most clearly."""
    rise: Contrast
    """Where it rises most clearly; its `drop` is negative."""
    detectable: float
    """A drop between any two treatments of a chain is found with a probability of 80 % if it is as large as this."""

    @property
    def falls(self) -> bool:
        return self.p <= LEVEL

    @property
    def rises(self) -> bool:
        return self.p_rise <= LEVEL


def monotonicity(
    results: Sequence[Sequence[float]] | np.ndarray, chains: Sequence[Sequence[int]] | None = None, seed: int = 0
) -> Monotonicity:
    """Test a table of results, a row for each subject and a column for each treatment, all from 0 to 1.

    chains: within which columns, in this order, means should not fall; by default all columns are one chain. Columns of
    different chains are not compared. seed: of the simulation.

    >>> monotonicity([[0, 1], [0, 1], [1, 1], [0, 1], [0, 0], [0, 1]]).falls
    False
    """
    table = np.asarray(results, float)
    if table.ndim != 2 or not np.isfinite(table).all() or table.min(initial=0) < 0 or table.max(initial=0) > 1:
        raise LudusError("a test of monotonicity takes rows of equal length with numbers from 0 to 1.")
    chains = [range(table.shape[1])] if chains is None else chains
    places = [pair for chain in chains for pair in combinations(chain, 2)]
    if not places or len(table) < 2:
        raise LudusError("a test of monotonicity takes two treatments of a chain, and two subjects, at least.")
    first, second = np.array(places).T
    differences = table[:, first] - table[:, second]
    drops = differences.mean(axis=0)
    squares = ((differences - drops) ** 2).sum(axis=0) + FURTHER
    errors = np.sqrt(squares / (len(table) - 1) / len(table))
    largest = _largest_by_chance(differences - drops, seed)
    ratios = drops / errors
    contrasts = [Contrast(i, j, float(d), float(e)) for (i, j), d, e in zip(places, drops, errors, strict=True)]
    critical = float(np.quantile(largest, 1 - LEVEL))
    return Monotonicity(
        _share_above(largest, float(ratios.max())),
        _share_above(largest, float(-ratios.min())),
        contrasts[int(ratios.argmax())],
        contrasts[int(ratios.argmin())],
        (critical + POWER) * float(errors.max()),
    )


def _largest_by_chance(deviations: np.ndarray, seed: int) -> np.ndarray:
    """Draws of the largest contrast where all means are equal; `deviations` are those of the differences."""
    subjects, count = deviations.shape
    covariance = deviations.T @ deviations + FURTHER * np.eye(count)
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    random = np.random.default_rng(seed)
    normal = random.standard_normal((DRAWS, count)) @ root.T
    spread = np.sqrt(random.chisquare(subjects - 1, DRAWS) / (subjects - 1))
    return normal.max(axis=1) / spread


def _share_above(draws: np.ndarray, observed: float) -> float:
    return float((1 + np.count_nonzero(draws >= observed)) / (1 + len(draws)))
