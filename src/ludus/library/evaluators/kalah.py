"""Evaluators for Kalah."""

from ludus.library.games.kalah.game import pit
from ludus.model.evaluator import Evaluator


class Stores(Evaluator):
    """The difference of the stores."""

    name = "stores"
    games = ("kalah",)

    def evaluate(self, game, state):
        return pit(state[0], game.houses) - pit(state[1], game.houses)


class Seeds(Evaluator):
    """The difference of the stores and of the seeds at home, and what the next sowing can earn.

    `home` is for each seed that does not reach the other side if it is sown now, `again` for each move that ends in the
    store, and `capture` for each seed of the largest capture; these two for whoever sows next.
    """

    name = "seeds"
    games = ("kalah",)

    def __init__(self, home: float = 0.4, again: float = 1.0, capture: float = 0.5) -> None:
        self.home, self.again, self.capture = home, again, capture

    def evaluate(self, game, state):
        mine, theirs, _, must_pass = state
        houses = game.houses
        value = float(pit(mine, houses) - pit(theirs, houses))
        for house in range(houses):
            at_home = min(pit(mine, house), houses - house) - min(pit(theirs, house), houses - house)
            value += self.home * at_home
        if must_pass:
            return value - chances(self, theirs, mine, houses)
        return value + chances(self, mine, theirs, houses)


def chances(evaluator, mover, other, houses):
    """What the mover's best sowing may bring at once."""
    lap = 2 * houses + 1
    value, prize = 0.0, 0
    for house in range(houses):
        seeds = pit(mover, house)
        last = (house + seeds) % lap
        if last == houses:
            value += evaluator.again
        elif 0 < seeds < lap and last < houses and pit(mover, last) == 0 and pit(other, houses - 1 - last) > 0:
            prize = max(prize, pit(other, houses - 1 - last) + 1)
    return value + evaluator.capture * prize
