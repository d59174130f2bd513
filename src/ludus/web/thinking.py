"""One search under way, in a thread: kernels release the lock, and between two slices it hears what people want.

A search is stepped, paused and looked at in the callback that `Player.choose` calls after each slice.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ludus.common.errors import LudusError, RuleError
from ludus.kernel import limits as b
from ludus.kernel.rules import FAILURES
from ludus.learning.automatic_calibration import with_calibration
from ludus.model.position import Position
from ludus.model.result import Result
from ludus.runtime.session import Session
from ludus.web.events import EventLog
from ludus.web.limits import LEASE, LONG_LEASE, PACE
from ludus.web.looks import Looks
from ludus.web.plain import Refusal
from ludus.web.pool import Seated
from ludus.web.results import thought_data

PREPARING, RUNNING, PAUSED, DONE, FAILED = "preparing", "running", "paused", "done", "failed"

PATIENCE = 5.0
"""Seconds that a question about a tree waits for its search to listen."""

COSTLY = 4.0
"""A look that takes long may take a fifth of the time: the next one waits this many times as long as it took."""

DENSE_SECONDS = 1.5
"""Seconds of processor time that looks may take that are made every few expansions, however fast the search is."""

SOON = 0.2
"""Seconds between two words on how far a preparation is."""

compiling = threading.Lock()
"""Held by the one thread that prepares a player."""


@dataclass(frozen=True)
class Wish:
    """What a thought is asked for."""

    game: str
    position: Position
    ply: int
    player: str
    budget: str | None = None
    seed: int = 0
    watch: bool = False
    paused: bool = False


class Lease:
    """Whether anybody still wants to know: a stream is open, or somebody has asked a moment ago."""

    def __init__(self) -> None:
        self.readers = 0
        self.touched = time.monotonic()
        self._lock = threading.Lock()

    def touch(self) -> None:
        self.touched = time.monotonic()

    @contextmanager
    def held(self) -> Iterator[None]:
        with self._lock:
            self.readers += 1
        try:
            yield
        finally:
            with self._lock:
                self.readers -= 1
            self.touch()

    def is_over(self, seconds: float) -> bool:
        return self.readers == 0 and time.monotonic() - self.touched > seconds


class Thought:
    """One search of one position, in a thread of its own."""

    def __init__(self, name: str, wish: Wish, seated: Seated, finished: Callable[[Thought], None]) -> None:
        self.name, self.wish, self.seated = name, wish, seated
        self.log, self.lease = EventLog(), Lease()
        self.status, self.words, self.error = PREPARING, "", ""
        self.result: Result | None = None
        self.looks: Looks | None = None
        self.session: Session | None = None
        self.shares: tuple[str | None, list[float | None]] | None = None
        """Which part of the effort each move had, when that has been worked out."""
        self.walked: Any = None
        """Of a full-width search what its last pass visited, when somebody has asked."""
        self._finished = finished
        self._changed = threading.Condition()
        self._stop = False
        self._steps = 1 if wish.watch and wish.paused else -1
        """How many steps are to be made before it rests; -1: it runs."""
        self._due = self._said = 0.0
        self._spent = 0.0
        self._questions: list[tuple[Callable[[], Any], Future[Any]]] = []
        self.thread = threading.Thread(target=self._think, name=f"thought {name}", daemon=True)

    # What others may ask, from any thread.

    @property
    def is_done(self) -> bool:
        return self.status in (DONE, FAILED)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        """End it soon, with what it has."""
        with self._changed:
            self._stop = True
            self._changed.notify_all()

    def run(self) -> None:
        self._go(-1)

    def step(self, steps: int) -> None:
        self._go(steps)

    def pause(self) -> None:
        with self._changed:
            if self._steps < 0:
                self._steps = 0
            self._changed.notify_all()

    def _go(self, steps: int) -> None:
        with self._changed:
            if self.is_done:
                raise Refusal(409, "this search has ended: start another one.")
            self._steps = steps if steps < 0 or self._steps < 0 else self._steps + steps
            self._changed.notify_all()

    def ask(self, question: Callable[[], Any]) -> Any:
        """The answer to a question about its tree, worked out while the search rests between two slices."""
        with self._changed:
            if not self.is_done:
                answer: Future[Any] = Future()
                self._questions.append((question, answer))
                self._changed.notify_all()
            else:
                return question()
        return answer.result(PATIENCE)

    @property
    def has_gone(self) -> bool:
        """Whether it is under way and nobody wants to know any more."""
        return not self.is_done and self.lease.is_over(LONG_LEASE if self.status == PAUSED else LEASE)

    @property
    def nodes(self) -> int:
        """The size of its tree."""
        return int(self.session.tree.record.size[0]) if self.session is not None else 0

    # The thread.

    def _think(self) -> None:
        try:
            self._prepare()
            self._search()
        except LudusError as error:
            self._fail(str(error))
        except MemoryError:
            self._fail("there is not enough memory: give smaller numbers.")
        except FAILURES as error:
            self._fail(str(RuleError.during(self.seated.game, "a rule", self.wish.position.state, error)))
        except BaseException as error:
            self._fail(f"the search has ended by {type(error).__name__}.")
            raise
        finally:
            self._answer(last=True)
            self._finished(self)

    def _prepare(self) -> None:
        """Compile, and fit what the search needs, one thought at a time."""
        self._say("waiting until another search is compiled" if compiling.locked() else "")
        with compiling:
            if self._stop:
                raise LudusError("stopped before it began.")
            seated = self.seated
            seated.player.announce = self._say
            seated.player = with_calibration(seated.player, seated.game, lambda done, words: self._say(words))
            seated.player.announce = self._say
            self.session = seated.player.session(seated.game)
        self._say("")
        self.looks = Looks(self.session, seated.game, self.wish.position.state)

    def _say(self, words: str) -> None:
        self.words, now = words, time.monotonic()
        if words and now - self._said < SOON:
            return
        self._said = now
        self.log.add("status", {"status": self.status, "words": words})

    def _enter(self, status: str) -> None:
        if status != self.status:
            self.status = status
            self.log.add("status", {"status": status, "words": ""})

    def _search(self) -> None:
        seated, wish, session = self.seated, self.wish, self.session
        assert session is not None
        self._enter(RUNNING)
        session.most_looks = 1 if wish.watch else b.UNLIMITED
        state = seated.game.read_state(wish.position.state)
        try:
            found = seated.player.choose(
                seated.game, state, seed=wish.seed, ply=wish.ply, progress=self._progress if wish.watch else self._heed
            )
        finally:
            session.most_looks = b.UNLIMITED
        if wish.watch:
            self._look(last=True)
        self.result = found
        with self._changed:
            self.status = DONE
        self._finish_log()

    def _finish_log(self) -> None:
        self.log.add("done", thought_data(self))

    def _fail(self, message: str) -> None:
        self.error = " ".join(message.split())
        with self._changed:
            self.status = FAILED
        self.log.add("failed", {"error": self.error})

    def _heed(self, session: Any) -> None:
        """Between two slices of a search that nobody watches."""
        if self._stop:
            session.limits[b.INTERRUPT] = 1
        self._answer()

    def _progress(self, session: Any) -> None:
        """Between two slices: note down how it stands, answer questions, rest if it is to rest."""
        assert self.looks is not None
        stepped = self._steps >= 0
        with self._changed:
            self._steps = max(self._steps - 1, 0) if stepped else -1
        soon = self._spent < DENSE_SECONDS and self.looks.is_due
        if self.looks.passed() or (self._steps == 0 and stepped) or soon or time.monotonic() >= self._due:
            self._look()
        self._rest(session)
        if self._stop:
            session.limits[b.INTERRUPT] = 1
        session.most_looks = 1 if self._steps >= 0 else self.looks.slice
        self._answer()

    def _rest(self, session: Any) -> None:
        """Wait while it is paused; the clock of a budget of seconds stands still."""
        if self._steps != 0:
            return
        began = time.perf_counter()
        self._enter(PAUSED)
        while self._steps == 0 and not self._stop:
            self._answer()
            with self._changed:
                if self._steps == 0 and not self._stop and not self._questions:
                    self._changed.wait()
        self._enter(RUNNING)
        session.started += time.perf_counter() - began

    def _look(self, last: bool = False) -> None:
        """Note down how the search stands."""
        assert self.looks is not None
        began = time.thread_time()
        found = self.looks.now(last)
        if found is not None:
            self.log.add(self.looks.kind, found)
        took = time.thread_time() - began
        self._spent += took
        self._due = time.monotonic() + max(PACE, COSTLY * took)

    def _answer(self, last: bool = False) -> None:
        """Answer the questions that others have asked."""
        while True:
            with self._changed:
                if not self._questions:
                    return
                question, answer = self._questions.pop(0)
            try:
                answer.set_result(question())
            except BaseException as error:
                answer.set_exception(error)
