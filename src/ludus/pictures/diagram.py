"""`Diagram`: where the cells of a board are and what stands on them, for pages on which people click. Plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from ludus.pictures.boards import LETTERS, PIECES

SHAPES = ("square", "disc", "hexagon", "pit", "store", "point")
"""What a cell may look like; a store is a pit that is two cells high."""

PLAIN = ("first", "second", "neutral")
"""Pieces without a drawing of their own: discs in the colour of their owner, or of nobody."""

DRAWN = tuple(name for name in PIECES if name != "hole")
"""The pieces that have a drawing."""

MEN = dict(zip("KQRBNP", ("king", "queen", "rook", "bishop", "knight", "pawn"), strict=True))

Square = tuple[int, int]


@dataclass(frozen=True)
class Cell:
    """One cell: its centre, its shape, and what stands on it. One unit is the side of a cell; y goes down."""

    name: str
    x: float
    y: float
    shape: str = "square"
    piece: str | None = None
    """One of `DRAWN` or `PLAIN`; None: nothing."""
    owner: int | None = None
    """Whose piece it is: 0, the first player's, or 1, the second's; None: nobody's."""
    text: str = ""
    """What is written there: a letter on a piece, the number of seeds in a pit."""
    dark: bool = False

    @property
    def say(self) -> str:
        """What stands there, in words; empty if nothing does."""
        piece = self.piece or ""
        if len(piece) == 1:
            return f"{'white' if piece.isupper() else 'black'} {MEN[piece.upper()]}"
        return f"{piece.replace('-', ' ')} {self.text}".strip()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"say": self.say}


@dataclass(frozen=True)
class Label:
    """A word beside the board, such as the letter of a column."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Diagram:
    """The cells of a board, in any order."""

    cells: tuple[Cell, ...]
    width: float
    height: float
    labels: tuple[Label, ...] = ()
    color: str | None = None
    lines: str = "squares"
    """What is drawn between cells: `squares`, `crossings` (cells are points on lines) or `none`."""

    @cached_property
    def by_name(self) -> dict[str, Cell]:
        return {cell.name: cell for cell in self.cells}

    def changed(self, before: Diagram) -> list[str]:
        """The names of the cells that looked different before."""
        return [cell.name for cell in self.cells if before.by_name.get(cell.name) != cell]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        labels = [asdict(label) for label in self.labels]
        about = {"width": self.width, "height": self.height, "color": self.color, "lines": self.lines}
        return about | {"cells": [cell.to_dict() for cell in self.cells], "labels": labels}


def squares(
    size: int | tuple[int, int],
    pieces: Mapping[Square, str],
    *,
    owners: Mapping[str, int] | None = None,
    color: str | None = None,
    labels: tuple[Sequence[str], Sequence[str]] | None = None,
    dark: Iterable[Square] = (),
    shape: str = "square",
) -> Diagram:
    """A board of squares from what `board_svg` takes: `pieces` by row and column, from the top left.

    `owners` says whose the pieces are, by name. A cell is called by the labels of its column and its row.
    """
    rows, columns = (size, size) if isinstance(size, int) else size
    across, down = labels or (column_names(columns), [str(row + 1) for row in range(rows)])
    called = down or [f"-{rows - row}" for row in range(rows)]
    shaded, found = set(dark), []
    for row in range(rows):
        for column in range(columns):
            piece = pieces.get((row, column))
            owner = None if piece is None or owners is None else owners.get(piece)
            name, is_dark = f"{across[column]}{called[row]}", (row, column) in shaded
            found.append(Cell(name, column + 0.5, row + 0.5, shape, piece, owner, "", is_dark))
    words = [Label(column + 0.5, -0.3, name) for column, name in enumerate(across)]
    words += [Label(-0.3, row + 0.5, name) for row, name in enumerate(down)]
    return Diagram(tuple(found), columns, rows, tuple(words), color)


def column_names(columns: int) -> list[str]:
    """Letters, and beyond z numbers."""
    return list(LETTERS[:columns]) if columns <= len(LETTERS) else [f"{column + 1}." for column in range(columns)]


def beside(boards: Mapping[str, Diagram], gap: float = 1.0) -> Diagram:
    """Several boards from left to right; the key of each goes before the names of its cells."""
    cells: list[Cell] = []
    labels: list[Label] = []
    left = 0.0
    for prefix, board in boards.items():
        cells += [replace(cell, name=f"{prefix}{cell.name}", x=cell.x + left) for cell in board.cells]
        labels += [replace(label, x=label.x + left) for label in board.labels]
        left += board.width + gap
    one = next(iter(boards.values()))
    return Diagram(
        tuple(cells), left - gap, max(b.height for b in boards.values()), tuple(labels), one.color, one.lines
    )


def pits(south: Sequence[int], north: Sequence[int], names: tuple[Sequence[str], Sequence[str]]) -> Diagram:
    """Pits and stores as `pits_svg` draws them: South's below from left to right, its store on the right."""
    houses = len(south) - 1
    cells = [Cell("north", 0.5, 1, "store", None, 1, str(north[-1]))]
    for i in range(houses):
        cells.append(Cell(names[0][i], i + 1.5, 1.5, "pit", None, 0, str(south[i])))
        cells.append(Cell(names[1][i], houses - i + 0.5, 0.5, "pit", None, 1, str(north[i])))
    cells.append(Cell("south", houses + 1.5, 1, "store", None, 0, str(south[-1])))
    words = [Label(i + 1.5, 2.3, names[0][i]) for i in range(houses)]
    words += [Label(houses - i + 0.5, -0.3, names[1][i]) for i in range(houses)]
    return Diagram(tuple(cells), houses + 2, 2, tuple(words), "#c89b5e", "none")
