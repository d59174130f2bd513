"""Kalah as one would explain it to a child: lists of pits, and seeds sown one at a time.

Nothing is shared with `ludus.library.games.kalah.game`, which must agree with it.
"""

from __future__ import annotations


class SlowKalah:
    """A position. `pits[player]` are that player's houses in the order of sowing, `stores[player]` his store."""

    def __init__(self, houses: int = 6, seeds: int = 4, empty_capture: bool = True) -> None:
        self.houses, self.empty_capture = houses, empty_capture
        self.pits = [[seeds] * houses, [seeds] * houses]
        self.stores = [0, 0]
        self.mover, self.must_pass = 0, False

    @classmethod
    def read(cls, text: str, empty_capture: bool = True) -> SlowKalah:
        *numbers, side = text.removesuffix(" pass").split()
        slow = cls(len(numbers) // 2 - 1, 0, empty_capture)
        row = len(numbers) // 2
        for player in (0, 1):
            *slow.pits[player], slow.stores[player] = map(int, numbers[player * row : (player + 1) * row])
        slow.mover, slow.must_pass = "SN".index(side), text.endswith("pass")
        return slow

    @property
    def text(self) -> str:
        rows = [*self.pits[0], self.stores[0], *self.pits[1], self.stores[1]]
        return " ".join(map(str, rows)) + f" {'SN'[self.mover]}" + (" pass" if self.must_pass else "")

    def moves(self) -> list[str]:
        if sum(self.pits[0]) == 0 or sum(self.pits[1]) == 0:
            return []
        if self.must_pass:
            return ["pass"]
        letters = ("abcdefg", "ABCDEFG")[self.mover]
        return [letters[i] for i, seeds in enumerate(self.pits[self.mover]) if seeds]

    def play(self, move: str) -> SlowKalah:
        after, me, you = SlowKalah.read(self.text, self.empty_capture), self.mover, 1 - self.mover
        after.mover, after.must_pass = you, False
        if move == "pass":
            return after
        house = "abcdefg".index(move.lower())
        hand, after.pits[me][house] = after.pits[me][house], 0
        side, at = me, house
        while hand:
            at += 1
            if at < self.houses:
                after.pits[side][at] += 1
            elif at == self.houses and side == me:
                after.stores[me] += 1
            else:  # past the end of a row, and past the opponent's store: the other row begins
                side, at = 1 - side, 0
                after.pits[side][at] += 1
            hand -= 1
        if at == self.houses:
            after.must_pass = True
        elif side == me and after.pits[me][at] == 1:
            across = self.houses - 1 - at
            if after.pits[you][across] or self.empty_capture:
                after.stores[me] += 1 + after.pits[you][across]
                after.pits[me][at] = after.pits[you][across] = 0
        return after

    def score(self) -> int:
        """The difference in seeds to the player to move; those left in the houses belong to their owner."""
        own, other = (sum(self.pits[p]) + self.stores[p] for p in (self.mover, 1 - self.mover))
        return own - other

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(self.play(move).perft(depth - 1) for move in self.moves())
