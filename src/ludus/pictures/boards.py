"""Boards of squares as SVG, for notebooks, docs and web pages alike (as python-chess has it). Plain strings only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

Square = tuple[int, int]
"""A row and a column, counted from 0; row 0 is drawn on top."""

CELL, MARGIN = 45, 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CROWN = 'd="M-13 13-17-9-8 2 0-15 8 2 17-9 13 13Z" stroke="#222" stroke-width="2" stroke-linejoin="round"'

# What may stand on a square, drawn around its centre.
PIECES = {
    "black": '<circle r="18" fill="#111" stroke="#000"/>',
    "white": '<circle r="18" fill="#fafafa" stroke="#444"/>',
    "cross": '<path d="M-12-12 12 12M12-12-12 12" stroke="#1f4e8c" stroke-width="5" stroke-linecap="round"/>',
    "nought": '<circle r="13" fill="none" stroke="#a33" stroke-width="5"/>',
    "red": '<circle r="18" fill="#d33" stroke="#822"/>',
    "yellow": '<circle r="18" fill="#fc3" stroke="#a80"/>',
    "hole": '<circle r="18" fill="#fff" stroke="#125"/>',
    "white-amazon": f'<path {CROWN} fill="#fafafa"/>',
    "black-amazon": f'<path {CROWN} fill="#222"/>',
    "stone": '<circle r="13" fill="#8a6d4b" stroke="#5c4630"/>',
}
# Chessmen are letters, capital for white, drawn with the solid glyphs of Unicode in both colours.
PIECES |= {
    letter: f'<text y="13" font-size="38" fill="{fill}" stroke="#000" stroke-width="{width}">{glyph}\ufe0e</text>'
    for letters, fill, width in (("KQRBNP", "#fff", "1"), ("kqrbnp", "#000", "0"))
    for letter, glyph in zip(letters, "\u265a\u265b\u265c\u265d\u265e\u265f", strict=True)
}
DOT = '<circle r="5" fill="#000" fill-opacity="0.3"/>'


def board_svg(
    size: int | tuple[int, int],
    pieces: Mapping[Square, str],
    *,
    dots: Iterable[Square] = (),
    last: Square | None = None,
    color: str = "#2f8f5b",
    title: str = "",
    labels: tuple[Sequence[str], Sequence[str]] | None = None,
    dark: Iterable[Square] = (),
) -> str:
    """A board of `size` x `size` squares, or of `size` (rows, columns), with coordinates, a1 at the top left.

    `pieces` says what stands where, by the names in `PIECES`; `dots` mark squares, the legal moves say; `last` is the
    square of the last move. `title` is for those who cannot see the picture. `labels` are the names of the columns,
    which are letters unless given, and those of the rows; `dark` squares are shaded, as on a chess board.
    """
    rows, columns = (size, size) if isinstance(size, int) else size
    right, bottom = MARGIN + columns * CELL, MARGIN + rows * CELL
    parts = [_rectangle(MARGIN, MARGIN, columns * CELL, rows * CELL, color)]
    parts += [_shade(square, "#000", 0.3) for square in dark]
    if last is not None:
        parts.append(_shade(last, "#ffd54a", 0.55))
    steps = [f"M{MARGIN} {y}H{right}" for y in range(MARGIN, bottom + 1, CELL)]
    steps += [f"M{x} {MARGIN}V{bottom}" for x in range(MARGIN, right + 1, CELL)]
    parts.append(f'<path d="{"".join(steps)}" stroke="#222" fill="none"/>')
    across, down = labels or (LETTERS[:columns], [str(i + 1) for i in range(rows)])
    for i, name in enumerate(across):
        parts += [_label(MARGIN + (i + 0.5) * CELL, y, name) for y in (MARGIN / 2, bottom + MARGIN / 2)]
    for i, name in enumerate(down):
        parts += [_label(x, MARGIN + (i + 0.5) * CELL, name) for x in (MARGIN / 2, right + MARGIN / 2)]
    parts += [_at(square, DOT) for square in dots]
    parts += [_at(square, PIECES[piece]) for square, piece in pieces.items()]
    return picture(right + MARGIN, bottom + MARGIN, parts, title)


def side_by_side(pictures: Sequence[str], width: int, height: int, title: str = "") -> str:
    """One picture of several that have the same size."""
    parts = [f'<g transform="translate({i * width} 0)">{inner}</g>' for i, inner in enumerate(pictures)]
    return picture(len(pictures) * width, height, parts, title)


def picture(width: float, height: float, parts: Iterable[str], title: str) -> str:
    """An SVG element of this size around these parts, with a title for those who do not see it."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img" font-family="sans-serif" font-size="12" text-anchor="middle" fill="#555">'
    )
    return "".join([head, f"<title>{escape(title)}</title>" if title else "", *parts, "</svg>"])


def _rectangle(x: float, y: float, width: float, height: float, color: str, more: str = "") -> str:
    where = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {where} fill="{escape(color)}"{more and " " + more}/>'


def _shade(square: Square, color: str, opacity: float) -> str:
    x, y = MARGIN + square[1] * CELL, MARGIN + square[0] * CELL
    return _rectangle(x, y, CELL, CELL, color, f'fill-opacity="{opacity:g}"')


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y + 4:g}">{escape(text)}</text>'


def _at(square: Square, drawing: str) -> str:
    x, y = (MARGIN + place * CELL + CELL / 2 for place in (square[1], square[0]))
    return f'<g transform="translate({x:g} {y:g})">{drawing}</g>'
