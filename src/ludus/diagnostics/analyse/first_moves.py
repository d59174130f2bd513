"""The first moves: which of them win outright, by proof where that is possible, and how they score in play."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludus.common.interval import Estimate, share
from ludus.diagnostics.analyse.exact import Exact
from ludus.diagnostics.analyse.tally import Tally
from ludus.model.budget import Budget
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player

NODES, SLOW_NODES = 4_000_000, 20_000
"""What the attempt to solve the game after each first move may cost in all, compiled and interpreted."""

WITHIN_REACH = 14.0
"""A game whose tree has more nodes than 10 to this is not tried: alpha-beta sees the square root of them at best."""

ENOUGH, OVERWHELMING = 10, 0.75
"""A first move that surely scores this much, in at least this many games of good play, is called overwhelming."""


@dataclass(frozen=True)
class FirstMove:
    """A first move: what it is worth to First if that is proven, and how games went that began with it."""

    name: str
    value: float | None
    random: tuple[int, int, int]
    """Random games won, drawn and lost by First,"""
    good: tuple[int, int, int]
    """and games of good play."""

    @property
    def overwhelming(self) -> bool:
        return sum(self.good) >= ENOUGH and points(self.good).low >= OVERWHELMING

    def to_dict(self) -> dict[str, Any]:
        """For JSON; scores are First's share of the points."""
        found: dict[str, Any] = {"move": self.name, "value": self.value, "overwhelming": self.overwhelming}
        for name, results in (("random", self.random), ("good", self.good)):
            games = sum(results)
            found[name] = {"games": games, "score": vars(points(results)) if games else None}
        return found


def points(results: tuple[int, int, int]) -> Estimate:
    """First's share of the points, a draw half of one; the interval allows for either reading of half a point."""
    won, drawn, lost = results
    games, total = won + drawn + lost, won + drawn / 2
    if not games:
        return share(0, 0)
    return Estimate(total / games, share(math.floor(total), games).low, share(math.ceil(total), games).high)


def first_moves(
    game: PlayableGame, random: Tally, good: Tally | None, known: dict[int, float], most: int | None = None
) -> list[FirstMove]:
    """All first moves: those that are worth most first, then those that good play prefers."""
    if game.odds(game.start):
        return []
    found = [
        FirstMove(
            game.move_name(game.start, move),
            known.get(move),
            _results(random, move),
            _results(good, move),
        )
        for move in game.legal(game.start)
    ]
    unknown = -2.0
    return sorted(
        found,
        key=lambda each: (
            -(unknown if each.value is None else each.value),
            -sum(each.good),
            -points(each.random).value,
        ),
    )[:most]


def _results(tally: Tally | None, move: int) -> tuple[int, int, int]:
    won, drawn, lost = (0, 0, 0) if tally is None else tally.first_moves.get(move, (0, 0, 0))
    return won, drawn, lost


def solved_moves(
    game: PlayableGame, found: Exact | None, size: float, compiled: bool | None, fast: bool, announce: Callable | None
) -> dict[int, float]:
    """What first moves are worth to First, where that can be proven: 1, 0 or -1. `size`: of the tree, its log10."""
    if found is not None:
        return found.moves
    if game.has_chance or size > WITHIN_REACH or game.odds(game.start):
        return {}
    legal = game.legal(game.start)
    budget = Budget(nodes=max((NODES if fast else SLOW_NODES) // max(len(legal), 1), 1))
    player = Player("solve(goal=result, memory_of_table=16)", "zero", budget, compiled=compiled, announce=announce)
    values: dict[int, float] = {}
    for move in legal:
        after = game.after(game.start, move)
        if game.is_over(after):
            score = game.result(after)
            values[move] = float((score < 0) - (score > 0))
            continue
        if player.choose(game, after).stopped == "interrupted":
            raise KeyboardInterrupt
        at: Any = player.session(game).tree.record.register[0]
        if at.low >= at.high:
            values[move] = 0.0 - float(at.low)
    return values
