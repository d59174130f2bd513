"""MTD(f): windows of no width that converge on the value (Plaat, Schaeffer, Pijls & de Bruin 1996).

A search with a window of no width cuts most, and tells whether the value lies above or below it. So begin at a guess,
and let the bound that each pass comes back with be where the next one tests, until a lower and an upper bound meet. One
more pass, in a window that holds this value alone, finds the move and the line that go with it.

The guess is the value of two iterations before, since most evaluators see odd and even depths differently. The first
iteration has an open window, the second begins at the value of the first, and where there is only one it begins at 0.

A pass repeats most of the one before. With memory that is cheap, so the table is on unless `table=false`: without it
the value is the same, at several times the nodes. From a guess above all values (`start=above`) this is SSS*, from
below (`start=below`) DUAL* (see `sss.py`): with moves tried as listed they come to the same leaves in the same order.

Every pass moves a bound to the value of another leaf. With an evaluator that gives a million different ones that may
take many: after `passes` of them, what lies between the bounds is searched in one window, as alpha-beta would.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.walk import inside


class Mtdf(AlphaBeta):
    """MTD(f): windows of no width that converge on the value from a first guess, with memory (Plaat et al. 1996)."""

    name = "mtdf"
    contender = False
    leaves_out = ("aspiration",)
    variants = (
        "start=above, table=false, order=false, killers=true, history=true, passes=2, ties=random",
        "start=below, deeper=true, memory_of_table=0.01",
    )
    registers = {
        "lower": "f8",  # bounds on the root's value in this iteration
        "upper": "f8",
        "guess": "f8",  # where the next pass tests
        "closing": "i8",  # whether this pass is to find the value between the bounds
        "last": "f8",  # the values of the last two iterations
        "last_but_one": "f8",
    }

    def __init__(
        self,
        start: Literal["guess", "above", "below"] = "guess",
        passes: int = 32,
        table: bool = True,
        **options: Any,
    ) -> None:
        """
        start: where the first window of an iteration is: at the guess, above all values or below them
        passes: windows of no width in one iteration; after that many, one window between the bounds
        table: as of `alphabeta`, and so are all further ones
        """
        if passes < 1:
            raise ValueError("passes must be at least 1")
        super().__init__(table=table, **options)
        self.passes, self.from_above, self.from_below = passes, start == "above", start == "below"

    def root_window(self, tree):
        at = tree.register[0]
        if at.passes == 1:
            at.lower, at.upper = -np.inf, np.inf
            at.guess = first_guess(self, at)
        at.closing = at.lower >= at.upper or at.horizon == 1 or at.passes > self.passes
        if at.closing:
            return np.nextafter(at.lower, -np.inf), np.nextafter(at.upper, np.inf)
        beta = at.guess if at.guess > at.lower else np.nextafter(at.lower, np.inf)
        return np.nextafter(beta, -np.inf), beta

    def another_pass(self, tree):
        at = tree.register[0]
        value = tree.backed[0]
        if not at.closing:
            take_bound(tree, value)
            return True
        if inside(value, tree.floor[0], tree.beta[0]):
            at.last_but_one = at.last if at.horizon > 1 else value
            at.last = value
            return False
        # Entries from deeper searches have let bounds meet that are not the value's: search with an open window.
        at.lower, at.upper = -np.inf, np.inf
        at.passes = max(at.passes, self.passes)
        return True


def first_guess(search, at):
    """Where the first pass of an iteration tests."""
    if search.from_above:
        return np.inf
    if search.from_below:
        return -np.inf
    return at.last_but_one


def take_bound(tree, value):
    """A pass without width is done: it has given a lower bound, and a move that reaches it, or an upper one."""
    at = tree.register[0]
    at.guess = value
    if value < tree.beta[0]:
        at.upper = value
        return
    at.lower = value
    if tree.best[0] != at.chosen:
        # The move chosen so far was tried first, and does not reach this bound: so from here on this one counts.
        at.chosen = tree.best[0]
        tree.line[0, 0] = tree.move[at.chosen]
        at.length = 1
