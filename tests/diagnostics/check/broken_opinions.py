"""Games whose optional rules or evaluators are wrong, one for each fault; and one where they are right."""

import itertools

import numpy as np

from benchmarks.boards import ArrayBoard
from ludus import Evaluator
from tests.diagnostics.check.broken_games import BIG, Sound, SoundList

CALLS = itertools.count()


class Stones(Evaluator):
    """An even number of stones is good."""

    def evaluate(self, game, state):
        return 1.0 - state[0] % 2


class SoundOpinion(Sound):
    """With an evaluator of its own, and all the optional rules."""

    evaluator = Stones
    max_features = 2

    def phase(self, state):
        return 1 - state[0] / self.stones

    def lowest(self, state):
        return -1

    def highest(self, state):
        return 1

    def features(self, state, numbers):
        numbers[0], numbers[1] = state[0], state[0] % 3
        return 2

    def null(self, state):
        return (state[0], 1 - state[1])

    def noisy(self, state, move):
        return state[0] - move < 2


# Evaluators.


class _Raises(Evaluator):
    def evaluate(self, game, state):
        return 1 // (state[0] - 4)


class RaisingOpinion(Sound):
    evaluator = _Raises


class _Nothing(Evaluator):
    def evaluate(self, game, state):
        return np.nan


class NoOpinion(Sound):
    evaluator = _Nothing


class _Counts(Evaluator):
    def evaluate(self, game, state):
        return next(CALLS)


class CountingOpinion(Sound):
    evaluator = _Counts


class _Changes(Evaluator):
    def evaluate(self, game, state):
        state.append(0)
        return 0


class MutatingOpinion(SoundList):
    evaluator = _Changes


class _Overflows(Evaluator):
    def evaluate(self, game, state):
        return (state[0] + 1) * BIG * BIG % 7


class OverflowInOpinion(Sound):
    evaluator = _Overflows


class UnknownOpinion(Sound):
    evaluator = "wisdom"


class NumberForAnOpinion(Sound):
    evaluator = 7


# Optional rules.


class LatePhase(Sound):
    def phase(self, state):
        return 1.5


class LowAboveHigh(Sound):
    def lowest(self, state):
        return 1

    def highest(self, state):
        return -1


class TooHopeful(Sound):
    def lowest(self, state):
        return 1 if state[0] > 3 else -1


class TooModest(Sound):
    def highest(self, state):
        return 0 if state[0] > 3 else 1


class TooManyFeatures(Sound):
    max_features = 1

    def features(self, state, numbers):
        numbers[0] = numbers[1] = 0
        return 2


class FeaturesComeAndGo(Sound):
    max_features = 2

    def features(self, state, numbers):
        numbers[0] = numbers[1] = 0
        return 1 + state[0] % 2


class UnwrittenFeatures(Sound):
    max_features = 2

    def features(self, state, numbers):
        numbers[0] = 0
        return 2


class UncountedFeatures(Sound):
    max_features = 2

    def features(self, state, numbers):
        numbers[0] = numbers[1] = 0


class NamelessFeatures(Sound):
    max_features, feature_names = 2, ("stones",)

    def features(self, state, numbers):
        numbers[0] = numbers[1] = 0
        return 2


class SoundCells(Sound):
    """A row of seven cells, each with a stone or not; a stone is neutral."""

    cell_shape, cell_kinds = (7,), 4

    def cells(self, state, contents):
        for i in range(7):
            contents[i] = 3 if i < state[0] else 0
        return 7


class NoShape(SoundCells):
    cell_shape = ()


class FewCells(SoundCells):
    def cells(self, state, contents):
        contents[0] = 0
        return 1


class UnknownPiece(SoundCells):
    cell_kinds = 3


class UnwrittenCells(SoundCells):
    def cells(self, state, contents):
        return 7


class CountingCells(SoundCells):
    def cells(self, state, contents):
        contents[:7] = next(CALLS) % 2
        return 7


