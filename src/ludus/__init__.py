"""ludus: every control strategy from minimax to MCTS, on any game you can write down in Python.

>>> import ludus
>>> player = ludus.player("minimax(depth=9)")
>>> player.choose("tictactoe").value
0.0

Wherever a game, a player, an evaluator or a budget is asked for, an object will do, or its spec, or its class.
"""

from __future__ import annotations

from ludus import _loading  # noqa: F401  (before all that takes time to load)

# isort: split
import dataclasses
import importlib
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.common.errors import LudusError, NotCompilable, RuleError, SpecError, StateError, unknown
from ludus.common.version import VERSION
from ludus.diagnostics.check.games import check
from ludus.kernel.boards import replace
from ludus.model import registry
from ludus.model.budget import DEFAULT_BUDGET, Budget, Meter
from ludus.model.evaluator import Evaluator, EvaluatorLike
from ludus.model.game import Game, GameLike
from ludus.model.position import Position
from ludus.model.result import Result
from ludus.model.search import Search
from ludus.runtime.perft import perft
from ludus.runtime.player import Player, PlayerLike
from ludus.runtime.runner import InterpretedWarning

if TYPE_CHECKING:
    from ludus.arena.match import MatchResult
    from ludus.arena.ranking import Ranking
    from ludus.arena.sweep import Cell, Sweep
    from ludus.diagnostics.analyse.analyse import analyse
    from ludus.diagnostics.pathology.pathology_report import Pathology
    from ludus.diagnostics.quality.quality_report import Quality
    from ludus.diagnostics.solve.solve import solve
    from ludus.learning.learn import learn
    from ludus.learning.report import Calibrated
    from ludus.studies.engine.reproduction import Reproduction
    from ludus.studies.engine.study import Lab, Study
    from ludus.theorems.theory import theory

__version__ = VERSION

__all__ = [
    "Budget",
    "Curve",
    "Evaluator",
    "Game",
    "InterpretedWarning",
    "Lab",
    "LudusError",
    "MatchResult",
    "Meter",
    "NotCompilable",
    "Player",
    "Position",
    "Ranking",
    "Reproduction",
    "Result",
    "RuleError",
    "Search",
    "SpecError",
    "StateError",
    "Study",
    "analyse",
    "calibrate",
    "check",
    "draw_curves",
    "evaluator",
    "game",
    "learn",
    "match",
    "monotonicity",
    "pathology",
    "perft",
    "play",
    "player",
    "quality",
    "rank",
    "replace",
    "reproduce",
    "search",
    "solve",
    "sweep",
    "theory",
]

LATER = {
    "Curve": "ludus.pictures.bands",
    "Lab": "ludus.studies.engine.study",
    "MatchResult": "ludus.arena.match",
    "Ranking": "ludus.arena.ranking",
    "Reproduction": "ludus.studies.engine.reproduction",
    "Study": "ludus.studies.engine.study",
    "analyse": "ludus.diagnostics.analyse.analyse",
    "draw_curves": "ludus.pictures.bands",
    "learn": "ludus.learning.learn",
    "monotonicity": "ludus.arena.stats.monotone",
    "solve": "ludus.diagnostics.solve.solve",
    "theory": "ludus.theorems.theory",
}
"""Public names whose modules are loaded when they are asked for."""


