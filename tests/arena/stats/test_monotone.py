"""The test of monotonicity: its size where nothing falls, its power where something does, and its edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

import ludus
from ludus.arena.stats import monotone
from ludus.arena.stats.monotone import LEVEL, monotonicity

CHAINS = [[0, 2, 4], [1, 3, 5]]


@pytest.fixture
def few_draws(monkeypatch):
    """Enough to tell 5 % from 10 %."""
    monkeypatch.setattr(monotone, "DRAWS", 2000)


def results(random, means, subjects, common=0.4, games=2):
    """Points of subjects in a few games; `common` is the part of a result that is the subject's own."""
    total = np.zeros((subjects, len(means)))
    for _ in range(games):
        own, rest = random.standard_normal((subjects, 1)), random.standard_normal(total.shape)
        total += norm.cdf(common**0.5 * own + (1 - common) ** 0.5 * rest) < np.array(means)
    return total / games


def share_found(means, subjects, times=300, anchored=False, **how):
    random = np.random.default_rng(subjects)
    found = 0
    for turn in range(times):
        table = results(random, means, subjects, **how)
        if anchored:
            table[:, 0] = 0.5  # depth 1 against itself
        found += monotonicity(table, CHAINS, seed=turn).falls
    return found / times


@pytest.mark.parametrize(
    ("mean", "subjects", "how"),
    [
        (0.5, 20, {}),
        (0.5, 200, {"common": 0.0}),
        (0.8, 50, {"games": 1}),
        (0.97, 200, {}),
        (0.5, 50, {"anchored": True}),
    ],
)
def test_the_size_is_at_most_the_level(few_draws, mean, subjects, how):
    """Where all means are equal, the worst case; the bound is what 5 % exceed once in a thousand times."""
    assert share_found([mean] * 6, subjects, **how) <= binom.ppf(0.999, 300, LEVEL) / 300


def test_a_rising_row_is_found_to_fall_even_less(few_draws):
    assert share_found([0.5, 0.5, 0.6, 0.6, 0.7, 0.7], 100) <= 0.01


def test_the_power_is_decent(few_draws):
    """A fall of ten points in 200 pairs of games is found in 4 cases of 5; of twenty points almost always."""
    assert share_found([0.5, 0.6, 0.65, 0.7, 0.6, 0.6], 200, times=100) >= 0.7
    assert share_found([0.5, 0.6, 0.7, 0.7, 0.5, 0.6], 200, times=50) >= 0.98


def test_odd_and_even_places_are_apart():
    high, low = np.tile([1.0, 0.0], (50, 3)), np.tile([0.0, 1.0], (50, 3))
    for table in (high, low):
        found = monotonicity(table, CHAINS)
        assert found.p > 0.9
        assert not found.rises
    assert monotonicity(high).falls


def test_what_it_says_of_the_fall():
    random = np.random.default_rng(0)
    found = monotonicity(results(random, [0.5, 0.8, 0.4], 300))
    assert (found.fall.earlier, found.fall.later) == (1, 2)
    assert (found.rise.earlier, found.rise.later) == (0, 1)
    assert found.falls
    assert found.rises
    assert found.fall.drop == pytest.approx(0.4, abs=0.08)
    assert found.rise.drop == pytest.approx(-0.3, abs=0.08)
    assert found.p == pytest.approx(1 / (monotone.DRAWS + 1))


def test_a_drop_as_large_as_said_is_found_in_four_cases_of_five(few_draws):
    random = np.random.default_rng(5)
    least = np.mean([monotonicity(results(random, [0.6, 0.6], 100)).detectable for _ in range(20)])
    hits = [monotonicity(results(random, [0.6, 0.6 - least], 100), seed=i).falls for i in range(200)]
    assert 0.7 <= np.mean(hits) <= 0.9


def test_a_few_results_that_never_vary_prove_nothing():
    assert not monotonicity([[0.5, 0.25]] * 2).falls
    assert monotonicity([[1.0, 0.0]] * 30).falls
    assert not monotonicity([[1.0, 1.0]] * 30).falls


def test_it_is_public_and_the_same_each_time():
    table = results(np.random.default_rng(1), [0.5, 0.45], 40)
    assert ludus.monotonicity(table) == ludus.monotonicity(table.tolist())


@pytest.mark.parametrize("table", [[[0.5]], [[0.5, 2.0]] * 3, [[0.1, 0.2]], [], [0.1, 0.2], [[0.1, float("nan")]] * 3])
def test_what_cannot_be_tested_is_one_sentence(table):
    with pytest.raises(ludus.LudusError, match="a test of monotonicity takes"):
        monotonicity(table)
