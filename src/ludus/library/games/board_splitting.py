"""Board splitting (Pearl 1984; Abramson 1985): the players cut down a board of 0's and 1's until one square is left.

A square board of b^rounds rows is covered with 0's and 1's. The first player, V, splits it vertically into b sections
and keeps one in play; the second, H, does the same horizontally. After `rounds` moves each, H wins if a 1 is left,
else V.

Squares are independent, 1 with probability `p` (a P-game; `fair` is the p that solves (1-x)^b = x: then either may win,
however large the board), or come from the branches of the game tree (an N-game; Abramson 1989, footnote 5): each is +1
with probability `p`, by default one half, or else -1, and a square is 1 if the sum of the branches that lead to it is
positive.

The board's summed-area table is a field, so any rectangle's 1's are counted by four look-ups.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import numpy as np

from ludus.kernel.random import as_unit, number
from ludus.library.games.synthetic import check_state, fair, numbered, numbers, root_key, within
from ludus.model.game import Game

LARGEST = 1000
"""Rows of the largest board: the number of its squares stays below the value of a finished game."""


class BoardSplitting(Game):
    """Split a board of 0's and 1's, one vertically and one horizontally, down to a square: H wins a 1 (Pearl 1984)."""

    name = "board-splitting"
    evaluator = "ones"
    seeded = True

    def __init__(
        self,
        branching: int = 2,
        rounds: int = 6,
        p: float | str = "fair",
        values: Literal["independent", "branches"] = "independent",
        seed: int = 0,
    ) -> None:
        """`values`: `independent` squares (P-games) or sums of random `branches` (N-games)."""
        within("branching", branching, 2, LARGEST)
        if not 1 <= rounds <= LARGEST or branching**rounds > LARGEST:
            raise ValueError(f"rounds must be at least 1, and the board's {branching}^rounds rows at most {LARGEST}")
        if p == "fair":
            p = 1 - fair(branching) if values == "independent" else 0.5
        self.p = within("p", float(numbers("p", p, 1)[0]), 0, 1)
        self.branching = self.max_moves = branching
        self.rounds, self.length = rounds, 2 * rounds
        self.values, self.seed = values, seed
        self.sizes = branching ** np.arange(rounds + 1)
        self.key = root_key(seed)

    @cached_property
    def board(self) -> np.ndarray:
        """The squares, True for a 1."""
        b, side = self.branching, int(self.sizes[-1])
        with np.errstate(over="ignore"):
            if self.values == "independent":
                return (as_unit(number(self.key, np.arange(side**2))) < self.p).reshape(side, side)
            sums, index = np.zeros((1, 1), np.int64), 0
            for ply in range(self.length):
                sums = sums.repeat(b, axis=1 - ply % 2)
                up = as_unit(number(self.key, index + np.arange(sums.size))) < self.p
                sums += np.where(up, 1, -1).reshape(sums.shape)
                index += sums.size
        return sums > 0

    @cached_property
    def table(self) -> np.ndarray:
        """The summed-area table: at [i, j] the number of 1's in the first i rows and j columns."""
        side = int(self.sizes[-1])
        table = np.zeros((side + 1, side + 1), np.int32)
        table[1:, 1:] = self.board.cumsum(axis=0).cumsum(axis=1)
        return table

    def __getstate__(self) -> dict[str, Any]:
        """Other processes make the board anew: that is quicker than to send it."""
        return {name: value for name, value in super().__getstate__().items() if name not in ("board", "table")}

    # A state is (the first row, the first column, how many moves were made).

    def initial(self):
        return (0, 0, 0)

    def moves(self, state, out):
        return numbered(out, self.branching if state[2] < self.length else 0)

    def play(self, state, move):
        row, column, ply = state
        size = self.sizes[self.rounds - 1 - ply // 2]
        if ply % 2 == 0:
            return (row, column + move * size, ply + 1)
        return (row + move * size, column, ply + 1)

    def score(self, state):
        return -1.0 if ones(self.table, state[0], state[1], 1, 1) == 1 else 1.0

    def phase(self, state):
        return state[2] / self.length

    def lowest(self, state):
        """A sure win if all squares in play are the mover's: 0's for V, 1's for H."""
        return 1 if share_of_ones(self, state) == state[2] % 2 else -1

    def highest(self, state):
        return -1 if share_of_ones(self, state) == 1 - state[2] % 2 else 1

    def parse_state(self, text):
        state = super().parse_state(text)
        row, column, ply = state
        fits = 0 <= ply <= self.length and min(row, column) >= 0 and max(row, column) < self.sizes[-1]
        check_state(self, text, fits and row % height(self, ply) == 0 and column % width(self, ply) == 0)
        return state

    def mover(self, state):
        return int(state[2]) % 2

    def winner(self, state):
        return 1 if self.board[state[0], state[1]] else 0


def ones(table, row, column, height, width):
    """The number of 1's in a rectangle."""
    bottom, right = row + height, column + width
    return np.int64(table[bottom, right]) - table[row, right] - table[bottom, column] + table[row, column]


def share_of_ones(game, state):
    """How many of the squares in play are 1's, from 0 to 1."""
    row, column, ply = state
    rows, columns = height(game, ply), width(game, ply)
    return ones(game.table, row, column, rows, columns) / (rows * columns)


def height(game, ply):
    """The number of rows in play after this number of moves."""
    return game.sizes[game.rounds - ply // 2]


def width(game, ply):
    """The number of columns in play after this number of moves."""
    return game.sizes[game.rounds - (ply + 1) // 2]
