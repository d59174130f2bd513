"""What a match says about two players, against simulation: do 95 % intervals hold the truth 95 times in 100?"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import dirichlet, kstest

from ludus.arena.stats.statistics import (
    PAIR_SCORES,
    PRIOR,
    elo,
    elo_estimate,
    expected_score,
    likelihood_of_superiority,
    posterior,
)

COUNTS = st.tuples(*[st.one_of(st.integers(0, 5), st.integers(0, 10**7))] * 5)
SCORES = np.array(PAIR_SCORES)
quick = settings(max_examples=300, deadline=None, derandomize=True, database=None)


# Elo.


def test_elo_by_hand():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.75) == pytest.approx(190.85, abs=0.005)  # the usual table
    assert expected_score(0) == 0.5
    assert expected_score(-400) == pytest.approx(1 / 11)


@quick
@given(st.floats(1e-9, 1 - 1e-9))
def test_elo_and_expected_score_are_inverse(score):
    assert expected_score(elo(score)) == pytest.approx(score, rel=1e-12)
    assert elo(1 - score) == pytest.approx(-elo(score), rel=1e-6, abs=1e-9)


# Any counts at all.


@quick
@given(COUNTS)
def test_everything_is_finite_and_in_order(pairs):
    found = elo_estimate(pairs)
    assert all(math.isfinite(number) for number in (found.value, found.low, found.high))
    assert found.low < found.value < found.high
    assert 0 <= likelihood_of_superiority(pairs) <= 1


@pytest.mark.parametrize("pairs", [(0, 0, 0, 0, 0), (0, 0, 0, 0, 1), (1, 0, 0, 0, 0), (0, 0, 0, 0, 500)])
def test_nothing_played_or_everything_won(pairs):
    found = elo_estimate(pairs)
    assert -5000 < found.low < found.value < found.high < 5000
    assert np.sign(found.value) == np.sign(pairs[4] - pairs[0])


@quick
@given(COUNTS)
def test_both_players_are_treated_alike(pairs):
    one, other = elo_estimate(pairs), elo_estimate(pairs[::-1])
    assert one.value == pytest.approx(-other.value, rel=1e-6, abs=1e-6)
    assert one.low == pytest.approx(-other.high, rel=1e-6, abs=1e-6)
    assert likelihood_of_superiority(pairs) == pytest.approx(1 - likelihood_of_superiority(pairs[::-1]), abs=1e-9)


@pytest.mark.parametrize(
    "pairs", [(0, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 80, 0, 0), (3, 0, 0, 0, 3), (7, 4, 9, 4, 7), (0, 500, 1, 500, 0)]
)
def test_even(pairs):
    assert elo_estimate(pairs).value == pytest.approx(0, abs=1e-9)
    assert likelihood_of_superiority(pairs) == pytest.approx(0.5, abs=1e-12)


def test_the_value_is_the_score_of_the_games():
    assert elo_estimate((1, 2, 3, 4, 5)).value == pytest.approx(elo((2 * 0.25 + 3 * 0.5 + 4 * 0.75 + 5) / 15))


def test_more_wins_more_elo_and_more_certainty():
    for total in (1, 2, 4, 50):
        counts = [(0, 0, total - wins, 0, wins) for wins in range(total + 1)]
        assert rises([elo_estimate(pairs).value for pairs in counts])
        assert rises([elo_estimate(pairs).high for pairs in counts])
        assert rises([likelihood_of_superiority(pairs) for pairs in counts[:30]])  # then it is 1 to the last digit
    growing = [(n, 2 * n, 4 * n, 3 * n, n) for n in (1, 2, 5, 20, 100)]
    assert rises([-(elo_estimate(pairs).high - elo_estimate(pairs).low) for pairs in growing])
    assert rises([likelihood_of_superiority(pairs) for pairs in growing])


@pytest.mark.parametrize("total", [1, 2, 3, 10, 100])
def test_to_win_all_is_more_than_to_win_all_but_half_a_point(total):
    assert elo_estimate((0, 0, 0, 0, total)).value > elo_estimate((0, 0, 0, 1, total - 1)).value
    assert elo_estimate((total, 0, 0, 0, 0)).value < elo_estimate((total - 1, 1, 0, 0, 0)).value


def rises(numbers: list[float]) -> bool:
    return all(a < b for a, b in pairwise(numbers))


# The posterior.


@quick
@given(COUNTS)
def test_posterior_has_the_moments_of_the_dirichlet_distribution(pairs):
    a, b = posterior(pairs)
    exact = dirichlet([PRIOR + n for n in pairs])
    mean, variance = float(exact.mean() @ SCORES), float(SCORES @ exact.cov() @ SCORES)
    assert a / (a + b) == pytest.approx(mean, rel=1e-12)
    assert a * b / (a + b) ** 2 / (a + b + 1) == pytest.approx(variance, rel=1e-4, abs=1e-16)


@pytest.mark.parametrize("pairs", [(0, 0, 0, 0, 0), (3, 5, 20, 8, 4), (0, 1, 2, 3, 30), (2, 0, 90, 0, 8)])
def test_posterior_against_samples(pairs):
    samples = dirichlet([PRIOR + n for n in pairs]).rvs(20_000, random_state=1) @ SCORES
    a, b = posterior(pairs)
    mean, variance = a / (a + b), a * b / (a + b) ** 2 / (a + b + 1)
    assert samples.mean() == pytest.approx(mean, abs=4 * (variance / len(samples)) ** 0.5)
    assert samples.var() == pytest.approx(variance, rel=0.05)  # four standard errors
    if sum(pairs):
        # Not only the moments: the two distributions are hardly to be told apart.
        assert kstest(samples, "beta", (a, b)).statistic < 0.03
        assert likelihood_of_superiority(pairs) == pytest.approx((samples > 0.5).mean(), abs=0.02)


# Simulated matches.


def independent(win: float, draw: float) -> np.ndarray:
    """The chances of the five results of a pair, if its games have nothing to do with each other."""
    game = [1 - win - draw, draw, win]
    return np.convolve(game, game)


def first_move(first: float, second: float, draw: float = 0.0) -> np.ndarray:
    """If one wins so often when moving first and so often when moving second: pairs are mostly split."""
    return np.convolve([1 - first - draw, draw, first], [1 - second - draw, draw, second])


MATCHES = {
    "even": independent(0.5, 0),
    "better": independent(0.6, 0),
    "much better": independent(0.75, 0),
    "hardly ever loses": independent(0.9, 0),
    "some draws": independent(0.3, 0.4),
    "many draws": independent(0.2, 0.6),
    "nearly all drawn": independent(0.05, 0.9),
    "better, with draws": independent(0.6, 0.3),
    "first move decides": first_move(0.9, 0.1),
    "first move decides for the better player": first_move(0.99, 0.4),
    "first move decides, or a draw": first_move(0.7, 0.1, 0.2),
    "openings decide": np.array([0.5, 0, 0, 0, 0.5]),  # the same player wins both games
    "openings decide, one is better": np.array([0.3, 0, 0, 0, 0.7]),
    "all kinds": np.array([0.02, 0.05, 0.2, 0.4, 0.33]),
}
SIMULATED = 8000


def simulate(chances: np.ndarray, pairs: int, found: Callable, seed: int) -> np.ndarray:
    """`found(counts)` for each of many matches."""
    counts = np.random.default_rng(seed).multinomial(pairs, chances, size=SIMULATED)
    distinct, which = np.unique(counts, axis=0, return_inverse=True)
    return np.array([found(tuple(int(n) for n in row)) for row in distinct])[which.ravel()]


def margin(rate: float) -> float:
    """Three standard errors of a rate among the simulated matches."""
    return 3 * (rate * (1 - rate) / SIMULATED) ** 0.5


def coverage(chances: np.ndarray, pairs: int) -> float:
    truth = elo(float(chances @ SCORES))

    def holds(counts: tuple[int, ...]) -> bool:
        estimate = elo_estimate(counts)
        return estimate.low <= truth <= estimate.high

    return simulate(chances, pairs, holds, seed=pairs).mean()


@pytest.mark.parametrize("pairs", [50, 100, 400])
@pytest.mark.parametrize("name", MATCHES)
def test_the_interval_holds_the_truth_95_times_in_100(name, pairs):
    assert 0.93 - margin(0.93) < coverage(MATCHES[name], pairs) < 0.975 + margin(0.975)


@pytest.mark.parametrize(
    ("chances", "pairs"),
    [(independent(0.97, 0), 20), (first_move(0.99, 0.05), 100), (independent(0.5, 0), 10), (independent(0.6, 0.3), 10)],
)
def test_the_interval_where_little_happens(chances, pairs):
    """So few pairs that differ from the rest that single ones matter: there it still holds the truth 9 times in 10."""
    assert coverage(chances, pairs) > 0.92


def test_taking_games_for_independent_would_not_do():
    """Why the pair is the unit: of pairs that are always alike there are really only half as many games."""
    rate = coverage(np.array([0.5, 0, 0, 0, 0.5]), 100)
    narrower = np.sqrt(0.5)  # what the interval would be for 200 independent games
    draws = np.random.default_rng(1).binomial(100, 0.5, SIMULATED) / 100
    assert (abs(draws - 0.5) < 1.96 * 0.05 * narrower).mean() < 0.86 < rate


@pytest.mark.parametrize("name", ["even", "some draws", "many draws", "first move decides", "openings decide"])
@pytest.mark.parametrize("pairs", [50, 200])
def test_false_alarms_of_los(name, pairs):
    """Between equal players it exceeds 95 % in 5 % of matches."""
    likely = simulate(MATCHES[name], pairs, likelihood_of_superiority, seed=pairs)
    for level in (0.05, 0.95):
        assert (likely < level).mean() == pytest.approx(level, abs=0.005 + margin(level))
    assert likely.mean() == pytest.approx(0.5, abs=3 * (1 / 12 / SIMULATED) ** 0.5)


@pytest.mark.parametrize(("strengths", "pairs"), [(PRIOR, 5), (PRIOR, 20), (1.0, 100)])
def test_los_is_calibrated(strengths, pairs):
    """Of matches between players of all strengths in which it says 70 %, the first is the better one in 70 %."""
    random = np.random.default_rng(pairs)
    truth = random.dirichlet([strengths] * 5, size=60_000)
    distinct, which = np.unique(random.multinomial(pairs, truth), axis=0, return_inverse=True)
    likely = np.array([likelihood_of_superiority(row.tolist()) for row in distinct])[which.ravel()]
    superior = truth @ SCORES > 0.5
    for low in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9):
        group = (likely >= low) & (likely < low + 0.2)
        assert group.sum() > 2000
        # Three standard errors, and 2 % for the Beta distribution that stands for the posterior.
        error = 3 * (likely[group].mean() * (1 - likely[group].mean()) / group.sum()) ** 0.5
        assert superior[group].mean() == pytest.approx(likely[group].mean(), abs=error + 0.02)
