"""Who is to blame for an error in a game: the player, who forfeits, or a rule of the game, which ends the run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ludus.core.errors import MoveError, RuleError
from ludus.core.game import Game
from ludus.core.player import Player


def is_of_game(error: Exception, player: Player) -> bool:
    """Whether a rule of the game is at fault, and not the player that called it.

    A user's own search may call a rule with anything, a user's own evaluator at least with illegal moves; ours do not.
    """
    if not isinstance(error, RuleError) or not _is_ours(player.search) or error.of_evaluator:
        return False
    return _is_ours(player.evaluator) or (error.rule != "" and not isinstance(error, MoveError))


def _is_ours(part: Any) -> bool:
    return type(part).__module__.startswith("ludus.")


@contextmanager
def advising(game: Game) -> Iterator[None]:
    """To the error of a rule of the game, adds the command that tells its author more."""
    try:
        yield
    except RuleError as error:
        if error.of_evaluator or "try ludus check" in str(error):
            raise
        message = f"{str(error).rstrip('.')}; try ludus check {shlex.quote(str(game))}"
        raise type(error)(message, error.rule, error.position, error.cause) from error
