"""ludus: every control strategy from minimax to MCTS, on any game you can write down in Python.

>>> import ludus
>>> game = ludus.game("tictactoe")
>>> player = ludus.player("minimax(depth=9)")
>>> player.choose(game).value
0.0
"""

from __future__ import annotations

import dataclasses
import inspect
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus import _loading  # noqa: F401  (first of all)
from ludus.checking.games import check
from ludus.core import registry
from ludus.core.boards import replace
from ludus.core.budget import DEFAULT_BUDGET, Budget, Meter
from ludus.core.errors import LudusError, NotCompilable, RuleError, SpecError, StateError, unknown
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.perft import perft
from ludus.core.player import Player
from ludus.core.position import Position
from ludus.core.program import InterpretedWarning
from ludus.core.result import Result
from ludus.core.search import Search
from ludus.core.spec import parse_arguments

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
    "replace",
    "search",
]


def match(game: Game | str, first: Player | str, second: Player | str, **options: Any) -> MatchResult:
    """A match of two players; options as for `ludus.arena.match.match`: `games`, `plies`, `seed`, `workers` ..."""
    from ludus.arena.match import match as play_match

    players = [Player.of(p) if isinstance(p, str) else p for p in (first, second)]
    return play_match(registry.games().make(game) if isinstance(game, str) else game, *players, **options)


def rank(
    game: Game | str,
    *players: Player | str,
    all: bool = False,
    family: str | None = None,
    budget: Budget | str | None = None,
    openings: int = 4,
    games: int = 2000,
    minutes: float | None = None,
    equal: float = 30,
    seed: int = 0,
    workers: int | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    **options: Any,
) -> Ranking:
    """Which of these players, or of the contenders among the searches, is best at this game, and how sure is that?

    `print(ranking)` shows the table, `ranking.save("report.html")` writes the report.

    all: every search takes part, beside the players named; family: every search of that family does, `"full-width"`,
    `"best-first"` or `"sampling"`; budget: for players that name none, such as `"nodes=500"`, by default 2000 nodes a
    move, more for a game without an evaluator; openings: random plies before the players take over; games: the most,
    over all pairings; minutes: the most that the games may take; equal: players known to be no farther apart, in Elo,
    are not told apart; seed: of all chance; workers: processes, by default one for each core; compiled: True to compile
    or fail, False to interpret; db: a database in which games are kept, so that the same call goes on where it was;
    new: start over all the same.

    Further options: move_limit, seconds after which a move is lost; dask, the address of a cluster; progress, called
    with the ranking after each pair; preparing, called with how many players are ready and how many there are;
    continuing, called with the number of a run that goes on and how many games it has.
    """
    from ludus.arena.tournament import RankOptions
    from ludus.arena.tournament import rank as play_tournament

    known = {field.name for field in dataclasses.fields(RankOptions)}
    options |= {"workers": workers}
    openings = options.pop("plies", openings)
    for name in options.keys() - known:
        raise unknown("option of rank", name, {*inspect.signature(rank).parameters, *known} - {"options"}, "it takes")
    made = registry.games().make(game) if isinstance(game, str) else game
    return play_tournament(
        made,
        players,
        all=all,
        family=family,
        games=games,
        minutes=minutes,
        equal=equal,
        plies=openings,
        seed=seed,
        budget=Budget.of(parse_arguments(budget)) if isinstance(budget, str) else budget,
        compiled=compiled,
        db=db,
        new=new,
        **options,
    )


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
