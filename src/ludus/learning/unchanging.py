"""Features that tell nothing: those of a game's own that never change in random games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from ludus.common.errors import listed
from ludus.kernel.alternation import due
from ludus.kernel.chance import Dice
from ludus.kernel.random import seed_for
from ludus.kernel.rules import features
from ludus.learning.features import declared
from ludus.model.playable import PlayableGame

GAMES, POSITIONS = 200, 2000
"""The most random games that are played, and the most positions that are looked at: some features change seldom."""

FEWEST = 20
"""With fewer positions nothing is said."""


def unchanging_features(game: PlayableGame, seed: int = 0) -> list[str]:
    """The names of those features, of the game's rule `features`, that never changed in random games."""
    found = declared(game)
    if found is None:
        return []
    first, same, seen = None, np.ones(len(found.names) - 1, bool), 0
    for numbers in islice(_feature_rows(game, seed, len(same)), POSITIONS):
        first = numbers if first is None else first
        same &= numbers == first
        seen += 1
        if not same.any():
            break
    names = [name for name, never in zip(found.names, same, strict=False) if never]
    return names if seen >= FEWEST else []


def _feature_rows(game: PlayableGame, seed: int, count: int) -> Iterator[np.ndarray]:
    """The features of the positions of random games, one after the other."""
    room = np.zeros(game.room_for_features)
    for number in range(GAMES):
        state, dice = game.start, Dice(seed_for(seed, number))
        while legal := game.legal(state):
            if type(game).alternates or not due(game, state):  # where a pass is due they have the other sign
                features(game, state, room)
                yield room[:count].copy()
            state = game.after(state, dice.pick(legal, game.odds(state)))


def unchanging_words(names: Sequence[str]) -> str:
    """Which features never change: the beginning of a sentence."""
    if len(names) == 1:
        return f"the feature {names[0]} never changed"
    return f"the features {listed(names)} never changed"
