"""What a move has changed in the picture of a board: the squares are marked, and tell whose pieces are whose."""

from __future__ import annotations

import re
from html import escape

from ludus.pictures.boards import CELL, DOT

PIECE = re.compile(r'<g transform="translate\(([-\d.]+) ([-\d.]+)\)">((?:(?!<g |</g>|<svg ).)*)</g>', re.DOTALL)
"""A piece as `boards.board_svg` draws it: its place and its drawing."""
NUMBER = re.compile(r"<text ([^>]*)>([^<]*)</text>")
"""A number on a board, as those of `pits.pits_svg`."""
MARK = "#ffd54a"
STRONG, WEAK = 0.6, 0.25
"""The opacity of a mark: where a piece was put, and where one was turned or has left."""

Place = tuple[str, str]


def changes(before: str, after: str) -> tuple[str, list[str]]:
    """The later picture with the squares marked that have changed, and the drawings of the pieces put there.

    In a picture that is not made by `boards.board_svg`, the numbers are marked that have changed.
    """
    if not PIECE.search(after):
        return _mark_numbers(before, after), []
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


def _mark_numbers(before: str, after: str) -> str:
    old = dict(NUMBER.findall(before))

    def mark(found: re.Match[str]) -> str:
        if old.get(found[1], found[2]) == found[2]:
            return found[0]
        return f'<text style="fill:{MARK};font-weight:bold" {found[1]}>{found[2]}</text>'

    return NUMBER.sub(mark, after)


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
