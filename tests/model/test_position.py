"""`Position`: a game and a state, with the vocabulary of people."""

import numpy as np
import pytest

import ludus
from ludus import LudusError, Position, StateError
from ludus.model.evaluator import WIN


@pytest.fixture
def start():
    return ludus.game("tictactoe").position()


def test_moves_iterate_count_and_contain(start):
    assert list(start.moves) == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    assert len(start.moves) == 9
    assert "b2" in start.moves
    assert 4 in start.moves
    assert "d4" not in start.moves
    assert 9 not in start.moves
    assert repr(ludus.game("nim", stones=2).position().moves) == "<2 moves: 1 2>"


def test_playing_gives_the_next_position_and_leaves_this_one(start):
    after = start.play("b2")
    assert after.text == "----X---- O"
    assert start.text == "--------- X"
    assert "b2" not in after.moves
    assert after == start.play(4) == start.play(np.int64(4))
    assert str(after.play("a1")) == "1 O . .\n2 . X .\n3 . . .\n  a b c"


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("zz", "unknown move 'zz'; legal moves are: a1, a2, a3, b1, b2, b3, c1, c2, c3."),
        ("", "unknown move ''; legal moves are: a1, a2, a3, b1, b2, b3, c1, c2, c3."),
        (9, "9 is not legal; legal moves are a1, b1, c1, a2, b2, c2, a3, b3, c3."),
        (-1, "-1 is not legal; legal moves are a1, b1, c1, a2, b2, c2, a3, b3, c3."),
    ],
)
def test_an_illegal_move_is_refused_with_the_legal_ones(start, move, message):
    with pytest.raises(LudusError) as caught:
        start.play(move)
    assert str(caught.value) == message


def test_a_square_is_taken_once(start):
    for move in ("b2", 4):
        with pytest.raises(LudusError):
            start.play("b2").play(move)


def test_the_end_of_the_game(start):
    position = start
    for move in ("a1", "a2", "b1", "b2"):
        position = position.play(move)
        assert not position.is_over
    with pytest.raises(StateError, match="the game is not over in position 'XX-OO---- X', so it has no score yet"):
        position.score  # noqa: B018
    over = position.play("c1")
    assert over.is_over
    assert len(over.moves) == 0
    assert over.score == -1, "the loser is to move"
    with pytest.raises(LudusError):
        over.play("c2")


def test_positions_from_text(start):
    game = start.game
    assert game.position("--------- X") == start
    assert game.position("X--------") == start.play("a1")
    for text in ("", "XXX", "XX------- X", "X-------- X", "---------- X", "Q-------- O"):
        with pytest.raises(StateError):
            game.position(text)
    assert ludus.game("nim").position("5").state == (5,)
    for text in ("", "five", "1 2", "1.5", "nan", "inf", "99999999999999999999"):
        with pytest.raises(StateError, match=r"a state of nim is 1 number|is not a state of nim"):
            ludus.game("nim").position(text)


def test_an_evaluators_opinion_and_at_the_end_its_final_value(start):
    assert start.value("open-lines") == 0.0
    assert start.play("b2").value("open-lines") == -4.0
    assert start.play("b2").value(ludus.evaluator("zero")) == 0.0
    assert start.game.position("XXXOO---- O").value("open-lines") == -WIN
    with pytest.raises(LudusError, match=r"open-lines is for tictactoe, .*not for nim"):
        ludus.game("nim").position().value("open-lines")


def test_equal_positions_are_equal_and_have_equal_hashes(start):
    one = start.play("a1").play("b2").play("c3")
    two = start.play("c3").play("b2").play("a1")
    assert one == two
    assert len({one, two, start}) == 2
    assert one != start
    assert start != ludus.game("tictactoe", size=4).position()
    assert start != "start"
    assert ludus.game("nim").position("3") != ludus.game("nim", most=2).position("3")


def test_its_representation_names_the_game_and_the_state(start):
    assert repr(start) == "<position of tictactoe: --------- X>"
    assert repr(ludus.game("nim", stones=5).position()) == "<position of nim(stones=5): 5>"


def test_a_player_takes_a_position_for_a_state(start):
    position = start.game.position("XX-OO---- X")
    player = ludus.player("minimax(depth=2)", compiled=False)
    result = player.choose(start.game, position)
    assert result.move_name == "c1"
    assert result.line_names == ["c1"]
    assert player.choose(start.game, position.state).move == result.move
    assert isinstance(position.play(result.move), Position)


@pytest.mark.parametrize("move", [0.5, 3.7, None])
def test_a_number_that_is_no_move_is_refused(start, move):
    with pytest.raises(StateError, match=r"is not legal; legal moves are a1"):
        start.play(move)


def test_a_state_a_position_or_nothing_is_the_same_settled_state():
    game = ludus.game("tictactoe")
    position = game.position().play("b2")
    for given in (position, position.state, tuple(int(part) for part in position.state)):
        assert game.read_state(given) == position.state
        assert [type(part) for part in game.read_state(given)] == [type(part) for part in game.start]
    assert game.read_state() == game.start
    counted = [ludus.perft(game, 2, given, compiled=False).leaves for given in (position, position.state)]
    assert counted == [8 * 7, 8 * 7]
    assert ludus.perft(game, 2, compiled=False).leaves == 9 * 8
