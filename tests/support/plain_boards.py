"""Tic-tac-toe with its board in every way that people write one; each is the same game, move for move."""

import numpy as np

import ludus
from benchmarks.boards import ArrayBoard, TupleBoard, has_line


class SlicedBoard(TupleBoard):
    """The same, put together from slices: only with constant ends can they be compiled."""

    def play(self, state, move):
        board, player = state
        return ((*board[:move], player, *board[move + 1 :]), 3 - player)


def flat(board):
    return (*board[0], *board[1], *board[2])


class NestedBoard(ArrayBoard):
    """The board is a tuple of three rows."""

    def initial(self):
        return (((0,) * 3,) * 3, 1)

    def moves(self, state, out):
        board, player = flat(state[0]), state[1]
        n = 0
        for square in range(9):
            if board[square] == 0:
                out[n] = square
                n += 1
        return 0 if has_line(board, 3 - player) else n

    def play(self, state, move):
        board, player = state
        row = ludus.replace(board[move // 3], move % 3, player)
        return (ludus.replace(board, move // 3, row), 3 - player)

    def score(self, state):
        return -1 if has_line(flat(state[0]), 3 - state[1]) else 0


class SquareBoard(ArrayBoard):
    """The board is a two-dimensional array."""

    def initial(self):
        return (np.zeros((3, 3), np.int8), 1)

    def moves(self, state, out):
        n = 0
        for row in range(3):
            for column in range(3):
                if state[0][row, column] == 0:
                    out[n] = 3 * row + column
                    n += 1
        return 0 if has_line(state[0].ravel(), 3 - state[1]) else n

    def play(self, state, move):
        board, player = state
        return (ludus.replace(board, (move // 3, move % 3), player), 3 - player)

    def score(self, state):
        return -1 if has_line(state[0].ravel(), 3 - state[1]) else 0


class MixedBoard(SquareBoard):
    """A board, a whole number, a fraction and a flag: who owns more of the corners wins where nobody has a line."""

    def initial(self):
        return (np.zeros((3, 3), np.int8), 1, 0.0, False)

    def play(self, state, move):
        board, player, lead, _ = state
        corner = move % 2 == 0 and move != 4
        gained = 0.25 if corner else 0.0
        after = ludus.replace(board, (move // 3, move % 3), player)
        return (after, 3 - player, lead + gained if player == 1 else lead - gained, corner)

    def score(self, state):
        board, player, lead, _ = state
        if has_line(board.ravel(), 3 - player):
            return -1
        return lead if player == 1 else -lead


class TwoBoards(ArrayBoard):
    """Two arrays of bool, the mover's marks and the opponent's: they change places with every move."""

    def initial(self):
        return (np.zeros(9, np.bool_), np.zeros(9, np.bool_))

    def moves(self, state, out):
        mine, theirs = state
        n = 0
        for square in range(9):
            if not mine[square] and not theirs[square]:
                out[n] = square
                n += 1
        return 0 if has_line(theirs, True) else n

    def play(self, state, move):
        mine, theirs = state
        mine = mine.copy()
        mine[move] = True
        return (theirs, mine)

    def score(self, state):
        return -1 if has_line(state[1], True) else 0


class NumPyBoard(ArrayBoard):
    """The same with whatever NumPy offers: everything allocates, and the types drift."""

    def moves(self, state, out):
        board, player = state
        free = np.flatnonzero(board == 0)
        out[: len(free)] = free
        return 0 if has_line(board, 3 - player) else len(free)

    def play(self, state, move):
        board, player = state
        return (np.where(np.arange(9) == move, player, board), 3 - player)


BOARDS = (ArrayBoard, TupleBoard, NestedBoard, SquareBoard, TwoBoards, NumPyBoard)
