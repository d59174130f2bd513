"""Games with a rule that gives no number, ends the program, or contradicts another."""

import sys

from ludus import Game


class Plain(Game):
    """Take one or two of nine."""

    max_moves = 2
    evaluator = "zero"

    def initial(self):
        return (9,)

    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(2, state[0])

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return -1


class Nan(Plain):
    def score(self, state):
        return float("nan")


class Infinite(Plain):
    def score(self, state):
        return -float("inf")


class Exits(Plain):
    def play(self, state, move):
        if state[0] < 5:
            sys.exit(0)
        return (state[0] - move,)


class GoesOn(Plain):
    def over(self, state):
        return False


class EndsEarly(Plain):
    def over(self, state):
        return state[0] < 4
