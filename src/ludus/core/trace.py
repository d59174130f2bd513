"""How a best-first search grew its tree: one row for each expansion, as in Figures 6 to 11 of Utgoff & Cochran 2001."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.core import budget as b
from ludus.core.errors import SpecError
from ludus.core.game import Game
from ludus.core.player import Player


@dataclass
class Trace:
    """`rows[i]` is what was there after expansion i; child k of the root has the name `moves[k]`."""

    player: str
    game: str
    moves: list[str]
    rows: list[Row] = field(default_factory=list)
    stopped: str = ""


@dataclass(frozen=True)
class Row:
    """After one expansion."""

    descended: int
    """The child of the root below which a leaf was expanded; -1 for the root itself."""
    values: list[float]
    """Of the root's children, to the player to move at the root."""
    swings: list[float] | None
    sizes: list[int]
    """How many nodes are in each child's subtree."""
    depths: list[int]
    """How many nodes there are at depth 1, 2, ..."""


def trace(game: Game, player: Player, state: Any = None, *, seed: int = 0, most: int = 500) -> Trace:
    """Search from `state` and note down every expansion, `most` of them at most."""
    if not type(player.search).best_first:
        raise SpecError(f"{player.search.title} does not grow a tree leaf by leaf, so there is nothing to trace.")
    state = game.start if state is None else state
    session = player.session(game)
    found = Trace(str(player.on(game)), str(game), [game.move_name(state, move) for move in game.legal(state)])
    session.kept = False
    session.begin(state, player.budget, seed)
    nodes = int(session.limits[b.NODES])
    root_child, depth = np.zeros(1, np.int64), np.zeros(1, np.int64)
    while len(found.rows) < most and session.meter[b.GENERATED] < nodes:
        session.limits[b.NODES] = session.meter[b.GENERATED] + 1  # stop after one expansion
        before = int(session.tree.record.size[0])
        status = session.advance(player.budget)
        tree = session.tree.record
        if tree.size[0] > before:
            root_child, depth = _extend(root_child, depth, tree, before)
            session.search.complete(session)
            found.rows.append(_row(session.search, tree, root_child, depth))
        if status != b.STOP_NODES:
            break
    found.stopped = b.STOPPED.get(status, "nodes") if len(found.rows) < most else "nodes"
    return found


def _extend(root_child: np.ndarray, depth: np.ndarray, tree: Any, before: int) -> tuple[np.ndarray, np.ndarray]:
    """For the nodes that are new: which child of the root they are below, and how deep."""
    new = np.arange(before, int(tree.size[0]))
    parents = tree.parent[new]
    below = np.where(parents == 0, new - int(tree.first[0]), root_child[parents])
    return np.concatenate([root_child, below]), np.concatenate([depth, depth[parents] + 1])


def _row(search: Any, tree: Any, root_child: np.ndarray, depth: np.ndarray) -> Row:
    first, count = int(tree.first[0]), int(tree.count[0])
    last = int(tree.parent[int(tree.size[0]) - 1])
    opinions = [search.opinion(tree, child) for child in range(first, first + count)]
    return Row(
        descended=-1 if last == 0 else int(root_child[last]),
        values=[0.0 - float(value) for value in tree.value[first : first + count]],
        swings=[opinion["swing"] for opinion in opinions] if "swing" in opinions[0] else None,
        sizes=np.bincount(root_child[1:], minlength=count).tolist(),
        depths=np.bincount(depth)[1:].tolist(),
    )
