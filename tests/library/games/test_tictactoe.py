"""Tic-tac-toe: the published counts, an independent program, OpenSpiel, and the evaluator of the thesis."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

import ludus
from ludus.model.evaluator import WIN
from tests.support.against_openspiel import play_both

PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
ENDINGS = {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}


def test_perft():
    game = ludus.game("tictactoe")
    assert [ludus.perft(game, depth).leaves for depth in range(11)] == [*PERFT, 0]


def test_perft_interpreted():
    game = ludus.game("tictactoe")
    assert [ludus.perft(game, depth, compiled=False).leaves for depth in range(5)] == PERFT[:5]


def test_number_of_complete_games():
    """255,168 games, of which X wins 131,184, O wins 77,904, and 46,080 are drawn."""
    game = ludus.game("tictactoe")

    @cache
    def endings(position: ludus.Position, ply: int) -> Counter:
        if position.is_over:
            loser = "X" if ply % 2 == 0 else "O"  # who is to move when the line is there
            return Counter({(ply, "draw" if position.score == 0 else f"{loser} loses"): 1})
        return sum((endings(position.play(move), ply + 1) for move in position.moves), Counter())

    found = endings(game.position(), 0)
    by_ply, by_result = Counter(), Counter()
    for (ply, result), count in found.items():
        by_ply[ply] += count
        by_result[result] += count
    assert by_ply == ENDINGS
    assert by_ply.total() == 255168
    assert by_result == {"O loses": 131184, "X loses": 77904, "draw": 46080}


@pytest.mark.parametrize(
    ("spec", "state", "value"),
    [
        ("tictactoe", None, 0.0),  # a draw
        ("tictactoe(size=2)", None, WIN),  # any second mark makes a line
        ("tictactoe(size=1)", None, WIN),
        ("tictactoe(line=2)", None, WIN),
        ("tictactoe", "X---O---X O", 0.0),
        ("tictactoe", "XX-OO---- X", WIN),
        ("tictactoe", "X---XO--- O", -WIN),
        ("tictactoe", "O--X-X--- O", WIN),  # b2, and after c3 the fork c1
        ("tictactoe", "X-------- O", 0.0),
    ],
)
def test_values(spec, state, value):
    game = ludus.game(spec)
    result = ludus.player("minimax(depth=9)").choose(game, game.position(state))
    assert result.value == value
    assert result.stopped == "solved"


def test_four_in_a_row_on_four_by_four_is_a_draw():
    result = ludus.player("alphabeta(table=true, deeper=true, depth=16)").choose(ludus.game("tictactoe", size=4))
    assert (result.value, result.stopped) == (0.0, "solved")


# An independent program: a dictionary of marks, and lines followed square by square.


class Slow:
    def __init__(self, size: int, line: int) -> None:
        self.size, self.line, self.marks, self.history = size, line, {}, []

    def winner(self) -> str | None:
        for (row, column), mark in self.marks.items():
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if all(self.marks.get((row + i * down, column + i * right)) == mark for i in range(self.line)):
                    return mark
        return None

    def moves(self) -> list[str]:
        if self.winner():
            return []
        squares = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [f"{'abcdefgh'[c]}{r + 1}" for r, c in squares if (r, c) not in self.marks]

    def play(self, move: str) -> None:
        self.marks[int(move[1]) - 1, "abcdefgh".index(move[0])] = "XO"[len(self.marks) % 2]

    def score(self) -> int:
        return -1 if self.winner() else 0


@pytest.mark.parametrize(("size", "line", "games"), [(4, 3, 300), (3, 3, 200), (5, 4, 50), (8, 5, 10), (4, 4, 100)])
def test_against_an_independent_program(size, line, games):
    game, chance, lengths = ludus.game("tictactoe", size=size, line=line), random.Random(1), set()
    for _ in range(games):
        position, slow = game.position(), Slow(size, line)
        while slow.moves():
            assert list(position.moves) == slow.moves()
            assert game.side(position.state) == len(slow.marks) % 2
            move = chance.choice(slow.moves())
            position = position.play(move)
            slow.play(move)
        assert position.is_over
        assert position.score == slow.score()
        lengths.add(len(slow.marks))
    assert len(lengths) > 2  # wins early and late, and draws


def test_perft_against_the_independent_program():
    def count(slow: Slow, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in slow.moves():
            slow.play(move)
            total += count(slow, depth - 1)
            slow.marks.popitem()
        return total

    start, slow = ludus.game("tictactoe", size=4, line=3).position(), Slow(4, 3)
    for move in ("a1", "b2", "a2", "b3", "d4"):
        start = start.play(move)
        slow.play(move)
    for depth in (1, 2, 3):
        assert ludus.perft(start.game, depth, start.state).leaves == count(slow, depth)
    assert ludus.perft(start.game, 3, start.state).leaves < 11 * 10 * 9  # some games end earlier


def test_against_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    played = play_both(ludus.game("tictactoe"), pyspiel.load_game("tic_tac_toe"), games=2000)
    assert {result for _, result in played} == {-1, 0, 1}
    assert {len(moves) for moves, _ in played} == {5, 6, 7, 8, 9}
    play_both(ludus.game("tictactoe"), pyspiel.load_game("tic_tac_toe"), games=50, seed=2, compiled=False)


# Positions as text.


def test_text():
    game = ludus.game("tictactoe")
    position = game.position().play("b2").play("a1")
    assert position.text == "O---X---- X"
    assert str(position) == "1 O . .\n2 . X .\n3 . . .\n  a b c"
    assert game.position("o---x----") == position
    assert game.position("O---X---- X").play("c3").text == "O---X---X O"


@pytest.mark.parametrize(
    "text", ["", "XO", "X---O---- O", "XX------- O", "O-------- X", "Z--------", "--------- O", "- X"]
)
def test_text_that_is_no_position(text):
    with pytest.raises(ludus.StateError):
        ludus.game("tictactoe").position(text)


@pytest.mark.parametrize("parameters", [{"size": 0}, {"size": 9}, {"line": 4}, {"size": 4, "line": -1}])
def test_parameters_out_of_range(parameters):
    with pytest.raises(ludus.SpecError, match="must be from 1 to"):
        ludus.game("tictactoe", **parameters)


# Open lines, to the player to move.


@pytest.mark.parametrize(
    ("size", "board", "value"),
    [
        # Figure 8 (a): 5 lines are open to X, 2 to O; X's advantage is 3, and O is to move.
        (3, "X-- -X- --O", -3),
        # Figure 8 (b), 4 x 4: 5 lines are open to each.
        (4, "O--- -X-- --X- ---O", 0),
        (3, "--- --- ---", 0),
        (3, "--- -X- ---", -4),  # 8 lines, 4 of them through the centre
        (3, "X-- --- ---", -3),
        (3, "-X- --- ---", -2),
        (3, "O-- -X- ---", 1),  # to X: 8 - 3 = 5 open, to O 8 - 4 = 4
        (3, "XOX XOO OX-", 0),  # none is open to anybody
        (4, "X--- ---- ---- ----", -3),
        (4, "-X-- ---- ---- ----", -2),
    ],
)
def test_open_lines(size, board, value):
    board = board.replace(" ", "")
    found = ludus.game("tictactoe", size=size).position(board).value("open-lines")
    assert found == value == slow_open_lines(size, board)


def slow_open_lines(size: int, board: str) -> int:
    rows = [[r * size + c for c in range(size)] for r in range(size)]
    diagonals = [[i * size + i for i in range(size)], [i * size + size - 1 - i for i in range(size)]]
    lines = ["".join(board[i] for i in line) for line in rows + [list(c) for c in zip(*rows, strict=True)] + diagonals]
    open_to = {mark: sum(other not in line for line in lines) for mark, other in ("XO", "OX")}
    advantage = open_to["X"] - open_to["O"]
    return advantage if board.count("X") == board.count("O") else -advantage


def test_open_lines_against_slow_counting():
    chance = random.Random(3)
    for size in (3, 4, 5):
        game = ludus.game("tictactoe", size=size)
        for _ in range(30):
            position = game.position()
            while not position.is_over:
                assert position.value("open-lines") == slow_open_lines(size, position.text.split()[0])
                position = position.play(chance.choice(list(position.moves)))
            assert position.value("open-lines") == WIN * position.score


def test_one_ply_of_open_lines_draws_against_perfect_play():
    """Appendix A: on 3 by 3 a one ply lookahead is sufficient to force a draw. Here against a perfect opponent."""
    game = ludus.game("tictactoe")
    players = [ludus.player("greedy(eval=open-lines)", compiled=False), ludus.player("minimax(depth=9)")]
    for order in (players, players[::-1]):
        position, ply = game.position(), 0
        while not position.is_over:
            position = position.play(order[ply % 2].choose(game, position).move)
            ply += 1
        assert position.score == 0
