"""Players that stop early: whether that was worth it."""

import pytest

from ludus.arena.savings import savings
from ludus.arena.standings import Effort, Score, Standing
from ludus.arena.statistics import Estimate
from ludus.core.budget import Meter


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
    sure, hasty = savings(rows)
    assert (sure.row.name, sure.stronger, sure.gap) == ("sure", (), 10)
    assert sure.words() == (
        "sure used 40 % of its budget: nobody who spent as little a move is known to be stronger; "
        "the best who used all is 10 Elo ahead."
    )
    assert [other.name for other in hasty.stronger] == ["sure"]
    assert hasty.words() == (
        "hasty used 45 % of its budget: it was not worth it, sure spent no more a move and is stronger."
    )
    assert hasty.data() == {"player": "hasty", "used": 0.45, "worth": False, "stronger": ["sure"], "gap": 100}


@pytest.mark.parametrize("other", [row("near", 30, 700, 1.0), row("dear", 300, 1000, 1.0), row("idle", 300, 1, 1, 0)])
def test_a_rival_must_be_certainly_stronger_no_dearer_and_have_played(other):
    assert [saving.stronger for saving in savings([other, row("sure", 0, 800, 0.4), row("all", 0, 2000, 1.0)])] == [()]


def test_towards_the_end_of_a_game_nobody_can_use_all():
    assert savings([row("lcf", 0, 1500, 0.75), row("uct", 0, 1700, 0.85), row("random", -300, 0, 0)]) == []
