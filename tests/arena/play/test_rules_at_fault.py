"""A rule of the game that fails ends the run with one sentence; what users' players do to the rules is their fault."""

from __future__ import annotations

import pickle
import re
import sqlite3
from pathlib import Path

import pytest

import ludus
from ludus.arena.play.faults import is_of_game
from ludus.arena.play.preparation import Preparation, Readiness
from ludus.arena.play.reasons import TooSlow
from ludus.common.errors import LudusError, MoveError, RuleError
from tests.support import SUPPORT

FRAGILE = SUPPORT / "fragile.py"
PLAYERS = ("random", "greedy", "minimax(depth=2)")
SENTENCES = {
    "Fragile": r"rule play \(move \d\) of .*fragile.py:Fragile failed in position '\d+ \d+': "
    r"ValueError: how rare \(.*fragile.py, line 43\)",
    "Small": r"rule moves of .*fragile.py:Small failed in position '\d+ \d+': "
    r"ValueError: it returned 4 moves, but max_moves is 3",
}


def stored(path: Path) -> list[tuple]:
    with sqlite3.connect(path) as db:
        return db.execute(
            "SELECT one, other, opening, game, moves, score, fault FROM games ORDER BY 1, 2, 3, 4"
        ).fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("name", SENTENCES)
@pytest.mark.parametrize("compiled", [False, True])
def test_a_ranking_ends_and_keeps_what_was_played(name, compiled, tmp_path):
    game = f"{FRAGILE}:{name}"
    for workers in (1, 2):
        with pytest.raises(RuleError, match=f"{SENTENCES[name]}; try ludus check .*fragile.py:{name}$") as caught:
            ludus.rank(game, *PLAYERS, compiled=compiled, workers=workers, db=tmp_path / f"{workers}.db", seed=1)
        assert re.fullmatch(r"play \(move \d\)|moves", caught.value.call)
        assert re.fullmatch(r"'\d+ \d+'", caught.value.position)
    games = stored(tmp_path / "1.db")
    assert 4 <= len(games) < 200
    assert games == stored(tmp_path / "2.db")
    assert not any(fault for *_, fault in games)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_match_ends_and_keeps_what_was_played(workers, tmp_path):
    told = []
    with pytest.raises(RuleError, match=SENTENCES["Fragile"]):
        ludus.match(
            f"{FRAGILE}:Fragile", *PLAYERS[:2], games=400, workers=workers, db=tmp_path / "x.db",
            progress=lambda result: told.append(result.games),
        )  # fmt: skip
    assert len(stored(tmp_path / "x.db")) == told[-1] > 0


@pytest.mark.parametrize("players", [(), PLAYERS])
def test_a_rule_that_fails_at_once_is_told_once(players):
    with pytest.raises(RuleError) as caught:
        ludus.rank(f"{FRAGILE}:AtOnce", *players, workers=1, compiled=False)
    assert str(caught.value).count("not even one") == 1
    assert str(caught.value).startswith("rule play (move 1) of ")
    assert str(caught.value).endswith(f"; try ludus check {ludus.game(f'{FRAGILE}:AtOnce')}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "why"),
    [
        (f"minimax(depth=2, eval={FRAGILE}:Fails)", "rule evaluate of evaluator .*no opinion"),
        (f"minimax(depth=2, eval={FRAGILE}:Asks)", r"rule play \(move 9\).*no such move"),
        (f"{FRAGILE}:Tries(nodes=20)", r"rule play \(move 9\).*no such move"),
    ],
)
@pytest.mark.parametrize("compiled", [False, True])
def test_what_users_players_ask_for_is_their_fault(player, why, compiled):
    made = ludus.player(player, compiled=compiled)
    result = ludus.match(f"{FRAGILE}:Sound", made, ludus.player("random", compiled=compiled), games=100)
    assert result.games == 100
    assert 0 < sum(result.faults.values()) < 100
    for who, reason in result.faults:
        assert who == result.players[0]
        assert reason.kind == "error"
        assert re.search(why, str(reason))


def test_a_rule_that_fails_for_a_legal_move_is_the_games_whoever_asks():
    game = ludus.game(f"{FRAGILE}:Fragile")
    player = ludus.player(f"greedy(eval={FRAGILE}:Looks)", compiled=False).on(game)
    with pytest.raises(RuleError) as caught:
        player.choose(game, (10, 1))  # take two, and the position is a rare one
    assert type(caught.value) is RuleError
    assert is_of_game(caught.value, player)
    assert not is_of_game(caught.value, ludus.player(f"{FRAGILE}:Tries").on(game))
    assert not is_of_game(LudusError("no rule"), player)
    nameless = RuleError("a rule failed in compiled code only")
    assert not is_of_game(nameless, player)
    assert is_of_game(nameless, ludus.player("greedy").on(game))


@pytest.mark.parametrize("kind", [RuleError, MoveError])
def test_the_error_survives_the_way_home(kind):
    sent = kind("cause", "play", "'1 2'", game="nim", move=3, line="nim.py, line 7", advice="try that")
    error = pickle.loads(pickle.dumps(sent))
    assert type(error) is kind
    assert vars(error) == vars(sent)
    assert str(error) == "rule play (move 3) of nim failed in position '1 2': cause (nim.py, line 7); try that"


def test_a_player_that_hangs_when_it_is_prepared_is_left_out():
    game = ludus.game("tictactoe")
    task = Preparation(game, ludus.player("greedy").on(game))
    assert task.forfeited((0, 0), TooSlow(1)).perform() == Readiness(TooSlow(1))
