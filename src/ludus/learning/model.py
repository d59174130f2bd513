"""What a sample says about an evaluator: the calibration, fitted to most games, and how it does on the others."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ludus.kernel.normal import normal_quantile
from ludus.learning import fitting
from ludus.learning.fitting import Curve, Line, class_numbers, rounded
from ludus.learning.sampling import Sample
from ludus.model.calibration import (
    BEFORE,
    CLASSES,
    COUNT,
    EARLIER,
    EDGES,
    HIGH,
    LEVEL,
    LOW,
    MEDIAN,
    PHASE,
    VALUE,
    Calibration,
)
from ludus.model.evaluator import WIN, Evaluator

PAIRS = ((3, 1), (4, 2))
"""ProbCut's deep and shallow depths; where nothing is searched so deep, 2 and 1."""

FEWEST = 20
"""With fewer positions from which on the evaluator decided, the win curve is fitted to all."""


class Model:
    """A sample with the deeper values of some positions, by depth; all that is fitted, and all that is told of it."""

    def __init__(self, sample: Sample, deep: dict[int, np.ndarray], evaluator: Evaluator) -> None:
        self.sample, self.deep, self.evaluator = sample, deep, evaluator
        self.static = sample.static
        held = sample.held_out
        self.held = held if not held.all() else np.zeros(len(held), bool)
        self.train = ~self.held
        self.largest = float(np.abs(self.static).max()) or 1.0
        self.least = fitting.LEAST * self.largest
        self.errors = self._on_scale(sample.backed) - self.static
        self.depth = max(depth for depth in deep if depth % 2 == 0)
        self.deeper = self._on_scale(deep[self.depth]) - self.static
        self.searched = ~np.isnan(self.deeper)
        judged = sample.by_opinion
        self.judged = judged if (judged & self.train).sum() >= FEWEST else np.ones(len(judged), bool)

    def _decided(self, values: np.ndarray) -> np.ndarray:
        """Whether finished games, which outrank all static values, have a part in a value; where chance has one as
        well it may be a small part."""
        if self.evaluator.score_of(WIN) is None:  # on this evaluator's scale they do not
            return np.zeros(len(values), bool)
        return np.abs(values) > 2 * self.largest

    def _on_scale(self, values: np.ndarray) -> np.ndarray:
        """Values in which a finished game counts as the largest static value."""
        return np.where(self._decided(values), np.sign(values) * self.largest, values)

    # What is fitted.

    @cached_property
    def calibration(self) -> Calibration:
        rows = [[*pair, k, *lines[k]] for pair, lines in self.phase_lines.items() for k in range(CLASSES)]
        curves = np.array(self.curve), np.array(self.phase_curves)
        return Calibration(self.features, self.buckets, *curves, self.interval, np.array(rows, float))

    @cached_property
    def features(self) -> np.ndarray:
        """How positions are sorted into classes."""
        columns = {PHASE: self.sample.phase, BEFORE: self.sample.before, EARLIER: self.sample.earlier}
        columns |= {VALUE: self.static}
        known = {k: self.train & ((column >= 0) | (k == VALUE)) for k, column in columns.items()}
        return rounded([fitting.feature_row(columns[k][known[k]]) for k in range(len(columns))])

    @cached_property
    def phases(self) -> np.ndarray:
        """Each position's class of phase."""
        return class_numbers(self.features[PHASE], self.sample.phase)

    @property
    def present(self) -> list[int]:
        """The classes of phase that have positions."""
        return [k for k in range(CLASSES) if (self.phases == k).any()]

    @cached_property
    def rows(self) -> np.ndarray:
        """Each position's bucket, as `core.calibration.bucket` has it."""
        found = self.phases
        for k, column in ((BEFORE, self.sample.before), (EARLIER, self.sample.earlier), (VALUE, self.static)):
            known = column if k == VALUE else np.where(column < 0, self.features[k, MEDIAN], column)
            found = found * CLASSES + class_numbers(self.features[k], known)
        return found

    @cached_property
    def buckets(self) -> np.ndarray:
        return rounded(fitting.bucket_rows(self.rows[self.train], self.errors[self.train], self.least))

    @cached_property
    def interval(self) -> np.ndarray:
        fitted = self.searched & self.train
        return rounded(fitting.interval_rows(self.phases[fitted], self.deeper[fitted]))

    @cached_property
    def inside(self) -> np.ndarray:
        """Whether the deeper value lies in the interval."""
        ends = self.interval[self.phases]
        return (self.deeper >= ends[:, LOW]) & (self.deeper <= ends[:, HIGH])

    @cached_property
    def curve(self) -> Curve:
        """The win curve of all phases."""
        chosen = self.train & self.judged
        return _win_curve(self.static[chosen], self.sample.result[chosen])

    @cached_property
    def phase_curves(self) -> list[Curve]:
        """The win curve of each class of phase."""
        chosen = self.train & self.judged
        return fitting.by_phase(_win_curve, self.phases[chosen], self.static[chosen], self.sample.result[chosen])

    @cached_property
    def phase_lines(self) -> dict[tuple[int, int], list[Line]]:
        """ProbCut's lines by their depths, one for each class of phase."""
        pairs = [pair for pair in PAIRS if pair[0] in self.deep] or [(2, 1)]
        return {pair: fitting.by_phase(self._line, *self._to_fit(*pair)) for pair in pairs}

    def _line(self, deep: np.ndarray, shallow: np.ndarray) -> Line:
        return Line(*rounded(fitting.line(shallow, deep, self.least)).tolist())

    def _to_fit(self, deep: int, shallow: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Classes of phase, deep and shallow values that lines are fitted to."""
        chosen = self._pairs(deep, shallow) & self.train
        return self.phases[chosen], self.deep[deep][chosen], self.deep[shallow][chosen]

    def _pairs(self, deep: int, shallow: int) -> np.ndarray:
        """The positions with values at both depths of which none is that of a finished game."""
        values = self.deep[deep], self.deep[shallow]
        return ~(np.isnan(values[0]) | np.isnan(values[1]) | self._decided(values[0]) | self._decided(values[1]))

    # What is told.

    @cached_property
    def facts(self) -> dict[str, Any]:
        """For JSON: the public contract's keys, and more; what could not be found out is None."""
        errors, train, test = self.errors[self.train], self.train, self.searched & self.held
        tested, normal = fitting.share_normal(self.buckets, self.rows[self.held], self.errors[self.held])
        return {
            "positions": len(self.static),
            "games": self.sample.games,
            "held_out": int(self.held.sum()),
            "searched": int(self.searched.sum()),
            "depth": self.depth,
            "values": dict(zip(("low", "high"), np.quantile(self.static, (0.025, 0.975)).tolist(), strict=True)),
            "error": {"mean": float(errors.mean()), "sd": float(errors.std()), "positions": int(train.sum())},
            "buckets": {"number": int((self.buckets[:, COUNT] > 0).sum()), "tested": tested, "normal": normal},
            "win": self._win_facts(),
            "coverage": {"level": LEVEL, "held": _share(self.inside[test]), "positions": int(test.sum())},
            "probcut": [self._pair_facts(*pair) for pair in self.phase_lines],
            "phases": [self._phase_facts(k) for k in self.present],
            "reliability": self._reliability(),
        }

    def _win_facts(self) -> dict[str, Any]:
        fitted, test = self.train & self.judged, self.held & self.judged
        results, games = self.sample.result, self.sample.game
        errors = fitting.standard_errors(self.curve, self.static[fitted], results[fitted], games[fitted])
        return {
            "intercept": self.curve.intercept,
            "slope": self.curve.slope,
            "intercept_se": None if errors is None else errors.intercept,
            "slope_se": None if errors is None else errors.slope,
            "games": len(np.unique(games[fitted])),
            "brier": fitting.brier(self.curve(self.static[test]), results[test]),
            "brier_by_phase": fitting.brier(self._by_phase(test), results[test]),
            "base": fitting.brier(float(results[fitted].mean()), results[test]) if fitted.any() else None,
            "positions": int(fitted.sum()),
            "held_out": int(test.sum()),
        }

    def _by_phase(self, chosen: np.ndarray) -> np.ndarray:
        """The probabilities of winning, each by the curve of its phase."""
        return np.choose(self.phases[chosen], [curve(self.static[chosen]) for curve in self.phase_curves])

    def _reliability(self) -> list[dict[str, float | None]]:
        test = self.held & self.judged
        return fitting.reliability(self.curve(self.static[test]), self.sample.result[test], self.sample.game[test])

    def _pair_facts(self, deep: int, shallow: int) -> dict[str, Any]:
        """A pair of ProbCut's depths: the line of all phases, to compare with, and those by phase, which are used."""
        lines, (classes, *values) = self.phase_lines[deep, shallow], self._to_fit(deep, shallow)
        line, test = self._line(*values), self._pairs(deep, shallow) & self.held
        by_phase = {f"{key}_by_phase": number for key, number in self._tested(deep, shallow, lines, test).items()}
        about: dict[str, Any] = {"depth": deep, "shallow": shallow} | line._asdict() | {"positions": len(classes)}
        about |= self._tested(deep, shallow, [line] * CLASSES, test) | by_phase
        found = []
        for k in self.present:
            here = test & (self.phases == k)
            overall = {f"{key}_overall": n for key, n in self._tested(deep, shallow, [line] * CLASSES, here).items()}
            fitted = lines[k]._asdict() | {"positions": int((classes == k).sum()), "held_out": int(here.sum())}
            found.append(fitted | self._tested(deep, shallow, lines, here) | overall)
        return about | {"phases": found}

    def _tested(self, deep: int, shallow: int, lines: list[Line], test: np.ndarray) -> dict[str, float | None]:
        """How held-out positions lie about lines, one for each class of phase: which share lies within `LEVEL` of the
        normal distribution, and the root of the mean squared distance."""
        far, near, phases = self.deep[deep][test], self.deep[shallow][test], self.phases[test]
        rest = np.choose(phases, [far - line.slope * near - line.intercept for line in lines])
        within = np.abs(rest) <= normal_quantile((1 + LEVEL) / 2) * np.choose(phases, [line.sd for line in lines])
        return {"held": _share(within), "rms": float(np.sqrt(np.mean(rest**2))) if len(rest) else None}

    def _phase_facts(self, k: int) -> dict[str, Any]:
        """A class of phase: its ends, the errors one ply and several plies deeper, the interval, the win curve."""
        edges = [0.0, *self.features[PHASE, :EDGES], 1.0]
        here = self.phases == k
        some, fitted = self.errors[here & self.train], self.deeper[here & self.train & self.searched]
        judged, results = here & self.held & self.judged, self.sample.result
        low, high = self.interval[k].tolist()
        return {
            "from": float(min(edges[k], 1.0)),
            "to": float(min(edges[k + 1], 1.0)),
            "positions": len(some),
            "mean": _mean(some),
            "sd": _sd(some),
            "searched": len(fitted),
            "deep_mean": _mean(fitted),
            "deep_sd": _sd(fitted),
            "low": low,
            "high": high,
            "held": _share(self.inside[here & self.held & self.searched]),
            **self.phase_curves[k]._asdict(),
            "judged": int((here & self.train & self.judged).sum()),
            "brier": fitting.brier(self._by_phase(judged), results[judged]),
            "brier_overall": fitting.brier(self.curve(self.static[judged]), results[judged]),
        }


def _win_curve(values: np.ndarray, results: np.ndarray) -> Curve:
    return Curve(*rounded(fitting.win_curve(values, results)).tolist())


def _mean(numbers: np.ndarray) -> float | None:
    return float(numbers.mean()) if len(numbers) else None


def _sd(numbers: np.ndarray) -> float | None:
    return float(numbers.std()) if len(numbers) else None


def _share(truths: np.ndarray) -> float | None:
    return float(truths.mean()) if len(truths) else None
