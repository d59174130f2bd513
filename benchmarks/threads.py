"""Two threads beside one: wall time, on two processors that should have nothing else to do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import ludus
from benchmarks.measure import Row, benchmark, use_cores
from benchmarks.solving import positions
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.program import NoEvaluator
from ludus.runtime.session import Session

GOAL = "ratio below 0.67"


def cost_of(choose: Callable[[Any], Any], states: list[Any]) -> tuple[float, int]:
    """How long it takes by the clock, and how many nodes are generated."""
    started = time.perf_counter()
    nodes = sum(choose(state).meter.generated for state in states)
    return time.perf_counter() - started, nodes


def compared(name: str, game: ludus.Game, spec: str, budget: str, states: list[Any]) -> Iterator[Row]:
    """Two threads beside one, in turns: the shortest of three times, and nodes, some of which two threads do twice."""
    players = [
        ludus.Player(spec.format(threads), "zero" if "solve" in spec else None, budget, compiled=True)
        for threads in (1, 2)
    ]
    costs: list[list[tuple[float, int]]] = [[], []]
    for _ in range(4):  # the first time compiles, and is not the shortest
        for player, found in zip(players, costs, strict=True):
            found.append(cost_of(lambda state, player=player: player.choose(game, state), states))
    seconds = [min(cost[0] for cost in found) for found in costs]
    nodes = [sum(cost[1] for cost in found) / len(found) for found in costs]
    yield Row(name, "s, two threads", seconds[1], seconds[0], "one thread", GOAL)
    yield Row(name, "nodes, two threads", nodes[1], nodes[0], "one thread")


def visits(nodes: int) -> Row:
    """How many games `uct` plays out in a second, in turns; of each the most of four."""
    game, rates = ludus.game("othello"), [0.0, 0.0]
    sessions = [Session(registry.searches().of("uct", threads=n), game, NoEvaluator(), compiled=True) for n in (1, 2)]
    for seed in range(4):
        for number, session in enumerate(sessions):
            session.run(game.start, Budget(nodes=nodes), seed)
            rates[number] = max(rates[number], float(session.tree.record.visits[0]) / session.seconds)
    return Row(f"uct on othello, {nodes:,} nodes", "visits/s", rates[1], rates[0], "one thread", "ratio at least 1.6")


@benchmark
def threads(quick: bool) -> Iterator[Row]:
    """Alpha-beta to a fixed depth, at once and deepened, solving, and visits of `uct`: one thread and two."""
    use_cores(2)
    game, spec = ludus.game("othello"), "alphabeta(table=true, memory_of_table=64, threads={})"
    depth, states = 5 if quick else 11, positions(game, range(8, 9), 1 if quick else 4)
    yield from compared(f"othello, depth {depth}", game, spec, f"depth={depth}", states)
    yield from compared(f"othello, deepened to {depth}", game, spec, f"depth={depth}, nodes=1000000000000", states)
    empties = 8 if quick else 16
    states = positions(game, range(60 - empties, 61 - empties), 1 if quick else 4)
    yield from compared(f"othello, solving {empties} empties", game, "solve(threads={})", "nodes=1000000000000", states)
    game = ludus.game("connect4")
    for played, how_many in ((20, 1),) if quick else ((8, 5), (6, 3)):  # some hundredths of a second each; a second
        name, states = f"connect4, solving, {played} plies played", positions(game, range(played, played + 1), how_many)
        yield from compared(name, game, "solve(threads={})", "nodes=1000000000000", states)
    yield visits(2_000_000 if quick else 40_000_000)
    use_cores(1)
