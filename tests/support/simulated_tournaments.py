"""Simulated tournaments: players of known strength, draws, an advantage of the first move, games of a pair that depend
on each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from ludus.arena.stats.ratings import ELO

Tables = dict[tuple[int, int], np.ndarray]


@dataclass(frozen=True)
class World:
    """How games go. All in log-odds; a pair's opening adds `shift` to whoever moves first, `favour` to one player."""

    first: float = 0.2
    draws: float = 0.3
    """Share of draws among equals."""
    shift: float = 0.0
    favour: float = 0.0

    def play(
        self, random: np.random.Generator, elo: np.ndarray, pairs: Iterable[tuple[int, int]], into: Tables
    ) -> None:
        """Add the results of these pairs of games to the tables."""
        numbers = np.array(list(pairs)).reshape(-1, 2)
        margin = (elo[numbers[:, 0]] - elo[numbers[:, 1]]) / ELO
        shift, favour = (size * random.standard_normal(len(numbers)) for size in (self.shift, self.favour))
        first = self._results(random, margin + favour + self.first + shift)
        second = self._results(random, margin + favour - self.first - shift)
        for (i, j), a, b in zip(numbers.tolist(), first, second, strict=True):
            into.setdefault((i, j), np.zeros((3, 3), int))[a, b] += 1

    def score(self, margin: np.ndarray) -> np.ndarray:
        """The score that is expected in a pair of one who is better by this much, in log-odds."""
        points, weights = np.polynomial.hermite_e.hermegauss(21)
        opening = self.first + self.shift * points
        favour = (margin[..., None] + self.favour * points)[..., None]
        scores = (1 / (1 + np.exp(-favour - opening)) + 1 / (1 + np.exp(-favour + opening))) / 2
        return scores @ weights @ weights / weights.sum() ** 2

    def ratings(self, elo: np.ndarray) -> np.ndarray:
        """What endless round robins of these players show: the ratings at which everyone has the points expected.

        Whatever favours a side or a player by chance makes scores, and so differences of ratings, smaller.
        """
        due = self.score(np.subtract.outer(elo, elo) / ELO).sum(1)

        def unlikely(rating: np.ndarray) -> tuple[float, np.ndarray]:
            margin = np.subtract.outer(rating, rating)
            return np.logaddexp(0, margin).sum() / 2 - rating @ (due - len(elo) / 2), (1 / (1 + np.exp(-margin))).sum(
                1
            ) - due

        found = minimize(unlikely, elo / ELO, jac=True, method="BFGS", options={"gtol": 1e-8}).x * ELO
        return found - found.mean()

    def _results(self, random: np.random.Generator, margin: np.ndarray) -> np.ndarray:
        """0 won, 1 drawn, 2 lost, such that the expected score is that of the margin."""
        score = 1 / (1 + np.exp(-margin))
        drawn = 2 * self.draws * np.minimum(score, 1 - score)
        chance = random.random(len(margin))
        return (chance >= score - drawn / 2).astype(int) + (chance >= score + drawn / 2)
