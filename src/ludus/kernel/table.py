"""The transposition table: what was found out about a state, kept in a fixed number of slots.

The slots of a state are the two at its hash. A hit is verified by the full state, never by the hash alone. A new entry
takes the slot of the same state, else an empty one, else that of the shallower entry.

A table is a record: the states in `state` (columns); what is known of each in `entry` (`FIELDS`); in `found[0]` a copy
of the entry that was found last; and `now[0]`, this search's age. What is of another age is of an older search: its
slot is empty, so that no search depends on what was searched before.

The columns are views of one array in which all that belongs to a slot lies together: memory is fetched a line at a
time, and to wait for a line takes longer than all else that is done with a slot.

Several threads may share a table, each with a `found` of its own (`for_thread`), without waiting for each other. Two
that write to one slot at once may leave a mixture. So in a shared table the key of an entry is sealed with its other
fields (Hyatt & Mann 2002): the seal of a mixture does not fit, and it is no entry.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.common.errors import LudusError
from ludus.kernel.columns import LINE, Registers, register_storage
from ludus.kernel.layout import Layout
from ludus.kernel.prefetch import prefetch
from ludus.kernel.random import GAMMA, mix
from ludus.kernel.records import record_class
from ludus.kernel.rules import digest, holds, store

WAYS = 2

MOST_MEMORY = 1e6
"""Megabytes that a table may take."""

FIELDS = {
    "key": "u8",  # the hash of the state; in a shared table most of its bits are sealed with what follows
    "low": "f8",  # the value is at least this
    "high": "f8",  # ... and at most this
    "move": "i8",  # the best move; -1: none is known
    "depth": "i4",  # what the entry is worth: the shallower of two gives way
    "age": "i4",  # the search that it is of
}

DEEPEST = 2**31 - 1
"""The largest `depth` of an entry."""


BITS, SEALED, ZERO = np.uint64(64), np.uint64(48), np.uint64(0)
"""Bits of a key, and how many of them, the low ones, are sealed: the others tell most slots from the right one."""


def probe(table, state):
    """Whether the table knows `state`; then what it knows is in `table.found[0]`, until it is asked again."""
    key, found = digest(state), table.found[0]
    home = home_slot(table, key)
    for slot in range(home, home + WAYS):
        entry = table.entry[slot]
        if not may_be_of(entry, key):
            continue
        found.key, found.low, found.high = entry.key, entry.low, entry.high
        found.move, found.depth, found.age = entry.move, entry.depth, entry.age
        # From here on the copy counts, whatever another thread does to the slot.
        if is_of(table, found, key) and holds(table.state, slot, state):
            return True
    return False


def fetch(table, state):
    """`probe` will ask for `state` soon: let the line of its first slot come from memory meanwhile."""
    prefetch(table.entry, home_slot(table, digest(state)))


def keep(table, state, depth, low, high, move):
    """Remember that `state`, searched to `depth`, is worth from `low` to `high`, and its best `move`."""
    key = digest(state)
    slot = slot_for(table, key, state)
    store(table.state, slot, state)
    entry = table.entry[slot]
    entry.low, entry.high, entry.move, entry.depth, entry.age = low, high, move, depth, table.now[0]
    entry.key = key ^ seal(low, high, move, depth) if table.shared[0] else key


def slot_for(table, key, state):
    """Where `state` is to be kept: where it is already, else in the slot whose loss costs least."""
    home = home_slot(table, key)
    slot = home
    for candidate in range(home, home + WAYS):
        if is_at(table, candidate, key, state):
            return candidate
        if worth(table, candidate) < worth(table, slot):
            slot = candidate
    return slot


def is_at(table, slot, key, state):
    """Whether a slot holds what is known of `state`, whose hash is `key`."""
    entry = table.entry[slot]
    return may_be_of(entry, key) and is_of(table, entry, key) and holds(table.state, slot, state)


def home_slot(table, key):
    """The first of the slots where a state of this hash may be."""
    return np.int64(key & np.uint64(table.entry.size // WAYS - 1)) * WAYS


def may_be_of(entry, key):
    """Whether an entry may be of a state with this hash, by the part of its key that is never sealed."""
    return (entry.key ^ key) >> SEALED == ZERO


def is_of(table, entry, key):
    """Whether an entry is whole, of this search, and of a state with this hash."""
    own = entry.key ^ seal(entry.low, entry.high, entry.move, np.int64(entry.depth)) if table.shared[0] else entry.key
    return own == key and entry.age == table.now[0]


def seal(low, high, move, depth):
    """48 bits of what an entry says."""
    bits = mix(np.float64(low).view(np.uint64)) ^ mix(np.float64(high).view(np.uint64) + GAMMA)
    return (bits ^ mix(np.int64(move).view(np.uint64) + GAMMA * np.uint64(depth + 2))) >> (BITS - SEALED)


def worth(table, slot):
    """What would be lost by overwriting a slot: its depth; -1 if it is empty."""
    entry = table.entry[slot]
    return np.int64(entry.depth) if entry.age == table.now[0] else np.int64(-1)


class Slots(dict[int, Registers]):
    """The entries of interpreted code, each made when it is asked for."""

    def __init__(self, size: int, fields: dict[str, str]) -> None:
        self.size, self.fields = size, fields

    def __missing__(self, slot: int) -> Registers:
        self[slot] = Registers(self.fields)
        return self[slot]


def slots_of(size: int, fields: dict[str, str], compiled: bool) -> Any:
    """This number of entries with these fields, all 0."""
    kind = np.dtype(list(fields.items()), align=True)
    return np.zeros(size, kind).view(np.recarray) if compiled else Slots(size, fields)


def state_names(layout: Layout) -> list[str]:
    """The names that the parts of a state have in a slot."""
    return [f"state {number}" for number in range(len(layout.parts))]


def slot_kind(layout: Layout, numbers: tuple[str, ...]) -> np.dtype:
    """What a slot holds: an entry, further numbers, and a state. It takes a line of the cache at least: a shorter one
    might lie in two."""
    fields: list[Any] = [*FIELDS.items(), *((name, "f8") for name in numbers)]
    fields += [(name, part.dtype, part.shape) for name, part in zip(state_names(layout), layout.parts, strict=True)]
    kind = np.dtype(fields, align=True)
    return np.dtype([*fields, ("filler", f"V{max(LINE - kind.itemsize, 0)}")], align=True)


def in_lines(slots: int, kind: np.dtype) -> np.ndarray:
    """This number of empty slots, the first one at the beginning of a line."""
    memory = np.zeros(slots * kind.itemsize + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + slots * kind.itemsize].view(kind)


class Table:
    """The Python side: allocates the slots, a power of two of them. A search begins with a new age."""

    def __init__(
        self, layout: Layout, megabytes: float, compiled: bool, shared: bool = False, numbers: tuple[str, ...] = ()
    ) -> None:
        """`shared`: whether several threads use it at once; `numbers`: names of arrays with a further number a slot."""
        kind = slot_kind(layout, numbers)
        slots = WAYS
        while 2 * slots * kind.itemsize <= megabytes * 1e6:
            slots *= 2
        self.slots = slots
        states: Any
        try:
            if compiled:
                rows = in_lines(slots, kind)
                entries, states = rows[[*FIELDS]].view(np.recarray), tuple(rows[name] for name in state_names(layout))
                more = {name: rows[name] for name in numbers}
            else:
                entries, states = slots_of(slots, FIELDS, compiled), [None] * slots
                more = {name: np.zeros(slots) for name in numbers}
        except MemoryError:
            raise LudusError(f"there is no room for a table of {megabytes:g} MB.") from None
        found = np.zeros_like(entries, shape=1) if compiled else register_storage(FIELDS, compiled)
        arrays = {"entry": entries, "found": found, "now": np.zeros(1, np.int64), "shared": np.array([shared])}
        arrays |= more | {"state": states}
        self.record = record_class(tuple(arrays))(*arrays.values())


def for_thread(table: Any) -> Any:
    """The same table, for another thread."""
    return table._replace(found=table.found.copy())
