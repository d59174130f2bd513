"""Rankings in a study: who can play a game at a budget, and who is best at it. Several are played at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ludus.arena.preparation import Preparation
from ludus.arena.ranking import Ranking
from ludus.arena.roster import kind_of_run
from ludus.arena.sharing import Share, play_together
from ludus.arena.study_keep import Keep, name_of
from ludus.arena.tournament import rank
from ludus.arena.workers import Crew
from ludus.core.game import Game
from ludus.core.player import Player


@dataclass(frozen=True)
class Contest:
    """Players of one game, their budgets included; `games` is the most that they play."""

    game: Game
    players: Sequence[Player]
    games: int
    openings: int
    seed: int

    @property
    def name(self) -> str:
        """What it is kept under."""
        kind = kind_of_run(self.game, self.players)
        return name_of("rank", kind, self.game, *self.players, self.games, self.openings, self.seed)


def why_not(game: Game, players: Sequence[Player], crew: Crew, keep: Keep) -> list[str]:
    """Of each player, why it cannot play, or why its first move is too costly; empty if it can. They are compiled."""
    names = [name_of("ready", kind_of_run(game, [player]), game, player) for player in players]
    found = {name: keep.measured(name) for name in names}
    missing = [(name, player) for name, player in zip(names, players, strict=True) if found[name] is None]
    tasks = [Preparation(game, player, number) for number, (_, player) in enumerate(missing)]
    for (name, _), readiness in zip(missing, crew.run(tasks), strict=True):
        found[name] = readiness.left_out
        keep.measure(name, readiness.left_out)
    return [found[name] for name in names]


@dataclass
class Contests:
    """Rankings that share a crew. What each gives is kept, and with a database its games are too."""

    crew: Crew
    keep: Keep
    where: Mapping[str, Any]
    """The options of `rank` that say where games are kept."""
    tell: Callable[[Ranking], None]
    left_out: dict[str, list[dict[str, str]]] = field(default_factory=dict)

    def play(self, contests: Sequence[Contest]) -> list[dict[str, Any]]:
        """What `ludus.rank` gives for JSON, of each; who cannot play is among the `excluded`, with the reason."""
        missing = {each.name: each for each in contests if self.keep.measured(each.name) is None}
        shares = {name: self._share(name, each) for name, each in missing.items()}
        play_together(self.crew, [share for share in shares.values() if share is not None])
        for name, share in shares.items():
            self._store(name, missing[name], share)
        return [self.keep.measured(each.name) for each in contests]

    def _share(self, name: str, contest: Contest) -> Share | None:
        """The run of a contest; None if fewer than two can play."""
        reasons = why_not(contest.game, contest.players, self.crew, self.keep)
        able = [player for player, why in zip(contest.players, reasons, strict=True) if not why]
        self.left_out[name] = [
            {"player": str(player), "reason": why} for player, why in zip(contest.players, reasons, strict=True) if why
        ]
        return Share(partial(self._rank, contest, able), str(contest.game)) if len(able) > 1 else None

    def _rank(self, contest: Contest, able: Sequence[Player], crew: Crew) -> Ranking:
        options = {"openings": contest.openings, "seed": contest.seed, "crew": crew, **self.where}
        return rank(contest.game, able, games=contest.games, progress=self.tell, **options)

    def _store(self, name: str, contest: Contest, share: Share | None) -> None:
        ranking: Ranking | None = share.result if share is not None else None
        if share is not None and (ranking is None or ranking.stopped == "interrupted"):
            raise KeyboardInterrupt
        found: dict[str, Any] = {"game": str(contest.game), "games": 0, "players": [], "best": None, "unbeaten": []}
        found |= {"separated": False} | (ranking.to_dict() if ranking is not None else {})
        self.keep.measure(name, found | {"excluded": self.left_out[name]})
