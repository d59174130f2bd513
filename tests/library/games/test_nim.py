"""Nim with one pile: counts by hand, and the theory."""

from __future__ import annotations

import pytest

import ludus
from ludus.model.evaluator import WIN
from tests.support.against_openspiel import play_both


def test_rules_by_hand():
    position = ludus.game("nim", stones=5, most=3).position()
    assert list(position.moves) == ["1", "2", "3"]
    position = position.play("3")
    assert position.text == "2"
    assert list(position.moves) == ["1", "2"]  # never more than there are
    position = position.play("2")
    assert position.is_over
    assert position.score == 1  # the other player took the last stone, and has lost


def test_number_of_plays():
    # Sequences of 1s, 2s and 3s with a sum of at most 5, by their length.
    game = ludus.game("nim", stones=5, most=3)
    by_depth = [ludus.perft(game, depth, compiled=False).leaves for depth in range(7)]
    assert by_depth == [1, 3, 8, 10, 5, 1, 0]


def test_five_stones_are_lost():
    result = ludus.player("minimax(depth=5)", compiled=False).choose(ludus.game("nim", stones=5, most=3))
    assert result.value == -WIN
    assert result.stopped == "solved"


def test_theory():
    """Whoever faces 1 more than a multiple of `most + 1` has lost; else one move leaves the opponent there."""
    player = ludus.player("minimax(depth=20)")
    for most in (1, 2, 3, 4):
        for stones in range(1, 15):
            result = player.choose(ludus.game("nim", stones=stones, most=most))
            lost = stones % (most + 1) == 1
            assert result.value == (-WIN if lost else WIN), (stones, most)
            if not lost:
                assert (stones - result.move) % (most + 1) == 1


@pytest.mark.parametrize("stones", [1, 2, 7, 12])
def test_against_openspiel(stones):
    """There one may take as many stones as one likes, and action 0 takes one."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("nim", {"pile_sizes": str(stones)})
    played = play_both(ludus.game("nim", stones=stones, most=stones), theirs, games=300, number=lambda m, _: m - 1)
    assert {result for _, result in played} == ({-1} if stones == 1 else {-1, 1})


@pytest.mark.parametrize("parameters", [{"stones": 0}, {"most": 0}, {"stones": -3}])
def test_parameters_out_of_range(parameters):
    with pytest.raises(ludus.SpecError, match="must be at least 1"):
        ludus.game("nim", **parameters)
