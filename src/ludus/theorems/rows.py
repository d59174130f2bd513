"""What a theorem says beside what a simulation gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.common.interval import Estimate, mean, share

LEVEL = 0.999
"""A formula agrees if it lies in this interval of the simulation: with some fifty of them, 95 % would be too narrow."""

AT_ONCE = 20_000
"""Random trees or boards that are in memory at once."""

PRINTED, DERIVED = "printed", "derived"
"""Whether a formula is as the paper prints it, or as it follows from the paper's own definitions."""


@dataclass(frozen=True)
class Row:
    """One comparison; where nothing was simulated the interval is the number that was computed otherwise."""

    what: str
    formula: float
    simulated: float
    low: float
    high: float
    agrees: bool
    source: str = DERIVED
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self))


def of_share(what: str, formula: float, hits: Any, source: str = DERIVED, note: str = "") -> Row:
    """A probability beside the share of trials in which it happened."""
    hits = np.asarray(hits)
    return _beside(what, formula, share(int(hits.sum()), hits.size, LEVEL), source, note)


def of_mean(what: str, formula: float, values: Any, source: str = DERIVED, note: str = "") -> Row:
    """An expected value beside the mean of many trials."""
    return _beside(what, formula, mean(values, LEVEL), source, note)


def _beside(what: str, formula: float, found: Estimate, source: str, note: str) -> Row:
    agrees = found.low <= formula <= found.high
    return Row(what, float(formula), found.value, found.low, found.high, bool(agrees), source, note)


def of_bound(what: str, formula: float, hits: Any, upper: bool, source: str, note: str = "") -> Row:
    """A bound of a probability beside the share of trials: it agrees unless the interval lies beyond it."""
    hits = np.asarray(hits)
    found = share(int(hits.sum()), hits.size, LEVEL)
    agrees = found.low <= formula if upper else formula <= found.high
    return Row(what, float(formula), found.value, found.low, found.high, bool(agrees), source, note)


def of_number(what: str, formula: float, otherwise: float, source: str = DERIVED, note: str = "") -> Row:
    """A number beside the same one computed in another way, to six digits."""
    agrees = abs(formula - otherwise) <= 1e-6 * max(abs(otherwise), 1e-300)
    return Row(what, float(formula), float(otherwise), float(otherwise), float(otherwise), bool(agrees), source, note)


def of_claim(what: str, formula: float, other: float, holds: bool, source: str = DERIVED, note: str = "") -> Row:
    """A claim about two numbers, that one is above the other, say."""
    return Row(what, float(formula), float(other), float(other), float(other), bool(holds), source, note)


# What is drawn.


@dataclass(frozen=True)
class Series:
    """A line or points: x, y and, for simulated points, the ends of their intervals."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    dashed: bool = False

    @classmethod
    def simulated(cls, label: str, points: Sequence[tuple[float, Estimate]]) -> Series:
        """Points with their intervals."""
        found = [estimate for _, estimate in points]
        values, low, high = ([getattr(e, name) for e in found] for name in ("value", "low", "high"))
        return cls(label, [x for x, _ in points], values, low, high)

    @property
    def is_simulated(self) -> bool:
        return len(self.low) > 0


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    title: str
    across: str
    up: str
    series: list[Series] = field(default_factory=list)
    floor: float | None = None
    """Where a logarithmic axis begins; None: the axis is not logarithmic."""
    whole: bool = True
    """Whether there are whole numbers across."""


@dataclass(frozen=True)
class Part:
    """A part of the theory: its name, what it is about, how its rows are found and its panels drawn."""

    name: str
    about: str
    paper: str
    check: Callable[[int, np.random.Generator], tuple[list[Row], list[Panel]]]
