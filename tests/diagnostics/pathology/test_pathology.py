"""Does looking deeper help? Verdicts on games where that is known, the database, and the command."""

from __future__ import annotations

import pytest

import ludus
from ludus.diagnostics.pathology.pathology_report import Pathology, interval
from tests.support.commands import run

SMALL = {"deepest": 3, "games": 8, "compiled": False, "workers": 1}


def test_points_are_those_of_the_deeper_player():
    """On nim depth 3 sees more than depth 1, as `match` says from the other side."""
    found = ludus.pathology("nim(stones=9)", "zero", openings=1, **SMALL)
    rows = found.to_dict()["rows"]
    assert [row["depth"] for row in rows] == [2, 3]
    for row in rows:
        assert row["games"] == 2 * found.subjects
        assert row["low"] <= row["score"] <= row["high"]
        assert row["score"] == pytest.approx((row["first"]["score"] + row["second"]["score"]) / 2)
    players = f"alphabeta(eval=zero, depth={rows[1]['depth']})", "alphabeta(eval=zero, depth=1)"
    match = ludus.match("nim(stones=9)", *players, games=8, openings=1, compiled=False)
    assert rows[1]["score"] == match.points[0] / match.games


def test_decisions_of_a_perfect_evaluator_are_right_at_every_depth():
    how = {"by": "decisions", "deepest": 4, "games": 12, "compiled": False}
    found = ludus.pathology("trap-tree(depth=4)", "win-truth", **how)
    assert [row["score"] for row in found.rows] == [1.0] * 4
    assert not found.pathological
    assert "neither helps nor hurts" in found.verdict


class Shortsighted(ludus.Evaluator):
    """Knows who wins after the first move; farther on it guesses."""

    def evaluate(self, game, state):
        if state[1] == 1:
            return game.score(state)
        return float(int(state[0]) % 1001)


def test_an_evaluator_that_is_worse_farther_on_is_pathological():
    how = {"by": "decisions", "deepest": 3, "games": 40, "compiled": False}
    found = ludus.pathology("trap-tree(branching=2, depth=6, q=0)", Shortsighted, **how)
    assert found.rows[0]["score"] == 1.0
    assert found.rows[2]["score"] < 0.8
    assert found.pathological
    assert found.verdict.startswith("Pathological: looking deeper hurts. Depth 3 scores")


class TestVerdicts:
    """From results that are made up."""

    def found(self, *scores, by="decisions"):
        made = Pathology("game", "eval", "search", by, 0, list(range(1, len(scores) + 1)))
        for subject in range(200):
            made.add([(float(subject * 7919 % 200 < 200 * score),) for score in scores])
        return made

    def test_pathological(self):
        found = self.found(0.8, 0.7, 0.6, 0.7)
        assert found.pathological
        assert found.verdict.startswith("Pathological: looking deeper hurts. Depth 3 scores 60.0 %, depth 1 80.0 %")

    def test_it_helps(self):
        found = self.found(0.6, 0.5, 0.8, 0.7)
        assert not found.pathological
        assert found.verdict.startswith("Looking deeper helps: depth 3 scores 80.0 %, depth 1 60.0 %")
        assert found.to_dict()["helps"]

    def test_an_even_depth_below_an_odd_one_is_no_pathology(self):
        found = self.found(0.8, 0.5, 0.8, 0.5)
        assert found.to_dict()["p"] > 0.5

    def test_nothing_yet(self):
        made = Pathology("game", "eval", "search", "games", 0, [1, 2, 3])
        assert made.to_dict()["p"] is None
        assert not made.pathological
        assert "too little" in str(made)


def test_intervals_hold_the_mean():
    for results in ([1.0] * 9, [0.0] * 9, [0.25, 0.5, 1.0]):
        low, high = interval(results)
        assert 0 <= low <= sum(results) / len(results) <= high <= 1


class TestCommand:
    SPLIT = ("pathology", "board-splitting(rounds=2)", "--no-compile", "--workers", 1, "--deepest", 3)

    @pytest.mark.slow
    def test_json_and_the_database(self, tmp_path):
        command = (*self.SPLIT, "--db", tmp_path / "some.db", "--json", "--games")
        first = run(*command, 4)
        assert first.status == 0
        assert {"game", "eval", "rows", "pathological", "p"} <= first.json.keys()
        more = run(*command, 8)
        assert "continuing run 1: 8 games played so far" in more.err
        again = run(*command, 8)
        assert "nothing was played" in again.err
        assert again.json == more.json
        assert [row["games"] for row in more.json["rows"]] == [8, 8]
        alone = run(*command[:-3], tmp_path / "other.db", "--json", "--games", 8)
        assert alone.json["rows"] == more.json["rows"]

    @pytest.mark.slow
    def test_words_and_picture(self, tmp_path):
        ran = run(*self.SPLIT, "--games", 4, "--db", tmp_path / "some.db", "-o", tmp_path / "depths.svg")
        assert ran.status == 0
        assert "Looking deeper" in ran.out
        assert (tmp_path / "depths.svg").read_text().startswith("<?xml")

    @pytest.mark.slow
    def test_ctrl_c_shows_what_there_is(self, tmp_path, monkeypatch):
        def add(found, results):
            keep(found, results)
            if found.subjects == 2:
                raise KeyboardInterrupt

        keep = Pathology.add
        monkeypatch.setattr(Pathology, "add", add)
        ran = run(*self.SPLIT, "--games", 20, "--db", tmp_path / "some.db", "--json")
        assert ran.status == 130
        assert [row["games"] for row in ran.json["rows"]] == [4, 4]
        monkeypatch.undo()
        more = run(*self.SPLIT, "--games", 6, "--db", tmp_path / "some.db", "--json")
        assert "continuing run 1" in more.err
        assert [row["games"] for row in more.json["rows"]] == [6, 6]

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("nim", "--search", "greedy"), "greedy does not look ahead, so there is no depth to vary."),
            (("nim", "--by", "gmes"), "unknown way to judge depths 'gmes'; did you mean games?"),
            (("nim", "--deepest", "2"), "--deepest must be a whole number of at least 3, not '2'."),
            (("pig", "--by", "decisions", "--search", "minimax", "--no-compile"), "chance has a part in pig"),
            (("nim", "-o", "x.doc"), "'x.doc' is no picture's name"),
        ],
    )
    def test_bad_input_is_one_sentence(self, arguments, words):
        ran = run("pathology", *arguments)
        assert ran.status == 2
        assert words in ran.err
        assert ran.err.count("\n") == 1
