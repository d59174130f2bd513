"""Checks of what a search spends: the meter is honest, and every budget is kept.

A check takes a search and raises AssertionError if it finds fault.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any
from unittest import mock

from ludus import Budget, Meter, Search
from ludus.kernel.limits import INTERRUPT, STOPPED
from ludus.runtime.session import Session
from tests.support.conformance.running import (
    assert_legal,
    budgets_of,
    counted,
    growing_from,
    pausing_after,
    positions,
    run,
    searched,
    summary,
)
from tests.support.conformance.subjects import GAMES, new_session, session_of
from tests.support.oracles import Exhaustive

BY_ITSELF = {"depth", "sure", "solved", "exhausted"}
"""Why a search stops that has budget left."""


def counting(component: Any, calls: dict[str, int], *rules: str) -> Any:
    """The same game or evaluator, with calls of its rules counted by what the test itself writes down."""

    def count(rule: str) -> Any:
        original = getattr(type(component), rule)

        def counted(self, *arguments):
            calls[rule] += 1
            return original(self, *arguments)

        return counted

    kind: Any = type(type(component).__name__, (type(component),), {rule: count(rule) for rule in rules})
    if hasattr(kind, "written"):
        kind.written = kind  # of a game: copies are made of the class that its author wrote
    twin = object.__new__(kind)
    twin.__dict__.update(component.__dict__)
    return twin


def check_meter(search: Search, on: str) -> None:
    """Every call of `play`, `null`, `evaluate` and `final` is counted, and nothing else."""
    game, evaluator = GAMES[on]()
    calls = dict.fromkeys(("play", "null", "evaluate", "final"), 0)
    game = counting(game, calls, "play", "null")
    session = Session(search, game, counting(evaluator.on(game), calls, "evaluate", "final"), compiled=False)
    for state in positions(game):
        for budget in budgets_of(search):
            session.kept = False
            calls.update(dict.fromkeys(calls, 0))
            stopped = run(session, state, budget)
            made = dict(calls)
            meter = session.result(state, stopped).meter
            assert meter.generated == made["play"] + made["null"]
            assert meter.evaluated == made["evaluate"] + made["final"]
            assert meter.expanded >= 1


def check_counted_budget(search: Search, on: str, compiled: bool, key: str) -> None:
    """A budget of nodes or units is looked at before each unit of work, and overrun by one of them at most."""
    session = session_of(search, on, compiled)
    game = session.game
    # An expansion, whose evaluations generate nothing here; or a playout, in games in which nobody has to pass.
    largest = max(game.max_moves, game.length) if search.plays_out else game.max_moves
    assert largest <= search.largest_step(game, session.evaluator)
    for state, limit in itertools.product(positions(game), (1, 30, 150) if key == "nodes" else (1, 3000, 15000)):
        meters, budget = [Meter()], Budget(**{key: limit})
        session.kept = False
        with pausing_after(1):
            result = searched(session, state, budget, progress=lambda s, m=meters: m.append(Meter.read(s.meter, 0.0)))
        meters.append(result.meter)
        spent = [m.generated if key == "nodes" else m.traversed + 100 * m.generated for m in meters]
        assert max(after.generated - before.generated for before, after in itertools.pairwise(meters)) <= largest
        last = max((i for i, value in enumerate(spent) if value < spent[-1]), default=0)  # the last unit of work
        obliged = result.meter.generated <= len(game.legal(state))  # the first look at the moves is free
        assert spent[last] < limit or obliged
        assert key == "units" or result.meter.generated < limit + largest
        assert result.stopped in BY_ITSELF | {key}
        assert result.stopped != key or spent[-1] >= limit


def check_depth(search: Search, on: str) -> None:
    """Nothing beyond a limit on depth is generated; playouts go on beyond, but not in the tree."""
    game, evaluator = GAMES[on]()
    plies, deepest = plies_of(on), 0

    class Watched(type(game)):  # type: ignore[misc]
        def play(self, state, move):
            nonlocal deepest
            after = super().play(state, move)
            deepest = max(deepest, plies[self.layout.settle(after)])
            return after

    Watched.written = Watched  # copies are made of the class that its author wrote
    watched = object.__new__(Watched)
    watched.__dict__.update(game.__dict__)
    session = Session(search, watched, evaluator.on(watched), compiled=False)
    for depth, nodes in ((1, 200), (2, 200), (3, 200)) if search.plays_out else ((2, None), (1, 200), (3, 200)):
        deepest, session.kept = 0, False
        stopped = run(session, game.start, counted(nodes, depth) if nodes else Budget(depth=depth))
        reached = _height(session) if search.plays_out else deepest
        assert reached <= depth
        assert stopped in BY_ITSELF | ({"nodes", "units"} if nodes else set())


@cache
def plies_of(on: str) -> dict[Any, int]:
    """How far each position is from the first one, in games in which all ways to it are equally long."""
    game, _ = GAMES[on]()
    walk, found, level = Exhaustive(game), {game.start: 0}, [game.start]
    while level:
        level = list(dict.fromkeys(after for state in level for after in walk.after(state)))
        found |= dict.fromkeys(level, max(found.values()) + 1)
    return found


def _height(session: Session) -> int:
    """How deep the session's tree is."""
    tree, ply = session.tree.record, {0: 0}
    for node in range(1, int(tree.size[0])):
        ply[node] = ply[int(tree.parent[node])] + 1
    return max(ply.values())


