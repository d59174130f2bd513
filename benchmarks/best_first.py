"""What an expansion costs in every best-first search, as the tree grows to a million nodes."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import ludus
from benchmarks.measure import Row, benchmark
from ludus import Budget, Evaluator, Game, Search
from ludus.core import registry
from ludus.core.budget import EXPANDED, GENERATED
from ludus.core.calibration import KINDS, Calibration
from ludus.core.search import Session

MADE_UP = Calibration(error=np.array([[0.0, 1.0, 100.0]]), interval=np.array([[-1.0, 1.0]]), win=np.array([0.0, 0.5]))
"""Nobody has fitted this, but it takes as long to look up."""


def trees(branching: int, seeds: int) -> list[tuple[Game, Evaluator]]:
    """Random trees with the evaluator that goes with them."""
    games = [ludus.game("random-tree", branching=branching, seed=seed) for seed in range(seeds)]
    return [(game, ludus.evaluator("sum").on(game)) for game in games]


def microseconds_an_expansion(search: Search, positions: list[tuple[Game, Evaluator]], nodes: int) -> float:
    """Over several games, the best of two runs on each, or of up to six if they are short; 0 if the search is sure long
    before it has so many nodes."""
    total = np.zeros(2)
    for game, evaluator in positions:
        session = Session(search, game, evaluator, compiled=True)
        taken: list[float] = []
        while len(taken) < 2 or (len(taken) < 6 and sum(taken) < 2):
            started = time.process_time()  # of the processor: others may be at work too
            session.run(game.start, Budget(nodes=nodes))
            taken.append(time.process_time() - started)
        if session.meter[GENERATED] < nodes / 2:
            return 0.0
        total += min(taken), session.meter[EXPANDED]
    return float(1e6 * total[0] / total[1])


def searches() -> list[Search]:
    """Every registered best-first search that grows a tree, with its default settings; best-first minimax is first."""
    kinds = registry.searches().classes.values()
    found = [kind() for kind in kinds if kind.family == "best-first" and kind.name != "bfmm"]
    return [
        ludus.search("bfmm"),
        *(search for search in found if search.grows_tree and set(search.needs) <= set(KINDS)),
    ]


@benchmark
def best_first(quick: bool) -> Iterator[Row]:
    """Microseconds an expansion of every best-first search: against best-first minimax, and against smaller trees."""
    othello = ludus.game("othello")
    places = {
        f"b = {branching}": trees(branching, 1 if quick else 3) for branching in ((10,) if quick else (2, 10, 20))
    }
    places["othello"] = [(othello, ludus.evaluator("mobility").on(othello))]
    sizes = (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000)
    for where, games in places.items():
        least: dict[int, float] = {}
        for search in searches():
            known = [(game, evaluator.calibrated(MADE_UP)) for game, evaluator in games]
            measured = {nodes: microseconds_an_expansion(search, known, nodes) for nodes in sizes}
            found = {nodes: each for nodes, each in measured.items() if each > 0.0}
            least = least or found
            for nodes in found:
                row = f"{search.name}, {where}, {nodes:,} nodes"
                yield Row(row, "us an expansion", found[nodes], least[nodes], "bfmm", "ratio at most 5")
            if sizes[-1] in found:
                growth = f"{search.name}, {where}, {sizes[-1]:,} nodes"
                yield Row(growth, "us an expansion", found[sizes[-1]], found[10_000], "10,000 nodes", "ratio at most 2")