class FalseMirror(SoundCells):
    """The stones are taken from the right."""

    symmetries = ("mirror",)


class FalseMoves(ArrayBoard):
    """Noughts and crosses, but nobody may begin in the first corner."""

    symmetries = ("all",)

    def moves(self, state, out):
        n = ArrayBoard.moves(self, state, out)
        if n < 9:
            return n
        for i in range(8):
            out[i] = i + 1
        return 8


class FalseResult(ArrayBoard):
    """Whoever makes a line wins, but not with the first row."""

    symmetries = ("rotations",)

    def score(self, state):
        board, player = state
        first_row = board[0] == board[1] == board[2] == 3 - player
        return 0 if first_row else ArrayBoard.score(self, state)


class NoPermutation(ArrayBoard):
    symmetries = ((0, 1, 2, 3, 4, 5, 6, 7, 7),)


class UnknownSymmetry(ArrayBoard):
    symmetries = ("twist",)


class SymmetriesOfNothing(Sound):
    symmetries = ("mirror",)


class NullKeepsTheTurn(Sound):
    def null(self, state):
        return state


class NullOfAnotherShape(Sound):
    def null(self, state):
        return (state[0],)


class NullLeadsNowhere(Sound):
    """After passing there are more stones than the rules know of."""

    def null(self, state):
        return (99, 1 - state[1])

    def moves(self, state, out):
        return [0, 1, 2, 2, 2, 2, 2, 2][state[0]] if Sound.moves(self, state, out) else 0


class MutatingNull(SoundList):
    def null(self, state):
        state.append(0)
        return [state[0], 1 - state[1]]


class CountingNoise(Sound):
    def noisy(self, state, move):
        return next(CALLS) % 2 == 0


class RaisingPhase(Sound):
    def phase(self, state):
        return 1 // (state[0] - 4)


class UnknownBound(Sound):
    def highest(self, state):
        return None


class OverflowInNull(Sound):
    def null(self, state):
        return (state[0] if (state[0] + 1) * BIG * BIG > 0 else 1, 1 - state[1])


class OverflowInNoise(Sound):
    def noisy(self, state, move):
        return (state[0] + move) * BIG * BIG < 0


class OverflowInBound(Sound):
    def lowest(self, state):
        return -1 - (state[0] + 1) * BIG * BIG % 7


class VeryNoisy(Sound):
    def noisy(self, state, move):
        return 2


class FalseForesight(Sound):
    def foreseen(self, state):
        return 1.0 if state[0] < 4 else np.nan


class SoundOptional(Sound):
    """All further rules; the one that is named by its place in the table overflows where code is compiled."""

    max_features, cell_shape = 1, (1,)

    def __init__(self, wrong: int = -1) -> None:
        super().__init__()
        self.wrong = wrong

    def null(self, state):
        return (state[0] + (overflowing(state[0]) if self.wrong == 0 else 0), 1 - state[1])

    def noisy(self, state, move):
        return overflowing(state[0]) == 1 if self.wrong == 1 else False

    def urgency(self, state, move):
        return overflowing(state[0]) if self.wrong == 2 else 0.5

    def phase(self, state):
        return overflowing(state[0]) if self.wrong == 3 else 0.5

    def lowest(self, state):
        return -1.0 - overflowing(state[0]) if self.wrong == 4 else -1.0

    def highest(self, state):
        return 1.0 + overflowing(state[0]) if self.wrong == 5 else 1.0

    def foreseen(self, state):
        return 1.0 if self.wrong == 6 and overflowing(state[0]) else np.nan

    def features(self, state, numbers):
        numbers[0] = overflowing(state[0]) if self.wrong == 7 else 0.5
        return 1

    def cells(self, state, contents):
        contents[0] = overflowing(state[0]) if self.wrong == 8 else 2
        return 1


def overflowing(stones):
    """0; in 64 bits 1, as soon as there is a stone."""
    return 1 if (stones + 1) * BIG * BIG < 0 else 0
