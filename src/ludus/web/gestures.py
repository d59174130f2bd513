"""Gestures: the cells that a person clicks to make a move, read off what the move changes, or the game's own."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.model.position import Position
from ludus.pictures.diagram import Cell, Diagram
from ludus.web.board import diagram

MOST_CLICKS = 4
"""A move that would take more clicks is chosen from the list."""

MOST_LOOKED_AT = 2_000
"""Of positions with more moves no gestures are read off; a game's own still count."""

Gesture = tuple[str, ...]


def gestures(position: Position) -> list[Gesture]:
    """The gesture of each legal move, in their order; empty where the move can only be chosen from the list.

    No gesture is the beginning of another, longer one. The same one twice means that a person must choose.
    """
    if position.turn is None:
        return [()] * len(position.moves)
    here = diagram(position)
    if here is None:
        return [()] * len(position.moves)
    game, known = position.game, here.by_name.keys()
    own = [game.gesture(position.state, move) for move in position.moves.numbers]
    found: list[Gesture] = []
    for move, given in zip(position.moves.numbers, own, strict=True):
        if given is None:
            looked_at = len(own) <= MOST_LOOKED_AT
            given = read_off(here, diagram(position.play(move)), position.seat) if looked_at else ()
        found.append(tuple(given) if set(given) <= known and len(given) <= MOST_CLICKS else ())
    return without_beginnings(found)


def read_off(before: Diagram, after: Diagram | None, seat: int) -> Gesture:
    """Where a piece of the mover's leaves, where one arrives, where anything else is put."""
    if after is None:
        return ()
    pairs = [(old, after.by_name.get(old.name, old)) for old in before.cells]
    changed = [(old, new) for old, new in pairs if _standing(old) != _standing(new)]
    left = [old.name for old, _ in changed if old.owner == seat and old.piece is not None]
    arrived = _arrived(changed, seat)
    put = [new.name for old, new in changed if old.piece is None and new.piece is not None and new.owner is None]
    stones = [new.name for old, new in changed if _is_mine(old, seat) and new.piece is not None and new.owner is None]
    found = [*left, *arrived, *put, *stones]
    if not found:
        found = [old.name for old, _ in changed]
    if len(found) <= MOST_CLICKS:
        return tuple(found)
    return tuple(left if len(left) == 1 else arrived if len(arrived) == 1 else ())


def _arrived(changed: Sequence[tuple[Cell, Cell]], seat: int) -> list[str]:
    """Where the mover's pieces come to stand: on empty cells or, if on none, in the place of others."""
    mine = [(old, new) for old, new in changed if _is_mine(new, seat)]
    fresh = [new.name for old, new in mine if old.piece is None]
    return fresh or [new.name for old, new in mine if not _is_mine(old, seat)]


def _is_mine(cell: Cell, seat: int) -> bool:
    return cell.piece is not None and cell.owner == seat


def _standing(cell: Cell) -> tuple[str | None, int | None, str]:
    return cell.piece, cell.owner, cell.text


def without_beginnings(found: Sequence[Gesture]) -> list[Gesture]:
    """The same, but one that begins a longer one ends with a second click on its last cell, or is left out."""
    longer = {gesture[:n] for gesture in found for n in range(1, len(gesture))}
    doubled = [(*gesture, gesture[-1]) if gesture and gesture in longer else gesture for gesture in found]
    longer = {gesture[:n] for gesture in doubled for n in range(1, len(gesture))}
    taken = set(found)
    return [
        () if (new != old and new in taken) or new in longer else new for old, new in zip(found, doubled, strict=True)
    ]
