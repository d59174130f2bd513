"""`Search`: a control strategy, and the facts that it states about itself."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from ludus.kernel.playout import longest_playout
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.model.program import Program
from ludus.model.result import Known

EVALUATOR, RESULT, SCORE = "evaluator", "result", "score"
"""The scales of a search's values: its evaluator's own; results, from -1, lost, to 1, won; or the game's scores."""


class Search(Program):
    """A control strategy: from a state, an evaluator and a budget to a `Result`.

    `step` grows `tree` until a limit is met. It calls `spent` before each expansion. The facts below are what a search
    says of itself; the tests hold each registered search to them.
    """

    family: ClassVar[str] = ""
    """`full-width`, `best-first` or `sampling`, like the folder that it is in; empty for one that stands alone."""

    contender: ClassVar[bool | str] = False
    """Whether it takes part in a ranking for which nobody names players; `"unit=sets"`: it does, with that setting."""

    # Some facts may depend on the settings; then `__init__` sets them.

    exact: bool = False
    """Whether the value to a fixed depth is minimax's, and the move one of the best."""

    looks_ahead: bool = True
    """Whether it sees a win in one and a loss in two."""

    proves: bool = False
    """Whether with enough budget it ends with a proven result, in any finite game."""

    repeats: bool = True
    """Whether with the same seed and a counted budget it generates the same nodes again; not where threads race."""

    variants: ClassVar[tuple[str, ...]] = ()
    """Further settings for the tests, `"table=true"`; each parameter stands in at least one of them."""

    keeps_depth: bool = True
    """Whether it generates nothing beyond a limit on depth, but for playouts."""

    value_scale: str = EVALUATOR
    """In which scale its values are: `EVALUATOR`, `RESULT` or `SCORE`."""

    chooses_depth: ClassVar[bool] = False
    """Whether it understands `depth=auto`."""

    grows_tree: bool = False
    """Whether its tree grows a leaf at a time, and stays: then it can be drawn by `trace` and looked at afterwards."""

    walks: ClassVar[bool] = False
    """Whether `trace` draws what it visits: it goes over its tree depth first, by `next_visit`, or has a `walker`."""

    plays_out: ClassVar[bool] = False
    """Whether it plays games to the end at random, beyond what is in its tree and beyond a limit on depth."""

    spread: ClassVar[float] = 1.0
    """How many even shares of a budget for a game one move may take at most; above 1: it paces itself."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The optional rules of a game, and the calibrations of an evaluator, that it cannot do without."""
        return ()

    def largest_step(self, game: PlayableGame, evaluator: Evaluator) -> int:
        """The most nodes generated between two looks at the budget: an expansion with its evaluations, or a playout."""
        plays = evaluator.plays(game)
        expansion = game.preview + game.max_moves * (1 + plays)
        if not type(self).plays_out:
            return expansion
        return max(expansion, (1 + longest_playout(game)) * (1 + game.preview) + plays)

    # What follows is read from the tree by Python when `step` is done.

    def conclude(self, session: Any) -> None:
        """Before a result is read: work out what the search left for later, for people to see."""

    def choice(self, tree: Any) -> int:
        """The node of the move to play: the root's child with the best known value, the first of equals."""
        first, count = int(tree.first[0]), int(tree.count[0])
        return first + lowest(tree.value[first : first + count])

    def line(self, tree: Any) -> list[int]:
        """The moves that the search expects, the chosen one first."""
        node = self.choice(tree)
        found = [int(tree.move[node])]
        while tree.count[node] > 0:
            first = int(tree.first[node])
            node = first + lowest(tree.value[first : first + int(tree.count[node])])
            found.append(int(tree.move[node]))
        return found

    def walker(self, session: Any) -> Any:
        """Of a search that walks, but not depth first by `next_visit`: who notes down what it visits."""
        return None

    def next_visit(self, session: Any, node: int) -> int:
        """Of a search that walks depth first: the child of `node`, now at work, that it is about to visit; -1: none."""
        raise NotImplementedError

    def in_scale(self, value: float) -> float:
        """Of a search that walks: a value of its tree in its `value_scale`."""
        return value

    def statistics(self, tree: Any) -> dict[str, float]:
        """What there is to say of the search as a whole besides the meter: numbers by name."""
        return {}

    def knowledge(self, tree: Any, node: int) -> Known:
        """What the search knows of a node that is not the root, to the player who moved into it."""
        value = 0.0 - float(tree.value[node])
        return Known(value, value, value, proven=True) if int(tree.count[node]) == 0 else Known(value)


def known_of(search: Search, evaluator: Evaluator, tree: Any, node: int) -> Known:
    """What a search knows of a node, and what follows: who has the value of a win can force at least that."""
    known = search.knowledge(tree, node)
    value, scaled = known.value, search.value_scale == EVALUATOR
    if scaled and evaluator.is_decided(value) and not known.is_bound:  # no unfinished game has such a value
        low, high = (value, known.high) if value > 0 else (known.low, value)
        known = replace(known, low=low, high=high, proven=True)
    if known.proven and not math.isnan(value):
        known = replace(known, score=evaluator.score_of(value) if scaled else value)
    return known


def lowest(values: np.ndarray) -> int:
    """The index of the lowest known value, the first of equals; 0 if none is known."""
    index = int(values.argmin())  # NaN, the unknown, would win here
    return index if values[index] == values[index] or np.isnan(values).all() else int(np.nanargmin(values))
