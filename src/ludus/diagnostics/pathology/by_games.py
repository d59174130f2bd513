"""Depths judged by games: each plays depth 1 from the same openings, opening by opening."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import islice, tee

from ludus.arena.play.openings import openings as random_openings
from ludus.arena.play.packing import PackedPairs
from ludus.arena.play.pairs import Pair
from ludus.arena.play.records import Records
from ludus.arena.play.sources import Sources
from ludus.arena.pool.workers import NoWorkersLeft
from ludus.arena.roster import run_fingerprint
from ludus.arena.store.store import FINISHED, INTERRUPTED, Run, RunKey, Store
from ludus.common.version import VERSION
from ludus.diagnostics.pathology.pathology_report import Pathology
from ludus.diagnostics.pathology.settings import PathologyOptions, PathologySettings
from ludus.kernel.random import seed_for
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player


def judge_by_games(
    found: Pathology,
    game: PlayableGame,
    players: Sequence[Player],
    settings: PathologySettings,
    options: PathologyOptions,
) -> None:
    """Play all depths against depth 1, as a run of the database if there is one."""
    options = options.for_players(game, players)
    with ExitStack() as stack:
        run = None
        if settings.db is not None:
            names, about = tuple(str(player) for player in players), {"openings": settings.openings}
            kind = run_fingerprint(game, players)
            key = RunKey("pathology", str(game), names, settings.seed, about, kind, VERSION)
            run = stack.enter_context(stack.enter_context(Store(settings.db)).run(key, fresh=settings.new))
        _Contest(found, game, players, settings.openings, options, run).play((settings.games + 1) // 2)


class _Contest:
    """The games of all depths against depth 1, opening by opening, so that an early end leaves none behind."""

    def __init__(
        self,
        found: Pathology,
        game: PlayableGame,
        players: Sequence[Player],
        openings: int,
        options: PathologyOptions,
        run: Run | None,
    ) -> None:
        self.found, self.game, self.players = found, game, players
        self.openings, self.options, self.run = openings, options, run
        self.known = PackedPairs(run.pairs() if run is not None else {})
        self.sources = Sources(game, players)

    def play(self, pairs: int) -> None:
        """Play this number of pairs at each depth; Ctrl-C ends it with what there is."""
        found, run = self.found, self.run
        found.run = None if run is None else run.number
        tasks, wanted = tee(self._pairs(pairs))
        missing = (pair for pair in tasks if pair.number not in self.known)
        try:
            with closing(self._played(missing)) as played:
                self._count(wanted, played)
        except KeyboardInterrupt:
            found.interrupted = True
        except NoWorkersLeft as error:
            found.interrupted, found.note = True, f"{error} The same command goes on."
        if not found.interrupted and found.subjects < pairs:
            found.note = f"there are no more distinct openings of {self.openings} plies."
        if run is not None and found.played:
            run.finish(INTERRUPTED if found.interrupted else FINISHED, found.to_dict())

    def _played(self, pairs: Iterable[Pair]) -> Generator[Records]:
        """What these pairs give, played now; nobody is hired unless there is something to play."""
        with closing(self.options.hire()) as pool:
            if self.run is not None:
                if self.known:
                    self.options.continuing(self.run.number, 2 * len(self.known))
                self.run.begin()
            yield from pool.run(pairs)

    def _pairs(self, pairs: int) -> Iterator[Pair]:
        found = random_openings(self.game, self.openings, self.found.seed)
        for index, opening in enumerate(islice(found, pairs)):
            for number in range(1, len(self.players)):
                seed = seed_for(self.found.seed, index, number, 1)
                players = self.players[0], self.players[number]
                yield Pair((0, number, index), opening, players, seed, self.options.move_limit)

    def _count(self, wanted: Iterable[Pair], played: Iterator[Records]) -> None:
        """Count the pairs in their order; one that was played now is stored first."""
        row: list[tuple[float, float]] = []
        for pair in wanted:
            records = self.known.get(pair.number)
            if records is None:
                records = next(played)
                self.found.played += 2
                if self.run is not None:
                    self.run.add(pair, records)
                self.sources.check()
            # The deeper player moves second in the first game.
            row.append((_points(records[1].score), _points(-records[0].score)))
            if len(row) == len(self.players) - 1:
                self.found.add(row)
                row = []
            self.options.progress(self.found)


def _points(score: float) -> float:
    return 1.0 if score > 0 else 0.5 if score == 0 else 0.0
