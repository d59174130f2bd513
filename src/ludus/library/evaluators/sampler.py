"""The evaluator for games that have none: random play, from the rules alone. And what such evaluators share."""

import copy

import numpy as np

from ludus.kernel.playout import (
    LONGEST_PLAYOUT,
    TALLY,
    Draws,
    Payoff,
    SettingName,
    begin_tally,
    estimate,
    longest_playout,
    note,
    playout,
    playout_nodes,
    sampling,
    sign,
)
from ludus.kernel.random import mix
from ludus.kernel.rules import digest, moves, score
from ludus.model.evaluator import WIN, Evaluator


class RandomPlay(Evaluator):
    """An expected outcome under random play. The plies of the games that it plays count as nodes generated.

    In a game of chance, where searches average, a finished game is worth its payoff, as in the opinions; elsewhere any
    win outranks them.
    """

    judges = False
    sees_passes = True
    by_score: bool

    def __init__(self) -> None:
        self.is_averaged = False

    def prepare(self, game):
        self.is_averaged = game.has_chance
        if self.is_averaged and not self.by_score:
            self.lowest, self.highest = -1.0, 1.0

    def is_decided(self, value):
        return not self.is_averaged and abs(value) >= WIN

    def score_of(self, value):
        return None if self.is_averaged else value / WIN

    def final(self, game, state):
        payoff = score(game, state)
        if self.is_averaged:
            return payoff if self.by_score else sign(payoff)
        return WIN * payoff


class Sampler(RandomPlay):
    """The expected outcome under random play, estimated by playouts: from -1, all lost, to 1, all won (Abramson 1987).

    The playouts depend on the seed and the state alone, so the same state always has the same value.
    """

    name = "sampler"
    first: int
    most: int

    def __init__(
        self,
        setting: SettingName = "quick",
        first: int = 0,
        most: int = 0,
        tolerance: float = -1.0,
        draws: Draws = "auto",
        payoff: Payoff = "result",
        seed: int = 0,
    ) -> None:
        """As for the search `sampler`."""
        if seed < 0:
            raise ValueError("seed must be 0 or above")
        super().__init__()
        vars(self).update(sampling(setting, first, most, tolerance, draws, payoff))
        self.seed = seed
        self.longest = LONGEST_PLAYOUT
        self._make_room()

    def prepare(self, game):
        super().prepare(game)
        self.longest = longest_playout(game)
        self._make_room()

    def _make_room(self):
        """What a playout writes to: each prepared copy has its own."""
        self.random, self.tally = np.zeros(1, np.uint64), np.zeros((1, TALLY))

    def plays(self, game):
        return self.most * playout_nodes(game)

    def for_dry_run(self):
        brief = copy.copy(self)
        brief.first = brief.most = 1
        return brief

    def evaluate(self, game, state):
        self.random[0] = mix(digest(state) ^ mix(np.uint64(self.seed)))
        begin_tally(self.tally, 0)
        settled = False
        while not settled:
            n = moves(game, state, game.scratch)
            result = playout(game, state, n, game.scratch, self.random, self.longest)
            settled = note(self, self.tally, 0, result)
        return estimate(self.tally, 0)
