"""Tic-tac-toe on any square board: `line` marks in a row, a column or a diagonal win."""

import numpy as np

from ludus.core.errors import StateError
from ludus.core.game import Game

ONE = np.uint64(1)
ZERO = np.uint64(0)


def lines_of(size: int, line: int) -> list[int]:
    """Every line of the board, as a mask with a bit for each of its squares."""
    found = []
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                squares = [(row + i * down, column + i * right) for i in range(line)]
                if all(0 <= r < size and 0 <= c < size for r, c in squares):
                    found.append(sum(1 << (r * size + c) for r, c in squares))
    return found


class TicTacToe(Game):
    """Tic-tac-toe on a `size` x `size` board, `line` in a row to win."""

    name = "tictactoe"
    evaluator = "open-lines"

    def __init__(self, size: int = 3, line: int = 0) -> None:
        if not 1 <= size <= 8:
            raise ValueError("size must be from 1 to 8")
        line = line or size
        if not 1 <= line <= size:
            raise ValueError(f"line must be from 1 to size, which is {size}")
        self.size = size
        self.line = line
        self.squares = self.max_moves = self.length = size * size
        self.lines = np.array(lines_of(size, line), np.uint64)

    # A state is (the mover's marks, the opponent's marks); X moves first, so equal counts mean X to move.

    def initial(self):
        return (ZERO, ZERO)

    def moves(self, state, out):
        mine, theirs = state
        for line in self.lines:
            if theirs & line == line:
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
        for line in self.lines:
            if state[1] & line == line:
                return -1
        return 0

    def mover(self, state):
        return int(state[0]).bit_count() - int(state[1]).bit_count() != 0

    def state_text(self, state):
        """The squares row by row, `X`, `O` or `-`, then the player to move."""
        mine, theirs = int(state[0]), int(state[1])
        x_to_move = mine.bit_count() == theirs.bit_count()
        x, o = (mine, theirs) if x_to_move else (theirs, mine)
        board = "".join("X" if x >> i & 1 else "O" if o >> i & 1 else "-" for i in range(self.squares))
        return f"{board} {'X' if x_to_move else 'O'}"

    def parse_state(self, text):
        board, _, side = text.strip().upper().partition(" ")
        if len(board) != self.squares or set(board) - set("XO-") or side.strip() not in ("", "X", "O"):
            raise StateError(f"a position is {self.squares} of X, O and -, and the player to move, not {text!r}.")
        x = sum(1 << i for i, mark in enumerate(board) if mark == "X")
        o = sum(1 << i for i, mark in enumerate(board) if mark == "O")
        mover = "X" if x.bit_count() == o.bit_count() else "O"
        if x.bit_count() - o.bit_count() not in (0, 1) or side.strip() not in ("", mover):
            raise StateError(f"{text!r} cannot arise: X moves first and the players alternate.")
        return (np.uint64(x), np.uint64(o)) if mover == "X" else (np.uint64(o), np.uint64(x))

    def move_name(self, state, move):
        return f"{'abcdefgh'[move % self.size]}{move // self.size + 1}"

    def render(self, state):
        board = self.state_text(state).split()[0].replace("-", ".")
        rows = [" ".join(board[r * self.size : (r + 1) * self.size]) for r in range(self.size)]
        return "\n".join([f"{r + 1} {row}" for r, row in enumerate(rows)] + ["  " + " ".join("abcdefgh"[: self.size])])

    def svg(self, state):
        """The board for notebooks and pages."""
        from ludus.pictures.boards import board_svg

        text = self.state_text(state)
        board = enumerate(text.split()[0])
        marks = {divmod(i, self.size): "cross" if mark == "X" else "nought" for i, mark in board if mark != "-"}
        return board_svg(self.size, marks, color="#fdfdf6", title=f"Tic-tac-toe: {text}")
