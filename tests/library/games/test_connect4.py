"""Connect Four: published counts and values, OpenSpiel, an independent slow program, and the notations."""

from __future__ import annotations

import random
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

import ludus
from ludus.arena.play.referee import Board
from ludus.library.games.connect4.game import has_line
from ludus.model.evaluator import WIN
from tests.support.against_openspiel import play_both
from tests.support.oracles import Exhaustive

EMPTY = "-------/-------/-------/-------/-------/-------"


# Published counts.


def layers(game: ludus.Game, plies: int) -> list[Counter]:
    """The distinct positions after each number of plies, with how many games lead to each."""
    found, out = [Counter({game.start: 1})], game.buffer()
    with np.errstate(over="ignore"):
        while len(found) <= plies and found[-1]:
            found.append(Counter())
            for state, times in found[-2].items():
                for move in out[: game.moves(state, out)].tolist():
                    found[-1][game.play(state, move)] += times
    return found


def is_over(game: ludus.Game, state) -> bool:
    return not game.legal(state)


@pytest.mark.slow
def test_distinct_positions_of_the_usual_board():
    """OEIS A212693 (Tromp; Edelkamp & Kissmann); 728 of those after seven plies are wins (Böck 2025)."""
    game = ludus.game("connect4")
    found = layers(game, 7)
    assert [len(layer) for layer in found] == [1, 7, 49, 238, 1120, 4263, 16422, 54859]
    assert sum(is_over(game, state) for state in found[7]) == 728


@pytest.mark.parametrize(
    ("columns", "rows", "positions"),
    [(4, 1, 35), (4, 2, 741), (5, 2, 4688), (2, 4, 179), (2, 6, 1571), (3, 4, 6000), (4, 3, 12031), (3, 5, 38310)],
)
def test_all_positions_of_small_boards(columns, rows, positions):
    """Tromp's table, John's Connect Four Playground."""
    found = layers(ludus.game("connect4", columns=columns, rows=rows), columns * rows)
    assert sum(map(len, found)) == positions


def test_number_of_complete_games():
    """OEIS A342329: 356,232 games on four columns and three rows."""
    game = ludus.game("connect4", columns=4, rows=3)
    found = layers(game, 12)
    assert sum(times for layer in found for state, times in layer.items() if is_over(game, state)) == 356232


# Published values.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "rows", "value"),
    [(4, 4, 0.0), (5, 4, 0.0), (4, 5, 0.0), (6, 4, -WIN)],  # with four rows the second player wins on six columns
)
def test_solved_boards(columns, rows, value):
    player = ludus.player("alphabeta(depth=64, table=true, deeper=true, memory_of_table=64)")
    result = player.choose(ludus.game("connect4", columns=columns, rows=rows))
    assert (result.value, result.stopped) == (value, "solved")


@pytest.mark.slow
def test_small_boards_against_plain_minimax():
    """A slow solver of the test's own, on lines of two and three."""

    values: dict[str, int] = {}

    def value(slow: Slow) -> int:
        if slow.text not in values:
            moves = slow.moves()
            values[slow.text] = max(-value(slow.after(move)) for move in moves) if moves else slow.score()
        return values[slow.text]

    for columns, rows, line in ((3, 2, 2), (3, 3, 3), (2, 4, 3), (4, 2, 3), (2, 3, 2), (1, 4, 2), (3, 2, 3)):
        values.clear()
        game = ludus.game("connect4", columns=columns, rows=rows, line=line)
        result = ludus.player("minimax(depth=9)").choose(game)
        assert result.value == WIN * value(Slow(columns, rows, line)), (columns, rows, line)


# OpenSpiel.


@pytest.mark.slow
def test_against_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("connect_four")
    played = play_both(ludus.game("connect4"), theirs, games=3000)
    assert min(Counter(result for _, result in played).values()) > 2
    assert {result for _, result in played} == {-1, 0, 1}
    play_both(ludus.game("connect4"), theirs, games=40, seed=2, compiled=False)


@pytest.mark.parametrize(("columns", "rows", "line"), [(8, 7, 4), (5, 8, 5), (4, 3, 3), (3, 6, 3), (6, 4, 2)])
def test_other_sizes_against_openspiel(columns, rows, line):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"connect_four(columns={columns},rows={rows},x_in_row={line})")
    played = play_both(ludus.game("connect4", columns=columns, rows=rows, line=line), theirs, games=300)
    assert len({result for _, result in played}) > 1 or line == 2


# An independent program: a dictionary of discs, and lines followed square by square.


