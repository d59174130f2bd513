"""Checks of searches that keep their tree from move to move: the tree that is left is what it was, renumbered.

Which column holds what is found out by looking: whatever points to a node's own children, or is counted from the root,
before the root moves must do so afterwards. So a column that was declared as something else is found.

A check takes a search and raises AssertionError if it finds fault.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from ludus import Budget, Result, Search
from ludus.runtime.session import Session
from tests.support.conformance.playing import assert_proofs, truth_of
from tests.support.conformance.repeating import litter
from tests.support.conformance.running import assert_legal, searched, summary
from tests.support.conformance.subjects import new_session
from tests.support.oracles import Exhaustive

LARGE_ENOUGH = 12
"""Inner nodes from which on it is no accident that all cells of a column look alike."""


class Snapshot:
    """A session's tree, with all that follows from the parents and the moves alone worked out anew."""

    def __init__(self, session: Session) -> None:
        tree = session.tree.arrays
        self.size = int(tree["size"][0])
        self.columns = {name: tree[name][: self.size].copy() for name in session.tree.node_columns}
        self.states = [session.tree.state(node) for node in range(self.size)]
        parent, move = self.columns["parent"], self.columns["move"]
        self.path: list[tuple[int, ...]] = [()]
        self.depth, self.passed = np.zeros(self.size, np.int64), np.zeros(self.size, np.int64)
        self.below: dict[int, list[int]] = {node: [] for node in range(self.size)}
        for node in range(1, self.size):
            above = int(parent[node])
            assert 0 <= above < node, "parents come before their children"
            self.path.append((*self.path[above], int(move[node])))
            self.depth[node] = self.depth[above] + 1
            self.below[above].append(node)
        for node in range(1, self.size):
            above = int(parent[node])
            self.passed[node] = self.passed[above] + len(self.below[above])
        self.inner = [node for node in range(self.size) if self.below[node]]

    def pointers(self) -> list[str]:
        """The columns that point from every inner node to one of its own children, or by -1 to none."""
        return [
            name
            for name, cells in self.columns.items()
            if cells.dtype == np.int64 and cells.ndim == 1 and (cells[self.inner] >= 0).any()
            if all(cells[node] in (-1, *self.below[node]) for node in self.inner)
        ]

    def distances(self) -> dict[str, Any]:
        """The columns that are counted from the root, with what they should be: plies, or children on the way."""
        return {
            name: kind
            for name, cells in self.columns.items()
            for kind in ("depth", "passed")
            if cells.ndim == 1 and self.size > 1 and np.array_equal(cells, getattr(self, kind))
        }


def assert_sound(snapshot: Snapshot, game: Any) -> None:
    """Children lie together where their parent says, and their states are those that the moves lead to."""
    first, count, value = (snapshot.columns[name] for name in ("first", "count", "value"))
    for node in range(snapshot.size):
        below = snapshot.below[node]
        assert len(below) == max(int(count[node]), 0)
        assert not below or below == list(range(int(first[node]), int(first[node]) + len(below)))
        if node > 0 and not np.isnan(value[node]):  # or nobody has been there, and the state is what lay there before
            above = snapshot.states[int(snapshot.columns["parent"][node])]
            assert snapshot.states[node] == game.after(above, int(snapshot.columns["move"][node]))


def assert_renumbered(before: Snapshot, after: Snapshot, root: int) -> None:
    """The tree that was kept is the part below `root`, with every cell meaning what it did."""
    old, pointers = {path: node for node, path in enumerate(before.path)}, before.pointers()
    way = before.path[root]
    kept = [node for node in range(before.size) if before.path[node][: len(way)] == way]
    assert sorted(after.path) == sorted(before.path[node][len(way) :] for node in kept)
    for node, path in enumerate(after.path):
        twin = old[way + path]
        assert after.states[node] == before.states[twin]
        for name in pointers if after.below[node] else ():
            target, was = int(after.columns[name][node]), int(before.columns[name][twin])
            assert target in (-1, *after.below[node]), f"{name} points to none of the node's children"
            same = target == was if min(target, was) < 0 else way + after.path[target] == before.path[was]
            assert same, f"{name} is another child"
    for name, kind in before.distances().items():
        assert np.array_equal(after.columns[name], getattr(after, kind)), f"{name} is not counted from the new root"


def check_kept_tree(search: Search, on: str, compiled: bool = False, games: int = 6) -> None:
    """Two plies later the tree is what was below the new root, and the results are legal and true."""
    session, truth, seen = new_session(search, on, compiled), truth_of(on), 0
    for seed in range(games):
        source, state = random.Random(seed), session.game.start
        session.kept = False
        while truth.after(state):
            result = searched(session, state, Budget(nodes=800), seed)
            assert_legal(session.game, state, result)
            assert_proofs(truth, state, result)
            before = Snapshot(session)
            assert_sound(before, session.game)
            state = two_plies_later(truth, state, result, source)
            if truth.after(state):
                session.begin(state, Budget(nodes=1), seed)
                session.kept = True  # as a run would have left it
                after = Snapshot(session)
                if after.size > 1:
                    root = next(n for n in range(before.size) if before.depth[n] == 2 and before.states[n] == state)
                    assert_renumbered(before, after, root)
                    seen += len(before.inner) >= LARGE_ENOUGH and len(after.inner) >= 2
                litter(session)
    assert seen >= 3, "too little was kept to see anything"


def two_plies_later(truth: Exhaustive, state: Any, result: Result, source: random.Random) -> Any:
    """After the chosen move and a reply, in two of three cases the expected one; or the end of the game before that."""
    state = truth.game.after(state, result.move)
    if len(result.line) > 1 and source.random() < 2 / 3:
        return truth.game.after(state, result.line[1])
    return source.choice(truth.after(state) or [state])


def check_keeping_pays(search: Search, on: str, compiled: bool = False) -> None:
    """What was kept need not be generated again: the same position searched again costs less, and is as well known."""
    session = new_session(search, on, compiled)
    state = session.game.start
    first = searched(session, state, Budget(nodes=300), 1)
    assert session.kept
    size = int(session.tree.record.size[0])
    again = searched(session, state, Budget(nodes=1), 1)
    assert session.tree.record.size[0] >= size
    assert again.meter.generated <= session.search.largest_step(session.game, session.evaluator)
    session.kept = False
    assert summary(searched(session, state, Budget(nodes=300), 1)) == summary(first), "and a new game starts anew"
