"""What is asked of `analyse`: how many games of which kind."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.common.numbers import positive_number, whole_number
from ludus.runtime.player import PlayerLike


@dataclass(frozen=True)
class AnalyseSettings:
    """What decides which games are played; None: by whether the game compiles. Wrong values are refused at once."""

    games: int | None = None
    """Random games."""
    good: int | None = None
    """Games of good play, at each strength."""
    player: PlayerLike = "uct"
    """Who plays well; without a budget."""
    openings: int = 0
    """Random plies before good play."""
    minutes: float | None = None
    """The time limit."""
    seed: int = 0
    workers: int | None = None
    """Processes for good play; None: one for each core."""
    compiled: bool | None = None
    """True to compile or fail, False to interpret."""

    def __post_init__(self) -> None:
        checked = {
            "seed": whole_number("`seed`", self.seed),
            "openings": whole_number("`openings`", self.openings, 0),
            "games": None if self.games is None else whole_number("`games`", self.games, 1),
            "good": None if self.good is None else whole_number("`good`", self.good, 0),
            "minutes": None if self.minutes is None else positive_number("`minutes`", self.minutes),
            "workers": None if self.workers is None else whole_number("`workers`", self.workers, 1),
        }
        self.__dict__.update(checked)
