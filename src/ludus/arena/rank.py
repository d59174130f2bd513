"""`ludus.rank`: which search should this game use, at this budget, and how sure is that?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ludus.arena.ranking import Ranking
from ludus.arena.settings import RankOptions, RankSettings
from ludus.arena.small_game import Solved
from ludus.arena.stats.verdict import EQUAL
from ludus.arena.tournament import hold_tournament
from ludus.common.numbers import one_or_many
from ludus.model.budget import Budget
from ludus.model.game import GameLike
from ludus.runtime.player import PlayerLike


def rank(
    game: GameLike,
    *players: PlayerLike | Sequence[PlayerLike],
    all: bool = False,
    family: str | None = None,
    budget: Budget | str | None = None,
    openings: int = 4,
    games: int = 2000,
    minutes: float | None = None,
    equal: float = EQUAL,
    round_robin: bool = False,
    seed: int = 0,
    workers: int | None = None,
    dask: str | None = None,
    move_limit: float | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    learn: bool = True,
    progress: Callable[[Ranking], None] = lambda ranking: None,
    preparing: Callable[[int, int], None] = lambda done, total: None,
    continuing: Callable[[int, int], None] = lambda run, games: None,
    calibrating: Callable[[float, str], None] = lambda done, words: None,
    learning: Callable[[float, str], None] = lambda done, words: None,
    solved: Callable[[Solved], None] = lambda solved: None,
) -> Ranking:
    """Which of these players, or of the contenders among the searches, is best at this game, and how sure is that?

    `print(ranking)` shows the table, `ranking.save("report.html")` writes the report.

    all: every search takes part, beside the players named; family: every search of that family does, `"full-width"`,
    `"best-first"` or `"sampling"`; budget: for players that name none, such as `"nodes=500"`, by default 2000 nodes a
    move, more for a game without an evaluator; openings: random plies before the players take over; games: the most,
    over all pairings; minutes: the most that the games may take; equal: players known to be no farther apart, in Elo,
    are not told apart; round_robin: everyone meets everyone equally often, with no early end; seed: the random seed;
    workers: processes, by default one for each core; dask: the address of a cluster; move_limit: seconds after
    which a move is lost; compiled: True to compile or fail, False to interpret; db: a database in which games are kept,
    so that the same call goes on where it was; new: start over all the same; learn: where nobody named players and the
    game has no evaluator, learn one, with which some of the contenders play too.

    Callbacks: progress, with the ranking after each pair; preparing, with how many players are ready and how many there
    are; continuing, with the number of a run that goes on and how many games it has; calibrating, with the part done
    and words while an evaluator is calibrated for a search that needs it; learning, the same while one is learnt;
    solved, with the result of a game that is small enough to be solved.
    """
    settings = RankSettings(
        all=all,
        family=family,
        budget=budget,
        openings=openings,
        games=games,
        minutes=minutes,
        equal=equal,
        round_robin=round_robin,
        seed=seed,
        compiled=compiled,
        db=db,
        new=new,
        learn=learn,
    )
    options = RankOptions(
        workers=workers,
        dask=dask,
        move_limit=move_limit,
        progress=progress,
        preparing=preparing,
        continuing=continuing,
        calibrating=calibrating,
        learning=learning,
        solved=solved,
    )
    return hold_tournament(game, one_or_many(players), settings, options)
