"""Connect Four on bit boards, of any size that fits 64 bits with a free row on top (Tromp's layout).

Square (column, row) is bit `column * (rows + 1) + row`, row 0 at the bottom. The row above the board stays empty, so
that no line runs from the top of a column into the next one, and a shift by 1, rows, rows + 1 or rows + 2 is a step up,
down the diagonal, to the right or up the diagonal.
"""

from typing import Any

import numpy as np

from ludus.common.errors import StateError
from ludus.features.cells import lines_in
from ludus.kernel.bits import popcount
from ludus.library.games.connect4.features import names, write_lines, write_threats
from ludus.library.games.marks import MarkGame

ONE, ZERO, ALL = np.uint64(1), np.uint64(0), np.uint64(2**64 - 1)


def has_line(stones, steps):
    """Whether there is a line in one of the directions; `steps` has the shifts that prove it, a row for each."""
    for direction in range(steps.shape[0]):
        run = stones
        for step in range(steps.shape[1]):
            run &= run >> steps[direction, step]
        if run != ZERO:
            return True
    return False


def completing(stones, shifts, line):
    """The squares, taken or not, on the board or not, on which one stone more would complete a line of these."""
    if line == 4:
        return completing_four(stones, shifts)
    found = ZERO
    for shift in shifts:
        before = ALL  # the squares before which `gap` stones lie in this direction: none at first
        for gap in range(line):
            behind = ALL
            for _ in range(line - 1 - gap):
                behind = (behind & stones) >> shift
            found |= before & behind
            before = (before & stones) << shift
    return found


def completing_four(stones, shifts):
    """The same for lines of four: a quarter of the steps, since two stones in a row serve twice."""
    found = ZERO
    for shift in shifts:
        one_up, one_down = stones << shift, stones >> shift
        two_up, two_down = one_up & (one_up << shift), one_down & (one_down >> shift)
        found |= two_up & (one_down | (one_up << shift << shift))
        found |= two_down & (one_up | (one_down >> shift >> shift))
    return found


def doublings(shift: int, line: int) -> list[int]:
    """The shifts after which a run that was 1 long is `line` long: it doubles, the last step excepted."""
    found, length = [], 1
    while length < line:
        step = min(length, line - length)
        found.append(step * shift)
        length += step
    return found


