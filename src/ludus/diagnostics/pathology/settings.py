"""What is asked of `pathology`: which depths play which games, with what, and who is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ludus.arena.pool.resources import Resources
from ludus.common.errors import SpecError, unknown
from ludus.common.numbers import whole_number
from ludus.diagnostics.pathology.pathology_report import Pathology
from ludus.model import registry
from ludus.model.search import Search

GAMES = 400
"""Games of each depth, or decisions, where nobody says."""
WAYS = ("games", "decisions")


@dataclass(frozen=True)
class PathologySettings:
    """What decides which depths are judged, and by what. Wrong values are refused at once."""

    search: Search | type[Search] | str = "alphabeta"
    """Whose depth is varied."""
    deepest: int | None = None
    """The deepest search; None: as deep as `EFFORT` nodes go, at most `DEEPEST`."""
    games: int = GAMES
    """At each depth, or decisions in all."""
    by: str = "games"
    """`games` or `decisions`."""
    openings: int = 4
    """Random plies before the players take over."""
    seed: int = 0
    compiled: bool | None = None
    """True to compile or fail, False to interpret."""
    db: str | Path | None = None
    """The database of games: those played earlier by the same call are not played again, unless it is to be `new`."""
    new: bool = False

    def __post_init__(self) -> None:
        checked = {
            "openings": whole_number("`openings`", self.openings, 0),
            "seed": whole_number("`seed`", self.seed),
            "games": whole_number("the number of games", self.games, 4),
            "deepest": None if self.deepest is None else whole_number("`deepest`", self.deepest, 3),
        }
        search = registry.searches().of(self.search)
        if self.by not in WAYS:
            raise unknown("way to judge depths", str(self.by), WAYS, "it is one of")
        if not search.looks_ahead:
            raise SpecError(f"{search.title} does not look ahead, so there is no depth to vary.")
        self.__dict__.update(checked, search=search)


@dataclass(frozen=True)
class PathologyOptions(Resources):
    """With what games are played, and who is told of it."""

    progress: Callable[[Pathology], None] = lambda found: None
    """Called with what there is after each pair of games, or decision."""
    continuing: Callable[[int, int], None] = lambda run, games: None
    """Called with the number of a run that goes on, and how many games it has."""
    calibrating: Callable[[float, str], None] = lambda done, words: None
    """Called with 0 and a sentence when an evaluator is being calibrated for the search, then with the part done."""
    announce: Callable[[str], None] | None = None
    """Called with what is compiled."""
