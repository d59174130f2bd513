"""What a move has changed in the picture of a board: the squares are marked, and tell whose pieces are whose."""

from __future__ import annotations

import re
from html import escape

from ludus.pictures.boards import CELL, DOT

PIECE = re.compile(r'<g transform="translate\(([-\d.]+) ([-\d.]+)\)">((?:(?!<g |</g>|<svg ).)*)</g>', re.DOTALL)
"""A piece as `boards.board_svg` draws it: its place and its drawing."""
SHAPE = re.compile(r"<(?:circle|ellipse|rect|polygon|polyline|path|line)\s[^>]*/>|<text\s[^>]*>[^<]*</text>")
"""What a picture that is drawn in another way is made of: shapes, letters and numbers."""
STROKE = re.compile(r'\sstroke(?:-[a-z]+)?="[^"]*"')
MARK = "#ffd54a"
EDGE = "#e8590c"
"""The colour around new shapes; it shows on white paper and beside black, white and brown."""
STRONG, WEAK = 0.6, 0.25
"""The opacity of a mark: where a piece was put, and where one was turned or has left."""

Place = tuple[str, str]


def changes(before: str, after: str) -> tuple[str, list[str]]:
    """The later picture with the squares marked that have changed, and the drawings of the pieces put there.

    In a picture that is not made by `boards.board_svg`, the shapes and the letters are marked that are new.
    """
    if not PIECE.search(after):
        return _mark_shapes(before, after), []
    old, new = (re.split(r"(?=<svg )", picture) for picture in (before, after))
    if len(old) != len(new):
        return after, []
    parts, put = [], []
    for one, other in zip(old, new, strict=True):
        strong, weak = _changed(_pieces(one), _pieces(other))
        put += [_pieces(other)[place] for place in strong]
        first = PIECE.search(other)
        if first is not None:
            marks = [_mark(place, STRONG) for place in strong] + [_mark(place, WEAK) for place in weak]
            other = other[: first.start()] + "".join(marks) + other[first.start() :]
        parts.append(other)
    return "".join(parts), put


def _mark_shapes(before: str, after: str) -> str:
    """Behind each new shape the same one with a broad edge; nothing where most are new, since the board has moved."""
    old = set(SHAPE.findall(before))
    shapes = SHAPE.findall(after)
    if 2 * sum(shape not in old for shape in shapes) > len(shapes):
        return after
    return SHAPE.sub(lambda found: found[0] if found[0] in old else _edged(found[0]) + found[0], after)


def _edged(shape: str) -> str:
    """The width of the edge is that of a few pixels, whatever the picture's scale; of letters, a part of their size."""
    width = '"0.3em"' if shape.startswith("<text") else '"6" vector-effect="non-scaling-stroke"'
    name, rest = STROKE.sub("", shape).split(maxsplit=1)
    return f'{name} stroke="{EDGE}" stroke-linejoin="round" stroke-width={width} {rest}'


def text_changes(before: str, after: str) -> tuple[str, list[str]]:
    """The same for boards of letters: the later one as HTML with the changes marked, and the letters put there."""
    if [len(line) for line in before.split("\n")] != [len(line) for line in after.split("\n")]:
        return escape(after), []
    changed = [new != old for old, new in zip(before, after, strict=True)]
    put = [letter for letter, is_new in zip(after, changed, strict=True) if is_new and letter not in " .-_"]
    marked = [f"<mark>{escape(a)}</mark>" if is_new else escape(a) for a, is_new in zip(after, changed, strict=True)]
    return "".join(marked), put


def _pieces(picture: str) -> dict[Place, str]:
    return {(x, y): drawing for x, y, drawing in PIECE.findall(picture) if drawing != DOT}


def _changed(old: dict[Place, str], new: dict[Place, str]) -> tuple[list[Place], list[Place]]:
    """Where pieces were put, and where others were turned or left; where none was put, turned ones are taken for it."""
    put = [place for place in new if place not in old]
    turned = [place for place in new if place in old and old[place] != new[place]]
    left = [place for place in old if place not in new]
    return (put, turned + left) if put else (turned, left)


def _mark(place: Place, opacity: float) -> str:
    x, y = (float(part) - CELL / 2 for part in place)
    return f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" fill="{MARK}" fill-opacity="{opacity:g}"/>'
