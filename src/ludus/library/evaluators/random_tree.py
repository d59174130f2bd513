"""The evaluator of trees with numbers on their edges."""

from ludus.kernel.rules import score
from ludus.library.games.random_tree import HALF
from ludus.model.evaluator import Evaluator


class EdgeSum(Evaluator):
    """The sum of the edges from the root, to the player to move; exact at the end (Utgoff & Cochran 2001)."""

    name = "sum"
    games = ("random-tree", "chance-tree")

    def prepare(self, game):
        self.highest = float(game.depth * HALF)
        self.lowest = -self.highest

    def evaluate(self, game, state):
        return score(game, state)  # which these games know at every node

    def final(self, game, state):
        return score(game, state)
