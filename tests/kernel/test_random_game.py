"""One loop plays all random games in Python."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

import ludus
from ludus.arena.play.openings import openings
from ludus.arena.play.referee import Board, GameOnBoard
from ludus.kernel.chance import Dice, random_game, random_games

GAMES = ["tictactoe", "nim", "kalah(houses=2, seeds=2)", "pig(target=10)", "chance-tree(depth=4)"]


def written_out(game, seed):
    """The same by hand: states, moves, and where chance decided."""
    dice, state = Dice(seed), game.start
    states, moves, by_chance = [state], [], []
    while legal := game.legal(state):
        odds = game.odds(state)
        moves.append(legal[dice.roll(odds)] if odds else legal[dice.below(len(legal))])
        by_chance.append(bool(odds))
        state = game.after(state, moves[-1])
        states.append(state)
    return states, moves, by_chance


@pytest.mark.parametrize("name", GAMES)
def test_it_is_the_game_written_out(name):
    game = ludus.game(name)
    for seed in range(5):
        states, moves, by_chance = written_out(game, seed)
        *plies, end = random_game(game, Dice(seed))
        assert [ply.state for ply in plies] == states[:-1]
        assert [ply.move for ply in plies] == moves
        assert [bool(ply.odds) for ply in plies] == by_chance
        assert [ply.is_decision for ply in plies] == [not each for each in by_chance]
        assert end == (states[-1], [], [], None)
        assert not end.is_decision


@pytest.mark.parametrize("name", GAMES)
def test_on_a_board_it_is_the_same_game(name):
    game = ludus.game(name)
    board = GameOnBoard(game, Board(game, compiled=False))
    assert list(random_game(board, Dice(3))) == list(random_game(game, Dice(3)))


def test_it_begins_where_it_is_told():
    game = ludus.game("tictactoe")
    state = game.after(game.start, 4)
    assert next(random_game(game, Dice(0), state)).state == state


def test_games_follow_each_other_with_the_same_dice():
    game = ludus.game("tictactoe")
    dice = Dice(0)
    one_by_one = [ply for _ in range(3) for ply in random_game(game, dice)]
    assert list(random_games(game, Dice(0), 3)) == one_by_one
    assert list(islice(random_games(game, Dice(0)), len(one_by_one))) == one_by_one


@pytest.mark.parametrize("name", ["tictactoe", "pig(target=10)"])
def test_an_opening_is_the_beginning_of_a_random_game(name):
    """Of as many decisions as it has plies, chance not counted."""
    game = ludus.game(name)
    for opening in islice(openings(game, 3, 5), 4):
        assert len([move for move in game.turns(opening.moves) if move is not None]) == 3
        assert not game.is_over(opening.state)


def test_wandering_ends_before_the_game_does():
    start = ludus.game("tictactoe").position()
    far = start.wander(100, seed=2)
    assert not far.is_over
    assert any(far.play(move).is_over for move in far.moves)
    assert len(start.wander(3, seed=2).moves) == 6
    assert start.wander(3, seed=2).turn == 1
    assert start.wander(0) is start
    *_, last = random_game(start.game, Dice(2))
    over = ludus.Position(start.game, last.state)
    assert over.wander(5) is over


def test_nobody_else_draws_moves():
    """But the referee's dice, and `check`, which asks every rule by itself."""
    source = Path(ludus.__file__).parent
    drawing = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if re.search(r"\bdice\.pick\(", path.read_text(encoding="utf-8"))
    }
    assert drawing == {"kernel/chance.py", "arena/play/playing.py", "diagnostics/check/games.py"}
