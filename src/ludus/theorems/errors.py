"""E(R, k), E(N, k) and its bounds (Abramson 1985, section 3.1), as printed and as derived, beside simulated choices."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ludus.common.interval import share
from ludus.library.games.board_splitting import BoardSplitting, height
from ludus.theorems.rows import LEVEL, PRINTED, Panel, Part, Row, Series, of_bound, of_claim, of_number, of_share
from ludus.theorems.splitting import (
    error_ones,
    error_ones_printed,
    error_random,
    errors,
    fair_p,
    lower_end_printed,
    lower_printed,
    missed_at_root,
    side,
    side_printed,
    upper_printed,
)

CASES = ((2, 2), (2, 4), (2, 8), (3, 3), (4, 4))
"""B and S of the choices that are simulated."""

MOST_CELLS = 20_000_000
"""Squares that are drawn for one case, at most."""


def missed(trials: int, random: np.random.Generator) -> tuple[list[Row], list[Panel]]:
    """How often a chooser who does not see traps misses one."""
    rows = _sides()
    by_chance, by_ones = [], []
    for b, s in CASES:
        p, where = fair_p(b), f"B={b} S={s}"
        many = min(trials * 5, MOST_CELLS // (b * s * s))
        found = errors(random, many, b, s, p)
        by_chance.append((b, s, share(int(found[0].sum()), many, LEVEL)))
        by_ones.append((b, s, share(int(found[1].sum()), many, LEVEL)))
        rows.append(of_share(f"E(R), {where}", error_random(b, s, p), found[0], PRINTED))
        rows.append(of_share(f"E(N), {where}", error_ones_printed(b, s, p), found[1], PRINTED, "see splitting.py"))
        rows.append(of_share(f"E(N), {where}", error_ones(b, s, p), found[1]))
        rows.append(of_bound(f"E(UB) above E(N), {where}", upper_printed(b, s, p), found[1], True, PRINTED))
        rows.append(of_bound(f"E(LB) below E(N), {where}", lower_printed(b, s, p), found[1], False, PRINTED))
    for b in (2, 3, 4):
        p = fair_p(b)
        end, formula = lower_end_printed(b, p), lower_printed(b, b, p)
        rows.append(of_number(f"E(LB) at the end, S=B={b}", end, formula, PRINTED, "its own formula gives another"))
    rows += _chain() + _increase()
    return rows, _panels(by_chance, by_ones)


def _sides() -> list[Row]:
    """S at level k, counted on the board of the game."""
    rows = []
    for b, rounds, k in ((2, 5, 0), (2, 5, 4), (3, 4, 6)):
        rows_left = int(height(BoardSplitting(b, rounds), k))
        what = f"rows of a board at level {k}, B={b} D={rounds}"
        printed = side_printed(b, rounds, k)
        rows.append(of_number(what, printed, rows_left, PRINTED, "it is that of level k + 2"))
        rows.append(of_number(what, side(b, rounds, k), rows_left))
    return rows


def _chain() -> list[Row]:
    """The chain that is to prove pathology: E(UB) at k = 0 below E(LB) at the end."""
    rows = []
    for b, rounds in ((2, 5), (3, 3)):
        p = fair_p(b)
        start, what = upper_printed(b, b ** (rounds - 1), p), f"E(UB) at k=0 below E(LB) at the end, B={b} D={rounds}"
        for end, note in ((lower_end_printed(b, p), "printed end"), (lower_printed(b, b, p), "its own formula")):
            rows.append(of_claim(what, start, end, start < end, PRINTED, note))
        real = error_ones(b, b ** (rounds - 1), p), error_ones(b, b, p)
        what = f"E(N) at k=0 below E(N) at the end, B={b} D={rounds}"
        rows.append(of_claim(what, *real, real[0] < real[1], PRINTED, "both as derived"))
    return rows


def _increase() -> list[Row]:
    """ "E(F, 0) increases iff E(F, k) does": the recurrence has k levels, so it is not the same map for two k's."""
    rows = []
    for b, rounds in ((2, 5), (3, 4)):
        p = fair_p(b)
        tips = [error_random(b, side_printed(b, rounds, k), p) for k in range(0, 2 * rounds - 2, 2)]
        at_root = [missed_at_root(tip, b, k) for tip, k in zip(tips, range(0, 2 * rounds - 2, 2), strict=True)]
        rising = [all(x < y for x, y in pairwise(values)) for values in (tips, at_root)]
        what = f"E(R,k) and E(R,0) increase together, B={b} D={rounds}"
        rows.append(of_claim(what, tips[-1], at_root[-1], rising[0] == rising[1], PRINTED, "the last k of each"))
    shallow, deep = missed_at_root(0.1, 2, 2), missed_at_root(0.11, 2, 4)
    what = "E(F,2) = .10, E(F,4) = .11: E(F,0) increases too"
    rows.append(of_claim(what, shallow, deep, shallow < deep, PRINTED, "a larger error, but two levels deeper"))
    return rows


def _panels(by_chance: list, by_ones: list) -> list[Panel]:
    sizes = list(range(2, 11))
    p = fair_p(2)
    series = [
        Series("E(R)", sizes, [error_random(2, s, p) for s in sizes]),
        Series("E(N), derived", sizes, [error_ones(2, s, p) for s in sizes]),
        Series("E(N), printed", sizes, [error_ones_printed(2, s, p) for s in sizes], dashed=True),
        Series("E(UB), printed", sizes, [upper_printed(2, s, p) for s in sizes], dashed=True),
        Series("E(LB), printed", sizes, [lower_printed(2, s, p) for s in sizes], dashed=True),
    ]
    for name, points in (("E(R)", by_chance), ("E(N)", by_ones)):
        own = [(s, e) for b, s, e in points if b == 2 and e.low > 0]
        series.append(Series.simulated(f"{name}, simulated", own))
    title = "B = 2: a trap is missed; boards shrink as one looks deeper"
    return [Panel(title, "rows S of the boards that are compared", "probability of an error", series, floor=1e-7)]


PARTS = (Part("errors", "how often a chooser who does not see traps misses one", "Abramson 1985", missed),)
