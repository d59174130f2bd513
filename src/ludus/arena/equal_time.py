"""Who would lead at equal time, where a run is counted in nodes: an estimate from the microseconds that a move took.

A player that takes r times the leader's time for a move would have 1 / r of its nodes in the leader's time. What that
costs is not measured in a run. It is estimated by what twice the nodes gave in matches of players with themselves, from
the least to the most: the answer is a range, and a budget of seconds measures it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from ludus.arena.reports.standings import Standing

PER_DOUBLING = (25.0, 130.0)
"""Elo for twice the nodes: the middle four fifths of 36 matches of six contenders with themselves on connect4, othello
and kalah, 1000 against 2000 nodes and 2000 against 4000 (docs/how-to/ranking.md)."""
SEARCHES = 0.25
"""Who uses less of its budget would not search longer if it had more time."""
FARTHEST = 2.0
"""More doublings than these are not counted: single ones were measured, and the gain falls with more nodes."""
FEWEST = 10
"""Who has played fewer games is left out: the time of its first moves is not typical."""
NOTABLE = 1.25
"""Times of the leader's time; where all are nearer to it, there is nothing to tell."""


@dataclass(frozen=True)
class EqualTime:
    """What is estimated of one player if all had the leader's time for a move."""

    row: Standing
    ratio: float
    """The player's time for a move, in times of the leader's."""
    low: float
    """The rating that it would have, at least and at most."""
    high: float

    def data(self) -> dict[str, Any]:
        return {"player": str(self.row.player), "times": self.ratio, "low": self.low, "high": self.high}


def equal_time(rows: Sequence[Standing]) -> list[EqualTime]:
    """The estimates, the leader's first; none if the run is counted in time, or if nobody's time differs much."""
    able = [row for row in rows if row.games >= FEWEST and row.effort.microseconds > 0]
    if not able or able[0] is not rows[0] or any("nodes" not in row.spent or "seconds" in row.spent for row in able):
        return []
    able = [row for row in able if row.spent["nodes"] >= SEARCHES]
    if len(able) < 2 or able[0] is not rows[0]:
        return []
    found = []
    for row in able:
        ratio = row.effort.microseconds / rows[0].effort.microseconds
        doublings = min(max(math.log2(ratio), -FARTHEST), FARTHEST)
        ends = [row.rating.value - doublings * elo for elo in PER_DOUBLING]
        found.append(EqualTime(row, ratio, min(ends), max(ends)))
    return found if any(max(each.ratio, 1 / each.ratio) > NOTABLE for each in found) else []


def words(rows: Sequence[Standing]) -> str:
    """A sentence: whether the leader would lead at equal time too; empty if there is nothing to tell."""
    found = equal_time(rows)
    if not found:
        return ""
    leader, *others = found
    lead = leader.row.rating.value
    sure = [each for each in others if each.low > lead]
    maybe = [each for each in others if each.high > lead]
    seconds = median(each.row.effort.microseconds for each in found) / 1e6
    worth = f"{PER_DOUBLING[0]:g} to {PER_DOUBLING[1]:g} Elo for twice the nodes"
    estimate = f"This is an estimate ({worth}); `budget=seconds={_short(seconds)}` measures it."
    if not maybe:
        return f"At equal time {leader.row.name} would still lead. {estimate}"
    ahead = max(sure or maybe, key=lambda each: each.low)
    rest = len(maybe) - 1
    who = f"{ahead.row.name} {'would probably' if sure else 'may'} lead"
    who += f", or one of {rest} others" if rest > 1 else ", or one other" if rest else ""
    times = f"{leader.row.name} takes {1 / ahead.ratio:.1f} times as long for a move"
    return f"At equal time {who}: {times} as {ahead.row.name}. {estimate}"


def _short(seconds: float) -> str:
    """A time with two digits that count, without an exponent."""
    digits = max(1 - math.floor(math.log10(seconds)), 0)
    return f"{seconds:.{digits}f}"
