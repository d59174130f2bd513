"""Minimax convergence (Pearl 1980, 1984; Abramson 1987, theorem 1; 1989, section 3) and the last player (Nau 1982).

The root of a deep (d, b, F)-tree is worth the xi_b-quantile of F if MAX makes the last move, the (1 - xi_b)-quantile if
MIN does, whatever the leaves happen to be. The thesis prints theorem 1 with 1 - xi_b for "MAX has the last move": the
players are swapped there, and its xi_2 = .382 and xi_50 = .056 are 1 - xi. Of values on whole numbers the limit is the
smallest i with F(i) at least that quantile; the survey's 39 for 0 to 100 is the answer for 1 to 100.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ludus.common.interval import mean
from ludus.library.games.synthetic import fair
from ludus.theorems.rows import LEVEL, PRINTED, Panel, Part, Row, Series, of_claim, of_mean, of_number, of_share
from ludus.theorems.trees import at_most, expected, limit, roots

SHAPES = ((2, 4), (2, 8), (2, 11), (3, 6), (5, 4))
"""b and d of the trees that are simulated."""

DEEP = 400
"""Plies after which nothing changes any more."""


def convergence(trials: int, random: np.random.Generator) -> tuple[list[Row], list[Panel]]:
    """Roots approach the quantile, whatever the leaves are."""
    rows = []
    few = max(trials // 4, 100)
    for b, d in SHAPES:
        x = limit(b, max_last=False)
        found = roots(random, few, b, d, max_last=False)
        rows.append(of_mean(f"mean root, b={b} d={d}, MIN last", expected(b, d, False), found))
        rows.append(of_share(f"P(root <= {x:.3f}), b={b} d={d}, MIN last", float(at_most(x, b, d, False)), found <= x))
    deep = expected(2, DEEP, False)
    rows.append(
        of_claim("root of a binary tree, MIN last, d=400", limit(2, False), deep, abs(deep - 0.381966) < 1e-4, PRINTED)
    )
    rows += _whole_numbers(random, few)
    across = np.linspace(0.2, 0.6, 161)
    curves = [
        Series(f"d = {d}", across.tolist(), at_most(across, 2, d, False).tolist(), dashed=d > 20)
        for d in (2, 6, 12, 24, 48)
    ]
    points = np.linspace(0.22, 0.58, 10)
    values = roots(random, few, 2, 6, max_last=False)
    shares = [mean(values <= each, LEVEL) for each in points]
    simulated = Series.simulated("d = 6, simulated", list(zip(points.tolist(), shares, strict=True)))
    title = "Binary trees, MIN last: the root is at most x"
    return rows, [Panel(title, "x, leaves uniform in [0, 1]", "probability", [*curves, simulated], whole=False)]


def integer_limit(least: int, most: int, b: int, max_last: bool) -> int:
    """To which whole number the root converges, if leaves are uniform on `least` to `most`."""
    size = most - least + 1
    return next(i for i in range(least, most + 1) if (i - least + 1) / size >= limit(b, max_last))


def _whole_numbers(random: np.random.Generator, trials: int) -> list[Row]:
    rows = []
    for least, printed in ((0, 39), (1, None)):
        size = 101 - least
        steps = at_most(np.arange(size + 1) / size, 2, DEEP, False)
        deep = least + int(np.argmax(np.diff(steps)))
        what = f"root on whole numbers {least} to 100, b=2, MIN last"
        if printed is not None:
            rows.append(of_number(what, printed, deep, PRINTED, "the survey is off by one"))
        rows.append(of_number(what, integer_limit(least, 100, 2, False), deep, note="exact distribution at d=400"))
        found = roots(random, trials, 2, 10, False, partial(random.integers, least, 101))
        chance = float(at_most((38 - least + 1) / size, 2, 10, False))
        rows.append(of_share(f"P(root <= 38) on {least} to 100, d=10", chance, found <= 38))
    return rows


def last_player(trials: int, random: np.random.Generator) -> tuple[list[Row], list[Panel]]:
    """Whoever moves last is favoured: the value that a search sees jumps between even and odd depths."""
    rows = []
    few = max(trials // 4, 100)
    for b, printed in ((2, 0.382), (50, 0.056)):
        close = abs(printed - fair(b)) < 0.001
        rows.append(of_claim(f"xi_{b}", printed, fair(b), close, PRINTED, "the thesis gives 1 - xi"))
        rows.append(of_number(f"xi_{b}^{b} + xi_{b}", fair(b) ** b + fair(b), 1.0))
    series = []
    for b, deepest in ((2, 10), (3, 6)):
        means = []
        for d in range(1, deepest + 1):
            max_last = d % 2 == 1  # MAX is at the root
            found = roots(random, few, b, d, max_last)
            last = "MAX" if max_last else "MIN"
            rows.append(of_mean(f"mean root, b={b} d={d}, {last} last", expected(b, d, max_last), found))
            means.append(mean(found, LEVEL))
        depths = list(range(1, deepest + 1))
        exact = [expected(b, d, d % 2 == 1) for d in depths]
        series.append(Series(f"b = {b}", depths, exact))
        series.append(Series.simulated(f"b = {b}, simulated", list(zip(depths, means, strict=True))))
    for max_last in (True, False):
        name = "MAX" if max_last else "MIN"
        series.append(Series(f"b = 2, limit, {name} last", [1, 10], [limit(2, max_last)] * 2, dashed=True))
    title = "MAX at the root: the value that a search of depth d sees"
    return rows, [Panel(title, "depth d; at odd depths MAX moves last", "mean value of the root", series)]


PARTS = (
    Part("convergence", "the root of a deep tree is worth a quantile of its leaves", "Pearl 1980", convergence),
    Part("last-player", "who makes the last move is favoured", "Nau 1982", last_player),
)
