"""What `import ludus` offers for single positions: components by their specs, what there is, one search, one trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ludus.model import registry
from ludus.model.budget import DEFAULT_BUDGET, Budget
from ludus.model.evaluator import Evaluator, EvaluatorLike
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.model.position import Position
from ludus.model.result import Result
from ludus.model.search import Search
from ludus.runtime.player import Player, PlayerLike
from ludus.runtime.session import Session

if TYPE_CHECKING:
    from ludus.runtime.trace import Trace
    from ludus.runtime.walk import Walk


def games() -> Mapping[str, type[PlayableGame]]:
    """The games that are built in or installed: their classes by name.

    >>> ludus.games()["nim"].__name__
    'Nim'
    """
    return MappingProxyType(registry.games().classes)


def searches() -> Mapping[str, type[Search]]:
    """The searches that are built in or installed: their classes by name."""
    return MappingProxyType(registry.searches().classes)


def evaluators() -> Mapping[str, type[Evaluator]]:
    """The evaluators that are built in or installed: their classes by name."""
    return MappingProxyType(registry.evaluators().classes)


def game(given: GameLike, **parameters: Any) -> PlayableGame:
    """A game by its spec, `file.py:Class` included, or of a class; `parameters` as for its `__init__`.

    >>> ludus.game("tictactoe", size=4)
    tictactoe(size=4)
    """
    return registry.games().of(given, **parameters)


def evaluator(given: EvaluatorLike, **parameters: Any) -> Evaluator:
    """An evaluator by its spec, or of a class.

    >>> ludus.evaluator("random", seed=3)
    random(seed=3)
    """
    return registry.evaluators().of(given, **parameters)


def player(
    given: PlayerLike,
    budget: Budget | str = DEFAULT_BUDGET,
    *,
    compiled: bool | None = None,
    **parameters: Any,
) -> Player:
    """A player by its spec, or of a search or its class; a budget of its own beats `budget`.

    parameters: of the search, its evaluator (`eval`), and budget keys, as in a spec; compiled: True to compile or fail,
    False to interpret.

    >>> ludus.player("lcf(eval=open-lines, nodes=500)")
    lcf(eval=open-lines, nodes=500)
    >>> ludus.player("uct", budget="nodes=100", eval=ludus.evaluator("zero"))
    uct(eval=zero, nodes=100)
    """
    return Player.of(given, budget, compiled=compiled, **parameters)


def search(
    game: GameLike | Position,
    player: PlayerLike,
    state: Any = None,
    *,
    budget: Budget | str = DEFAULT_BUDGET,
    seed: int = 0,
    compiled: bool | None = None,
    calibrate: bool = True,
    keep_tree: bool = False,
    progress: Callable[[Session], None] | None = None,
) -> Result:
    """Search one position, by default the first: the move, its value, the principal line, and what it cost.

    state: a state, its text or a `Position`; budget: for a player that names none; seed: the random seed; compiled:
    True to compile or fail, False to interpret; calibrate: fit the calibration that a search needs, and say so, if
    there is none; keep_tree: the result has a view of the tree; progress: called with the session a few hundred times
    a second.

    >>> ludus.search("tictactoe", "minimax(depth=9)", compiled=False).value
    0.0
    """
    board, state, who = _prepared(game, player, state, budget, compiled, calibrate)
    return who.choose(board, state, seed=seed, keep_tree=keep_tree, progress=progress)


def trace(
    game: GameLike | Position,
    player: PlayerLike,
    state: Any = None,
    *,
    budget: Budget | str = DEFAULT_BUDGET,
    seed: int = 0,
    most: int = 300,
    calibrate: bool = True,
    output: str | Path | None = None,
) -> Trace | Walk:
    """How a search thinks: of a best-first search each expansion, of a full-width search the last walk over its tree.

    most: expansions, or nodes visited, at most; output: the file of a picture, `.svg`, `.png` or `.pdf`; the other
    arguments are those of `search`.

    >>> ludus.trace("tictactoe", "bfmm(nodes=60)").expansions > 1
    True
    """
    from ludus.pictures.files import PICTURES, check_file
    from ludus.pictures.trace import draw_trace
    from ludus.pictures.trees import draw_walk
    from ludus.runtime.trace import trace as grown
    from ludus.runtime.walk import walk

    board, state, who = _prepared(game, player, state, budget, None, calibrate)
    if output is not None:
        check_file(str(output), PICTURES, "picture")
    if who.search.walks:
        walked = walk(board, who, state, seed=seed, most=most)
        if output is not None:
            draw_walk(walked, output)
        return walked
    traced = grown(board, who, state, seed=seed, most=most)
    if output is not None:
        draw_trace(traced, output)
    return traced


def _prepared(
    game: GameLike | Position, player: PlayerLike, state: Any, budget: Budget | str, compiled: bool | None, fit: bool
) -> tuple[PlayableGame, Any, Player]:
    """The game, where to begin, and the player, with a calibration if its search needs one and it may be fitted."""
    if isinstance(game, Position):
        state, game = game if state is None else state, game.game
    board = registry.games().of(game)
    who = Player.of(player, budget, compiled=compiled)
    if fit:
        from ludus.terminal.calibrating import able

        who = able(who, board)
    return board, state, who
