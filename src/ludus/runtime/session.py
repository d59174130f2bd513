"""`Session`: a search at work on one game."""

from __future__ import annotations

from typing import Any

from ludus.kernel import limits as b
from ludus.model.budget import Budget, Meter
from ludus.model.result import Child, Result, number_words
from ludus.model.search import EVALUATOR, Search, known_of
from ludus.model.view import TreeView
from ludus.runtime.runner import DEFAULT_MEMORY, Runner


class Session(Runner):
    """A search on one game with one evaluator: compiled once, its memory kept from move to move."""

    @property
    def search(self) -> Search:
        return self.program

    def one_look(self, budget: Budget) -> int:
        """Go on until the budget was looked at once, which is before every expansion; says why it came back.

        Between two looks an interpreted search can be read. Time is not up before the root has been expanded.
        """
        if budget.seconds is not None and self.elapsed >= budget.seconds and self.tree.record.size[0] > 1:
            return b.STOP_SECONDS
        self.limits[b.PAUSE] = self.limits[b.LOOKS] + 1
        while (status := self.step()) == b.NEEDS_NODES:
            if not self.tree.grow(budget.memory or DEFAULT_MEMORY):
                return b.STOP_MEMORY
        return status

    def choose(self) -> int:
        """The move that the finished search would play."""
        tree = self.tree.record
        return tree.move.item(self.program.choice(tree))

    def result(self, state: Any, stopped: str, keep_tree: bool = False) -> Result:
        """All that the finished search has to say."""
        tree, search = self.tree.record, self.search
        search.conclude(self)
        first, count = int(tree.first[0]), int(tree.count[0])
        children = [self._child(state, node) for node in range(first, first + count)]
        chosen = search.choice(tree)
        return Result(
            game=self.game,
            state=state,
            chosen=children[chosen - first],
            line=search.line(tree),
            children=children,
            meter=Meter.read(self.meter, self.seconds),
            stopped=stopped,
            scale=search.value_scale,
            words=self.evaluator.words if search.value_scale == EVALUATOR else number_words,
            tree=TreeView.of(self, state) if keep_tree else None,
            statistics=search.statistics(tree),
        )

    def _child(self, state: Any, node: int) -> Child:
        move = int(self.tree.record.move[node])
        known = known_of(self.search, self.evaluator, self.tree.record, node)
        return Child(move, self.game.move_name(state, move), known)
