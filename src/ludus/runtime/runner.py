"""`Runner`: a program at work on one game, with its memory."""

from __future__ import annotations

import copy
import dataclasses
import gc
import math
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np

from ludus.common.errors import LudusError, NotCompilable, RuleError
from ludus.compile.plan import Kernel, Plan, same_types
from ludus.compile.specialise import specialise
from ludus.kernel import limits as b
from ludus.kernel.columns import gathered
from ludus.kernel.random import seed_for
from ludus.kernel.rules import Contradiction
from ludus.kernel.tree import Tree
from ludus.model.budget import Budget
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.model.program import NoEvaluator
from ludus.model.watchdog import Watch, watching
from ludus.runtime.dry_run import dry_run
from ludus.runtime.plan import plan
from ludus.runtime.thread_team import ThreadTeam

DEFAULT_MEMORY = 2000.0
"""Megabytes that a program's tree may take where the budget does not say."""

WAIT = 0.0001
"""Seconds that a thread sleeps when another one is in its way."""

SLICE = 0.004
"""Seconds that a kernel runs before Python looks at the clock and at Ctrl-C."""

FIRST_SLICE = 16
"""Looks at the budget in the first slice of a run that has a deadline; each later one may be 4 times as long."""

ALONE = 0.001
"""Seconds that the first thread works alone: to start the others takes time too."""

COPYING = 500.0
"""Megabytes a second at which a kept tree is copied, at least; half of a budget of seconds may go into that."""

RULES = "the rules"
"""What is said to be compiled, or to run interpreted, where the program is one of ours that nobody knows by name."""


