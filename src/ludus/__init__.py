"""ludus: every control strategy from minimax to MCTS, on any game you can write down in Python.

>>> import ludus
>>> game = ludus.game("tictactoe")
>>> player = ludus.player("minimax(depth=9)")
>>> player.choose(game).value
0.0
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from ludus.core import registry
from ludus.core.budget import DEFAULT_BUDGET, Budget, Meter
from ludus.core.conformance import check
from ludus.core.errors import LudusError, NotCompilable, RuleError, SpecError, StateError
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.perft import perft
from ludus.core.player import Player
from ludus.core.position import Position
from ludus.core.result import Result
from ludus.core.search import InterpretedWarning, Search

if TYPE_CHECKING:
    from ludus.arena.match import MatchResult
    from ludus.arena.ranking import Ranking

try:
    __version__ = version("ludus")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = [
    "Budget",
    "Evaluator",
    "Game",
    "InterpretedWarning",
    "LudusError",
    "Meter",
    "NotCompilable",
    "Player",
    "Position",
    "Result",
    "RuleError",
    "Search",
    "SpecError",
    "StateError",
    "check",
    "evaluator",
    "game",
    "match",
    "perft",
    "player",
    "rank",
    "search",
]


def match(game: Game | str, first: Player | str, second: Player | str, **options: Any) -> MatchResult:
    """A match of two players; options as for `ludus.arena.match.match`: `games`, `plies`, `seed`, `workers` ..."""
    from ludus.arena.match import match as play_match

    players = [Player.of(p) if isinstance(p, str) else p for p in (first, second)]
    return play_match(registry.games().make(game) if isinstance(game, str) else game, *players, **options)


def rank(game: Game | str, *players: Player | str, **options: Any) -> Ranking:
    """Which of these players, or of all searches, is best; options as for `ludus.arena.tournament.rank`."""
    from ludus.arena.tournament import rank as play_tournament

    return play_tournament(registry.games().make(game) if isinstance(game, str) else game, players, **options)


def game(spec: str, **parameters: Any) -> Game:
    """A game by its spec: `ludus.game("othello", size=6)`, `ludus.game("mygame.py:MyGame")`."""
    return registry.games().make(spec, **parameters)


def search(spec: str, **parameters: Any) -> Search:
    """A search by its spec: `ludus.search("lcf")`."""
    return registry.searches().make(spec, **parameters)


def evaluator(spec: str, **parameters: Any) -> Evaluator:
    """An evaluator by its spec: `ludus.evaluator("mobility")`."""
    return registry.evaluators().make(spec, **parameters)


def player(spec: str, budget: Budget = DEFAULT_BUDGET, **options: Any) -> Player:
    """A player by its spec: `ludus.player("lcf(eval=mobility, nodes=2000)")`; its own budget beats `budget`."""
    return Player.of(spec, budget, **options)
