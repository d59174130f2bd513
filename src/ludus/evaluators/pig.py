"""The evaluator for Pig."""

from ludus.core.evaluator import Evaluator
from ludus.games.pig import DIE, TURN


class Lead(Evaluator):
    """The lead in points, those in hand included; while the die falls, what it leaves in hand on average.

    One ply ahead it rolls as long as that gains on average, with six sides below 20 in hand: the rule "hold at 20".
    """

    name = "lead"
    games = ("pig",)

    def evaluate(self, game, state):
        mine, theirs, total, phase = state
        hand = float(total)
        if phase == DIE:
            hand = (1.0 - 1.0 / game.sides) * (total + 0.5 * (game.sides + 2))
        return mine - theirs + (hand if phase == TURN else -hand)
