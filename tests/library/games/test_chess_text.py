"""Chess for people: FEN, moves as UCI and SAN write them, pictures; python-chess writes and reads the same."""

from __future__ import annotations

from xml.etree import ElementTree

import chess
import pytest

import ludus

START = chess.STARTING_FEN


@pytest.fixture
def game():
    return ludus.game("chess")


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "4 to 6 fields"),
        ("8/8/8/8/8/8/8/8", "4 to 6 fields"),
        (f"{START} 1", "4 to 6 fields"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "eight rows of eight squares"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "eight rows of eight squares"),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "eight rows of eight squares"),
        ("rnbqkbnr/pppppppx/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "eight rows of eight squares"),
        ("rnbqkbnr/ppppppp./8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "eight rows of eight squares"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "one king of each colour"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "one king of each colour"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "a pawn cannot stand"),
        ("k7/PPPPPPPP/P7/8/8/8/8/K7 w - - 0 1", "at most 16 men, 8 of them pawns"),
        ("k7/8/QQQQQQQQ/QQQQQQQQ/8/8/8/K7 b - - 0 1", "at most 16 men, 8 of them pawns"),
        (START.replace(" w ", " x "), "w or b"),
        (START.replace("KQkq", "KQKq"), "some of KQkq"),
        (START.replace("KQkq", "HAha"), "some of KQkq"),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "the right to castle Q"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "the right to castle K"),
        (START.replace("- 0", "e3 0"), "the square that a pawn has just passed"),
        ("4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", "the square that a pawn has just passed"),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "the square that a pawn has just passed"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", "the square that a pawn has just passed"),
        (START.replace("0 1", "-1 1"), "two whole numbers"),
        (START.replace("0 1", "0 x"), "two whole numbers"),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "not to move is in check"),
    ],
)
def test_what_is_no_position(game, fen, message):
    with pytest.raises(ludus.StateError, match=message) as failure:
        game.position(fen)
    assert str(failure.value).count(".") <= 2
    assert "\n" not in str(failure.value)


def test_short_fens(game):
    assert game.position(START).state == game.start
    assert game.position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").state == game.start
    assert game.position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3").text.endswith(" - 3 1")
    assert game.position(START.replace("0 1", "0 77")).text == START


MANY = "r3k2r/1P6/8/1N3N2/8/1N6/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("e1g1", "e1g1"),
        ("O-O", "e1g1"),
        ("0-0", "e1g1"),
        ("O-O-O", "e1c1"),
        ("O-O+", "e1g1"),
        ("Ke2", "e1e2"),
        ("N3d4", "b3d4"),
        ("Nb3d4", "b3d4"),
        ("N5d4!", None),
        ("Nfd4", "f5d4"),
        ("Nd4", None),
        ("Nfh6??", "f5h6"),
        ("Nh6", "f5h6"),
        ("Nf5-h6", "f5h6"),
        ("bxa8=N", "b7a8n"),
        ("bxa8N", "b7a8n"),
        ("bxa8", "b7a8q"),
        ("b8=R+", "b7b8r"),
        ("b8", "b7b8q"),
        ("b7b8", "b7b8q"),
        ("a8", None),
        ("Rxa8+", "a1a8"),
        ("Rxb1", "a1b1"),  # the x is not needed, and here not even true
        ("e4", None),
        ("0000", None),
        ("", None),
        ("nonsense", None),
    ],
)
def test_moves_as_people_write_them(game, text, name):
    position = game.position(MANY)
    if name is None:
        with pytest.raises(ludus.StateError, match=r"legal moves are|may be any of"):
            position.play(text)
    else:
        assert position.play(text) == position.play(name)


def test_san_of_all_moves_of_crowded_positions(game):
    for fen in (MANY, "6k1/8/1Q3Q2/8/8/8/1Q3Q2/K7 w - - 0 1", "1k6/8/8/8/R6R/8/8/K2R4 w - - 0 1"):
        board, state = chess.Board(fen), game.read_state(fen)
        ours = {game.move_name(state, move): game.san(state, move) for move in game.legal(state)}
        assert ours == {move.uci(): board.san(move) for move in board.legal_moves}
        assert {name: game.parse_move(state, san) for name, san in ours.items()} == {
            name: game.parse_move(state, name) for name in ours
        }


def test_text(game):
    position = game.position().play("e4")
    assert str(position).splitlines() == [
        "8 r n b q k b n r",
        "7 p p p p p p p p",
        "6 . . . . . . . .",
        "5 . . . . . . . .",
        "4 . . . . P . . .",
        "3 . . . . . . . .",
        "2 P P P P . P P P",
        "1 R N B Q K B N R",
        "  a b c d e f g h",
        "black to move",
    ]


def test_picture(game):
    position = game.position("7k/8/8/8/8/8/8/QK6 b - - 0 1")
    root = ElementTree.fromstring(position._repr_svg_())
    svg = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{svg}title").text == f"Chess: {position.text}"
    men = {(group.get("transform"), group[0].text[0], group[0].get("fill")) for group in root.findall(f"{svg}g")}
    assert men == {
        ("translate(357.5 42.5)", "♚", "#000"),
        ("translate(42.5 357.5)", "♛", "#fff"),
        ("translate(87.5 357.5)", "♚", "#fff"),
    }
    dark = {(r.get("x"), r.get("y")) for r in root.findall(f"{svg}rect")[1:]}
    assert len(dark) == 32
    assert ("20", "335") in dark  # a1
    labels = [(label.get("x"), label.get("y"), label.text) for label in root.findall(f"{svg}text")]
    assert ("10", "361.5", "1") in labels
    assert ("42.5", "14", "a") in labels
