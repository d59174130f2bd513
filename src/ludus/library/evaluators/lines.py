"""Evaluators that count lines, for games whose state is (my marks, your marks) and whose `lines` are masks."""

from ludus.kernel.bits import popcount
from ludus.model.evaluator import Evaluator

MARKS = ("tictactoe", "connect4", "qubic")


class OpenLines(Evaluator):
    """Lines still open to the mover minus those open to the opponent (Abramson 1987, appendix A; Nilsson 1980)."""

    name = "open-lines"
    games = MARKS

    def evaluate(self, game, state):
        mine, theirs = state
        advantage = 0
        for line in game.lines:
            if theirs & line == 0:
                advantage += 1
            if mine & line == 0:
                advantage -= 1
        return advantage


class WeightedLines(Evaluator):
    """Each line that one side alone has marks on counts by how many: one, two, or three and more (Rivest 1987)."""

    name = "weighted-lines"
    games = MARKS

    def __init__(self, one: float = 1.0, two: float = 10.0, three: float = 50.0, mover: float = 16.0) -> None:
        self.one, self.two, self.three, self.mover = one, two, three, mover

    def evaluate(self, game, state):
        mine, theirs = state
        value = self.mover  # for having the move
        for line in game.lines:
            own = popcount(mine & line)
            other = popcount(theirs & line)
            if own != 0 and other == 0:
                value += self.one if own == 1 else self.two if own == 2 else self.three
            elif other != 0 and own == 0:
                value -= self.one if other == 1 else self.two if other == 2 else self.three
        return value
