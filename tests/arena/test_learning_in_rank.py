"""A ranking of a game without an evaluator learns one, and some contenders play with it too."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludus
from ludus.arena import roster
from ludus.arena.roster import WITH_LEARNT
from ludus.common.errors import LudusError
from ludus.learning import lesson
from ludus.learning.for_ranking import RankingLesson
from ludus.library.evaluators.learned import learned
from tests.support.commands import assert_refused, run

QUICK = {"compiled": False, "workers": 1, "budget": "nodes=500", "openings": 2}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "data"))
    # Fewer contenders are faster, and none of these needs a calibration.
    monkeypatch.setattr(lesson, "GAMES", 2500)  # of which interpreted rules play a fiftieth
    some = {name: kind for name, kind in roster.registry.searches().classes.items() if name in FEW}
    monkeypatch.setattr(roster.registry.searches(), "classes", some)


FEW = ("greedy", "random", "pvs", "bfmm", "uct", "sampler")


def joined(ranking) -> list[str]:
    """The searches that play with an evaluator that was learnt for the ranking."""
    return [p.search.name for p in ranking.players if str(p.evaluator).startswith("learned/ranked-")]


def weights(ranking) -> bytes:
    return ranking.players[-1].evaluator.weights.tobytes()


@pytest.mark.slow
def test_some_contenders_join_with_the_evaluator_that_was_learnt():
    told = []
    ranking = ludus.rank("nim(stones=12)", games=30, learning=lambda done, words: told.append((done, words)), **QUICK)
    assert joined(ranking) == list(WITH_LEARNT)
    assert all(row.games for row in ranking.standings if "+learned" in row.name)
    assert told[0] == (
        0.0,
        "nim has no evaluator, so one is learnt from games of self-play, and 3 searches join with it",
    )
    assert all(0 < done <= 1 for done, _ in told[1:])
    assert ranking.players[-1].evaluator.weights.any()
    assert "learnt from games of self-play" in str(ranking)
    again = ludus.rank("nim(stones=12)", games=30, learning=lambda done, words: told.append((-1.0, words)), **QUICK)
    assert told[-1][0] > 0  # it was saved
    assert weights(again) == weights(ranking)


@pytest.mark.parametrize(
    "how",
    [{"learn": False}, {"family": "sampling"}, {"players": ("greedy", "random")}, {"game": "tictactoe"}],
    ids=["not wanted", "a family", "named players", "a game with an evaluator"],
)
def test_nothing_is_learnt_where_that_was_not_asked_for(how, monkeypatch):
    monkeypatch.setattr(RankingLesson, "learnt", lambda *_: pytest.fail("it was learnt"))
    options = {key: value for key, value in how.items() if key not in ("players", "game")}
    ranking = ludus.rank(how.get("game", "nim(stones=12)"), *how.get("players", ()), games=2, **options, **QUICK)
    assert joined(ranking) == []


@pytest.mark.slow
def test_the_same_seed_gives_the_same_evaluator_and_run_on_any_number_of_workers(monkeypatch):
    def ranked(place: str, **options):
        monkeypatch.setenv("LUDUS_DATA", place)
        return ludus.rank("nim(stones=12)", games=30, **QUICK | options)

    one, two, other = ranked("one"), ranked("two", workers=2), ranked("three", seed=1)
    assert weights(one) == weights(two) != weights(other)
    assert one.names == two.names
    assert list(one.pairs) == list(two.pairs)
    assert [p.score for pair in one.pairs.values() for p in pair] == [
        p.score for pair in two.pairs.values() for p in pair
    ]
    assert other.names[-1] != one.names[-1]


@pytest.mark.slow
def test_its_name_is_reserved_and_nothing_that_was_learnt_is_touched():
    own = ludus.learn("nim(stones=12)", games=50, compiled=False)
    before = {path: path.read_bytes() for path in Path("data").rglob("*") if path.is_file()}
    ludus.rank("nim(stones=12)", games=2, **QUICK)
    assert {path: path.read_bytes() for path in before} == before
    assert learned.saved_names() == [own.about["name"]] == ["nim"]
    for name in ("ranked", "ranked-0a1b2c3d"):
        assert_refused(run("learn", "nim", "--name", name, "--no-compile"), f"the name {name} is reserved")
    assert run("learn", "nim", "--name", "ranked2", "--games", 50, "--no-compile").status == 0


@pytest.mark.slow
def test_an_interrupt_while_it_learns_loses_nothing(monkeypatch):
    learnt = RankingLesson.learnt

    def interrupted(self, progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(RankingLesson, "learnt", interrupted)
    first = ludus.rank("nim(stones=12)", games=30, db="x.db", **QUICK)
    assert first.stopped == "interrupted"
    assert first.games > 0
    assert "1 " in str(first)
    monkeypatch.setattr(RankingLesson, "learnt", learnt)
    found = []
    second = ludus.rank(
        "nim(stones=12)", games=30, db="x.db", continuing=lambda run, games: found.append((run, games)), **QUICK
    )
    assert found == [(first.run, first.games)]
    assert (second.run, second.games, joined(second)) == (1, 30, list(WITH_LEARNT))
    whole = ludus.rank("nim(stones=12)", games=30, **QUICK)
    assert list(whole.pairs) == list(second.pairs)
    assert whole.to_dict()["players"][0]["player"] == second.to_dict()["players"][0]["player"]


def test_a_game_from_which_nothing_can_be_learnt_is_ranked_without(monkeypatch):
    def failing(self, progress):
        raise LudusError("no game lasts two moves")

    monkeypatch.setattr(RankingLesson, "learnt", failing)
    ranking = ludus.rank("nim(stones=12)", games=10, **QUICK)
    assert joined(ranking) == []
    assert ranking.games == 10
    assert set(map(str, ranking.excluded.values())) >= {"no game lasts two moves"}
    Path("plain.py").write_text(NOTHING)
    ranking = ludus.rank("plain.py", games=4, **QUICK)
    assert joined(ranking) == []


NOTHING = """
from ludus import Game

class Count(Game):
    max_moves = 2

    def initial(self):
        return (9,)

    def moves(self, state, out):
        n = min(state[0], 2)
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return -1
"""


def test_why_nothing_is_learnt_is_told():
    """Three heaps: numbers that are neither a board nor features."""
    Path("heaps.py").write_text(HEAPS)
    told = []
    ranking = ludus.rank("heaps.py", games=4, learning=lambda *each: told.append(each), **QUICK)
    assert joined(ranking) == []
    [(done, words)] = told
    assert done == 0
    assert words.startswith("heaps.py:Heaps has no evaluator, and none is learnt: there is nothing to learn from in ")
    told.clear()
    ludus.rank("heaps.py", games=4, learn=False, learning=lambda *each: told.append(each), **QUICK)
    assert told == []


HEAPS = """
from ludus import Game

class Heaps(Game):
    max_moves = 12

    def initial(self):
        return 3, 4, 5

    def moves(self, state, out):
        n = 0
        for heap in range(3):
            for take in range(1, state[heap] + 1):
                out[n] = 10 * heap + take
                n += 1
        return n

    def play(self, state, move):
        a, b, c = state
        heap, take = move // 10, move % 10
        return a - take * (heap == 0), b - take * (heap == 1), c - take * (heap == 2)

    def score(self, state):
        return -1
"""
