"""Board splitting against real boards cut in pieces, and against theory; its evaluators against their definitions.

Every statistical test has fixed seeds; its level is at most one in a thousand.
"""

from __future__ import annotations

import pickle
from itertools import product
from math import comb
from zlib import crc32

import numpy as np
import pytest

import ludus
from ludus.library.games.synthetic import fair
from tests.support.reference_synthetic import h_wins, n_board, p_board, split, tip_1, tip_2
from tests.support.tree_statistics import Censuses, Counted, z_score

SIZES = [(2, 1), (2, 3), (3, 2), (4, 1), (5, 2)]
FAIR_2 = (3 - 5**0.5) / 2
"""(1-x)^2 = x."""


def slow_board(game: ludus.Game) -> np.ndarray:
    if game.values == "branches":
        return n_board(game.branching, game.rounds, game.p, game.seed)
    return p_board(game.branching**game.rounds, game.p, game.seed)


def pieces(board: np.ndarray, branching: int) -> list[np.ndarray]:
    """The boards of all nodes of the game tree in breadth order, each cut from its parent."""
    found, level, vertically = [board], [board], True
    while level[0].size > 1:
        level = [part for whole in level for part in split(whole, branching, vertically)]
        found += level
        vertically = not vertically
    return found


@pytest.mark.parametrize("values", ["independent", "branches"])
@pytest.mark.parametrize(("branching", "rounds"), SIZES)
def test_the_board_is_the_one_defined(branching, rounds, values):
    for seed in (0, 1, 2**31 - 1):
        for p in ("fair", 0.3):
            game = ludus.game("board-splitting", branching=branching, rounds=rounds, values=values, p=p, seed=seed)
            board = slow_board(game)
            assert (game.board == board).all()
            for row, column in product(range(len(board) + 1), repeat=2):
                assert game.table[row, column] == board[:row, :column].sum()


@pytest.mark.parametrize("values", ["independent", "branches"])
@pytest.mark.parametrize(("branching", "rounds"), SIZES)
@pytest.mark.parametrize("compiled", [False, True])
def test_the_whole_tree_is_that_of_real_boards(branching, rounds, values, compiled):
    trees = Censuses(
        "board-splitting", "ones-traps", compiled=compiled, branching=branching, rounds=rounds, values=values
    )
    for seed in (0, 5):
        tree, boards = trees(seed), pieces(slow_board(trees.game(seed)), branching)
        assert len(boards) == len(tree.count)
        for node, board in enumerate(boards):
            v_moves = tree.column(2)[node] % 2 == 0
            sign = -1 if v_moves else 1  # what H wants, V does not
            if board.size == 1:
                assert tree.count[node] == 0
                assert tree.opinion[node] == (-1 if board[0, 0] else 1)
            else:
                assert tree.count[node] == branching
                assert tree.opinion[node] == sign * tip_2(board, branching ** (2 * rounds))
        assert (tree.minimax[0] == -1) == h_wins(boards[0], branching)


@pytest.mark.parametrize("values", ["independent", "branches"])
@pytest.mark.parametrize(("branching", "rounds"), [(2, 2), (2, 3), (3, 2)])
def test_the_evaluators_are_those_defined(branching, rounds, values):
    squares = branching ** (2 * rounds)
    for seed in range(3):
        game = ludus.game("board-splitting", branching=branching, rounds=rounds, values=values, p=0.6, seed=seed)
        level, boards = [game.position()], [slow_board(game)]
        for ply in range(2 * rounds):
            sign = -1 if ply % 2 == 0 else 1
            for position, board in zip(level, boards, strict=True):
                assert position.value("ones") == sign * tip_1(board)
                assert position.value("ones-share") == sign * (2 * board.mean() - 1)
                for diagonals in ("main", "both", "none"):
                    found = position.value(f"ones-traps(diagonals={diagonals})")
                    assert found == sign * tip_2(board, squares, diagonals)
            level = [position.play(move) for position in level for move in position.moves.numbers]
            boards = [part for board in boards for part in split(board, branching, ply % 2 == 0)]


