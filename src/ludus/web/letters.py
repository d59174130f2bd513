"""The letters that a game's own `render` has for its pieces, if its lines are the board's rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludus.common.errors import LudusError
from ludus.kernel.chance import Dice
from ludus.kernel.random import seed_for
from ludus.kernel.rules import FAILURES

GAMES, PLIES = 3, 40
"""Random games whose positions are compared with their text, and how many plies of each."""

USUAL = ({"X": "cross", "O": "nought"}, {"B": "black", "W": "white"})
"""Letters that stand for pieces which have a drawing."""


@dataclass(frozen=True)
class Letters:
    """The letter of each kind of piece, and what is drawn for it if that is usual."""

    by_kind: dict[Any, str]
    upside_down: bool = False
    """Whether the text has the last row of cells on top."""
    pieces: dict[Any, str] = field(default_factory=dict)


def letters_of(plan: Any, rows: int, columns: int) -> Letters | None:
    """What the text of some positions has where pieces stand; None if it is not that simple."""
    boards = _positions(plan, rows, columns)
    for upside_down in (False, True) if boards else ():
        found: dict[Any, str] = {}
        if all(_agree(found, standing, grid[::-1] if upside_down else grid) for standing, grid in boards):
            empty = found.pop(None, None)
            if empty in found.values() or len(set(found.values())) < len(found):
                continue
            return Letters(found, upside_down, _usual(found))
    return None


def _positions(plan: Any, rows: int, columns: int) -> list[tuple[list[Any], list[list[str]]]]:
    """What stands on the cells in some random games, and the same as the text has it; nothing if it has no grid."""
    found = []
    for number in range(GAMES):
        position, dice = plan.game.position(), Dice(seed_for(number))
        for _ in range(PLIES):
            try:
                grid = grid_in(plan.game.render(position.state), rows, columns)
            except (LudusError, *FAILURES):
                return []
            if grid is None:
                return []
            found.append((plan.standing(position), grid))
            if position.is_over:
                break
            position = position.play(dice.pick(position.moves.numbers, position.game.odds(position.state)))
    return found


def _agree(found: dict[Any, str], standing: list[Any], grid: list[list[str]]) -> bool:
    """Whether every kind has one letter, which is noted down."""
    letters = [letter for row in grid for letter in row]
    return all(found.setdefault(kind, letter) == letter for kind, letter in zip(standing, letters, strict=True))


def grid_in(text: str, rows: int, columns: int) -> list[list[str]] | None:
    """The letters of `rows` lines in a row that have `columns` letters each, or a label too at either end."""
    lines = [_row(line, columns) for line in text.splitlines()]
    for start in range(len(lines) - rows + 1):
        block = lines[start : start + rows]
        if all(row is not None for row in block):
            return [row for row in block if row is not None]
    return None


def _row(line: str, columns: int) -> list[str] | None:
    words = line.replace("|", " ").split()
    if len(words) == columns:
        return words
    if len(words) in (columns + 1, columns + 2) and words[0].isalnum():
        return words[1 : columns + 1]
    letters = "".join(words)
    return list(letters) if len(letters) == columns and len(words) == 1 else None


def _usual(found: dict[Any, str]) -> dict[Any, str]:
    """The pieces that are drawn, if all letters stand for such."""
    for names in USUAL:
        if found and {letter.upper() for letter in found.values()} <= names.keys():
            return {kind: names[letter.upper()] for kind, letter in found.items()}
    return {}
