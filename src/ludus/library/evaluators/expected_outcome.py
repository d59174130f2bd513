"""The exact expected outcome as a static opinion: all games that can follow are played, for positions near the end."""

import copy
from typing import Literal

import numpy as np

from ludus.common.errors import RuleError
from ludus.kernel.limits import GENERATED
from ludus.kernel.playout import TALLY, Payoff, begin_tally, count_game, counting, estimate, longest_playout
from ludus.kernel.rules import chance, moves, play, score
from ludus.library.evaluators.sampler import RandomPlay

MOST_NODES = 10**9


class TooManyGames(RuleError):
    """More games can follow a position than are to be played."""

    def __init__(self, message: str = "", *more: str) -> None:
        refusal = (
            "the evaluator expected-outcome plays all games that can follow a position, and here they take more nodes "
            "than its parameter most allows: choose a smaller game, a later position or a larger most, or eval=sampler."
        )
        super().__init__(message or refusal, *more)


class ExpectedOutcome(RandomPlay):
    """The expected outcome under random play, exact, in small games: from -1, all lost, to 1, all won (Abramson 1987).

    All games that can follow are played, each counts with its probability, and each ply is a node generated. A position
    that would take more than `most` nodes is refused.
    """

    name = "expected-outcome"

    def __init__(
        self, draws: Literal["half", "ignored"] = "half", payoff: Payoff = "result", most: int = 100_000
    ) -> None:
        """
        draws, payoff: as for the search `expected-outcome`
        most: nodes that one opinion may take
        """
        if not 1 <= most <= MOST_NODES:
            raise ValueError(f"most must be at least 1 and at most {MOST_NODES}")
        super().__init__()
        vars(self).update(counting(draws, payoff))
        self.most, self.refuses = most, True
        self._make_room(1, 1)

    def prepare(self, game):
        super().prepare(game)
        self._make_room(longest_playout(game), game.room)

    def _make_room(self, plies, room):
        """What the walk writes to: each prepared copy has its own. A game that lasts longer is refused."""
        self.lists, self.odds = np.zeros((plies, room), np.int64), np.zeros((plies, room))
        self.tally = np.zeros((1, TALLY))

    def plays(self, game):
        return self.most + 1 + game.preview

    def for_dry_run(self):
        brief = copy.copy(self)
        brief.most, brief.refuses = 100, False  # what it says then is thrown away
        return brief

    def evaluate(self, game, state):
        begin_tally(self.tally, 0)
        if not walk(self, game, state, 0, 1.0, 1.0, game.meter[GENERATED] + self.most) and self.refuses:
            raise TooManyGames
        return estimate(self.tally, 0)


def walk(evaluator, game, state, ply, weight, sense, enough):
    """Count all games that can follow `state`, which random play comes to with probability `weight`.

    `sense` is 1 if the player whose opinion it is moves there, else -1. False if they take too many nodes.
    """
    if ply == evaluator.lists.shape[0]:
        return False
    out, odds = evaluator.lists[ply], evaluator.odds[ply]
    n = moves(game, state, out)
    if n == 0:
        count_game(evaluator, evaluator.tally, 0, sense * score(game, state), weight)
        return True
    outcomes = chance(game, state, odds)
    for i in range(n):
        share = odds[i] if outcomes > 0 else 1.0 / n
        if share > 0.0:
            if game.meter[GENERATED] >= enough:
                return False
            after = play(game, state, out[i])
            if not walk(evaluator, game, after, ply + 1, weight * share, sense if outcomes > 0 else -sense, enough):
                return False
    return True
