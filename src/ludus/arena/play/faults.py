"""Who is to blame for an error in a game: the player, who forfeits, or a rule of the game, which ends the run."""

from __future__ import annotations

import shlex
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ludus.arena.pool.serving import TimeOver, heartbeat, time_ends
from ludus.common.errors import LudusError, MoveError, RuleError
from ludus.model.playable import PlayableGame
from ludus.model.watchdog import watching
from ludus.runtime.player import Player

KILLED = (signal.SIGTERM, getattr(signal, "SIGKILL", 9))
"""Signals by which somebody else ends a process."""

REPORT = "; please report it, with the command that shows it: "


@dataclass(frozen=True)
class Decision:
    """A move that is to be chosen: what must be known to do it again."""

    game: str
    player: str
    state: str
    seed: int
    compiled: bool | None = None

    @classmethod
    def of(cls, game: PlayableGame, player: Player, state: Any, seed: int) -> Decision:
        return cls(str(game), str(player), game.state_text(state), seed, player.compiled)

    @property
    def command(self) -> str:
        """How to do it again, in words of the library (`cli.common.with_flags`)."""
        words = shlex.join(["ludus", "search", self.game, self.player])
        interpreted = " `no_compile`" if self.compiled is False else ""
        return f"{words} `state={shlex.quote(self.state)}` `seed={self.seed}`{interpreted}"


def death(status: int, times: int, at: Decision | None) -> str:
    """Why a worker died so many times, from its exit status; and how to see that, if it was at a move and crashed."""
    if status >= 0 or -status in KILLED:
        return f"its process died {times} times (exit status {status})"
    by = signal.Signals(-status).name if -status in list(signal.Signals) else f"signal {-status}"
    return f"crashed ({by}){f'{REPORT}{at.command}' if at else '; please report it'}"


def is_of_game(error: Exception, player: Player) -> bool:
    """Whether a rule of the game is at fault, and not the player that called it.

    A user's own search may call a rule with anything, a user's own evaluator at least with illegal moves; ours do not.
    """
    if not isinstance(error, RuleError) or not _is_ours(player.search) or error.of_evaluator:
        return False
    return _is_ours(player.evaluator) or (error.rule != "" and not isinstance(error, MoveError))


REPLAY = 10.0
"""Seconds that a move or a game is played again, to find out who is to blame."""


def blame(game: PlayableGame, players: Sequence[Player], again: Callable[[Sequence[Player]], Any]) -> None:
    """After something that hung or killed its process: do it `again` with these players interpreted.

    Interpreted, a rule that writes beyond the end of an array raises, and one that does not return is noticed. If that
    shows that the game is to blame, the error is raised; nothing else of it matters.
    """
    if not all(_is_ours(player.search) for player in players):
        return  # it may kill or hang this process, too
    slow = [Player(player.search, player.evaluator, player.budget, compiled=False) for player in players]
    try:
        with time_ends(time.monotonic() + REPLAY), watching():
            heartbeat()
            again(slow)
    except (TimeOver, LudusError) as error:
        if isinstance(error, LudusError) and any(is_of_game(error, player) for player in players):
            raise


def _is_ours(part: Any) -> bool:
    return type(part).__module__.startswith("ludus.")


@contextmanager
def advising(game: PlayableGame) -> Iterator[None]:
    """To the error of a rule of the game, adds the command that tells its author more."""
    try:
        yield
    except RuleError as error:
        if error.of_evaluator or "try ludus check" in str(error):
            raise
        message = f"{str(error).rstrip('.')}; try ludus check {shlex.quote(str(game))}"
        raise type(error)(message, error.rule, error.position, error.cause) from error
