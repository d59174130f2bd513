"""The evaluator for Pig."""

from ludus.kernel.rules import score
from ludus.library.games.pig import DIE, TURN
from ludus.model.evaluator import Evaluator


class Lead(Evaluator):
    """The lead in points, those in hand included; while the die falls, what it leaves in hand on average.

    One ply ahead it rolls as long as that gains on average, with six sides below 20 in hand: the rule "hold at 20".
    Points beyond the target do not count, and a game that is won is worth twice the target: a scale on which averages
    mean something. With the usual 2^20 the least chance of winning would outrank any lead.
    """

    name = "lead"
    games = ("pig",)

    def prepare(self, game):
        self.highest = 2.0 * game.target
        self.lowest = -self.highest

    def evaluate(self, game, state):
        mine, theirs, total, phase = state
        hand = float(total)
        if phase == DIE:
            hand = (1.0 - 1.0 / game.sides) * (total + 0.5 * (game.sides + 2))
        if phase == TURN:
            return min(mine + hand, game.target) - theirs
        return mine - min(theirs + hand, game.target)

    def final(self, game, state):
        return 2.0 * game.target * score(game, state)
