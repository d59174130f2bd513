"""How the suite runs a search, and what every result of one must be, wherever it comes from."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest import mock

import numpy as np

from ludus import Budget, Game, Result, Search
from ludus.kernel.chance import Dice
from ludus.kernel.limits import GENERATED, LOOKS
from ludus.kernel.random import seed_for
from ludus.kernel.tree import Tree
from ludus.runtime.runner import Runner
from ludus.runtime.session import Session


def counted(nodes: int, depth: int | None = None) -> Budget:
    """So many nodes; the units end it in time if it goes on where nothing is left to generate."""
    return Budget(nodes=nodes, units=100 * nodes + 2000, depth=depth)


COUNTED = (counted(1), counted(50), counted(400), Budget(units=7000), counted(60, depth=3))
MORE_NODES, MORE_LOOKS = 5_000, 100_000
"""A search that goes on for so much longer than any of the budgets here allows does not keep them."""


def budgets_of(search: Search) -> tuple[Budget, ...]:
    """Small ones of every kind. Whoever plays games out would need long to end by a limit on depth alone."""
    return (*COUNTED, counted(300, depth=2) if search.plays_out else Budget(depth=2))


def positions(game: Game, how_many: int = 3) -> list[Any]:
    """The first position, and others that random play comes to, none of them finished."""
    found, dice = [game.start], Dice(seed_for(1))
    for plies in range(1, how_many):
        state = game.start
        for _ in range(plies):
            after = dice.settle(game, game.after(state, dice.pick(game.legal(state), [])))
            state = after if game.legal(after) else state
        found.append(state)
    return found


def run(session: Session, state: Any, budget: Budget, seed: int = 7, progress: Any = None) -> str:
    """Search, and fail instead of going on for ever if the budget is not kept."""

    most = (budget.nodes or 0) + MORE_NODES

    def guard(session: Any) -> None:
        too_long = session.meter[GENERATED] >= most or session.limits[LOOKS] >= MORE_LOOKS
        counted = budget.seconds is None and budget.depth != "auto"
        assert not (counted and too_long), f"it does not keep {budget}"
        if progress is not None:
            progress(session)

    return session.run(state, budget, seed, guard)


def searched(session: Session, state: Any, budget: Budget, seed: int = 7, progress: Any = None) -> Result:
    return session.result(state, run(session, state, budget, seed, progress))


def summary(result: Result) -> tuple[Any, ...]:
    """All that a result says but the seconds; a NaN equals itself."""
    children = [(child.move, child.name, repr(child.value), repr(child.known)) for child in result.children]
    meter = dataclasses.replace(result.meter, seconds=0.0)
    return result.move, repr(result.value), result.line, children, result.stopped, meter


def everything(
    session: Session, fresh: Callable[[], Session] | None = None, backwards: bool = False
) -> list[tuple[Any, ...]]:
    """Summaries of searches from several positions under several budgets, one after another or the last one first.

    They are made in one session, or each in a fresh one.
    """
    tasks = [(state, budget) for state in positions(session.game) for budget in budgets_of(session.search)]
    found = []
    for state, budget in reversed(tasks) if backwards else tasks:
        at_work = fresh() if fresh else session
        at_work.kept = False
        found.append(summary(searched(at_work, state, budget)))
    return found[::-1] if backwards else found


@contextmanager
def pausing_after(looks: int) -> Iterator[None]:
    """Let every search pause after so many looks at the budget: 1 is the least that it can do."""
    with mock.patch.object(Runner, "_slice_looks", return_value=looks):
        yield


@contextmanager
def growing_from(capacity: int) -> Iterator[None]:
    """Let new trees begin with room for so many nodes."""
    with mock.patch("ludus.runtime.runner.Tree", partial(Tree, capacity=capacity)):
        yield


def assert_legal(game: Game, state: Any, result: Result) -> None:
    """The move, the line and the children are legal and fit together."""
    legal = game.legal(state)
    assert result.move in legal
    assert [child.move for child in result.children] == legal
    assert [child.name for child in result.children] == [game.move_name(state, move) for move in legal]
    chosen = result.children[legal.index(result.move)]
    assert result.value == chosen.value or (math.isnan(result.value) and math.isnan(chosen.value))
    for child in result.children:
        assert math.isnan(child.value) or child.known.low <= child.value <= child.known.high
    assert result.line[0] == result.move
    with np.errstate(over="ignore"):
        for move in result.line:
            assert move in game.legal(state), "the line is legal"
            state = game.after(state, move)
