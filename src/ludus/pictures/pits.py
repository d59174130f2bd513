"""Boards of pits and stores (the Mancala family) as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.pictures.boards import MARGIN, picture

PIT, RADIUS = 60, 25


def pits_svg(south: Sequence[int], north: Sequence[int], names: tuple[Sequence[str], Sequence[str]], title: str) -> str:
    """South's row below, sown from left to right, its store on the right; North's above it, the other way round.

    Each row is its houses in the order of sowing, then its store; `names` are the names of the houses.
    """
    houses = len(south) - 1
    width, height = (houses + 2) * PIT, 2 * PIT
    parts = [
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}" rx="{PIT / 2:g}" fill="#c89b5e"/>',
        _store(MARGIN, height, north[-1]),
        _store(MARGIN + width - PIT, height, south[-1]),
    ]
    for i in range(houses):
        left, right = MARGIN + (i + 1.5) * PIT, MARGIN + (houses - i + 0.5) * PIT
        parts.append(_house(left, MARGIN + 1.5 * PIT, south[i]))
        parts.append(_house(right, MARGIN + 0.5 * PIT, north[i]))
        parts.append(f'<text x="{left:g}" y="{height + 1.5 * MARGIN + 4:g}">{names[0][i]}</text>')
        parts.append(f'<text x="{right:g}" y="{MARGIN / 2 + 4:g}">{names[1][i]}</text>')
    return picture(width + 2 * MARGIN, height + 2 * MARGIN, parts, title)


def _house(x: float, y: float, seeds: int) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS}" fill="#8a5a2b"/>{_number(x, y, seeds)}'


def _store(x: float, height: float, seeds: int) -> str:
    side, tall = 2 * RADIUS, height - PIT + 2 * RADIUS
    x, y = x + (PIT - side) / 2, MARGIN + (height - tall) / 2
    shape = f'<rect x="{x:g}" y="{y:g}" width="{side}" height="{tall:g}" rx="{RADIUS}" fill="#8a5a2b"/>'
    return shape + _number(x + RADIUS, MARGIN + height / 2, seeds)


def _number(x: float, y: float, seeds: int) -> str:
    return f'<text x="{x:g}" y="{y + 7:g}" font-size="20" fill="#fff">{seeds}</text>'
