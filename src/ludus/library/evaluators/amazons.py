"""Evaluators for Amazons."""

from ludus.library.games.amazons.game import overview
from ludus.model.evaluator import Evaluator


class QueenMobility(Evaluator):
    """The difference in moves, stones not counted: how many squares each amazon can go to."""

    name = "queen-mobility"
    games = ("amazons",)

    def evaluate(self, game, state):
        mine, theirs, _ = overview(game, state)
        return mine - theirs


class Territory(Evaluator):
    """The difference in squares that the one side reaches in fewer queen moves than the other."""

    name = "territory"
    games = ("amazons",)

    def evaluate(self, game, state):
        return overview(game, state)[2]


class TerritoryMobility(Evaluator):
    """Territory, and mobility times a weight."""

    name = "territory-mobility"
    games = ("amazons",)

    def __init__(self, mobility: float = 1.0) -> None:
        self.mobility = mobility

    def evaluate(self, game, state):
        mine, theirs, territory = overview(game, state)
        return territory + self.mobility * (mine - theirs)
