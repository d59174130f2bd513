"""A board for any game: each legal move can be clicked or stands in the list, and no gesture plays another move."""

import itertools

import pytest

import ludus
from ludus.common.errors import LudusError
from ludus.kernel.chance import Dice
from ludus.web.board import diagram
from ludus.web.gestures import gestures, read_off, standing, without_beginnings
from tests.support import web_games

BUILT_IN = [name for name in ludus.games() if name != "openspiel"]
OWN = [web_games.Capture, web_games.Nineteen, web_games.Objects, web_games.Twice, web_games.Dicey]
BOARDS = {"othello", "connect4", "tictactoe", "qubic", "kalah", "amazons", "chess"}
POSITIONS = {"amazons": 6, web_games.Nineteen: 3, "qubic": 8, "chess": 60}


def positions(game, count, seed=0):
    """Positions of random games, one after the other, none of them over."""
    dice, here = Dice(seed), game.position()
    for _ in range(count):
        yield here
        here = here.play(dice.pick(here.moves.numbers, game.odds(here.state)))
        if here.is_over:
            here = game.position()


@pytest.mark.parametrize("given", [*BUILT_IN, *OWN], ids=str)
def test_no_gesture_plays_another_move(given):
    game = ludus.game(given)
    for position in positions(game, POSITIONS.get(given, 100)):
        found = gestures(position)
        assert len(found) == len(position.moves)
        board = diagram(position)
        names = set() if board is None else board.by_name.keys()
        starts = {gesture[:n] for gesture in found for n in range(1, len(gesture))}
        for gesture in found:
            assert set(gesture) <= names
            assert gesture not in starts or not gesture, "a gesture is the beginning of a longer one"


@pytest.mark.parametrize("name", sorted(BOARDS))
def test_every_move_on_a_board_can_be_clicked_unless_it_is_a_pass(name):
    game, seen = ludus.game(name), 0
    for position in positions(game, POSITIONS.get(name, 100), seed=1):
        for move, gesture in zip(position.moves, gestures(position), strict=True):
            assert gesture or move in ("pa", "pass", "pass ")
            seen += bool(gesture)
    assert seen > 50


@pytest.mark.parametrize(
    ("game", "state", "move", "gesture"),
    [
        ("othello", None, "d3", ("d3",)),
        ("connect4", None, "4", ("4-1",)),
        ("chess", None, "e2e4", ("e2", "e4")),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", ("e1", "g1")),
        ("amazons", None, "d1-d7/g7", ("d1", "d7", "g7")),
        ("amazons", None, "d1-d7/d1", ("d1", "d7", "d1")),
        ("kalah", None, "c", ("c",)),
        ("qubic", None, "2c3", ("2c3",)),
        (web_games.Capture, None, "772", ("a4", "a1")),
    ],
)
def test_what_a_person_clicks(game, state, move, gesture):
    position = ludus.game(game).position(state)
    if game is web_games.Capture:
        move = position.moves[0]
        assert gestures(position)[0] == ("a4", "a3")
        return
    assert gestures(position)[list(position.moves).index(move)] == gesture


def test_four_promotions_have_one_gesture_so_that_a_menu_asks():
    position = ludus.game("chess").position("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    found = dict(zip(position.moves, gestures(position), strict=True))
    assert {found[f"a7a8{piece}"] for piece in "qrbn"} == {("a7", "a8")}


def test_gestures_read_off_the_board_are_those_that_games_write_themselves():
    """Chess and Amazons say what is clicked; the same follows from the difference that a move makes, but for castling
    and capturing in passing."""
    for name, count in (("chess", 20), ("amazons", 2)):
        game, compared = ludus.game(name), 0
        for position in positions(game, count):
            before, was = diagram(position), standing(position)
            for move in position.moves.numbers[:40]:
                after = diagram(position.play(move))
                if name == "amazons" or len(after.changed(before)) == 2:
                    read = read_off([c.name for c in before.cells], was, standing(position.play(move)), position.seat)
                    assert list(read) == game.gesture(position.state, move)
                    compared += 1
        assert compared > 50


def test_a_gesture_that_begins_another_ends_with_a_second_click():
    assert without_beginnings([("a",), ("a", "b"), ("c",), ("c",), ()]) == [("a", "a"), ("a", "b"), ("c",), ("c",), ()]
    assert without_beginnings([("a",), ("a", "b"), ("a", "a")]) == [(), ("a", "b"), ("a", "a")]


def test_a_users_letters_become_pieces():
    board = diagram(ludus.game(web_games.Capture).position())
    assert {cell.owner for cell in board.cells if cell.name.endswith("1")} == {1}
    assert {cell.owner for cell in board.cells if cell.name.endswith("4")} == {0}
    assert {cell.piece for cell in board.cells} == {"black", "white", None}


def test_whose_a_piece_is_does_not_change_with_the_turn():
    for given in ("othello", "connect4", "tictactoe", "qubic", web_games.Capture, web_games.Twice, web_games.Nineteen):
        game = ludus.game(given)
        for position, following in itertools.pairwise(positions(game, 12)):
            if following == game.position():
                continue
            here, after = diagram(position), diagram(following)
            flipped = [
                cell
                for cell in after.cells
                if cell.owner is not None and here.by_name[cell.name].owner == 1 - cell.owner
            ]
            assert len(flipped) < max(sum(cell.owner is not None for cell in here.cells), 2)
            stayed = [cell for cell in after.cells if cell.owner is not None and here.by_name[cell.name] == cell]
            assert len(stayed) + len(flipped) + 1 >= sum(cell.owner is not None for cell in here.cells) - 1


def test_who_has_won_where_the_last_mover_would_move_again():
    """The score of a finished game is to the one who would have to pass."""
    from tests.support.moving_again import Strip

    game = ludus.game(Strip)
    decided = 0
    for seed in range(30):
        dice, here = Dice(seed), game.position()
        while not here.is_over:
            here = here.play(dice.pick(here.moves.numbers, []))
        lead = here.state[2]
        assert here.winner == (None if lead == 0 else 0 if lead > 0 else 1)
        decided += lead != 0
    assert decided > 5


def test_a_game_without_a_board_has_none():
    for given in ("nim", "pig", "random-tree", web_games.Objects):
        assert diagram(ludus.game(given).position()) is None


def test_a_board_is_drawn_as_the_games_own_picture_shows_it():
    """As many pieces of each kind in both."""
    from ludus.pictures.boards import PIECES

    for name in ("othello", "tictactoe", "amazons", "chess"):
        for position in positions(ludus.game(name), 12):
            picture, counts = position._repr_svg_(), {}
            for cell in diagram(position).cells:
                if cell.piece is not None:
                    counts[cell.piece] = counts.get(cell.piece, 0) + 1
            assert counts or position == position.game.position()
            assert all(picture.count(PIECES[piece]) == count for piece, count in counts.items())


def test_a_rule_that_fails_is_an_error_of_that_rule():
    with pytest.raises(LudusError):
        gestures(ludus.game(web_games.Fails).position().play(1))


def test_a_plain_board_is_read_at_once_as_its_rule_reads_it():
    from ludus.features.cells import contents_of
    from ludus.web.board import _coded

    game = ludus.game(web_games.Nineteen)
    for position in positions(game, 12):
        assert tuple(_coded(game, position.state)) == contents_of(game, position.state)
