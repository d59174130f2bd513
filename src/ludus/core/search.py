"""`Search`: a control strategy; and `Session`: one search at work on one game, with its memory."""

from __future__ import annotations

import dataclasses
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
from ludus.core.compile.specialise import Kernel, Plan, plan, same_types, specialise
from ludus.core.component import Component
from ludus.core.errors import LudusError, NotCompilable, RuleError
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.playout import playout_nodes
from ludus.core.result import Child, Result
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

    contender: ClassVar[bool] = False
    """Whether it takes part in a ranking for which nobody names the players."""

    chooses_depth: ClassVar[bool] = False
    """Whether it understands `depth=auto`."""

    best_first: ClassVar[bool] = False
    """Whether the tree grows a leaf at a time (and can be drawn by `trace`)."""

    handles_chance: ClassVar[bool] = False
    """Whether it can search games in which chance has a part."""

    plays_out: ClassVar[bool] = False
    """Whether it plays games to the end at random, beyond what is in its tree and beyond a limit on depth."""

    def step(self, game: Any, evaluator: Any, tree: Any, limits: Any) -> int:
        raise NotImplementedError

    def largest_step(self, game: Game, evaluator: Evaluator) -> int:
        """The most nodes generated between two looks at the budget: an expansion with its evaluations, or a playout."""
        child = 1 + evaluator.plays(game)
        expansion = game.preview + game.max_moves * child
        return max(expansion, game.preview + child + playout_nodes(game)) if type(self).plays_out else expansion

    # What follows is read from the tree by Python when `step` is done.

    def extras(self, game: Game, compiled: bool) -> dict[str, Any]:
        """Arrays and records, besides the columns, that its tree has; made once a session."""
        return {}

    def prepare(self, tree: Any, game: Game, state: Any, limits: np.ndarray) -> None:
        """Before each search: adjust the limits (an automatic depth, say) or what `extras` made."""

    def complete(self, session: Session) -> None:
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
        self.plan: Plan
        self._arguments: tuple[Any, ...]
        self._pace = 0.0
        self.kept = False
        """Whether the tree of the last search is to be used again (searches with `reuse`); set False for a new game."""
        if compiled is not False:
            try:
                self._compile(announce or (lambda words: None))
            except NotCompilable as reason:
                if compiled:
                    raise
                warnings.warn(InterpretedWarning(search.title, game.title, str(reason)), stacklevel=3)
        if self.kernel is None:
            self.tree = self._make_tree(compiled=False)
            self._arguments = (game.metered(self.meter), evaluator)

    def _make_tree(self, compiled: bool) -> Tree:
        extras = self.search.extras(self.game, compiled)
        return Tree(self.game, type(self.search).columns, compiled, extras=extras)

    def _compile(self, announce: Callable[[str], None]) -> None:
        self.plan = made = plan(self.search, self.game, self.evaluator)
        self.tree = self._make_tree(compiled=True)
        self._arguments = self._records(self.game, self.evaluator)
        arguments = (*self._arguments, self.tree.record, self.limits)
        words = f"compiling {self.search.title} for {self.game.title}"
        self.kernel = specialise(made, arguments, lambda: self._rehearse(announce, words))

    def _records(self, game: Game, evaluator: Evaluator) -> tuple[Any, ...]:
        """The search, the game and the evaluator as compiled code sees them."""
        metered = self.plan.record(game, **game.buffers(self.meter))
        return self.plan.record(self.search), metered, self.plan.record(evaluator)

    def _rehearse(self, announce: Callable[[str], None], words: str) -> None:
        """Before the first compilation: a few hundred positions interpreted, where a wrong index is an error."""
        announce(words)
        session = Session(self.search, self.game, self.evaluator.rehearsal(), compiled=False)
        session.run(self.game.start, Budget(nodes=300), seed=1)

    def rebind(self, game: Game, evaluator: Evaluator) -> bool:
        """Go on with another game of the same class, if its parameters have the same types; the memory is kept."""
        if game is self.game:
            return True
        if type(game) is not type(self.game) or type(evaluator) is not type(self.evaluator):
            return False
        if game.layout.dtypes != self.game.layout.dtypes or game.max_moves != self.game.max_moves:
            return False
        if self.kernel is None:
            self._arguments = (game.metered(self.meter), evaluator)
        else:
            arguments = self._records(game, evaluator)
            if not same_types(arguments, self._arguments):
                return False
            self._arguments = arguments
        self.game, self.evaluator, self.kept = game, evaluator, False
        return True

    def step(self) -> int:
        """One slice of the search."""
        if self.kernel is not None:
            return self.kernel.entry(*self._arguments, self.tree.record, self.limits)
        with np.errstate(over="ignore", invalid="ignore"):
            game, evaluator = self._arguments
            return self.search.step(game, evaluator, self.tree.record, self.limits)

    def run(self, state: Any, budget: Budget, seed: int = 0, progress: Callable[[Session], None] | None = None) -> str:
        """Search from `state` until the budget is spent; returns why it stopped. The tree holds the rest."""
        self.begin(state, budget, seed)
        try:
            status = self.advance(budget, progress)
        except Exception as error:
            if self.kernel is None or isinstance(error, LudusError):
                raise
            raise self._replay(state, budget, seed, error) from error
        self.seconds = self.elapsed
        self.kept = getattr(self.search, "reuse", False)
        return b.STOPPED[status]

    def begin(self, state: Any, budget: Budget, seed: int = 0) -> None:
        """Set everything up for a search from `state`."""
        self.meter[:] = 0
        if self.kept:
            self.tree.replant(state, seed)
        else:
            self.tree.plant(state, seed)
        self.kept = False
        self.limits[:] = budget.limits()
        self.search.prepare(self.tree.record, self.game, state, self.limits)
        self.started = time.perf_counter()

    def advance(self, budget: Budget, progress: Callable[[Session], None] | None = None) -> int:
        """Let the search work, a slice at a time, until it stops; it may be advanced again with other limits."""
        limits, memory = self.limits, budget.memory or DEFAULT_MEMORY
        deadline = self.started + budget.seconds if budget.seconds is not None else math.inf
        done = int(self.meter[b.GENERATED] + self.meter[b.TRAVERSED])
        limits[b.PAUSE] = done + self._slice_work(min(SLICE, deadline - self.started))
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
            self._pace = max(done / (now - self.started), 1.0)
            limits[b.PAUSE] = done + self._slice_work(min(SLICE, deadline - now))

    def _slice_work(self, seconds: float) -> int:
        """How many steps fit into so many seconds, as far as is known."""
        return max(int(self._pace * seconds), 1) if self._pace else 500

    def _replay(self, state: Any, budget: Budget, seed: int, error: Exception) -> Exception:
        """Search again interpreted, to name the rule, the position and the line that failed in compiled code."""
        slow = Session(self.search, self.game, self.evaluator, compiled=False)
        if budget.seconds is not None:
            budget = dataclasses.replace(budget, seconds=None, nodes=budget.nodes or b.UNLIMITED)

        def give_up(session: Session) -> None:
            session.limits[b.INTERRUPT] = session.meter[b.GENERATED] > self.meter[b.GENERATED]

        return RuleError.replayed(self.game, error, lambda: slow.run(state, budget, seed, give_up))

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
        search.complete(self)
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
            words=self.evaluator.words,
        )


class InterpretedWarning(UserWarning):
    """A rule could not be compiled, so one search, or several, run interpreted."""

    def __init__(self, who: str, game: str, reason: str, several: bool = False) -> None:
        super().__init__(f"{who} run{'' if several else 's'} interpreted on {game}, many times slower: {reason}")
        self.reason = reason


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
        if self.session.limits[b.INTERRUPT]:  # asked twice: a rule may be stuck
            raise KeyboardInterrupt
        self.session.limits[b.INTERRUPT] = 1

    def __exit__(self, *_: Any) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)


def lowest(values: np.ndarray) -> int:
    """The index of the lowest known value, the first of equals; 0 if none is known."""
    index = int(values.argmin())  # NaN, the unknown, would win here
    return index if values[index] == values[index] or np.isnan(values).all() else int(np.nanargmin(values))
