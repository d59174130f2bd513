"""The growing tree of arrays that all searches live in.

A tree is a record of columns, one cell a node. Node 0 is the root; the children of a node lie together and have
larger indices than their parent, so a bottom-up or top-down pass over the whole tree is a linear sweep. A
best-first search only ever adds nodes; a depth-first one uses the same columns as a stack: the children of the
nodes on its path, the deepest on top.

Every search has these columns, and names its own besides:

    state      the state (one array for each number and each board in it)
    parent     index of the parent, -1 at the root
    first      index of the first child
    count      number of children; 0 a finished game, UNOPENED a leaf whose children are not there yet
    move       the move that leads here from the parent
    value      what the search thinks the state is worth to the player to move in it; NaN unknown

and, not per node: `size[0]` nodes are in use; `out` and `reply` are buffers for moves; `random` is the generator;
the fields of `register[0]` are a program's few variables between two slices; `line[p]` is the principal line from ply
p on.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ludus.kernel.boards import same_state
from ludus.kernel.columns import DISTANCE, LINE, NODE, Column, clear_registers, register_storage
from ludus.kernel.limits import EXPANDED
from ludus.kernel.records import record_class
from ludus.kernel.rules import Contradiction, evaluate, final, guarded, load, moves, over, play, store

UNOPENED = -1

MOST_NODES = 1 << 44
"""More than any memory has room for."""

LARGE = 1 << 14
"""Nodes from which on a tree reserves all the memory that it may take."""

CHUNK = 1 << 13
"""Nodes that are moved at a time when a tree is kept: few enough for what is moved to stay in the processor's cache."""

LONGEST_LINE = 256
"""Moves of a principal line that are kept; what comes after them is left out."""


def open_node(game, tree, node):
    """List the children of `node`, without playing the moves yet; False if there is no room for them."""
    n = moves(game, load(tree.state, node), tree.out)
    first = tree.size[0]
    if first + n > tree.parent.size:
        return False
    for i in range(n):
        child = first + i
        tree.parent[child] = node
        tree.move[child] = tree.out[i]
        tree.count[child] = UNOPENED
        tree.value[child] = np.nan
    tree.first[node] = first
    tree.count[node] = n
    tree.size[0] = first + n
    game.meter[EXPANDED] += 1
    return True


def generate(game, tree, state, child):
    """Play the move that leads from `state`, its parent's, to `child`; the state there."""
    after = play(game, state, tree.move[child])
    store(tree.state, child, after)
    return after


def expand(game, evaluator, tree, node):
    """Generate and evaluate all children of `node`; False, and nothing done, if there is no room for them."""
    if not open_node(game, tree, node):
        return False
    if tree.count[node] == 0 and node != 0:
        raise Contradiction  # `over` said that there are moves
    state = load(tree.state, node)
    first = tree.first[node]
    for child in range(first, first + tree.count[node]):
        judge(game, evaluator, tree, state, child)
    return True


def expand_unjudged(game, tree, node):
    """Generate all children of `node`, and see which are finished games; False, and nothing done, without room."""
    if not open_node(game, tree, node):
        return False
    if tree.count[node] == 0 and node != 0:
        raise Contradiction
    state = load(tree.state, node)
    for child in children(tree, node):
        if over(game, generate(game, tree, state, child)):
            tree.count[child] = 0
    return True


def judge(game, evaluator, tree, state, child):
    """Generate a child of a node that is in `state`, and evaluate it."""
    after = generate(game, tree, state, child)
    if over(game, after):
        tree.count[child] = 0
        tree.value[child] = final(evaluator, game, after)
    else:
        tree.value[child] = evaluate(evaluator, game, after)


def children(tree, node):
    """The children of a node that is opened, in order."""
    return range(tree.first[node], tree.first[node] + tree.count[node])


def best_child(tree, node):
    """The child that is worst for the opponent, the first of equals, and its value to the player at `node`."""
    first = tree.first[node]
    best = first
    for child in range(first + 1, first + tree.count[node]):
        if tree.value[child] < tree.value[best]:
            best = child
    return best


def keep_line(tree, node, child, ply):
    """The principal line of `node`, `ply` plies from the root, now goes through `child`; `tree.length` is its length.

    Row p + 1 of `tree.line` belongs to the node being searched at ply p; row 0 is for the last finished search. Lines
    of nodes at `LONGEST_LINE` plies and beyond are not kept.
    """
    if ply >= LONGEST_LINE:
        tree.length[node] = 0
        return
    tree.line[ply + 1, 0] = tree.move[child]
    for i in range(tree.length[child]):
        tree.line[ply + 1, i + 1] = tree.line[ply + 2, i]
    tree.length[node] = tree.length[child] + 1


def publish_line(tree):
    """The root's line is finished: keep it in row 0. Returns its length."""
    for i in range(tree.length[0]):
        tree.line[0, i] = tree.line[1, i]
    return tree.length[0]


COLUMNS = {
    "parent": Column("i8", -1),
    "first": Column("i8", -1, NODE),
    "count": Column("i8", UNOPENED),
    "move": Column("i8", 0),
    "value": Column("f8", np.nan),
}
"""What every tree has. (The parents of all nodes but the root are renumbered, not only those of inner nodes.)"""


