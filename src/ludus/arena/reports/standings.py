"""The rows and columns of a ranking, worked out once: the terminal, the page and JSON all show these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludus.arena.stats.statistics import Estimate
from ludus.common.tables import table_text
from ludus.common.texttable import ALWAYS, Column
from ludus.model.budget import Meter
from ludus.runtime.player import Player


class Score(NamedTuple):
    """The games of one player against another, or against all."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Points a game, from 0 to 1; 0 without games."""
        return (self.wins + self.draws / 2) / max(self.games, 1)


@dataclass
class Effort:
    """What a player has spent, and on how many moves."""

    meter: Meter = field(default_factory=Meter)
    decisions: int = 0

    @property
    def nodes(self) -> float:
        """Nodes generated a move."""
        return self.meter.generated / max(self.decisions, 1)

    @property
    def microseconds(self) -> float:
        """Microseconds a move."""
        return 1e6 * self.meter.seconds / max(self.decisions, 1)


@dataclass(frozen=True)
class Standing:
    """One row of the table."""

    number: int
    """The player's, in the ranking."""
    player: Player | str
    name: str
    """What it is called in the table and in sentences: its short name."""
    rating: Estimate
    result: Score
    superiority: float | None
    """The likelihood that this player is stronger than the next one; None for the last of those who have played."""
    effort: Effort
    spent: Mapping[str, float]
    """The share that it spent of each limit of its budget, by the limit's key."""
    faults: int
    """How many games it forfeited."""

    @property
    def budget_used(self) -> float | None:
        """The share of its budget that it spent; None if its budget does not say how much a move may cost."""
        return max(self.spent.values(), default=None)

    @property
    def elo(self) -> float:
        """The rating; `rating` has its interval, too."""
        return self.rating.value

    @property
    def games(self) -> int:
        return self.result.games

    @property
    def wins(self) -> int:
        return self.result.wins

    @property
    def draws(self) -> int:
        return self.result.draws

    @property
    def losses(self) -> int:
        return self.result.losses

    @property
    def score(self) -> float:
        """Points a game, from 0 to 1."""
        return self.result.share


@dataclass(frozen=True)
class Field:
    """A column of the table."""

    head: str
    """Its heading on a terminal."""
    title: str
    """Its heading on a page."""
    text: Callable[[Standing], str]
    data: Callable[[Standing], dict[str, Any]] = lambda row: {}
    """What JSON has of it, by key."""
    importance: int = ALWAYS
    unplayed: str = ""
    """The text for a player that has not played."""


def signed(value: float) -> str:
    """A rating in whole Elo with its sign; zero is +0."""
    return f"{round(value):+d}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share in per cent; empty if there is none."""
    return "" if share is None else f"{100 * share:.{digits}f} %"


FIELDS = (
    Field("Elo", "Elo", lambda row: signed(row.rating.value), lambda row: {"rating": row.rating.value}, unplayed="-"),
    Field(
        "95 %",
        "95 %",
        lambda row: f"{signed(row.rating.low)} … {signed(row.rating.high)}",
        lambda row: {"low": row.rating.low, "high": row.rating.high},
        unplayed="-",
    ),
    Field("games", "games", lambda row: str(row.games), lambda row: {"games": row.games}, 7, unplayed="0"),
    Field("score", "score", lambda row: percent(row.score), importance=8),
    Field("+", "won", lambda row: str(row.wins), lambda row: {"wins": row.wins}, 3),
    Field("=", "drawn", lambda row: str(row.draws), lambda row: {"draws": row.draws}, 3),
    Field("-", "lost", lambda row: str(row.losses), lambda row: {"losses": row.losses}, 3),
    Field("forfeits", "forfeits", lambda row: str(row.faults), lambda row: {"faults": row.faults}, 6, unplayed="0"),
    Field("LOS", "LOS", lambda row: percent(row.superiority), lambda row: {"superiority": row.superiority}, 5),
    Field(
        "nodes",
        "nodes a move",
        lambda row: f"{row.effort.nodes:,.0f}",
        lambda row: {"nodes_per_move": row.effort.nodes},
        4,
    ),
    Field(
        "budget",
        "of budget",
        lambda row: percent(row.budget_used, 0),
        lambda row: {"budget_used": row.budget_used},
        1,
    ),
    Field(
        "µs",
        "µs a move",
        lambda row: f"{row.effort.microseconds:,.0f}",
        lambda row: {"microseconds_per_move": row.effort.microseconds},
        4,
    ),
)
"""The columns after place and player, in order. On a narrow terminal those of least importance are left out first."""


def columns(rows: Sequence[Standing]) -> list[Column]:
    """The table of these rows, the best first; without the column of forfeits if there are none."""
    found = [
        Column("", [str(place + 1) for place in range(len(rows))]),
        Column("player", [row.name for row in rows], left=True, elastic=True),
    ]
    for each in FIELDS:
        if each.head != "forfeits" or any(row.faults for row in rows):
            cells = [each.text(row) if row.games else each.unplayed for row in rows]
            found.append(Column(each.head, cells, each.importance, title=each.title))
    return found


def row_data(row: Standing) -> dict[str, Any]:
    """A row for JSON; without games, the rating is what is assumed before the first one."""
    found: dict[str, Any] = {"player": str(row.player)}
    for each in FIELDS:
        found |= each.data(row)
    return found


def standings_text(kind: str, rows: Sequence[Standing], caption: str) -> str:
    """The table in the format of this ending: csv, md or tex."""
    data = [{"place": place + 1} | row_data(row) for place, row in enumerate(rows)]
    return table_text(kind, columns(rows), data, caption)
