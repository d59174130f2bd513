"""Whoever needs a calibration gets one: a saved one, or one that is fitted now, with words about it."""

from __future__ import annotations

from ludus.common.errors import listed
from ludus.learning.calibrate import Progress, calibrate, is_saved
from ludus.model.calibration import KINDS
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player


def needed_calibration(player: Player, game: PlayableGame) -> list[str]:
    """The kinds of calibration that this player, settled for `game`, is to be given; empty if it has all or may not."""
    assert player.evaluator is not None
    refused = game.has_chance and not player.search.handles_chance
    return [] if refused or player.evaluator.calibration.kinds else player.lacks(game)


def must_be_fitted(player: Player, game: PlayableGame) -> bool:
    """Whether `with_calibration` would have to fit something, which takes time."""
    settled = player.on(game)
    return bool(needed_calibration(settled, game)) and not is_saved(game, settled.evaluator)


def with_calibration(player: Player, game: PlayableGame, calibrating: Progress = lambda done, words: None) -> Player:
    """This player, settled for `game`, with an evaluator that has what its search needs.

    Where that has to be fitted, `calibrating` is called with 0 and a sentence that says so, and then with the part that
    is done and words. What else the player lacks is left for others to refuse, and so is an evaluator with a
    calibration that somebody chose, if it does not do.
    """
    settled = player.on(game)
    lacking, evaluator = needed_calibration(settled, game), settled.evaluator
    if not lacking:
        return settled
    needed = listed([KINDS[kind] for kind in lacking])
    sentence = f"{player.search} needs the {needed} of {evaluator} on {game}: it is fitted now, and kept"
    said = False

    def tell(done: float, words: str) -> None:
        nonlocal said
        if not said:
            calibrating(0.0, sentence)
        said = True
        calibrating(max(done, 1e-9), words)

    found = calibrate(game, evaluator, compiled=player.compiled, progress=tell, announce=player.announce)
    return Player(player.search, found.evaluator, player.budget, compiled=player.compiled, announce=player.announce)
