"""Who is the best: a verdict that is wrong in at most 5 % of runs, whoever meets whom and whenever one looks.

**Evidence.** Somebody who holds that n beats b bets on it, pair after pair, with a capital of 1. Before a pair of games
he stakes a bet of 0 to 2, and the score x of n in it, from 0 to 1, multiplies his capital by 1 + bet (x - 1/2). If n is
expected to score at most 1/2, whatever has been played, the capital is not expected to grow, and by Ville's inequality
(1939) it ever reaches C with a probability of at most 1 / C. The *evidence* of n against b is the mean capital of
gamblers with all bets between 0 and 2 (Cover's universal portfolio), who stake only while n is ahead of b.

**Beaten.** The evidence of all others against b, multiplied, is a capital of the same kind: that of somebody who bets
against b in every pair that it plays. A player is beaten when it reaches a threshold; if it is the best, which no other
is expected to beat, that happens in at most 5 % of runs. The best is named when all others are beaten.

**Equal.** Two are equal to within D Elo when one gambler has shown that the first does not lead by more than D, and
another that the second does not.

The theorem, its assumptions, the proof and simulations: docs/ranking.md.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ludus.arena.statistics import expected_score

LEVEL = 0.05
"""In so large a share of runs, at most, the best is taken for beaten; and players are called equal that are not."""
EQUAL = 30.0
"""Players no farther apart than this, in Elo, need not be told apart."""
BETS = (2 * np.arange(32) + 1) / 32
"""Evenly from 0 to 2; whoever stakes 2 is ruined by one lost pair."""
CONFIRMED = 20.0
"""Against each other player the best must have so much evidence of its own."""


class Verdict:
    """What the direct pairs of `count` players say, one after the other; all evidence is kept as logarithms."""

    def __init__(self, count: int, equal: float = EQUAL) -> None:
        self.count = count
        self.scores: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
        """Those of i in its pairs with j, for i < j."""
        self.lead = np.zeros((count, count))
        """How many points, of one for each pair, the row is ahead of an even score with the column."""
        self.evidence = np.zeros((count, count))
        """That the row beats the column."""
        self.beaten: list[int] = []
        """In the order in which they were."""
        self._capital = np.zeros((count, count, len(BETS)))
        self.margin = expected_score(equal) - 0.5
        self._apart = np.zeros((count, count))
        """Points that the row is short of a lead of D over the column."""
        self._within = np.zeros((count, count))
        """Evidence that the row does not lead the column by D."""
        self._within_capital = np.zeros((count, count, len(BETS)))

    def add(self, one: int, other: int, score: float) -> None:
        """Count a pair in which `one` has scored so much, from 0 to 1, against `other`."""
        self.scores[min(one, other), max(one, other)].append(score if one < other else 1 - score)
        for i, j, x in ((one, other, score), (other, one, 1 - score)):
            if self.lead[i, j] > 0:
                self.evidence[i, j] = _stake(self._capital[i, j], BETS * (x - 0.5))
            if self._apart[i, j] >= 0:
                short = 0.5 + self.margin - x
                self._within[i, j] = _stake(self._within_capital[i, j], BETS * short / (1 - 2 * self.margin))
            self.lead[i, j] += x - 0.5
            self._apart[i, j] += 0.5 + self.margin - x
        self._retire()

    def _retire(self) -> None:
        against = self.against
        while self.unbeaten:
            weakest = max(self.unbeaten, key=lambda i: against[i])
            if against[weakest] < self.threshold:
                return
            self.beaten.append(weakest)

    @property
    def against(self) -> np.ndarray:
        """The evidence of all others together against each player."""
        return self.evidence.sum(0)

    @property
    def unbeaten(self) -> list[int]:
        """Who may still be the best."""
        return [i for i in range(self.count) if i not in self.beaten]

    @property
    def threshold(self) -> float:
        """A player is beaten when so much is against it.

        With s players left it is the logarithm of s / (s - 1) / LEVEL: 2 / LEVEL for the last two, of whom either may
        be the better one, and hardly more than 1 / LEVEL for the weakest of many.
        """
        left = max(len(self.unbeaten), 2)
        return math.log(left / (left - 1) / LEVEL)

    @property
    def surely(self) -> float:
        """Evidence that is enough for a statement about any two players: all of them hold at once."""
        return math.log(max(self.count * (self.count - 1) / 2, 1) / LEVEL)

    @property
    def best(self) -> int | None:
        """The only unbeaten player, once it has shown enough against each of the others by itself."""
        if len(self.unbeaten) != 1:
            return None
        (best,) = self.unbeaten
        return None if self.unconfirmed(best) else best

    def unconfirmed(self, best: int) -> list[int]:
        """Who was beaten by others, and not yet by this player."""
        return [i for i in range(self.count) if i != best and self.evidence[best, i] < math.log(CONFIRMED)]

    def is_equal(self, one: int, other: int) -> bool:
        """Whether two players are known to be no more than D Elo apart."""
        return min(self._within[one, other], self._within[other, one]) >= self.surely

    @property
    def equals(self) -> list[int]:
        """The unbeaten players, if there are several and all are equal to the first of them."""
        for one in self.unbeaten:
            others = [i for i in self.unbeaten if i != one]
            if others and all(self.is_equal(one, other) for other in others):
                return [one, *others]
        return []

    @property
    def circle(self) -> list[int]:
        """If everybody is beaten: players of whom each beats the next, and the last the first."""
        if self.unbeaten:
            return []
        path = [0]
        while True:
            nemesis = int(self.evidence[:, path[-1]].argmax())
            if nemesis in path:
                return path[path.index(nemesis) :][::-1]
            path.append(nemesis)

    @property
    def circle_is_sure(self) -> bool:
        circle = self.circle
        return len(circle) > 0 and min(self.evidence[i, j] for i, j in edges(circle)) >= self.surely

    @property
    def decision(self) -> str:
        """`best`, `equal` or `circle`; empty while the run must go on."""
        if self.best is not None:
            return "best"
        return "equal" if self.equals else "circle" if self.circle_is_sure else ""

    @property
    def confidence(self) -> float:
        """At what level of confidence the leader could be named now: 0.95 or more if it is."""
        against = sorted(self.against[self.unbeaten])[1:] or sorted(self.against)[1:]
        return max(0.0, 1 - LEVEL * math.exp(self.threshold - against[0]))

    @property
    def turned(self) -> int:
        """How many pairs of the best, had they gone the other way round, would have left the verdict open."""
        if self.best is None:
            return 0
        return min(self._turned(self.best, i) for i in range(self.count) if i != self.best)

    def _turned(self, best: int, other: int) -> int:
        """Those against one player: won pairs are turned, the latest first, until the evidence is not enough."""
        scores = np.array(self.scores[min(best, other), max(best, other)])
        scores = scores if best < other else 1 - scores
        by_others = self.against[other] - self.evidence[best, other]
        needed = max(math.log(CONFIRMED), math.log(self.count / (self.count - 1) / LEVEL) - by_others)
        for count, last in enumerate(np.flatnonzero(scores > 0.5)[::-1], start=1):
            scores[last] = 1 - scores[last]
            if evidence_of(scores) < needed:
                return count
        return len(scores)


def edges(circle: Sequence[int]) -> list[tuple[int, int]]:
    """Who beats whom in a circle."""
    return list(zip(circle, [*circle[1:], circle[0]], strict=True))


def evidence_of(scores: Sequence[float] | np.ndarray) -> float:
    """The greatest evidence, at any time, of a player who has these scores in its pairs with another, in this order."""
    over = np.asarray(scores, float) - 0.5
    ahead = np.concatenate([[0.0], np.cumsum(over)[:-1]]) > 0
    capital = np.cumsum(np.log1p(np.outer(over[ahead], BETS)), axis=0)
    return float(np.logaddexp.reduce(capital, axis=1).max(initial=math.log(len(BETS))) - math.log(len(BETS)))


def _stake(capital: np.ndarray, gains: np.ndarray) -> float:
    """Add what each gambler gains to the logarithm of his capital, in place; the logarithm of their mean capital."""
    capital += np.log1p(gains)
    return float(np.logaddexp.reduce(capital)) - math.log(len(capital))
