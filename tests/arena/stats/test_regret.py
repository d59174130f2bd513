"""What it can cost to take a player: bounds by definition, by exact enumeration, and in simulated runs."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.arena.stats import regret
from ludus.arena.stats.regret import BETS, LEVEL, LEVELS, Leads
from ludus.arena.stats.statistics import PAIR_SCORES, elo, expected_score
from ludus.arena.stats.verdict import ALONE, Verdict
from tests.support.simulated_verdicts import SETTINGS, Regrets

SCORES = st.lists(st.sampled_from(PAIR_SCORES), max_size=40)


def after(*scores: float, count: int = 2, also: float = 0.0) -> Leads:
    """Player 1 has met player 0 with these scores."""
    found = Leads(count, also)
    for score in scores:
        found.add(1, 0, score)
    return found


def slow_capital(scores: list[float], m: float) -> float:
    """By definition: what gamblers have who hold that the expected score is below m, one after the other."""
    total = 0.0
    for bet in BETS:
        capital, points = 1.0, 0.0
        for met, score in enumerate(scores):
            if points <= m * met:
                capital *= 1 + bet * (m - score) / (2 * (1 - m))
            points += score
        total += capital
    return total / len(BETS)


@given(SCORES, st.sampled_from([0, 2, 60, 300, 1200]))
def test_evidence_is_the_mean_capital_of_the_gamblers(scores, level):
    m = expected_score(level)
    found = after(*scores).evidence(level)
    assert math.exp(found[0, 1]) == pytest.approx(slow_capital(scores, m))
    assert math.exp(found[1, 0]) == pytest.approx(slow_capital([1 - score for score in scores], m))


@pytest.mark.parametrize("equal", [0.0, 30.0, 33.3, 400.0])
def test_bets_are_rescaled_so_that_a_lost_pair_ruins_whoever_bets_2(equal):
    """At every level a pair that the other player wins leaves 1 - bet / 2; one that he loses brings the more the
    higher the level is, for then it was the less to be expected."""
    m = expected_score(equal)
    lost, won, drawn = (math.exp(after(score, also=equal).evidence(equal)[0, 1]) for score in (1.0, 0.0, 0.5))
    mean = np.mean(BETS)
    assert lost == pytest.approx(1 - mean / 2)
    assert won == pytest.approx(1 + mean * m / (2 - 2 * m))
    assert drawn == pytest.approx(1 + mean * (m - 0.5) / (2 - 2 * m))


@pytest.mark.slow
@given(SCORES, st.sampled_from([2, 3, 12]))
def test_a_bound_is_the_lowest_level_from_which_on_all_have_the_evidence(scores, count):
    found = after(*scores, count=count)
    needed = (1 if count == 2 else count) / LEVEL
    shown = [slow_capital(scores, expected_score(level)) >= needed for level in LEVELS]
    lowest = next((k for k in range(len(LEVELS)) if all(shown[k:])), None)
    assert found.bounds(0)[1] == (math.inf if lowest is None else LEVELS[lowest])
    assert found.bounds(0)[0] == 0
    assert (found.bounds(0)[2:] == math.inf).all()  # never met
    assert (found.bounds(0, 1000)[1] >= found.bounds(0)[1]).all()


@pytest.mark.parametrize("level", [0, 100, 400])
@pytest.mark.parametrize("low", [0.0, 0.25])
def test_no_capital_is_expected_to_grow(level, low):
    """Exactly, over all that can happen: scores of `low` or 1, with a mean of m."""
    m = expected_score(level)
    p = (m - low) / (1 - low)
    for depth in range(1, 9):
        expected = 0.0
        for scores in product((low, 1.0), repeat=depth):
            likely = math.prod(p if score == 1 else 1 - p for score in scores)
            expected += likely * slow_capital(list(scores), m)
        assert expected <= 1 + 1e-9


@pytest.mark.parametrize("scores", [(1, 1, 0, 0, 0.5, 0.5), (1, 1, 1, 1, 0, 0), (0.75, 0.75, 1, 1, 0, 1)])
def test_nor_if_no_opening_comes_twice(scores):
    """Somebody stops when he likes, after seeing some of the openings: all orders are equally likely."""
    m = float(sum(map(Fraction, scores)) / len(scores))

    def worth(seen: tuple[float, ...], left: tuple[float, ...]) -> float:
        now = slow_capital(list(seen), m)
        going_on = [worth((*seen, x), left[:k] + left[k + 1 :]) for k, x in enumerate(left)]
        return max(now, sum(going_on) / len(going_on)) if left else now

    assert worth((), scores) <= 1 + 1e-9


def test_how_bounds_shrink():
    """Of twelve players, one that wins all pairs with another; one that wins as many as it loses."""
    won = [after(*[0.0] * k, count=12).bounds(0)[1] for k in range(16)]
    assert won[0] == math.inf
    assert all(one >= other for one, other in pairwise(won))
    assert won[5] < 250
    assert won[15] == 0
    level = [after(*[0.0, 1.0, 0.5, 0.5] * k, count=12).bounds(0)[1] for k in (10, 40, 160)]
    assert 160 > level[0] > 1.7 * level[1] > 2.8 * level[2] > 30


def test_equals_have_little_regret():
    found = Verdict(3)
    while not found.is_equal(0, 1):
        found.add(0, 1, 0.5)
    assert max(found.leads.bounds(0)[1], found.leads.bounds(1)[0]) <= found.equal


def test_no_regret_and_the_best():
    """The best has none; and who has none against another has beaten it with more evidence than that takes."""
    found = Verdict(3)
    for _ in range(14):
        found.add(0, 1, 1.0)
        found.add(0, 2, 1.0)
        if found.leads.bounds(0).max() == 0:
            assert found.alone(0)[1:].min() >= ALONE
        assert found.regret(0) == (0 if found.best == 0 else found.leads.bounds(0).max())
    assert found.leads.bounds(0).max() == 0
    assert found.regret(1) == math.inf


def test_another_level_may_be_asked_for():
    found = after(*[0.5] * 60, count=3, also=33.3)
    assert 33.3 in found.levels
    assert math.exp(found.evidence(33.3)[0, 1]) == pytest.approx(slow_capital([0.5] * 60, expected_score(33.3)))
    assert elo(expected_score(33.3)) == pytest.approx(33.3)


def most(runs: int) -> float:
    """A share in so many runs that is exceeded by chance in one of a thousand, if the true one is that allowed."""
    return LEVEL + 3.1 * (LEVEL * (1 - LEVEL) / runs) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["2, 60 Elo apart", "8, 10 Elo apart", "3 in a circle of 10 Elo"])
def test_bounds_hold_at_any_time(name):
    """For all players at once, and after every round."""
    assert np.mean(Regrets.of(SETTINGS[name], 40, looks=(250,)).wrong) <= most(40)


@pytest.mark.slow
def test_less_evidence_would_not_do(monkeypatch):
    """Were 1.5 enough for each, these tests would show it."""
    monkeypatch.setattr(regret, "LEVEL", 12 / 1.5)
    assert np.mean(Regrets.of(SETTINGS["8, 10 Elo apart"], 12, looks=(250,)).wrong) > most(12)


@pytest.mark.slow
def test_the_bound_of_the_leader_shrinks():
    """As in rankings of searches: three close at the top, others up to 800 Elo behind."""
    first, later = np.median(Regrets.of(SETTINGS["12, up to 800 Elo apart"], 8, looks=(250, 1000)).bounds, axis=0)
    assert first < 400
    assert later < 100
