"""What SSS* knows of each node of its tree, for `ludus trace`: read from the merits when the search is done.

A node came on OPEN with a merit h. What is left of that is its last merit m: if it is solved its own, else the highest
among the states below it that are still on OPEN. To MAX the node is worth
- m, if it is solved with m < h;
- at least m, if it is solved with m = h;
- at most m, if it is not solved and m < h.
Else nothing is known of it: it is still as good as what comes before it allows.
"""

from __future__ import annotations

import math

import numpy as np

from ludus.model.budget import Budget
from ludus.runtime.session import Session
from ludus.runtime.walk import Visit, Walker


class MeritReader(Walker):
    """Reads the tree that the search has in memory, instead of following its steps."""

    windows = False

    def __init__(self, session: Session, dual: bool) -> None:
        super().__init__(session)
        self.dual = dual

    @property
    def nodes(self) -> int:
        return int(np.count_nonzero(self.tree.ready[: int(self.tree.size[0])]))

    def go_on(self, budget: Budget) -> int:
        return self.session.one_look(budget)

    def visits(self) -> Visit:
        return self._read(0, "", math.inf)[0]

    def _read(self, node: int, name: str, before: float) -> tuple[Visit, float]:
        """A node that came on OPEN with the merit `before`, if it did so at all; and its last merit."""
        tree, visit = self.tree, Visit(name)
        to_mover = 1 if tree.ply[node] % 2 == self.dual else -1
        if tree.count[node] <= 0:
            if not tree.solved[node]:
                return visit, before  # generated for the order of moves, and left alone
            visit.value = float(tree.static[node])
            return visit, float(tree.merit[node])
        visit.entered, visit.searches = True, 1
        last = self._read_children(node, visit, before, to_mover == 1)
        solved = bool(tree.solved[node])
        if solved:
            last = float(tree.merit[node])
        low = last if not solved and last < before else -math.inf
        if solved or last < before:
            visit.value = 0.0 + to_mover * last
        visit.alpha, visit.beta = (low, before) if to_mover == 1 else (-before, -low)
        return visit, last

    def _read_children(self, node: int, visit: Visit, before: float, is_max: bool) -> float:
        """Note down the successors of `node`, from left to right; the highest merit that is left below."""
        tree, children = self.tree, self.children(node)
        last = -math.inf if is_max else before
        for child in map(int, tree.ranked[children.start : children.stop]):
            name, merit = self.name(node, child), before if is_max else last
            if tree.ready[child]:
                below, merit = self._read(child, name, merit)
                visit.children.append(below)
            else:
                visit.cut.append(name)
            last = max(last, merit) if is_max else merit
        return last
