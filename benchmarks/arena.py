"""How fast games are played: a ranking is thousands of them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import ludus
from benchmarks.measure import Row, benchmark, use_cores
from ludus.arena.play.openings import openings
from ludus.arena.play.pairs import Pair
from ludus.arena.pool.resources import Resources
from ludus.runtime.session import Session

PLAYERS = ("bfmm(nodes=1000)", "alphabeta(nodes=1000)")


@benchmark
def arena(quick: bool) -> Iterator[Row]:
    """Othello, bfmm against alphabeta at 1000 nodes a move: games a second, and the time outside kernels."""
    pairs = _pairs(10 if quick else 150)
    # In turns, since other machines may share the processors: the best of each.
    rates = [[_games_per_second(pairs, workers) for workers in (1, 2)] for _ in range(1 if quick else 5)]
    one, two = (max(found) for found in zip(*rates, strict=True))
    alone, both = (_counting(processes, 1 if quick else 5) for processes in (1, 2))
    yield Row("games, one worker", "games/s", one)
    yield Row("games, two workers", "games/s", two, one, "one worker", "ratio at least 1.8")
    yield Row("counting, two processes", "million/s", 2 * both, alone, "one process: what the machine itself gives")
    yield Row("outside kernels", "% of the time", 100 * _share_outside(pairs), goal="below 25")


def _pairs(count: int) -> list[Pair]:
    game = ludus.game("othello")
    players = ludus.player(PLAYERS[0]).on(game), ludus.player(PLAYERS[1]).on(game)
    found = enumerate(islice(openings(game, 4, seed=0), count))
    return [Pair((0, 1, number), opening, players, number) for number, opening in found]


def _games_per_second(pairs: list[Pair], workers: int) -> float:
    """Once the workers are at work; the limit makes one worker a process of its own, too."""
    use_cores(2)  # one of them may be this process's
    with closing(Resources(workers, move_limit=60.0).hire()) as pool:
        list(pool.run(pairs[: 4 * workers]))
        started = time.perf_counter()
        done = sum(1 for _ in pool.run(pairs))
        taken = time.perf_counter() - started
    use_cores(1)
    return 2 * done / taken


def _counting(processes: int, times: int) -> float:
    """How fast each of so many processes counts: where they share a processor, two get less than twice as far."""
    code = "import time; t = time.perf_counter(); sum(range(10**7)); print(time.perf_counter() - t)"
    use_cores(2)
    best = 9e9
    for _ in range(times):
        started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(processes)]
        best = min(best, max(float(process.communicate()[0]) for process in started))
    use_cores(1)
    return 10 / best


def _share_outside(pairs: list[Pair]) -> float:
    """Which part of the time of playing games is not spent in compiled searches."""
    pairs[0].perform()
    inside, step = 0.0, Session.step

    def timed(session: Session) -> int:
        nonlocal inside
        started = time.perf_counter()
        status = step(session)
        inside += time.perf_counter() - started
        return status

    Session.step = timed  # type: ignore[method-assign]
    try:
        started = time.perf_counter()
        for pair in pairs:
            pair.perform()
        return 1 - inside / (time.perf_counter() - started)
    finally:
        Session.step = step  # type: ignore[method-assign]
