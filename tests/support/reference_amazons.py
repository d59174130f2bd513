"""Amazons as one would explain it to a child: a dictionary of squares, and queens that go one square at a time.

Nothing is shared with `ludus.library.games.amazons.game`, which must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterator

DIRECTIONS = [(up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if (up, right) != (0, 0)]
OTHER = {"w": "b", "b": "w"}
# Where white starts; black starts opposite. 10: the rules of the game; 6 and 8: OpenSpiel; 5: Müller 2001.
WHITE = {5: "a2 b1 d1 e2", 6: "a2 b1 e1 f2", 7: "a3 c1 e1 g3", 8: "a3 c1 f1 h3", 9: "a4 d1 f1 i4", 10: "a4 d1 g1 j4"}

Square = tuple[int, int]  # column and row, from 0


def square(name: str) -> Square:
    return "abcdefghij".index(name[0]), int(name[1:]) - 1


def name(square: Square) -> str:
    return f"{'abcdefghij'[square[0]]}{square[1] + 1}"


class SlowAmazons:
    """A position. `pieces` says what stands on the squares that are not empty: w, b, or x; `mover` is w or b."""

    def __init__(self, size: int = 10, pieces: dict[Square, str] | None = None, mover: str = "w") -> None:
        if pieces is None:
            white = [square(word) for word in WHITE[size].split()]
            pieces = dict.fromkeys(white, "w") | {(c, size - 1 - r): "b" for c, r in white}
        self.size, self.pieces, self.mover = size, pieces, mover

    @classmethod
    def read(cls, text: str) -> SlowAmazons:
        """From the rows, the highest first, and who is to move."""
        board, mover = text.split()
        rows = board.replace("10", "." * 10).split("/")
        for digit in range(1, 10):
            rows = [row.replace(str(digit), "." * digit) for row in rows]
        marks = {(c, r): mark for r, row in enumerate(reversed(rows)) for c, mark in enumerate(row)}
        return cls(len(rows), {at: mark for at, mark in marks.items() if mark != "."}, mover)

    @property
    def text(self) -> str:
        rows = []
        for r in reversed(range(self.size)):
            row, empty = "", 0
            for c in range(self.size):
                mark = self.pieces.get((c, r))
                if mark is None:
                    empty += 1
                else:
                    row, empty = row + (str(empty) if empty else "") + mark, 0
            rows.append(row + (str(empty) if empty else ""))
        return "/".join(rows) + f" {self.mover}"

    def reach(self, start: Square, free: Square | None = None) -> Iterator[Square]:
        """Where a queen on `start` can go, if `free` is empty too."""
        for right, up in DIRECTIONS:
            c, r = start[0] + right, start[1] + up
            while 0 <= c < self.size and 0 <= r < self.size and ((c, r) not in self.pieces or (c, r) == free):
                yield c, r
                c, r = c + right, r + up

    def amazons(self, mover: str) -> list[Square]:
        return [at for at, mark in self.pieces.items() if mark == mover]

    def moves(self) -> list[str]:
        """The names of the legal moves, in no order that matters."""
        found = []
        for start in self.amazons(self.mover):
            for goal in self.reach(start):
                found += [f"{name(start)}-{name(goal)}/{name(stone)}" for stone in self.reach(goal, free=start)]
        return found

    def play(self, move: str) -> SlowAmazons:
        start, rest = move.split("-")
        goal, stone = rest.split("/")
        pieces = dict(self.pieces)
        del pieces[square(start)]
        pieces[square(goal)] = self.mover
        assert square(stone) not in pieces
        pieces[square(stone)] = "x"
        return SlowAmazons(self.size, pieces, OTHER[self.mover])

    def perft(self, depth: int) -> int:
        """How many positions there are exactly `depth` plies on."""
        if depth == 0:
            return 1
        return len(self.moves()) if depth == 1 else sum(self.play(move).perft(depth - 1) for move in self.moves())

    def wins(self) -> bool:
        """Whether the mover can force a win."""
        return any(not self.play(move).wins() for move in self.moves())

    # What the evaluators count.

    def mobility(self, mover: str) -> int:
        return sum(len(list(self.reach(start))) for start in self.amazons(mover))

    def distances(self, mover: str) -> dict[Square, int]:
        """In how many queen moves any of the mover's amazons gets to a square."""
        found = dict.fromkeys(self.amazons(mover), 0)
        last = list(found)
        while last:
            last = list({goal for start in last for goal in self.reach(start) if goal not in found})
            found |= {goal: 1 + max(found.values()) for goal in last}
        return found

    def territory(self, mover: str) -> int:
        """How many empty squares the mover reaches in fewer moves than the opponent."""
        mine, theirs = self.distances(mover), self.distances(OTHER[mover])
        return sum(
            mine.get((c, r), 999) < theirs.get((c, r), 999)
            for c in range(self.size)
            for r in range(self.size)
            if (c, r) not in self.pieces
        )
