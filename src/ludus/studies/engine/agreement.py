"""Does what we measured agree with what a paper says? A row for each number, and the test behind its verdict.

All tests are at the level of 1 %: a row disagrees only if a difference as large as this one would come by chance in
fewer than one of a hundred studies. So agreement means that our data do not speak against the paper, and a small sample
speaks against little; the interval beside it says how much was found out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from ludus.arena.stats.statistics import PAIR_SCORES, PRIOR, posterior

LEVEL = 0.01
"""The probability with which a row disagrees although the paper and we have measured the same thing."""
DRAWS = 20_000
"""Random repetitions of a paper's experiment, from which a p-value is read."""

Relation = Literal["=", "<", ">"]


@dataclass(frozen=True)
class Row:
    """One number: what it is, the paper's, ours with its 95 % interval, and whether a test finds no difference."""

    what: str
    paper: float | None
    measured: float | None
    low: float | None
    high: float | None
    agrees: bool | None
    """None if the paper gives no number."""
    relation: Relation = "="
    """The paper says that the value is this number, or only that it is below or above it."""
    convention: str = ""
    """Which reading of the paper this is, where it leaves something open."""
    p: float | None = None
    """Of the test behind `agrees`; None if there is none, or the value is exact."""
    size: int | None = None
    """How many games, or other observations, ours rests on."""
    ours: bool = False
    """Whether the number in the place of the paper's is not the paper's, but what we derived for it."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON: what is not a finite number is None."""
        return {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in asdict(self).items()
        }


def exact_row(what: str, measured: float, paper: float | None = None, relation: Relation = "=", **more: Any) -> Row:
    """A number that chance has no part in: it agrees if it is the same, or on the right side of the paper's."""
    agrees = None
    if paper is not None:
        agrees = bool({"=": measured == paper, "<": measured < paper, ">": measured > paper}[relation])
    return Row(what, paper, measured, measured, measured, agrees, relation, **more)


def share_row(
    what: str,
    pairs: Sequence[int],
    paper: float | None = None,
    games: int | None = None,
    relation: Relation = "=",
    **more: Any,
) -> Row:
    """A share of points in paired games, from pentanomial counts (`statistics`).

    paper: its share, in `games` games; without these, or where `relation` is not "=", a bound that is known exactly.
    """
    from scipy.special import betainc, betaincinv

    count = sum(pairs)
    if not count:
        return Row(what, paper, None, None, None, None, relation, **more)
    a, b = posterior(pairs)
    measured = sum(n * x for n, x in zip(pairs, PAIR_SCORES, strict=True)) / count
    low, high = (float(betaincinv(a, b, q)) for q in (0.025, 0.975))
    low, high = min(low, measured), max(high, measured)
    p = None
    if paper is not None:
        below = float(betainc(a, b, min(max(paper, 0.0), 1.0)))  # the probability that the true share is below
        p = {"<": below, ">": 1 - below, "=": 2 * min(below, 1 - below)}[relation]
        if relation == "=" and games is not None:
            p = _repeated(pairs, paper, games)
    return Row(what, paper, measured, low, high, _verdict(p), relation, p=p, size=2 * count, **more)


def _repeated(pairs: Sequence[int], paper: float, games: int) -> float:
    """How probable a result as far out as the paper's is in its number of games, played like ours.

    Both samples are uncertain: what the results of a pair are worth is drawn from the posterior of our counts, and then
    the paper's pairs are drawn.
    """
    random = np.random.default_rng(0)
    chances = random.dirichlet([PRIOR + count for count in pairs], DRAWS)
    played = max(round(games / 2), 1)
    shares = random.multinomial(played, chances) @ np.array(PAIR_SCORES) / played
    slack = 0.5 / games  # a paper's number may be of an odd number of games
    return float(min(2 * min((shares <= paper + slack).mean(), (shares >= paper - slack).mean()), 1.0))


