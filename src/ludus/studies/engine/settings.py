"""What is asked of `reproduce`: which parts of a study, at which scale, and where measurements are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from ludus.common.errors import unknown
from ludus.common.numbers import whole_number

Scale = Literal["tiny", "quick", "full"]
"""How much is played: for tests, in two minutes, or all."""


@dataclass(frozen=True)
class ReproduceSettings:
    """What decides how a study is run. Wrong values are refused at once."""

    scale: Scale = "full"
    only: Sequence[str] = ()
    """The parts to run; none named: all."""
    seed: int = 0
    compiled: bool | None = None
    """True to compile or fail, False to interpret."""
    db: str | Path | None = None
    """The database of measurements: those of an earlier call are found there, unless it is to be `new`."""
    new: bool = False

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise unknown("scale", str(self.scale), get_args(Scale))
        only = (self.only,) if isinstance(self.only, str) else tuple(self.only)
        self.__dict__.update(only=only, seed=whole_number("`seed`", self.seed))
