"""The sequential test: its ratio against brute force, its error rates against simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom

import ludus
from ludus.arena.stats.sprt import NEVER, Sprt
from ludus.arena.stats.statistics import PAIR_SCORES, expected_score

SCORES = np.array(PAIR_SCORES)


# The log-likelihood ratio.


def greatest_likelihood(counts: np.ndarray, score: float) -> float:
    """Over all distributions with this expected score, by a general optimiser in the probabilities themselves."""
    start = np.full(5, 0.2)
    start += (score - 0.5) * (SCORES - 0.5) / np.sum((SCORES - 0.5) ** 2)  # which meets both constraints
    constraints = [
        {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(5)},
        {"type": "eq", "fun": lambda p: p @ SCORES - score, "jac": lambda p: SCORES},
    ]
    total = counts.sum()
    found = minimize(
        lambda p: -(counts / total) @ np.log(p),
        start,
        jac=lambda p: -counts / total / p,
        bounds=[(1e-9, 1)] * 5,
        constraints=constraints,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert abs(found.x.sum() - 1) < 1e-9
    assert abs(found.x @ SCORES - score) < 1e-9
    return -found.fun * total


def test_llr_against_brute_force():
    chance = np.random.default_rng(1)
    for _ in range(100):
        counts = chance.integers(1, chance.choice([3, 30, 300]), 5)
        elo0 = chance.uniform(-150, 100)
        test = Sprt(elo0, elo0 + chance.uniform(1, 100))
        slow0, slow1 = (greatest_likelihood(counts, expected_score(e)) for e in (test.elo0, test.elo1))
        assert test.llr(counts.tolist()) == pytest.approx(slow1 - slow0, rel=1e-4, abs=1e-5)


def test_what_never_occurred_counts_a_little():
    chance = np.random.default_rng(2)
    test = Sprt(-10, 30)
    for _ in range(100):
        counts = chance.integers(1, 100, 5) * (chance.random(5) < 0.5)
        if counts.any():
            padded = np.where(counts == 0, NEVER, counts)
            ratios = slow_llr(test, padded[None])
            assert test.llr(counts.tolist()) == pytest.approx(ratios[0], abs=1e-7)


def test_the_other_player_sees_the_opposite():
    chance = np.random.default_rng(3)
    for _ in range(200):
        pairs = chance.integers(0, 50, 5).tolist()
        assert Sprt(-7, 22).llr(pairs[::-1]) == pytest.approx(-Sprt(-22, 7).llr(pairs), abs=1e-8)


@pytest.mark.parametrize("count", [1, 10, 53, 10**4, 10**7])
def test_all_alike(count):
    """All won: the likeliest distributions have two results, and the ratio can be written down."""
    test = Sprt(0, 20)
    s1 = expected_score(20)
    assert test.llr([0, 0, 0, 0, count]) == pytest.approx(count * math.log(s1 / 0.5), abs=0.03)
    assert test.llr([count, 0, 0, 0, 0]) == pytest.approx(count * math.log((1 - s1) / 0.5), abs=0.03)
    assert test.llr([0, 0, count, 0, 0]) == pytest.approx(count * math.log(2 - 2 * s1), abs=0.03)


def test_no_games_say_nothing():
    test = Sprt(0, 20)
    assert test.llr([0] * 5) == 0
    assert test.decision([0] * 5) is None
    assert test.to_dict([0] * 5)["llr"] == 0


def test_the_farthest_hypotheses_are_finite():
    test = Sprt(-2000, 2000)
    for pairs in ([10**7, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1], [1, 2, 3, 4, 5]):
        assert math.isfinite(test.llr(pairs))
    assert test.llr([0, 1, 5, 1, 0]) == pytest.approx(0, abs=1e-6)


def test_bounds_and_decisions():
    test = Sprt(0, 20, alpha=0.02, beta=0.1)
    assert test.high == pytest.approx(math.log(0.9 / 0.02))
    assert test.low == pytest.approx(math.log(0.1 / 0.98))
    found = {}
    for won in range(120):
        pairs = [0, 0, 0, 0, won]
        found.setdefault(test.decision(pairs), test.llr(pairs))
    assert list(found) == [None, "H1"]
    assert test.high <= found["H1"] < test.high + 0.057  # at once, and not before
    assert test.decision([60, 0, 0, 0, 0]) == "H0"
    assert test.decision([0, 0, 100, 0, 0]) == "H0"


# The error rates.


def slow_llr(test: Sprt, counts: np.ndarray) -> np.ndarray:
    """The ratio of many matches at once, by bisection."""
    total = counts.sum(axis=1)
    likelihoods = []
    for score in (expected_score(test.elo0), expected_score(test.elo1)):
        distance = SCORES - score
        low, high = np.full(len(counts), -1 / (1 - score)), np.full(len(counts), 1 / score)
        for _ in range(45):
            middle = (low + high) / 2
            excess = counts / (1 + middle[:, None] * distance) @ distance
            low, high = np.where(excess > 0, middle, low), np.where(excess > 0, high, middle)
        p = counts / total[:, None] / (1 + low[:, None] * distance)
        likelihoods.append((counts * np.log(p)).sum(axis=1))
    return likelihoods[1] - likelihoods[0]


def tilted(base: list[float], difference: float) -> np.ndarray:
    """A distribution of that shape in which a player rated higher by `difference` has the score due to it."""
    low, high = -60.0, 60.0
    for _ in range(100):
        middle = (low + high) / 2
        p = np.array(base) * np.exp(middle * SCORES)
        p /= p.sum()
        low, high = (middle, high) if p @ SCORES < expected_score(difference) else (low, middle)
    assert p @ SCORES == pytest.approx(expected_score(difference), abs=1e-12)
    return p


def simulate(test: Sprt, p: np.ndarray, matches: int, seed: int) -> tuple[dict[str, int], float]:
    """How many matches accept which hypothesis, and how many pairs they take."""
    chance = np.random.default_rng(seed)
    counts = np.zeros((matches, 5))
    decided, played = {"H0": 0, "H1": 0}, 0
    while len(counts):
        played += len(counts)
        counts[np.arange(len(counts)), chance.choice(5, len(counts), p=p)] += 1
        llr = slow_llr(test, np.where(counts == 0, NEVER, counts))
        decided["H0"] += int((llr <= test.low).sum())
        decided["H1"] += int((llr >= test.high).sum())
        counts = counts[(llr > test.low) & (llr < test.high)]
    return decided, played / matches


SHAPES = {
    "independent, few draws": [0.2025, 0.09, 0.415, 0.09, 0.2025],
    "independent, many draws": [0.04, 0.24, 0.44, 0.24, 0.04],
    "who moves first wins": [0.03, 0.07, 0.8, 0.07, 0.03],
    "the opening suits one player": [0.4, 0.05, 0.1, 0.05, 0.4],
    "all but a few are drawn": [0.004, 0.03, 0.932, 0.03, 0.004],
}
MATCHES = 1000


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "test", [Sprt(0, 60), Sprt(-40, 40, alpha=0.1, beta=0.02), Sprt(0, 200)], ids=["0 60", "-40 40", "0 200"]
)
def test_error_rates(test, shape):
    """At most alpha and beta, but for what chance explains in one of a thousand simulations."""
    allowed = {"H1": test.alpha, "H0": test.beta}
    for truth, wrong in ((test.elo0, "H1"), (test.elo1, "H0")):
        found, _ = simulate(test, tilted(SHAPES[shape], truth), MATCHES, seed=int(truth) + 1000)
        assert sum(found.values()) == MATCHES
        assert found[wrong] <= binom.ppf(0.999, MATCHES, allowed[wrong]), (found, truth)


@pytest.mark.slow
def test_a_test_that_may_err_does():
    """The limits are used: it is not by playing too long that errors are rare."""
    test = Sprt(0, 60)
    found, pairs = simulate(test, tilted(SHAPES["independent, few draws"], 0), MATCHES, seed=5)
    assert found["H1"] >= binom.ppf(0.001, MATCHES, 0.03)
    # Wald: the ratio changes by about minus half its variance a pair, and ends near a bound.
    variance = tilted(SHAPES["independent, few draws"], 0) @ (SCORES - 0.5) ** 2
    step = (expected_score(60) - 0.5) ** 2 / variance / 2
    assert pairs == pytest.approx((0.95 * -test.low - 0.05 * test.high) / step, rel=0.15)


# What people write.


def test_parse():
    assert Sprt.of("elo0=0,elo1=20") == Sprt(0, 20, 0.05, 0.05)
    assert Sprt.of("elo1=2.5, elo0=-1, alpha=0.01, beta=0.1") == Sprt(-1, 2.5, 0.01, 0.1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("elo0=0", "an SPRT needs elo1, as in elo0=0,elo1=20; 'elo0=0' has none."),
        ("elo1=0", "an SPRT needs elo0"),
        ("elo0=0,elo1=x", "elo1 must be a number, not 'x'."),
        ("elo0=0,elo1=true", "elo1 must be a number, not True."),
        ("elo0=5,elo1=5", "elo1 must be greater than elo0, but 5 is not greater than 5."),
        ("elo0=0,elo1=-5", "elo1 must be greater than elo0"),
        ("elo0=0,elo1=2001", "elo1 must be from -2000 to 2000, not 2001."),
        ("elo0=-inf,elo1=0", "elo0 must be from -2000 to 2000"),
        ("elo0=0,elo1=5,alpha=0.5", "alpha must be between 0 and 0.5, not 0.5."),
        ("elo0=0,elo1=5,beta=0", "beta must be between 0 and 0.5, not 0."),
        ("elo0=0,elo2=5", "unknown key of an SPRT 'elo2'; did you mean elo1 or elo0?"),
        ("elo0=0,elo1=5,size=3", "unknown key of an SPRT 'size'; it is one of: alpha, beta, elo0, elo1."),
        ("", "cannot read ''"),
        ("0,20", "cannot read '0,20'"),
    ],
)
def test_refused(text, words):
    with pytest.raises(ludus.SpecError) as caught:
        Sprt.of(text)
    assert words in str(caught.value)
