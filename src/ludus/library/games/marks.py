"""What the games in which X and O mark squares have in common: X moves first, and who moves shows from the counts."""

from functools import cached_property

import numpy as np

from ludus.common.errors import StateError
from ludus.kernel.bits import popcount
from ludus.model.game import Game

ZERO, ONE = np.uint64(0), np.uint64(1)


def some_line_is_free(lines, marks):
    """Is there a line without any of these marks?"""
    i = 0
    while i < lines.size and marks & lines[i] != ZERO:
        i += 1
    return i < lines.size


class MarkGame(Game):
    """A state is (the mover's marks, the opponent's marks), two bit boards.

    `board` has the bit of each square, row by row as people read it; `separator` stands between the rows of a text.
    `lines` are the sets of squares that win, and `length` is the number of all squares.
    """

    board: list[list[int]]
    lines: np.ndarray
    separator = "/"

    @cached_property
    def cell_bits(self) -> np.ndarray:
        """The bit of each cell, row by row."""
        return np.array([bit for row in self.board for bit in row], np.uint64)

    def initial(self):
        return (np.uint64(0), np.uint64(0))

    def null(self, state):
        return (state[1], state[0])

    def phase(self, state):
        return popcount(state[0] | state[1]) / self.length

    def lowest(self, state):
        """A draw at least if no line is left to the opponent."""
        return -1 if some_line_is_free(self.lines, state[0]) else 0

    def highest(self, state):
        return 1 if some_line_is_free(self.lines, state[1]) else 0

    def cells(self, state, contents):
        mine, theirs = state
        for i in range(self.cell_bits.size):
            square = self.cell_bits[i]
            contents[i] = np.int64(mine >> square & ONE) + 2 * np.int64(theirs >> square & ONE)
        return self.cell_bits.size

    # For people.

    def side(self, state) -> int:
        """Who is to move, 0 for X, by the number of marks. This is not called `mover`: after `null` it is wrong."""
        return int(int(state[0]).bit_count() != int(state[1]).bit_count())

    def rows_of(self, state) -> list[str]:
        """The rows of the board, `X`, `O` or `-` for each square."""
        mine, theirs = int(state[0]), int(state[1])
        x, o = (theirs, mine) if self.side(state) else (mine, theirs)
        return ["".join("X" if x >> i & 1 else "O" if o >> i & 1 else "-" for i in row) for row in self.board]

    def pieces(self, state, x="cross", o="nought") -> dict[tuple[int, int], str]:
        """What a picture shows at each row and column that is not empty."""
        names = {"X": x, "O": o}
        rows = enumerate(self.rows_of(state))
        return {(r, c): names[mark] for r, row in rows for c, mark in enumerate(row) if mark != "-"}

    def state_text(self, state):
        """The squares row by row, `X`, `O` or `-`, then the player to move."""
        return f"{self.separator.join(self.rows_of(state))} {'XO'[self.side(state)]}"

    def parse_state(self, text):
        """The player to move and what separates the rows may be left out; `.` is an empty square too."""
        squares = [i for row in self.board for i in row]
        marks = "".join(text.replace("/", " ").split()).upper().replace(".", "-")
        marks, side = marks[: len(squares)], marks[len(squares) :]
        if len(marks) != len(squares) or set(marks) - set("XO-") or side not in ("", "X", "O"):
            example = self.state_text(self.initial())
            raise StateError(
                f"a position of {self.title} is {len(squares)} of X, O and -, like {example!r}: not {text!r}."
            )
        x, o = (sum(1 << i for i, mark in zip(squares, marks, strict=True) if mark == which) for which in "XO")
        lead = x.bit_count() - o.bit_count()
        if lead not in (0, 1) or side not in ("", "XO"[lead]):
            raise StateError(f"{text!r} cannot arise: X moves first and the players alternate.")
        return (np.uint64(o), np.uint64(x)) if lead else (np.uint64(x), np.uint64(o))
