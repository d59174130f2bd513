"""Short names of players, and strength at equal time."""

from __future__ import annotations

import math

import pytest

from ludus.arena import equal_time
from ludus.arena.reports.naming import LONGEST, labels, shared_arguments, without
from ludus.model.spec import Spec
from tests.support.invented_rankings import SHORT, invented

PVS = "pvs(table=true, killers=true, history=true, reductions=3"


def named(*specs: str) -> list[str]:
    parsed = [Spec.parse(spec) for spec in specs]
    return labels([without(spec, shared_arguments(parsed)) for spec in parsed])


def test_what_is_short_stays_and_what_is_long_is_marked():
    assert named("bfmm(nodes=9)", f"{PVS}, nodes=9)", "mgss(unit=sets, nodes=9)") == ["bfmm", "pvs*", "mgss(unit=sets)"]
    assert named("bfmm(nodes=9)", "bfmm(nodes=8)") == ["bfmm(nodes=9)", "bfmm(nodes=8)"]
    assert named(f"{PVS}, nodes=9)", f"{PVS}, nodes=8)", "bfmm(nodes=8)") == [
        "pvs(nodes=9)*",
        "pvs(nodes=8)*",
        "bfmm(nodes=8)",
    ]


def test_no_two_have_the_same_name():
    long = [
        f"alphabeta(eval=weighted-lines, table={t}, killers={k}, history={h}, nodes=1)"
        for t in ("true", "false")
        for k in ("true", "false")
        for h in ("true", "false")
    ]
    found = named(*long, "bfmm(nodes=1)")
    assert len(set(found)) == 9
    assert all(len(name) <= LONGEST for name in found)


def test_the_evaluator_that_was_learnt_is_called_so():
    learnt = "eval=learned/ranked-0a1b2c3d"
    found = named(
        "bfmm(eval=sampler, nodes=9)",
        f"bfmm({learnt}, nodes=9)",
        f"{PVS}, {learnt}, nodes=9)",
        f"{PVS}, eval=sampler, nodes=9)",
    )
    assert found == ["bfmm", "bfmm+learned", "pvs+learned*", "pvs*"]
    assert named("bfmm(eval=learned/mine, nodes=9)", "bfmm(eval=zero, nodes=9)")[0] == "bfmm(eval=learned/mine)"


def test_the_legend_has_all_that_names_leave_out():
    ranking = invented((f"{PVS})", "bfmm"))
    assert ranking.labels == ["pvs*", "bfmm"]
    assert ranking.legend == {"pvs*": ranking.names[0]}
    assert ranking.to_dict()["players"][0]["player"] == ranking.names[0]
    assert f"pvs*  {ranking.names[0]}" in ranking.text(200)
    assert ranking.names[0] not in ranking.verdict()


def test_each_against_each_is_shown_where_it_fits():
    ranking = invented(SHORT)
    assert "score, %" in ranking.text(100)
    assert "score, %" not in ranking.text(50)
    assert "score, %" in ranking.text(60, matrix=True)


# Equal time. All have used half of 2000 nodes.


def test_the_estimate_follows_from_the_times():
    ranking = invented(SHORT[:4], microseconds=[400, 10, 800, 410])
    found = equal_time.equal_time(ranking.standings)
    assert [each.row.number for each in found] == ranking.order
    assert (found[0].ratio, found[0].low, found[0].high) == (1.0, found[0].row.rating.value, found[0].row.rating.value)
    for each in found:
        cost = math.log2(each.row.effort.microseconds / found[0].row.effort.microseconds)
        cost = min(max(cost, -2), 2)  # no more than two doublings
        ends = sorted(each.row.rating.value - cost * elo for elo in equal_time.PER_DOUBLING)
        assert [each.low, each.high] == pytest.approx(ends)
    assert [each["player"] for each in ranking.to_dict()["equal_time"]] == [
        str(row.player) for row in ranking.standings
    ]


def test_it_is_said_whether_the_leader_would_lead():
    def leads(dice, one, other, index):
        return dice.choice((1, 1, 1, -1)) if one == 0 else dice.choice((1, -1))

    def nearly_level(dice, one, other, index):
        return dice.choice((1, -1))

    slow = invented(SHORT[:2], pairs=20, score=leads, microseconds=[300, 100])
    assert "At equal time alphabeta may lead: bfmm takes 3.0 times as long for a move as alphabeta. " in str(slow)
    assert "(25 to 130 Elo for twice the nodes); `budget=seconds=0.00020` measures it." in str(slow)
    slower = invented(SHORT[:2], pairs=20, score=nearly_level, microseconds=[400, 100])
    assert "At equal time alphabeta would probably lead: " in str(slower)
    assert "At equal time bfmm would still lead. " in str(
        invented(SHORT[:2], pairs=20, score=leads, microseconds=[50, 100])
    )
    assert "equal time" not in str(invented(SHORT[:2], pairs=20, score=leads, microseconds=[100, 110]))


def test_it_is_not_said_where_time_is_the_budget_or_nobody_knows_it():
    timed = [f"{name}(seconds=0.001)" for name in SHORT[:2]]
    assert equal_time.equal_time(invented(timed, microseconds=[300, 100]).standings) == []
    assert equal_time.equal_time(invented(SHORT[:2], pairs=0).standings) == []
    assert (
        equal_time.equal_time(invented([f"{n}(nodes=100000)" for n in SHORT[:2]], microseconds=[3, 1]).standings) == []
    )
