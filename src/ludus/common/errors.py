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


class RuleError(LudusError):
    """A rule of a game or an evaluator raised, or returned something that cannot be right."""

    def __init__(self, message: str, rule: str = "", position: str = "", cause: str = "") -> None:
        """`cause` is what happened, without the rule and the position."""
        super().__init__(message)
        self.rule, self.position, self.cause = rule, position, cause or message

    @property
    def of_evaluator(self) -> bool:
        """Whether the rule is an evaluator's."""
        return " of evaluator " in self.rule

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.rule, self.position, self.cause)

    @classmethod
    def during(cls, game: Any, rule: str, state: Any, error: BaseException) -> RuleError:
        """The error that says in which rule, in which position and on which line `error` arose."""
        position = "" if state is None else describe(game, state)
        place = f" in position {position}" if position else ""
        if type(error) is NotImplementedError and not error.args:
            name = rule.split()[0]
            return cls(f"{game.title} does not define the rule {name}.", rule, position, f"{name} is not defined")
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(OURS)]
        where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        cause = (after_raising(rule, error) or what) + where
        return cls(f"rule {rule} of {game.title} failed{place}: {cause}", rule, position, cause)

    @classmethod
    def replayed(cls, game: Any, error: Exception, replay: Callable[[], Any]) -> RuleError:
        """The precise form of an `error` that arose in compiled code; `replay` does the same again, interpreted."""
        try:
            replay()
        except RuleError as precise:
            return precise
        return cls(f"a rule of {game.title} failed in compiled code only ({error!r}); try ludus check.")


class MoveError(RuleError):
    """`play` failed for a move that is not legal: the fault may be of whoever asked for it."""


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
