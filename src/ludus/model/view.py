"""`TreeView`: a search's tree as it was when the search stopped, to look at. Nothing in it can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.kernel.records import record_class
from ludus.model.result import Known
from ludus.model.search import known_of

if TYPE_CHECKING:
    from ludus.model.evaluator import Evaluator
    from ludus.model.playable import PlayableGame
    from ludus.model.search import Search


class TreeView:
    """The nodes that are in memory, by their indices; `root` is where to begin.

    A full-width search forgets what it has left, so of its tree only the root's children are there.
    """

    def __init__(
        self, game: PlayableGame, search: Search, evaluator: Evaluator, columns: dict[str, np.ndarray], state: Any
    ) -> None:
        self.game, self.search, self.evaluator, self.columns, self.state = game, search, evaluator, columns, state
        self.record = record_class(tuple(columns))(*columns.values())
        """The columns as the search itself sees them, whatever they are called."""

    @classmethod
    def of(cls, session: Any, state: Any) -> TreeView:
        """A copy of what the session's tree holds now."""
        tree = session.tree
        size = int(tree.record.size[0])
        if not session.search.grows_tree:
            size = 1 + int(tree.record.count[0])
        columns = {name: tree.arrays[name][:size].copy() for name in tree.node_columns}
        for array in columns.values():
            array.flags.writeable = False
        return cls(session.game, session.search, session.evaluator, columns, state)

    def __getattr__(self, name: str) -> np.ndarray:
        """A column by its name: `view.value`, `view.visits`."""
        if name == "columns" or name not in self.columns:
            raise AttributeError(f"this tree has no column {name!r}")
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["count"])

    @property
    def root(self) -> Node:
        return Node(self, 0, self.state)

    @cached_property
    def depths(self) -> np.ndarray:
        """How many plies below the root each node is; children come after their parents."""
        found = np.zeros(len(self), np.int64)
        for node, parent in enumerate(self.columns["parent"][1:].tolist(), 1):
            found[node] = found[parent] + 1
        return found

    @cached_property
    def subtrees(self) -> np.ndarray:
        """How many nodes there are in the subtree of each of the root's children."""
        first, count = int(self.columns["first"][0]), int(self.columns["count"][0])
        top = np.arange(len(self))
        for node, parent in enumerate(self.columns["parent"][1:].tolist(), 1):
            if parent > 0:
                top[node] = top[parent]
        return np.bincount(top, minlength=first + count)[first : first + count]

    def to_dict(self, depth: int = 2, top: int | None = None) -> dict[str, Any]:
        """The tree to this `depth`, of each node the `top` children that are best for the player to move."""
        return self.root.to_dict(depth, top)


@dataclass(frozen=True)
class Node:
    """One node: its state, what the search knows of it, and its children."""

    tree: TreeView
    index: int
    state: Any
    move: str = ""
    """The move that leads to it; none leads to the root."""

    @property
    def known(self) -> Known:
        """What the search knows, to the player who moved into the node; of the root nothing but its children."""
        tree = self.tree
        return known_of(tree.search, tree.evaluator, tree.record, self.index) if self.index else Known()

    @cached_property
    def children(self) -> list[Node]:
        """In the order of the rules; empty if there are none in memory."""
        tree, game, record = self.tree, self.tree.game, self.tree.record
        first, count = int(record.first[self.index]), int(record.count[self.index])
        if count <= 0 or first + count > len(tree):
            return []
        found = []
        for child in range(first, first + count):
            move = int(record.move[child])
            found.append(Node(tree, child, game.after(self.state, move), game.move_name(self.state, move)))
        return found

    def best(self, top: int | None = None) -> list[Node]:
        """The children, best first, those of unknown value last."""

        def order(child: Node) -> tuple[bool, float]:
            value = child.known.value
            return value != value, -value

        return sorted(self.children, key=order)[:top]

    def __iter__(self) -> Iterator[Node]:
        """This node and all below it, a parent before its children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def to_dict(self, depth: int, top: int | None = None) -> dict[str, Any]:
        """This node and what is below it, for JSON."""
        found: dict[str, Any] = {"move": self.move or None} | self.known.to_dict()
        if depth > 0:
            found["children"] = [child.to_dict(depth - 1, top) for child in self.best(top)]
        return found
