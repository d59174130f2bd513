"""The verdict: its evidence by definition and by exact enumeration, and simulated runs in which it might be wrong."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.arena.stats import verdict as verdicts
from ludus.arena.stats.statistics import PAIR_SCORES, elo
from ludus.arena.stats.verdict import ALONE, BEATEN, BETS, EQUAL, LEVEL, Verdict, beats
from tests.support.simulated_verdicts import SETTINGS, Play, Setting, Tally, lead

SCORES = st.lists(st.sampled_from(PAIR_SCORES), max_size=40)


def after(*scores: float, count: int = 2, equal: float = EQUAL) -> Verdict:
    """Player 0 has met player 1 with these scores."""
    found = Verdict(count, equal)
    for score in scores:
        found.add(0, 1, score)
    return found


def slow_evidence(scores: list[float]) -> float:
    """By definition: every gambler's capital, one after the other."""
    total = 0.0
    for bet in BETS:
        capital, ahead = 1.0, 0.0
        for score in scores:
            if ahead > 0:
                capital *= 1 + bet * (score - 0.5)
            ahead += score - 0.5
        total += capital
    return total / len(BETS)


# What evidence is.


@given(SCORES)
def test_evidence_is_the_mean_capital_of_the_gamblers(scores):
    found = after(*scores)
    assert math.exp(found.evidence[0, 1]) == pytest.approx(slow_evidence(scores))
    assert math.exp(found.evidence[1, 0]) == pytest.approx(slow_evidence([1 - score for score in scores]))
    assert found.lead[0, 1] == -found.lead[1, 0] == sum(scores) - len(scores) / 2
    assert found.pairs[0, 1].tolist() == [scores.count(score) for score in PAIR_SCORES]
    assert found.pairs[1, 0].tolist() == found.pairs[0, 1].tolist()[::-1]


@given(SCORES)
def test_who_is_named_first_does_not_matter(scores):
    one, other = after(*scores), Verdict(2)
    for score in scores:
        other.add(1, 0, 1 - score)
    assert np.array_equal(one.evidence, other.evidence)
    assert np.array_equal(one.contrary, other.contrary)


def test_bets_are_fair_and_ruin_nobody():
    assert BETS.min() > 0
    assert BETS.max() < 2
    assert BETS.mean() == pytest.approx(1)


# No capital is expected to grow: exactly, over all that can happen.

Pairing = Callable[[Verdict], tuple[int, int]]
STEADY: dict[str, dict[float, Fraction]] = {  # scores of 1/2 on average
    "all or nothing": {0.0: Fraction(1, 2), 1.0: Fraction(1, 2)},
    "mostly split": {0.0: Fraction(1, 10), 0.5: Fraction(4, 5), 1.0: Fraction(1, 10)},
    "rare wins": {0.25: Fraction(2, 3), 1.0: Fraction(1, 3)},
    "rare losses": {0.0: Fraction(1, 3), 0.75: Fraction(2, 3)},
}


def histories(start: Verdict, chances: dict[float, Fraction], pairing: Pairing, depth: int) -> Iterator[tuple]:
    """All states after each number of pairs with their probabilities, and whether these are the last."""
    states = [(Fraction(1), start)]
    for _ in range(depth):
        following = []
        for probability, state in states:
            for score, chance in chances.items():
                made = copy.deepcopy(state)
                made.add(*pairing(state), score)
                following.append((probability * chance, made))
        states = following
        yield states


def always(state: Verdict) -> tuple[int, int]:
    return 1, 0


def the_luckier(state: Verdict) -> tuple[int, int]:
    """Player 0 meets whoever is ahead of it: a choice that would fool any count of points."""
    return (1, 0) if state.lead[1, 0] >= state.lead[2, 0] else (2, 0)


def in_turns_until_ahead(state: Verdict) -> tuple[int, int]:
    return (1, 0) if state.lead[1, 0] <= 0 else (2, 0)


@pytest.mark.parametrize("chances", STEADY.values(), ids=STEADY)
@pytest.mark.parametrize("pairing", [always, the_luckier, in_turns_until_ahead])
def test_what_is_against_a_player_that_nobody_beats_does_not_grow(chances, pairing):
    for states in histories(Verdict(3), chances, pairing, depth=7):
        expected = sum(float(p) * math.exp(state.against[0]) for p, state in states)
        assert expected <= 1 + 1e-12


