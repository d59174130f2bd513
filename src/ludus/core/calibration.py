"""`Calibration`: what has been fitted about an evaluator on one game, beyond the number that it gives.

Some searches need more than a value: an interval, a distribution, a probability of winning. A calibration is a record
of arrays that an evaluator carries. It reaches compiled code as any field does (`evaluator.calibration.win[1]`), is
part of a run's identity, and shows in the evaluator's spec by a short hash: `mobility(calibration=c1f0c9a3)`. It is
kept in a file under that hash, so the spec is enough to find it again.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludus.core.errors import SpecError

KINDS = {
    "error": "error model",
    "win": "win curve",
    "interval": "interval",
    "probcut": "ProbCut line",
}
"""What may be fitted, and how people call it."""


class Calibration(NamedTuple):
    """Arrays by the kind of what was fitted; NaN where nothing was. Rows are phases of the game, from 0 to 1."""

    error: np.ndarray = np.full((1, 2), np.nan)
    """Backed-up minus static value: mean and standard deviation."""
    win: np.ndarray = np.full(2, np.nan)
    """The logit of the probability of winning: intercept and slope."""
    interval: np.ndarray = np.full((1, 2), np.nan)
    """How far the backed-up value lies below and above the static one."""
    probcut: np.ndarray = np.full((1, 5), np.nan)
    """Depth, shallow depth, slope, intercept and standard deviation of a deep value given a shallow one."""

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
        path = _file(self.hash)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({kind: getattr(self, kind).tolist() for kind in self.kinds})
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_text(text)
        beside.replace(path)
        return path

    @classmethod
    def load(cls, hash: str) -> Calibration:
        """The one that was saved under this hash."""
        try:
            found = json.loads(_file(hash).read_text())
        except (OSError, ValueError):
            raise SpecError(f"there is no calibration {hash!r}: ludus calibrate makes one.") from None
        return cls(**{kind: np.array(rows, float) for kind, rows in found.items() if kind in KINDS})


def directory() -> Path:
    """Where calibrations are kept: in `LUDUS_DATA`, or the user's own directory of data."""
    chosen = os.environ.get("LUDUS_DATA")
    if chosen:
        return Path(chosen).expanduser() / "calibrations"
    import platformdirs

    return Path(platformdirs.user_data_dir("ludus", appauthor=False)) / "calibrations"


def _file(hash: str) -> Path:
    if not hash.isalnum():
        raise SpecError(f"a calibration is named by letters and digits, not {hash!r}.")
    return directory() / f"{hash}.json"
