"""A sound game, and one broken game for each fault that `ludus check` must find: each breaks one rule."""

import itertools

import numpy as np

from ludus import Game

CALLS = itertools.count()
BIG = 4_000_000_000


def scramble(stones):
    """Small in Python; in 64 bits the product overflows first."""
    return (stones + 1) * BIG * BIG % 7


class Sound(Game):
    """Take one or two stones; whoever takes the last one loses."""

    max_moves = 2

    def __init__(self, stones: int = 7) -> None:
        self.stones = stones

    def initial(self):
        return (self.stones, 0)

    def moves(self, state, out):
        n = min(state[0], 2)
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        return (state[0] - move, 1 - state[1])

    def score(self, state):
        return 1

    def mover(self, state):
        return ("First", "Second")[state[1]]

    def winner(self, state):
        return self.mover(state)


class SoundList(Sound):
    """The same, with a list for a state: interpreted only."""

    def initial(self):
        return [self.stones, 0]

    def play(self, state, move):
        return [state[0] - move, 1 - state[1]]


class Pile:
    """A state that does not say what equal means."""

    def __init__(self, stones, side):
        self.board = np.full(3, stones)
        self.side = side


class SoundObject(Game):
    """The same, with an object for a state."""

    max_moves = 2

    def initial(self):
        return Pile(7, 0)

    def moves(self, state, out):
        n = min(int(state.board[0]), 2)
        out[:n] = range(1, n + 1)
        return n

    def play(self, state, move):
        return Pile(int(state.board[0]) - move, 1 - state.side)

    def score(self, state):
        return 1


# Compiled and interpreted differ.


class OverflowInMoves(Sound):
    def moves(self, state, out):
        out[0] = 1 + (scramble(state[0]) % 2 if state[0] > 1 else 0)
        return min(state[0], 1)


class OverflowInPlay(Sound):
    def play(self, state, move):
        return (state[0] - 1, scramble(state[0]))

    def mover(self, state):
        return state[0] % 2


class OverflowInScore(Sound):
    def score(self, state):
        return scramble(state[0])

    def winner(self, state):
        return self.mover(state) if scramble(state[0]) else None


class OverflowInOver(Sound):
    def over(self, state):
        return state[0] == 0 or (state[0] + 1) * BIG * BIG < 0


class OverflowRaises(Sound):
    def moves(self, state, out):
        if (state[0] + 1) * BIG * BIG < 0:
            raise ValueError("less than nothing")
        out[0] = 1
        return min(state[0], 1)


# States that do not survive.


class FloatForAnInt(Sound):
    def play(self, state, move):
        return (state[0] / 2, 1 - state[1])


class TooBigForItsColumn(Sound):
    def initial(self):
        return (np.int8(100), 0)

    def play(self, state, move):
        return (int(state[0]) * 2, 1 - state[1])


class AnotherShape(Sound):
    def play(self, state, move):
        return (state[0] - move,)


class ForgetfulText(Sound):
    def state_text(self, state):
        return str(state[0])

    def parse_state(self, text):
        return (int(text), 0)


class UnreadableText(Sound):
    def state_text(self, state):
        return "stones: many"


# Moves.


class Duplicates(Sound):
    def moves(self, state, out):
        out[:2] = 1
        return min(state[0], 2)


class TooMany(Sound):
    def moves(self, state, out):
        out[:3] = 1, 2, 3
        return min(state[0], 3)


class FarTooMany(Sound):
    def moves(self, state, out):
        for i in range(1000):
            out[i] = i
        return 1000


class NoCount(Sound):
    def moves(self, state, out):
        out[0] = 1


class NegativeCount(Sound):
    def moves(self, state, out):
        return state[0] - 10


class OverAtOnce(Sound):
    def moves(self, state, out):
        return 0


class Endless(Sound):
    def play(self, state, move):
        return (state[0], 1 - state[1])


