"""MGSS*: what an expansion costs as the tree grows, and whether leaves bring what was expected of them."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import ludus
from benchmarks.measure import Row, benchmark
from ludus.core.budget import EXPANDED, Budget
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.search import Search, Session
from ludus.learning.calibrate import calibrate
from ludus.searches.best_first.mgss import MetaGreedySingleStep

EDGES = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, np.inf)
"""Of classes of predicted gains, in standard errors."""
MOST = 10.0
"""Standard errors that a realised gain counts for at most: a finished game would outweigh all others."""


@benchmark
def mgss(quick: bool) -> Iterator[Row]:
    """Microseconds an expansion, of processor time: sets of leaves as the tree grows, against best-first minimax."""
    for spec in ("random-tree(branching=2)", "random-tree(branching=10)", "random-tree(branching=20)", "othello"):
        game = ludus.game(spec)
        evaluator = calibrate(game, positions=2_000).evaluator
        for nodes in (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000):
            ours, bfmm = (
                microseconds(search, game, evaluator, nodes)
                for search in (MetaGreedySingleStep(unit="sets"), ludus.search("bfmm"))
            )
            yield Row(f"mgss(unit=sets), {spec}, {nodes:,} nodes", "us an expansion", ours, bfmm, "bfmm")


def microseconds(search: Search, game: Game, evaluator: Evaluator, nodes: int) -> float:
    """The better of two runs."""
    session, taken = Session(search, game, evaluator.on(game), compiled=True), []
    for _ in range(2):
        started = time.process_time()
        session.run(game.start, Budget(nodes=nodes))
        taken.append(time.process_time() - started)
    return 1e6 * min(taken) / int(session.meter[EXPANDED])


@benchmark
def gains(quick: bool) -> Iterator[Row]:
    """Predicted gains of the leaves that `mgss` expands, and what the decision then really gained, on average."""
    for spec in ("othello",) if quick else ("othello", "connect4"):
        game = ludus.game(spec)
        evaluator = calibrate(game, positions=2_000 if quick else None).evaluator
        watched = Watched()
        session = Session(watched, game, evaluator.on(game), compiled=False)
        source = random.Random(0)
        for _ in range(10 if quick else 200):
            session.run(some_position(game, source), Budget(nodes=2_000))
        found = np.array(watched.steps)
        for low, high in itertools.pairwise(EDGES):
            some = found[(found[:, 0] > low) & (found[:, 0] <= high)]
            if len(some):
                predicted, realised = some.mean(axis=0)
                name = f"{spec}, {len(some):,} leaves, {low:g} to {high:g}"
                yield Row(name, "standard errors", predicted, realised, "realised")


def some_position(game: Game, source: random.Random) -> Any:
    """A position of a random game, in which there is something to choose."""
    while True:
        state = game.start
        for _ in range(source.randrange(4, 40)):
            legal = game.legal(state)
            state = game.after(state, source.choice(legal)) if legal else state
        if len(game.legal(state)) > 1:
            return state


class Watched(MetaGreedySingleStep):
    """Notes for each leaf that was chosen the predicted gain and how much the new choice is better than the old one."""

    name = ""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[tuple[float, float]] = []

    def back_up(self, game, tree, limits, leaf):
        old = int(tree.best[0])
        status = super().back_up(game, tree, limits, leaf)
        at = tree.register[0]
        if leaf > 0 and at.error > 0:
            realised = float(tree.value[0]) + float(tree.value[old])
            self.steps.append((at.gain / at.error, min(realised / at.error, MOST)))
        return status
