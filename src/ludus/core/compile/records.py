"""How Python objects cross into compiled code.

A *record* is a namedtuple of an object's fields, with fixed types. Numba's cache pickles the class of a
record by its name, so the next process must find it here: a name spells the fields
(`Record__stones__most`), and the module's `__getattr__` rebuilds the class from it.

A *layout* says how a state is stored: as a flat tuple of numbers, in one column for each element, with
the dtypes of the game's first state; any other object as it is, in a list, for interpreted runs only.
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


class Layout:
    """The dtypes of a game's states, taken from its first state."""

    def __init__(self, state: Any) -> None:
        self.dtypes = _dtypes(state)
        self.flat = self.dtypes is not None
        self.casts = [_cast(dtype) for dtype in self.dtypes or ()]
        self.plain = [dtype in (np.int64, np.float64, np.bool_) for dtype in self.dtypes or ()]

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is pickled with its layout, whose casts are closures: make them anew from the dtypes."""
        return Layout, (tuple(dtype.type(0) for dtype in self.dtypes) if self.dtypes else None,)

    def settle(self, state: Any) -> Any:
        """`state` with each element in its column's type; an element that does not fit is an error."""
        if not self.flat:
            return state
        if type(state) is not tuple or len(state) != len(self.casts):
            raise TypeError(f"a state is a tuple of {len(self.casts)} numbers, as initial() gives, not {state!r}")
        return tuple([cast(value) for cast, value in zip(self.casts, state, strict=True)])

    def read(self, columns: Any, index: int) -> Any:
        """The state stored at `index` of its columns, as `settle` would give it."""
        pairs = zip(columns, self.plain, strict=True)
        return tuple([column.item(index) if plain else column[index] for column, plain in pairs])

    def columns(self, capacity: int) -> Any:
        """Storage for `capacity` states in compiled code."""
        assert self.dtypes is not None
        return tuple(np.zeros(capacity, dtype) for dtype in self.dtypes)


def _dtypes(state: Any) -> tuple[np.dtype, ...] | None:
    if type(state) is not tuple or not state:
        return None
    found = []
    for value in state:
        if isinstance(value, np.generic) and value.dtype.kind in "biuf":
            found.append(value.dtype)
        elif isinstance(value, bool):
            found.append(np.dtype(np.bool_))
        elif isinstance(value, int):
            found.append(np.dtype(np.int64))
        elif isinstance(value, float):
            found.append(np.dtype(np.float64))
        else:
            return None
    return tuple(found)


def _cast(dtype: np.dtype) -> Any:
    """What turns a value into its column's type: Python's own numbers for the three commonest types."""
    if dtype == np.float64:
        return float
    if dtype.kind == "f":
        return dtype.type
    if dtype.kind == "b":
        return _truth
    lowest, highest = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    make = int if dtype == np.int64 else dtype.type

    def whole(value: Any) -> Any:
        number = int(value)
        if number != value or not lowest <= number <= highest:
            raise TypeError(f"{value!r} does not fit an element of the state that initial() gives as {dtype}")
        return make(number)

    return whole


def _truth(value: Any) -> bool:
    if value not in (0, 1):
        raise TypeError(f"{value!r} does not fit an element of the state that initial() gives as bool")
    return bool(value)


def plain(value: float) -> float | None:
    """A number for JSON: unknown and infinite are None, and there is no minus zero."""
    return float(value) + 0.0 if math.isfinite(value) else None
