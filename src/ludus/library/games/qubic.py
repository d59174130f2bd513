"""Qubic, tic-tac-toe on a cube of 4 x 4 x 4 squares; Abramson's survey calls it Four Score (Harris 1974).

Square (level, row, column) is bit `16 * level + 4 * row + column`. A line is as long as the cube, so in each of the 13
directions it can begin on a few squares only: `stones & stones >> step`, twice over, finds runs of four, and those that
begin on such a square are lines.
"""

import numpy as np

from ludus.features.cells import lines_in
from ludus.kernel.bits import lowest_bit
from ludus.library.games.marks import MarkGame

ONE, ZERO, FULL = np.uint64(1), np.uint64(0), np.uint64(2**64 - 1)


def has_line(stones, steps, starts):
    for direction in range(steps.size):
        step = steps[direction]
        pairs = stones & stones >> step
        if pairs & pairs >> (step + step) & starts[direction] != ZERO:
            return True
    return False


class Qubic(MarkGame):
    """Tic-tac-toe on a cube of four boards of 4 x 4; four in any straight line win."""

    name = "qubic"
    evaluator = "weighted-lines"
    max_moves = length = 64
    cell_shape, symmetries = (4, 4, 4), ("all",)

    def __init__(self) -> None:
        self.board = [[16 * level + square for square in range(16)] for level in range(4)]
        lines = [
            sorted(16 * level + 4 * row + column for level, row, column in line) for line in lines_in((4, 4, 4), 4)
        ]
        self.lines = np.array([sum(1 << square for square in line) for line in lines], np.uint64)
        starts: dict[int, int] = {}
        for line in lines:
            step = line[1] - line[0]
            starts[step] = starts.get(step, 0) | 1 << line[0]
        self.steps = np.array(list(starts.keys()), np.uint64)
        self.starts = np.array(list(starts.values()), np.uint64)

    def moves(self, state, out):
        mine, theirs = state
        if has_line(theirs, self.steps, self.starts):
            return 0
        n = 0
        empty = ~(mine | theirs)
        while empty != ZERO:
            out[n] = lowest_bit(empty)
            empty &= empty - ONE
            n += 1
        return n

    def play(self, state, move):
        return (state[1], state[0] | ONE << np.uint64(move))

    def over(self, state):
        return state[0] | state[1] == FULL or has_line(state[1], self.steps, self.starts)

    def score(self, state):
        return -1 if has_line(state[1], self.steps, self.starts) else 0

    def noisy(self, state, move):
        """A move that makes a line, or takes the square that would make one of the opponent's."""
        mark = ONE << np.uint64(move)
        return has_line(state[0] | mark, self.steps, self.starts) or has_line(state[1] | mark, self.steps, self.starts)

    # For people: `2c3` is column c, row 3 of the second board.

    def move_name(self, state, move):
        return f"{move // 16 + 1}{'abcd'[move % 4]}{move // 4 % 4 + 1}"

    def parse_move(self, state, text):
        return super().parse_move(state, text.lower())

    def render(self, state):
        levels = [level.replace("-", ".") for level in self.rows_of(state)]
        rows = [f"{r + 1} " + "   ".join(" ".join(level[4 * r : 4 * r + 4]) for level in levels) for r in range(4)]
        heads = "  " + "   ".join(str(level + 1).ljust(7) for level in range(4))
        return "\n".join([heads.rstrip(), *rows, "  " + "   ".join(["a b c d"] * 4)])

    def diagram(self, state):
        """The four boards side by side."""
        from ludus.pictures.diagram import beside, squares

        boards, owners = {}, {"cross": 0, "nought": 1}
        for level in range(4):
            marks = {divmod(i, 4): mark for (at, i), mark in self.pieces(state).items() if at == level}
            boards[str(level + 1)] = squares(4, marks, owners=owners, color="#fdfdf6")
        return beside(boards)

    def svg(self, state):
        """The four boards side by side, for notebooks and pages."""
        from ludus.pictures.boards import board_svg, side_by_side

        boards = []
        for level in range(4):
            marks = {divmod(i, 4): mark for (at, i), mark in self.pieces(state).items() if at == level}
            labels = [f"{level + 1}{letter}" for letter in "abcd"], "1234"
            boards.append(board_svg(4, marks, color="#fdfdf6", labels=labels))
        return side_by_side(boards, 220, 220, title=f"Qubic: {self.state_text(state)}")
