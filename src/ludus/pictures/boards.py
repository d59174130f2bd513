"""Square boards as SVG: one function for notebooks, docs and web pages (as python-chess has it). Plain strings only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

Square = tuple[int, int]
"""Row and column, from 0; row 0 is drawn on top."""

CELL, MARGIN = 45, 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CROWN = 'd="M-13 13-17-9-8 2 0-15 8 2 17-9 13 13Z" stroke="#222" stroke-width="2" stroke-linejoin="round"'

# What may stand on a square, drawn around its centre.
PIECES = {
    "black": '<circle r="18" fill="#111" stroke="#000"/>',
    "white": '<circle r="18" fill="#fafafa" stroke="#444"/>',
    "cross": '<path d="M-12-12 12 12M12-12-12 12" stroke="#1f4e8c" stroke-width="5" stroke-linecap="round"/>',
    "nought": '<circle r="13" fill="none" stroke="#a33" stroke-width="5"/>',
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
    size: int,
    pieces: Mapping[Square, str],
    *,
    dots: Iterable[Square] = (),
    last: Square | None = None,
    color: str = "#2f8f5b",
    title: str = "",
    labels: tuple[Sequence[str], Sequence[str]] | None = None,
    dark: Iterable[Square] = (),
) -> str:
    """A board of `size` x `size` squares with coordinates, a1 at the top left as in Othello.

    `pieces` says what stands where, by the names in `PIECES`; `dots` mark squares, the legal moves say; `last` is the
    square of the last move. `title` is for those who cannot see the picture. `labels` are the names of the columns,
    which are letters unless given, and those of the rows; `dark` squares are shaded, as on a chess board.
    """
    side = size * CELL + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}" height="{side}"'
        ' role="img" font-family="sans-serif" font-size="12" text-anchor="middle" fill="#555">'
    ]
    if title:
        parts.append(f"<title>{escape(title)}</title>")
    parts.append(_rectangle(MARGIN, MARGIN, size * CELL, color))
    for row, column in dark:
        parts.append(_rectangle(MARGIN + column * CELL, MARGIN + row * CELL, CELL, "#000", 'fill-opacity="0.3"'))
    if last is not None:
        row, column = last
        parts.append(_rectangle(MARGIN + column * CELL, MARGIN + row * CELL, CELL, "#ffd54a", 'fill-opacity="0.55"'))
    ends = [MARGIN, MARGIN + size * CELL]
    steps = [f"M{ends[0]} {y}H{ends[1]}M{y} {ends[0]}V{ends[1]}" for y in range(ends[0], ends[1] + 1, CELL)]
    parts.append(f'<path d="{"".join(steps)}" stroke="#222" fill="none"/>')
    across, down = labels or (LETTERS[:size], [str(i + 1) for i in range(size)])
    for i in range(size):
        middle = MARGIN + i * CELL + CELL / 2
        for edge in (MARGIN / 2, side - MARGIN / 2):
            parts.append(f'<text x="{middle:g}" y="{edge + 4:g}">{escape(across[i])}</text>')
            parts.append(f'<text x="{edge:g}" y="{middle + 4:g}">{escape(down[i])}</text>')
    parts += [_at(square, DOT) for square in dots]
    parts += [_at(square, PIECES[piece]) for square, piece in pieces.items()]
    return "".join([*parts, "</svg>"])


def _rectangle(x: float, y: float, side: float, color: str, more: str = "") -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" fill="{escape(color)}"{more and " " + more}/>'


def _at(square: Square, drawing: str) -> str:
    x, y = (MARGIN + place * CELL + CELL / 2 for place in (square[1], square[0]))
    return f'<g transform="translate({x:g} {y:g})">{drawing}</g>'
