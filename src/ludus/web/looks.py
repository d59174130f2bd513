"""How a search stands, read between two slices of its work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.kernel import limits as b
from ludus.model.result import Known, number_words
from ludus.model.search import EVALUATOR, known_of
from ludus.runtime.session import Session
from ludus.web.limits import CHILDREN
from ludus.web.shares import Subtrees, counted, parts

DENSE = 100
"""A tree is looked at this many times until it has grown to e times its size; at first after each expansion."""

COARSE = 5_000
"""Looks at the budget in a slice, at most: a page that asks to stop is heard within some milliseconds."""

FINE = 200
"""A walk over a tree is looked at this many times in each of its passes, to see where one ends."""


class Looks:
    """Looks at one search at work on one position."""

    def __init__(self, session: Session, game: Any, state: Any) -> None:
        self.session, self.game, self.state = session, game, state
        self.search = session.search
        self.names: list[str] = []
        self.subtrees = Subtrees()
        self._pass = (0, 0)
        self._next = 0
        scale = self.search.value_scale
        self.words = session.evaluator.words if scale == EVALUATOR else number_words

    @property
    def kind(self) -> str:
        """What its events are called."""
        return "pass" if type(self.search).walks else "look"

    @property
    def slice(self) -> int:
        """Looks at the budget in a slice while it runs: few where the end of a pass would be missed."""
        if type(self.search).walks:
            return max(int(self.session.meter[b.GENERATED]) // FINE, 1)
        return min(max(int(self.session.limits[b.LOOKS]) // DENSE, 1), COARSE)

    @property
    def is_due(self) -> bool:
        """Whether the search has gone so far since the last look that another one is worth while."""
        if type(self.search).walks:
            return False
        return int(self.session.limits[b.LOOKS]) >= self._next

    @property
    def tree(self) -> Any:
        return self.session.tree.record

    @property
    def is_begun(self) -> bool:
        """Whether the root has been opened, so that there is something to see."""
        return int(self.tree.count[0]) > 0

    def passed(self) -> bool:
        """Whether a walk over the tree has begun another pass since it was last asked."""
        if not type(self.search).walks:
            return False
        at = self.tree.register[0]
        here = (int(at.horizon), int(getattr(at, "passes", 0)))
        before, self._pass = self._pass, here
        return before != here and before[0] > 0

    def now(self, last: bool = False) -> dict[str, Any] | None:
        """How it stands; None before anything is known. In a walk, only what a finished pass says."""
        if not self.is_begun:
            return None
        looks = int(self.session.limits[b.LOOKS])
        self._next = looks + max(looks // DENSE, 1)
        if not last:
            self.search.conclude(self.session)
        tree, meter = self.tree, self.session.meter
        first, count = int(tree.first[0]), int(tree.count[0])
        known = [known_of(self.search, self.session.evaluator, tree, node) for node in range(first, first + count)]
        self.names = self.names or [self.game.move_name(self.state, int(tree.move[first + i])) for i in range(count)]
        chosen = int(self.search.choice(tree)) - first
        rows, left_off = self.rows(known, chosen)
        above = self.subtrees.above(int(tree.parent[int(tree.size[0]) - 1])) if self.search.grows_tree else None
        return {
            "step": int(meter[b.EXPANDED]),
            "expanded": int(meter[b.EXPANDED]),
            "generated": int(meter[b.GENERATED]),
            "evaluated": int(meter[b.EVALUATED]),
            "size": int(tree.size[0]),
            "seconds": self.session.seconds if last else self.session.elapsed,
            "descended": None if above is None else self.names[above],
            "move": self.names[chosen],
            "value": known[chosen].value,
            "said": known[chosen].say(self.words),
            "line": self.game.move_names(self.search.line(tree), self.state),
            "children": rows,
            "left_off": left_off,
            "statistics": self.search.statistics(tree),
            "depth": self._depth(last),
        }

    def _depth(self, last: bool) -> int | None:
        if not type(self.search).walks:
            return None
        return int(self.search.statistics(self.tree).get("depth", 0))

    def shares(self, known: Sequence[Known]) -> tuple[str | None, list[float | None]]:
        """What the effort is measured in, and which part of it each of the root's moves had."""
        own = counted(known)
        if own is not None:
            return own[0], parts(own[1])
        if self.search.grows_tree:
            return "nodes in the tree", parts(self.subtrees.below(self.tree))
        return None, [None] * len(known)

    def rows(self, known: Sequence[Known], chosen: int, most: int = CHILDREN) -> tuple[list[dict[str, Any]], int]:
        """The root's moves in their order; of many the best and the chosen one, and how many are missing."""
        _, shares = self.shares(known)
        if self.search.grows_tree:
            self.subtrees.follow(self.tree)
        shown = list(range(len(known)))
        if len(known) > most:
            best = sorted(shown, key=lambda i: (i != chosen, known[i].value != known[i].value, -known[i].value))
            shown = sorted(best[:most])
        found = [row(self.names[i], known[i], self.words, shares[i]) for i in shown]
        return found, len(known) - len(found)


def row(name: str, known: Known, words: Any, share: float | None) -> dict[str, Any]:
    """What is known of a move."""
    about = {"move": name, "value": known.value, "low": known.low, "high": known.high, "proven": known.proven}
    more = {key: value for key, value in known.more.items() if key not in about}
    return about | {"score": known.score, "said": known.say(words), "share": share} | more