def test_traps_are_forced_wins_and_not_all_of_them():
    """Y(g) never errs where it claims a win; with both diagonals it claims more, with none less."""
    claims = dict.fromkeys(("none", "main", "both"), 0)
    solved = 0
    for seed in range(150):
        game = ludus.game("board-splitting", rounds=2, p=0.45, seed=seed)
        board = slow_board(game)
        assert tip_1(board) < 16
        for position, part, vertically in [
            (game.position(), board, True),
            *((game.position().play(move), split(board, 2, True)[move], False) for move in (0, 1)),
        ]:
            solved += 1
            for diagonals in claims:
                opinion = position.value(f"ones-traps(diagonals={diagonals})") * (-1 if vertically else 1)
                if abs(opinion) == 16:
                    claims[diagonals] += 1
                    assert (opinion > 0) == h_wins(part, 2, vertically)
    assert 0 < claims["none"] < claims["main"] < claims["both"] < solved


@pytest.mark.parametrize(("branching", "p"), [(2, "fair"), (2, 0.6), (3, "fair")])
def test_boards_with_a_row_of_ones_are_as_many_as_the_paper_says(branching, p):
    """Abramson 1985, section 3.1: an S by S board has one with probability 1 - (1 - p^S)^S."""
    games = [ludus.game("board-splitting", branching=branching, rounds=1, p=p, seed=seed) for seed in range(600)]
    found = sum(game.position().value("ones-traps(diagonals=none)") == -(branching**2) for game in games)
    assert abs(z_score(found, 600, 1 - (1 - games[0].p ** branching) ** branching)) < 3.3


# Theory.


def test_the_fair_probability():
    assert abs(ludus.game("board-splitting").p - FAIR_2) < 1e-15
    for branching in (2, 3, 5, 31):
        p = ludus.game("board-splitting", branching=branching, rounds=1).p
        assert abs((1 - p) ** branching - p) < 1e-14
        assert p == 1 - fair(branching)
    assert ludus.game("board-splitting", values="branches").p == 0.5


@pytest.mark.parametrize(
    ("branching", "rounds", "p"),
    [(2, 1, "fair"), (2, 3, "fair"), (2, 5, "fair"), (3, 3, "fair"), (5, 2, "fair"), (2, 3, 0.5), (3, 2, 0.25)],
)
def test_the_share_of_wins_is_that_of_the_exact_recursion(branching, rounds, p):
    """500 boards, each solved. A round takes H's chance x to (1 - (1-x)^b)^b, which leaves the fair p as it is."""
    trees = Censuses("board-splitting", "ones-traps", branching=branching, rounds=rounds, p=p)
    wins = sum(trees(seed).minimax[0] == -1 for seed in range(500))
    x = trees.game(0).p
    for _ in range(rounds):
        x = (1 - (1 - x) ** branching) ** branching
    assert 0.02 < x < 0.98
    assert p != "fair" or abs(x - trees.game(0).p) < 1e-9
    assert abs(z_score(wins, 500, x)) < 3.3


def test_squares_are_independent():
    """The number of 1's in one large board, pairs of neighbours, and the board's first square over many seeds."""
    board = ludus.game("board-splitting", branching=3, rounds=6, seed=1).board
    p = ludus.game("board-splitting", branching=3, rounds=6).p
    assert abs(z_score(board.sum(), board.size, p)) < 3.3
    for one, other in ((board[:, 1:], board[:, :-1]), (board[1:], board[:-1]), (board[1:, 1:], board[:-1, :-1])):
        noise = (one - p) * (other - p)
        assert abs(noise.mean() / (p * (1 - p) / noise.size**0.5)) < 3.5
    firsts = sum(bool(ludus.game("board-splitting", rounds=1, seed=seed).board[0, 0]) for seed in range(1000))
    assert abs(z_score(firsts, 1000, FAIR_2)) < 3.3


