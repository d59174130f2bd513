"""A rule that does not return: found by looking now and then which call is at work."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from ludus.core.errors import RuleError, describe
from ludus.core.rules import rules_of

if TYPE_CHECKING:
    from ludus.core.evaluator import Evaluator
    from ludus.core.game import Game

TICK, PATIENCE = 0.5, 10
"""Seconds between two looks; how many looks in a row may find the same call of a rule."""
IDLE = 12
"""So many looks count as one while the call gets no processor time, because it waits or the machine is busy."""

RULES = ("initial", *(rule.name for rule in rules_of("game")))


class Stuck(BaseException):
    """No exception that a rule, or who calls it, might catch."""


class TooLong(BaseException):
    """What `at_most` raises: no exception that a rule, or who calls it, might catch."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Within it, in the main thread, interpreted code that takes longer is ended by `TooLong`."""

    def end(*_: Any) -> None:
        raise TooLong

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, end)
    timer = signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)  # whoever watches around this goes on


class Watch:
    """While it is entered, in the main thread, a rule that is interpreted for too long raises `Stuck`.

    The rules are those of `game` and of `judge`, an evaluator.

    `rule`, `position` and `message` then say which; after Ctrl-C too, if a rule seemed stuck.
    """

    def __init__(self, game: Game, judge: Evaluator | None = None) -> None:
        self.game = game
        self.codes = {getattr(getattr(type(game), rule), "__code__", None): rule for rule in RULES}
        if judge is not None:
            for rule in rules_of("evaluator"):
                code = getattr(type(judge), rule.name).__code__
                self.codes[code] = f"{rule.name} of evaluator {judge.title}"
        self.call: FrameType | None = None
        self.looks = self.seen = 0
        self.began = 0.0
        self.rule = self.position = self.message = ""

    def __enter__(self) -> Watch:
        self.able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        if self.able:
            self.before = signal.signal(signal.SIGALRM, self._look)
            self.timer = signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        return self

    def __exit__(self, *_: Any) -> None:
        if self.able:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self.before)
            signal.setitimer(signal.ITIMER_REAL, *self.timer)  # whoever watches around this goes on
        self.call = None

    def _look(self, _: int, frame: FrameType | None) -> None:
        at_work = self._called(frame)
        if at_work is not self.call:
            self.call, self.seen, self.began = at_work, 0, time.thread_time() - TICK / 10
        self.looks = max(int((time.thread_time() - self.began) / TICK), self.seen // IDLE)
        self.seen += 1
        if at_work is None or frame is None or self.looks < 2:
            self.rule = ""
            return
        self._name(at_work)
        self.message = f"the rule does not return: after {self.looks * TICK:g} s it was still at work ({_line(frame)})"
        if self.looks >= PATIENCE:
            raise Stuck

    def _called(self, frame: FrameType | None) -> FrameType | None:
        """The innermost call of a rule among those that lead to a frame."""
        while frame is not None and frame.f_code not in self.codes:
            frame = frame.f_back
        return frame

    def _name(self, at_work: FrameType) -> None:
        """Note which rule this is a call of, and in which position."""
        self.rule = self.codes[at_work.f_code]
        of_judge = " of evaluator " in self.rule
        names = at_work.f_code.co_varnames[2:3] if of_judge else at_work.f_code.co_varnames[1:2]
        self.position = describe(self.game, at_work.f_locals[names[0]]) if names and self.rule != "initial" else ""

    def place(self, frame: FrameType | None) -> str:
        """In words: which rule a frame is in, in which position and line; empty if it is in none."""
        at_work = self._called(frame)
        if at_work is None or frame is None:
            return ""
        self._name(at_work)
        return f"rule {self.rule} of {self.game.title}{self.in_position} ({_line(frame)})"

    @property
    def in_position(self) -> str:
        return f" in position {self.position}" if self.position else ""


def _line(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}, line {frame.f_lineno}"


@contextmanager
def watching(game: Game, judge: Evaluator | None = None) -> Iterator[None]:
    """Within it, in the main thread, a rule that does not return is an error that names it and the position."""
    with Watch(game, judge) as watch:
        try:
            yield
        except Stuck:
            words = f"rule {watch.rule} of {game.title} failed{watch.in_position}: {watch.message}"
            raise RuleError(words, watch.rule, watch.position, watch.message) from None
