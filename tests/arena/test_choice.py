"""Whom to take after a run: the sentence, what JSON has, and who is cheaper."""

from __future__ import annotations

import pytest

from ludus.arena.reports import words
from ludus.arena.reports.report import page
from tests.support.invented_rankings import SHORT, invented, stronger_first


def one_wins(dice, one, other, index):
    return 1


def in_a_circle(dice, one, other, index):
    return 1 if other == one + 1 else -1


def drawn(dice, one, other, index):
    return 0


def test_how_much_others_may_be_ahead():
    ranking = invented(SHORT[:3], pairs=15)
    found = ranking.choice
    bound = ranking.evidence.leads.bounds(found.row.number).max()
    assert 0 < found.elo == bound < 200
    told = f"Take bfmm: with 95 % confidence none of the others beats it by more than {bound:g} Elo in direct games."
    assert words.regret(ranking) == words.sentences(ranking)[0] == told
    assert page(ranking).verdict.startswith(told)
    data = ranking.to_dict()["regret"]
    assert data == {"player": ranking.to_dict()["best"], "elo": bound, "level": 0.95, "simpler": None}


def test_the_best_has_no_regret():
    ranking = invented(SHORT, pairs=9, score=one_wins)
    assert ranking.evidence.best == 0
    assert ranking.evidence.leads.bounds(0).max() > 0  # not enough for a bound of 0 by itself
    assert words.regret(ranking) == "Take bfmm: with 95 % confidence none of the others beats it."
    assert ranking.to_dict()["regret"]["elo"] == 0


def test_who_never_met_and_who_met_too_seldom():
    nobody = invented(SHORT[:3], pairs=0)
    assert nobody.choice is None
    assert words.regret(nobody) == ""
    assert nobody.to_dict()["regret"] is None
    few = invented(SHORT[:3], pairs=1, score=in_a_circle)
    assert few.to_dict()["regret"]["elo"] is None
    told = "bfmm leads; what it can cost to take it is not known: there are too few games with lcf."
    assert words.regret(few) == told
    apart = invented(SHORT[:6], pairs=0)
    for number, records in invented(SHORT[:2], pairs=20, score=one_wins).pairs.items():
        apart.add(number, records)
    assert apart.to_dict()["regret"]["elo"] is None
    assert words.regret(apart).endswith("it has not met lcf, uct, minimax and greedy yet.")
    many = invented(SHORT, pairs=0)
    for number, records in invented(SHORT[:2], pairs=20, score=one_wins).pairs.items():
        many.add(number, records)
    assert words.regret(many).endswith("it has not met lcf, uct, minimax and 3 others yet.")


@pytest.mark.parametrize(("times", "found"), [((100, 90, 95), None), ((100, 20, 45), 1), ((100, 45, 20), 2)])
def test_who_is_much_cheaper_and_not_far_behind(times, found):
    """All are equal here; the cheapest is told if it takes no more than half of the leader's time."""
    ranking = invented(SHORT[:3], pairs=150, score=drawn, microseconds=times)
    simpler = ranking.choice.simpler
    if found is None:
        assert simpler is None
        return
    assert simpler.row.number == found
    assert simpler.times == pytest.approx(0.2)
    assert simpler.elo == ranking.evidence.leads.bounds(found, 6)[0] <= 30
    told = f" {SHORT[found]} takes 20 % of its time, and bfmm beats it by at most {simpler.elo:g} Elo."
    assert words.regret(ranking).endswith(told)
    data = ranking.to_dict()["regret"]["simpler"]
    assert data == {"player": ranking.names[found], "elo": simpler.elo, "times": simpler.times}


def test_who_is_cheaper_but_far_behind_is_not_told():
    assert invented(SHORT[:3], pairs=60, score=stronger_first, microseconds=(100, 20, 10)).choice.simpler is None
