"""What a match says about two players: Elo with an interval, likelihood of superiority.

Games come in pairs, the same opening with sides swapped, and the two games of a pair are not independent. So the unit
is the pair: the *pentanomial* counts say how many pairs gave the first player 0, 1/2, 1, 3/2 and 2 points. The expected
score is estimated from them with a Dirichlet prior that weighs as much as one pair, which keeps everything finite when
a player wins or loses all. Its posterior is close to the Beta distribution of the same mean and variance; the interval
and the likelihood of superiority are read off that. In simulated matches of 50 pairs and more the interval holds the
truth in 93 to 97.5 % of them, games independent or not (`tests/arena/stats/test_statistics.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ludus.common.interval import Estimate

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
PRIOR = 0.2
"""Weight of the prior for each of the five results of a pair."""


def elo(score: float) -> float:
    """The difference in rating at which `score` is expected."""
    return 400 * math.log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """The score expected of a player who is rated `difference` higher."""
    return 1 / (1 + 10 ** (-difference / 400))


def posterior(pairs: Sequence[int]) -> tuple[float, float]:
    """The parameters of the Beta distribution that the expected score has after these pentanomial counts."""
    weights = [PRIOR + count for count in pairs]
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, PAIR_SCORES, strict=True)) / total
    spread = sum(w * (x - mean) ** 2 for w, x in zip(weights, PAIR_SCORES, strict=True)) / total
    variance = spread / (total + 1)
    size = mean * (1 - mean) / variance - 1
    return mean * size, (1 - mean) * size


def score_estimate(pairs: Sequence[int]) -> Estimate:
    """The first player's share of the points, with its 95 % interval."""
    from scipy.special import betaincinv

    a, b = posterior(pairs)
    count = sum(pairs)
    score = sum(n * x for n, x in zip(pairs, PAIR_SCORES, strict=True)) / count if count else 0.5
    low, high = (min(max(float(betaincinv(a, b, q)), 1e-12), 1 - 1e-12) for q in (0.025, 0.975))
    return Estimate(score, low, high)


def elo_estimate(pairs: Sequence[int]) -> Estimate:
    """The first player's rating minus the second's, with its 95 % interval; always finite."""
    found, count = score_estimate(pairs), sum(pairs)
    score = found.value
    if count:  # all lost or all won: half a draw short of it, so that nothing less is rated higher
        score = min(max(score, 1 / (8 * count)), 1 - 1 / (8 * count))
    return Estimate(elo(score), elo(found.low), elo(found.high))


def likelihood_of_superiority(pairs: Sequence[int]) -> float:
    """The probability that the first player is the stronger one."""
    from scipy.special import betainc

    a, b = posterior(pairs)
    return float(betainc(b, a, 0.5))
