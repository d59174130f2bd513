"""A small game for tests to break in their own ways."""

from ludus import Game


class Base(Game):
    """One pile of stones: take 1 to 3."""

    max_moves = 3

    def __init__(self, stones: int = 9) -> None:
        self.stones = stones

    def initial(self):
        return (self.stones,)

    def moves(self, state, out):
        n = min(state[0], 3)
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return 1
