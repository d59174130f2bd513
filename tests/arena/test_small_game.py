"""A game that can be solved in a moment: that is said, and why perfect players cannot be told apart."""

from __future__ import annotations

import pytest

import ludus
from ludus.arena import small_game
from ludus.arena.reports import words
from ludus.arena.small_game import Solved, SolveTask
from tests.support.invented_rankings import SHORT, invented


@pytest.mark.slow
@pytest.mark.parametrize("game", ["nim(stones=12)", "nim(stones=13)", "tictactoe", "othello(size=4)"])
def test_it_is_solved_as_solve_does(game, monkeypatch):
    monkeypatch.setattr(small_game, "INTERPRETED", 10**7)
    value = ludus.solve(game, goal="result", compiled=game == "othello(size=4)").value
    found = SolveTask(ludus.game(game), game == "othello(size=4)").perform()
    assert found is not None
    assert found.value == value
    assert found.nodes > 0


@pytest.mark.parametrize("game", ["othello", "pig"], ids=["too large", "chance"])
def test_others_are_not(game):
    assert SolveTask(ludus.game(game), False).perform() is None


def test_it_is_counted_in_nodes():
    game = ludus.game("tictactoe")
    assert SolveTask(game, False).perform() == SolveTask(game, False).perform() is None  # 5,000 nodes are too few
    assert SolveTask(game, False).forfeited((), "it died").perform() is None


def test_what_is_stored_is_read_again_and_nothing_else():
    solved = Solved(-1, 12, 0.25)
    assert Solved.of(solved.to_dict()) == solved
    for damaged in (None, 3, {}, {"value": 2, "nodes": 1, "seconds": 0}, {"value": "x", "nodes": 1, "seconds": 0}):
        assert Solved.of(damaged) is None


@pytest.mark.slow
def test_a_ranking_says_it_first_and_keeps_it(tmp_path):
    told = []
    quick = {"compiled": False, "workers": 1, "budget": "nodes=30", "games": 4, "learn": False, "db": tmp_path / "x.db"}
    first = ludus.rank("nim(stones=12)", **quick, solved=told.append)
    assert told == [first.solved]
    assert words.sentences(first)[0] == str(first.solved)
    assert str(first.solved).startswith("Small enough to solve: the first player wins under best play (")
    assert first.to_dict()["solved"]["value"] == 1
    again = ludus.rank("nim(stones=12)", **quick, solved=told.append)
    assert again.played == 0
    assert again.solved == first.solved
    assert len(told) == 1
    named = ludus.rank("nim(stones=12)", "greedy", "random", compiled=False, workers=1, games=2)
    assert named.solved is None
    assert named.to_dict()["solved"] is None


def test_why_perfect_players_are_not_told_apart():
    def first_wins(dice, one, other, index):
        return 1 if index == 0 else -1

    level = invented(SHORT[:3], pairs=10, score=first_wins)
    assert words.perfect(level) == ""  # nobody knows that the game is small
    level.solved = Solved(1, 100, 0.1)
    assert words.perfect(level) == (
        "All 30 pairs between bfmm, alphabeta and lcf are level: they cannot be told apart because they play "
        "perfectly, it seems."
    )
    assert words.perfect(level) in str(level)
    other = invented(SHORT[:3], pairs=5)
    other.solved = level.solved
    assert words.perfect(other) == ""

    def last_loses(dice, one, other, index):
        return 1 if other == 2 else first_wins(dice, one, other, index)

    two = invented(SHORT[:3], pairs=10, score=last_loses)
    two.solved = level.solved
    assert words.perfect(two).startswith("All 10 pairs between bfmm and alphabeta are level: ")
    few = invented(SHORT[:2], pairs=5, score=first_wins)
    few.solved = level.solved
    assert words.perfect(few) == ""
