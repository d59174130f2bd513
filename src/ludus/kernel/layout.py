"""How the states of a game are stored: in columns, one for each number and one for each board.

Types and shapes are those of the game's first state. A state that is no tuple of numbers and boards is held as it is,
in a list, for interpreted runs only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ludus.kernel.casts import cast_number, cast_of
from ludus.kernel.form import ARRAY, NUMBER, TUPLE, Form, Part, at, form_of, frozen, is_plain, nested, parts_of


class Layout:
    """The form of a game's states, taken from its first state."""

    def __init__(self, state: Any) -> None:
        try:
            self.__setstate__((form_of(state), ""))
        except TypeError as reason:
            self.__setstate__((None, str(reason)))

    def __getstate__(self) -> Any:
        return self.form, self.reason

    def __setstate__(self, pickled: Any) -> None:
        """Casts are closures, which are not pickled: they are made anew from the form."""
        self.form: tuple[Form, ...] | None
        self.form, self.reason = pickled
        self.fixed = self.form is not None
        """Whether states can be stored in columns; if not, `reason` says why and what to do."""
        self.parts = list(parts_of(self.form or ()))
        self.is_flat = self.fixed and all(part.kind == NUMBER and len(part.path) == 1 for part in self.parts)
        """Whether a state is a tuple of numbers and nothing else."""
        self.plain = [is_plain(part.dtype) for part in self.parts]
        """Of each part: whether Python's own numbers stand for its cells."""
        self.casts = [cast_of(form) for form in self.form or ()]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.form == other.form

    __hash__ = None  # type: ignore[assignment]

    @property
    def has_arrays(self) -> bool:
        return any(part.kind == ARRAY for part in self.parts)

    @property
    def has_boards(self) -> bool:
        return any(part.kind != NUMBER for part in self.parts)

    @property
    def bytes(self) -> int:
        """How much memory a state takes."""
        return sum(part.bytes for part in self.parts) if self.fixed else 64

    def settle(self, state: Any) -> Any:
        """`state` with each element in its column's type; an element that does not fit is an error.

        Arrays cannot be written to from here on: a rule must not change the state that it is given.
        """
        if not self.fixed:
            return state
        if type(state) is not tuple or len(state) != len(self.casts):
            raise TypeError(f"a state is a tuple of {self._length()}, as initial() gives, not {state!r}")
        return tuple([cast(value) for cast, value in zip(self.casts, state, strict=True)])

    def _length(self) -> str:
        what = "numbers" if self.is_flat else "elements"
        return f"{len(self.casts)} {what if len(self.casts) > 1 else what[:-1]}"

    # Columns.

    def columns(self, capacity: int) -> Any:
        """Storage for `capacity` states in compiled code."""
        return tuple(np.zeros((capacity, *part.shape), part.dtype) for part in self.parts)

    def read(self, columns: Any, index: int) -> Any:
        """The state stored at `index` of its columns, as `settle` would give it."""
        if self.is_flat:  # quickly, since every move of a match is read
            numbers = zip(columns, self.plain, strict=False)
            return tuple([column.item(index) if plain else column[index] for column, plain in numbers])
        cells = iter(columns)
        assert self.form is not None
        return tuple([_read(form, cells, index) for form in self.form])

    def write(self, columns: Any, index: int, state: Any) -> None:
        """Store a state at `index`."""
        if self.is_flat:
            for column, value in zip(columns, state, strict=False):
                column[index] = value
            return
        for part, column in zip(self.parts, columns, strict=True):
            column[index] = at(state, part.path)

    def holding(self, columns: Any, rows: np.ndarray, state: Any) -> np.ndarray:
        """Those of the rows that hold `state`."""
        for part, column in zip(self.parts, columns, strict=True):
            same = column[rows] == np.asarray(at(state, part.path))
            rows = rows[same.all(axis=tuple(range(1, same.ndim)))]
        return rows

    # Text.

    def words(self, state: Any) -> list[str]:
        """All the numbers of a state, each as text."""
        return [word for part in self.parts for word in _words(at(state, part.path))]

    def picture(self, state: Any) -> str:
        """The numbers, each row of a board in a line of its own."""
        lines: list[list[str]] = [[]]
        for part in self.parts:
            words = list(_words(at(state, part.path)))
            if part.kind == NUMBER:
                lines[-1] += words
                continue
            row = part.shape[-1]
            lines += [words[start : start + row] for start in range(0, len(words), row)] + [[]]
        width = max((len(word) for line in lines if len(line) > 1 for word in line), default=0)
        return "\n".join(" ".join(word.rjust(width) for word in line) for line in lines if line)

    @property
    def cells(self) -> int:
        """How many numbers a state has."""
        return sum(int(np.prod(part.shape, dtype=np.int64)) for part in self.parts)

    def parse(self, words: list[str]) -> Any:
        """The state that has these words."""
        numbers = iter([_number(word) for word in words])
        assert self.form is not None
        return self.settle(tuple([_build(form, numbers) for form in self.form]))


# States in their forms.


def _read(form: Form, columns: Iterator[np.ndarray], index: int) -> Any:
    if not isinstance(form, Part):
        return tuple([_read(inner, columns, index) for inner in form])
    column = next(columns)
    if form.kind == ARRAY:
        return frozen(column[index].copy())
    if form.kind == TUPLE:
        return nested(column[index])
    return column.item(index) if is_plain(form.dtype) else column[index]


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, tuple):
        for item in value:
            yield from _words(item)
    elif isinstance(value, np.ndarray):
        yield from map(_word, value.flat)
    else:
        yield _word(value)


def _word(number: Any) -> str:
    """A number as text; 1 and 0 for true and false, which are easier to read on a board."""
    return str(int(number)) if isinstance(number, (bool, np.bool_)) else str(number)


def _build(form: Form, numbers: Iterator[int | float]) -> Any:
    """A state of this form from its numbers in a row."""
    if not isinstance(form, Part):
        return tuple([_build(inner, numbers) for inner in form])
    if form.kind == NUMBER:
        return next(numbers)
    cells = np.array([cast_number(form.dtype)(next(numbers)) for _ in range(int(np.prod(form.shape)))], form.dtype)
    return cells.reshape(form.shape) if form.kind == ARRAY else nested(cells.reshape(form.shape))


def _number(word: str) -> int | float:
    try:
        return int(word)
    except ValueError:
        return {"True": 1, "False": 0}[word] if word in ("True", "False") else float(word)
