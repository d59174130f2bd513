"""The evaluator of random trees."""

from ludus.core.evaluator import Evaluator
from ludus.core.rules import score


class EdgeSum(Evaluator):
    """The sum of the edges from the root, to the player to move; exact at the end (Utgoff & Cochran 2001)."""

    name = "sum"
    games = ("random-tree",)

    def evaluate(self, game, state):
        return state[2] if state[1] % 2 == 0 else -state[2]

    def final(self, game, state):
        return score(game, state)
