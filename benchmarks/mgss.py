"""MGSS*: what an expansion costs as the tree grows, and whether leaves bring what was expected of them."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

import numpy as np

import ludus
from benchmarks.measure import Row, benchmark
from ludus.kernel.limits import EXPANDED
from ludus.learning.calibrate import calibrate
from ludus.library.searches.best_first.mgss import MetaGreedySingleStep
from ludus.library.searches.best_first.mgss_gains import MEAN, SPREAD, side_and_goal, side_of, turn_at
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.evaluator import Evaluator
from ludus.model.game import Game
from ludus.model.search import Search
from ludus.runtime.session import Session

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
                for search in (MetaGreedySingleStep(unit="sets"), registry.searches().of("bfmm"))
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
    """Predicted gains of the leaves that `mgss` expands, and what the decision then really gained, on average: by the
    size of the prediction and by who moves at the leaf; then the same as they would be predicted with errors that are
    not normal, but distributed as those of other positions are."""
    for spec in ("othello",) if quick else ("othello", "connect4"):
        game = ludus.game(spec)
        evaluator = calibrate(game, positions=2_000 if quick else None).evaluator.on(game)
        steps = watched(Watched(), game, evaluator, 0, 10 if quick else 200)
        errors = watched(Standardised(), game, evaluator, 1, 10 if quick else 400)[:, 0]
        normal, realised, rises = steps[:, 0], steps[:, 1], steps[:, 2] > 0.0
        own = np.array([gain_of_errors(step, errors) for step in steps])
        classes = {f"{low:g} to {high:g}": (normal > low) & (normal <= high) for low, high in itertools.pairwise(EDGES)}
        classes |= {"who is to gain moves": rises, "the other one moves": ~rises}
        for predicted, words in ((normal, ""), (own, ", errors as they are")):
            for name, some in classes.items():
                if some.any():
                    row = f"{spec}, {some.sum():,} leaves, {name}{words}"
                    yield Row(row, "standard errors", predicted[some].mean(), realised[some].mean(), "realised")
        for share, words in ((0.01, "1 % of errors are below"), (0.05, "5 %"), (0.95, "95 %"), (0.99, "99 %")):
            own_bound, bound = float(np.quantile(errors, share)), NormalDist().inv_cdf(share)
            yield Row(f"{spec}, {words}", "standard deviations", own_bound, bound, "normal")


def watched(search: Watcher, game: Game, evaluator: Evaluator, seed: int, positions: int) -> np.ndarray:
    """What a search notes down in so many positions."""
    session, source = Session(search, game, evaluator, compiled=False), random.Random(seed)
    for _ in range(positions):
        session.run(some_position(game, source), Budget(nodes=2_000 if search.horizon == 0 else 250))
    return np.array(search.steps)


def gain_of_errors(step: np.ndarray, errors: np.ndarray) -> float:
    """The gain that is expected of a leaf if its error is one of these, in its own standard deviations."""
    _, _, sign, mean, spread, delta, goal, unit = step
    found = np.minimum(mean + sign * spread * errors, delta) - goal
    return float(np.clip(found / unit, 0.0, MOST).mean())


def some_position(game: Game, source: random.Random) -> Any:
    """A position of a random game, in which there is something to choose."""
    while True:
        state = game.start
        for _ in range(source.randrange(4, 40)):
            legal = game.legal(state)
            state = game.after(state, source.choice(legal)) if legal else state
        if len(game.legal(state)) > 1:
            return state


class Watcher(MetaGreedySingleStep):
    """Notes down something in each step."""

    name = ""

    def __init__(self, horizon: int = 0) -> None:
        super().__init__(horizon=horizon)
        self.steps: list[tuple[float, ...]] = []


class Watched(Watcher):
    """Notes for each leaf that was chosen the predicted gain, how much the new choice is better than the old one, and
    what the prediction was made of: 1 if who is to gain moves at the leaf, else -1; mean, spread, delta and goal."""

    name = ""

    def back_up(self, game, tree, limits, leaf):
        at, old = tree.register[0], int(tree.best[0])
        if leaf == 0 or at.error <= 0:
            return super().back_up(game, tree, limits, leaf)
        parity, _ = side_and_goal(tree, at.below)
        cells = tree.promise[leaf, side_of(parity) :]
        sign = 1.0 if turn_at(self, tree, leaf) != parity else -1.0
        known = sign, float(cells[MEAN]), float(cells[SPREAD]), float(at.delta), float(at.goal), float(at.error)
        status = super().back_up(game, tree, limits, leaf)
        realised = float(tree.value[0]) + float(tree.value[old])
        self.steps.append((at.gain / at.error, min(realised / at.error, MOST), *known))
        return status


class Standardised(Watcher):
    """Notes for all moves of the root how far the value after an expansion is from its mean, to the player to move at
    the leaf, in standard deviations."""

    name = ""

    def __init__(self) -> None:
        super().__init__(horizon=2)

    def back_up(self, game, tree, limits, leaf):
        cells = tree.promise[leaf, side_of(1 - turn_at(self, tree, leaf)) :].copy()
        status = super().back_up(game, tree, limits, leaf)
        if tree.depth[leaf] == 1 and cells[SPREAD] > 0.0:
            self.steps.append(((float(tree.value[leaf]) - cells[MEAN]) / cells[SPREAD],))
        return status
