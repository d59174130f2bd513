"""The options of alpha-beta that search some lines less, or more, than others, as parts of the full-width driver.

What each of them does is told in `selective.py` and `quiescence.py`. Their parts are compiled only if one is set.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.kernel.columns import integer, number
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import DEEPEN
from ludus.kernel.normal import normal_quantile
from ludus.kernel.parts import part
from ludus.kernel.tree import LONGEST_LINE
from ludus.library.searches.full_width.driver import FullWidth
from ludus.library.searches.full_width.quiescence import RULES, Quiescence, arrange_quiet, stands_at_once
from ludus.library.searches.full_width.selective import (
    begin_options,
    is_doubted,
    is_plain,
    is_restricted,
    judge_trial,
    next_trial,
    plies_for,
    set_trial,
)

SELECTIVE = (
    *("trial", "begin_trial", "trying", "end_trial", "skipped", "plies_left", "beyond", "doubted"),
    *("note_options", "tries_some", "arrange_beyond", "known_beyond", "after_arranging"),
)
"""The parts that only these options, and `etc`, need."""


class SelectiveOptions(FullWidth):
    """A full-width search that may leave some lines out, and follow others further."""

    columns = {
        "trying": integer(),  # the trial that is under way; 0: none
        "made": integer(),  # the last trial that was made, OVER after all of them
        "predictor": integer(),  # the row of ProbCut's line for it
        "single": node_index(),  # the child whose move is the only good one; -1: none
        "rivals": number(),  # what the other moves must not be worth more than, if it is
        "tries": integer(),  # how many moves were tried
        "short": integer(),  # whether it is searched a ply less, for having been tried late
    }
    registers = {
        "deepens": "i8",  # whether there is more than one iteration
        "verifying": "i8",  # whether a secondary search is going on,
        "steps": "i8",  # ... how many moves the line has that it follows,
        "first_value": "f8",  # ... and what the primary one has found
        "first_cut": "i8",
        "null_cuts": "i8",  # how often each option had its way
        "probable_cuts": "i8",
        "razored": "i8",
        "extended": "i8",
        "reduced": "i8",
    }

    def __init__(
        self,
        null_move: int = 0,
        quiescence: Quiescence = "none",
        quiet_plies: int = 6,
        tolerance: float = 0.0,
        razor: bool = False,
        singular: float = 0.0,
        probcut: float = 0.0,
        staged: int = 0,
        reductions: int = 0,
        **options: Any,
    ) -> None:
        """
        null_move: let the opponent move twice, and search that this many plies less deeply; 0 for never
        quiescence: which positions at the horizon are judged as they stand; others are searched further
        quiet_plies: ... but at most this many plies
        tolerance: what two values may differ by that `consistency` and `locked` call the same
        razor: leave out moves whose static value is worse than what the player has already
        singular: a move that is better than all others by this margin is searched a ply deeper; 0 for none
        probcut: leave out what a shallow search predicts to be outside the window with this confidence; 0 for never
        staged: verify a new best move by a secondary search of this many plies below the end of its line
        reductions: after this many moves of a node the others are searched a ply less; 0 for never
        options: as for `minimax`
        """
        super().__init__(**options)
        if min(null_move, quiet_plies, staged, reductions, tolerance, singular) < 0:
            raise ValueError("null_move, quiet_plies, tolerance, singular, staged and reductions must be at least 0")
        if probcut != 0 and not 0.5 <= probcut < 1:
            raise ValueError("probcut must be 0 (never) or a confidence from 0.5 to below 1")
        if tolerance > 0 and quiescence == "none":
            raise ValueError("tolerance is for quiescence: it needs quiescence=consistency or quiescence=locked")
        self.quiescence, self.quiet_rule = quiescence, RULES.index(quiescence)
        self.quiet_plies, self.tolerance = quiet_plies, tolerance
        self.null_move, self.razor, self.singular, self.probcut = null_move, razor, singular, probcut
        self.staged, self.reductions = staged, reductions
        self.deviations = normal_quantile(probcut) if probcut else 0.0
        self.tries = null_move > 0 or probcut > 0 or singular > 0
        self.selects = self.tries or staged > 0 or reductions > 0
        forward, further = null_move > 0 or probcut > 0 or razor, quiescence != "none" or singular > 0 or staged > 0
        self.exact = self.exact and not (forward or further or reductions > 0)
        self.proves = type(self).proves and not forward
        self.keeps_depth = self.keeps_depth and not further

    @property
    def needs(self) -> tuple[str, ...]:
        """What some of the options cannot do without."""
        wanted = {"null": self.null_move > 0, "noisy": self.quiescence == "noisy", "probcut": self.probcut > 0}
        return tuple(need for need, is_wanted in wanted.items() if is_wanted)

    def note_options(self, tree, node):
        if self.selects:
            begin_options(self, tree, node)

    def tries_some(self, tree, node, ply):
        return self.selects and is_restricted(self, tree, node, ply)

    def arrange_beyond(self, game, evaluator, tree, node):
        if tree.left[node] > 0:
            return False
        arrange_quiet(self, game, evaluator, tree, node)
        return True

    def known_beyond(self, game, evaluator, tree, node):
        return stands_at_once(self, game, evaluator, tree, node)

    def trial(self, game, evaluator, tree, node):
        return next_trial(self, game, evaluator, tree, node) if self.tries else np.int64(0)

    def begin_trial(self, game, evaluator, tree, node, child, tried):
        set_trial(self, game, evaluator, tree, node, child, tried)

    def trying(self, tree, node):
        return tree.trying[node] if self.tries and tree.outcomes[node] == 0 else np.int64(0)

    def end_trial(self, tree, node, child):
        judge_trial(self, tree, node, child)

    def plies_left(self, game, tree, node, child):
        return plies_for(self, game, tree, node, child) if self.selects else tree.left[node] - 1

    def beyond(self, tree, child):
        return self.quiet_rule != 0 and tree.left[child] > -self.quiet_plies and not is_plain(tree)

    def doubted(self, tree, node, child):
        return self.selects and is_doubted(self, tree, node, child)

    # What follows runs in Python only.

    def extras(self, game, evaluator, compiled):
        return {"verified": np.zeros(LONGEST_LINE + 2, np.int64)}

    def prepare(self, tree, game, state, limits):
        tree.register[0].deepens = int(limits[DEEPEN])

    def statistics(self, tree):
        at = tree.register[0]
        more = {
            "null-move cut-offs": at.null_cuts,
            "ProbCut cut-offs": at.probable_cuts,
            "moves razored": at.razored,
            "moves extended": at.extended,
            "moves reduced": at.reduced,
        }
        return super().statistics(tree) | {name: int(number) for name, number in more.items() if number}


# The parts that these options have in alpha-beta's own.


@part
def note_options(search, tree, node):
    """The moves of `node` have been listed: the options of selective search begin there."""


@part
def tries_some(search, tree, node, ply):
    """Whether of `node`, `ply` plies from the root, only some moves are tried, so its value is not to be kept."""
    return False


@part
def arrange_beyond(search, game, evaluator, tree, node):
    """Does `node` lie at the horizon or beyond? Then say which of its moves are tried."""
    return False


@part
def known_beyond(search, game, evaluator, tree, node):
    """Is the value of `node`, at the horizon or beyond, known? Then set `backed` and `cut`, and say True."""
    return False
