"""`Calibration`: what has been fitted about an evaluator on one game, beyond the number that it gives.

Some searches need more than a value: an interval, a distribution, a probability of winning. A calibration is a record
of arrays that an evaluator carries. It reaches compiled code as any field does (`evaluator.calibration.win[1]`), is
part of a run's identity, and shows in the evaluator's spec by a short hash: `mobility(calibration=c1f0c9a3)`. It is
kept in a file under that hash, so the spec is enough to find it again.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludus.common.errors import SpecError
from ludus.common.files import data_folder, make_folder, read_text, whole_file

KINDS = {
    "error": "error model",
    "win": "win curve",
    "interval": "interval",
    "probcut": "ProbCut line",
}
"""What may be fitted, and how people call it."""

PHASE, BEFORE, EARLIER, VALUE = range(4)
"""The rows of `features`: the game's phase, the moves that the player who moved last chose from, those that the player
to move chose from before that, and the static value."""

EDGES, MEDIAN = 3, 3
"""How many edges a row of `features` begins with, and the place of the median."""

CLASSES = EDGES + 1
"""The most classes that a feature is cut into."""

MEAN, SD, COUNT = range(3)
"""The numbers of a bucket of the error model."""

LOW, HIGH = range(2)
"""The numbers of an interval."""

DEEP_PLIES, SHALLOW_PLIES, CLASS, SLOPE, INTERCEPT, SPREAD = range(6)
"""The numbers of one of ProbCut's lines: its depths, the class of phase that it is for, the line, and the standard
deviation from it."""

LEVEL = 0.9
"""The part of the backed-up values that should lie in their intervals."""

NO_CUTS = np.array([[np.inf, np.inf, np.inf, 0.0]] * 4)


class Calibration(NamedTuple):
    """Arrays by the kind of what was fitted; NaN where nothing was. Values are to the player to move, as always."""

    features: np.ndarray = NO_CUTS
    """How positions are sorted, a row a feature: `EDGES` edges, ascending, infinite where fewer are needed, and the
    median. Class k of a feature lies from edge k - 1 on and below edge k."""
    error: np.ndarray = np.full((1, 3), np.nan)
    """The value after one more ply minus the static one: mean, standard deviation (above 0) and number of positions of
    each of the `CLASSES`^4 buckets, in the order of `bucket`; or of all positions, in a single row."""
    win: np.ndarray = np.full(2, np.nan)
    """The logit of the probability of winning: intercept and slope, for positions of all phases."""
    win_phases: np.ndarray = np.full((1, 2), np.nan)
    """The same for each class of phase; NaN where only `win` is known."""
    interval: np.ndarray = np.full((1, 2), np.nan)
    """What to add to the static value to get the lower and the upper end of the interval that holds a deeper value with
    probability `LEVEL`: a row for each class of phase, or one for all."""
    probcut: np.ndarray = np.full((1, 6), np.nan)
    """Depth, shallow depth, class of phase, slope, intercept and standard deviation of a deep value given a shallow
    one: for each pair of depths a row for each class of phase."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What was fitted."""
        return tuple(kind for kind in KINDS if not np.isnan(getattr(self, kind)).all())

    @property
    def hash(self) -> str:
        """A word that stands for all the numbers; empty if nothing was fitted."""
        if not self.kinds:
            return ""
        parts = [f"{kind}{array.shape}".encode() + array.tobytes() for kind, array in self._asdict().items()]
        return "c" + hashlib.sha256(b"".join(parts)).hexdigest()[:7]

    def save(self) -> Path:
        """Write it to its file."""
        make_directory()
        path = _file(self.hash)
        with whole_file(path, encoding="utf-8") as file:
            json.dump({field: array.tolist() for field, array in self._asdict().items()}, file)
        return path

    @classmethod
    def load(cls, hash: str) -> Calibration:
        """The one that was saved under this hash."""
        path = _file(hash)
        try:
            found = json.loads(read_text(path))
            loaded = cls(**{field: _numbers(found[field], SHAPES[field]) for field in cls._fields})
            if loaded.hash != hash:
                raise ValueError("its numbers are not those that were saved")
        except FileNotFoundError:
            raise SpecError(f"there is no calibration {hash!r}: ludus calibrate makes one.") from None
        except DAMAGE:
            raise SpecError(
                f"there is no calibration {hash!r}: {path} cannot be read; ludus calibrate makes one."
            ) from None
        return loaded


SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "features": ((4, EDGES + 1),),
    "error": ((1, 3), (CLASSES**4, 3)),
    "win": ((2,),),
    "win_phases": ((1, 2), (CLASSES, 2)),
    "interval": ((1, 2), (CLASSES, 2)),
    "probcut": ((-1, 6),),
}
"""The shapes that each array may have; -1: any number of rows. Searches rely on them, also in compiled code."""

DAMAGE = (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError)
"""What reading a damaged file raises."""


def _numbers(value: Any, shapes: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """An array of one of these shapes, out of a file."""
    found = np.array(value)
    if found.dtype.kind not in "if" or found.shape not in [
        (found.shape[:1] + s[1:]) if s[0] < 0 else s for s in shapes
    ]:
        raise ValueError("it is no array of ours")
    return found.astype(float)


# What follows is for searches, compiled or not: each takes `evaluator.calibration`.


def bucket(calibration: Any, phase: float, before: float, earlier: float, value: float) -> int:
    """The row of the error model for a position: by its phase (the rule gives 0 if the game has none), the number of
    its parent's moves, the number of its grandparent's, and its static value. A number below 0 stands for an unknown
    one, as the root's parent's, and is taken to be the median.
    """
    if len(calibration.error) == 1:
        return 0
    row = class_of(calibration, PHASE, phase)
    row = row * CLASSES + class_of(calibration, BEFORE, known_or_median(calibration, BEFORE, before))
    row = row * CLASSES + class_of(calibration, EARLIER, known_or_median(calibration, EARLIER, earlier))
    return row * CLASSES + class_of(calibration, VALUE, value)


def error_mean(calibration: Any, row: int) -> float:
    """How much higher than the static value the value after one more ply is to be expected, in this bucket."""
    return calibration.error[row, MEAN]


def error_sd(calibration: Any, row: int) -> float:
    """The standard deviation of that error; 0 only if no position had any error."""
    return calibration.error[row, SD]


def interval_low(calibration: Any, phase: float, value: float) -> float:
    """The lower end of the interval of a position with this static value."""
    return value + calibration.interval[interval_row(calibration, phase), LOW]


def interval_high(calibration: Any, phase: float, value: float) -> float:
    """The upper end of the interval of a position with this static value."""
    return value + calibration.interval[interval_row(calibration, phase), HIGH]


def interval_row(calibration: Any, phase: float) -> int:
    """The row of `interval` for a phase."""
    return min(class_of(calibration, PHASE, phase), len(calibration.interval) - 1)


def win_probability(calibration: Any, value: float, phase: float = -1.0) -> float:
    """The probability that the player to move wins, a draw counted as half a win. A phase below 0 stands for an unknown
    one: then, or if there is but one curve, it is that of all phases.
    """
    intercept, slope = calibration.win[0], calibration.win[1]
    if phase >= 0.0 and len(calibration.win_phases) > 1:
        row = class_of(calibration, PHASE, phase)
        intercept, slope = calibration.win_phases[row, 0], calibration.win_phases[row, 1]
    logit = intercept + slope * value
    return 1.0 / (1.0 + np.exp(-min(max(logit, -500.0), 500.0)))


def probcut_row(calibration: Any, depth: int, phase_class: int) -> int:
    """The row of ProbCut's line for searches of this depth in this class of phase; -1: there is none that may be
    used. For class -1 it is the first one of any class: where that is -1, nobody has to ask for the phase."""
    rows = calibration.probcut
    for i in range(len(rows)):
        if rows[i, DEEP_PLIES] != depth or not 1 <= rows[i, SHALLOW_PLIES] < depth or not rows[i, SLOPE] > 0.0:
            continue
        if phase_class < 0 or rows[i, CLASS] == phase_class:
            return i
    return -1


def class_of(calibration: Any, feature: int, number: float) -> int:
    """The class of a feature that a number falls into."""
    found = 0
    for k in range(EDGES):
        if number >= calibration.features[feature, k]:
            found += 1
    return found


def known_or_median(calibration: Any, feature: int, number: float) -> float:
    """The number or, if it is below 0, the feature's median."""
    return float(number) if number >= 0 else calibration.features[feature, MEDIAN]


def directory() -> Path:
    """Where calibrations are kept."""
    return data_folder() / "calibrations"


def make_directory() -> None:
    """See to it that calibrations can be kept; one sentence if they cannot."""
    make_folder(directory())


def _file(hash: str) -> Path:
    if not hash.isalnum():
        raise SpecError(f"a calibration is named by letters and digits, not {hash!r}.")
    return directory() / f"{hash}.json"
