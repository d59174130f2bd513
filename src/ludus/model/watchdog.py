"""A rule, or another method of a game or an evaluator, that does not return: found by looking now and then which call
is at work. And one that would end the process."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ludus.common.errors import RuleError, describe
from ludus.model.component import Component

TICK, PATIENCE = 0.5, 10
"""Seconds between two looks; how many looks in a row may find the same call of a rule."""
IDLE = 12
"""This many looks count as one while the call gets no processor time, because it waits or the machine is busy."""

STATELESS = ("initial", "parse_state", "game_text", "prepare", "plays")
"""The methods that are not asked about a state."""


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
    """While it is entered, in the main thread, a method that is interpreted for too long raises `Stuck`.

    The methods are those that a game, or an evaluator, has in `watched`. `rule`, `position` and `message` then say
    which; after Ctrl-C too, if a method seemed stuck.
    """

    def __init__(self) -> None:
        self.call: FrameType | None = None
        self.looks = self.seen = 0
        self.began = 0.0
        self.game: Any = None
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
        if frame is not None and frame.f_code.co_filename == __file__:
            return  # a look within a look: the machine is busy
        at_work = watched_call(frame)
        if at_work is not self.call:
            self.call, self.seen, self.began = at_work, 0, time.thread_time() - TICK / 10
            self.rule = ""
        self.looks = max(int((time.thread_time() - self.began) / TICK), self.seen // IDLE)
        self.seen += 1
        if at_work is None or frame is None or self.looks < 2:
            return
        if not self.rule:
            self._name(at_work)
        self.message = f"the rule does not return: after {self.looks * TICK:g} s it was still at work ({_line(frame)})"
        if self.looks >= PATIENCE:
            raise Stuck

    def _name(self, at_work: FrameType) -> None:
        """Note which method this is a call of, and in which position."""
        owner, *given = (at_work.f_locals[name] for name in _parameters(at_work))
        self.rule, self.game = at_work.f_code.co_name, owner
        if not hasattr(owner, "initial"):  # an evaluator, which is given the game
            self.rule, self.game = f"{self.rule} of evaluator {owner.title}", given.pop(0)
        told = bool(given) and at_work.f_code.co_name not in STATELESS
        self.position = _described(self.game, given[0], at_work.f_code.co_name) if told else ""

    def place(self, frame: FrameType | None) -> str:
        """In words: which method a frame is in, in which position and line; empty if it is in none."""
        at_work = watched_call(frame)
        if at_work is None or frame is None:
            return ""
        self._name(at_work)
        return f"rule {self.rule} of {self.game.title}{self.in_position} ({_line(frame)})"

    @property
    def in_position(self) -> str:
        return f" in position {self.position}" if self.position else ""


def watched_call(frame: FrameType | None) -> FrameType | None:
    """The innermost call of a watched method among those that lead to a frame."""
    while frame is not None and not _is_watched(frame):
        frame = frame.f_back
    return frame


def _is_watched(frame: FrameType) -> bool:
    code, names = frame.f_code, _parameters(frame)
    owner = frame.f_locals.get(names[0]) if names else None
    if not isinstance(owner, Component) or code.co_name not in type(owner).watched:
        return False
    return any(getattr(vars(kind).get(code.co_name), "__code__", None) is code for kind in type(owner).__mro__)


def _parameters(frame: FrameType) -> tuple[str, ...]:
    return frame.f_code.co_varnames[: frame.f_code.co_argcount]


def _described(game: Any, state: Any, at_work: str) -> str:
    """A state in words, though the game's `state_text` may be what does not return."""
    if at_work != "state_text":
        try:
            with at_most(2 * TICK):
                return describe(game, state)
        except TooLong:
            pass
    return repr(state)


def _line(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}, line {frame.f_lineno}"


@contextmanager
def watching() -> Iterator[None]:
    """Within it, in the main thread, a method that does not return is an error that names it and the position."""
    with Watch() as watch:
        try:
            yield
        except Stuck:
            words = f"rule {watch.rule} of {watch.game.title} failed{watch.in_position}: {watch.message}"
            raise RuleError(words, watch.rule, watch.position, watch.message) from None


@contextmanager
def exits_refused() -> Iterator[None]:
    """Within it `os._exit`, called by a rule or a user's file, raises what `sys.exit` does: told in a sentence."""
    end = os._exit

    def refuse(status: int) -> Any:
        caller = sys._getframe(1)
        if watched_call(caller) is None and "__ludus_file__" not in caller.f_globals:
            end(status)
        raise SystemExit(f"os._exit({status})")

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = end
