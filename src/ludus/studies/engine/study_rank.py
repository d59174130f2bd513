"""Rankings in a study: who can play a game at a budget, and who is best at it. Several are played at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludus.arena.play.preparation import Preparation
from ludus.arena.pool.shared_pool import PoolClient, run_clients
from ludus.arena.pool.workers import WorkerPool
from ludus.arena.ranking import Ranking
from ludus.arena.roster import run_fingerprint
from ludus.arena.settings import RankOptions, RankSettings
from ludus.arena.tournament import TooFew, hold_tournament
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player
from ludus.studies.engine.measurements import MeasurementCache, name_of
from ludus.studies.engine.settings import ReproduceSettings


@dataclass(frozen=True)
class Contest:
    """Players of one game, their budgets included; `games` is the most that they play."""

    game: PlayableGame
    players: Sequence[Player]
    games: int
    openings: int
    seed: int

    @property
    def name(self) -> str:
        """What it is kept under."""
        kind = run_fingerprint(self.game, self.players)
        return name_of("rank", kind, self.game, *self.players, self.games, self.openings, self.seed)


def why_not(game: PlayableGame, players: Sequence[Player], pool: WorkerPool, keep: MeasurementCache) -> list[str]:
    """Of each player, why it cannot play, or why its first move is too costly; empty if it can. They are compiled."""
    names = [name_of("ready", run_fingerprint(game, [player]), game, player) for player in players]
    found = {name: keep.measured(name) for name in names}
    missing = [(name, player) for name, player in zip(names, players, strict=True) if found[name] is None]
    tasks = [Preparation(game, player, number) for number, (_, player) in enumerate(missing)]
    for (name, _), readiness in zip(missing, pool.run(tasks), strict=True):
        found[name] = readiness.left_out
        keep.measure(name, readiness.left_out)
    return [found[name] for name in names]


@dataclass(frozen=True)
class Contests:
    """Rankings that share a pool. What each gives is kept, and with a database its games are too."""

    pool: WorkerPool
    keep: MeasurementCache
    settings: ReproduceSettings
    """Of the study: where games are kept."""
    tell: Callable[[Ranking], None]

    def play(self, contests: Sequence[Contest]) -> list[dict[str, Any]]:
        """What `to_dict` of a ranking gives, of each; who cannot play is among the `excluded`, with the reason."""
        missing = {each.name: each for each in contests if self._measured(each) is None}
        clients = {name: PoolClient(partial(self._rank, each), str(each.game)) for name, each in missing.items()}
        run_clients(self.pool, list(clients.values()))
        for name, client in clients.items():
            if client.result is None:
                raise KeyboardInterrupt
            self.keep.measure(name, client.result)
        return [self.keep.measured(each.name) for each in contests]

    def _measured(self, contest: Contest) -> dict[str, Any] | None:
        """What is kept of a ranking, if it is about those players: a study plays on with those whom it names."""
        found, players = self.keep.measured(contest.name), set(map(str, contest.players))
        try:
            named = {row["player"] for row in (*found["players"], *found["excluded"])}
            named |= {*found["unbeaten"], found["best"]} - {None}
            return found if named <= players else None
        except (TypeError, KeyError):  # nothing is kept, or it is damaged
            return None

    def _rank(self, contest: Contest, pool: WorkerPool) -> dict[str, Any] | None:
        """None if it was interrupted."""
        settings = RankSettings(
            lenient=True,
            games=contest.games,
            openings=contest.openings,
            seed=contest.seed,
            db=self.settings.db,
            new=self.settings.new,
        )
        options = RankOptions(pool=pool, progress=self.tell)
        try:
            found = hold_tournament(contest.game, contest.players, settings, options)
        except TooFew as error:
            excluded = [{"player": str(player), "reason": str(error)} for player in contest.players]
            facts = {"players": [], "best": None, "unbeaten": [], "separated": False, "excluded": excluded}
            return {"game": str(contest.game), "games": 0} | facts
        return None if found.stopped == "interrupted" else found.to_dict()
