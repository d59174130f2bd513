"""`Program`: anything that is compiled with a game.

Searches are programs; so are the referee, perft, and whoever walks over positions to compare or to sample them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ludus.kernel.columns import Column, gathered
from ludus.kernel.parts import MisspeltWarning, misspelt
from ludus.model.component import Component
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame


class Program(Component):
    """Something to do with a game: `step` works on `tree` until a limit is met and says why it came back.

    `step` may be called again at any time and goes on where it was: what must outlive a slice is in the tree. Where
    there is much to do between two looks at the budget it may come back by itself, with PAUSED. Like a
    game's rules it is compiled, and the program's parameters are fields.
    """

    shared = True

    columns: ClassVar[dict[str, Column]] = {}
    """What it keeps at each node besides what every tree has; a class adds to those of its base classes."""

    registers: ClassVar[dict[str, str]] = {}
    """Its variables that outlive a slice, fields of `tree.register[0]`: name and dtype, `i8` or `f8`."""

    handles_chance: bool = False
    """Whether it can do with games in which chance has a part; `__init__` may say otherwise for some settings."""

    threads: int = 1
    """How many threads work on it at once, where it is compiled; above 1 only with `extras_of_member`."""

    shares_tree: ClassVar[bool] = False
    """Whether its threads work in one tree; else each has a tree of its own."""

    interleaved: bool = False
    """Whether the numbers of a node lie together in memory, which is faster where one goes from node to node all over a
    large tree; else those of a column do, which is faster where one goes through a column."""

    def step(self, game: Any, evaluator: Any, tree: Any, limits: Any) -> int:
        raise NotImplementedError

    def unused_parts(self, game: PlayableGame) -> tuple[Callable, ...]:
        """Methods that replace a part, but with these settings and on this game to no effect: they are not compiled.

        A class names methods that it has itself, `AlphaBeta.trial`, never those of a class derived from it.
        """
        return ()

    def unused_columns(self, game: PlayableGame) -> tuple[str, ...]:
        """Columns that with its settings and on this game it neither reads nor writes: they take no memory."""
        return ()

    def extras(self, game: PlayableGame, evaluator: Evaluator, compiled: bool) -> dict[str, Any]:
        """Arrays and records, besides the columns, that its tree has; made once for a game and an evaluator."""
        return {}

    def extras_of_member(self, extras: dict[str, Any], number: int) -> dict[str, Any]:
        """The extras of a further thread: what it shares with the leader, whose `extras` these are, and its own."""
        raise NotImplementedError

    def prepare(self, tree: Any, game: PlayableGame, state: Any, limits: np.ndarray) -> None:
        """Before each run: adjust the limits (an automatic depth, say) or what `extras` made."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        gathered(cls, "columns")
        gathered(cls, "registers")
        if words := misspelt(cls):
            warnings.warn(words, MisspeltWarning, stacklevel=2)


class NoEvaluator(Evaluator):
    """For programs that ask for no opinion."""

    judges = False

    def evaluate(self, game, state):
        return 0.0