@pytest.mark.parametrize(("branching", "rounds"), [(2, 2), (2, 4), (3, 3)])
def test_the_share_of_ones_in_n_games(branching, rounds):
    """A path of 2 rounds branches has a positive sum with probability (1 - C(2r, r) / 4^r) / 2."""
    games = [
        ludus.game("board-splitting", branching=branching, rounds=rounds, values="branches", seed=seed)
        for seed in range(300)
    ]
    exact = (1 - comb(2 * rounds, rounds) / 4**rounds) / 2
    squares = [tuple(np.array([7 * seed, 3 * seed]) % branching**rounds) for seed in range(300)]
    ones = sum(bool(game.board[square]) for game, square in zip(games, squares, strict=True))
    assert abs(z_score(ones, 300, exact)) < 3.3


def test_neighbours_are_alike_in_n_games_and_not_in_p_games():
    """Siblings, which share all branches but the last, agree more often than independent squares would."""
    z = {}
    for values in ("independent", "branches"):
        board = ludus.game("board-splitting", rounds=8, values=values, seed=2).board
        share = board.mean()
        alike = board[0::2] == board[1::2]
        z[values] = z_score(alike.sum(), alike.size, share**2 + (1 - share) ** 2)
    assert abs(z["independent"]) < 3.3
    assert z["branches"] > 20


def test_n_game_siblings_agree_as_often_as_they_should():
    """The last branches of two siblings are independent: given the sum before, an odd number, squares follow."""
    rounds, chance, n = 2, 0.0, 600
    for k in range(2 * rounds):  # of the 2r - 1 branches before the last, k are +1
        before = 2 * k - (2 * rounds - 1)
        one = (before + 1 > 0) / 2 + (before - 1 > 0) / 2
        chance += comb(2 * rounds - 1, k) / 2 ** (2 * rounds - 1) * (one**2 + (1 - one) ** 2)
    boards = (ludus.game("board-splitting", rounds=rounds, values="branches", seed=seed).board for seed in range(n))
    assert abs(z_score(sum(int(board[2, 1] == board[3, 1]) for board in boards), n, chance)) < 3.3


# Processes, golden values, parameters, states.


def test_a_copy_makes_its_own_board():
    game = ludus.game("board-splitting", branching=3, rounds=6, seed=4)
    assert game.table.shape == (730, 730)
    sent = pickle.dumps(game)
    assert len(sent) < 3000
    assert (pickle.loads(sent).table == game.table).all()


def test_golden_values():
    """A change of the generator changes every experiment: these must not move."""
    for values, expected in (
        ("independent", [(1584, 2222118164), (1614, 1670693669), (1553, 1101429393)]),
        ("branches", [(1616, 1504916153), (1483, 1900563670), (1359, 3078896333)]),
    ):
        boards = [ludus.game("board-splitting", values=values, seed=seed).board for seed in range(3)]
        assert [(board.sum(), crc32(np.packbits(board).tobytes())) for board in boards] == expected


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"branching": 1}, "branching must be from 2 to 1000"),
        ({"rounds": 0}, "rounds must be at least 1, and the board's 2.rounds rows at most 1000"),
        ({"rounds": 10}, "rounds must be at least 1, and the board's 2.rounds rows at most 1000"),
        ({"p": 1.1}, "p must be from 0 to 1"),
        ({"p": "unfair"}, "p must be a number"),
        ({"values": "squares"}, "values of board-splitting must be one of independent, branches"),
        ({"seed": -1}, "seed must be 0 or above"),
    ],
)
def test_parameters_out_of_range(parameters, message):
    with pytest.raises(ludus.SpecError, match=message):
        ludus.game("board-splitting", **parameters)


@pytest.mark.parametrize("text", ["0 0 13", "0 0 -1", "64 0 12", "0 -1 12", "1 0 0", "0 16 1", "16 32 1"])
def test_states_that_no_game_comes_to(text):
    with pytest.raises(ludus.StateError, match="its numbers are out of range"):
        ludus.game("board-splitting").read_state(text)


def test_a_tree_is_counted_whole():
    """The census itself: as many nodes as there are, each with the right parent."""
    tree: Counted = Censuses("board-splitting", "ones-traps", branching=3, rounds=2)(0)
    assert [high - low for low, high in tree.levels] == [1, 3, 9, 27, 81]
    assert (tree.parent[1:] == (np.arange(1, 121) - 1) // 3).all()
