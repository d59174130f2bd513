"""`Search`: a control strategy; and `Session`: one search at work on one game, with its memory."""

from __future__ import annotations

import math
import signal
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ludus.core import budget as b
from ludus.core.budget import Budget, Meter
from ludus.core.component import Component
from ludus.core.errors import LudusError, NotCompilable, RuleError
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.result import Child, Result
from ludus.core.specialise import Kernel, plan, specialise
from ludus.core.tree import Tree

DEFAULT_MEMORY = 2000.0
"""Megabytes that a search's tree may take where the budget does not say."""

SLICE = 0.004
"""Seconds that a kernel runs before Python looks at the clock and at Ctrl-C."""


class Search(Component):
    """A control strategy: from a state, an evaluator and a budget to a `Result`.

    `step` grows `tree` until a limit is met and says why it came back; it may be called again at any time and goes
    on where it was. It calls `spent` before each expansion. Like a game's rules it is compiled, and its
    parameters are fields.
    """

    columns: ClassVar[dict[str, str]] = {}
    """What it keeps at each node besides what every tree has: name and dtype."""

    best_first: ClassVar[bool] = False
    """Whether the tree grows a leaf at a time (and can be drawn by `trace`)."""

    def step(self, game: Any, evaluator: Any, tree: Any, limits: Any) -> int:
        raise NotImplementedError

    # What follows is read from the tree by Python when `step` is done.

    def prepare(self, game: Game, limits: np.ndarray) -> None:
        """Adjust the limits to this search (an automatic depth, say)."""

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

    def opinion(self, tree: Any, child: int) -> dict[str, Any]:
        """What else the search knows of a child of the root, for the table of moves."""
        return {}