def capital(found: Verdict, tied: tuple[int, ...]) -> float:
    """What docs/how-to/ranking.md proves is not expected to grow if these players are as good as each other and all
    others."""
    if len(tied) == 1:
        return math.exp(found.against[tied[0]])
    both = np.exp(found.evidence + found.evidence.T)
    within = [math.prod(both[i, j] for j in tied if j != i) for i in tied]
    return (1 - LEVEL) * float(np.mean(within)) + LEVEL * math.exp(sum(found.against[i] for i in tied))


@pytest.mark.parametrize("chances", STEADY.values(), ids=STEADY)
@pytest.mark.parametrize("pairing", [always, the_luckier, in_turns_until_ahead])
@pytest.mark.parametrize("tied", [(0, 1), (0, 1, 2)])
def test_nor_what_is_against_players_that_are_equal(chances, pairing, tied):
    for states in histories(Verdict(3), chances, pairing, depth=6):
        assert sum(float(p) * capital(state, tied) for p, state in states) <= 1 + 1e-12


@given(st.lists(st.tuples(st.sampled_from([(0, 1), (0, 2), (1, 2)]), st.sampled_from([0.5, 0.75, 1.0])), max_size=80))
def test_who_is_named_wrongly_has_made_such_a_capital_grow(pairs):
    """Whoever might be as good as or better than the one who is named: the capital against them has reached 20."""
    found = Verdict(3)
    for pairing, score in [((0, 1), 1.0), ((1, 2), 1.0), ((0, 2), 1.0)] * 5 + pairs:
        found.add(*pairing, score)
        if found.best is None:
            continue
        for tied in [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]:
            assert tied == (found.best,) or capital(found, tied) >= 1 / LEVEL * (1 - 1e-12)


@pytest.mark.parametrize("margin", [0.1, 0.25])
def test_nor_what_is_against_a_lead_that_is_there(margin):
    """A score of 1/2 + margin on average: that the lead is no larger is not to be shown."""
    p = Fraction(1, 2) + Fraction(margin)
    for states in histories(Verdict(2, equal=elo(0.5 + margin)), {1.0: p, 0.0: 1 - p}, lambda state: (0, 1), depth=9):
        assert sum(float(p) * math.exp(state.contrary[0, 1]) for p, state in states) <= 1 + 1e-12


OPENINGS = [(1, 1, 0, 0, 0.5, 0.5), (1, 0.5, 0.5, 0, 0.25, 0.75), (0.75, 0.75, 0.75, 0.75, 0, 0), (1, 1, 1, 0, 0, 0)]


def growth_without_replacement(scores: tuple[float, ...], evidence: Callable[[list[float]], float]) -> float:
    """The most that the capital is expected to be for anybody who stops when he likes: all orders are equally likely.

    Whoever has seen some of the openings either takes what there is or goes on, whichever is worth more.
    """

    def worth(seen: tuple[float, ...], left: tuple[float, ...]) -> float:
        now = evidence(list(seen))
        if not left:
            return now
        going_on = [worth((*seen, x), left[:k] + left[k + 1 :]) for k, x in enumerate(left)]
        return max(now, sum(going_on) / len(going_on))

    return worth((), scores)


@pytest.mark.parametrize("scores", OPENINGS)
def test_nor_if_no_opening_comes_twice(scores):
    assert growth_without_replacement(scores, slow_evidence) <= 1 + 1e-12


def test_that_needs_gamblers_who_bet_only_while_ahead():
    """Or else they know, after losses, that the openings that are left must make up for them."""

    def heedless(scores: list[float]) -> float:
        return float(np.mean([math.prod(1 + bet * (x - 0.5) for x in scores) for bet in BETS]))

    assert all(growth_without_replacement(scores, heedless) > 1.01 for scores in OPENINGS)


def test_orders_are_all_that_can_happen_without_replacement():
    """The enumeration above, checked by brute force for somebody who never stops."""
    scores = OPENINGS[1]
    every = [slow_evidence(list(order)) for order in permutations(scores)]
    assert np.mean(every) <= 1


# From evidence to verdicts.


def test_thresholds():
    assert math.exp(BEATEN) == pytest.approx(20)
    assert (1 - LEVEL) * math.exp(ALONE) == pytest.approx(20)
    assert math.exp(Verdict(2).certain) == pytest.approx(20)
    assert math.exp(Verdict(8).certain) == pytest.approx(28 * 20)


