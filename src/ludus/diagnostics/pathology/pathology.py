"""Does looking deeper help? An evaluator with the same search at several depths (Abramson 1985; Nau 1982).

`by="games"`: the search at each depth plays the search at depth 1, which looks at the positions after its moves and no
farther: the papers' lookahead 0. All depths play from the same openings, so a pair of games from one opening is a
subject with a result at every depth. `by="decisions"`: in random positions of a game that is small enough to solve, or
in the first positions of random ones, it is counted how often each depth chooses a right move where there is a wrong
one as well. Here the positions are the subjects.

A game is pathological with this evaluator and search if the score falls somewhere as the depth grows, by the test of
`arena/stats/monotone.py`. Even and odd depths are not compared: the player who made the last move tends to look better,
so values, and what follows from them, differ between them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from ludus.arena.play.faults import advising
from ludus.arena.play.openings import check_openings
from ludus.arena.pool.serving import refuse_in_worker
from ludus.arena.store.store import Store
from ludus.diagnostics.pathology.by_decisions import judge_by_decisions
from ludus.diagnostics.pathology.by_games import judge_by_games
from ludus.diagnostics.pathology.pathology_report import Pathology
from ludus.diagnostics.pathology.settings import GAMES, PathologyOptions, PathologySettings
from ludus.kernel.chance import Dice, random_games
from ludus.kernel.random import seed_for
from ludus.learning.automatic_calibration import with_calibration
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.evaluator import EvaluatorLike
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.model.search import Search
from ludus.model.watchdog import watching
from ludus.runtime.player import Player

DEEPEST, EFFORT = 6, 20_000
"""The deepest search where nobody says: at most this, and no deeper than alpha-beta comes with these nodes a move."""


def pathology(
    game: GameLike,
    eval: EvaluatorLike | None = None,
    *,
    search: Search | type[Search] | str = "alphabeta",
    deepest: int | None = None,
    games: int = GAMES,
    by: str = "games",
    openings: int = 4,
    seed: int = 0,
    workers: int | None = None,
    dask: str | None = None,
    move_limit: float | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    progress: Callable[[Pathology], None] = lambda found: None,
    continuing: Callable[[int, int], None] = lambda run, games: None,
    calibrating: Callable[[float, str], None] = lambda done, words: None,
    announce: Callable[[str], None] | None = None,
) -> Pathology:
    """Does looking deeper help with this evaluator, by default the game's own?

    The search at each depth plays itself at depth 1, from the same openings; or, with `by="decisions"`, it is asked for
    moves in random positions of a game that can be solved. `.pathological` says whether the score falls as the depth
    grows, `.test.p` how likely that is by noise; `print` shows the scores with the verdict, `.save("file.png")` draws
    them.

    search: whose depth is varied; deepest: the deepest search, by default 6, or less where there are many moves;
    games: at each depth, or decisions in all; by: `"games"` or `"decisions"`; openings: random plies before the players
    take over; seed: the random seed; workers: processes, by default one for each core; dask: the address of a cluster;
    move_limit: seconds after which a move is lost; compiled: True to compile or fail, False to interpret; db: a
    database in which games are kept, so that the same call goes on where it was; new: start over all the same;
    progress: called with what there is after each pair of games; continuing: called with the number of a run that goes
    on and how many games it has; calibrating and announce: as for `match` and `calibrate`.

    >>> found = ludus.pathology("board-splitting(rounds=3)", "ones", by="decisions", deepest=4, games=8, compiled=False)
    >>> [row["depth"] for row in found.rows]
    [1, 2, 3, 4]
    """
    settings = PathologySettings(
        search=search,
        deepest=deepest,
        games=games,
        by=by,
        openings=openings,
        seed=seed,
        compiled=compiled,
        db=db,
        new=new,
    )
    options = PathologyOptions(
        workers=workers,
        dask=dask,
        move_limit=move_limit,
        progress=progress,
        continuing=continuing,
        calibrating=calibrating,
        announce=announce,
    )
    return judge_depths(game, eval, settings, options)


def judge_depths(
    game: GameLike, eval: EvaluatorLike | None, settings: PathologySettings, options: PathologyOptions
) -> Pathology:
    """Judge the depths that the settings describe with this evaluator, or with the game's own."""
    refuse_in_worker()
    game, kind, seed = registry.games().of(game), registry.searches().of(settings.search), settings.seed
    if settings.db is not None:
        Store.check(settings.db)
    with advising(game):
        check_openings(game, settings.openings, seed)
    depths = list(range(1, (settings.deepest or _deepest(game)) + 1))
    given = None if eval is None else registry.evaluators().of(eval)
    one = Player(kind, given, Budget(depth=1), compiled=settings.compiled, announce=options.announce)
    one = with_calibration(one, game, options.calibrating)
    players = [_at_depth(one, depth) for depth in depths]
    found = Pathology(str(game), str(one.evaluator), str(kind), settings.by, seed, depths)
    judge = judge_by_games if settings.by == "games" else judge_by_decisions
    with advising(game):
        one.session(game)  # compiled before any worker starts
        judge(found, game, players, settings, options)
    return found


def _at_depth(player: Player, depth: int) -> Player:
    budget = Budget(depth=depth)
    return Player(player.search, player.evaluator, budget, compiled=player.compiled, announce=player.announce)


def _deepest(game: PlayableGame) -> int:
    """How deep alpha-beta comes with `EFFORT` nodes, at most `DEEPEST`: b^(3/4) nodes a ply, b from random games."""
    with watching():
        decisions = (ply for ply in random_games(game, Dice(seed_for(1)), 4) if ply.is_decision)
        counts = [len(ply.legal) for ply in islice(decisions, 1000)]
    branching = max(sum(counts) / max(len(counts), 1), 1.5)
    depth = 3
    while depth < DEEPEST and branching ** (0.75 * (depth + 1)) <= EFFORT:
        depth += 1
    return depth