def __getattr__(name: str) -> Any:
    if name in LATER:
        return getattr(importlib.import_module(LATER[name]), name)
    raise AttributeError(f"module 'ludus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def game(given: GameLike, **parameters: Any) -> Game:
    """A game by its spec, `file.py:Class` included, or of a class; `parameters` as for its `__init__`.

    >>> ludus.game("tictactoe", size=4)
    tictactoe(size=4)
    """
    return registry.games().of(given, **parameters)


def search(given: Search | type[Search] | str, **parameters: Any) -> Search:
    """A search by its spec, or of a class.

    >>> ludus.search("uct", c=2)
    uct(c=2.0)
    """
    return registry.searches().of(given, **parameters)


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


def match(
    game: GameLike,
    first: PlayerLike,
    second: PlayerLike,
    *,
    games: int | None = None,
    openings: int = 4,
    budget: Budget | str = DEFAULT_BUDGET,
    sprt: Any = None,
    seed: int = 0,
    workers: int | None = 1,
    compiled: bool | None = None,
    db: str | Path | None = None,
    **options: Any,
) -> MatchResult:
    """A match of two players, games in pairs from the same random opening with sides swapped.

    games: how many, 100 by default; openings: random plies before the players take over; budget: for players that
    name none; sprt: play until it is decided which is true, `"elo0=0,elo1=50"`; seed: of all chance; workers:
    processes, None: one for each core; compiled: True to compile or fail, False to interpret; db: a database in which
    games are kept.

    Further options: move_limit, seconds after which a move is lost; dask, the address of a cluster; progress, called
    with the result so far after each pair; calibrating, called with the part done and words while an evaluator is
    calibrated for a search that needs it; not_kept, called with why the database cannot be used.

    >>> ludus.match("tictactoe", "minimax(depth=2)", "random", games=10, openings=2, compiled=False).points
    (9.5, 0.5)
    """
    from ludus.arena.match import MatchOptions
    from ludus.arena.match import match as play_match

    options |= {"workers": workers}
    _check_options(match, options, MatchOptions)
    return play_match(
        game,
        first,
        second,
        games=games,
        openings=openings,
        budget=budget,
        sprt=sprt,
        seed=seed,
        compiled=compiled,
        db=db,
        **options,
    )


def rank(
    game: GameLike,
    *players: PlayerLike,
    all: bool = False,
    family: str | None = None,
    budget: Budget | str | None = None,
    openings: int = 4,
    games: int = 2000,
    minutes: float | None = None,
    equal: float = 30,
    round_robin: bool = False,
    seed: int = 0,
    workers: int | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    learn: bool = True,
    **options: Any,
) -> Ranking:
    """Which of these players, or of the contenders among the searches, is best at this game, and how sure is that?

    `print(ranking)` shows the table, `ranking.save("report.html")` writes the report.

    all: every search takes part, beside the players named; family: every search of that family does, `"full-width"`,
    `"best-first"` or `"sampling"`; budget: for players that name none, such as `"nodes=500"`, by default 2000 nodes a
    move, more for a game without an evaluator; openings: random plies before the players take over; games: the most,
    over all pairings; minutes: the most that the games may take; equal: players known to be no farther apart, in Elo,
    are not told apart; round_robin: everyone meets everyone equally often, with no early end; seed: of all chance;
    workers: processes, by default one for each core; compiled: True to compile or fail, False to interpret; db: a
    database in which games are kept, so that the same call goes on where it was; new: start over all the same; learn:
    where nobody named players and the game has no evaluator, learn one, with which some of the contenders play too.

    Further options: move_limit, seconds after which a move is lost; dask, the address of a cluster; progress, called
    with the ranking after each pair; calibrating, called with the part done and words while an evaluator is calibrated
    for a search that needs it; learning, the same while one is learnt; preparing, called with how many players are
    ready and how many there are; solved, called with the result of a game that is small enough to be solved;
    continuing, called with the number of a run that goes on and how many games it has.
    """
    from ludus.arena.tournament import RankOptions
    from ludus.arena.tournament import rank as play_tournament

    options |= {"workers": workers}
    _check_options(rank, options, RankOptions)
    return play_tournament(
        game,
        players,
        all=all,
        family=family,
        games=games,
        minutes=minutes,
        equal=equal,
        round_robin=round_robin,
        openings=openings,
        seed=seed,
        budget=budget,
        compiled=compiled,
        db=db,
        new=new,
        learn=learn,
        **options,
    )


def sweep(
    game: GameLike | Sequence[GameLike],
    budgets: Budget | str | Sequence[Budget | str],
    *players: PlayerLike,
    all: bool = False,
    family: str | None = None,
    openings: int = 4,
    games: int = 2000,
    equal: float = 30,
    round_robin: bool = False,
    seed: int = 0,
    workers: int | None = None,
    dask: str | None = None,
    move_limit: float | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    progress: Callable[[int, Cell], None] = lambda done, cell: None,
    calibrating: Callable[[float, str], None] = lambda done, words: None,
    **unknown_options: Any,
) -> Sweep:
    """Rank these players, or the contenders, on every game at every budget.

    `ludus.sweep(["nim", "tictactoe"], ["nodes=50", "nodes=500"])`: each cell, a game at a budget, is what `rank` makes
    of it, and the options are those of `rank`, `games` for each cell; all cells share the workers. `print(sweep)` shows
    the table and where one player overtakes another, `sweep.save("curves.svg")` draws strength against budget, and
    writes pages and tables as `rank` does.

    progress: called with how many cells are done, and one that has played another pair; calibrating: as for `rank`.
    """
    from ludus.arena.pool.resources import Resources
    from ludus.arena.sweep import sweep as play_sweep

    _check_options(sweep, unknown_options)
    several: list[Any] = list(game) if isinstance(game, (list, tuple)) else [game]
    limits = [budgets] if isinstance(budgets, (Budget, str)) else list(budgets)
    return play_sweep(
        [registry.games().of(each) for each in several],
        [Budget.of(each) for each in limits],
        players,
        seed=seed,
        progress=progress,
        calibrating=calibrating,
        resources=Resources(workers, dask, move_limit),
        all=all,
        family=family,
        games=games,
        equal=equal,
        round_robin=round_robin,
        openings=openings,
        compiled=compiled,
        db=db,
        new=new,
        move_limit=move_limit,
    )


def reproduce(
    study: str,
    *,
    quick: bool = False,
    only: str | Sequence[str] = (),
    seed: int = 0,
    workers: int | None = None,
    dask: str | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    progress: Callable[[Any, float, str], None] = lambda part, done, words: None,
    **unknown_options: Any,
) -> Reproduction:
    """The tables and figures of a paper beside ours: `ludus.reproduce("utgoff-cochran-2001", quick=True)`.

    `print` shows a table for each part, with the paper's numbers, ours, and whether a test finds a difference;
    `.save("folder")` writes the report.

    quick: fewer games, in less than two minutes; only: the parts to run, such as `"figure-5"`; seed: of all chance;
    workers: processes, by default one for each core; dask: the address of a cluster; compiled: True to compile or fail,
    False to interpret; db: a database in which all that is measured is kept, so that the same call goes on where it
    was; new: start over all the same; progress: called with a part, how many parts are done, and words.
    """
    from ludus.studies.engine.reproduction import reproduce as run_study
    from ludus.studies.engine.reproduction import study_named

    _check_options(reproduce, unknown_options)
    return run_study(
        study_named(study),
        scale="quick" if quick else "full",
        only=[only] if isinstance(only, str) else only,
        seed=seed,
        workers=workers,
        dask=dask,
        compiled=compiled,
        db=db,
        new=new,
        progress=progress,
    )


def calibrate(
    game: GameLike,
    evaluator: EvaluatorLike | None = None,
    *,
    positions: int | None = None,
    seed: int = 0,
    again: bool = False,
    compiled: bool | None = None,
    progress: Callable[[float, str], None] = lambda done, words: None,
    announce: Callable[[str], None] | None = None,
) -> Calibrated:
    """What an evaluator's values mean on a game, by default the game's own evaluator: fitted once, and then saved.

    `.evaluator` of what it gives is the calibrated evaluator, for searches that need more than a value: the error of
    the value, the probability of winning, an interval. `print` shows how well it is calibrated, `.save("file.svg")`
    draws it.

    positions: how many to sample at most, by default 20,000, or 500 if the game cannot be compiled; seed: of all
    chance; again: do it again though it was saved; compiled: True to compile or fail, False to interpret; progress:
    called with the part that is done, from 0 to 1, and words; announce: called with what is compiled.

    >>> ludus.calibrate("nim", "zero", positions=10, compiled=False).facts["positions"]
    10
    """
    from ludus.learning.calibrate import calibrate as fit

    return fit(
        game,
        evaluator,
        positions=positions,
        seed=seed,
        again=again,
        compiled=compiled,
        progress=progress,
        announce=announce,
    )


def quality(
    game: GameLike,
    *evaluators: EvaluatorLike,
    trees: int | None = None,
    after: int | None = None,
    lookahead: int = 0,
    nodes: int | None = None,
    ties: str = "first",
    leaves: str = "first",
    draws: str = "half",
    passes: str = "skipped",
    seed: int = 0,
    compiled: bool | None = None,
    progress: Callable[[float, str], None] = lambda done, words: None,
    announce: Callable[[str], None] | None = None,
) -> Quality:
    """How often the decisions of evaluators, by default the game's own, are wrong, against exact minimax.

    The whole tree of a small game is judged, else trees below random positions. `print` shows errors, also by ply,
    `.save("file.svg")` draws them, `.to_dict()` has all counts.

    trees: judge so many trees below random positions, or of other seeds of a synthetic game, 10 by default; after:
    random plies before each of them; lookahead: choose by minimax so many plies beyond the next position; nodes: the
    most in a tree, 5,000,000 by default, or 100,000 if the game cannot be compiled; seed: of all chance; compiled: True
    to compile or fail, False to interpret; progress: called with the part that is done, from 0 to 1, and words;
    announce: called with what is compiled.

    The convention: ties, which of equal choices is made, `first`, `last`, `random`, `best` or `worst`; leaves: a
    decision counts if its `first`, `last`, `some` or `every` best move does not end the game, if no move does (`none`),
    or always (`counted`); draws: `half` a win, won by the `first` or the `second` player in the tree, or the `score`
    counts; passes: `skipped`, `counted`, or with all other single moves skipped (`forced`).

    >>> found = ludus.quality("tictactoe(size=2)", "open-lines", leaves="counted", compiled=False)
    >>> found.decisions, found.possible
    (17, 0)
    """
    from ludus.diagnostics.quality.decisions import Convention
    from ludus.diagnostics.quality.quality import quality as judge

    return judge(
        game,
        evaluators,
        trees=trees,
        after=after,
        lookahead=lookahead,
        nodes=nodes,
        convention=Convention(ties, leaves, draws, passes),
        seed=seed,
        compiled=compiled,
        progress=progress,
        announce=announce,
    )


def pathology(
    game: GameLike,
    evaluator: EvaluatorLike | None = None,
    *,
    search: Search | type[Search] | str = "alphabeta",
    deepest: int | None = None,
    games: int = 400,
    by: str = "games",
    openings: int = 4,
    seed: int = 0,
    workers: int | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    **options: Any,
) -> Pathology:
    """Does looking deeper help with this evaluator, by default the game's own?

    The search at each depth plays itself at depth 1, from the same openings; or, with `by="decisions"`, it is asked for
    moves in random positions of a game that can be solved. `.pathological` says whether the score falls as the depth
    grows, `.test.p` how likely that is by noise; `print` shows the scores with the verdict, `.save("file.png")` draws
    them.

    search: whose depth is varied; deepest: the deepest search, by default 6, or less where there are many moves;
    games: at each depth, or decisions in all; by: `"games"` or `"decisions"`; openings: random plies before the players
    take over; seed: of all chance; workers: processes, by default one for each core; compiled: True to compile or fail,
    False to interpret; db: a database in which games are kept, so that the same call goes on where it was; new: start
    over all the same.

    Further options: move_limit, seconds after which a move is lost; dask, the address of a cluster; progress, called
    with what there is after each pair of games; continuing, called with the number of a run that goes on and how many
    games it has; calibrating and announce as for `match` and `calibrate`.

    >>> found = ludus.pathology("board-splitting(rounds=3)", "ones", by="decisions", deepest=4, games=8, compiled=False)
    >>> [row["depth"] for row in found.rows]
    [1, 2, 3, 4]
    """
    from ludus.diagnostics.pathology.pathology import PathologyOptions
    from ludus.diagnostics.pathology.pathology import pathology as experiment

    options |= {"workers": workers}
    _check_options(pathology, options, PathologyOptions)
    return experiment(
        game,
        evaluator,
        search=search,
        deepest=deepest,
        games=games,
        by=by,
        openings=openings,
        seed=seed,
        compiled=compiled,
        db=db,
        new=new,
        **options,
    )


def _check_options(function: Any, options: dict[str, Any], kind: type | None = None) -> None:
    """An unknown option, one that is neither the function's own nor a field of `kind`, is one sentence."""
    known = set() if kind is None else {field.name for field in dataclasses.fields(kind)} - {"crew"}
    for name in options.keys() - known:
        parameters = inspect.signature(function).parameters.values()
        if any(each.name == name and each.kind == each.VAR_POSITIONAL for each in parameters):
            raise SpecError(f"{name} of {function.__name__} are given one after the other, without a name.")
        named = {each.name for each in parameters if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)}
        raise unknown(f"option of {function.__name__}", name, named | known, "it takes")


def play(
    game: GameLike,
    first: PlayerLike = "person",
    second: PlayerLike = "",
    *,
    state: Any = None,
    budget: Budget | str | None = None,
    seed: int = 0,
    compiled: bool | None = None,
    db: str | Path = "ludus.db",
) -> Position:
    """Play in the terminal, or at a notebook's prompt: a person against a player, two people, or two players.

    first and second: `"person"`, a player, or `"best"`, the winner of the last ranking of this game in the database
    `db`; second by default a player that can play the game at this budget; state: where to begin; budget: for players
    that name none. Gives the last position.

    `ludus.play("othello", second="uct")` asks you for moves and lets `uct` reply.
    """
    from ludus.cli.playing import prepare

    conducted = prepare(game, (first, second), state, budget, seed, compiled, db)
    conducted.play()
    return conducted.position
