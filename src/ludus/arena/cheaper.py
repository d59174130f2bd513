"""Was it worth it to stop early? Strength against effort, for players that left a part of their budget unused.

A search may stop before its budget ends, because it is sure enough or because the result is proven. What it saved was
worth it if nobody who spent as little a move is stronger, beyond the intervals of both ratings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ludus.arena.reports.standings import Standing, percent

MOST, LEAST = 0.8, 0.1
"""Who used a part of its budget between these, as a share of the largest part that anybody used, has stopped early:
towards the end of a game nobody can use all. More than the whole budget counts as the whole. Who used less hardly
searches at all."""


class Saving(NamedTuple):
    """A player that stopped early."""

    row: Standing
    stronger: tuple[Standing, ...]
    """Who spent no more a move and is stronger for certain."""
    gap: float
    """By how many Elo the strongest of those who used most of theirs is ahead; below 0: behind."""

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "player": str(self.row.player),
            "used": self.row.budget_used,
            "worth": not self.stronger,
            "stronger": [str(other.player) for other in self.stronger],
            "gap": self.gap,
        }

    def words(self) -> str:
        """One sentence."""
        found = f"{self.row.name} used only {percent(self.row.budget_used, 0)} of its budget. "
        if self.stronger:
            return found + f"That did not pay: {self.stronger[0].name} spent no more on a move and is stronger."
        side = "stronger" if self.gap > 0 else "weaker"
        apart = f"{abs(self.gap):.0f} Elo {side}" if round(self.gap) else "as strong"
        return found + f"Nobody is known to do better with so little; the best of those who used most is {apart}."


def cheaper_words(found: Sequence[Saving]) -> list[str]:
    """A sentence for one saving; where there are more, one for all that paid, and one for all that did not."""
    if len(found) < 2:
        return [saving.words() for saving in found]
    sentences = []
    for paid in (True, False):
        some = [saving for saving in found if paid != bool(saving.stronger)]
        used = ", ".join(f"{saving.row.name} ({percent(saving.row.budget_used, 0)})" for saving in some)
        why = (
            "nobody is known to do better with so little" if paid else "others spent no more on a move and are stronger"
        )
        sentences += [f"Used only a part of the budget: {used}; {why}."] if some else []
    return sentences


def cheaper_players(rows: Sequence[Standing]) -> list[Saving]:
    """The players that stopped early, each with who shows that it did not pay."""
    played = [row for row in rows if row.games]
    in_time = all("seconds" in row.spent for row in played)

    def cost(row: Standing) -> float:
        return row.effort.microseconds if in_time else row.effort.nodes

    most = min(max((row.budget_used or 0.0 for row in played), default=0.0), 1.0)
    full = [row for row in played if (row.budget_used or 0.0) >= MOST * most]
    found = []
    for row in played:
        if row.budget_used is not None and LEAST * most <= row.budget_used < MOST * most:
            stronger = [o for o in played if cost(o) <= cost(row) and o.rating.low > row.rating.high]
            gap = max(o.rating.value for o in full) - row.rating.value
            found.append(Saving(row, tuple(stronger), gap))
    return found
