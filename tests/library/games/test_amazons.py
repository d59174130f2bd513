"""Amazons: OpenSpiel, an independent slow program, the bound on the moves, and the notations that people use."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import ludus
from ludus.arena.play.referee import Board
from ludus.library.games.amazons.board import most_moves, squares, words
from ludus.model.evaluator import WIN
from tests.support.reference_amazons import OTHER, SlowAmazons, name

START = "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w"
SIZES = [5, 6, 7, 8, 9, 10]


# OpenSpiel, another implementation of the rules: its players make three moves where ours make one.


def number_of(size: int, action: int) -> int:
    """Our number of a square; OpenSpiel counts rows from the top."""
    return 11 * (size - 1 - action // size) + action % size


def openspiel_moves(state, size: int) -> list[int]:
    """All whole moves, as our numbers."""
    found = []
    for start in state.legal_actions():
        chosen = state.child(start)
        for goal in chosen.legal_actions():
            before = number_of(size, start) << 14 | number_of(size, goal) << 7
            found += [before | number_of(size, stone) for stone in chosen.child(goal).legal_actions()]
    return found


def openspiel_play(state, size: int, move: int) -> None:
    for square in (move >> 14, move >> 7 & 127, move & 127):
        state.apply_action(size * (size - 1 - square // 11) + square % 11)


@pytest.fixture(scope="module")
def board():
    return Board(ludus.game("amazons"), compiled=True)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "games", "compared"), [(6, 1500, 120), (8, 300, 20), (10, 150, 6)])
def test_against_openspiel(board, size, games, compared):
    """In some games the moves of every position, in the others every move that is played, and always the result."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs, game = pyspiel.load_game(f"amazons(board_size={size})"), ludus.game("amazons", size=size)
    chance, seen = random.Random(size), Counter()
    for index in range(games):
        board.reset(game)
        state, ply = theirs.new_initial_state(), 0
        while not state.is_terminal():
            legal = board.legal
            if index < compared:
                assert legal == sorted(openspiel_moves(state, size))
                seen["positions"] += 1
            move = chance.choice(legal)
            assert board.play(move)
            openspiel_play(state, size, move)
            ply += 1
        assert board.is_over
        assert board.score == state.returns()[ply % 2] == -1  # to the player to move
        seen[ply % 2] += 1
        assert ply <= game.length
    assert seen["positions"] > 250
    assert min(seen[0], seen[1]) > 5


# The slow program knows all sizes.


@pytest.mark.parametrize(("size", "games"), [(5, 30), (6, 12), (7, 8), (8, 4), (9, 3), (10, 3)])
def test_against_the_slow_program(size, games):
    game, chance, seen = ludus.game("amazons", size=size), random.Random(size), Counter()
    for _ in range(games):
        position, slow = game.position(), SlowAmazons(size)
        while moves := slow.moves():
            assert position.text == slow.text
            assert sorted(position.moves) == sorted(moves)
            assert position.moves.numbers == sorted(position.moves.numbers)
            assert game.mover(position.state) == "wb".index(slow.mover)
            assert not game.over(position.state)
            move = chance.choice(moves)
            position, slow = position.play(move), slow.play(move)
        assert position.text == slow.text
        assert position.is_over
        assert game.over(position.state)
        assert position.score == -1
        assert "wb"[game.winner(position.state)] == OTHER[slow.mover]
        seen[slow.mover] += 1
    assert sum(seen.values()) == games
    assert games < 8 or min(seen["w"], seen["b"]) > 0


def random_boards(size: int, count: int) -> list[SlowAmazons]:
    """Boards that no game leads to: any number of stones, one to four amazons a side."""
    chance, found = random.Random(size), []
    places = [(c, r) for c in range(size) for r in range(size)]
    for index in range(count):
        white, black = chance.randint(1, 4), chance.randint(1, 4)
        free = size * size - white - black
        stones = chance.randint(
            *((0, size), (0, free), (free - size, free))[index % 3]
        )  # an empty board, any, a full one
        marks = "w" * white + "b" * black + "x" * stones
        pieces = dict(zip(chance.sample(places, len(marks)), marks, strict=True))
        found.append(SlowAmazons(size, pieces, chance.choice("wb")))
    return found


