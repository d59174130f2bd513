"""How a best-first search grew its tree: one row for each expansion, as in Figures 6 to 11 of Utgoff & Cochran 2001."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.common.errors import SpecError, StateError
from ludus.common.numbers import whole_number
from ludus.kernel import limits as b
from ludus.model.playable import PlayableGame
from ludus.model.result import Known
from ludus.model.search import Search
from ludus.model.view import TreeView
from ludus.runtime.player import Player
from ludus.runtime.runner import interruptible


@dataclass
class Trace:
    """`rows[i]` is what was there when the tree had grown for the i-th time; child k of the root is `moves[k]`."""

    player: str
    game: str
    moves: list[str]
    rows: list[Row] = field(default_factory=list)
    stopped: str = ""
    """Why: as for a search, or `most` if that many expansions were noted down."""
    tree: TreeView | None = None
    """The tree at the end, if there was anything to note down."""
    line: list[int] = field(default_factory=list)
    """The principal line, move by move."""
    expansions: int = 0
    """As the meter counts them, and `search` tells: a search that plays games out counts playouts too."""


@dataclass(frozen=True)
class Row:
    """After one expansion that let the tree grow."""

    descended: int
    """The child of the root below which a leaf was expanded; -1 for the root itself."""
    expanded: int
    """How many expansions the meter has counted, playouts included."""
    values: list[float]
    """The values of the root's children, to the player to move at the root."""
    swings: list[float] | None
    sizes: list[int]
    """How many nodes are in each child's subtree."""
    depths: list[int]
    """How many nodes there are at depth 1, 2, ..."""
    gains: list[float] | None = None
    """What each child promises to gain, if the search descends where that is most."""
    more: dict[str, list[float]] = field(default_factory=dict, compare=False)
    """All that the search knows of the root's children besides a value, by name: swings, proof numbers, the ends of
    intervals, conspirators."""


def trace(game: PlayableGame, player: Player, state: Any = None, *, seed: int = 0, most: int = 500) -> Trace:
    """Search from `state` and note down every expansion, `most` of them at most. Ctrl-C gives those so far."""
    if not player.search.grows_tree:
        raise SpecError(f"{player.search.title} does not grow a tree leaf by leaf, so there is nothing to trace.")
    most = whole_number("the expansions to note down", most, 1)
    state = game.read_state(state)
    legal = game.legal(state)
    if not legal:
        raise StateError(f"the game is over in position {game.state_text(state)!r}: there is nothing to trace.")
    session = player.session(game)
    found = Trace(str(player.on(game)), str(game), [game.move_name(state, move) for move in legal])
    session.kept = False
    budget = player.share(game, 0)
    session.begin(state, budget, seed)
    root_child, depth = np.zeros(1, np.int64), np.zeros(1, np.int64)
    status = b.PAUSED
    with interruptible(session):
        while status == b.PAUSED and len(found.rows) < most:
            before = int(session.tree.record.size[0])
            status = session.one_look(budget)
            tree = session.tree.record
            if tree.size[0] > before:
                root_child, depth = _extend(root_child, depth, tree, before)
                session.search.conclude(session)
                found.rows.append(_row(session.search, tree, int(session.meter[b.EXPANDED]), root_child, depth))
    found.stopped = b.STOPPED.get(status, "most")
    found.expansions = int(session.meter[b.EXPANDED])
    if found.rows:
        session.search.conclude(session)
        found.tree, found.line = TreeView.of(session, state), session.search.line(session.tree.record)
    return found


def _extend(root_child: np.ndarray, depth: np.ndarray, tree: Any, before: int) -> tuple[np.ndarray, np.ndarray]:
    """For the nodes that are new: which child of the root they are below, and how deep."""
    new = np.arange(before, int(tree.size[0]))
    parents = tree.parent[new]
    below = np.where(parents == 0, new - int(tree.first[0]), root_child[parents])
    return np.concatenate([root_child, below]), np.concatenate([depth, depth[parents] + 1])


def _row(search: Search, tree: Any, expanded: int, root_child: np.ndarray, depth: np.ndarray) -> Row:
    first, count = int(tree.first[0]), int(tree.count[0])
    last = int(tree.parent[int(tree.size[0]) - 1])
    known = [search.knowledge(tree, child) for child in range(first, first + count)]
    return Row(
        descended=-1 if last == 0 else int(root_child[last]),
        expanded=expanded,
        values=[each.value for each in known],
        swings=_all(known, "swing"),
        sizes=np.bincount(root_child[1:], minlength=count).tolist(),
        depths=np.bincount(depth)[1:].tolist(),
        gains=_all(known, "gain"),
        more={name: [float(each.more[name]) for each in known] for name in _shared_names(known)},
    )


def _shared_names(known: list[Known]) -> list[str]:
    """The further numbers that are known of every child."""
    return [name for name in known[0].more if all(each.more.get(name) is not None for each in known)]


def _all(known: list[Known], name: str) -> list[float] | None:
    """A further number of all children; None if the search does not have it."""
    return [each.more[name] for each in known] if name in known[0].more else None
