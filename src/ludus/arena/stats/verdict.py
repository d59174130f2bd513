"""Who is the best: a verdict that is wrong in at most 5 % of runs, whoever meets whom and whenever one looks.

**Evidence.** Gamblers hold that n beats b, and bet on it pair after pair, each with a capital of 1 to begin with. A bet
is a number from 0 to 2, and the score x of n in the pair, from 0 to 1, multiplies the capital by 1 + bet (x - 1/2). If
n is expected to score at most 1/2, whatever has been played, no capital is expected to grow, and by Ville's inequality
(1939) it ever reaches C with a probability of at most 1 / C. The *evidence* of n against b is the mean capital of
gamblers with all bets between 0 and 2 (Cover's universal portfolio), who bet only while n is ahead of b.

**Beaten.** The evidence of all others against b, multiplied, is a capital of the same kind: that of somebody who bets
against b in all its pairs. A player is beaten when that reaches 20. The best, whom no other is expected to beat, is
beaten in at most 5 % of runs.

**Named.** A player is named when all others are beaten, and each of them by it alone: if two are equal, either might be
ahead by luck, so what has been lost by bets on the other counts too.

**Equal.** Two players are equal to within D Elo when gamblers have shown that neither leads by more than D
(`ludus.arena.stats.regret`).

The theorem, its assumptions, the proof and simulations are in docs/how-to/ranking.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ludus.arena.stats.regret import BETS, LEVEL, Leads
from ludus.arena.stats.statistics import PAIR_SCORES

BEATEN = -math.log(LEVEL)
"""The evidence of all others together from which on a player is beaten."""
ALONE = BEATEN - math.log(1 - LEVEL)
"""The evidence of one player alone against each other that it takes to be named; the proof says why it is more."""
EQUAL = 30
"""Players that are no farther apart than this, in Elo, need not be told apart."""
FARTHEST = 400
"""Elo. The largest distance within which players may be called equal, if somebody asks for it."""


class Verdict:
    """What the direct pairs of `count` players say, counted one after the other. Evidence is kept as logarithms.

    In all matrices the row is about the player who is said to be better, or not to be, and the column about the other.
    """

    def __init__(self, count: int, equal: float = EQUAL) -> None:
        """Players are equal if they are at most `equal` Elo apart; a score means as many Elo as in a match."""
        self.count = count
        self.equal = equal
        self.pairs = np.zeros((count, count, len(PAIR_SCORES)), int)
        """How many pairs have given the row which of the five scores against the column."""
        self.lead = np.zeros((count, count))
        """The sum of the row's scores against the column, each less 1/2."""
        self.evidence = np.zeros((count, count))
        """The evidence that the row beats the column."""
        self.leads = Leads(count, equal)
        """How far players may be ahead of others."""
        self._capital = np.zeros((count, count, len(BETS)))
        self._contrary: np.ndarray | None = None

    def add(self, one: int, other: int, score: float) -> None:
        """Count a pair in which `one` has scored this much, from 0 to 1, against `other`."""
        for i, j, x in ((one, other, score), (other, one, 1 - score)):
            if self.lead[i, j] > 0:
                self.evidence[i, j] = _bet(self._capital[i, j], x - 0.5)
            self.lead[i, j] += x - 0.5
            self.pairs[i, j, PAIR_SCORES.index(x)] += 1
        self.leads.add(one, other, score)
        self._contrary = None

    @property
    def contrary(self) -> np.ndarray:
        """The evidence that the row does not lead the column by `equal` or more."""
        if self._contrary is None:
            self._contrary = self.leads.evidence(self.equal).T
        return self._contrary

    @property
    def against(self) -> np.ndarray:
        """The evidence of all others together against each player."""
        return self.evidence.sum(0)

    @property
    def beaten(self) -> list[int]:
        """Who is not the best."""
        return [i for i, evidence in enumerate(self.against) if evidence >= BEATEN]

    @property
    def unbeaten(self) -> list[int]:
        """Who may still be the best."""
        return [i for i, evidence in enumerate(self.against) if evidence < BEATEN]

    @property
    def certain(self) -> float:
        """The evidence from which on a statement about two players is so sure that all such statements hold at once."""
        return math.log(max(self.count * (self.count - 1), 2) / 2 / LEVEL)

    def unconfirmed(self, best: int) -> list[int]:
        """Whom this player has yet to beat, alone or with the others, before it is named."""
        alone, together = self.alone(best) >= ALONE, self.against >= BEATEN
        return [i for i in range(self.count) if i != best and not (alone[i] and together[i])]

    def alone(self, one: int) -> np.ndarray:
        """The evidence of one player against each, less what bets on the other player have lost."""
        return self.evidence[one] + np.minimum(self.evidence[:, one], 0.0)

    @property
    def best(self) -> int | None:
        """The best player, if it is known."""
        left = self.unbeaten
        return left[0] if len(left) == 1 and not self.unconfirmed(left[0]) else None

    def regret(self, one: int) -> float:
        """By how many Elo, at most, any other player is ahead of this one; 0 if it is the best, infinite if unknown."""
        return 0.0 if one == self.best else float(self.leads.bounds(one).max())

    def is_equal(self, one: int, other: int) -> bool:
        """Whether two players are known to be equal."""
        return min(self.contrary[one, other], self.contrary[other, one]) >= self.certain

    @property
    def equals(self) -> list[int]:
        """The unbeaten players, if there are several and all others are known to be equal to the first of the list."""
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
        path, evidence = [0], np.where(np.eye(self.count, dtype=bool), -np.inf, self.evidence)
        while (better := int(evidence[:, path[-1]].argmax())) not in path:
            path.append(better)
        return path[path.index(better) :][::-1]

    @property
    def decision(self) -> str:
        """`best`, `equal` or `circle`; empty as long as none of these is known."""
        if self.best is not None:
            return "best"
        if self.equals:
            return "equal"
        # Two who are exactly equal may each be said to beat the other: twice as many statements as of equality.
        edges = [self.evidence[edge] for edge in beats(self.circle)]
        return "circle" if edges and min(edges) >= self.certain + math.log(2) else ""

    def confidence(self, one: int) -> float:
        """The level of confidence at which this player could be named now: 0.95 or more if it is named.

        That is 1 - p if the evidence of all others against each is 1 / p or more, and its own alone 1 / (p (1 - p)).
        """
        others = [i for i in range(self.count) if i != one]
        if one in self.beaten or not others:
            return 0.0
        together, alone = (math.exp(-min(each[others])) for each in (self.against, self.alone(one)))
        return max(0.0, 1 - max(together, (1 - math.sqrt(1 - 4 * alone)) / 2)) if alone < 0.25 else 0.0

    @property
    def turning(self) -> tuple[int, int] | None:
        """How few pairs would turn the verdict: with whom, and how many.

        Had this many of its pairs with this player gone the other way round, the best would not be ahead of it.
        """
        if self.best is None:
            return None
        return min((self._turned(self.best, i), i) for i in range(self.count) if i != self.best)[::-1]

    def _turned(self, one: int, other: int) -> int:
        """Pairs that were won twice lessen a lead by 1 when they are turned round, those that were just won by 1/2."""
        twice = int(self.pairs[one, other, -1])
        left = self.lead[one, other] - twice
        return math.ceil(self.lead[one, other]) if left <= 0 else twice + math.ceil(2 * left)


def beats(circle: Sequence[int]) -> list[tuple[int, int]]:
    """Who beats whom in a circle."""
    return list(zip(circle, [*circle[1:], *circle[:1]], strict=True))


def _bet(capital: np.ndarray, gain: float) -> float:
    """Let every gambler gain this much for a bet of 1; the logarithm of their mean capital after it.

    `capital` is changed: the logarithm of what each gambler has.
    """
    capital += np.log1p(BETS * gain)
    return float(np.logaddexp.reduce(capital)) - math.log(len(capital))
