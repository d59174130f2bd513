"""Does a state say whose turn it is, and does that element always change?

Players alternate, unless a game says `alternates = False`. Whoever forgets that in a game where a player may move twice
has written another game, and a valid one: the second move is the opponent's. Such a game can be recognised if its
states hold the player to move: that element has two values and mostly alternates, but does not always change.
"""

from __future__ import annotations

import enum
import time
import traceback
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

import numpy as np

from ludus.common.errors import LudusError
from ludus.kernel.chance import Dice, random_games
from ludus.model.playable import PlayableGame
from ludus.model.watchdog import Watch, watching

MOST_DECISIONS, FIRST_DECISIONS = 10_000, 200
"""How many are recorded, and on how many of them most elements are dropped: those that seldom change."""

GLANCE, SECONDS = 300, 0.05
"""A glance ends after this number of positions, or after this many seconds of CPU time."""

MOST_ELEMENTS, DEEPEST = 2_000, 6
"""Elements of a state beyond these, or nested deeper, are not looked at."""

SELDOM = 0.2
"""An element that changes at fewer moves than this is a square of the board, or a flag."""

FEWEST_RUNS = 10
"""An element may also change at every second move, or every third; at least this many runs must have that length."""


class Field(str):
    """The name of an object's field, in a path."""


Path = tuple[Any, ...]
"""The steps to an element of a state: an index, the indices of an array's element, a key, or a `Field`."""

Decision = tuple[Any, bool]
"""A state in which a player decides, and whether there is more than one move."""


class Turns:
    """What random games show of whose turn it is; positions in which chance decides are left out."""

    def __init__(self, game: PlayableGame) -> None:
        self.needed = type(game).alternates and not hasattr(game, "mover")
        """Whether to record games at all: a game with a rule `mover` says itself whose turn it is."""
        self.games: list[list[Decision]] = []
        self.first: list[list[Decision]] = []
        """The first of the games."""
        self.decisions = 0

    def add(self, states: list[tuple[Any, int]]) -> None:
        """One random game: each state in which a player decided, and how many moves there were."""
        if not self.needed or self.decisions >= MOST_DECISIONS or not states:
            return
        self.games.append([(state, count > 1) for state, count in states])
        if self.decisions < FIRST_DECISIONS:
            self.first.append(self.games[-1])
        self.decisions += len(states)

    @property
    def question(self) -> str:
        """What to ask the game's author; nothing if no element looks like the turn, or one always changes."""
        doubtful = ""
        for path in _paths(self.games[0][0][0]) if self.games else ():
            if not _changes(_rows(self.first, path)) >= SELDOM:
                continue
            rows = _rows(self.games, path)
            if _every_second(rows):
                return _ask(path)
            if _is_turn(self.games, rows):
                return ""
            if not doubtful and _mostly_changes(rows):
                doubtful = _ask(path)
        return doubtful


def glance(game: PlayableGame) -> str:
    """The question that a few random games of a user's game raise, if any."""
    turns = Turns(game)
    if not turns.needed or type(game).__module__.startswith("ludus."):
        return ""
    try:
        with watching():
            _play_some(game, turns)
    except LudusError:  # whoever uses the game meets the same error
        return ""
    except KeyboardInterrupt as stop:
        place = Watch().place([frame for frame, _ in traceback.walk_tb(stop.__traceback__)][-1])
        raise KeyboardInterrupt(*([f"interrupted in {place}."] if place else [])) from None
    return turns.question


def _play_some(game: PlayableGame, turns: Turns) -> None:
    started, decided = time.process_time(), list[tuple[Any, int]]()
    for ply in islice(random_games(game, Dice(1)), GLANCE):
        if not ply.legal:
            turns.add(decided)
            decided = []
        elif ply.is_decision:
            decided.append((ply.state, len(ply.legal)))
        if time.process_time() - started > SECONDS:
            break
    turns.add(decided)


def _ask(path: Path) -> str:
    return (
        f"{_expression(path)} looks like whose turn it is, but does not always change: see alternates = False "
        "(a game in which a player may move twice says so in its class, and has a rule mover(state): who is to move)."
    )


# An element in random games: a row of values for each.


def _rows(games: list[list[Decision]], path: Path) -> list[list[Any]]:
    """An element's values; none if it is not always there, or has not exactly two where there is a choice."""
    rows: list[list[Any]] = []
    values: set[Any] = set()
    chosen: set[Any] = set()
    try:
        for game in games:
            rows.append([_at(state, path) for state, _ in game])
            values.update(rows[-1])
            chosen.update(value for value, (_, choice) in zip(rows[-1], game, strict=True) if choice)
            if len(values) > 2:
                return []
    except (LookupError, TypeError, AttributeError):
        return []
    return rows if len(chosen) == 2 else []


def _changes(rows: list[list[Any]]) -> float:
    """The share of moves at which the element changes."""
    moves = [before != after for row in rows for before, after in pairwise(row)]
    return sum(moves) / max(len(moves), 1)


def _mostly_changes(rows: list[list[Any]]) -> bool:
    """At more than half of the moves, by three standard deviations: a flag that is set at random does not."""
    moves = sum(len(row) - 1 for row in rows)
    return moves > 0 and _changes(rows) > 0.5 + 1.5 * moves**-0.5


def _is_turn(games: list[list[Decision]], rows: list[list[Any]]) -> bool:
    """Whether the element tells the players apart, wherever there is a choice.

    Where there is none, an author may have given the other player a pass and left the element as it was.
    """
    seen: tuple[set[Any], set[Any]] = (set(), set())
    for game, row in zip(games, rows, strict=True):
        for ply, ((_, choice), value) in enumerate(zip(game, row, strict=True)):
            if choice:
                seen[ply % 2].add(value)
    return seen[0].isdisjoint(seen[1])


def _every_second(rows: list[list[Any]]) -> bool:
    """Whether the element changes at every second move, or third, and so on; in a game's first turn maybe earlier."""
    inner, ends = [], [0]
    for row in rows:
        changes = [ply for ply in range(1, len(row)) if row[ply] != row[ply - 1]]
        lengths = [after - before for before, after in pairwise([0, *changes, len(row)])]
        inner += lengths[1:-1]
        ends += [lengths[0], lengths[-1]]
    return len(inner) >= FEWEST_RUNS and 1 < min(inner) == max(inner) and max(ends) <= inner[0]


# The elements of a state, of whatever kind it is.


def _paths(state: Any) -> Iterator[Path]:
    return islice(_below(state, ()), MOST_ELEMENTS)


def _below(value: Any, path: Path) -> Iterator[Path]:
    if isinstance(value, np.ndarray):
        steps: Any = [(step, None) for step in (range(len(value)) if value.ndim == 1 else np.ndindex(value.shape))]
    elif isinstance(value, (tuple, list)):
        steps = enumerate(value)
    elif isinstance(value, dict):
        steps = value.items()
    elif hasattr(value, "__dict__") and not isinstance(value, enum.Enum):
        steps = ((Field(name), inner) for name, inner in vars(value).items())
    else:
        yield path
        return
    if len(path) < DEEPEST:
        for step, inner in steps:
            yield from _below(inner, (*path, step))


def _at(state: Any, path: Path) -> Any:
    for step in path:
        state = getattr(state, step) if isinstance(step, Field) else state[step]
    return state


def _expression(path: Path) -> str:
    """The element as its author writes it: `state[1][0]`."""
    steps = []
    for step in path:
        inside = ", ".join(map(str, step)) if isinstance(step, tuple) else repr(step)
        steps.append(f".{step}" if isinstance(step, Field) else f"[{inside}]")
    return f"state{''.join(steps)}"
