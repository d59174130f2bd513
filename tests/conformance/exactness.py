"""Checks of values: against plain negamax, on hundreds of small random games.

A check takes a search and raises AssertionError if it finds fault.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

from oracles import Exhaustive
from tiny_games import ListedGame, OnTrees, TreeValues, some_graphs, some_trees

from ludus import Budget, Result, Search

PLENTY = 10**6
SIGNS = (1, -1)


def check_exact(search: Search, how_many: int = 40, compiled: bool = False) -> None:
    """To a fixed depth, at once or deepened: the value and the move are minimax's, and so is all that is said of it."""
    check_exact_on(search, truths(how_many), compiled)


@cache
def truths(how_many: int) -> list[Exhaustive]:
    """So many random trees and so many random graphs with what is true of them, which no search changes."""
    return known_of((*some_trees(how_many), *some_graphs(how_many)))


def known_of(games: Iterable[ListedGame]) -> list[Exhaustive]:
    return [Exhaustive(game, TreeValues()) for game in games]


def check_exact_on(search: Search, known: list[Exhaustive], compiled: bool = False) -> None:
    search_on = OnTrees(search, compiled)
    for truth in known:
        game = truth.game
        height = truth.height(game.start)
        for depth in range(1, height + 2):
            for budget in (Budget(depth=depth), Budget(depth=depth, nodes=PLENTY)):
                result = search_on(game, budget)
                assert_exact(truth, result, depth)
                assert result.stopped == "solved" or (depth < height and result.stopped == "depth")


def assert_exact(truth: Exhaustive, result: Result, depth: int) -> None:
    """What a result says is true of a search to `depth`."""
    start = truth.game.start
    values = truth.move_values(start, depth)
    legal = truth.game.legal(start)
    assert result.value == max(values)
    assert values[legal.index(result.move)] == max(values)
    for child, value in zip(result.children, values, strict=True):
        assert child.known.low <= value <= child.known.high
        assert math.isnan(child.value) or child.known.is_bound or child.value == value
        assert child.known.is_bound or not math.isnan(child.value)
    assert_line(truth, result, depth)
    assert_proofs(truth, result)


def assert_line(truth: Exhaustive, result: Result, depth: int) -> None:
    """Along the line the value stays what it is; it may end early where a table knew the rest."""
    state = truth.game.start
    for ply, move in enumerate(result.line, start=1):
        state = truth.game.after(state, move)
        assert truth.value(state, depth - ply) == SIGNS[ply % 2] * result.value


def assert_proofs(truth: Exhaustive, result: Result) -> None:
    """A value that is proven is that of the whole game; and if the search says that it is solved, one is."""
    whole = truth.move_values(truth.game.start, truth.height(truth.game.start))
    assert result.stopped != "solved" or result.value == max(whole)
    assert result.stopped != "solved" or result.chosen.known.proven
    for child, value in zip(result.children, whole, strict=True):
        assert not child.known.proven or child.value == value


def check_true_values(search: Search, how_many: int = 40, compiled: bool = False) -> None:
    """Under any budget what an exact search says of a move is true of the depth that it names."""
    search_on = OnTrees(search, compiled)
    for truth in truths(how_many)[how_many:]:  # the graphs
        game = truth.game
        for nodes in (1, 3, 10, 30, 100, 300):
            result = search_on(game, Budget(nodes=nodes))
            for i, child in enumerate(result.children):
                depth: Any = child.known.more.get("depth")
                if depth is not None:
                    value = truth.move_values(game.start, depth)[i]
                    assert child.known.low <= value <= child.known.high
                    assert child.known.is_bound or child.value == value
            assert_proofs(truth, result)
