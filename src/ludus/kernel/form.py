"""The form of a game's states: which numbers and which boards they have, of which types and shapes.

A state is a tuple of numbers and boards. A *board* is a NumPy array of numbers, or a tuple of numbers that are all of
one type (or of such tuples, all of one length). A *part* is a number or a board: what one column holds. A tuple that
mixes types has a part for each of its elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.common.advice import LARGE

NUMBER, ARRAY, TUPLE = "number", "array", "tuple"

REMEDY = "give a tuple of numbers and boards, a board being a NumPy array or a tuple of numbers"


@dataclass(frozen=True)
class Part:
    """What one column holds of each state: a number, or a board of that shape."""

    kind: str
    dtype: np.dtype
    shape: tuple[int, ...]
    path: tuple[int, ...]
    """Where it is in the state: `(0, 2)` for `state[0][2]`."""

    @property
    def place(self) -> str:
        """The part in an expression: `[0][2]`."""
        return "".join(f"[{index}]" for index in self.path)

    @property
    def bytes(self) -> int:
        return self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))

    @property
    def words(self) -> str:
        """What it is, for people."""
        if self.kind == NUMBER:
            return str(self.dtype)
        size = " x ".join(map(str, self.shape))
        return f"{'an array' if self.kind == ARRAY else 'a tuple'} of {size} {self.dtype}"

    @property
    def example(self) -> Any:
        """A number or a tuple of this part's types."""
        return nested(np.zeros(self.shape, self.dtype)) if self.kind == TUPLE else self.dtype.type(0)


Form = Part | tuple["Form", ...]
"""A state's form: parts in nested tuples."""


def form_of(state: Any) -> tuple[Form, ...]:
    """The form of a first state; raises TypeError with the reason if it has none."""
    if type(state) is not tuple or not state:
        raise TypeError(f"are not tuples of numbers and boards but {_kind(state)}: {_advice(state)}")
    return tuple(_element(value, (index,)) for index, value in enumerate(state))


def _element(value: Any, path: tuple[int, ...]) -> Form:
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.ndim > 0:
        return Part(ARRAY, value.dtype.newbyteorder("="), value.shape, path)
    if type(value) is tuple and value:
        inner = tuple(_element(item, (*path, index)) for index, item in enumerate(value))
        return _block(inner, path) or inner
    dtype = _dtype(value)
    if dtype is None:
        where = f"state{''.join(f'[{index}]' for index in path)}"
        raise TypeError(f"have {where}, which is {_kind(value, 'an element')}: {_advice(value)}")
    return Part(NUMBER, dtype, (), path)


def _block(inner: tuple[Form, ...], path: tuple[int, ...]) -> Part | None:
    """One part for a whole tuple whose elements are all alike."""
    first = inner[0]
    if not isinstance(first, Part) or first.kind == ARRAY:
        return None
    alike = all(
        isinstance(p, Part) and (p.kind, p.dtype, p.shape) == (first.kind, first.dtype, first.shape) for p in inner
    )
    return Part(TUPLE, first.dtype, (len(inner), *first.shape), path) if alike else None


def _dtype(value: Any) -> np.dtype | None:
    if isinstance(value, np.generic):
        return value.dtype if value.dtype.kind in "biuf" else None
    if isinstance(value, bool):
        return np.dtype(np.bool_)
    if isinstance(value, int):
        return np.dtype(np.int64) if -(2**63) <= value < 2**63 else None
    return np.dtype(np.float64) if isinstance(value, float) else None


def _kind(value: Any, what: str = "") -> str:
    """What a state or an element is that has no column."""
    if isinstance(value, int):
        return f"{value}, beyond 64 bits" if what else "whole numbers"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}" if what else "arrays"
    if value is None or value == ():
        return f"{value!r}"
    name = type(value).__name__
    return f"a {name}" if what else f"{name} objects"


def _advice(value: Any) -> str:
    """What to give instead."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return LARGE
    if isinstance(value, list):
        return "for a list of numbers give a tuple, or a NumPy array: np.array(board, np.int8)"
    if isinstance(value, dict):
        return "for a dict give a tuple of its values, or a NumPy array with a place for each key"
    if hasattr(value, "__dataclass_fields__"):
        return "for a dataclass give a tuple of its fields"
    if hasattr(value, "_fields"):
        return "for a namedtuple give a plain tuple of its fields"
    if isinstance(value, str):
        return "for a text give a tuple of numbers, one for each character"
    if isinstance(value, (set, frozenset)):
        return "for a set give a whole number with a bit for each member, or a NumPy array of bool"
    if isinstance(value, (int, float, np.generic)):
        return "give a tuple, (number,)"
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" and value.ndim > 0:
        return "give a tuple, (board, player)"
    return REMEDY


def parts_of(form: Form) -> Iterator[Part]:
    if isinstance(form, Part):
        yield form
        return
    for inner in form:
        yield from parts_of(inner)


def at(state: Any, path: tuple[int, ...]) -> Any:
    """The element of a state at the end of a path."""
    for index in path:
        state = state[index]
    return state


def is_plain(dtype: np.dtype) -> bool:
    """Whether Python's own numbers stand for this type."""
    return dtype in (np.int64, np.float64, np.bool_)


def nested(cells: np.ndarray) -> Any:
    """An array as a tuple of numbers, or of tuples."""
    if cells.ndim > 1:
        return tuple([nested(row) for row in cells])
    return tuple(cells.tolist()) if is_plain(cells.dtype) else tuple(cells)


def frozen(array: np.ndarray) -> np.ndarray:
    """The same memory, but nobody can write to it."""
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array
