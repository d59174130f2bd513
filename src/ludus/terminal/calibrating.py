"""Calibrations that a player needs are fitted where somebody can see it."""

from __future__ import annotations

from collections.abc import Callable

from ludus.learning.automatic_calibration import with_calibration
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player
from ludus.terminal.progress import Progress


def telling(bar: Progress) -> Callable[[float, str], None]:
    """Shows on a bar that, and how far, an evaluator is being calibrated."""

    def tell(done: float, words: str) -> None:
        if done == 0.0:
            bar.say(words)
        else:
            bar.update(done, words, 1.0)

    return tell


def able(player: Player, game: PlayableGame) -> Player:
    """The player, with a calibrated evaluator if its search needs one."""
    if not player.lacks(game):
        return player
    with Progress(1.0) as bar:
        return with_calibration(player, game, telling(bar))
