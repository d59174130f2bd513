"""The evaluator of trees that somebody has written down."""

from ludus.kernel.rules import score
from ludus.model.evaluator import Evaluator


class StaticValue(Evaluator):
    """The value that is written at the node, as it is, of finished games too."""

    name = "written"
    games = ("tree",)

    def prepare(self, game):
        self.highest = game.largest
        self.lowest = -self.highest

    def evaluate(self, game, state):
        return score(game, state)  # which this game knows at every node

    def final(self, game, state):
        return score(game, state)