def test_the_best_is_named_when_all_others_are_beaten():
    found = Verdict(3)
    assert found.decision == ""
    assert max(map(found.confidence, range(found.count))) == 0
    for _ in range(8):
        found.add(1, 0, 1.0)
    assert found.beaten == [0]
    assert found.unbeaten == [1, 2]
    assert found.best is None
    for _ in range(9):
        found.add(2, 1, 0.0)
    assert found.unbeaten == [1]
    assert found.decision == "best"
    assert found.best == 1
    assert found.confidence(1) >= 1 - LEVEL
    assert found.circle == found.equals == []


def test_nobody_is_beaten_a_little_below_the_threshold():
    scores = [1.0] * 8
    assert slow_evidence(scores[1:]) < 20 < slow_evidence(scores)
    assert after(*scores[1:]).unbeaten == [0, 1]
    assert after(*scores[1:]).confidence(0) < 1 - LEVEL
    assert after(*scores).best == 0
    assert after(*scores).confidence(0) == pytest.approx(0.9676, abs=1e-4)


def test_bets_that_were_lost_on_the_other_count():
    """Either of two equals might be ahead by luck, and the other was, before."""
    found = after(0.25, 0.25, 0.5, *[1.0] * 9)
    assert found.unbeaten == [0]
    assert found.evidence[0, 1] > ALONE > found.alone(0)[1]
    assert found.alone(0)[1] == found.evidence[0, 1] + found.evidence[1, 0]
    assert found.best is None
    assert after(0.25, 0.25, 0.5, *[1.0] * 10).best == 0


def test_the_best_must_beat_everybody_itself():
    """Player 2 was beaten by 0, and 0 by 1; that 1 is better than 2 must be seen, not inferred."""
    found = Verdict(3)
    for _ in range(9):
        found.add(0, 2, 1.0)
    for _ in range(9):
        found.add(1, 0, 1.0)
    assert found.unbeaten == [1]
    assert found.best is None
    assert found.unconfirmed(1) == [2]
    assert found.confidence(1) < 1 - LEVEL
    for _ in range(8):
        found.add(1, 2, 1.0)
    assert found.best == 1


def test_evidence_of_several_counts_together():
    """Two who each beat a third with evidence of 10 have beaten it together."""
    alone, together = Verdict(3), Verdict(3)
    for _ in range(6):
        alone.add(1, 0, 1.0)
        together.add(1, 0, 1.0)
        together.add(2, 0, 1.0)
    assert math.exp(alone.against[0]) < 30 < math.exp(together.against[0])
    assert alone.beaten == []
    assert together.beaten == [0]


def test_who_always_splits_is_equal():
    found = Verdict(2)
    pairs = 0
    while found.decision != "equal":
        found.add(0, 1, 0.5)
        pairs += 1
    assert 30 < pairs < 60
    assert found.equals == [0, 1]
    assert found.is_equal(0, 1)
    assert found.is_equal(1, 0)
    assert found.best is None
    assert after(*[0.5] * 10_000, equal=0.0).decision == ""


def test_a_circle_is_told_when_every_edge_is_sure():
    found = Verdict(4)
    for _ in range(9):
        for one, other in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
            found.add(one, other, 1.0)
    assert not found.unbeaten
    assert found.decision == ""  # everybody is beaten, but not every edge of the circle is sure by itself
    while not found.decision:
        for one, other in beats(found.circle):
            found.add(one, other, 1.0)
    assert found.decision == "circle"
    assert sorted(found.circle) == [0, 1, 2]
    assert all(found.lead[edge] > 0 for edge in beats(found.circle))
    assert found.best is None
    assert max(map(found.confidence, range(found.count))) == 0


@pytest.mark.slow
@given(st.lists(st.sampled_from(PAIR_SCORES), min_size=60, max_size=90))
def test_how_many_pairs_turned_round_would_turn_it(scores):
    """The smallest number of pairs, over all choices of them, after which the best is not ahead: greedy is enough."""
    found = after(*[1.0] * 9, *scores)
    if found.best is None:
        return
    best = found.best
    other, few = found.turning
    assert other == 1 - best
    mine = np.repeat(PAIR_SCORES, found.pairs[best, other])[::-1]
    turned = [sum(1 - x for x in mine[:k]) + sum(mine[k:]) - len(mine) / 2 for k in range(len(mine) + 1)]
    assert few == next((k for k, ahead in enumerate(turned) if ahead <= 0), None)


