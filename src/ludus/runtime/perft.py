"""Perft: count the positions exactly `depth` plies from a state; every move is really played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludus.common.numbers import whole_number
from ludus.kernel.columns import integer
from ludus.kernel.limits import DEPTH, NEEDS_NODES, RUNNING, STOP_EXHAUSTED, spent
from ludus.kernel.rules import load
from ludus.kernel.tree import UNOPENED, generate, open_node
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.game import GameLike
from ludus.model.program import Program
from ludus.runtime.runner import Runner, interruptible


class Perft(Program):
    """Walks the whole tree to a depth, as a depth-first search would, and counts the positions there."""

    registers = {"leaves": "i8", "node": "i8", "ply": "i8"}
    columns = {"next": integer()}  # how many of the node's children have been entered
    handles_chance = True

    def step(self, game, evaluator, tree, limits):
        while True:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            node = tree.register[0].node
            ply = tree.register[0].ply
            if ply == limits[DEPTH]:
                tree.register[0].leaves = 1  # depth 0: the position itself
                return STOP_EXHAUSTED
            if tree.count[node] == UNOPENED:
                if not open_node(game, tree, node):
                    return NEEDS_NODES
                tree.next[node] = 0
            if ply + 1 == limits[DEPTH]:
                state = load(tree.state, node)
                for child in range(tree.first[node], tree.first[node] + tree.count[node]):
                    generate(game, tree, state, child)
                tree.register[0].leaves += tree.count[node]
                tree.next[node] = tree.count[node]
            if tree.next[node] < tree.count[node]:
                child = tree.first[node] + tree.next[node]
                tree.next[node] += 1
                generate(game, tree, load(tree.state, node), child)
                tree.count[child] = UNOPENED
                tree.register[0].node = child
                tree.register[0].ply = ply + 1
            elif node == 0:
                return STOP_EXHAUSTED
            else:
                tree.size[0] = tree.first[node]
                tree.register[0].node = tree.parent[node]
                tree.register[0].ply = ply - 1

    def prepare(self, tree, game, state, limits):
        limits[DEPTH] -= 1  # a budget's depth is at least 1; perft's may be 0


@dataclass(frozen=True)
class Count:
    """How many positions there are at that depth; `complete` is false if Ctrl-C came first."""

    leaves: int
    seconds: float
    complete: bool


def perft(
    game: GameLike,
    depth: int,
    state: Any = None,
    *,
    compiled: bool | None = None,
    announce: Callable[[str], None] | None = None,
    progress: Callable[[Runner], None] | None = None,
) -> Count:
    """Count the positions exactly `depth` plies from `state`. Games that ended earlier are not counted.

    >>> ludus.perft("tictactoe", 5, compiled=False).leaves
    15120
    """
    depth = whole_number("DEPTH", depth, 0)
    game = registry.games().of(game)
    work = Runner(Perft(), game, None, compiled, announce)
    with interruptible(work):
        stopped = work.run(game.read_state(state), Budget(depth=depth + 1), progress=progress)
    return Count(int(work.tree.record.register[0].leaves), work.seconds, stopped == "exhausted")