class Refusing(Sound):
    def play(self, state, move):
        if state[0] == 3:
            raise ValueError("three stones are sacred")
        return (state[0] - move, 1 - state[1])


class Raising(Sound):
    def moves(self, state, out):
        out[0] = 1 + 0 // (state[0] - 3)
        return 1


# Rules that change what they are given.


class MutatingPlay(SoundList):
    def play(self, state, move):
        state[0] -= move
        state[1] = 1 - state[1]
        return state


class MutatingMoves(SoundList):
    def moves(self, state, out):
        n = Sound.moves(self, state, out)
        state[1] = 1 - state[1]
        return n


class MutatingScore(SoundList):
    def score(self, state):
        state[0] -= 1
        return 1


# Rules that depend on something besides their arguments.


class CountingInitial(Sound):
    def initial(self):
        return (7 + next(CALLS) % 2, 0)


class OverTooEarly(Sound):
    def over(self, state):
        return state[0] < 2


class OverTooLate(Sound):
    def over(self, state):
        return False


class RaisingOver(Sound):
    def over(self, state):
        return {}[state]


class CountingMoves(Sound):
    def moves(self, state, out):
        out[0] = 1 + next(CALLS) % 2
        return min(state[0], 1)


class CountingPlay(Sound):
    def play(self, state, move):
        return (state[0] - 1 - next(CALLS) % 2, 1 - state[1])


class CountingScore(Sound):
    def score(self, state):
        return 1 + next(CALLS)


class BoardInTheGame(Game):
    """The state is only the number of plies; the pile itself is kept in the game."""

    max_moves = 2

    def __init__(self) -> None:
        self.taken = {0: 0}

    def initial(self):
        return (0,)

    def moves(self, state, out):
        n = min(7 - self.taken[max(self.taken)], 2)
        out[:n] = range(1, n + 1)
        return n

    def play(self, state, move):
        self.taken[state[0] + 1] = self.taken[state[0]] + move
        return (state[0] + 1,)

    def score(self, state):
        return 1


class SetsAField(Sound):
    def play(self, state, move):
        self.last = move
        return super().play(state, move)


class NeverReturns(Sound):
    def moves(self, state, out):
        while state[0] == 1:
            pass
        return super().moves(state, out)


# Players and scores.


class MovesTwice(Sound):
    def play(self, state, move):
        return (state[0] - move, 1 - state[1] if move == 1 else state[1])


class WrongSign(Sound):
    def score(self, state):
        return -1


class ScoreOfADraw(Sound):
    def winner(self, state):
        return None


class InfiniteScore(Sound):
    def score(self, state):
        return float("inf")


class NoScore(Sound):
    def score(self, state):
        return None


class HugeScore(Sound):
    def score(self, state):
        return 10**400


class RaisingMover(Sound):
    def mover(self, state):
        raise KeyError("who?")


class RaisingWinner(Sound):
    def winner(self, state):
        raise KeyError("nobody")


# Names of moves, pictures.


class SameNames(Sound):
    def move_name(self, state, move):
        return "take"


class SameNamesOfObjects(SoundObject):
    def move_name(self, state, move):
        return "take"


class RaisingName(Sound):
    def move_name(self, state, move):
        return {1: "one"}[move]


class AnotherMove(Sound):
    def parse_move(self, state, text):
        return 1


class UnreadableMove(Sound):
    def parse_move(self, state, text):
        raise ValueError("what?")


class TooLong(Sound):
    """Seven stones, one or two at a time, and no more than two plies?"""

    length = 2


class RaisingPicture(Sound):
    def render(self, state):
        return "o" * state[0] + state[2]


# No game at all.


class NoStart(Sound):
    def initial(self):
        raise RuntimeError("where is the board?")


class NoBound(Sound):
    max_moves = None


class NotWholeBound(Sound):
    max_moves = 2.5


class NoRules(Game):
    max_moves = 1
