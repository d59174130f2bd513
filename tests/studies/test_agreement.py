"""The tests behind "agrees": they hold their level, and see a difference where there is one."""

import numpy as np
import pytest
from scipy.stats import binom

from ludus.studies.engine import agreement
from ludus.studies.engine.agreement import LEVEL, count_row, exact_row, mean_row, one_of_row, share_row

CHANCES = [0.1, 0.05, 0.4, 0.05, 0.4]
SCORES = np.array([0, 0.25, 0.5, 0.75, 1])


def test_two_samples_of_one_truth_disagree_as_rarely_as_the_level_says(monkeypatch):
    """The prior makes the test cautious with small samples; of 1,000 repetitions at 1 %, 20 are fewer than 0.3 %
    would let us see, and with none at all it would never see anything."""
    monkeypatch.setattr(agreement, "DRAWS", 2000)
    random = np.random.default_rng(1)
    disagreeing = 0
    for _ in range(1000):
        ours, theirs = random.multinomial(200, CHANCES), random.multinomial(20, CHANCES)
        disagreeing += not share_row("", ours, float(theirs @ SCORES / 20), games=40).agrees
    assert 1 <= disagreeing <= binom.ppf(0.999, 1000, LEVEL)


def test_a_different_truth_is_seen():
    ours = [100, 0, 100, 0, 100]
    row = share_row("", ours, 0.9, games=200)
    assert (row.measured, row.agrees) == (0.5, False)
    assert row.low < 0.5 < row.high
    assert share_row("", ours, 0.5, games=200).agrees is True
    assert share_row("", ours, 0.6, games=10).agrees is True  # five pairs say little


def test_all_won_agrees_with_all_won_and_not_with_all_lost():
    won = [0, 0, 0, 0, 10]
    row = share_row("", won, 1.0, games=200)
    assert (row.measured, row.high, row.agrees) == (1.0, 1.0, True)
    assert share_row("", won, 0.0, games=200).agrees is False


def test_a_bound_is_contradicted_only_from_its_other_side():
    behind = [60, 0, 30, 0, 10]
    assert share_row("", behind, 0.5, relation="<").agrees is True
    assert share_row("", behind, 0.5, relation=">").agrees is False
    assert share_row("", [1, 0, 1, 0, 0], 0.5, relation=">").agrees is True  # two pairs contradict nothing


def test_without_a_number_of_the_paper_there_is_no_verdict():
    assert share_row("", [1, 1, 1, 1, 1]).agrees is None
    assert mean_row("", [1.0, 2.0]).agrees is None
    assert exact_row("", 3).agrees is None
    assert share_row("", [0] * 5, 0.5).measured is None  # nor without games


def test_exact_numbers_agree_only_if_they_are_the_same():
    assert exact_row("", 39, 39).agrees is True
    assert exact_row("", 38, 39).agrees is False


def test_means_by_student_and_by_welch():
    random = np.random.default_rng(2)
    values = random.normal(5.0, 2.0, 400)
    assert mean_row("", values, 5.0).agrees is True
    assert mean_row("", values, 6.0).agrees is False
    assert mean_row("", values, 6.0, paper_sd=2.0, paper_size=8).agrees is True  # their mean is uncertain, too
    assert mean_row("", values, 4.0, relation=">").agrees is True
    assert mean_row("", values, 4.0, relation="<").agrees is False
    assert mean_row("", [3.0, 3.0, 3.0], 3.0).agrees is True
    assert mean_row("", [3.0, 3.0, 3.0], 4.0).agrees is False


def test_one_observation_among_many():
    values = range(1000)
    assert one_of_row("", values, 500).agrees is True
    assert one_of_row("", values, 2000).agrees is False
    assert one_of_row("", [70, 80, 90], 2000).agrees is True  # three observations cannot say that it is rare


def test_shares_of_counts():
    assert count_row("", 30, 100, 0.5).agrees is False
    assert count_row("", 30, 100, 0.5, paper_size=10).agrees is True
    assert count_row("", 30, 100, 0.5, relation="<").agrees is True
    assert count_row("", 30, 100, 0.5, relation=">").agrees is False
    assert count_row("", 0, 0, 0.5).agrees is None


@pytest.mark.parametrize("paper", [0.3, 0.5])
def test_a_share_of_counts_holds_its_level(paper):
    """Exactly: the probabilities of all counts that disagree, added up."""
    chances = binom.pmf(range(301), 300, paper)
    level = sum(chances[hits] for hits in range(301) if not count_row("", hits, 300, paper).agrees)
    assert LEVEL / 3 < level <= LEVEL


@pytest.mark.parametrize("relation", ["<", ">"])
def test_a_bound_holds_its_level_where_it_is_just_true(relation):
    chances = binom.pmf(range(301), 300, 0.5)
    level = sum(chances[hits] for hits in range(301) if not count_row("", hits, 300, 0.5, relation=relation).agrees)
    assert LEVEL / 3 < level < 1.5 * LEVEL  # an interval of Jeffreys' is not always on the safe side
