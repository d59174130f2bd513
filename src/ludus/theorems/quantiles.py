"""Choosing among trees by their leaves (Abramson 1987, section 5.1.2): corollaries 1 and 2, theorem 2.

The moves are the roots of (d, b, F)-trees with the same b and d, but different F. Corollary 1: where leaves are won or
lost, the tree with the larger share of won leaves is optimal, in the limit. Corollary 2: the tree with the larger
quantile is, the quantile to which roots converge. Theorem 2: for normal leaves the mean and the quantile agree on two
trees if (mu1 - mu2) > z (sigma2 - sigma1), z the quantile of the standard normal curve. The text after the theorem has
it the other way round, (sigma2 - sigma1) < z (mu1 - mu2), as far as the copy can be read: false where z is above 1.
"""

from __future__ import annotations

import numpy as np

from ludus.common.interval import Estimate, mean, share
from ludus.kernel.normal import normal_quantile
from ludus.theorems.rows import AT_ONCE, LEVEL, PRINTED, Panel, Part, Row, Series, of_claim, of_share
from ludus.theorems.trees import at_most, limit, roots

NARROW, WIDE = (0.0, 1.0), (-0.1, 2.0)
"""Means and standard deviations of two trees about which mean and quantile disagree: b = 2, MAX last."""


def score(b: int, max_last: bool = True) -> float:
    """The z-score of the quantile to which roots converge."""
    return float(normal_quantile(limit(b, max_last)))


def agree(b: int, one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Theorem 2: whether mean and quantile prefer the same of two trees, given as (mean, standard deviation)."""
    (mu1, sigma1), (mu2, sigma2) = (one, other) if one[0] >= other[0] else (other, one)
    return mu1 - mu2 > score(b) * (sigma2 - sigma1)


def above(b: int, d: int, one: tuple[float, float], other: tuple[float, float]) -> float:
    """The probability that the first tree's root is above the second's; leaves normal, MAX last."""
    from scipy.special import ndtr

    x = np.linspace(-12, 12, 48_001)
    first, second = (at_most(ndtr((x - mu) / sigma), b, d, True) for mu, sigma in (one, other))
    return float((np.diff(first) * (second[1:] + second[:-1]) / 2).sum())


def optimal_by_share(p: float, other: float, b: int, d: int) -> float:
    """The probability that the tree with the larger chance of a won leaf is optimal: unless it is lost, and the other
    one won. MAX last."""
    won, other_won = (1 - float(at_most(1 - each, b, d, True)) for each in (p, other))
    return 1 - (1 - won) * other_won


def quantiles(trials: int, random: np.random.Generator) -> tuple[list[Row], list[Panel]]:
    """Which tree is better, told from its leaves."""
    few = max(trials // 4, 100)
    rows: list[Row] = []
    shares: list[tuple[float, Estimate]] = []
    normals: list[tuple[float, Estimate]] = []
    depths = [2, 4, 6, 8, 10]
    for d in depths:
        won = [_won(random, few, p, d) for p in (0.45, 0.35)]
        best = won[0] | ~won[1]
        rows.append(
            of_share(f"more won leaves is optimal, .45 v .35, b=2 d={d}", optimal_by_share(0.45, 0.35, 2, d), best)
        )
        shares.append((d, share(int(best.sum()), few, LEVEL)))
    for d in depths:
        narrow, wide = (_normal(random, few, tree, d) for tree in (NARROW, WIDE))
        rows.append(of_share(f"larger quantile has the better root, d={d}", above(2, d, WIDE, NARROW), wide > narrow))
        normals.append((d, mean(wide > narrow, LEVEL)))
    for b, printed in ((2, 0.3), (50, 1.6)):
        close = abs(printed - score(b)) < 0.05
        rows.append(of_claim(f"z-score of the quantile, b={b}", printed, score(b), close, PRINTED))
    rows += _condition(random, few)
    deep = list(range(2, 21, 2))
    left = [
        Series("formula", deep, [optimal_by_share(0.45, 0.35, 2, d) for d in deep]),
        Series.simulated("simulated", shares),
    ]
    right = [
        Series("larger quantile, formula", deep, [above(2, d, WIDE, NARROW) for d in deep]),
        Series("larger mean, formula", deep, [above(2, d, NARROW, WIDE) for d in deep], dashed=True),
        Series.simulated("larger quantile, simulated", normals),
    ]
    return rows, [
        Panel("Corollary 1: .45 against .35 won leaves, b = 2", "depth", "the choice is optimal", left),
        Panel("Corollary 2: N(0, 1) against N(-0.1, 2), b = 2", "depth", "the choice has the better root", right),
    ]


def _condition(random: np.random.Generator, trials: int) -> list[Row]:
    """Theorem 2's condition where z is above 1: two trees about which the two readings differ."""
    b, narrow, wide = 50, (1.0, 1.0), (0.0, 2.0)
    z = score(b)
    printed = wide[1] - narrow[1] < z * (narrow[0] - wide[0])
    parts = [min(AT_ONCE, trials - start) for start in range(0, trials, AT_ONCE)]
    found = [
        np.concatenate([np.sort(random.normal(*tree, (many, 499)))[:, int(limit(b, True) * 499)] for many in parts])
        for tree in (narrow, wide)
    ]
    same = float(np.mean(found[0] > found[1]) > 0.5)
    what = "mean and quantile agree, N(1, 1) v N(0, 2), b=50"
    return [
        of_claim(what, float(printed), same, float(printed) == same, PRINTED, "1: they agree; by 499 leaves each"),
        of_claim(what, float(agree(b, narrow, wide)), same, float(agree(b, narrow, wide)) == same, note="the same"),
    ]


def _won(random: np.random.Generator, trials: int, p: float, d: int) -> np.ndarray:
    return roots(random, trials, 2, d, True, lambda shape: random.random(shape) < p).astype(bool)


def _normal(random: np.random.Generator, trials: int, tree: tuple[float, float], d: int) -> np.ndarray:
    return roots(random, trials, 2, d, True, lambda shape: random.normal(*tree, shape))


PARTS = (Part("quantiles", "which of several trees is better, told from its leaves", "Abramson 1987", quantiles),)
