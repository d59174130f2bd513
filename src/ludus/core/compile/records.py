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

from ludus.core.errors import NotCompilable

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
        with contextlib.suppress(ValueError):  # rows of different lengths
            array = np.ascontiguousarray(value)
            if array.dtype.kind in "biuf":
                return array
    if isinstance(value, tuple):
        return tuple(fixed(name, item) for item in value)
    raise NotCompilable(
        f"field {name!r} is a {type(value).__name__}; compiled rules use numbers and arrays of numbers."
    )


def plain(value: float) -> float | None:
    """A number for JSON: unknown and infinite are None, and there is no minus zero."""
    return float(value) + 0.0 if math.isfinite(value) else None