class Runner:
    """One program on one game with one evaluator: compiled once, its memory kept from run to run."""

    was_interrupted = False
    """Whether Ctrl-C was pressed in this run, or just before it began."""

    def __init__(
        self,
        program: Any,
        game: PlayableGame,
        evaluator: Evaluator | None = None,
        compiled: bool | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        """`compiled=None`: compile if possible, else warn and interpret; True: compile or fail; False: interpret."""
        self.program, self.game, self.evaluator = program, game, evaluator or NoEvaluator()
        self.meter = np.zeros(4, np.int64)
        self.limits = Budget().limits()
        self.kernel: Kernel | None = None
        self.tree: Tree
        self.plan: Plan
        self._arguments: tuple[Any, ...]
        self._pace = 0.0
        """Looks at the budget in a second, as far as is known; 0: not at all."""
        self.leader: Runner | None = None
        """Of a further thread: the work that it is a part of, and its number there."""
        self.number = 0
        self.most_looks = b.UNLIMITED
        """Looks at the budget in a slice, at most; `progress` may change it, to see the search at work more often."""
        self.kept = False
        """Whether the tree of the last run is to be used again (searches with `reuse`); set False for a new game."""
        if compiled is not False:
            try:
                self._compile(announce or (lambda words: None))
            except NotCompilable as reason:
                if compiled:
                    raise
                who = self._subject
                warnings.warn(InterpretedWarning(who, game.title, str(reason), who == RULES), stacklevel=3)
        if self.kernel is None:
            self.tree = self._make_tree(compiled=False)
            self._arguments = (game.metered(self.meter), self.evaluator)
        self.team = ThreadTeam(self)

    @property
    def _is_ours(self) -> bool:
        """Whether the program is a part of ludus, and not somebody's own."""
        return type(self.program).__module__.startswith("ludus.")

    @property
    def _subject(self) -> str:
        """What people are told is compiled, or runs interpreted: a search by its name, other programs as the rules."""
        return RULES if self._is_ours and not type(self.program).name else self.program.title

    def _make_tree(self, compiled: bool) -> Tree:
        self._extras = self.program.extras(self.game, self.evaluator, compiled)
        return self._tree_with(self._extras, compiled)

    def _tree_with(self, extras: dict[str, Any], compiled: bool) -> Tree:
        kind = type(self.program)
        columns, registers = gathered(kind, "columns"), gathered(kind, "registers")
        unused = self.program.unused_columns(self.game)
        interleaved = self.program.interleaved
        return Tree(
            self.game, columns, compiled, registers=registers, extras=extras, unused=unused, interleaved=interleaved
        )

    def member(self, number: int) -> Runner:
        """A further thread of this work: the same kernel, with a meter, limits and, unless shared, tree of its own."""
        twin = copy.copy(self)
        twin.meter, twin.limits = self.meter.copy(), self.limits.copy()
        twin._arguments = twin._records(self.game, self.evaluator)
        twin.leader, twin.number = self, number
        extras = self.program.extras_of_member(self._extras, number)
        shared = self.program.shares_tree
        twin.tree = self.tree.for_thread(extras, 0) if shared else self._tree_with(extras, compiled=True)
        if not same_types((twin.tree.record,), (self.tree.record,)):
            raise TypeError(f"the extras of {self.program.title} have other names or types in a further thread.")
        return twin

    def _compile(self, announce: Callable[[str], None]) -> None:
        self.plan = made = plan(self.program, self.game, self.evaluator)
        self.tree = self._make_tree(compiled=True)
        self._arguments = self._records(self.game, self.evaluator)
        arguments = (*self._arguments, self.tree.record, self.limits)
        words = f"compiling {self._subject} for {self.game.title}"
        dry_run(self.game, self.evaluator)
        with uncollected():
            self.kernel = specialise(made, arguments, lambda: self._dry_run(announce, words))

    def _records(self, game: PlayableGame, evaluator: Evaluator) -> tuple[Any, ...]:
        """The program, the game and the evaluator as compiled code sees them."""
        metered = self.plan.record(game, **game.buffers(self.meter, cells="cell_values" in self.plan.names))
        return self.plan.record(self.program), metered, self.plan.record(evaluator)

    def _dry_run(self, announce: Callable[[str], None], words: str) -> None:
        """Before the first compilation: a few hundred positions interpreted, where a wrong index is an error."""
        announce(words)
        slow = Runner(self.program, self.game, self.evaluator.for_dry_run(), compiled=False)
        with watching():
            slow.run(self.game.start, Budget(nodes=300), seed=1)

    def rebind(self, game: PlayableGame, evaluator: Evaluator) -> bool:
        """Go on with another game of the same class, if its parameters have the same types; the memory is kept."""
        if game is self.game:
            return True
        if type(game) is not type(self.game) or type(evaluator) is not type(self.evaluator):
            return False
        if game.layout != self.game.layout or game.max_moves != self.game.max_moves:
            return False
        if self.kernel is None:
            self._arguments = (game.metered(self.meter), evaluator)
        else:
            arguments = self._records(game, evaluator)
            if not same_types(arguments, self._arguments):
                return False
            dry_run(game, evaluator)
            self._arguments = arguments
        self.game, self.evaluator, self.kept = game, evaluator, False
        for member in self.team.members:
            member.game, member.evaluator, member._arguments = game, evaluator, member._records(game, evaluator)
        return True

    def step(self) -> int:
        """One slice of the work."""
        if self.kernel is not None:
            return self.kernel.entry(*self._arguments, self.tree.record, self.limits)
        with np.errstate(over="ignore", invalid="ignore"):
            game, evaluator = self._arguments
            return self.program.step(game, evaluator, self.tree.record, self.limits)

    def run(
        self,
        state: Any,
        budget: Budget,
        seed: int = 0,
        progress: Callable[[Runner], None] | None = None,
        share: float = 1.0,
    ) -> str:
        """Work from `state` on until the budget is spent; returns why it stopped. The tree holds the rest."""
        if self.kernel is None or budget.seconds is None:
            status = self._begin_and_advance(state, budget, seed, progress, share)
        else:
            with uncollected():
                status = self._begin_and_advance(state, budget, seed, progress, share)
        self.kept = getattr(self.program, "reuse", False)
        if status not in b.STOPPED:
            known = "STOP_NODES, STOP_SOLVED and the like of ludus.kernel.limits"
            raise LudusError(f"{self.program.title} ends with {status!r} and not with why it stopped: {known}.")
        return b.STOPPED[status]

    def _begin_and_advance(self, state: Any, budget: Budget, seed: int, progress: Any, share: float) -> int:
        """Work from `state` on; says why it came back. Whatever fails is told so that it can be found."""
        self.begin(state, budget, seed, share)
        try:
            status = self._advance_all(state, budget, seed, progress, share)
        except Contradiction as error:
            raise self._contradiction(error) from error
        except NotImplementedError as error:
            name = traceback.extract_tb(error.__traceback__)[-1].name
            raise LudusError(f"{self.program.title} does not define {name}, which its driver needs.") from error
        except Exception as error:
            if self.kernel is None or isinstance(error, LudusError):
                raise
            raise self._replay(state, budget, seed, error) from error
        self.seconds = (
            time.perf_counter() - self.started
        )  # before garbage is collected, which is not the search's doing
        return status

    def _advance_all(self, state: Any, budget: Budget, seed: int, progress: Any, share: float) -> int:
        """Work with all threads, and see to what is left of the budget; the meter then has what they all spent."""
        if not self.team.members:
            return self.advance(budget, progress)
        if self.program.shares_tree:
            self.tree.share(budget.memory or DEFAULT_MEMORY)
        self.limits[b.PAUSE] = self.limits[b.LOOKS] + self._slice_looks(ALONE, b.UNLIMITED if self._pace else 1)
        status = self.step()
        if status not in (b.PAUSED, b.NEEDS_NODES):
            return status
        self.team.start(state, budget, seed, share)
        try:
            status = self.advance(budget, progress)
        except BaseException:
            self.team.abandon()
            raise
        finally:
            more = self.team.stop()
        if more and status in (b.STOP_NODES, b.STOP_UNITS):
            status = self.advance(budget, progress)
        self.team.hand_over()
        return status

    def begin(self, state: Any, budget: Budget, seed: int = 0, share: float = 1.0) -> None:
        """Set everything up for a run from `state`; `share` says which part of the budget is an even share."""
        self.started = time.perf_counter()
        self.meter.fill(0)
        self.tree.is_shared = False
        if self.leader is not None and self.program.shares_tree:
            extras = self.program.extras_of_member(self.leader._extras, self.number)
            self.tree = self.leader.tree.for_thread(extras, seed_for(seed, self.number))
        elif self.kept:
            self.tree.replant(state, seed, math.inf if budget.seconds is None else COPYING * budget.seconds / 2)
        else:
            self.tree.plant(state, seed)
        self.kept = False
        budget.set_limits(self.limits)
        if self.was_interrupted:  # before the limits were set
            self.limits[b.INTERRUPT] = 1
        if share != 1.0:
            self.limits[b.SHARE] = round(1000 * share)
        self.program.prepare(self.tree.record, self.game, state, self.limits)

    def advance(self, budget: Budget, progress: Callable[[Runner], None] | None = None) -> int:
        """Work, a slice at a time, until the program stops; it may be advanced again with other limits.

        A slice is as many looks at the budget as fit into `SLICE` seconds or, near the deadline, into half of what is
        left: looks are what a program really does, whatever it charges the meter. A pace that was found in another
        position may be wrong, so with a deadline the first slices are short.
        """
        limits, memory = self.limits, budget.memory or DEFAULT_MEMORY
        seconds_given = math.inf if budget.seconds is None else budget.seconds
        most = 1 if self._pace == 0.0 else b.UNLIMITED if budget.seconds is None else FIRST_SLICE
        now = time.perf_counter()
        while True:
            deadline = self.started + seconds_given  # which who pauses the run in `progress` puts off
            before, seconds = now, SLICE if budget.seconds is None else min(SLICE, (deadline - now) / 2)
            looks = self._slice_looks(seconds, most)
            limits[b.PAUSE] = limits.item(b.LOOKS) + looks
            if budget.seconds is not None:
                limits[b.ELAPSED] = int(1000 * (now - self.started) / budget.seconds)
            status = self.step()
            if status == b.NEEDS_NODES:
                if not self.tree.grow(memory):
                    return b.STOP_MEMORY
            elif status == b.WAITING:
                if limits[b.INTERRUPT] == b.ABANDONED:
                    return b.STOP_INTERRUPTED
                time.sleep(WAIT)
                now = time.perf_counter()
                continue  # whatever the clock says: it may have something to give back
            elif status != b.PAUSED:
                return status
            if progress is not None:
                progress(self)
            now = time.perf_counter()
            if now >= self.started + seconds_given:
                return b.STOP_SECONDS
            if limits[b.LOOKS] > limits[b.PAUSE]:  # or it came back before its time
                self._pace = looks / max(now - before, 1e-9)
                most = min(4 * looks, b.UNLIMITED)

    def _slice_looks(self, seconds: float, most: int) -> int:
        """How many looks at the budget fit into this number of seconds, as far as is known, and at most."""
        most = min(most, self.most_looks)
        return min(max(int(self._pace * seconds), 1), most) if self._pace else most

    def _contradiction(self, error: Contradiction) -> Exception:
        """The error that names the position in which `over` and `moves` contradict each other.

        If there is none, somebody's own search has expanded a finished game.
        """
        leaves = np.flatnonzero(self.tree.arrays["count"][: self.tree.arrays["size"][0]] == 0)
        states = [self.tree.state(int(node)) for node in leaves]
        state = next((state for state in states if not self.game.is_over(state)), None)
        if state is None and not self._is_ours:
            return LudusError(f"{self.program.title} expands a finished game; what it expands must have a count of -1.")
        why = ValueError("it says that the game goes on, but there are no moves; try ludus check")
        return RuleError.during(self.game, "over", state, why)

    def _replay(self, state: Any, budget: Budget, seed: int, error: Exception) -> Exception:
        """The same again interpreted, to name the rule, the position and the line that failed in compiled code."""
        slow = Runner(self.program, self.game, self.evaluator, compiled=False)
        if budget.seconds is not None:
            budget = dataclasses.replace(budget, seconds=None, nodes=budget.nodes or b.UNLIMITED)

        def give_up(session: Runner) -> None:
            session.limits[b.INTERRUPT] = session.meter[b.GENERATED] > self.meter[b.GENERATED]

        return RuleError.replayed(self.game, error, lambda: slow.run(state, budget, seed, give_up))

    @property
    def generated(self) -> int:
        """Nodes generated so far, by all threads."""
        return int(self.meter[b.GENERATED] + self.team.spent[b.GENERATED])

    @property
    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self.started


@contextmanager
def uncollected() -> Iterator[None]:
    """While compiled code runs against the clock, or is made: no collection of garbage, which with Numba loaded takes
    80 ms, and finds little before the end.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


SLOWER = "many times slower (80 to 450 times on tic-tac-toe)"
"""What it means to run interpreted, as the benchmark `boards` measures it."""


class InterpretedWarning(UserWarning):
    """A rule could not be compiled, so one search, or several, run interpreted."""

    def __init__(self, who: str, game: str, reason: str, several: bool = False) -> None:
        super().__init__(f"{who} run{'' if several else 's'} interpreted on {game}, {SLOWER}: {reason}")
        self.reason = reason


class interruptible:
    """While a program runs in the main thread, Ctrl-C ends it with what it has so far instead of raising.

    The second time it raises: a rule may be stuck. The error's words say in which rule it was, if it was interpreted.
    """

    def __init__(self, work: Runner) -> None:
        self.work = work

    def __enter__(self) -> None:
        self.before: Any = None
        self.work.was_interrupted = False
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if handler is signal.default_int_handler:
                self.before = handler
                signal.signal(signal.SIGINT, self._stop)

    def _stop(self, _: int, frame: FrameType | None) -> None:
        if self.work.was_interrupted:
            place = Watch().place(frame)
            raise KeyboardInterrupt(*([f"interrupted in {place}."] if place else []))
        self.work.was_interrupted = True
        self.work.limits[b.INTERRUPT] = 1

    def __exit__(self, *_: Any) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)
        self.work.was_interrupted = False
