"""What an expansion costs in every best-first search, as the tree grows to a million nodes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import ludus
from benchmarks.measure import Row, benchmark
from ludus import Budget, Evaluator, Game, Search
from ludus.kernel.limits import EXPANDED, GENERATED
from ludus.learning.calibrate import calibrate
from ludus.model import registry
from ludus.model.calibration import KINDS
from ludus.runtime.session import Session


def trees(branching: int, seeds: int) -> list[tuple[Game, Evaluator]]:
    """Random trees with the evaluator that goes with them, calibrated: how far values spread decides what is done."""
    games = [ludus.game("random-tree", branching=branching, seed=seed) for seed in range(seeds)]
    evaluator = calibrate(games[0], positions=2_000).evaluator
    return [(game, evaluator.on(game)) for game in games]


class Cost(NamedTuple):
    """Of an expansion, on average; all 0 if the search is sure long before it has so many nodes."""

    microseconds: float = 0.0
    path: float = 0.0
    """Nodes on the way from the root to the expanded leaf, both included."""
    apart: float = 0.0
    """How many of these are not on the way to the leaf that is expanded next: so far must one go back."""


def cost_of_expansions(search: Search, positions: list[tuple[Game, Evaluator]], nodes: int) -> Cost:
    """The cost over several games, the best of two runs on each, or of up to six if they are short."""
    total = np.zeros(4)
    for game, evaluator in positions:
        session = Session(search, game, evaluator, compiled=True)
        taken: list[float] = []
        while len(taken) < 2 or (len(taken) < 6 and sum(taken) < 2):
            started = time.process_time()  # of the processor: others may be at work too
            session.run(game.start, Budget(nodes=nodes))
            taken.append(time.process_time() - started)
        if session.meter[GENERATED] < nodes / 2:
            return Cost()
        tree, size = session.tree.record, int(session.tree.record.size[0])
        plies = tree.depth[:size][tree.count[:size] > 0]
        total += min(taken), session.meter[EXPANDED], (plies + 1).mean(), nodes_apart(tree, size)
    return Cost(1e6 * total[0] / total[1], *(total[2:] / len(positions)))


def nodes_apart(tree: Any, size: int, most: int = 1_000) -> float:
    """How many nodes of the way to an expanded leaf are not on the way to the next one: of so many leaves, spread over
    the second half of the search."""
    inner = np.flatnonzero(tree.count[:size] > 0)
    leaves = inner[np.argsort(tree.first[inner])]  # in the order in which they were expanded
    found = []
    for at in np.linspace(len(leaves) // 2, len(leaves) - 2, most).astype(int):
        one, other = int(leaves[at]), int(leaves[at + 1])
        depth = int(tree.depth[one])
        while one != other:  # children have larger indices than their parents
            one, other = (int(tree.parent[one]), other) if one > other else (one, int(tree.parent[other]))
        found.append(depth - int(tree.depth[one]))
    return float(np.mean(found))


def searches() -> list[Search]:
    """Every registered best-first search that grows a tree, with its default settings; best-first minimax is first."""
    kinds = registry.searches().classes.values()
    found = [kind() for kind in kinds if kind.family == "best-first" and kind.name != "bfmm"]
    return [
        registry.searches().of("bfmm"),
        *(search for search in found if search.grows_tree and set(search.needs) <= set(KINDS)),
    ]


@benchmark
def best_first(quick: bool) -> Iterator[Row]:
    """Microseconds an expansion of every best-first search: against best-first minimax, and against smaller trees."""
    othello = ludus.game("othello")
    places = {
        f"b = {branching}": trees(branching, 1 if quick else 3) for branching in ((10,) if quick else (2, 10, 20))
    }
    places["othello"] = [(othello, calibrate(othello, positions=2_000).evaluator.on(othello))]
    sizes = (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000)
    for where, games in places.items():
        least: dict[int, Cost] = {}
        for search in searches():
            measured = {nodes: cost_of_expansions(search, games, nodes) for nodes in sizes}
            found = {nodes: cost for nodes, cost in measured.items() if cost.microseconds > 0.0}
            least = least or found
            for nodes, (taken, path, apart) in found.items():
                row, bfmm = f"{search.name}, {where}, {nodes:,} nodes", least[nodes]
                yield Row(row, "us an expansion", taken, bfmm.microseconds, "bfmm", "ratio at most 5")
                yield Row(row, "nodes to the expanded leaf", path, bfmm.path, "bfmm")
                yield Row(row, "nodes of these not on the way to the next", apart, bfmm.apart, "bfmm")
            if sizes[-1] in found:
                growth = f"{search.name}, {where}, {sizes[-1]:,} nodes"
                few, many = found[10_000].microseconds, found[sizes[-1]].microseconds
                yield Row(growth, "us an expansion", many, few, "10,000 nodes", "ratio at most 2")
