"""The names that people import, and what they promise."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import ludus

PUBLIC = [
    *(
        "Budget",
        "Evaluator",
        "Game",
        "InterpretedWarning",
        "LudusError",
        "Meter",
        "NotCompilable",
        "Player",
        "Position",
    ),
    *(
        "Result",
        "RuleError",
        "Search",
        "SpecError",
        "StateError",
        "check",
        "evaluator",
        "game",
        "perft",
        "player",
        "search",
    ),
]


def test_public_names():
    assert sorted(ludus.__all__) == ludus.__all__
    assert set(ludus.__all__) >= set(PUBLIC)
    for name in ludus.__all__:
        assert inspect.getdoc(getattr(ludus, name)), name


def test_docstring_of_the_package():
    assert doctest.testmod(ludus).failed == 0
    assert doctest.testmod(ludus).attempted > 0


def test_made_by_name():
    assert str(ludus.game("tictactoe", size=4)) == "tictactoe(size=4)"
    assert str(ludus.game("tictactoe(size=4)", size=5)) == "tictactoe(size=5)"
    assert str(ludus.search("bfmm")) == "bfmm"
    assert str(ludus.evaluator("random", seed=3)) == "random(seed=3)"
    assert str(ludus.player("bfmm", ludus.Budget(nodes=7))) == "bfmm(nodes=7)"
    assert str(ludus.player("bfmm(seconds=2)", ludus.Budget(nodes=7))) == "bfmm(seconds=2.0)"


def test_every_error_is_a_ludus_error():
    for error in (ludus.NotCompilable, ludus.RuleError, ludus.SpecError, ludus.StateError):
        assert issubclass(error, ludus.LudusError)
    with pytest.raises(ludus.SpecError, match="did you mean nim"):
        ludus.game("nimm")


class TestPosition:
    def test_moves_iterate_count_and_contain(self):
        moves = ludus.game("nim", stones=2).position().moves
        assert list(moves) == ["1", "2"]
        assert len(moves) == 2
        assert "2" in moves
        assert 2 in moves
        assert "3" not in moves
        assert repr(moves) == "<2 moves: 1 2>"

    def test_positions_do_not_change(self):
        position = ludus.game("nim", stones=2).position()
        after = position.play("1")
        assert (position.text, after.text) == ("2", "1")
        assert position != after
        assert position.play(1) == after
        assert hash(position.play(1)) == hash(after)

    @pytest.mark.parametrize("move", ["3", 3, "x", 0, -1])
    def test_illegal_moves(self, move):
        with pytest.raises(ludus.LudusError, match=r"legal moves are|did you mean"):
            ludus.game("nim", stones=2).position().play(move)

    def test_score_only_at_the_end(self):
        position = ludus.game("nim", stones=1).position()
        with pytest.raises(ludus.StateError, match="the game is not over"):
            _ = position.score
        assert position.play("1").score == 1
        with pytest.raises(ludus.StateError, match="there is no move to choose"):
            ludus.player("greedy", compiled=False).choose(position.game, position.play("1"))


class TestResult:
    @pytest.fixture
    def result(self):
        return ludus.player("minimax(depth=4)", compiled=False).choose(ludus.game("nim", stones=4))

    def test_parts(self, result):
        assert (result.move, result.move_name, result.stopped) == (3, "3", "solved")
        assert result.line_names == ["3", "1"]
        assert [child.value > 0 for child in result.children] == [False, False, True]
        assert result.meter.generated == 14  # all the ways to take some of four stones

    def test_dictionary(self, result):
        assert list(result.to_dict()) == ["move", "value", "proven", "scale", "line", "stopped", "meter", "children"]

    def test_progress_is_called(self):
        seen = []
        player = ludus.player("bfmm(eval=random, nodes=5000)", compiled=False)
        player.choose(ludus.game("nim(stones=99)"), progress=seen.append)
        assert seen


def test_every_module_says_what_it_is():
    for module in pkgutil.walk_packages(ludus.__path__, "ludus."):
        if module.name != "ludus.__main__":
            assert import_module(module.name).__doc__, module.name


def test_typed():
    assert (Path(ludus.__file__).parent / "py.typed").exists()
