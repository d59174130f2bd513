"""What an evaluation costs: learnt evaluators beside `mobility`, on positions of random games of Othello."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import ludus
from benchmarks.measure import Row, benchmark
from ludus.kernel.chance import Dice
from ludus.kernel.limits import RUNNING, STOP_EXHAUSTED, spent
from ludus.kernel.rules import evaluate, load
from ludus.learning.features import features_of
from ludus.model.budget import Budget
from ludus.model.evaluator import Evaluator
from ludus.model.program import Program
from ludus.runtime.runner import Runner

POSITIONS = 256


class Evaluate(Program):
    """Evaluates all positions of its tree, again and again."""

    registers = {"next": "i8", "total": "f8"}

    def __init__(self, rounds: int = 1) -> None:
        self.rounds = rounds

    def step(self, game, evaluator, tree, limits):
        register = tree.register[0]
        while register.next < self.rounds:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            for i in range(tree.size[0]):
                register.total += evaluate(evaluator, game, load(tree.state, i))
            register.next += 1
        return STOP_EXHAUSTED


def positions(game: ludus.Game) -> list:
    """The positions of some random games that are not over."""
    found: list = []
    while len(found) < POSITIONS:
        state, dice = game.start, Dice(len(found))
        while legal := game.legal(state):
            found.append(state)
            state = game.after(state, dice.pick(legal, []))
    return found[:POSITIONS]


def microseconds(game: ludus.Game, evaluator: Evaluator, rounds: int, compiled: bool = True) -> float:
    """CPU time of one evaluation."""
    work = Runner(Evaluate(rounds), game, evaluator.on(game), compiled=compiled)
    states, found = positions(game), []
    for _ in range(3):
        work.begin(states[0], Budget())
        for place, state in enumerate(states):
            if work.tree.compiled:
                work.tree.layout.write(work.tree.arrays["state"], place, state)
            else:
                work.tree.arrays["state"][place] = state
        work.tree.arrays["size"][0] = len(states)
        started = time.process_time()
        work.advance(Budget())
        found.append(1e6 * (time.process_time() - started) / (rounds * len(states)))
    return min(found)


@benchmark
def evaluating(quick: bool) -> Iterator[Row]:
    """Microseconds of an evaluation by learnt weights, one set of them and five by the stage of the game."""
    game, rounds = ludus.game("othello"), 2 if quick else 4_000
    theirs = microseconds(game, ludus.evaluator("mobility"), rounds, not quick)
    for kind in ("features", "pairs", "tuples", "both"):
        features = features_of(game, kind)
        for stages in (1, 5):
            weights = np.random.default_rng(0).normal(size=(stages, len(features)))
            ours = microseconds(game, features.evaluator.weighing(weights), rounds, not quick)
            name = f"{kind}, {stages} set{'s' * (stages > 1)} of weights"
            yield Row(name, "µs", ours, theirs, "mobility")
