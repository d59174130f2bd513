"""Two threads beside one: wall time, on two processors that should have nothing else to do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import ludus
from benchmarks.measure import Row, benchmark, use_cores
from benchmarks.solving import positions

GOAL = "ratio below 0.67"


def seconds_of(choose: Callable[[Any], Any], states: list[Any]) -> float:
    """How long it takes by the clock."""
    started = time.perf_counter()
    for state in states:
        choose(state)
    return time.perf_counter() - started


def compared(name: str, game: ludus.Game, spec: str, budget: str, states: list[Any]) -> Row:
    """Two threads beside one, in turns; of each the shortest of three times."""
    players = [
        ludus.Player(spec.format(threads), "zero" if "solve" in spec else None, budget, compiled=True)
        for threads in (1, 2)
    ]
    times: list[list[float]] = [[], []]
    for _ in range(4):  # the first time compiles, and is not the shortest
        for player, found in zip(players, times, strict=True):
            found.append(seconds_of(lambda state, player=player: player.choose(game, state), states))
    return Row(name, "s, two threads", min(times[1]), min(times[0]), "one thread", GOAL)


@benchmark
def threads(quick: bool) -> Iterator[Row]:
    """Alpha-beta to a fixed depth, at once and deepened, and solving, with one thread and with two."""
    use_cores(2)
    game, spec = ludus.game("othello"), "alphabeta(table=true, memory_of_table=64, threads={})"
    depth, states = 5 if quick else 11, positions(game, range(8, 9), 1 if quick else 4)
    yield compared(f"othello, depth {depth}", game, spec, f"depth={depth}", states)
    yield compared(f"othello, deepened to {depth}", game, spec, f"depth={depth}, nodes=1000000000000", states)
    empties = 8 if quick else 16
    states = positions(game, range(60 - empties, 61 - empties), 1 if quick else 4)
    yield compared(f"othello, solving {empties} empties", game, "solve(threads={})", "nodes=1000000000000", states)
    game = ludus.game("connect4")
    states = positions(game, range(20, 21) if quick else range(8, 9), 1 if quick else 5)
    yield compared("connect4, solving", game, "solve(threads={})", "nodes=1000000000000", states)
    use_cores(1)
