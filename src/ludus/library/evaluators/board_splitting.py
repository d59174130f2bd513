"""Evaluators of board splitting (Abramson 1985): N(g), Y(g) and the share of 1's. R(g) is `random`, for any game."""

from __future__ import annotations

from typing import Literal

from ludus.library.games.board_splitting import height, ones, share_of_ones, width
from ludus.model.evaluator import Evaluator


class Ones(Evaluator):
    """The number of 1's on the board, to H; its negative to V: N(g) of Abramson 1985."""

    name = "ones"
    games = ("board-splitting",)

    def evaluate(self, game, state):
        row, column, ply = state
        count = ones(game.table, row, column, height(game, ply), width(game, ply))
        return -count if ply % 2 == 0 else count


class OnesShare(Evaluator):
    """The mover's share of the squares less the opponent's: how many are 1's, on a scale for all boards (Nau 1982)."""

    name = "ones-share"
    games = ("board-splitting",)

    def evaluate(self, game, state):
        share = 2.0 * share_of_ones(game, state) - 1.0
        return -share if state[2] % 2 == 0 else share


class OnesTraps(Evaluator):
    """The number of 1's, but all of the first board where a forced win is seen: Y(g) of Abramson 1985.

    H has won with a row of 1's or, on a square board, where V is to move, with a diagonal of 1's; V with a column of
    0's. The paper says "a main diagonal": `diagonals` is `main`, the one from the upper left, `both`, or `none`.
    """

    name = "ones-traps"
    games = ("board-splitting",)

    def __init__(self, diagonals: Literal["main", "both", "none"] = "main") -> None:
        self.diagonals = diagonals
        self.count = {"none": 0, "main": 1, "both": 2}[diagonals]

    def evaluate(self, game, state):
        row, column, ply = state
        rows, columns = height(game, ply), width(game, ply)
        squares = game.sizes[game.rounds] ** 2
        if has_row(game.table, row, column, rows, columns) or (
            ply % 2 == 0 and has_diagonal(game.table, row, column, rows, self.count)
        ):
            value = squares
        elif has_empty_column(game.table, row, column, rows, columns):
            value = -squares
        else:
            value = ones(game.table, row, column, rows, columns)
        return -value if ply % 2 == 0 else value


def has_row(table, row, column, rows, columns):
    """Whether some row is all 1's."""
    for i in range(rows):  # noqa: SIM110
        if ones(table, row + i, column, 1, columns) == columns:
            return True
    return False


def has_empty_column(table, row, column, rows, columns):
    """Whether some column is all 0's."""
    for j in range(columns):  # noqa: SIM110
        if ones(table, row, column + j, rows, 1) == 0:
            return True
    return False


def has_diagonal(table, row, column, size, count):
    """Whether the main diagonal of a square board, or if `count` is 2 the other, is all 1's."""
    for which in range(count):
        i = 0
        while i < size and ones(table, row + i, column + (i if which == 0 else size - 1 - i), 1, 1) == 1:
            i += 1
        if i == size:
            return True
    return False