def check_automatic_depth(search: Search, on: str) -> None:
    """`depth=auto` gives what some fixed depth gives, the same for the same budget and not less for more."""
    session, depths = session_of(search, on), []
    for nodes in (30, 300, 3000):
        chosen = summary(searched(session, session.game.start, Budget(depth="auto", nodes=nodes)))
        fixed = (summary(searched(session, session.game.start, Budget(depth=depth))) for depth in range(1, 6))
        depths.append(next((i for i, found in enumerate(fixed, start=1) if found == chosen), None))
    assert None not in depths
    assert depths == sorted(depths)


def check_memory(search: Search, compiled: bool) -> None:
    """Too little memory ends the search with a legal move, and is kept."""
    nodes = 20_000 if compiled else 2_000
    for memory in (1e-9, 0.002):
        with growing_from(1):
            session = new_session(search, "small-tictactoe", compiled)
        game = session.game
        for budget in (Budget(nodes=nodes, memory=memory), Budget(depth=4, nodes=nodes, memory=memory)):
            session.kept = False
            result = searched(session, game.start, budget)
            assert_legal(game, game.start, result)
            room = max(int(memory * 1e6 / session.tree.node_bytes), 1 + game.max_moves)
            assert session.tree.record.size[0] <= session.tree.capacity <= room
            assert result.stopped in STOPPED.values()
            short = search.looks_ahead and (search.grows_tree or memory == 1e-9)  # the root's children always fit
            assert not short or result.stopped == "memory"


def check_interrupted(search: Search, on: str) -> None:
    """Interrupted after any number of steps it has a legal move and line."""
    session = session_of(search, on)
    state = session.game.start
    for budget in (Budget(depth=4), Budget(nodes=10_000)):
        for steps in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89):
            left = itertools.count(steps - 1, -1)

            def interrupt(session: Any, left: Any = left) -> None:
                session.limits[INTERRUPT] = next(left) <= 0

            session.kept = False
            with pausing_after(1):
                result = searched(session, state, budget, progress=interrupt)
            assert_legal(session.game, state, result)
            assert result.stopped in BY_ITSELF | {"interrupted"}
            if result.stopped != "interrupted":
                break


def check_interrupted_at_once(search: Search, on: str) -> None:
    """Interrupted before it began it has a legal move; only who is content with one look at the moves is done."""
    set_limits = Budget.set_limits

    def interrupted(budget: Budget, limits: Any) -> None:
        set_limits(budget, limits)
        limits[INTERRUPT] = 1

    session = session_of(search, on)
    state = session.game.start
    with mock.patch.object(Budget, "set_limits", interrupted):
        result = searched(session, state, Budget(nodes=10_000))
    assert_legal(session.game, state, result)
    assert result.meter.generated <= len(session.game.legal(state))
    assert result.stopped == "interrupted" or not search.looks_ahead
