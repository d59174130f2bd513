"""Checks of values: against plain negamax, on hundreds of small random games.

A check takes a search and raises AssertionError if it finds fault.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from ludus import Budget, Result, Search
from tests.support.conformance.subjects import CALIBRATION
from tests.support.oracles import Exhaustive
from tests.support.tiny_games import ListedGame, OnTrees, TreeValues, some_graphs, some_trees

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
    played = values[legal.index(result.move)]
    said = f"{result.move_name} is said to give {result.value}; it gives {played}, the best move {max(values)}"
    assert result.value == played == max(values), f"{truth.game!r} at depth {depth}: {said}"
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
        true, said = SIGNS[ply % 2] * truth.value(state, depth - ply), result.value
        assert true == said, f"after {ply} plies of the line {result.line} the value is {true}, not {said}"


def assert_proofs(truth: Exhaustive, result: Result) -> None:
    """A value that is proven is that of the whole game; and if the search says that it is solved, one is."""
    whole = truth.move_values(truth.game.start, truth.height(truth.game.start))
    if result.stopped == "solved":
        assert_solved(truth, result)
        assert result.chosen.known.proven, f"{result.move_name} is solved, but not called proven"
    for child, value in zip(result.children, whole, strict=True):
        is_true = not child.known.proven or child.value == value
        assert is_true, f"{child.name} is proven to give {child.value}; it gives {value}"


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


def check_solved(search: Search, how_many: int = 24, compiled: bool = False) -> int:
    """What a search calls solved it has solved: its value is that of the whole game, and so is that of its move. Where
    it values results, only the result need be right. How often it said so."""
    search_on, solved = OnTrees(search, compiled, evaluator=TreeValues().calibrated(CALIBRATION)), 0
    for truth in truths(how_many):
        result = search_on(truth.game, Budget(nodes=2000, units=10**6))
        if result.stopped == "solved":
            solved += 1
            assert_solved(truth, result)
    return solved


def assert_solved(truth: Exhaustive, result: Result) -> None:
    """The value and the move of a result that is called solved are those of the whole game."""
    values = truth.move_values(truth.game.start, truth.height(truth.game.start))
    best, played = max(values), values[truth.game.legal(truth.game.start).index(result.move)]
    if result.scale == "result":
        best, played = float(np.sign(best)), float(np.sign(played))
    said = f"{truth.game!r}: {result.move_name} is said to give {result.value}; it gives {played}, the best move {best}"
    assert played == best, said
    assert result.value == best, said