class Connect4(MarkGame):
    """Connect Four: drop discs into columns; `line` in a row, a column or a diagonal win."""

    name = "connect4"
    evaluator = "weighted-lines"
    symmetries = ("mirror",)

    def __init__(self, columns: int = 7, rows: int = 6, line: int = 4) -> None:
        if columns < 1 or rows < 1 or columns * (rows + 1) > 64:
            raise ValueError("columns and rows must be at least 1, and columns x (rows + 1) at most 64")
        if not 1 <= line <= max(columns, rows):
            raise ValueError(f"line must be from 1 to the longer side, which is {max(columns, rows)}")
        self.columns = self.max_moves = columns
        self.rows, self.line, self.length = rows, line, columns * rows
        self.cell_shape, self.feature_names = (rows, columns), names(line)
        self.lesson = {"features": "fours", "sides": 2, "games": 100_000} if line == 4 else {}
        height = rows + 1
        self.bottoms = np.array([1 << c * height for c in range(columns)], np.uint64)
        self.tops = np.array([1 << c * height + rows - 1 for c in range(columns)], np.uint64)
        self.full = np.uint64(sum(map(int, self.tops)))
        self.board = [[c * height + r for c in range(columns)] for r in reversed(range(rows))]
        # Each direction with the room it has: a line longer than that would need shifts of 64 and more.
        directions = ((1, rows), (height, columns), (rows, min(rows, columns)), (height + 1, min(rows, columns)))
        self.shifts = np.array([shift for shift, room in directions if room >= line], np.uint64)
        self.floor = np.uint64(sum(map(int, self.bottoms)))
        self.all = np.uint64(sum(1 << square for row in self.board for square in row))
        self.odd_rows = np.uint64(sum(1 << square for row in self.board[::-2] for square in row))
        middle = [row[c] for row in self.board for c in {(columns - 1) // 2, columns // 2}]
        self.centre = np.uint64(sum(1 << square for square in middle))
        self.steps = np.array([doublings(shift, line) for shift, room in directions if room >= line], np.uint64)
        lines = lines_in((columns, rows), line)
        self.lines = np.array([sum(1 << c * height + r for c, r in line) for line in lines], np.uint64)

    def moves(self, state, out):
        mine, theirs = state
        if has_line(theirs, self.steps):
            return 0
        n = 0
        for column in range(self.columns):
            out[n] = column
            n += (mine | theirs) & self.tops[column] == ZERO
        return n

    def play(self, state, move):
        mine, theirs = state
        taken = mine | theirs
        # Adding to the lowest square carries through the discs above it up to the first empty one.
        return (theirs, mine | (taken + self.bottoms[move] & ~taken))

    def over(self, state):
        return (state[0] | state[1]) & self.full == self.full or has_line(state[1], self.steps)

    def score(self, state):
        return -1 if has_line(state[1], self.steps) else 0

    def noisy(self, state, move):
        """A move that makes a line, or takes the square that would make one of the opponent's."""
        mine, theirs = state
        taken = mine | theirs
        disc = taken + self.bottoms[move] & ~taken
        return has_line(mine | disc, self.steps) or has_line(theirs | disc, self.steps)

    def urgency(self, state, move):
        """The squares on which it threatens to complete a line; of equals the move nearest to the middle."""
        mine, theirs = state
        taken = mine | theirs
        mine |= taken + self.bottoms[move] & ~taken
        threats = completing(mine, self.shifts, self.line) & self.all & ~(mine | theirs)
        return popcount(threats) - abs(2 * move + 1 - self.columns) / (2 * self.columns)

    def lowest(self, state):
        """A draw at least if no line is left to the opponent."""
        return -1 if has_line(self.all & ~state[0], self.steps) else 0

    def highest(self, state):
        return 1 if has_line(self.all & ~state[1], self.steps) else 0

    def foreseen(self, state):
        """Who can complete a line at once wins; who cannot stop one, or must open a square for one, loses."""
        mine, theirs = state
        taken = mine | theirs
        open_squares = taken + self.floor & self.all
        if completing(mine, self.shifts, self.line) & open_squares != ZERO:
            return 1.0
        threats = completing(theirs, self.shifts, self.line) & self.all & ~taken
        at_once = threats & open_squares
        safe = (open_squares if at_once == ZERO else at_once) & ~(threats >> ONE)
        if safe == ZERO or (at_once != ZERO and at_once & (at_once - ONE) != ZERO):
            return -1.0
        return np.nan

    def features(self, state, numbers):
        mine, theirs = state
        write_lines(mine, theirs, self.lines, self.line, numbers)
        my_threats = completing(mine, self.shifts, self.line)
        their_threats = completing(theirs, self.shifts, self.line)
        return write_threats(self, mine, theirs, my_threats, their_threats, numbers, self.line - 1)

    # For people.

    def parse_state(self: Any, text):
        """A board as `state_text` writes it, or the columns played so far: `4453`."""
        if text.strip().isdecimal() and self.columns < 10:
            position = self.position()
            for move in text.strip():
                position = position.play(move)
            return position.state
        state = super().parse_state(text)
        taken = state[0] | state[1]
        if (taken + np.uint64(sum(map(int, self.bottoms)))) & taken != ZERO:
            raise StateError(f"{text!r} cannot arise: a disc hangs in the air.")
        if has_line(state[0], self.steps):
            raise StateError(f"{text!r} cannot arise: the game was over before the last move.")
        return state

    def move_name(self, state, move):
        return str(int(move) + 1)

    def render(self, state):
        width = len(str(self.columns))
        rows = [*(row.replace("-", ".") for row in self.rows_of(state)), [str(c + 1) for c in range(self.columns)]]
        return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in rows)

    def diagram(self, state):
        from ludus.pictures.diagram import squares

        discs, sides = self.pieces(state, x="red", o="yellow"), {"red": 0, "yellow": 1}
        labels: tuple[list[str], list[str]] = [str(c + 1) for c in range(self.columns)], []
        return squares((self.rows, self.columns), discs, owners=sides, color="#2255aa", labels=labels, shape="disc")

    def svg(self, state):
        """The board for notebooks and pages."""
        from ludus.pictures.boards import board_svg

        holes = dict.fromkeys(((r, c) for r in range(self.rows) for c in range(self.columns)), "hole")
        discs = holes | self.pieces(state, x="red", o="yellow")
        labels: tuple[list[str], list[str]] = [str(c + 1) for c in range(self.columns)], []
        title = f"Connect Four: {self.state_text(state)}"
        return board_svg((self.rows, self.columns), discs, color="#2255aa", title=title, labels=labels)
