"""Games walked through say what the rules say, whoever made the moves."""

from __future__ import annotations

import numpy as np
import pytest

import ludus
from ludus.diagnostics.analyse.tally import Tally
from ludus.diagnostics.analyse.walking import Walker
from ludus.kernel.rules import digest
from tests.support.moving_again import AgainPig, Strip

GAMES = [ludus.game("tictactoe"), ludus.game("othello", size=4), Strip(2), AgainPig(), ludus.game("pig", target=8)]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_game_against_the_rules(game):
    """Every array of a walked game, against the rules called one by one; and the same game along its moves."""
    walker = Walker(game, compiled=False)
    for number in range(15):
        walked = walker.random(3, number)
        state, turn, last, keys = game.start, 0, -1, []
        for ply, move in enumerate(walked.moves.tolist()):
            legal, by_chance = game.legal(state), bool(game.odds(state))
            with np.errstate(over="ignore"):
                keys.append(digest(state))
            assert (walked.counts[ply], walked.by_chance[ply]) == (len(legal), by_chance)
            assert walked.passes[ply] == (not by_chance and game.must_pass(state))
            assert move in legal
            if not (by_chance or game.must_pass(state)):
                last = turn
            turn = turn if by_chance else 1 - turn
            state = game.after(state, move)
        assert walked.finished
        assert game.is_over(state)
        assert walked.score == (game.result(state) if turn == 0 else -game.result(state))
        assert walked.last_mover == last
        assert walked.keys[:-1].tolist() == keys
        again = walker.along(walked.moves)
        assert again.keys.tolist() == walked.keys.tolist()
        assert (again.score, again.finished) == (walked.score, True)


def test_the_moves_of_another_may_end_before_the_game_does():
    walked = Walker(ludus.game("tictactoe"), compiled=False).along([0, 1, 2])
    assert (walked.score, walked.finished, len(walked.keys)) == (0.0, False, 4)


def test_compiled_is_the_same():
    fast, slow = (Walker(ludus.game("tictactoe"), compiled) for compiled in (True, False))
    for number in range(50):
        one, other = fast.random(1, number), slow.random(1, number)
        assert one.keys.tolist() == other.keys.tolist()
        assert (one.score, one.moves.tolist()) == (other.score, other.moves.tolist())
    assert fast.is_compiled
    assert not slow.is_compiled


def test_a_tally_is_what_check_counts():
    """Another program of ours counts the same things; only its random numbers are others."""
    game = Strip(2)
    tally, walker = Tally(), Walker(game, compiled=False)
    for number in range(150):
        tally.add(walker.random(0, number))
    found, other = tally.to_dict(), ludus.check(game, games=150, seconds=60, compiled=False).statistics
    told = other.to_dict()
    assert found["length"] == told["length"] == 7  # seven edges
    assert found["branching"] == told["branching"] == 4
    assert found["forced"] == told["forced"] == pytest.approx(1 / 7)
    for name in ("first", "second", "draw"):
        assert abs(found[name]["value"] - told[name]) < 0.15
        assert found[name]["low"] <= found[name]["value"] <= found[name]["high"]
    assert abs(found["last_mover_wins"] - told["last_mover_wins"]) < 0.15
    assert sum(row["games"] for row in found["lengths"]) == 150
    assert [row["branching"] for row in found["by_move"]] == [7, 6, 5, 4, 3, 2, 1]


def test_quantiles_of_lengths():
    tally = Tally()
    tally.lengths.update({3: 5, 7: 4, 9: 1})
    tally.games = 10
    assert tally.lengths_at(0.05, 0.5, 0.51, 0.9, 0.95) == [3, 3, 7, 7, 9]
    assert tally.length == 5.2
