"""`ludus.solve`: the exact result of a position, and what there is to say of a game that is small."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ludus.diagnostics.solve.circles import Lookout
from ludus.diagnostics.solve.settings import SolveSettings
from ludus.diagnostics.solve.solution import Proven, Solution
from ludus.kernel.limits import INTERRUPT
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.game import GameLike
from ludus.model.position import Position
from ludus.model.result import Result
from ludus.runtime.player import Player
from ludus.runtime.session import Session
from ludus.runtime.state_graph import state_graph

LONG = 1.0
"""Seconds after which a search is asked whether the game goes in circles."""


def solve(
    game: GameLike | Position,
    state: Any = None,
    *,
    goal: str = "score",
    budget: Budget | str | None = None,
    minutes: float | None = None,
    whole: int = 10_000,
    table: float = 128.0,
    threads: int = 1,
    seed: int = 0,
    compiled: bool | None = None,
    progress: Callable[[int, str], None] = lambda nodes, words: None,
    announce: Callable[[str], None] | None = None,
) -> Solution:
    """The exact result of a position under best play, by default of the first one, for games that are small enough.

    `print` shows it, `.value`, `.line_names` and `.to_dict()`, the JSON of `ludus solve`, have it. Out of budget, or
    after Ctrl-C, `.proven` has what is sure so far.

    goal: the exact `"score"`, or only the `"result"`; budget: stop after so much, `"nodes=1000000"`, by default when it
    is solved; minutes: the time limit; whole: tell more of a game of at most this many positions: a shortest line and
    which moves were the only right ones; table: megabytes for positions; threads: processors to use; seed: changes
    nothing; compiled: True to compile or fail, False to interpret; progress: called with how many nodes there are and
    words; announce: called with what is compiled.

    >>> found = ludus.solve("nim(stones=12)", compiled=False)
    >>> found.value, found.line_names, found.choices, found.single
    (1.0, ['3', '1', '3', '1', '3', '1'], 5, 3)
    """
    settings = SolveSettings(
        goal=goal,
        budget=budget,
        minutes=minutes,
        whole=whole,
        table=table,
        threads=threads,
        seed=seed,
        compiled=compiled,
    )
    return solve_position(game, state, settings, progress, announce)


def solve_position(
    game: GameLike | Position,
    state: Any,
    settings: SolveSettings,
    progress: Callable[[int, str], None] = lambda nodes, words: None,
    announce: Callable[[str], None] | None = None,
) -> Solution:
    """Solve this position, or the first one if the state is None, as the settings say."""
    goal, limit = settings.goal, settings.limit
    search = registry.searches().of("solve", goal=goal, memory_of_table=settings.table, threads=settings.threads)
    player = Player(search, "zero", limit, compiled=settings.compiled, announce=announce)
    look = Lookout(settings.whole, only_result=goal == "result")

    def tell(session: Session) -> None:
        if session.elapsed > LONG:
            left = _seconds_left(limit, session.elapsed)
            session.limits[INTERRUPT] |= look(session.game, session.tree.state(0), left).is_endless
        proven = Proven.by(session)
        words = f"{session.generated:,} nodes, {proven}"
        progress(session.generated, f"{words}, {reach}" if (reach := proven.reach) else words)

    result = player.choose(game, state, seed=settings.seed, progress=tell)
    session = player.session(result.game)
    facts: dict[str, Any] = {
        "proven": Proven.by(session),
        "threads": session.team.threads,
        "is_compiled": session.kernel is not None,
        "line": result.line,
        "stopped": result.stopped,
    }
    if facts["proven"].solved:
        facts |= _more(result, limit, goal, settings.whole)
    else:
        facts |= _circles(result, limit, facts["proven"], look)
    return Solution(result, goal=goal, seed=settings.seed, **facts)


def _seconds_left(budget: Budget, elapsed: float) -> float:
    return math.inf if budget.seconds is None else budget.seconds - elapsed


def _circles(result: Result, budget: Budget, proven: Proven, look: Lookout) -> dict[str, Any]:
    """What can be told of a game that is not solved: whether it goes in circles."""
    gave_up = look.found.is_endless
    try:
        found = look(result.game, result.state, _seconds_left(budget, result.meter.seconds))
    except KeyboardInterrupt:
        return {"stopped": "interrupted"}
    if not found.is_endless:
        return {"circles": found}
    stopped = "exhausted" if gave_up else result.stopped
    return {"circles": found, "proven": replace(proven, low=found.low, high=found.high), "stopped": stopped}


def _more(result: Result, budget: Budget, goal: str, most: int) -> dict[str, Any]:
    """What can be told of a game whose positions are few, within what is left of the budget."""
    nodes = math.inf if budget.nodes is None else budget.nodes - result.meter.generated
    left, sign = _seconds_left(budget, result.meter.seconds), goal == "result"
    try:
        found = state_graph(result.game, result.state, only_result=sign, positions=most, nodes=nodes, seconds=left)
    except KeyboardInterrupt:
        return {"stopped": "interrupted"}
    if found is None:
        return {}
    shortest = found.shortest_line()
    line = shortest or result.line
    choices, single = found.choices(line)
    return {"line": line, "shortest": bool(shortest), "reachable": len(found), "choices": choices, "single": single}
