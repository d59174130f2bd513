"""Players that stop early: whether that was worth it."""

import pytest

from ludus.arena.cheaper import cheaper_players
from ludus.arena.reports.standings import Effort, Score, Standing
from ludus.arena.stats.statistics import Estimate
from ludus.model.budget import Meter


def row(name, elo, nodes, used, games=100, wide=20):
    rating = Estimate(elo, elo - wide, elo + wide)
    effort = Effort(Meter(generated=nodes * 50), 50)
    return Standing(0, name, name, rating, Score(games, 0, 0), None, effort, {"nodes": used}, 0)


def test_who_stops_early_is_compared_with_who_spent_as_little():
    rows = [
        row("all", 100, 2000, 1.0),
        row("sure", 90, 800, 0.4),
        row("hasty", 0, 900, 0.45),
        row("random", -300, 0, 0),
    ]
    sure, hasty = cheaper_players(rows)
    assert (sure.row.name, sure.stronger, sure.gap) == ("sure", (), 10)
    assert sure.words() == (
        "sure used only 40 % of its budget. Nobody is known to do better with so little; "
        "the best of those who used most is 10 Elo stronger."
    )
    assert [other.name for other in hasty.stronger] == ["sure"]
    assert hasty.words() == (
        "hasty used only 45 % of its budget. That did not pay: sure spent no more on a move and is stronger."
    )
    assert hasty.data() == {"player": "hasty", "used": 0.45, "worth": False, "stronger": ["sure"], "gap": 100}


def test_in_a_game_so_small_that_nobody_needs_much_all_may_be_as_strong():
    (sure,) = cheaper_players([row("sure", 0.3, 32, 0.06), row("most", 0, 60, 0.12)])
    assert sure.words().endswith(
        "Nobody is known to do better with so little; the best of those who used most is as strong."
    )


@pytest.mark.parametrize("other", [row("near", 30, 700, 1.0), row("dear", 300, 1000, 1.0), row("idle", 300, 1, 1, 0)])
def test_a_rival_must_be_certainly_stronger_no_dearer_and_have_played(other):
    assert [
        saving.stronger for saving in cheaper_players([other, row("sure", 0, 800, 0.4), row("all", 0, 2000, 1.0)])
    ] == [()]


def test_towards_the_end_of_a_game_nobody_can_use_all():
    assert cheaper_players([row("lcf", 0, 1500, 0.75), row("uct", 0, 1700, 0.85), row("random", -300, 0, 0)]) == []


def test_who_used_its_budget_has_not_stopped_early_though_others_overran_theirs():
    assert cheaper_players([row("dear", 0, 700, 1.4), row("sampler", 0, 505, 1.01), row("uct", 0, 404, 0.81)]) == []
