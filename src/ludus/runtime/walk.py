"""How a full-width search walks over its tree: what it visits, with which windows, and what it cuts off.

The search runs interpreted and pauses after every look at its budget. Between two looks it does one thing: it lists the
moves of a node, or it visits a child. So the walk is read from the driver's stack. A search that goes another way, such
as SSS*, has a walker of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ludus.common.errors import SpecError, StateError
from ludus.kernel import limits as b
from ludus.kernel.records import plain
from ludus.kernel.tree import UNOPENED
from ludus.model.budget import Budget
from ludus.model.playable import PlayableGame
from ludus.model.result import number_words
from ludus.model.search import EVALUATOR
from ludus.runtime.player import Player
from ludus.runtime.session import Session


@dataclass
class Visit:
    """A node that was visited. Values are to the player to move there, in the search's scale."""

    move: str
    """The move that leads to it; none leads to the root."""
    entered: bool = False
    """Whether it was searched, and not valued at once."""
    value: float = math.nan
    """NaN: it was given up, or left out."""
    alpha: float = -math.inf
    """The window with which it was searched last."""
    beta: float = math.inf
    searches: int = 0
    """How often it was searched: more than once if a narrow window did not do."""
    children: list[Visit] = field(default_factory=list)
    """In the order in which they were visited in the last search."""
    cut: list[str] = field(default_factory=list)
    """The moves that were not tried in the last search."""

    @property
    def is_exact(self) -> bool:
        """Whether the value is exact, and not only a bound beyond the window."""
        above, below = self.alpha < self.value, self.value < self.beta
        return (above or self.alpha == -math.inf) and (below or self.beta == math.inf)

    def to_dict(self) -> dict[str, Any]:
        """For JSON; values are to the player to move at the node."""
        found: dict[str, Any] = {"move": self.move or None, "value": plain(self.value), "cut": self.cut}
        if self.entered:
            found |= {"alpha": plain(self.alpha), "beta": plain(self.beta), "searches": self.searches}
        return found | {"children": [child.to_dict() for child in self.children]}

    def __len__(self) -> int:
        return 1 + sum(map(len, self.children))


@dataclass
class Walk:
    """The last pass over the root of a full-width search."""

    player: str
    game: str
    depth: int
    root: Visit
    line: list[str]
    """The principal line."""
    stopped: str
    """Why: as for a search, or `most` if the limit of recorded nodes was reached."""
    words: Callable[[float], str]
    """How a value is said to people."""
    windows: bool
    """Whether its nodes were searched with windows, for people to see."""


def walk(game: PlayableGame, player: Player, state: Any = None, *, seed: int = 0, most: int = 300) -> Walk:
    """Search from `state` and note down what the last pass over the root visits, `most` nodes of it."""
    search = player.search
    if not search.walks:
        raise SpecError(f"{search.title} does not walk over a tree.")
    state = game.read_state(state)
    if game.is_over(state):
        raise StateError(f"the game is over in position {game.state_text(state)!r}: there is nothing to walk over.")
    evaluator = player.session(game).evaluator
    session, budget = Session(search, game, evaluator, compiled=False), player.share(game, 0)
    walker = search.walker(session) or Walker(session)
    session.begin(state, budget, seed)
    status = b.PAUSED
    while status == b.PAUSED and walker.nodes <= most:
        status = walker.go_on(budget)
    stopped = b.STOPPED.get(status, "most")
    line = game.move_names(search.line(session.tree.record), state)
    words = evaluator.words if search.value_scale == EVALUATOR else number_words
    depth, root = int(walker.at.horizon), walker.visits()
    return Walk(str(player.on(game)), str(game), depth, root, line, stopped, words, walker.windows)


class Walker:
    """Follows a search: `stack` holds the nodes between the root and the one at work, each with its index."""

    windows = True

    def __init__(self, session: Session) -> None:
        self.session = session
        self.root = Visit("")
        self.stack = [(0, self.root)]

    @property
    def tree(self) -> Any:
        return self.session.tree.record

    @property
    def at(self) -> Any:
        return self.tree.register[0]

    @property
    def nodes(self) -> int:
        """How many were visited."""
        return len(self.root)

    def visits(self) -> Visit:
        """The root, with all that was visited below."""
        return self.root

    def go_on(self, budget: Budget) -> int:
        """Let the search do one thing, and note it down; says why it came back."""
        session = self.session
        passed = int(self.at.horizon), int(self.at.passes)
        node = int(self.at.node)
        child = -1 if self.tree.count[node] == UNOPENED else session.search.next_visit(session, node)
        name = self.name(node, child) if child >= 0 else ""
        if node > 0 and child in self.children(node):
            self.tree.backed[child] = math.nan  # which it stays if the child is left out; at the root none is
        status = session.one_look(budget)
        if status in (b.STOP_MEMORY, b.STOP_SECONDS):
            return status
        if child >= 0:
            self._visited(child, name)
        else:
            self._opened(node)
        self._left()
        if (int(self.at.horizon), int(self.at.passes)) != passed and passed[0] > 0:
            self.root = Visit("")
            self.stack = [(0, self.root)]
            self._opened(0)
        return status

    def _opened(self, node: int) -> None:
        """The moves of the node at work have been listed."""
        visit = self.stack[-1][1]
        visit.entered, visit.searches, visit.children = True, visit.searches + 1, []
        visit.alpha, visit.beta = float(self.tree.floor[node]), float(self.tree.beta[node])
        visit.cut = [self.name(node, child) for child in self.children(node)]

    def children(self, node: int) -> range:
        first = int(self.tree.first[node])
        return range(first, first + max(int(self.tree.count[node]), 0))

    def name(self, node: int, child: int) -> str:
        """The move to a child of `node`, or what the search tries there before its moves."""
        if child not in self.children(node):
            return "trial"
        return self.session.game.move_name(self.session.tree.state(node), int(self.tree.move[child]))

    def _visited(self, child: int, name: str) -> None:
        """A child of the node at work was valued, left out, or entered."""
        parent = self.stack[-1][1]
        again = next((visit for visit in parent.children if visit.move == name), None)
        visit = again or Visit(name)
        if again is None:
            parent.children.append(visit)
            parent.cut = [move for move in parent.cut if move != name]
        if int(self.at.node) == child:
            self.stack.append((child, visit))
        else:
            visit.value = self._value(child)

    def _left(self) -> None:
        """Nodes that are no longer on the way to the node at work have been left."""
        path, node = set(), int(self.at.node)
        while node >= 0:
            path.add(node)
            node = int(self.tree.parent[node])
        while self.stack[-1][0] not in path:
            index, visit = self.stack.pop()
            visit.value = self._value(index)
        self.root.value = self._value(0)

    def _value(self, node: int) -> float:
        return self.session.search.in_scale(float(self.tree.backed[node]))