@pytest.mark.parametrize("size", SIZES)
def test_any_board_at_all(size):
    game, over = ludus.game("amazons", size=size), 0
    for slow in random_boards(size, 120):
        position = game.position(slow.text)
        moves = slow.moves()
        assert sorted(position.moves) == sorted(moves)
        assert game.over(position.state) == (not moves)
        over += not moves
        for move in moves[:: len(moves) // 3 + 1]:
            assert position.play(move).text == slow.play(move).text
    assert 10 < over < 80


def test_golden_perft_against_the_slow_program():
    file = json.loads(Path(__file__).with_name("perft").joinpath("amazons.json").read_text())
    for line in file["perft"]:
        size = ludus.game(line["game"]).size
        slow = SlowAmazons.read(line["state"]) if "state" in line else SlowAmazons(size)
        depths = [depth for depth, count in enumerate(line["leaves"]) if count < 60_000]
        assert [slow.perft(depth) for depth in depths] == line["leaves"][: len(depths)]
        assert len(depths) >= 2


@pytest.mark.slow
def test_small_endgames_to_the_end():
    """Who wins, by the slow program and by minimax, all moves of the position compared."""
    game, chance, seen = ludus.game("amazons", size=5), random.Random(3), Counter()
    player = ludus.player("minimax(eval=queen-mobility, depth=30)", compiled=True)
    while min(seen[True], seen[False]) < 10:
        slow = SlowAmazons(5)
        while len(slow.pieces) < 19 and slow.moves():
            slow = slow.play(chance.choice(slow.moves()))
        if not slow.moves():
            continue
        result = player.choose(game, game.position(slow.text))
        assert result.stopped == "solved"
        wins = {move: not slow.play(move).wins() for move in slow.moves()}
        assert {child.name: child.value for child in result.children} == {
            move: WIN if won else -WIN for move, won in wins.items()
        }
        seen[any(wins.values())] += 1


# How many moves there can be.


@pytest.mark.parametrize("size", SIZES)
def test_the_bound_on_the_moves(size):
    """One amazon alone, on its best square, has as many moves as the bound for one says; more pieces, fewer each."""
    game, alone = ludus.game("amazons", size=size), {}
    for c in range(size):
        for r in range(size):
            alone[11 * r + c] = len(SlowAmazons(size, {(c, r): "w"}).moves())
            if c == r:
                state = game.layout.settle((*words([11 * r + c]), *words([]), 0))
                assert len(game.legal(state)) == alone[11 * r + c]
    assert most_moves(size, 1) == max(alone.values())
    assert game.max_moves == most_moves(size, 4) == sum(sorted(alone.values())[-4:])
    for slow in random_boards(size, 60):
        squares_of = [11 * r + c for c, r in slow.amazons(slow.mover)]
        assert len(slow.moves()) <= sum(alone[square] for square in squares_of) <= game.max_moves
    assert len(game.legal(game.start)) < game.max_moves


def test_sets_of_squares():
    for chosen in ([], [0], [54, 55], [108], list(range(109)), [9, 10, 63, 64, 65]):
        low, high = words(chosen)
        assert squares((low, high)) == chosen
        assert (low.dtype, high.dtype) == (np.uint64, np.uint64)
        assert max(int(low), int(high)) < 1 << 55


# Positions and moves as people write them.


def test_the_first_position():
    position = ludus.game("amazons").position()
    assert position.text == START
    assert len(position.moves) == 2176
    assert str(position.play("d1-d7/g7")) == (
        "   a b c d e f g h i j\n"
        "10 . . . B . . B . . . 10\n"
        " 9 . . . . . . . . . . 9\n"
        " 8 . . . . . . . . . . 8\n"
        " 7 B . . W . . # . . B 7\n"
        " 6 . . . . . . . . . . 6\n"
        " 5 . . . . . . . . . . 5\n"
        " 4 W . . . . . . . . W 4\n"
        " 3 . . . . . . . . . . 3\n"
        " 2 . . . . . . . . . . 2\n"
        " 1 . . . . . . W . . . 1\n"
        "   a b c d e f g h i j\n"
        "B (black) to move"
    )


@pytest.mark.parametrize("size", SIZES)
def test_the_first_positions_of_all_sizes(size):
    assert ludus.game("amazons", size=size).position().text == SlowAmazons(size).text


@pytest.mark.parametrize("size", SIZES)
def test_text_reads_back(size):
    game = ludus.game("amazons", size=size)
    for slow in random_boards(size, 40):
        position = game.position(slow.text)
        assert position.text == slow.text
        for text in (slow.text.upper(), f"  {slow.text.replace(' ', '   ')} "):
            assert game.position(text) == position
        assert [type(part) for part in position.state] == [type(part) for part in game.start]


@pytest.mark.parametrize(
    "text",
    ["", "w", START[:-1], START[:-2], START[1:], f"1{START}", START + "w", START + " w", START[:-1] + "x"],
)
def test_text_that_is_no_position(text):
    with pytest.raises(
        ludus.StateError, match=re.escape(f"a position has 10 rows and the player to move, like {START!r}")
    ):
        ludus.game("amazons").position(text)


@pytest.mark.parametrize(
    ("text", "words"), [("b4/5/wwwww/5/5 w", "white has 1 to 4 amazons, not 5"), ("5/5/5/5/4w b", "black")]
)
def test_text_with_too_many_amazons_or_none(text, words):
    with pytest.raises(ludus.StateError, match=words):
        ludus.game("amazons", size=5).position(text)


@pytest.mark.parametrize(("old", "new"), [("w", "v"), ("/10", ""), ("10", "92"), ("10", "0"), ("10", "5w5")])
def test_text_that_is_nearly_a_position(old, new):
    with pytest.raises(ludus.StateError, match="a position has 10 rows and the player to move"):
        ludus.game("amazons").position(START.replace(old, new, 1))


def test_numbers_may_be_split():
    game = ludus.game("amazons", size=5)
    assert game.position("b1111/5/221/5/4w w") == game.position("b4/5/5/5/4w w")


def test_moves_are_read_in_capitals_and_with_an_x_too():
    position = ludus.game("amazons", size=5).position()
    after = position.play("b1-b3/d3")
    assert after.text == "1b1b1/b3b/1w1x1/w3w/3w1 b"
    assert after == position.play("B1-B3xD3") == position.play(" b1-b3/d3 ")
    assert after == position.play((1 << 14) + (23 << 7) + 25)
    assert position.play("b1-b3/b1").text == "1b1b1/b3b/1w3/w3w/1x1w1 b"  # the square that it left


@pytest.mark.parametrize(
    "move", ["", "b1", "b1-b3", "b1-b3/", "b1b3/d3", "b1-b3/d3/d4", "b0-b3/d3", "z1-b3/d3", "b1-b11/d3"]
)
def test_text_that_is_no_move(move):
    with pytest.raises(ludus.StateError, match="is not a move; one is written like d1-d7/g7"):
        ludus.game("amazons", size=5).position().play(move)


@pytest.mark.parametrize("move", ["b1-b5/b4", "b4-b3/d3", "b1-b3/b3", "b1-b3/e1", "b1-b6/b7", "b1-b1/b2", "j10-j9/j8"])
def test_moves_that_are_not_legal(move):
    with pytest.raises(ludus.LudusError, match="unknown move"):
        ludus.game("amazons", size=5).position().play(move)


def test_a_complaint_does_not_list_two_thousand_moves():
    position = ludus.game("amazons").position()
    with pytest.raises(ludus.LudusError) as complaint:
        position.play(5)
    assert str(complaint.value).endswith("... (2176 in all).")
    assert len(str(complaint.value)) < 500


def test_names_of_all_squares():
    for size in SIZES:
        game = ludus.game("amazons", size=size)
        board = [(c, r) for c in range(size) for r in range(size)]
        numbers = {name((c, r)): 11 * r + c for c, r in board}
        for text, square in numbers.items():
            assert game.move_name(game.start, (square << 14) + (108 - square << 7) + square).startswith(f"{text}-")
            assert game.move_name(game.start, square).endswith(f"/{text}")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("amazons(size=4)", "size of amazons must be one of 10, 9, 8, 7, 6, 5, not 4"),
        ("amazons(size=11)", "must be one of"),
        ("amazons(best=-1)", "best must be from 1 to 10000, or 0 for all moves"),
        ("amazons(best=10, by=mobility)", "by of amazons must be one of territory-mobility, territory, queen-mobility"),
    ],
)
def test_parameters_out_of_range(spec, words):
    with pytest.raises(ludus.SpecError, match=words):
        ludus.game(spec)


# Pictures.


@pytest.mark.parametrize("size", [5, 10])
def test_picture(size):
    position = ludus.game("amazons", size=size).position()
    position = position.play(f"{name((0, (size - 3) // 2))}-a1/b2")
    slow = SlowAmazons.read(position.text)
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.find("{*}title").text == f"Amazons: {position.text}"
    found = {}
    for group in root.findall("{*}g"):
        x, y = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform")).groups())
        at = int((x - 20) // 45), size - 1 - int((y - 20) // 45)  # a1 is at the bottom left
        found[at] = {"#fafafa": "w", "#222": "b", "#8a6d4b": "x"}[group[0].get("fill")]
    assert found == slow.pieces
    labels = [(text.text, float(text.get("y"))) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(labels) == 4 * size
    heights = {text: height for text, height in labels if text.isdigit()}
    assert heights["1"] > heights["2"] > heights[str(size)]
