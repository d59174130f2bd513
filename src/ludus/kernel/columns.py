"""What a tree holds at each node, and between two slices: declared by name, with its meaning.

A program names its columns (one cell a node) and its registers (one cell in all). A class adds to those of its base
classes, so a driver and its searches share one tree without counting cells; the same name twice is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

NUMBER, NODE, DISTANCE = "number", "node", "distance"


@dataclass(frozen=True)
class Column:
    """One cell a node: its dtype, what the root begins with, and what it holds.

    A `node` is the index of another node (-1: none) and a `distance` is counted from the root, so both are adjusted
    when a tree is kept from move to move and its nodes get new indices; a `number` stays as it is.
    """

    dtype: str
    start: float
    holds: str = NUMBER


def number(start: float = 0.0, dtype: str = "f8") -> Column:
    """A float, or a number of another dtype: `number(-1, "i1")`."""
    return Column(dtype, start)


def integer(start: int = 0) -> Column:
    """A whole number."""
    return Column("i8", start)


def row(cells: int) -> Column:
    """A row of that many floats."""
    return Column(f"({cells},)f8", 0.0)


def node() -> Column:
    """The index of another node; -1 for none."""
    return Column("i8", -1, NODE)


def distance() -> Column:
    """Something that is counted from the root, where it is 0: plies, or pointers on the way."""
    return Column("i8", 0, DISTANCE)


def gathered(cls: type, what: str) -> dict[str, Any]:
    """The columns, or registers, of a class and of all its base classes, which come first."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).get(what, {}).items():
            if name in found:
                raise TypeError(f"{cls.__name__} names the {what} {name!r} twice: a base class has it already.")
            found[name] = value
    return found


LINE = 64
"""Bytes of a line of the processor's cache."""

ZEROS: dict[str, Any] = {"i": 0, "u": np.uint64(0), "f": 0.0}
"""What a register of interpreted code begins with, by the first letter of its dtype."""


class Registers:
    """The registers of interpreted code: an object with a field for each, which is faster than NumPy's."""

    def __init__(self, registers: dict[str, str]) -> None:
        self.__dict__.update({name: ZEROS[dtype[0]] for name, dtype in registers.items()})


def register_storage(registers: dict[str, str], compiled: bool) -> Any:
    """Where `tree.register[0]` is: its fields are the registers, all of them 0."""
    if not compiled:
        return [Registers(registers)]
    dtype = np.dtype(list(registers.items()) or [("unused", "i8")], align=True)
    memory = np.zeros(dtype.itemsize, np.uint8)
    storage = memory.view(dtype).view(CompiledRegisters)
    storage.memory = memory
    storage.fields = _fields_class(tuple(registers))([memory.view(dtype)[name].data for name in registers])
    return storage


class CompiledRegisters(np.ndarray):
    """One structure for compiled code. Python reads and writes it through `fields`, many times a move: that takes a
    twentieth of the time of NumPy's own records (measured)."""

    memory: np.ndarray
    """Its bytes: to clear them takes a tenth of the time of clearing all fields (measured)."""
    fields: Any

    def __getitem__(self, index: Any) -> Any:
        return self.fields


@cache
def _fields_class(names: tuple[str, ...]) -> type:
    """A class whose attributes of these names are the cells, in this order, that an object of it is given."""

    def __init__(self: Any, cells: list[memoryview]) -> None:
        self.cells = cells

    def attribute(place: int) -> property:
        def put(self: Any, value: Any) -> None:
            self.cells[place][0] = value

        return property(lambda self: self.cells[place][0], put)

    attributes = {name: attribute(place) for place, name in enumerate(names)}
    return type("Fields", (), {"__slots__": ("cells",), "__init__": __init__} | attributes)


def clear_registers(storage: Any, registers: dict[str, str]) -> None:
    """All registers are 0 again."""
    if isinstance(storage, list):
        storage[0].__init__(registers)
    else:
        storage.memory.fill(0)
