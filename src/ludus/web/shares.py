"""How a search's effort is divided among the root's moves, told while its tree grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludus.model.result import Known

COUNTS = {"visits": "visits", "playouts": "playouts", "games": "playouts"}
"""The search's own numbers that tell the effort, and what they count."""


class Subtrees:
    """Which of the root's moves each node is below, and so how large their subtrees are."""

    def __init__(self) -> None:
        self._move = np.zeros(0, np.int32)
        """Of each node, the number of the root's move above it; -1 for the root."""
        self._sizes = np.zeros(0, np.int64)

    def follow(self, tree: Any) -> None:
        """Take up the nodes that have come since; a node comes after its parent."""
        size, first, count = int(tree.size[0]), int(tree.first[0]), max(int(tree.count[0]), 0)
        old = len(self._move)
        if size < old or len(self._sizes) != count:
            old = 0
        if old == size:
            return
        parents = np.asarray(tree.parent[:size], np.int64)
        found = np.full(size, -2, np.int32)
        found[:old] = self._move[:old]
        found[0] = -1
        found[first : first + count] = np.arange(count)
        new = np.arange(old, size)
        new = new[found[new] == -2]
        while len(new):
            above = found[parents[new]]
            found[new] = np.where(above == -2, -2, above)
            left = new[found[new] == -2]
            if len(left) == len(new):
                break  # below nodes that the tree no longer has
            new = left
        self._move = found
        self._sizes = np.bincount(found[found >= 0], minlength=count)

    def below(self, tree: Any) -> list[int]:
        """The size of each subtree."""
        self.follow(tree)
        return self._sizes.tolist()

    def above(self, node: int) -> int | None:
        """The number of the root's move above a node; None for the root."""
        move = int(self._move[node]) if 0 <= node < len(self._move) else -1
        return move if move >= 0 else None


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


def sizes_below(tree: Any, size: int, node: int) -> list[int]:
    """How many nodes there are in the subtree of each child of any node."""
    first, count = int(tree.first[node]), max(int(tree.count[node]), 0)
    if count == 0:
        return []
    parents = np.asarray(tree.parent[:size], np.int64)
    up = np.arange(size)
    later = np.arange(first + count, size)
    up[later] = parents[later]
    while True:  # go up twice as far each time, until everybody is at a child of the node, or beside it
        further = up[up[later]]
        if np.array_equal(further, up[later]):
            break
        up[later] = further
    inside = up[(up >= first) & (up < first + count)]
    return np.bincount(inside - first, minlength=count).tolist()
