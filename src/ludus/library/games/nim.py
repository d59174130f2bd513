"""Nim with one pile: take 1 to `most` stones; who takes the last one loses."""

from ludus.model.game import Game


class Nim(Game):
    """One pile of stones: take 1 to `most`; whoever takes the last stone loses."""

    name = "nim"

    def __init__(self, stones: int = 21, most: int = 3) -> None:
        if stones < 1 or most < 1:
            raise ValueError("stones and most must be at least 1")
        if stones > 100_000 or most > 10_000:
            raise ValueError("stones must be at most 100000, and most at most 10000")
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

    def null(self, state):
        return state

    def phase(self, state):
        return 1.0 - state[0] / self.stones

    def lowest(self, state):
        return -1

    def highest(self, state):
        return 1
