"""How large a game is, estimated from random games: the tree of all games, and the positions that can be reached.

**Tree.** Knuth 1975, "Estimating the efficiency of backtrack programs": the product of the numbers of moves along a
random game is an unbiased estimate of the number of different games; the products up to each ply sum to an estimate of
the number of nodes. The mean of many is dominated by the few largest products. Its interval is a bootstrap; where few
games make up the whole sum, even that is too narrow and the estimate, more often than not, too small: `effective` says
on how many equal games it rests (Kish's effective sample size). Outcomes of chance count as moves.

**Positions.** Random games see some positions often and most never. Chao's estimator (1984) adds to those that were
seen f1 (f1 - 1) / (2 (f2 + 1)), from the number f1 of those seen once and f2 of those seen twice. If all positions of a
ply were equally likely it would be about right; since they are not, it is a lower bound, on average. It is applied ply
by ply, or to all plies together where positions come back at other plies. There are at most as many positions as nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.diagnostics.analyse.walking import Walked
from ludus.kernel.random import number

RESAMPLES = 400
FEW = 30.0
"""An estimate that rests on fewer equal games is called uncertain."""


@dataclass(frozen=True)
class Size:
    """A number as its logarithm to the base 10, with the ends of its interval: it may be larger than any float."""

    log10: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float | None]:
        """The logarithms, and the number itself if a float can hold it."""
        value = 10**self.log10 if self.log10 < 300 else None
        return {"value": value, "log10": self.log10, "log10_low": self.low, "log10_high": self.high}


class Complexity:
    """Collects what the estimates need from random games."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.leaves: list[float] = []
        """Of each game the logarithm of the number of games that Knuth's estimator makes of it,"""
        self.nodes: list[float] = []
        """and of the number of nodes."""
        self.keys: list[np.ndarray] = []

    def add(self, game: Walked) -> None:
        """Another random game."""
        products = np.append(0.0, np.cumsum(np.log(game.counts)))  # the weight of each position, the first one's 1
        self.leaves.append(float(products[-1]))
        self.nodes.append(float(np.logaddexp.reduce(products)))
        self.keys.append(game.keys)

    def tree(self) -> Size:
        """The number of different games, by Knuth's estimator."""
        return _log_mean(np.array(self.leaves), self.seed)

    def tree_nodes(self) -> Size:
        """The number of nodes of the tree of all games, the first position included."""
        return _log_mean(np.array(self.nodes), self.seed)

    def effective(self) -> float:
        """On how many games of equal weight the estimate of the tree rests."""
        weights = np.exp(np.array(self.leaves) - max(self.leaves))
        return float(weights.sum() ** 2 / (weights**2).sum())

    def typical(self) -> float:
        """The logarithm to the base 10 of the customary guess: the geometric mean of the games' products.

        It is what one gets from a typical number of moves and a typical length, and less than the mean.
        """
        return float(np.mean(self.leaves) / np.log(10))

    def positions(self) -> tuple[int, float, bool]:
        """How many different positions were seen; how many there are at least, by Chao's estimator; and whether it was
        applied to all plies together, because positions come back at other plies."""
        plies = np.concatenate([np.arange(len(keys)) for keys in self.keys])
        keys = np.concatenate(self.keys)
        distinct, counts = np.unique(keys, return_counts=True)
        with np.errstate(over="ignore"):
            placed, first, often = np.unique(
                number(keys, plies.astype(np.uint64)), return_index=True, return_counts=True
            )
        if len(distinct) < len(placed):
            return len(distinct), chao(counts), True
        at = plies[first]
        return len(distinct), sum(chao(often[at == ply]) for ply in range(at.max() + 1)), False

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        seen, at_least, together = self.positions()
        nodes = self.tree_nodes()
        tree = self.tree().to_dict() | {"effective": self.effective(), "typical_log10": self.typical(), "exact": None}
        return {
            "tree": tree,
            "nodes": nodes.to_dict(),
            "positions": {"seen": seen, "at_least": at_least, "together": together, "exact": None},
        }


def chao(counts: np.ndarray) -> float:
    """At least how many kinds there are, from how often each of those seen was seen (Chao 1984, bias-corrected)."""
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return len(counts) + once * (once - 1) / (2 * (twice + 1))


def _log_mean(logs: np.ndarray, seed: int) -> Size:
    """The mean of numbers given by their natural logarithms, with a bootstrap interval."""
    top = float(logs.max())
    weights = np.exp(logs - top)
    random = np.random.default_rng(seed)
    means = [weights[random.integers(len(weights), size=len(weights))].mean() for _ in range(RESAMPLES)]
    found = [float(weights.mean()), *np.quantile(means, [0.025, 0.975]).tolist()]
    return Size(*((top + np.log(np.maximum(found, 1e-300))) / np.log(10)).tolist())
