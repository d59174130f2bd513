"""What is asked of a ranking: which games it plays, with what, and who is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ludus.arena.pool.resources import Resources
from ludus.arena.ranking import Ranking
from ludus.arena.small_game import Solved
from ludus.arena.stats.verdict import EQUAL, FARTHEST
from ludus.common.errors import SpecError
from ludus.common.numbers import is_number, positive_number, whole_number
from ludus.model.budget import Budget


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
