"""A sweep: every game at every budget, a ranking in each cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from ludus.arena.play.faults import advising
from ludus.arena.play.openings import check_openings
from ludus.arena.pool.resources import Resources
from ludus.arena.pool.shared_pool import PoolClient, run_clients
from ludus.arena.pool.workers import WorkerPool
from ludus.arena.ranking import Ranking
from ludus.arena.roster import Roster
from ludus.arena.settings import RankOptions, RankSettings, SweepOptions
from ludus.arena.stats.verdict import EQUAL
from ludus.arena.store.database import Database
from ludus.arena.store.provenance import provenance
from ludus.arena.sweep_result import Cell, Sweep
from ludus.arena.tournament import hold_tournament
from ludus.common.errors import SpecError
from ludus.common.numbers import one_or_many
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.model.spec import Spec
from ludus.runtime.player import Player, PlayerLike


def sweep(
    game: GameLike | Sequence[GameLike],
    budget: Budget | str | Sequence[Budget | str],
    *players: PlayerLike | Sequence[PlayerLike],
    all: bool = False,
    family: str | None = None,
    openings: int = 4,
    games: int = 2000,
    equal: float = EQUAL,
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
) -> Sweep:
    """Rank these players, or the contenders, on every game at every budget.

    `ludus.sweep(["nim", "tictactoe"], ["nodes=50", "nodes=500"])`: each cell, a game at a budget, is what `rank` makes
    of it, and the options are those of `rank`, `games` for each cell; all cells share the workers. `print(sweep)` shows
    the table and where one player overtakes another, `sweep.save("curves.svg")` draws strength against budget, and
    writes pages and tables as `rank` does.

    progress: called with how many cells are done, and one that has played another pair; calibrating: as for `rank`.
    """
    settings = RankSettings(
        all=all,
        family=family,
        openings=openings,
        games=games,
        equal=equal,
        round_robin=round_robin,
        seed=seed,
        compiled=compiled,
        db=db,
        new=new,
    )
    options = SweepOptions(
        workers=workers,
        dask=dask,
        move_limit=move_limit,
        progress=progress,
        calibrating=calibrating,
    )
    several: Sequence[GameLike] = game if isinstance(game, (list, tuple)) else [game]  # type: ignore[list-item]
    limits: Sequence[Budget | str] = [budget] if isinstance(budget, (Budget, str)) else budget
    return hold_sweep(several, limits, one_or_many(players), settings, options)


def hold_sweep(
    games: Sequence[GameLike],
    budgets: Sequence[Budget | str],
    players: Sequence[PlayerLike],
    settings: RankSettings,
    options: SweepOptions,
) -> Sweep:
    """Rank on every game at every budget by these settings, but nothing is learnt and no game is solved."""
    boards = [registry.games().of(each) for each in games]
    limits = [Budget.of(each) for each in budgets]
    for what, given in (("game", boards), ("budget", limits)):
        if not given:
            raise SpecError(f"a sweep needs at least one {what}.")
        if len({str(each) for each in given}) < len(given):
            raise SpecError(f"a {what} is named twice: {', '.join(map(str, given))}.")
    settings = replace(settings, budget=limits[0], learn=False, solve=False)
    made = _Field(boards, limits, players, settings, options)
    made.prepare()
    resources: Resources = options
    for board in boards:
        resources = resources.for_players(board, [Player.of(each) for each in players])
    return made.play(resources)


@dataclass
class _Field:
    """The cells of a sweep, while they are played."""

    games: Sequence[PlayableGame]
    budgets: Sequence[Budget]
    players: Sequence[PlayerLike]
    settings: RankSettings
    options: SweepOptions
    clients: list[PoolClient] = field(default_factory=list)

    def play(self, resources: Resources) -> Sweep:
        """Play all cells at once, with workers that they share."""
        where = [(game, budget) for game in self.games for budget in self.budgets]
        self.clients = [PoolClient(partial(self._rank, cell, resources), str(cell[0])) for cell in where]
        with closing(resources.hire()) as pool:
            run_clients(pool, self.clients)
        results: list[Ranking | None] = [client.result for client in self.clients]
        cells = [self._cell(cell, found) for cell, found in zip(where, results, strict=True) if found is not None]
        interrupted = any(ranking is None or ranking.stopped == "interrupted" for ranking in results)
        return Sweep(cells, self.settings.seed, interrupted, provenance())

    def prepare(self) -> None:
        """Refuse what cannot be played; calibrate what the cells, which are played at the same time, will need."""
        asked = self.settings
        if asked.db is not None:
            Database.check(asked.db)
        for game in self.games:
            with advising(game):
                check_openings(game, asked.openings, asked.seed)
        who: dict[str, Any] = {"all": asked.all, "family": asked.family, "calibrating": self.options.calibrating}
        for game in self.games:
            Roster.of(game, self.players, self.budgets[0], asked.compiled, **who)

    def _rank(self, cell: tuple[PlayableGame, Budget], resources: Resources, pool: WorkerPool) -> Ranking:
        def tell(ranking: Ranking) -> None:
            self.options.progress(sum(client.is_over for client in self.clients), self._cell(cell, ranking))

        options = RankOptions(move_limit=resources.move_limit, pool=pool, progress=tell)
        return hold_tournament(cell[0], self.players, replace(self.settings, budget=cell[1]), options)

    def _cell(self, cell: tuple[PlayableGame, Budget], ranking: Ranking) -> Cell:
        return Cell(*cell, ranking, [_name(each) for each in self.players])


def _name(given: PlayerLike) -> str:
    """What a player is called: as it was named, so without the budget of a cell."""
    if isinstance(given, str):
        return str(Spec.parse(given))
    return str(given if isinstance(given, Player) else Player.of(given).search)
