"""Evaluators that count lines."""

from ludus.core.evaluator import Evaluator


class OpenLines(Evaluator):
    """Lines still open to the mover minus those open to the opponent (Abramson 1987, appendix A; Nilsson 1980)."""

    name = "open-lines"
    games = ("tictactoe",)

    def evaluate(self, game, state):
        mine, theirs = state
        advantage = 0
        for line in game.lines:
            if theirs & line == 0:
                advantage += 1
            if mine & line == 0:
                advantage -= 1
        return advantage