class Slow:
    def __init__(self, columns: int, rows: int, line: int, discs: dict[tuple[int, int], str] | None = None) -> None:
        self.columns, self.rows, self.line, self.discs = columns, rows, line, discs or {}

    def winner(self) -> str | None:
        for (column, row), mark in self.discs.items():
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if all(self.discs.get((column + i * right, row + i * up)) == mark for i in range(self.line)):
                    return mark
        return None

    def moves(self) -> list[int]:
        return [] if self.winner() else [c for c in range(self.columns) if (c, self.rows - 1) not in self.discs]

    def after(self, move: int) -> Slow:
        height = sum(column == move for column, _ in self.discs)
        return Slow(self.columns, self.rows, self.line, self.discs | {(move, height): "XO"[len(self.discs) % 2]})

    def score(self) -> int:
        return -1 if self.winner() else 0

    @property
    def text(self) -> str:
        rows = [[self.discs.get((c, r), "-") for c in range(self.columns)] for r in reversed(range(self.rows))]
        return "/".join(map("".join, rows)) + f" {'XO'[len(self.discs) % 2]}"


SIZES = [
    (7, 6, 4),
    (8, 7, 5),
    (9, 6, 3),
    (16, 3, 4),
    (32, 1, 6),
    (1, 63, 40),
    (2, 31, 3),
    (5, 5, 1),
    (6, 9, 6),
    (3, 20, 3),
]


@pytest.mark.parametrize(("columns", "rows", "line"), SIZES)
def test_against_the_slow_program(columns, rows, line):
    game, chance = ludus.game("connect4", columns=columns, rows=rows, line=line), random.Random(1)
    board = Board(game, compiled=True)
    for _ in range(6):
        position, slow = game.position(), Slow(columns, rows, line)
        board.reset(game)
        while slow.moves():
            assert position.moves.numbers == board.legal == slow.moves()
            assert position.text == slow.text
            assert game.side(position.state) == len(slow.discs) % 2
            move = chance.choice(slow.moves())
            position, slow = position.play(move), slow.after(move)
            board.play(move)
        assert board.is_over
        assert board.score == slow.score()
        assert position.is_over
        assert position.text == slow.text
        assert game.position(slow.text) == position
        assert position.score == slow.score()


@pytest.mark.parametrize(("columns", "rows", "line"), SIZES)
def test_lines_on_any_board(columns, rows, line):
    """Discs anywhere, also in the air: no line wraps around, none is missed."""
    game, chance, found = ludus.game("connect4", columns=columns, rows=rows, line=line), random.Random(2), Counter()
    squares = [(c, r) for c in range(columns) for r in range(rows)]
    for trial in range(150):
        some = [square for square in squares if chance.random() < (0.3, 0.6, 0.9, 0.98)[trial % 4]]
        stones = np.uint64(sum(1 << c * (rows + 1) + r for c, r in some))
        slow = Slow(columns, rows, line, dict.fromkeys(some, "X"))
        assert has_line(stones, game.steps) == bool(slow.winner())
        assert any(int(stones) & int(mask) == int(mask) for mask in game.lines) == bool(slow.winner())
        found[bool(slow.winner())] += 1
    assert found[True] > 0
    assert found[False] > 0 or line == 1


@pytest.mark.parametrize(
    ("columns", "rows", "line", "lines"), [(7, 6, 4, 69), (4, 4, 4, 10), (8, 7, 4, 107), (5, 5, 1, 25)]
)
def test_number_of_lines(columns, rows, line, lines):
    game = ludus.game("connect4", columns=columns, rows=rows, line=line)
    assert len(game.lines) == len(set(game.lines.tolist())) == lines


# Positions and moves as people write them.


def test_the_first_moves():
    game = ludus.game("connect4")
    assert game.position().text == f"{EMPTY} X"
    position = game.position("4453")
    assert position.text == "-------/-------/-------/-------/---O---/--OXX-- X"
    assert position == game.position().play("4").play("4").play("5").play("3")
    assert str(position) == (". . . . . . .\n" * 4 + ". . . O . . .\n" + ". . O X X . .\n" + "1 2 3 4 5 6 7")
    assert list(position.moves) == ["1", "2", "3", "4", "5", "6", "7"]
    won = position.play("6").play("1").play("7")
    assert won.is_over
    assert won.score == -1


