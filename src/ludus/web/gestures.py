"""Gestures: the cells that a person clicks to make a move, read off what the move changes, or the game's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.model.position import Position
from ludus.web.board import plan_of

MOST_CLICKS = 4
"""A move that would take more clicks is chosen from the list."""

MOST_LOOKED_AT = 2_000
"""Of positions with more moves no gestures are read off; a game's own still count."""

Gesture = tuple[str, ...]

Standing = tuple[Any, ...] | None
"""Whose piece stands on a cell, and which; None: nothing."""


def gestures(position: Position) -> list[Gesture]:
    """The gesture of each legal move, in their order; empty where the move can only be chosen from the list.

    No gesture is the beginning of another, longer one. The same one twice means that a person must choose.
    """
    nothing: list[Gesture] = [()] * len(position.moves)
    if position.turn is None or (names := _names(position)) is None:
        return nothing
    game, known = position.game, set(names)
    own = [game.gesture(position.state, move) for move in position.moves.numbers]
    if None in own and len(own) <= MOST_LOOKED_AT:
        before = standing(position)
        for place, move in enumerate(position.moves.numbers):
            if own[place] is None:
                own[place] = read_off(names, before, standing(position.play(move)), position.seat)
    found: list[Gesture] = []
    for given in own:
        fits = given is not None and set(given) <= known and len(given) <= MOST_CLICKS
        found.append(tuple(given) if fits and given is not None else ())
    return without_beginnings(found)


def _names(position: Position) -> list[str] | None:
    """The names of the cells; None if there is no board."""
    if position.game.has_rule("diagram"):
        own = position.game.diagram(position.state)
        if own is not None:
            return [cell.name for cell in own.cells]
    plan = plan_of(position.game)
    return None if plan is None else [cell.name for cell in plan.empty.cells]


def standing(position: Position) -> list[Standing]:
    """What stands on each cell."""
    if position.game.has_rule("diagram"):
        own = position.game.diagram(position.state)
        if own is not None:
            return [(cell.owner, cell.piece, cell.text) if cell.piece or cell.text else None for cell in own.cells]
    plan = plan_of(position.game)
    assert plan is not None
    return [None if kind is None else (kind.owner, kind.sort) for kind in plan.standing(position)]


def read_off(names: Sequence[str], before: Sequence[Standing], after: Sequence[Standing], seat: int) -> Gesture:
    """Where a piece of the mover's leaves, where one arrives, where anything else is put."""
    changed = [
        (name, old, new) for name, old, new in zip(names, before, after, strict=len(before) == len(after)) if old != new
    ]
    left = [name for name, old, _ in changed if old is not None and old[0] == seat]
    mine = [(name, old) for name, old, new in changed if new is not None and new[0] == seat]
    arrived = [name for name, old in mine if old is None] or [name for name, old in mine if old and old[0] != seat]
    neutral = [(name, old) for name, old, new in changed if new is not None and new[0] is None]
    put = [name for name, old in neutral if old is None or old[0] == seat]
    found = [*left, *arrived, *put] or [name for name, _, _ in changed]
    if len(found) <= MOST_CLICKS:
        return tuple(found)
    return tuple(left if len(left) == 1 else arrived if len(arrived) == 1 else ())


def without_beginnings(found: Sequence[Gesture]) -> list[Gesture]:
    """The same, but one that begins a longer one ends with a second click on its last cell, or is left out."""
    longer = {gesture[:n] for gesture in found for n in range(1, len(gesture))}
    doubled = [(*gesture, gesture[-1]) if gesture and gesture in longer else gesture for gesture in found]
    longer = {gesture[:n] for gesture in doubled for n in range(1, len(gesture))}
    taken = set(found)
    return [
        () if (new != old and new in taken) or new in longer else new for old, new in zip(found, doubled, strict=True)
    ]
