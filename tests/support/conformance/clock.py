"""Checks of budgets of seconds, by the CPU time of the thread that searches: what it uses is its own doing, while on a
busy machine the clock on the wall runs on without it.

A deadline is a point on the wall's clock. So a busy machine can only lower the CPU time that is used until then, and
what must not be exceeded is measured in CPU time, what must be reached on the wall.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from typing import Any

import ludus
from ludus import Budget, Search
from ludus.runtime.session import Session
from tests.support.tiny_games import TinyTree, TreeValues

GAMES = {
    "long-tree": lambda: (TinyTree.long(), TreeValues()),
    "tictactoe": lambda: (ludus.game("tictactoe"), ludus.evaluator("open-lines")),
}


@dataclass
class Spent:
    """What one move took, in seconds."""

    cpu: float
    wall: float
    stopped: str


def time_moves(session: Session, seconds: float, moves: int) -> list[Spent]:
    """So many moves of one player, under a budget of so many seconds each; a new game when one has ended."""
    game, budget, found = session.game, Budget(seconds=seconds), []
    state: Any = game.start
    for seed in range(moves):
        wall, cpu = time.perf_counter(), time.thread_time()
        stopped = session.run(state, budget, seed)
        move = session.choose()
        found.append(Spent(time.thread_time() - cpu, time.perf_counter() - wall, stopped))
        state = game.after(state, move)
        state = game.after(state, game.legal(state)[seed % 2]) if game.legal(state) else state
        if not game.legal(state):
            state, session.kept = game.start, False
    return found


def check_seconds(search: Search, on: str, compiled: bool = True, moves: int = 40, tries: int = 6) -> None:
    """CPU time within 20 % of the budget on average and within 10 ms at most; the best of some tries counts.

    Nobody can end a search in the midst of an expansion. Compiled it takes microseconds; interpreted up to some
    milliseconds on a busy machine, so the mean of interpreted moves may exceed the 20 % by one expansion.
    """
    game, evaluator = GAMES[on]()
    session = Session(search, game, evaluator.on(game), compiled)
    firsts = [expansion_time(session) for _ in range(4)]  # the first call is slow
    one = 0.0 if compiled else min(firsts)
    for seconds in (0.005, 0.05):
        faults = (faults_of(time_moves(session, seconds, moves), seconds, one) for _ in range(tries))
        found = list(itertools.takewhile(bool, faults))
        assert len(found) < tries, found[-1]


def expansion_time(session: Session) -> float:
    """The CPU time of the least that a search can do, in seconds."""
    before = time.thread_time()
    session.run(session.game.start, Budget(nodes=1))
    return time.thread_time() - before


def faults_of(spent: list[Spent], seconds: float, one: float) -> str:
    """What is wrong with what some moves took, where one expansion takes `one` seconds; nothing if all is well."""
    used = [move for move in spent if move.stopped == "seconds"]
    if not used:
        return ""  # it always stops by itself
    mean, most = sum(move.cpu for move in used) / len(used), max(move.cpu for move in spent)
    if min(move.wall for move in used) < seconds:
        return f"it stops before {seconds} s are over"
    if mean > 1.2 * seconds + one or most > seconds + 0.01:
        return f"of {seconds} s it takes {mean:.4f} on average, {most:.4f} at most"
    return ""