class Tree:
    """The Python side: allocates the columns, grows them, and knows how much memory that takes."""

    def __init__(
        self,
        game: Any,
        columns: dict[str, Column],
        compiled: bool,
        capacity: int = 1024,
        registers: dict[str, str] | None = None,
        extras: dict[str, Any] | None = None,
        unused: tuple[str, ...] = (),
        interleaved: bool = False,
    ) -> None:
        """`unused`: columns that take no memory, since nobody looks at them; `interleaved`: as in `Program`."""
        self.game, self.compiled, self.interleaved = game, compiled, interleaved and compiled
        self.layout = game.layout
        self.node_columns = COLUMNS | {name: column for name, column in columns.items() if name not in unused}
        self.registers = registers or {}
        self.arrays: dict[str, Any] = {name: np.zeros(0, column.dtype) for name, column in COLUMNS.items()}
        self.arrays["state"] = self.layout.columns(0) if compiled else []
        self.arrays["size"] = np.zeros(1, np.int64)
        self.arrays["out"], self.arrays["reply"] = guarded(game.room), guarded(game.room)
        self.arrays["random"] = np.zeros(1, np.uint64)
        self.arrays["register"] = register_storage(self.registers, compiled)
        self.arrays["line"] = np.zeros((LONGEST_LINE + 2, LONGEST_LINE + 2), np.int64)
        self._add("columns", {name: np.zeros(0, column.dtype) for name, column in columns.items()})
        self._add("extras", extras or {})
        self.capacity = 0
        self.is_shared = False
        """Whether several threads are at work in it: then it stays where it is in memory."""
        self._resize(capacity)

    def _add(self, what: str, more: dict[str, Any]) -> None:
        """Add arrays of the program; an error if a name is taken, since both would then share memory."""
        for name in more.keys() & self.arrays.keys():
            raise TypeError(f"the {what} {name!r} need another name: a tree has something of that name already.")
        self.arrays |= more

    def _resize(self, capacity: int) -> None:
        fresh: dict[str, Any] = self._fields(capacity) if self.interleaved else {}
        for name in self.node_columns.keys() - fresh.keys():
            fresh[name] = _longer(self.arrays[name], capacity)
        state = self.arrays["state"]
        if self.compiled:
            fresh["state"] = tuple(_longer(column, capacity) for column in state)
        else:
            fresh["state"] = state + [None] * (capacity - len(state))
        self.arrays |= fresh
        self.capacity = capacity
        self.record = record_class(tuple(self.arrays))(*self.arrays.values())
        cells = [(self.arrays[name], column.start) for name, column in self.node_columns.items()]
        self._root = [(cell.data if cell.ndim == 1 else cell, start) for cell, start in cells]
        """Where the root's numbers are, and what they begin with: memory is written to in half the time of an array."""

    def _fields(self, capacity: int) -> dict[str, np.ndarray]:
        """The columns as fields of one array of structures, but for those that are rows of many numbers.

        It begins at a line of the cache, so that a structure of 64 or 128 bytes is in one or two.
        """
        dtypes = {name: np.dtype(column.dtype) for name, column in self.node_columns.items()}
        structure = np.dtype([(name, dtype) for name, dtype in dtypes.items() if not dtype.shape], align=True)
        memory = np.empty(capacity + 1 + LINE // structure.itemsize, structure)
        nodes = np.ndarray(capacity, structure, memory, -memory.ctypes.data % LINE)
        fields = {name: nodes[name] for name in dtypes if not dtypes[name].shape}
        for name, field in fields.items():
            field[: self.capacity] = self.arrays[name]
        return fields

    @property
    def node_bytes(self) -> int:
        """How much memory a node takes."""
        size = sum(np.dtype(column.dtype).itemsize for column in self.node_columns.values())
        return self.layout.bytes + (-(-size // 8) * 8 if self.interleaved else size)  # a node begins at a whole word

    def grow(self, megabytes: float) -> bool:
        """Room for twice as many nodes, or as many as the limit allows; False if there is no more.

        The root and its children fit however low the limit, or there would be no move to choose.
        """
        if self.is_shared:
            return False
        room = self._room(megabytes)
        # A node's children must fit, or the search would ask again at once.
        wanted = max(2 * self.capacity, self.capacity + len(self.arrays["out"]))
        capacity = min(wanted, room)
        if capacity <= self.capacity:
            return False
        # Copying a large tree would take longer than a slice may. Memory that is not touched costs nothing, so from
        # some size on all that is allowed is reserved at once, if the system lets us.
        for attempt in (room, capacity) if self.compiled and capacity > LARGE else (capacity,):
            try:
                self._resize(attempt)
                return True
            except MemoryError:
                continue
        return False

    def _room(self, megabytes: float) -> int:
        """How many nodes are allowed."""
        return max(int(min(megabytes * 1e6 / self.node_bytes, MOST_NODES)), 1 + self.game.max_moves)

    def share(self, megabytes: float) -> None:
        """Reserve all that is allowed, or as much of it as there is: from now on it does not grow."""
        wanted = self._room(megabytes)
        while wanted > self.capacity:
            try:
                self._resize(wanted)
                break
            except MemoryError:
                wanted //= 2
        self.is_shared = True

    def for_thread(self, extras: dict[str, Any], seed: int) -> Tree:
        """The same nodes for another thread, with buffers, registers, extras and random numbers of its own."""
        twin = copy.copy(self)
        own = {"out": guarded(self.game.room), "reply": guarded(self.game.room), "random": np.zeros(1, np.uint64)}
        own["register"] = register_storage(self.registers, self.compiled)
        twin.arrays = self.arrays | own | extras
        twin.record = record_class(tuple(twin.arrays))(*twin.arrays.values())
        twin._begin(seed)
        return twin

    def plant(self, state: Any, seed: int) -> None:
        """Start over with `state` at the root."""
        arrays = self.arrays
        if self.compiled:
            self.layout.write(arrays["state"], 0, state)
        else:
            arrays["state"][0] = state
        for array, start in self._root:
            array[0] = start
        arrays["size"][0] = 1
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        clear_registers(self.arrays["register"], self.registers)
        self.arrays["random"][0] = seed % 2**64

    def replant(self, state: Any, seed: int, megabytes: float = np.inf) -> None:
        """Go on with what is known of `state`: the root itself or, two plies later, a grandchild; else start over.

        Chance may have its plies in between. What takes more than `megabytes` MB is not kept.
        """
        node = self._find(state)
        known = node >= 0 and self.arrays["count"][node] > 0  # else nothing is known of what follows
        if not known or (node > 0 and not self._keep_below(node, megabytes)):
            self.plant(state, seed)
            return
        self._begin(seed)

    def _find(self, state: Any) -> int:
        """The node, the root or two plies below, that holds `state`; -1 if there is none."""
        if self.arrays["size"][0] == 0 or same_state(self.state(0), state):
            return 0 if self.arrays["size"][0] else -1
        level = self._children(np.array([0]))
        for _ in range(3 if self.game.has_chance else 1):
            level = self._children(level)
            played = level[~np.isnan(self.arrays["value"][level])]  # or its state is what lay there before
            found = self._holding(state, played)
            if len(found):
                return int(found[0])
        return -1

    def _holding(self, state: Any, nodes: np.ndarray) -> np.ndarray:
        """Those of the nodes that hold `state`."""
        if not self.compiled:
            return np.array([node for node in nodes if same_state(self.arrays["state"][node], state)], np.int64)
        return self.layout.holding(self.arrays["state"], nodes, state)

    def _children(self, nodes: np.ndarray) -> np.ndarray:
        """The children of all of these nodes."""
        parents = nodes[self.arrays["count"][nodes] > 0]  # or `first` is what lay there before
        counts = self.arrays["count"][parents]
        starts = np.repeat(self.arrays["first"][parents] - np.cumsum(counts) + counts, counts)
        return starts + np.arange(counts.sum())

    def _keep_below(self, root: int, megabytes: float = np.inf) -> bool:
        """Make `root` node 0 and forget all that does not lie below it; the order of the nodes stays the same.

        False, and nothing done, if that is too much to keep.
        """
        arrays, size, level = self.arrays, int(self.arrays["size"][0]), np.array([root])
        below, many = np.zeros(size, np.bool_), 0
        while len(level):
            below[level] = True
            many += len(level)
            if many * self.node_bytes > megabytes * 1e6:
                return False
            level = self._children(level)
        kept = np.flatnonzero(below)
        new_index = np.full(size, -1)
        new_index[kept] = np.arange(len(kept))
        for name in self.node_columns:
            _move_up(arrays[name], kept)
        if self.compiled:
            for column in arrays["state"]:
                _move_up(column, kept)
        else:
            arrays["state"][: len(kept)] = [arrays["state"][node] for node in kept]
        inner = arrays["count"][: len(kept)] > 0
        for name, column in self.node_columns.items():
            cells = arrays[name][: len(kept)]
            if column.holds == DISTANCE:
                cells -= cells[0]
            elif column.holds == NODE:  # of inner nodes: a leaf's cell may never have been written
                old = cells[inner]
                cells[inner] = np.where((old >= 0) & (old < size), new_index[np.clip(old, 0, size - 1)], -1)
        arrays["parent"][1 : len(kept)] = new_index[arrays["parent"][1 : len(kept)]]
        arrays["parent"][0] = -1
        arrays["size"][0] = len(kept)
        return True

    def state(self, node: int) -> Any:
        """The state at `node`, as Python sees it."""
        if not self.compiled:
            return self.arrays["state"][node]
        return self.layout.read(self.arrays["state"], node)


def _move_up(array: np.ndarray, kept: np.ndarray) -> None:
    """Let the cells of `kept`, which is in order, be the first ones."""
    for start in range(0, len(kept), CHUNK):
        some = kept[start : start + CHUNK]
        array[start : start + len(some)] = array[some]


def _longer(array: np.ndarray, capacity: int) -> np.ndarray:
    fresh = np.empty((capacity, *array.shape[1:]), array.dtype)
    fresh[: len(array)] = array
    return fresh
