"""The cells of boards: lines, symmetries and the groups they make, plain boards, players who move twice."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ludus
from benchmarks.boards import ArrayBoard, TupleBoard
from ludus.common.errors import LudusError
from ludus.diagnostics.check.comparison import compare
from ludus.features.cells import (
    contents_of,
    generators,
    group_of,
    has_cells,
    kinds_of,
    lines_in,
    longest_lines,
    moved,
    shape_of,
    swapped_kinds,
)
from ludus.learning.features import features_of
from ludus.model import registry
from ludus.runtime.runner import Runner
from tests.support import plain_boards


@pytest.mark.parametrize("shape", [(5,), (3, 4), (8, 8), (3, 3, 3)])
def test_a_straight_line_is_part_of_a_longest_one(shape):
    number = {place: n for n, place in enumerate(itertools.product(*map(range, shape)))}
    lines = longest_lines(shape)
    for length in (2, 3):
        windows = [line[i : i + length] for line in lines for i in range(len(line) - length + 1)]
        assert len(set(windows)) == len(windows)
        assert set(windows) == {tuple(number[place] for place in line) for line in lines_in(shape, length)}


# Symmetries.


class Board(ArrayBoard):
    """Any board, to declare symmetries of."""

    def __init__(self, shape=(3, 3), symmetries=()):
        self.cell_shape, self.symmetries = shape, symmetries


@pytest.mark.parametrize(
    ("shape", "symmetries", "many"),
    [
        ((3, 3), (), 1),
        ((3, 3), ("mirror",), 2),
        ((3, 3), ("rotations",), 4),
        ((3, 3), ("rotations", "mirror"), 8),
        ((3, 3), "all", 8),
        ((1, 9), ("all",), 2),
        ((3, 3), ([8, 7, 6, 5, 4, 3, 2, 1, 0],), 2),
    ],
)
def test_how_many_symmetries_follow(shape, symmetries, many):
    assert len(group_of(Board(shape, symmetries))) == many


def test_a_cube_has_48():
    assert len(group_of(ludus.game("qubic"))) == 48


def test_where_cells_go():
    board = tuple("abcdefghi")
    quarter = dict(generators(Board((3, 3), ("rotations",))))["rotations"]
    shown = {"".join(moved(board, quarter)), "".join(moved(moved(moved(board, quarter), quarter), quarter))}
    assert shown == {"cfibehadg", "gdahebifc"}  # to the left and to the right
    assert "".join(moved(board, dict(generators(Board((3, 3), ("mirror",))))["mirror"])) == "cbafedihg"
    assert "".join(moved(board, dict(generators(Board((3, 3), ("flip",))))["flip"])) == "ghidefabc"


def test_rotations_need_a_square():
    with pytest.raises(LudusError, match=r"symmetries has 'rotations', but a board of \(1, 9\) cells is not square"):
        group_of(Board((1, 9), ("rotations",)))


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tictactoe", "othello(size=4)", "connect4(columns=4, rows=3, line=3)"])
def test_symmetric_positions_are_worth_the_same(spec):
    """Solved exactly: the cells, moved by any symmetry, are those of a position of the same value, or of none."""
    game = ludus.game(spec)
    values: dict = {}
    for state in _sample(game):
        values.setdefault(contents_of(game, state), _worth(game, state, {}))
    pairs = 0
    for permutation in group_of(game)[1:]:
        for contents, value in values.items():
            image = moved(contents, permutation)
            pairs += image in values and image != contents
            assert values.get(image, value) == value
    assert pairs > 50


def _sample(game):
    """Positions, near the end where the game is not small."""
    last = {game.state_text(game.start): game.start}
    plies = {"tictactoe": 3, "othello": 9, "connect4": 5}[game.name]
    for _ in range(plies):
        then = (game.after(state, move) for state in last.values() for move in game.legal(state))
        last = dict(itertools.islice({game.state_text(state): state for state in then}.items(), 600))
    return last.values()


def _worth(game, state, known):
    key = game.state_text(state)
    if key not in known:
        legal = game.legal(state)
        known[key] = (
            max(-_worth(game, game.after(state, move), known) for move in legal) if legal else game.result(state)
        )
    return known[key]


def test_what_a_piece_is_to_the_other_player():
    assert swapped_kinds(ludus.game("othello")) == [0, 2, 1]
    assert swapped_kinds(ludus.game("amazons")) == [0, 2, 1, 3]


# Plain boards.


class ZeroAndOne(ArrayBoard):
    """Players are 0 and 1, and their stones 1 and 2."""

    def initial(self):
        return (np.zeros(9, np.int8), 0)

    def moves(self, state, out):
        return ArrayBoard.moves(self, (state[0], state[1] + 1), out)

    def play(self, state, move):
        board = state[0].copy()
        board[move] = state[1] + 1
        return (board, 1 - state[1])

    def score(self, state):
        return ArrayBoard.score(self, (state[0], state[1] + 1))


class PlusMinus(ArrayBoard):
    """The mover's stones are 1 and the opponent's -1; there is nothing else in a state."""

    def initial(self):
        return (np.zeros((3, 3), np.int8),)

    def moves(self, state, out):
        return ArrayBoard.moves(self, (state[0].ravel() % 3, 1), out)

    def play(self, state, move):
        board = state[0].copy()
        board[move // 3, move % 3] = 1
        return (-board,)

    def score(self, state):
        return ArrayBoard.score(self, (state[0].ravel() % 3, 1))


class EitherMark(ArrayBoard):
    """Both players put whatever they like, 1 or 2: nobody owns a stone."""

    max_moves = 18

    def moves(self, state, out):
        n = ArrayBoard.moves(self, state, out)
        for i in range(n):
            out[n + i] = out[i] + 9
        return 2 * n

    def play(self, state, move):
        board = state[0].copy()
        board[move % 9] = 1 + move // 9
        return (board, 3 - state[1])


@pytest.mark.parametrize("game", [ArrayBoard(), TupleBoard(), ZeroAndOne(), PlusMinus(), plain_boards.NestedBoard()])
def test_a_plain_board_is_seen_by_the_mover(game):
    state = game.start
    assert (shape_of(game), kinds_of(game)) == ((3, 3), 3)
    for move, seen in ((4, "000020000"), (0, "200010000"), (8, "100020002")):
        state = game.after(state, move)
        assert contents_of(game, state) == tuple(map(int, seen))


def test_pieces_of_nobody_are_others_for_each_player():
    game = EitherMark()
    assert kinds_of(game) == 6
    assert swapped_kinds(game) is None
    one = game.after(game.start, 0)
    assert contents_of(game, one) == (4, 3, 3, 3, 3, 3, 3, 3, 3)
    assert contents_of(game, game.after(one, 12)) == (1, 0, 0, 2, 0, 0, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("game", [ArrayBoard(), TupleBoard(), plain_boards.SquareBoard()])
def test_compiled_sees_the_same(game):
    features = features_of(game, "pairs")
    states = [game.start]
    for move in (4, 0, 8, 2, 1):
        states.append(game.after(states[-1], move))
    fast, slow = (features.matrix(states, compiled=how).toarray() for how in (True, False))
    assert (fast == slow).all()
    assert np.abs(slow).sum() > 10


def test_a_number_is_no_board():
    game = ludus.game("nim(stones=5)")
    assert not has_cells(game)
    with pytest.raises(LudusError, match=r"nim has no rule cells\(state, contents\)"):
        shape_of(game)
    with pytest.raises(LudusError, match="neither the rule cells nor a plain board"):
        game.cells(game.start, np.zeros(100))


# Players who move twice.


class Again(ludus.Game):
    """A player who marks the first cell moves again."""

    alternates, max_moves, cell_shape = False, 3, (3,)

    def initial(self):
        return (0, 0, 0)

    def moves(self, state, out):
        n = 0
        for i in range(3):
            if (state[0] | state[1]) >> i & 1 == 0:
                out[n] = i
                n += 1
        return n

    def play(self, state, move):
        first, second, turn = state
        first, second = (first | 1 << move, second) if turn == 0 else (first, second | 1 << move)
        return (first, second, turn if move == 0 else 1 - turn)

    def score(self, state):
        return 1 if (state[0], state[1])[state[2]] & 1 else -1

    def mover(self, state):
        return state[2]

    def cells(self, state, contents):
        mine, theirs = (state[0], state[1]) if state[2] == 0 else (state[1], state[0])
        for i in range(3):
            contents[i] = (mine >> i & 1) + 2 * (theirs >> i & 1)
        return 3


@pytest.mark.slow
def test_who_passes_sees_the_board():
    game = Again()
    after = game.after(game.start, 0)
    assert contents_of(game, after) == (2, 0, 0)  # Second, who must pass
    assert contents_of(game, game.after(after, 0)) == (1, 0, 0)  # First, who moves again
    assert list(compare(game, None, 0, 0.2, None)) == []


# What is not asked is not compiled.


@pytest.mark.slow
def test_a_search_knows_nothing_of_cells_and_features():
    work = Runner(
        registry.searches().of("greedy"),
        ludus.game("othello"),
        ludus.evaluator("discs").on(ludus.game("othello")),
        True,
    )
    names = " ".join(work.kernel.dispatchers)
    assert "Othello.play" in names
    assert not any(word in names for word in ("cells", "features"))
    assert "cell_values" not in work._arguments[1]._fields
