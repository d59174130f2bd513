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


class Over(Plain):
    def initial(self):
        return (0,)


class Single(Plain):
    def initial(self):
        return (1,)


class Text(Plain):
    def score(self, state):
        return "lost"


class Digits(Plain):
    def score(self, state):
        return "1"


class Nothing(Plain):
    def score(self, state):
        return None


class Huge(Plain):
    def score(self, state):
        return -1e308


class Largest(Plain):
    def score(self, state):
        return -1e100


class Many(Plain):
    max_moves = 10**12


class Phase(Plain):
    def phase(self, state):
        return "0.5"


class Lowest(Plain):
    def lowest(self, state):
        return None


class Highest(Plain):
    def highest(self, state):
        return "1"
