"""Tic-tac-toe as people write it who have not heard of bit boards: the board is an array, or a tuple."""

import numpy as np

import ludus
from ludus import Game

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def has_line(board, player):
    for a, b, c in LINES:  # noqa: SIM110 (a generator cannot be compiled)
        if board[a] == board[b] == board[c] == player:
            return True
    return False


class ArrayBoard(Game):
    """The board is an array of nine squares, 0, 1 or 2."""

    max_moves = length = 9

    def initial(self):
        return (np.zeros(9, np.int8), 1)

    def moves(self, state, out):
        board, player = state
        n = 0
        for square in range(9):
            if board[square] == 0:
                out[n] = square
                n += 1
        return 0 if has_line(board, 3 - player) else n

    def play(self, state, move):
        board, player = state[0].copy(), state[1]
        board[move] = player
        return (board, 3 - player)

    def score(self, state):
        return -1 if has_line(state[0], 3 - state[1]) else 0


class TupleBoard(ArrayBoard):
    """The board is a tuple."""

    def initial(self):
        return ((0,) * 9, 1)

    def play(self, state, move):
        board, player = state
        return (ludus.replace(board, move, player), 3 - player)
