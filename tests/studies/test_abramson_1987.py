"""The thesis's arithmetic exactly, learning and judging at a tiny scale, and a broken evaluator, which rows tell."""

from __future__ import annotations

import pytest

import ludus
from ludus.library.evaluators.lines import OpenLines
from ludus.library.evaluators.othello import WEIGHTS
from ludus.model import registry
from ludus.studies import abramson_1987 as study
from ludus.studies.engine.reproduction import reproduce, studies


def rows(*parts: str) -> dict[str, dict]:
    found = reproduce(studies()["abramson-1987"], scale="tiny", only=parts, workers=1, compiled=False)
    return {row["what"]: row for row in found.rows}


def test_the_sums_of_table_4_are_those_of_table_3_but_for_its_slips():
    found = rows("tables-4-5")
    wrong = {what for what, row in found.items() if row["agrees"] is False}
    assert wrong == {
        "Table 4, A: losses, by Table 3",
        "Table 4, A: difference, by Table 3",
        "Table 4, L2: discs against, by Table 3",
        "Table 4, L2: difference, by Table 3",
        "Table 5, A against M: significance by Table 3, rounded as printed",  # .844
        "Table 5, L2 against L1: significance by Table 3, rounded as printed",  # .867
        "half the width of the printed .95 ranges, in standard errors",
    }
    assert found["Table 4, A: losses, by Table 3"]["measured"] == 758
    for (one, other), (wins, losses, draws, *_) in study.TABLE_3.items():
        assert wins + losses + draws == 400, (one, other)
    for wins, losses, draws in study.TABLE_6.values():
        assert wins + losses + draws == 3500


def test_a_slip_of_the_pen_is_told():
    assert "69945 has the digits of our 69954" in study.exchanged(69945, 69954)
    assert study.exchanged(69945, 69945) == study.exchanged(69308, 72415) == ""


def test_the_expected_outcome_of_tictactoe_is_exact():
    """Of random games X wins 737/1260, O 121/420."""
    assert study.root_value("tictactoe") == [187, 630]


def test_the_sets_are_those_of_the_package():
    assert study.SETS == WEIGHTS
    for name, weights in study.SETS.items():
        text = ":".join(map(str, weights))
        position = ludus.game("othello").position().wander(20, 1)
        named, spelt = (position.value(ludus.evaluator("weighted-squares", weights=each)) for each in (name, text))
        assert named == spelt


def test_the_caption_of_figure_6_is_not_the_mean_of_the_table():
    found = rows("figures-5-6")
    what = "othello(size=6): accuracy of {} by Table 1 itself, eleven trees, against the caption's (rounded)"
    assert found[what.format("weighted-squares")]["measured"] == 0.54
    assert found[what.format("weighted-squares")]["agrees"] is False
    assert found[what.format("expected-outcome")]["agrees"] is True


def test_regression_weighs_the_features_that_it_is_told_to():
    options = {"positions": 60, "playouts": 2}
    features = ["class-1", "class-2"]
    found = study.regressions("othello(size=4)", ("win",), features, options, 0, False)["win"]
    assert len(found["weights"]) == 2
    assert found["weights"][0] > 0, "a corner is worth something"
    learnt = ludus.learn("othello(size=4)", method="regression", name="some", only=features, compiled=False, **options)
    kept = {row["feature"] for row in learnt.rows if row["weight"]}
    assert kept == {*features, "constant"}
    with pytest.raises(ludus.SpecError, match="unknown feature of othello"):
        ludus.learn("othello(size=4)", method="regression", name="some", only=["corners"], compiled=False)
    with pytest.raises(ludus.SpecError, match="`only` is for regression"):
        ludus.learn("othello(size=4)", name="some", only=features, compiled=False)


class Contrary(OpenLines):
    """Wants what is best for the opponent."""

    name = "open-lines"

    def evaluate(self, game, state):
        return -super().evaluate(game, state)


def test_rows_disagree_if_the_evaluator_is_broken(monkeypatch):
    """Whoever closes his own lines loses to perfect play, and one ply of lookahead does not help."""
    what = "tictactoe: games that open lines with one ply do not lose to perfect play"

    def verdict() -> bool | None:
        return rows("root-values")[what]["agrees"]

    assert verdict() is True
    monkeypatch.setitem(registry.evaluators().classes, "open-lines", Contrary)
    assert verdict() is False
