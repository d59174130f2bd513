"""Evaluators for any game."""

import numpy as np

from ludus.kernel.random import as_unit, mix
from ludus.kernel.rules import digest
from ludus.model.evaluator import Evaluator


class Zero(Evaluator):
    """No opinion: every unfinished game is worth 0."""

    name = "zero"
    judges = False

    def evaluate(self, game, state):
        return 0.0


class Random(Evaluator):
    """A random opinion in [-1, 1), always the same for the same state and seed."""

    name = "random"
    judges = False
    sees_passes = True

    def __init__(self, seed: int = 0) -> None:
        if seed < 0:
            raise ValueError("seed must be 0 or above")
        self.seed = seed

    def evaluate(self, game, state):
        return 2.0 * as_unit(mix(digest(state) ^ np.uint64(self.seed))) - 1.0