def test_turning_of_one_who_won_all():
    assert after(*[1.0] * 9).turning == (1, 5)
    assert after(1.0).turning is None


# Simulated runs.


def most(runs: int, share: float = LEVEL) -> float:
    """A share in so many runs that is exceeded by chance in one of a thousand, if the true one is `share`."""
    return share + 3.1 * (share * (1 - share) / runs) ** 0.5


def duels(setting: Setting, runs: int, pairs: int) -> Iterator[list[float]]:
    """The scores of player 0 in its pairs with player 1."""
    for seed in range(runs):
        yield [score for _, _, score in Play(setting, seed)([(0, 1)] * pairs)]


def is_ever_named(scores: list[float]) -> bool:
    """Whether one of two is named after any of these pairs."""
    found = Verdict(2)
    for score in scores:
        found.add(0, 1, score)
        if found.best is not None:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["2 equal", "2 equal, no draws", "2 equal, first move +520", "2 equal, correlated", "2 equal, 60 openings"]
)
def test_of_two_equals_none_is_named_best(name):
    """The hardest case, looked at after every pair."""
    named = [is_ever_named(scores) for scores in duels(SETTINGS[name], 80, 250)]
    assert sum(named) / 80 <= most(80)


def test_others_who_look_as_often_are_fooled():
    """A test at 5 % after every pair of such duels: that the verdict is not fooled shows something."""
    fooled = 0
    for scores in duels(SETTINGS["2 equal"], 80, 250):
        over = np.array(scores) - 0.5
        fooled += bool((np.abs(np.cumsum(over)) > 1.96 * np.sqrt(np.cumsum(over**2)))[10:].any())
    assert fooled / 80 > 0.2


def test_a_threshold_of_three_would_be_too_low(monkeypatch):
    """Two equals, and 3 instead of 20: these tests would show it."""
    monkeypatch.setattr(verdicts, "BEATEN", math.log(3))
    monkeypatch.setattr(verdicts, "ALONE", math.log(3))
    named = [is_ever_named(scores) for scores in duels(SETTINGS["2 equal"], 80, 250)]
    assert sum(named) / 80 > most(80)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["2, 10 Elo apart", "4, two equal, 150 and 300 behind", "5, two equal, three 50 behind"]
)
def test_a_name_is_wrong_in_few_runs(name):
    """Nobody is called equal here, so that runs go on as long as they can."""
    assert Tally.of(SETTINGS[name], 30, most=400, equal=0).wrong <= most(30)


@pytest.mark.parametrize(
    ("name", "games"), [("2, 60 Elo apart", 400), ("8, lead of 100", 1000), ("8, 40 Elo apart", 1400)]
)
def test_the_best_is_found(name, games):
    found = Tally.of(SETTINGS[name], 10)
    assert found.share("best") >= 0.9
    assert found.wrong <= most(10)
    assert found.games < games


@pytest.mark.slow
def test_equals_are_called_equal_and_others_are_not():
    drawn = SETTINGS["2 equal, 70 % drawn"]
    assert Tally.of(drawn, 10, most=700).share("equal") > 0.7
    found = Tally.of(Setting(lead(2, EQUAL + 10), drawn.world), 30, most=700)
    assert found.unequal <= most(30)
    assert found.share("best") > 0.3


def test_players_in_a_circle():
    found = Tally.of(SETTINGS["3 in a circle of 100 Elo"], 15)
    assert found.share("circle") > 0.8
    assert found.wrong <= most(15)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["8 equal", "8, lead of 100", "20, lead of 100", "3, 10 Elo apart", "12, up to 800 Elo apart"]
)
def test_intervals_hold_the_truth_when_a_run_stops(name):
    """93 % and more, of all intervals and of the leaders', give or take three standard errors."""
    runs = 30
    every, leaders = Tally.of(SETTINGS[name], runs, most=500).coverage
    error = (0.93 * 0.07 / runs) ** 0.5
    assert every >= 0.93 - error  # not all players of a run miss together
    assert leaders >= 0.93 - 3 * error