def mean_row(
    what: str,
    values: Sequence[float],
    paper: float | None = None,
    relation: Relation = "=",
    paper_sd: float | None = None,
    paper_size: int | None = None,
    **more: Any,
) -> Row:
    """A mean of independent observations, by Student's t; of two samples by Welch's, if the paper gives `paper_sd` and
    `paper_size`."""
    from scipy import stats

    data = np.asarray(values, float)
    count, mean = len(data), float(data.mean()) if len(data) else math.nan
    if count < 2:
        return Row(what, paper, mean if count else None, None, None, None, relation, size=count, **more)
    error, freedom = float(data.std(ddof=1)) / math.sqrt(count), count - 1.0
    margin = float(stats.t.ppf(0.975, freedom)) * error
    p = None
    if paper is not None:
        if paper_sd is not None and paper_size is not None:
            theirs = paper_sd / math.sqrt(paper_size)
            both = error**2 + theirs**2
            freedom = both**2 / (error**4 / (count - 1) + theirs**4 / (paper_size - 1)) if both > 0 else freedom
            error = math.sqrt(both)
        below = _below(paper - mean, error, freedom)
        p = {"<": below, ">": 1 - below, "=": 2 * min(below, 1 - below)}[relation]
    return Row(what, paper, mean, mean - margin, mean + margin, _verdict(p), relation, p=p, size=count, **more)


def ratio_row(
    what: str,
    pairs: Sequence[Sequence[float]],
    paper: float | None = None,
    relation: Relation = "=",
    paper_size: int | None = None,
    **more: Any,
) -> Row:
    """The ratio of two totals, from observations of both, by the delta method; the paper's observations, if their
    number is given, are taken to vary as much as ours."""
    data = np.asarray(pairs, float).reshape(-1, 2)
    above, below = data.sum(axis=0) if len(data) else (0.0, 0.0)
    if below == 0:
        return Row(what, paper, None, None, None, None, relation, **more)
    ratio = above / below
    values = ratio + (data[:, 0] - ratio * data[:, 1]) / data[:, 1].mean()
    spread = float(values.std(ddof=1)) if paper_size is not None and len(values) > 1 else None
    return mean_row(what, values.tolist(), paper, relation, spread, paper_size, **more)


def _below(gap: float, error: float, freedom: float) -> float:
    """The probability that a t-distributed value is below a gap of this many standard errors."""
    from scipy import stats

    if error == 0:
        return 0.5 if gap == 0 else float(gap > 0)
    return float(stats.t.cdf(gap / error, freedom))


def one_of_row(what: str, values: Sequence[float], paper: float | None = None, **more: Any) -> Row:
    """A paper's single observation among many of ours: it agrees if it is not farther out than all but 1 % of them.

    The measured value is the median; the interval holds 95 % of the observations.
    """
    data = np.sort(np.asarray(values, float))
    if not len(data):
        return Row(what, paper, None, None, None, None, **more)
    low, middle, high = (float(q) for q in np.quantile(data, (0.025, 0.5, 0.975)))
    p = None
    if paper is not None:
        ranks = [(np.sum(data <= paper) + 1) / (len(data) + 1), (np.sum(data >= paper) + 1) / (len(data) + 1)]
        p = float(min(2 * min(ranks), 1.0))
    return Row(what, paper, middle, low, high, _verdict(p), p=p, size=len(data), **more)


def count_row(
    what: str,
    hits: int,
    size: int,
    paper: float | None = None,
    relation: Relation = "=",
    paper_size: int | None = None,
    **more: Any,
) -> Row:
    """A share of independent observations: Jeffreys' interval; of two samples, Fisher's exact test."""
    from scipy import stats

    if not size:
        return Row(what, paper, None, None, None, None, relation, **more)
    share, p = hits / size, None
    truth = stats.beta(hits + 0.5, size - hits + 0.5)
    low, high = min(float(truth.ppf(0.025)), share), max(float(truth.ppf(0.975)), share)
    if paper is not None:
        if paper_size is not None and relation == "=":
            theirs = round(paper * paper_size)
            p = float(stats.fisher_exact([[hits, size - hits], [theirs, paper_size - theirs]])[1])
        elif relation == "=":
            p = float(stats.binomtest(hits, size, paper).pvalue)
        else:
            below = float(truth.cdf(paper))
            p = below if relation == "<" else 1 - below
    return Row(what, paper, share, low, high, _verdict(p), relation, p=p, size=size, **more)


def _verdict(p: float | None) -> bool | None:
    return None if p is None else bool(p >= LEVEL)
