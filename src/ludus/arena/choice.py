"""Whom to take after a run, what that can cost, and which cheaper player costs little more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.arena.reports.standings import Standing
from ludus.arena.stats.regret import LEVEL
from ludus.arena.stats.verdict import Verdict

CHEAP = 0.5
"""Who takes at most this part of the leader's time for a move is cheaper."""
WITHIN = 50.0
"""Elo. A cheaper player is told if the leader is ahead of it by no more than this."""
FEWEST = 10
"""Who has played fewer games is not told: the time of its first moves is not typical."""


@dataclass(frozen=True)
class Simpler:
    """A player that is cheaper than the leader, and by how much the leader may be ahead of it."""

    row: Standing
    elo: float
    times: float
    """Its time for a move, in times of the leader's."""

    def data(self) -> dict[str, Any]:
        return {"player": str(self.row.player), "elo": self.elo, "times": self.times}


@dataclass(frozen=True)
class Choice:
    """The leader, and by how many Elo others may be ahead of it: see `ludus.arena.stats.regret`."""

    row: Standing
    elo: float | None
    """None if the games do not tell."""
    unknown: tuple[Standing, ...]
    """Who may be ahead of the leader by any number of Elo, for all that the games tell."""
    unmet: tuple[Standing, ...]
    """Those of them whom the leader has not met."""
    simpler: Simpler | None

    def data(self) -> dict[str, Any]:
        simpler = None if self.simpler is None else self.simpler.data()
        return {"player": str(self.row.player), "elo": self.elo, "level": 1 - LEVEL, "simpler": simpler}


def choice(rows: Sequence[Standing], verdict: Verdict) -> Choice | None:
    """The choice after these standings; None if no game was played."""
    if not rows or not rows[0].games:
        return None
    leader = rows[0].number
    regret, bounds = verdict.regret(leader), verdict.leads.bounds(leader)
    unknown = tuple(row for row in rows if np.isinf(bounds[row.number])) if np.isinf(regret) else ()
    unmet = tuple(row for row in unknown if not verdict.pairs[leader, row.number].any())
    return Choice(rows[0], None if unknown else regret, unknown, unmet, _simpler(rows, verdict))


def _simpler(rows: Sequence[Standing], verdict: Verdict) -> Simpler | None:
    """The cheapest of those who are much cheaper than the leader and not far behind it."""
    leader, cost = rows[0], rows[0].effort.microseconds
    found = []
    for row in rows[1:]:
        if row.games >= FEWEST <= leader.games and 0 < row.effort.microseconds <= CHEAP * cost:
            bounds = verdict.leads.bounds(row.number, verdict.count * (verdict.count - 1))
            found.append(Simpler(row, float(bounds[leader.number]), row.effort.microseconds / cost))
    return min((each for each in found if each.elo <= WITHIN), key=lambda each: each.times, default=None)
