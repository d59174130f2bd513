"""What the page may name: what is built in or installed, with harmless parameters, and what was named at the start."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from ludus.arena.roster import default_budget
from ludus.common.errors import LudusError, SpecError, unknown
from ludus.common.version import VERSION
from ludus.model import registry
from ludus.model.budget import DEFAULT_BUDGET
from ludus.model.playable import PlayableGame
from ludus.model.search import Search
from ludus.model.spec import Spec
from ludus.runtime.player import Player
from ludus.web.limits import CHILDREN, MOST_MEMORY, MOST_NODES, MOST_SECONDS, MOST_TABLE, THOUGHTS

OPPONENT = "uct(nodes=2000)"
"""Who answers a person who has named nobody."""

START = "connect4"
"""The game that is shown first where none was named."""

PLAIN_NAME = re.compile(r"[\w-]+|learned/[\w-]+")
PLAIN_VALUE = re.compile(r"(?!.*\.(?:py|json|efg|sgf|txt)\b)[\w\s.+\-*\[\]]*")
FORBIDDEN = ("file", "path", "command", "filename")
"""Parameters that name files or programs."""

OUTSIDE = ("openspiel", "engine")
"""What is built in but reaches outside: only as it was named at the start."""

MOST_GAMES = 200
"""Games, with different parameters, that are kept."""


class Catalog:
    """The games and players that requests may name."""

    def __init__(self, games: Sequence[str] = (), players: Sequence[str] = (), compiled: bool | None = None) -> None:
        """Those named at the start, made at once, so that a mistake is told at once. `compiled`: see `Player`."""
        self.compiled = compiled
        self._made: dict[str, PlayableGame] = {}
        self._lock = threading.Lock()
        self.named_games = list(dict.fromkeys(games))
        self.named_players = list(dict.fromkeys(players))
        self.known = {name for spec in (*games, *players) for name in _names(Spec.parse(spec))}
        for spec in self.named_games:
            self._made[spec] = self._make(spec)
        for spec in self.named_players:
            Player.of(spec)

    def game(self, spec: str) -> PlayableGame:
        """The game of this spec; the same object each time."""
        with self._lock:
            if spec not in self._made:
                if spec not in self.named_games:
                    self._check(Spec.parse(spec), registry.games().classes, "game")
                if len(self._made) > MOST_GAMES:
                    raise LudusError("there are too many games with different parameters: start the page anew.")
                self._made[spec] = self._make(spec)
            return self._made[spec]

    def fresh_game(self, spec: str) -> PlayableGame:
        """A game of this spec that nobody else uses."""
        self.game(spec)
        return self._make(spec)

    def _make(self, spec: str) -> PlayableGame:
        game = registry.games().of(spec)
        game.check_begins()
        return game

    def player(self, spec: str, budget: str | None = None) -> Player:
        """A player of this spec, with its budget within the limits."""
        if spec not in self.named_players:
            self._check(Spec.parse(spec), registry.searches().classes, "search")
        player = Player.of(spec, DEFAULT_BUDGET if budget is None else budget, compiled=self.compiled)
        own = player.budget
        for name, most in (("nodes", MOST_NODES), ("seconds", MOST_SECONDS), ("memory", MOST_MEMORY)):
            if (getattr(own, name) or 0) > most:
                raise SpecError(f"on the page, {name} may be {most} at most.")
        if not own.bounds_effort:
            raise SpecError(f"{player} has a budget without an end: give nodes or seconds.")
        return player

    def _check(self, spec: Spec, built_in: Any, kind: str) -> None:
        """Refuse what reaches outside: files, programs, evaluators of files."""
        if spec.name in self.known:
            pass
        elif spec.name in OUTSIDE or PLAIN_NAME.fullmatch(spec.name) is None:
            raise Unnamed(kind, spec.name)
        elif spec.name not in built_in:
            raise unknown(kind, spec.name, built_in)
        self._check_arguments(spec)

    def _check_arguments(self, spec: Spec) -> None:
        for name, value in spec.arguments.items():
            if name in FORBIDDEN:
                raise SpecError(f"the parameter {name} cannot be given on the page.")
            if name == "memory_of_table" and isinstance(value, (int, float)) and value > MOST_TABLE:
                raise SpecError(f"on the page, memory_of_table may be {MOST_TABLE} at most.")
            if isinstance(value, Spec):
                self._check_value(name, value.name)
                self._check_arguments(value)
            elif isinstance(value, str):
                self._check_value(name, value)

    def _check_value(self, name: str, value: str) -> None:
        if value in self.known or PLAIN_NAME.fullmatch(value) or PLAIN_VALUE.fullmatch(value):
            return
        raise Unnamed(name, value)

    @property
    def default_game(self) -> str:
        return self.named_games[0] if self.named_games else START

    def to_dict(self) -> dict[str, Any]:
        """`GET /api/games`."""
        return {
            "version": VERSION,
            "default": self.default_game,
            "opponent": OPPONENT,
            "budget": str(DEFAULT_BUDGET),
            "games": self.game_rows,
            "players": self.player_rows,
            "limits": {
                "thoughts": THOUGHTS,
                "nodes": MOST_NODES,
                "seconds": MOST_SECONDS,
                "memory": MOST_MEMORY,
                "children": CHILDREN,
            },
        }

    @cached_property
    def game_rows(self) -> list[dict[str, Any]]:
        """The games: those named at the start, then those with a board."""
        return list(self._games())

    @cached_property
    def player_rows(self) -> list[dict[str, Any]]:
        return list(self._players())

    def _games(self) -> Iterator[dict[str, Any]]:
        for spec in self.named_games:
            game: Any = self.game(spec)
            yield _game_row(spec, type(game), True)
        classes: dict[str, Any] = dict(registry.games().classes)
        for name, kind in sorted(classes.items(), key=lambda item: item[1].diagram is registry.Game.diagram):
            if name not in OUTSIDE and name not in self.named_games:
                yield _game_row(name, kind, False)

    def _players(self) -> Iterator[dict[str, Any]]:
        for spec in self.named_players:
            yield _player_row(spec, Player.of(spec).search, True)
        for name in registry.searches().classes:
            if name not in OUTSIDE and name not in self.named_players:
                yield _player_row(name, Player.of(name).search, False)

    def budget_for(self, game: PlayableGame) -> str:
        """What a player who names no budget gets, as in `ludus rank`."""
        return str(default_budget(game))


class Unnamed(SpecError):
    """A file or a program that was not named when the server was started."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"the {kind} {name!r} was not named when the page was started, so the page cannot use it.")


def _names(spec: Spec) -> Iterator[str]:
    """The names in a spec, those of nested ones too."""
    yield spec.name
    for name, value in spec.arguments.items():
        if isinstance(value, Spec):
            yield from _names(value)
        elif isinstance(value, str) and name == "eval":
            yield value


def _game_row(spec: str, kind: Any, own: bool) -> dict[str, Any]:
    chance = kind.chance is not registry.Game.chance
    name = kind.name or spec.rpartition(":")[2].partition("(")[0]
    titles = {"othello": "Othello", "connect4": "Connect Four", "tictactoe": "Tic-tac-toe"}
    title = titles.get(name, name.replace("-", " ").capitalize() if kind.name else name)
    return {"game": spec, "title": title, "about": kind.summary(), "chance": chance, "own": own}


def _player_row(spec: str, search: Search, own: bool) -> dict[str, Any]:
    kind = type(search)
    watch = "passes" if kind.walks else "tree" if search.grows_tree else "numbers"
    about = {"player": spec, "about": kind.summary(), "family": kind.family, "contender": bool(kind.contender)}
    return about | {"own": own, "watch": watch}
