"""The numbers that people give: how many games, which seed. What is wrong is one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludus.common.errors import SpecError

LARGEST = 1e100
"""The largest score and the largest weight: the value of a won game, its square and the sum of any number of squares
are then finite numbers, too."""


def is_number(value: object) -> bool:
    """Whether it is a number, of NumPy's too; true, false and NaN are none."""
    kinds = (int, float, np.integer, np.floating)
    return isinstance(value, kinds) and not isinstance(value, bool) and value == value


def is_whole(value: Any) -> bool:
    """Whether it is a whole number; 2.0 is one."""
    return is_number(value) and value == value // 1


def whole_number(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """The whole number that somebody gave as `name`."""
    if not is_whole(value) or (least is not None and value < least) or (most is not None and value > most):
        allowed = "" if least is None else f" of at least {least}" if most is None else f" from {least} to {most:,}"
        raise SpecError(f"{name} must be a whole number{allowed}, not {value!r}.")
    return int(value)


def positive_number(name: str, value: Any, most: float = np.inf) -> float:
    """The number above 0 that somebody gave as `name`."""
    if not is_number(value) or not 0 < value <= most:
        allowed = "above 0" if most == np.inf else f"above 0 and at most {most:,.0f}"
        raise SpecError(f"{name} must be a number {allowed}, not {value!r}.")
    return float(value)


def one_or_many(given: tuple[Any, ...]) -> Sequence[Any]:
    """Arguments that were given one after the other, or all in one list."""
    return given[0] if len(given) == 1 and isinstance(given[0], (list, tuple)) else given


def round_up(value: float) -> int:
    """The next of 1, 2, 5, 10, 20, 50 and so on."""
    power = 10 ** (len(str(max(int(value), 1))) - 1)
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= value)


def counted(count: int, thing: str) -> str:
    """How many there are of a thing: "1 node", "2,000 nodes"."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
