"""Othello as one would explain it to a child: a dictionary of squares, and rows followed one square at a time.

Nothing is shared with `ludus.library.games.othello.game`, which must agree with it.
"""

from __future__ import annotations

DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
OTHER = {"X": "O", "O": "X"}

Square = tuple[int, int]


class SlowOthello:
    """A position. `discs` says what lies on the squares (row, column) that are not empty; `mover` is X or O."""

    def __init__(self, size: int = 8, discs: dict[Square, str] | None = None, mover: str = "X") -> None:
        half = size // 2
        start = {(half - 1, half): "X", (half, half - 1): "X", (half - 1, half - 1): "O", (half, half): "O"}
        self.size, self.discs, self.mover = size, start if discs is None else discs, mover

    @classmethod
    def read(cls, text: str) -> SlowOthello:
        """From the squares row by row, a space, and who is to move."""
        board, mover = text.split()
        size = round(len(board) ** 0.5)
        return cls(size, {(i // size, i % size): mark for i, mark in enumerate(board) if mark != "-"}, mover)

    @property
    def text(self) -> str:
        squares = [(row, column) for row in range(self.size) for column in range(self.size)]
        return "".join(self.discs.get(square, "-") for square in squares) + f" {self.mover}"

    def turned(self, square: Square, mover: str) -> list[Square]:
        """The discs that a new disc of `mover` on `square` would turn over."""
        found = []
        for down, right in DIRECTIONS:
            row, (r, c) = [], (square[0] + down, square[1] + right)
            while self.discs.get((r, c)) == OTHER[mover]:
                row.append((r, c))
                r, c = r + down, c + right
            if self.discs.get((r, c)) == mover:
                found += row
        return found

    def squares(self, mover: str) -> list[Square]:
        """Where `mover` may put a disc."""
        empty = [(r, c) for r in range(self.size) for c in range(self.size) if (r, c) not in self.discs]
        return [square for square in empty if self.turned(square, mover)]

    def moves(self) -> list[str]:
        """The names of the legal moves, from a1 row by row; `pa` for a pass; none if the game is over."""
        found = [f"{'abcdefgh'[c]}{r + 1}" for r, c in self.squares(self.mover)]
        return found or (["pa"] if self.squares(OTHER[self.mover]) else [])

    def play(self, move: str) -> SlowOthello:
        discs = dict(self.discs)
        if move != "pa":
            square = int(move[1]) - 1, "abcdefgh".index(move[0])
            for turned in self.turned(square, self.mover):
                discs[turned] = self.mover
            discs[square] = self.mover
        return SlowOthello(self.size, discs, OTHER[self.mover])

    def count(self, mark: str) -> int:
        return list(self.discs.values()).count(mark)

    def score(self, empties: str = "winner") -> int:
        """The difference in discs to the player to move, the empty squares going to the winner or to nobody."""
        mine, theirs = self.count(self.mover), self.count(OTHER[self.mover])
        empty = self.size**2 - mine - theirs
        if empties == "winner":
            mine, theirs = mine + empty * (mine > theirs), theirs + empty * (theirs > mine)
        return mine - theirs

    def perft(self, depth: int) -> int:
        """How many positions there are exactly `depth` plies on."""
        if depth == 0:
            return 1
        return sum(self.play(move).perft(depth - 1) for move in self.moves())
