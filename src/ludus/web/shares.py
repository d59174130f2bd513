"""How a search's effort is divided among the root's moves, told while its tree grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludus.model.result import Known

COUNTS = {"visits": "visits", "playouts": "playouts", "games": "playouts"}
"""The search's own numbers that tell the effort, and what they count."""

UNKNOWN = -2


class Subtrees:
    """How deep each node is, which of the root's moves it is below, and so how large the subtrees are."""

    def __init__(self) -> None:
        self._size = 0
        """How many nodes have been taken up."""
        self._move = np.zeros(1024, np.int32)
        """Of each node, the number of the root's move above it; -1 for the root."""
        self._depth = np.zeros(1024, np.int32)
        self._below = np.zeros(0, np.int64)
        self._all: np.ndarray | None = None
        """The size of each node's subtree, when somebody has asked and nothing has come since."""

    def follow(self, tree: Any) -> None:
        """Take up the nodes that have come since; a node comes after its parent."""
        size, first, count = int(tree.size[0]), int(tree.first[0]), max(int(tree.count[0]), 0)
        if count == 0 or size == self._size:
            return
        if size < self._size or len(self._below) != count:
            self._size, self._below = 0, np.zeros(count, np.int64)
        if size > len(self._move):
            room = max(size, 2 * len(self._move))
            self._move, self._depth = (np.resize(array, room) for array in (self._move, self._depth))
        old, self._size, self._all = self._size, size, None
        move, depth = self._move, self._depth
        if old == 0:
            move[0], depth[0] = -1, 0
            move[first : first + count], depth[first : first + count] = np.arange(count), 1
            self._below += 1
            old = first + count
        new = np.arange(old, size)
        parents = np.asarray(tree.parent[old:size], np.int64)
        move[old:size] = UNKNOWN
        while len(new):
            above = parents[new - old]
            ready = move[above] != UNKNOWN
            if not ready.any():
                break
            now = new[ready]
            move[now], depth[now] = move[above[ready]], depth[above[ready]] + 1
            new = new[~ready]
        self._below += np.bincount(np.maximum(move[old:size], 0), minlength=count)

    def below(self, tree: Any) -> list[int]:
        """The size of the subtree of each of the root's moves."""
        self.follow(tree)
        return self._below.tolist()

    def above(self, node: int) -> int | None:
        """The number of the root's move above a node; None for the root."""
        move = int(self._move[node]) if 0 <= node < self._size else -1
        return move if move >= 0 else None

    def sizes(self, tree: Any, nodes: range) -> list[int]:
        """The sizes of the subtrees of any nodes."""
        self.follow(tree)
        if self._all is None:
            depth = self._depth[: self._size]
            parents = np.asarray(tree.parent[: self._size], np.int64)
            order = np.argsort(depth, kind="stable")
            ends = np.searchsorted(depth[order], np.arange(depth.max() + 2))
            self._all = np.ones(self._size, np.int64)
            for level in range(int(depth.max()), 0, -1):
                here = order[ends[level] : ends[level + 1]]
                np.add.at(self._all, parents[here], self._all[here])
        return self._all[nodes.start : nodes.stop].tolist()


def counted(known: Sequence[Known]) -> tuple[str, list[float]] | None:
    """What the search itself counts of its effort, and how much of it each move had; None: nothing."""
    for name, unit in COUNTS.items():
        if known and all(name in each.more for each in known):
            return unit, [float(each.more[name] or 0) for each in known]
    return None


def parts(counts: Sequence[float]) -> list[float | None]:
    """The counts as parts of their sum."""
    total = float(sum(counts))
    return [count / total for count in counts] if total > 0 else [None] * len(counts)
