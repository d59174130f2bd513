"""Games and evaluators whose rules end the process that runs them, in positions that come late in the game."""

import ctypes
import multiprocessing
import os
import signal

from ludus import Evaluator, Game


class Sound(Game):
    """Nine stones; take one or two."""

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


class Segfault(Evaluator):
    """As a library in C would crash."""

    def evaluate(self, game, state):
        if state[0] == 3:
            os.kill(os.getpid(), signal.SIGSEGV)
        return 0.0


class Aborts(Evaluator):
    """As LLVM ends a process."""

    def evaluate(self, game, state):
        if state[0] == 3:
            ctypes.CDLL(None).abort()
        return 0.0


class Crashes(Sound):
    """A rule that crashes workers; the process that started the run plays random games too."""

    def play(self, state, move):
        if state[0] == 3 and multiprocessing.parent_process() is not None:
            os.kill(os.getpid(), signal.SIGSEGV)
        return (state[0] - move,)


class Exits(Sound):
    def play(self, state, move):
        if state[0] == 3 and multiprocessing.parent_process() is not None:
            os._exit(3)
        return (state[0] - move,)
