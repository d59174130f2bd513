"""Asking a rule: its failure as an error with the position, and whether it keeps to what every rule promises."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from ludus.common.errors import RuleError
from ludus.diagnostics.check.report import Report
from ludus.kernel.boards import same_state
from ludus.kernel.rules import FAILURES
from ludus.model.playable import PlayableGame

CHANGES = "the rule changes the state that it is given"
DEPENDS = "the rule depends on something besides its arguments"
REMEMBERED = "all that changes in a game must be in its state"


def call(game: PlayableGame, rule: str, state: Any, *more: Any) -> Any:
    """What a rule gives."""
    try:
        return getattr(game, rule)(state, *more)
    except FAILURES as error:
        raise RuleError.during(game, rule, state, error) from error


def ask_twice(ask: Callable[[], Any], rule: str, where: str, state: Any, what: str, report: Report) -> Any:
    """What a rule gives; a fault if it changes the state, or gives something else the second time."""
    before = copy.deepcopy(state)
    found, again = ask(), ask()
    if not same_state(before, state):
        report.add(rule, where, CHANGES)
    if not same_state(found, again) and repr(found) != repr(again):  # NaN is not equal to itself
        report.add(rule, where, DEPENDS, f"a second call gave {what}")
    return found


def number(value: Any) -> float:
    """A rule's result as a float; NaN if it is no number."""
    try:
        return np.nan if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def check_fields(game: PlayableGame, before: dict[str, Any], rule: str, where: str, report: Report) -> None:
    """A rule that remembers something in the game itself: it would not compile, and a state must say everything."""
    for name, value in vars(game).items():
        if game.has_own(name) and (name not in before or before[name] is not value):
            report.add(rule, where, f"the rule sets self.{name}", REMEMBERED)
