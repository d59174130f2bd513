"""How many positions are traps, and how many must be, so that looking deeper helps (Abramson 1985; Pearl 1984)."""

from __future__ import annotations

import numpy as np

from ludus.common.interval import share
from ludus.theorems.rows import AT_ONCE, LEVEL, PRINTED, Panel, Part, Row, Series, of_claim, of_number, of_share
from ludus.theorems.splitting import (
    boards,
    column_trap,
    critical_density,
    diagonal_trap,
    fair_p,
    has_column,
    has_diagonal,
    has_row,
    is_trap,
    row_trap,
    trap_density,
)

SIZES = ((2, 2), (2, 4), (3, 3), (4, 4))
"""B, which decides p, and S."""


def traps(trials: int, random: np.random.Generator) -> tuple[list[Row], list[Panel]]:
    """The density of traps on boards, and the critical one."""
    rows, density = [], []
    for b, s in SIZES:
        p = fair_p(b)
        found = boards(random, (trials,), s, p)
        columns, where = has_column(found), f"B={b} S={s}"
        rows.append(of_share(f"a row of 1's, {where}", row_trap(s, p), has_row(found), PRINTED))
        rows.append(
            of_share(f"a column of 0's, {where}", row_trap(s, p), columns, PRINTED, "by symmetry, which p breaks")
        )
        rows.append(of_share(f"a column of 0's, {where}", column_trap(s, p), columns))
        rows.append(of_share(f"a diagonal of 1's, {where}", diagonal_trap(s, p), has_diagonal(found)))
        rows.append(of_share(f"any trap, {where}", trap_density(s, p), is_trap(found)))
        if b == s:
            density.append((b, share(int(is_trap(found).sum()), trials, LEVEL)))
    for b in (2, 3, 4):
        p, critical = fair_p(b), critical_density(b)
        three, real = 3 * row_trap(b, p), trap_density(b, p)
        rows.append(of_claim(f"3 P below q_c, B={b}", three, critical, three < critical, PRINTED))
        rows.append(of_claim(f"any trap below q_c, S=B={b}", real, critical, real < critical, PRINTED))
        slope = slope_at(critical, b)
        rows.append(of_number(f"slope of the map at q_c, b={b}", -1.0, slope, note="so q_c is where it is -1"))
    rows += _trees(trials, random)
    names = list(range(2, 8))
    series = [
        Series("q_c, critical", names, [critical_density(b) for b in names]),
        Series("P, a row of 1's, S = B", names, [row_trap(b, fair_p(b)) for b in names]),
        Series("3 P, printed as the most", names, [3 * row_trap(b, fair_p(b)) for b in names], dashed=True),
        Series("a column of 0's, S = B", names, [column_trap(b, fair_p(b)) for b in names]),
        Series.simulated("any trap, simulated", density),
    ]
    return rows, [Panel("Traps that Y(g) sees at the last round, and how many it takes", "B", "density", series)]


def win_chance(b: int, q: float, d: int, p: float) -> float:
    """The chance that the root of a tree of depth d is won by the player to move: inner nodes are traps, lost by who is
    to move there, with probability q; leaves are won with probability p; the root is no trap."""
    for level in range(d, 0, -1):
        p = (1 - (q if level > 1 else 0.0)) * (1 - p**b)
    return p


def slope_at(q: float, b: int) -> float:
    """The slope of x -> (1-q)(1 - x^b) where x is its own image: beyond -1 differences grow from level to level."""
    from ludus.library.games.synthetic import fair

    x = fair(b, q)
    return -(1 - q) * b * x ** (b - 1)


def _trees(trials: int, random: np.random.Generator) -> list[Row]:
    """Trees with traps, grown and solved."""
    rows, few = [], max(trials // 2, 100)
    for b, q, d in ((2, critical_density(2), 8), (3, 0.05, 5), (3, critical_density(3), 5), (3, 0.3, 5)):
        parts = [_won(min(AT_ONCE, few - start), random, b, q, d) for start in range(0, few, AT_ONCE)]
        formula = win_chance(b, q, d, 0.5)
        rows.append(of_share(f"tree with traps, b={b} q={q:.3f} d={d}: won", formula, np.concatenate(parts)))
    return rows


def _won(trees: int, random: np.random.Generator, b: int, q: float, d: int) -> np.ndarray:
    """Of this number of trees with traps: whether the player to move at the root wins."""
    won = random.random((trees, b**d)) < 0.5
    for level in range(d - 1, -1, -1):
        won = ~np.asarray(np.all(won.reshape(trees, -1, b), axis=2))
        if level > 0:
            won &= random.random(won.shape) >= q
    return won[:, 0]


PARTS = (Part("traps", "how many positions are traps, and how many it takes", "Abramson 1985, Pearl 1984", traps),)
