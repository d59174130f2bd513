"""Casts: what turns a value into its column's type, or says that it does not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.common.advice import LARGE
from ludus.kernel.form import ARRAY, Form, Part, frozen

Cast = Callable[[Any], Any]


def cast_of(form: Form) -> Cast:
    """The cast of an element of that form."""
    if not isinstance(form, Part):
        return _cast_tuple([cast_of(inner) for inner in form], f"a tuple of {len(form)} elements")
    if form.kind == ARRAY:
        return _cast_array(form)
    cast = cast_number(form.dtype)
    for depth in range(len(form.shape) - 1, -1, -1):
        length = form.shape[depth]
        cast = _cast_tuple(
            [cast] * length, f"a tuple of {length} {'numbers' if depth == len(form.shape) - 1 else 'tuples'}"
        )
    return cast


def _cast_tuple(casts: list[Cast], words: str) -> Cast:
    def cast_tuple(value: Any) -> Any:
        if type(value) is not tuple or len(value) != len(casts):
            raise TypeError(f"{value!r} does not fit an element of the state that initial() gives as {words}")
        return tuple([cast(item) for cast, item in zip(casts, value, strict=True)])

    return cast_tuple


def _cast_array(part: Part) -> Cast:
    def cast_array(value: Any) -> Any:
        if type(value) is np.ndarray and value.dtype == part.dtype and value.shape == part.shape:
            return frozen(np.ascontiguousarray(value))
        if not isinstance(value, np.ndarray):
            raise TypeError(f"{value!r} does not fit an element of the state that initial() gives as {part.words}")
        if value.shape != part.shape:
            size = " x ".join(map(str, value.shape)) or "0 dimensions"
            raise TypeError(
                f"an array of {size} does not fit an element of the state that initial() gives as {part.words}"
            )
        with np.errstate(all="ignore"):
            cells = np.asarray(value).astype(part.dtype)
        if part.dtype.kind != "f" and not np.array_equal(cells, value):
            wrong = value[cells != value].flat[0]
            raise TypeError(f"{wrong!r} does not fit an element of the state that initial() gives as {part.words}")
        return frozen(cells)

    return cast_array


def cast_number(dtype: np.dtype) -> Cast:
    """For numbers: Python's own for the three commonest types."""
    if dtype == np.float64:
        return float
    if dtype.kind == "f":
        return dtype.type
    if dtype.kind == "b":
        return _truth
    lowest, highest = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    make = int if dtype == np.int64 else dtype.type

    def integer(value: Any) -> Any:
        number = int(value)
        if number != value or not lowest <= number <= highest:
            large = abs(number) >= 2**63 and dtype.itemsize == 8
            more = f": {LARGE}" if large else ""
            raise TypeError(f"{value!r} does not fit an element of the state that initial() gives as {dtype}{more}")
        return make(number)

    return integer


def _truth(value: Any) -> bool:
    if value not in (0, 1):
        raise TypeError(f"{value!r} does not fit an element of the state that initial() gives as bool")
    return bool(value)
