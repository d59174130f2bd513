"""How Python objects cross into compiled code.

A *record* is a namedtuple of an object's fields, with fixed types. Numba's cache pickles the class of a
record by its name, so the next process must find it here: a name spells the fields
(`Record__stones__most`), and the module's `__getattr__` rebuilds the class from it.
"""

from __future__ import annotations

import contextlib
import math
import numbers
from collections import namedtuple
from typing import Any

import numpy as np

from ludus.common.errors import NotCompilable

_PREFIX = "Record__"


def record_class(fields: tuple[str, ...]) -> Any:
    """The namedtuple class with these fields, always the same one."""
    return globals().get(_PREFIX + "__".join(fields)) or __getattr__(_PREFIX + "__".join(fields))


def __getattr__(name: str) -> Any:
    if not name.startswith(_PREFIX):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    fields = [field for field in name[len(_PREFIX) :].split("__") if field]
    cls = namedtuple(name, fields, module=__name__)  # type: ignore[misc]
    globals()[name] = cls
    return cls


def record(values: dict[str, Any]) -> Any:
    """A record of these values, each in a fixed type."""
    for name in values:
        if name.startswith("_") or name.endswith("_") or "__" in name:
            raise NotCompilable(f"field {name!r} cannot be used in compiled rules: drop the underscores.")
    return record_class(tuple(values))(*(fixed(name, value) for name, value in values.items()))


def fixed(name: str, value: Any) -> Any:
    """`value` as compiled code can hold it: a number, an array (lists become arrays), or a tuple of them."""
    if isinstance(value, (bool, np.generic)):
        return value
    if isinstance(value, numbers.Integral):
        if not -(2**63) <= int(value) < 2**63:
            raise NotCompilable(f"field {name!r} is {value}, beyond 64 bits: use np.uint64.")
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if hasattr(value, "_asdict"):
        return record(value._asdict())  # a user's own class could not be found by the next process
    arrays = isinstance(value, tuple) and any(isinstance(item, np.ndarray) for item in value)
    if isinstance(value, (list, tuple, np.ndarray)) and not arrays:
        array = as_array(value)
        rows = rows_of(value) if array is None else None
        if array is not None or rows is not None:
            return rows if array is None else array
    if isinstance(value, tuple):
        return tuple(fixed(name, item) for item in value)
    raise NotCompilable(
        f"field {name!r} is a {type(value).__name__}; compiled rules use numbers and arrays of numbers."
    )


def as_array(value: Any) -> np.ndarray | None:
    """Numbers in a list, a tuple or lists of them as an array; None if they are none, or rows differ in length."""
    with contextlib.suppress(ValueError, OverflowError):
        array = np.ascontiguousarray(value)
        if array.dtype.kind in "biuf":
            return array
    return None


def rows_of(value: Any) -> tuple[np.ndarray, ...] | None:
    """Rows of numbers that differ in length (the neighbours of each square, say) as arrays; None if they are none."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in value):
        return None
    numbers = as_array([number for row in value for number in row])
    if numbers is None or numbers.ndim != 1 or not numbers.size:
        return None
    return tuple(np.array(row, numbers.dtype) for row in value)


def constant(value: Any) -> Any:
    """A module-level constant as compiled code can hold it: a list as an array, rows of different lengths as arrays."""
    if not isinstance(value, (list, tuple)):
        return value
    array = as_array(value)
    if array is not None:
        return array if isinstance(value, list) and array.size else value
    rows = rows_of(value)
    return value if rows is None else rows


def plain(value: float) -> float | None:
    """A number for JSON: unknown and infinite are None, and there is no minus zero."""
    return float(value) + 0.0 if math.isfinite(value) else None