class Session:
    """One search on one game with one evaluator: compiled once, its memory kept from move to move."""

    def __init__(
        self,
        search: Search,
        game: Game,
        evaluator: Evaluator,
        compiled: bool | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        """`compiled=None`: compile if possible, else warn and interpret; True: compile or fail; False: interpret."""
        self.search, self.game, self.evaluator = search, game, evaluator
        self.meter = np.zeros(4, np.int64)
        self.limits = Budget().limits()
        self.kernel: Kernel | None = None
        self.tree: Tree
        self._arguments: tuple[Any, ...]
        self._pace = 0.0
        if compiled is not False:
            try:
                self._compile(announce or (lambda words: None))
            except NotCompilable as reason:
                if compiled:
                    raise
                message = f"{search.title} runs interpreted on {game.title}, many times slower: {reason}"
                warnings.warn(message, InterpretedWarning, stacklevel=3)
        if self.kernel is None:
            self.tree = Tree(game, type(search).columns, compiled=False)
            self._arguments = (game.metered(self.meter), evaluator)

    def _compile(self, announce: Callable[[str], None]) -> None:
        made = plan(self.search, self.game, self.evaluator)
        self.tree = Tree(self.game, type(self.search).columns, compiled=True)
        search = made.record(self.search)
        game = made.record(self.game, meter=self.meter, scratch=self.game.buffer())
        self._arguments = (search, game, made.record(self.evaluator))
        arguments = (*self._arguments, self.tree.record, self.limits)
        words = f"compiling {self.search.title} for {self.game.title}"
        self.kernel = specialise(made, arguments, lambda: self._rehearse(announce, words))

    def _rehearse(self, announce: Callable[[str], None], words: str) -> None:
        """Before the first compilation: a few hundred positions interpreted, where a wrong index is an error."""
        announce(words)
        Session(self.search, self.game, self.evaluator, compiled=False).run(self.game.start, Budget(nodes=300), seed=1)

    def step(self) -> int:
        """One slice of the search."""
        if self.kernel is not None:
            return self.kernel.entry(*self._arguments, self.tree.record, self.limits)
        with np.errstate(over="ignore", invalid="ignore"):
            game, evaluator = self._arguments
            return self.search.step(game, evaluator, self.tree.record, self.limits)

    def run(self, state: Any, budget: Budget, seed: int = 0, progress: Callable[[Session], None] | None = None) -> str:
        """Search from `state` until the budget is spent; returns why it stopped. The tree holds the rest."""
        self.meter[:] = 0
        self.tree.plant(state, seed)
        self.limits[:] = budget.limits()
        self.search.prepare(self.game, self.limits)
        self.started = started = time.perf_counter()
        try:
            status = self._slices(budget, started, progress)
        except Exception as error:
            if self.kernel is None or isinstance(error, LudusError):
                raise
            raise self._replay(state, budget, seed, error) from error
        self.seconds = time.perf_counter() - started
        return b.STOPPED[status]

    def _slices(self, budget: Budget, started: float, progress: Callable[[Session], None] | None) -> int:
        limits, memory = self.limits, budget.memory or DEFAULT_MEMORY
        deadline = started + budget.seconds if budget.seconds is not None else math.inf
        limits[b.PAUSE] = self._slice_work(min(SLICE, deadline - started))
        while True:
            status = self.step()
            if status == b.NEEDS_NODES:
                if not self.tree.grow(memory):
                    return b.STOP_MEMORY
            elif status == b.NEEDS_PLIES:
                self.tree.deepen()
            elif status != b.PAUSED:
                return status
            if progress is not None:
                progress(self)
            now = time.perf_counter()
            if now >= deadline:
                return b.STOP_SECONDS
            done = int(self.meter[b.GENERATED] + self.meter[b.TRAVERSED])
            self._pace = max(done / (now - started), 1.0)
            limits[b.PAUSE] = done + self._slice_work(min(SLICE, deadline - now))

    def _slice_work(self, seconds: float) -> int:
        """How many steps fit into so many seconds, as far as is known."""
        return max(int(self._pace * seconds), 1) if self._pace else 500

    def _replay(self, state: Any, budget: Budget, seed: int, error: Exception) -> Exception:
        """Search again interpreted, to name the rule, the position and the line that failed in compiled code."""
        slow = Session(self.search, self.game, self.evaluator, compiled=False)
        limit = Budget(nodes=int(self.meter[b.GENERATED]) + 1, depth=budget.depth)
        try:
            slow.run(state, limit, seed)
        except RuleError as precise:
            return precise
        return RuleError(f"a rule of {self.game.title} failed in compiled code only ({error!r}); try ludus check.")

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.started

    def choose(self) -> int:
        """The move that the finished search would play."""
        return int(self.tree.record.move[self.search.choice(self.tree.record)])

    def result(self, state: Any, stopped: str) -> Result:
        """All that the finished search has to say."""
        tree, search = self.tree.record, self.search
        first, count = int(tree.first[0]), int(tree.count[0])
        chosen = search.choice(tree)
        children = []
        for node in range(first, first + count):
            move = int(tree.move[node])
            children.append(
                Child(move, self.game.move_name(state, move), 0.0 - float(tree.value[node]), search.opinion(tree, node))
            )
        return Result(
            game=self.game,
            state=state,
            move=int(tree.move[chosen]),
            value=0.0 - float(tree.value[chosen]),
            line=search.line(tree),
            children=children,
            meter=Meter.read(self.meter, self.seconds),
            stopped=stopped,
        )


class InterpretedWarning(UserWarning):
    """A rule could not be compiled, so the search runs interpreted."""


class interruptible:
    """While a search runs in the main thread, Ctrl-C ends it with the best move so far instead of raising."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def __enter__(self) -> None:
        self.before: Any = None
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if handler is signal.default_int_handler:
                self.before = handler
                signal.signal(signal.SIGINT, self._stop)

    def _stop(self, *_: Any) -> None:
        self.session.limits[b.INTERRUPT] = 1

    def __exit__(self, *_: Any) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)


def lowest(values: np.ndarray) -> int:
    """The index of the lowest known value, the first of equals; 0 if none is known."""
    index = int(values.argmin())  # NaN, the unknown, would win here
    return index if values[index] == values[index] or np.isnan(values).all() else int(np.nanargmin(values))
