"""What is asked of a ranking, a sweep or a match: which games are played, with what, and who is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.arena.pool.resources import Resources
from ludus.arena.stats.sprt import Sprt
from ludus.arena.stats.verdict import EQUAL, FARTHEST
from ludus.common.errors import LudusError, SpecError
from ludus.common.numbers import is_number, positive_number, whole_number
from ludus.model.budget import DEFAULT_BUDGET, Budget

if TYPE_CHECKING:
    from ludus.arena.match_result import MatchResult
    from ludus.arena.ranking import Ranking
    from ludus.arena.small_game import Solved
    from ludus.arena.sweep_result import Cell

GAMES, MOST = 100, 20_000
"""How many games a match has by default: exactly, or at most if it ends when a sequential test is decided."""


@dataclass(frozen=True)
class RankSettings:
    """What decides who takes part in a ranking and which games are played. Wrong values are refused at once."""

    all: bool = False
    """Every search takes part, beside the players who were named."""
    family: str | None = None
    """Every search of this family takes part."""
    budget: Budget | str | None = None
    """For players that name none; None: see `roster.default_budget`."""
    openings: int = 4
    """Random plies before the players take over."""
    games: int = 2000
    """The most, over all pairings."""
    minutes: float | None = None
    """The most that the games may take, once all players are prepared; earlier sittings of the run count."""
    equal: float = EQUAL
    """Players known to be at most this far apart, in Elo, are not told apart; with 0, nobody is called equal."""
    round_robin: bool = False
    """Everyone meets everyone equally often, and it does not stop when the best is known."""
    seed: int = 0
    compiled: bool | None = None
    """True to compile or fail, False to interpret."""
    db: str | Path | None = None
    """The database of games: those played earlier by the same call are not played again, unless it is to be `new`."""
    new: bool = False
    learn: bool = True
    """Where nobody named players, and the game has no evaluator: learn one, with which some contenders play too."""
    solve: bool = True
    """Where nobody named players: find out whether the game is small enough to be solved."""
    lenient: bool = False
    """A player who was named but cannot play at this budget is left out, like those whom nobody named."""

    def __post_init__(self) -> None:
        if not is_number(self.equal) or not 0 <= self.equal <= FARTHEST:
            raise SpecError(f"equal must be from 0 to {FARTHEST} Elo, not {self.equal}.")
        checked = {
            "openings": whole_number("`openings`", self.openings, 0),
            "seed": whole_number("`seed`", self.seed),
            "minutes": None if self.minutes is None else positive_number("`minutes`", self.minutes),
            "games": whole_number("the number of games", self.games, 1),
            "budget": None if self.budget is None else Budget.of(self.budget),
        }
        self.__dict__.update(checked)

    @property
    def names_searches(self) -> bool:
        """Whether searches take part that are not named one by one."""
        return self.all or self.family is not None


@dataclass(frozen=True)
class RankOptions(Resources):
    """With what a tournament is played, and who is told of it."""

    progress: Callable[[Ranking], None] = lambda ranking: None
    """Called with the ranking after each pair that was played now."""
    preparing: Callable[[int, int], None] = lambda done, total: None
    """Called with how many players are prepared, and how many there are."""
    continuing: Callable[[int, int], None] = lambda run, games: None
    """Called with the number of a run that goes on, and how many games it has."""
    calibrating: Callable[[float, str], None] = lambda done, words: None
    """Called with 0 and a sentence when an evaluator is being calibrated for a player, then with the part done."""
    learning: Callable[[float, str], None] = lambda done, words: None
    """The same when an evaluator is being learnt."""
    solved: Callable[[Solved], None] = lambda solved: None
    """Called if the game turns out to be small enough to be solved."""


@dataclass(frozen=True)
class SweepOptions(Resources):
    """With what a sweep is played, and who is told of it."""

    progress: Callable[[int, Cell], None] = lambda done, cell: None
    """Called with how many cells are done, and one that has played another pair."""
    calibrating: Callable[[float, str], None] = lambda done, words: None
    """Called with 0 and a sentence when an evaluator is being calibrated for a player, then with the part done."""


@dataclass(frozen=True)
class MatchSettings:
    """What decides which games a match has. Wrong values are refused at once."""

    games: int | None = None
    """How many, or with `sprt` the most; rounded up to even."""
    openings: int = 4
    """Random plies before the players take over."""
    budget: Budget | str = DEFAULT_BUDGET
    """For players that name none."""
    sprt: Sprt | None = None
    """The sequential test that ends the match when it is decided."""
    seed: int = 0
    compiled: bool | None = None
    """True to compile or fail, False to interpret."""
    db: str | Path | None = None
    """The database in which the games are kept, as a run of their own."""

    def __post_init__(self) -> None:
        checked = {
            "openings": whole_number("`openings`", self.openings, 0),
            "seed": whole_number("`seed`", self.seed),
            "games": None if self.games is None else whole_number("the number of games", self.games, 1),
            "budget": Budget.of(self.budget),
        }
        self.__dict__.update(checked)

    @property
    def pairs(self) -> int:
        """The most pairs of games."""
        games = self.games if self.games is not None else GAMES if self.sprt is None else MOST
        return (games + 1) // 2


@dataclass(frozen=True)
class MatchOptions(Resources):
    """With what a match is played, and who is told of it."""

    workers: int | None = 1
    progress: Callable[[MatchResult], None] = lambda result: None
    """Called with the result so far after each pair."""
    not_kept: Callable[[LudusError], None] | None = None
    """Called with why the database cannot be used, and the match goes on without it; None: that is an error."""
    calibrating: Callable[[float, str], None] = lambda done, words: None
    """Called with 0 and a sentence when an evaluator is being calibrated for a player, then with the part done."""
