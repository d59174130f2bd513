"""Simulated runs of `rank`, to see how often its verdict is wrong, how many games it takes, and what intervals hold.

By hand, for the table of docs/ranking.md: `python tests/verdicts.py --runs 300`.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field

import numpy as np
from tournaments import Tables, World

from ludus.arena.matchups import challenges, first_pairs, next_pairs
from ludus.arena.ratings import ELO, POINTS, Ratings, fit
from ludus.arena.verdict import EQUAL, Verdict

PAIRS = 1000


@dataclass
class Outcome:
    """How a run has ended."""

    decision: str
    best: int | None
    pairs: int
    ratings: Ratings
    verdict: Verdict | None = None


@dataclass
class Setting:
    """Players and how their games go: Elo, or else the log-odds of each against each."""

    elo: np.ndarray
    world: World = field(default_factory=lambda: World(0.2, 0.3))
    odds: np.ndarray | None = None

    @property
    def margin(self) -> np.ndarray:
        return np.subtract.outer(self.elo, self.elo) / ELO if self.odds is None else self.odds

    @property
    def best(self) -> set[int]:
        """Who is beaten by nobody."""
        margin = self.margin
        return {i for i in range(len(margin)) if (margin[i] >= -1e-12).all()}


class Play:
    """The pairs of one simulated run."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting, self.random = setting, np.random.default_rng(seed)
        self.tables: Tables = {}

    def __call__(self, pairings: list[tuple[int, int]]) -> np.ndarray:
        """The scores of the first player of each; `tables` counts them too."""
        numbers = np.array(pairings).reshape(-1, 2)
        world, margin = self.setting.world, self.setting.margin[numbers[:, 0], numbers[:, 1]]
        shift, favour = (size * self.random.standard_normal(len(numbers)) for size in (world.shift, world.favour))
        first = world._results(self.random, margin + favour + world.first + shift)
        second = world._results(self.random, margin + favour - world.first - shift)
        for (i, j), a, b in zip(numbers.tolist(), first, second, strict=True):
            self.tables.setdefault((i, j), np.zeros((3, 3), int))[a, b] += 1
        return (POINTS[first] + POINTS[second]) / 2


def run(setting: Setting, seed: int, most: int = PAIRS, equal: float = EQUAL) -> Outcome:
    """A tournament of at most so many pairs."""
    count = len(setting.margin)
    play, verdict = Play(setting, seed), Verdict(count, equal)
    chosen, played = first_pairs(count), 0
    while True:
        chosen = chosen[: most - played]
        for (i, j), score in zip(chosen, play(chosen), strict=True):
            verdict.add(i, j, float(score))
        played += len(chosen)
        ratings = fit(count, play.tables)
        if verdict.decision or played >= most:
            return Outcome(verdict.decision or "games", verdict.best, played, ratings, verdict)
        chosen = challenges(verdict, ratings, max(8, played // 15))


def run_of_old(setting: Setting, seed: int, most: int = PAIRS) -> Outcome:
    """The same by the rule that was there before: the leader is named when it is the best with 95 % (`CAUTION`)."""
    count = len(setting.margin)
    play, chosen, played = Play(setting, seed), first_pairs(count), 0
    while True:
        play(chosen[: most - played])
        played = min(played + len(chosen), most)
        ratings = fit(count, play.tables)
        if ratings.sureness >= 0.95:
            return Outcome("best", int(ratings.elo.argmax()), played, ratings)
        if played >= most:
            return Outcome("games", None, played, ratings)
        chosen = next_pairs(ratings, max(8, played // 10))
