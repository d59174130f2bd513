"""Players that are compiled and at rest, to be used again: a reply should not wait for what has been made before."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from ludus.model.budget import BUDGET_KEYS
from ludus.model.playable import PlayableGame
from ludus.model.spec import Spec
from ludus.runtime.player import Player
from ludus.web.catalog import Catalog

MOST_IDLE = 16
"""Players at rest that are kept."""

LARGEST_KEPT = 200_000
"""Nodes that the tree of a player at rest may have room for."""


@dataclass
class Seated:
    """A player with a game of its own, since the rules of a game share buffers."""

    game: PlayableGame
    player: Player
    key: tuple[str, str]


class PlayerPool:
    """Hands out players, each to one search at a time."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._idle: list[Seated] = []
        self._lock = threading.Lock()

    def take(self, game: str, spec: str, budget: str | None) -> Seated:
        """A player of this spec at this game, whose budget is within the limits; refuses what the page may not name."""
        wanted = self.catalog.player(spec, budget)
        own = Spec.parse(spec)
        rest = Spec(own.name, {name: value for name, value in own.arguments.items() if name not in BUDGET_KEYS})
        key = (game, str(rest))
        with self._lock:
            found = next((seated for seated in reversed(self._idle) if seated.key == key), None)
            if found is not None:
                self._idle.remove(found)
        if found is None:
            return Seated(self.catalog.fresh_game(game), wanted, key)
        found.player.budget = wanted.budget
        found.player.new_game()
        return found

    def give_back(self, seated: Seated, size: int) -> None:
        """Keep a player for later, unless its tree has become large."""
        seated.player.announce = None
        if size > LARGEST_KEPT:
            return
        with self._lock:
            self._idle.append(seated)
            del self._idle[:-MOST_IDLE]
