"""A sound game with a die, and one broken game for each fault of the rule `chance`."""

from tests.diagnostics.check.broken_games import CALLS, Sound, scramble


class SoundDice(Sound):
    """A die says how many stones a player takes; a state is (stones, whose move, whether the die falls)."""

    max_moves = 3

    def initial(self):
        return (self.stones, 0, 0)

    def moves(self, state, out):
        n = min(state[0], 3) if state[2] else min(state[0], 1)
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        return (state[0] - move, state[1], 0) if state[2] else (state[0], 1 - state[1], 1)

    def chance(self, state, probabilities):
        n = min(state[0], 3) * state[2]
        for i in range(n):
            probabilities[i] = 1 / n
        return n


class TooLikely(SoundDice):
    def chance(self, state, probabilities):
        probabilities[:3] = 0.5
        return min(state[0], 3) * state[2]


class LessThanNever(SoundDice):
    def chance(self, state, probabilities):
        n = super().chance(state, probabilities)
        if n == 3:
            probabilities[0], probabilities[1] = -0.25, 11 / 12
        return n


class UnlistedOutcome(SoundDice):
    def chance(self, state, probabilities):
        return (
            max(super().chance(state, probabilities) - 1, 0) if state[0] > 4 else super().chance(state, probabilities)
        )


class LoadedDice(SoundDice):
    def chance(self, state, probabilities):
        n = super().chance(state, probabilities)
        if n == 3:
            probabilities[0] = 0.5 / (2 + next(CALLS))
            probabilities[1] = 2 / 3 - probabilities[0]
        return n


class RaisingChance(SoundDice):
    def chance(self, state, probabilities):
        return {(7, 0, 0): 0}[state]


class ChanceTakesTheTurn(SoundDice):
    def play(self, state, move):
        return (state[0] - move, 1 - state[1], 0) if state[2] else (state[0], 1 - state[1], 1)


class OverflowInChance(SoundDice):
    def chance(self, state, probabilities):
        n = min(state[0], 3) * state[2]
        total = 0.0
        for i in range(n):
            probabilities[i] = 1 + scramble(i)
            total += probabilities[i]
        for i in range(n):
            probabilities[i] /= total
        return n
