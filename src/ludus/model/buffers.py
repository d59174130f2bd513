"""`Buffers`: the arrays that a game's rules write to, and the meter in which they count."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import Any

import numpy as np

from ludus.common.errors import RuleError
from ludus.kernel.rules import SLACK, guarded
from ludus.model.game import Game

MOST_MOVES = 1_000_000
"""The largest `max_moves`."""


class Buffers(Game):
    """A game with arrays of its own, which interpreted rules use; each search at work has others (`buffers`)."""

    shared = True

    @cached_property
    def meter(self) -> np.ndarray:
        """Where `play`, `evaluate` and `final` count; a running search has its own."""
        return np.zeros(4, np.int64)

    @cached_property
    def scratch(self) -> np.ndarray:
        """A free buffer of moves, for evaluators."""
        return self.buffer()

    @cached_property
    def replies(self) -> np.ndarray:
        """The buffer of moves that `over` needs."""
        return self.buffer()

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The buffer that `chance` writes to."""
        return np.zeros(len(self.buffer()))

    @cached_property
    def turn_odds(self) -> np.ndarray:
        """The same, where only whose turn it is matters."""
        return np.zeros(len(self.buffer()))

    @cached_property
    def feature_values(self) -> np.ndarray:
        """The buffer that `features` writes to."""
        return np.zeros(self.room_for_features)

    @cached_property
    def cell_values(self) -> np.ndarray:
        """The buffer that `cells` writes to."""
        return np.zeros(self.room_for_cells, np.int64)

    @property
    def room_for_features(self) -> int:
        """The size of a buffer of features."""
        return max(int(self.max_features), len(self.feature_names)) + SLACK

    @property
    def room_for_cells(self) -> int:
        """The size of a buffer of cells."""
        from ludus.features.cells import size_of

        return size_of(self) + SLACK

    def buffer(self) -> np.ndarray:
        """Room for the moves of any position."""
        return np.zeros(self.room, np.int64)

    @property
    def room(self) -> int:
        """The size of a buffer of moves, or of their probabilities."""
        size = getattr(self, "max_moves", None)
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool) or size < 1:
            raise RuleError(
                f"{self.title} must set max_moves, an upper bound on the moves in any position", "max_moves"
            )
        if size > MOST_MOVES:
            why = "each player at work has room for that many moves"
            allowed = f"but may be at most {MOST_MOVES:,}: {why}"
            raise RuleError(f"max_moves of {self.title} is {size:,}, {allowed}", "max_moves")
        return int(size) + SLACK

    def buffers(self, meter: np.ndarray, cells: bool = False) -> dict[str, np.ndarray]:
        """What a search at work has for itself: its meter, and room to write to; for `cells` too, if it asks that."""
        moves = {"scratch": guarded(self.room), "replies": guarded(self.room)}
        features = guarded(self.room_for_features, np.float64)
        numbers = {"probabilities": guarded(self.room, np.float64), "feature_values": features}
        if not type(self).alternates:
            numbers["turn_odds"] = guarded(self.room, np.float64)
        more = {"cell_values": guarded(self.room_for_cells)} if cells else {}
        return {"meter": meter} | moves | numbers | more

    def metered(self, meter: np.ndarray) -> Any:
        """A copy whose rules, called through `rules.py`, count in `meter`."""
        bound = copy.copy(self)
        bound.__dict__ |= self.buffers(meter)
        return bound