def test_a_won_and_a_drawn_game():
    game = ludus.game("connect4")
    won = game.position("1212121")
    assert won.is_over
    assert won.score == -1  # to the second player
    assert won.text == "-------/-------/X------/XO-----/XO-----/XO----- O"
    drawn = ludus.game("connect4", columns=4, rows=3).position("123412343412")
    assert drawn.is_over
    assert drawn.score == 0


@pytest.mark.parametrize(
    "text",
    [
        "-------/-------/-------/-------/---O---/--OXX-- X",
        "-------/-------/-------/-------/---o---/--oxx--",
        ".......\n.......\n.......\n.......\n...o...\n..oxx..",  # as OpenSpiel prints it
        "-------" * 4 + "---O---" + "--OXX--",
        "  4453 ",
    ],
)
def test_ways_to_write_a_position(text):
    game = ludus.game("connect4")
    assert game.position(text) == game.position("4453")


def test_openspiel_prints_the_same_board():
    pyspiel = pytest.importorskip("pyspiel")
    game, state = ludus.game("connect4"), pyspiel.load_game("connect_four").new_initial_state()
    for digit in "445344467":
        state.apply_action(int(digit) - 1)
    assert game.position(str(state)) == game.position("445344467")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is 42 of X, O and -"),
        ("X", "is 42 of X, O and -"),
        (EMPTY[1:], "is 42 of X, O and -"),
        (EMPTY.replace("-", "Z", 1), "is 42 of X, O and -"),
        (EMPTY + " O", "X moves first"),
        (EMPTY + " XX", "is 42 of X, O and -"),
        (EMPTY[:-1] + "O O", "X moves first"),
        (EMPTY[:-2] + "XX O", "X moves first"),
        ("X" + EMPTY[1:], "a disc hangs in the air"),
        ("-------/-------/-------/-------/X------/O------ X", None),
        ("-------/-------/-------/OOOO---/XXXX---/XOXOXOX O", "the game was over before the last move"),
        ("4444444", "is not legal|unknown move"),
        ("8", "unknown move"),
        ("0", "unknown move"),
        ("12121212", "unknown move"),
    ],
)
def test_text_that_is_no_position(text, words):
    game = ludus.game("connect4")
    if words is None:
        assert game.position(text).text == text
        return
    with pytest.raises(ludus.LudusError, match=words):
        game.position(text)


def test_more_than_nine_columns_have_no_digit_strings():
    game = ludus.game("connect4", columns=10, rows=5)
    position = game.position().play("10").play("1")
    assert list(position.moves)[-1] == "10"
    assert position.text.split("/")[-1] == "O--------X X"
    assert game.position(position.text) == position
    with pytest.raises(ludus.StateError, match="is 50 of X, O and -"):
        game.position("11")


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"columns": 0}, "at least 1"),
        ({"rows": 0}, "at least 1"),
        ({"columns": 8, "rows": 8}, "at most 64"),
        ({"columns": 10, "rows": 6}, "at most 64"),
        ({"line": 0}, "line must be from 1 to the longer side, which is 7"),
        ({"line": 8}, "line must be from 1 to the longer side, which is 7"),
        ({"columns": 3, "rows": 5, "line": 6}, "which is 5"),
    ],
)
def test_parameters_out_of_range(parameters, words):
    with pytest.raises(ludus.SpecError, match=words):
        ludus.game("connect4", **parameters)


def test_picture():
    position = ludus.game("connect4").position("4453")
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.find("{*}title").text == f"Connect Four: {position.text}"
    drawn = Counter(circle.get("fill") for circle in root.iter("{http://www.w3.org/2000/svg}circle"))
    assert drawn == {"#d33": 2, "#fc3": 2, "#fff": 38}
    assert sorted(label.text for label in root.findall("{*}text")) == sorted(2 * "1234567")
    red = [group.get("transform") for group in root.findall("{*}g") if group.find("{*}circle").get("fill") == "#d33"]
    assert sorted(red) == ["translate(177.5 267.5)", "translate(222.5 267.5)"]  # columns 4 and 5, the lowest row


def test_what_is_foreseen_is_so_and_the_bounds_hold():
    """In every position of a small board; a third and more of them are foreseen."""
    game = ludus.game("connect4(columns=4, rows=3, line=3)")
    truth = Exhaustive(game)
    seen = [(game.foreseen(state), truth.score(state)) for state in truth.positions]
    assert all(foreseen == score for foreseen, score in seen if foreseen == foreseen)
    assert {foreseen for foreseen, _ in seen if foreseen == foreseen} == {1, -1}
    assert all(game.lowest(state) <= truth.score(state) <= game.highest(state) for state in truth.states)
