"""Tic-tac-toe on any square board: `line` marks in a row, a column or a diagonal win."""

import numpy as np

from ludus.features.cells import lines_in
from ludus.library.games.marks import MarkGame

ONE = np.uint64(1)
ZERO = np.uint64(0)


def has_line(marks, lines):
    """Whether these marks fill one of the lines."""
    i = 0
    while i < lines.size and marks & lines[i] != lines[i]:
        i += 1
    return i < lines.size


class TicTacToe(MarkGame):
    """Tic-tac-toe on a `size` x `size` board, `line` in a row to win."""

    name = "tictactoe"
    evaluator = "open-lines"
    separator = ""
    symmetries = ("all",)

    def __init__(self, size: int = 3, line: int = 0) -> None:
        if not 1 <= size <= 8:
            raise ValueError("size must be from 1 to 8")
        line = line or size
        if not 1 <= line <= size:
            raise ValueError(f"line must be from 1 to size, which is {size}")
        self.size, self.cell_shape = size, (size, size)
        self.line = line
        self.squares = self.max_moves = self.length = size * size
        self.board = [[r * size + c for c in range(size)] for r in range(size)]
        lines = lines_in((size, size), line)
        self.lines = np.array([sum(1 << self.board[r][c] for r, c in line) for line in lines], np.uint64)

    def moves(self, state, out):
        mine, theirs = state
        if has_line(theirs, self.lines):
            return 0
        n = 0
        for square in range(self.squares):
            if (mine | theirs) >> np.uint64(square) & ONE == ZERO:
                out[n] = square
                n += 1
        return n

    def play(self, state, move):
        mine, theirs = state
        return (theirs, mine | ONE << np.uint64(move))

    def score(self, state):
        return -1 if has_line(state[1], self.lines) else 0

    def noisy(self, state, move):
        """A move that makes a line, or takes the square that would make one of the opponent's."""
        mark = ONE << np.uint64(move)
        return has_line(state[0] | mark, self.lines) or has_line(state[1] | mark, self.lines)

    def move_name(self, state, move):
        return f"{'abcdefgh'[move % self.size]}{move // self.size + 1}"

    def render(self, state):
        rows = [" ".join(row.replace("-", ".")) for row in self.rows_of(state)]
        return "\n".join([f"{r + 1} {row}" for r, row in enumerate(rows)] + ["  " + " ".join("abcdefgh"[: self.size])])

    def diagram(self, state):
        from ludus.pictures.diagram import squares

        return squares(self.size, self.pieces(state), owners={"cross": 0, "nought": 1}, color="#fdfdf6")

    def svg(self, state):
        """The board for notebooks and pages."""
        from ludus.pictures.boards import board_svg

        title = f"Tic-tac-toe: {self.state_text(state)}"
        return board_svg(self.size, self.pieces(state), color="#fdfdf6", title=title)
