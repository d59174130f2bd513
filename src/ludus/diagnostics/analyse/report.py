"""What `analyse` has found. `print` shows it, `save` writes the page or the picture, `to_dict` is the JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludus.common.notebook import pre
from ludus.common.texttable import WIDE, screen_width
from ludus.diagnostics.analyse.exact import Exact
from ludus.diagnostics.analyse.first_moves import FirstMove, first_moves
from ludus.diagnostics.analyse.good_play import Rung
from ludus.diagnostics.analyse.stakes import Stakes
from ludus.diagnostics.analyse.tally import Tally
from ludus.diagnostics.analyse.walking import Walked
from ludus.model.playable import PlayableGame


@dataclass
class Good:
    """Good play: who plays, the ladder that leads there, and the games of the best player against itself."""

    player: str
    rungs: list[Rung]
    tally: Tally
    played: set[tuple[int, ...]] = field(default_factory=set)
    """The different games among them."""

    def add(self, game: Walked) -> None:
        """Another game of the best player against itself."""
        self.tally.add(game)
        self.played.add(tuple(game.moves[~game.by_chance].tolist()))

    @property
    def distinct(self) -> int:
        """How many different games there were: the same game again says nothing new."""
        return len(self.played)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"player": self.player, "distinct": self.distinct} | self.tally.to_dict()


@dataclass(repr=False)
class Analysis:
    """What is known of a game; parts that were not reached are None or empty."""

    game: PlayableGame
    seed: int
    compiled: bool
    random: Tally = field(default_factory=Tally)
    complexity: dict[str, Any] = field(default_factory=dict)
    exact: Exact | None = None
    good: Good | None = None
    stakes: Stakes | None = None
    proven: dict[int, float] = field(default_factory=dict)
    """What first moves are worth to First, where that was proven: 1, 0 or -1."""
    stopped: str = "games"
    """`games` if all was played; else `minutes` or `interrupted`."""

    @property
    def value(self) -> float | None:
        """The result to First under best play, if the first moves prove it."""
        if self.exact is not None:
            return self.exact.value
        best = max(self.proven.values(), default=None)
        complete = len(self.proven) == len(self.game.legal(self.game.start))
        return best if best == 1.0 or complete else None

    @property
    def first_moves(self) -> list[FirstMove]:
        """All first moves, the best known first; none if chance begins."""
        return first_moves(self.game, self.random, None if self.good is None else self.good.tally, self.proven)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, which are about random play, and all the rest."""
        from ludus.diagnostics.analyse.words import verdict

        about: dict[str, Any] = {"game": str(self.game), "seed": self.seed, "compiled": self.compiled}
        found = (
            about
            | self.random.to_dict()
            | {
                "chance": self.game.has_chance,
                "good": None if self.good is None or not self.good.tally.games else self.good.to_dict(),
                "ladder": [] if self.good is None else [rung.to_dict() for rung in self.good.rungs if rung.games],
                "stakes": None if self.stakes is None else self.stakes.to_dict(),
                "complexity": self.complexity,
                "value": self.value,
                "solved": None if self.exact is None else self.exact.to_dict(),
                "first_moves": [move.to_dict() for move in self.first_moves],
                "verdict": verdict(self),
                "stopped": self.stopped,
            }
        )
        return _plain(found)

    def __repr__(self) -> str:
        return f"<analysis of {self.game}: {self.random.games:,} random games>"

    def __str__(self) -> str:
        return self.text(screen_width())

    def text(self, width: int = WIDE) -> str:
        """What `ludus analyse` prints, in lines of at most this width."""
        from ludus.diagnostics.analyse.words import text

        return text(self, width)

    def _repr_html_(self) -> str:
        """In a notebook."""
        return pre(self.text(100))

    def save(self, path: str | Path) -> None:
        """Write all of it as one page, `.html`, or only the pictures, `.svg`, `.png`, `.pdf`."""
        from ludus.diagnostics.analyse.page import save

        save(self, path)


def _plain(value: Any) -> Any:
    """What JSON can hold: numbers of Python, and null for what is not finite."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
