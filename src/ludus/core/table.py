"""The transposition table: what was found out about a state, kept in a fixed number of slots.

The slots of a state are the two at its hash. A hit is verified by the full state, never by the hash alone. A new entry
takes the slot of the same state, else an empty one, else that of the shallower entry.

A table is a record: `state` (columns), `depth`, `value`, `bound`, `move`, `age`, and `now[0]`, this search's age. What
is of another age is of an older search: its slot is empty, so that no search depends on what was searched before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.core.compile.layout import Layout
from ludus.core.compile.records import record_class
from ludus.core.errors import LudusError
from ludus.core.rules import digest, holds, store

EXACT, LOWER, UPPER = 0, 1, 2
WAYS = 2


def probe(table, state):
    """The slot of `state`, or -1 if the table does not hold it."""
    home = home_slot(table, state)
    for slot in range(home, home + WAYS):
        if table.age[slot] == table.now[0] and holds(table.state, slot, state):
            return slot
    return -1


def keep(table, state, depth, value, bound, move):
    """Remember `value` (a `bound` on it, or EXACT) and the best `move` of `state`, searched to `depth`."""
    slot = slot_for(table, state)
    store(table.state, slot, state)
    table.depth[slot] = depth
    table.value[slot] = value
    table.bound[slot] = bound
    table.move[slot] = move
    table.age[slot] = table.now[0]


def slot_for(table, state):
    """Where `state` is to be kept: where it is already, else in the slot whose loss costs least."""
    home = home_slot(table, state)
    slot = home
    for candidate in range(home, home + WAYS):
        if table.age[candidate] == table.now[0] and holds(table.state, candidate, state):
            return candidate
        if worth(table, candidate) < worth(table, slot):
            slot = candidate
    return slot


def home_slot(table, state):
    """The first of the slots where `state` may be."""
    return np.int64(digest(state) & np.uint64(table.age.size // WAYS - 1)) * WAYS


def worth(table, slot):
    """What would be lost by overwriting a slot: its depth; -1 if it is empty."""
    return table.depth[slot] if table.age[slot] == table.now[0] else np.int64(-1)


class Table:
    """The Python side: allocates the slots, a power of two of them. A search begins with a new age."""

    def __init__(self, layout: Layout, megabytes: float, compiled: bool, numbers: tuple[str, ...] = ("value",)) -> None:
        """`numbers` names what a slot holds besides the state, its `depth`, `bound`, `move` and `age`."""
        slot = (4 + len(numbers)) * 8 + layout.bytes
        slots = WAYS
        while 2 * slots * slot <= megabytes * 1e6:
            slots *= 2
        self.slots = slots
        try:
            arrays: dict[str, Any] = {name: np.zeros(slots, np.int64) for name in ("depth", "bound", "move", "age")}
            arrays |= {name: np.zeros(slots, np.float64) for name in numbers}
            arrays["now"] = np.zeros(1, np.int64)
            arrays["state"] = layout.columns(slots) if compiled else [None] * slots
        except MemoryError:
            raise LudusError(f"there is no room for a table of {megabytes:g} MB.") from None
        self.record = record_class(tuple(arrays))(*arrays.values())
