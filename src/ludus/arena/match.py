"""A match: two players, games in pairs from the same opening with sides swapped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict
from itertools import islice, tee
from pathlib import Path

from ludus.arena.match_result import MatchResult
from ludus.arena.play.faults import advising
from ludus.arena.play.openings import openings as random_openings
from ludus.arena.play.pairs import Pair
from ludus.arena.play.playing import board_for
from ludus.arena.play.sources import Sources
from ludus.arena.pool.serving import refuse_in_worker
from ludus.arena.pool.workers import NoWorkersLeft
from ludus.arena.settings import MatchOptions, MatchSettings
from ludus.arena.stats.sprt import Sprt
from ludus.arena.store.database import Database
from ludus.arena.store.recorder import RunRecorder
from ludus.common.errors import LudusError
from ludus.kernel.random import seed_for
from ludus.learning.automatic_calibration import with_calibration
from ludus.model import registry
from ludus.model.budget import DEFAULT_BUDGET, Budget
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player, PlayerLike


def match(
    game: GameLike,
    first: PlayerLike,
    second: PlayerLike,
    *,
    games: int | None = None,
    openings: int = 4,
    budget: Budget | str = DEFAULT_BUDGET,
    sprt: Sprt | str | None = None,
    seed: int = 0,
    workers: int | None = 1,
    dask: str | None = None,
    move_limit: float | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    progress: Callable[[MatchResult], None] = lambda result: None,
    calibrating: Callable[[float, str], None] = lambda done, words: None,
    not_kept: Callable[[LudusError], None] | None = None,
) -> MatchResult:
    """A match of two players, games in pairs from the same random opening with sides swapped.

    games: how many, 100 by default, rounded up to even; openings: random plies before the players take over; where
    distinct ones run out, the match ends early and says so; budget: for players that name none; sprt: play until it is
    decided which is true, `"elo0=0,elo1=50"`; seed: the random seed; workers: processes, None: one for each core; dask:
    the address of a cluster; move_limit: seconds after which a move is lost; compiled: True to compile or fail, False
    to interpret; db: a database in which games are kept, as a run of their own; progress: called with the result so far
    after each pair; calibrating: called with the part done and words while an evaluator is calibrated for a search that
    needs it; not_kept: called with why the database cannot be used, and the match goes on without it.

    >>> ludus.match("tictactoe", "minimax(depth=2)", "random", games=10, openings=2, compiled=False).points
    (9.5, 0.5)
    """
    settings = MatchSettings(
        games=games,
        openings=openings,
        budget=budget,
        sprt=None if sprt is None else Sprt.of(sprt),
        seed=seed,
        compiled=compiled,
        db=db,
    )
    options = MatchOptions(
        workers=workers,
        dask=dask,
        move_limit=move_limit,
        progress=progress,
        calibrating=calibrating,
        not_kept=not_kept,
    )
    return play_match(game, first, second, settings, options)


def play_match(
    game: GameLike, first: PlayerLike, second: PlayerLike, settings: MatchSettings, options: MatchOptions
) -> MatchResult:
    """Play the match that the settings describe."""
    refuse_in_worker()
    game, sprt, seed, plies = registry.games().of(game), settings.sprt, settings.seed, settings.openings
    if settings.db is not None and options.not_kept is None:
        Database.check(settings.db)
    given = [Player.of(each, settings.budget, compiled=settings.compiled) for each in (first, second)]
    with advising(game):
        game.check_begins()
    one, other = (with_calibration(player, game, options.calibrating) for player in given)
    result = MatchResult(str(game), (str(one), str(other)), seed, sprt=sprt)
    options = options.for_players(game, (one, other))
    with advising(game), RunRecorder(settings.db, options.not_kept) as recorder:
        for player in (one, other):
            player.session(game)  # compile here, before any worker starts
        pairs = islice(pairs_between(game, (one, other), plies, seed, options.move_limit), settings.pairs)
        recorder.begin(game, (one, other), seed, {"openings": plies, "sprt": None if sprt is None else asdict(sprt)})
        _play(result, pairs, options, recorder, Sources(game, (one, other)))
        if result.interrupted:
            result.note = result.note or f"interrupted after {result.games} games."
        elif result.games < 2 * settings.pairs and not result.decided:
            longer = "" if type(game).seeded else f": there are no more distinct openings of {plies} plies"
            result.note = f"stopped after {result.games} games{longer}."
        result.run = recorder.number
        recorder.finish(result.interrupted, result.to_dict())
        result.run = recorder.number  # none, if that failed
    return result


def pairs_between(
    game: PlayableGame, players: tuple[Player, Player], openings: int, seed: int, move_limit: float | None = None
) -> Iterator[Pair]:
    """The pairs of a match in their order, as many as there are distinct openings; each depends on nothing but this."""
    # Interpreted, a rule that does not return is noticed.
    board = board_for(game, *players) if type(game).__module__.startswith("ludus.") else None
    for index, opening in enumerate(random_openings(game, openings, seed, board)):
        yield Pair((0, 1, index), opening, players, seed_for(seed, index, 1), move_limit)


def _play(
    result: MatchResult, pairs: Iterable[Pair], options: MatchOptions, recorder: RunRecorder, sources: Sources
) -> None:
    """Play the pairs, and count them in their order, until the test is decided or Ctrl-C comes.

    What workers have played beyond that is not counted, nor kept: so their number makes no difference.
    """
    tasks, played = tee(pairs)
    try:
        with closing(options.hire()) as pool:
            for pair, records in zip(played, pool.run(tasks), strict=False):
                recorder.add(pair, records)
                sources.check()
                result.add(records)
                options.progress(result)
                if result.decided:
                    break
    except KeyboardInterrupt:
        result.interrupted = True
    except NoWorkersLeft as error:
        if not result.games:
            raise
        result.interrupted, result.note = True, f"{error} It ended after {result.games} games."
