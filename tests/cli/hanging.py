"""Games of which one method does not return, ends the process or crashes it."""

import ctypes
import os

from ludus import Evaluator, Game


class Plain(Game):
    """Take one or two of nine."""

    max_moves = 2
    feature_names = ("left",)
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

    def features(self, state, numbers):
        numbers[0] = state[0]
        return 1


def forever():
    while True:
        pass


class Evaluates(Evaluator):
    def evaluate(self, game, state):
        return forever() if state[0] == 7 else 0.0


class Finishes(Evaluator):
    def evaluate(self, game, state):
        return 0.0

    def final(self, game, state):
        return forever()


class Prepares(Evaluator):
    def evaluate(self, game, state):
        return 0.0

    def prepare(self, game):
        forever()


class Judged(Plain):
    evaluator = Evaluates


class Finished(Plain):
    evaluator = Finishes


class Prepared(Plain):
    evaluator = Prepares


class Features(Plain):
    def features(self, state, numbers):
        return forever()


class Lowest(Plain):
    def lowest(self, state):
        return forever()


class Highest(Plain):
    def highest(self, state):
        return forever()


class Render(Plain):
    def render(self, state):
        return forever()


class StateText(Plain):
    def state_text(self, state):
        return forever()


class ParseState(Plain):
    def parse_state(self, text):
        return forever()


class MoveName(Plain):
    def move_name(self, state, move):
        return forever()


class ParseMove(Plain):
    def parse_move(self, state, text):
        return forever()


class Cells(Plain):
    cell_shape = (3,)

    def cells(self, state, contents):
        return forever()


class Svg(Plain):
    def svg(self, state):
        return forever()


class Turns(Plain):
    """The library puts in passes, so every method is called by one of its own."""

    alternates = False

    def mover(self, state):
        return state[0] % 2

    def move_name(self, state, move):
        return forever()


class Exits(Plain):
    def play(self, state, move):
        os._exit(3)


class ExitsShown(Plain):
    def render(self, state):
        os._exit(3)


class Crashes(Plain):
    def play(self, state, move):
        ctypes.string_at(0)
