"""The errors that people see: each is one clear sentence that says what is allowed."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ludus.common.advice import after_raising

ROOMS = "common", "kernel", "features", "compile", "model", "runtime", "diagnostics", "terminal", "cli"
OURS = tuple(str(Path(__file__).parents[1] / folder) for folder in ROOMS)
"""Folders whose lines are left out when an error in a user's rule is located."""


class LudusError(Exception):
    """Anything the user can mend; the command line prints it and exits with status 2."""


class SpecError(LudusError):
    """A game, search, evaluator, parameter, budget or value that cannot be understood."""


class StateError(LudusError):
    """A position or a move, given as text, that does not parse or is not legal."""


class NotCompilable(LudusError):
    """A rule outside the subset that can be compiled; the same source still runs interpreted."""


class CannotPlay(SpecError):
    """A search cannot play a game, or not as it is asked to: which player it is, and why."""

    def __init__(self, player: str, why: str) -> None:
        super().__init__(player, why)
        self.player, self.why = player, why

    def __str__(self) -> str:
        return f"{self.player} {self.why}"


class RuleError(LudusError):
    """A rule of a game or an evaluator raised, or returned something that cannot be right."""

    def __init__(
        self,
        cause: str,
        rule: str = "",
        position: str = "",
        *,
        game: str = "",
        evaluator: str = "",
        move: int | None = None,
        line: str = "",
        advice: str = "",
    ) -> None:
        """`cause` is what happened, without a full stop; `game` is a title, and `evaluator` too if the rule is its."""
        super().__init__(cause)
        self.cause, self.rule, self.position = cause, rule, position
        self.game, self.evaluator, self.move, self.line, self.advice = game, evaluator, move, line, advice

    @property
    def call(self) -> str:
        """The rule with whose it is, or what it was given: `evaluate of evaluator mobility`, `play (move 3)`."""
        move = "" if self.move is None else f" (move {self.move})"
        return f"{self.rule}{f' of evaluator {self.evaluator}' if self.evaluator else ''}{move}"

    @property
    def place(self) -> str:
        """In which rule and position it happened, in words."""
        return f"rule {self.call} of {self.game}" + (f" in position {self.position}" if self.position else "")

    @property
    def what(self) -> str:
        """What happened, and on which line."""
        return f"{self.cause} ({self.line})" if self.line else self.cause

    def __str__(self) -> str:
        position = f" in position {self.position}" if self.position else ""
        words = f"rule {self.call} of {self.game} failed{position}: {self.what}" if self.game else self.what
        return f"{words}; {self.advice}" if self.advice else words if self.game else f"{words}."

    @classmethod
    def during(cls, game: Any, rule: str, state: Any, error: BaseException, **more: Any) -> RuleError:
        """The error that says in which rule, in which position and on which line `error` arose."""
        facts, position = {"game": game.title, **more}, "" if state is None else describe(game, state)
        if type(error) is NotImplementedError and not error.args:
            return UndefinedRule(f"{rule} is not defined", rule, position, **facts)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return cls(after_raising(rule, error) or what, rule, position, line=line_of(error), **facts)

    @classmethod
    def replayed(cls, game: Any, error: Exception, replay: Callable[[], Any]) -> RuleError:
        """The precise form of an `error` that arose in compiled code; `replay` does the same again, interpreted."""
        try:
            replay()
        except RuleError as precise:
            return precise
        return cls(f"a rule of {game.title} failed in compiled code only ({error!r})", advice="try ludus check")


class UndefinedRule(RuleError):
    """A rule is missing that somebody asked for."""

    def __str__(self) -> str:
        return f"{self.game} does not define the rule {self.rule}."


class MoveError(RuleError):
    """`play` failed for a move that is not legal: the fault may be of whoever asked for it."""


def line_of(error: BaseException) -> str:
    """The last line of a user's code, or of the library's games, evaluators and searches, that led to an error."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(OURS)]
    return f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else ""


def describe(game: Any, state: Any) -> str:
    """A state in words, even when the game's own `state_text` is what is broken."""
    try:
        return repr(game.state_text(state))
    except Exception:
        return repr(state)


MANY = 40
"""Names that people read through; of more they see the first."""


def listed(names: Iterable[str], separator: str = ", ") -> str:
    """The names in a row; of very many the first, and how many there are."""
    names = list(names)
    more = f" ... ({len(names)} in all)" if len(names) > MANY else ""
    return separator.join(names[:MANY]) + more


def unknown(kind: str, name: str, known: Iterable[str], say: str = "known") -> SpecError:
    """`name` is not a `kind`: suggest the nearest names, or else list them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"{say}: {listed(names) or 'none'}."
    return SpecError(f"unknown {kind} {name!r}; {hint}")


class UncachedWarning(UserWarning):
    """Compiled code cannot be kept, so it is compiled anew each time."""


class PlainNumbaWarning(UserWarning):
    """Numba is another inside than we know, so compiled code is slower than it could be."""
