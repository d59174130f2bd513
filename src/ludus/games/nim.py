"""Nim with one pile: take 1 to `most` stones; who takes the last one loses."""

from ludus.core.game import Game


class Nim(Game):
    """One pile of stones: take 1 to `most`; whoever takes the last stone loses."""

    name = "nim"

    def __init__(self, stones: int = 21, most: int = 3) -> None:
        if not 1 <= stones <= 100_000 or not 1 <= most <= 10_000:
            raise ValueError("stones must be from 1 to 100000, and most from 1 to 10000")
        self.stones = stones
        self.most = most
        self.max_moves = most
        self.length = stones

    def initial(self):
        return (self.stones,)

    def moves(self, state, out):
        n = min(state[0], self.most)
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return 1  # the opponent took the last stone
