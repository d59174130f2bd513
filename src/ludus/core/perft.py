"""Perft: count the positions exactly so many plies from a state; every move is really played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludus.core.budget import DEPTH, NEEDS_NODES, RUNNING, STOP_EXHAUSTED, Budget, spent
from ludus.core.errors import SpecError
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.rules import load, play, store
from ludus.core.search import Search, Session, interruptible
from ludus.core.tree import UNOPENED, open_node

LEAVES, NODE, PLY = 0, 1, 2  # registers


class Perft(Search):
    """Walks the whole tree to a depth, as a depth-first search would, and counts the positions there."""

    columns = {"next": "i8"}
    handles_chance = True

    def step(self, game, evaluator, tree, limits):
        while True:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            node = tree.register[NODE]
            ply = tree.register[PLY]
            if ply == limits[DEPTH]:
                tree.register[LEAVES] = 1  # depth 0: the position itself
                return STOP_EXHAUSTED
            if tree.count[node] == UNOPENED:
                if not open_node(game, tree, node):
                    return NEEDS_NODES
                tree.next[node] = 0
            if ply + 1 == limits[DEPTH]:
                state = load(tree.state, node)
                for child in range(tree.first[node], tree.first[node] + tree.count[node]):
                    store(tree.state, child, play(game, state, tree.move[child]))
                tree.register[LEAVES] += tree.count[node]
                tree.next[node] = tree.count[node]
            if tree.next[node] < tree.count[node]:
                child = tree.first[node] + tree.next[node]
                tree.next[node] += 1
                store(tree.state, child, play(game, load(tree.state, node), tree.move[child]))
                tree.count[child] = UNOPENED
                tree.register[NODE] = child
                tree.register[PLY] = ply + 1
            elif node == 0:
                return STOP_EXHAUSTED
            else:
                tree.size[0] = tree.first[node]
                tree.register[NODE] = tree.parent[node]
                tree.register[PLY] = ply - 1

    def prepare(self, tree, game, state, limits):
        limits[DEPTH] -= 1  # a budget's depth is at least 1; perft's may be 0


class NoEvaluator(Evaluator):
    """For walks over a tree that ask for no opinion."""

    def evaluate(self, game, state):
        return 0.0


@dataclass(frozen=True)
class Count:
    """How many positions there are at that depth; `complete` is false if Ctrl-C came first."""

    leaves: int
    seconds: float
    complete: bool


def perft(
    game: Game,
    depth: int,
    state: Any = None,
    *,
    compiled: bool | None = None,
    announce: Callable[[str], None] | None = None,
    progress: Callable[[Session], None] | None = None,
) -> Count:
    """Count the positions exactly `depth` plies from `state`. Games that ended earlier are not counted."""
    if depth < 0:
        raise SpecError(f"DEPTH must be a whole number of at least 0, not {depth}.")
    session = Session(Perft(), game, NoEvaluator(), compiled, announce)
    with interruptible(session):
        stopped = session.run(game.settled_state(state), Budget(depth=depth + 1), progress=progress)
    return Count(int(session.tree.record.register[LEAVES]), session.seconds, stopped == "exhausted")
