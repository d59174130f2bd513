"""Games whose rules write where they must not, or never return, with some parameters or in some positions."""

from ludus import Evaluator, Game


class Wide(Game):
    """Stones; the rules have room for seven moves, which is enough unless somebody wants more."""

    max_moves = 7
    evaluator = "zero"

    def __init__(self, most: int = 3):
        self.most = most

    def initial(self):
        return (30,)

    def moves(self, state, out):
        n = min(self.most, state[0])
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        return (state[0] - move,)

    def score(self, state):
        return -1


class Dice(Wide):
    """Every seventh number of stones is chance's, which writes far beyond its buffer."""

    def chance(self, state, probabilities):
        if state[0] % 7 != 0 or state[0] == 0:
            return 0
        n = min(self.most, state[0])
        for i in range(n):
            probabilities[i * 20_000] = 1 / n
        return n


class Hangs(Wide):
    """A move to a position with few stones does not return."""

    def play(self, state, move):
        left = state[0] - move
        while left == 20:
            pass
        return (left,)


class Unborn(Wide):
    """There is no first position."""

    def initial(self):
        while True:
            pass


class Ponders(Evaluator):
    """Never has an opinion where there are 20 stones."""

    def evaluate(self, game, state):
        while state[0] == 20:
            pass
        return 0.0


class Late(Hangs):
    """It hangs only where a random game never comes."""

    def play(self, state, move):
        left = state[0] - move
        while left > 30:
            left += 0
        return (left,)
