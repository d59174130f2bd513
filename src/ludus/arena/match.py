"""A match: two players, games in pairs from the same opening with sides swapped."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import islice, tee
from pathlib import Path
from typing import Any

from ludus.arena.play.faults import advising
from ludus.arena.play.openings import openings as random_openings
from ludus.arena.play.pairs import Pair
from ludus.arena.play.playing import board_for
from ludus.arena.play.reasons import Reason
from ludus.arena.play.records import Records, faults_of
from ludus.arena.play.sources import Sources
from ludus.arena.pool.resources import Resources
from ludus.arena.pool.serving import refuse_in_worker
from ludus.arena.pool.workers import NoWorkersLeft
from ludus.arena.reports.standings import Effort, Score, Standing, row_data
from ludus.arena.stats.sprt import Sprt
from ludus.arena.stats.statistics import Estimate, elo_estimate, likelihood_of_superiority
from ludus.arena.store.database import Database
from ludus.arena.store.recorder import RunRecorder
from ludus.common.errors import LudusError
from ludus.common.notebook import frame, pre
from ludus.common.numbers import whole_number
from ludus.kernel.random import seed_for
from ludus.learning.automatic_calibration import with_calibration
from ludus.model import registry
from ludus.model.budget import BUDGET_KEYS, DEFAULT_BUDGET, Budget, Meter
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.model.spec import Spec
from ludus.runtime.player import Player, PlayerLike

GAMES, MOST = 100, 20_000
"""How many games a match has by default: exactly, or at most if it ends when a sequential test is decided."""

STOPPED = {
    "interrupted": "interrupted after {games} games.",
    "workers": "{lost} It ended after {games} games.",
    "openings": "stopped after {games} games: there are no more distinct openings of {openings} plies.",
    "seeds": "stopped after {games} games.",
}


@dataclass(repr=False)
class MatchResult:
    """The score of a match, from the first player's side."""

    game: str
    players: tuple[str, str]
    seed: int
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    effort: list[Meter] = field(default_factory=lambda: [Meter(), Meter()])
    decisions: list[int] = field(default_factory=lambda: [0, 0])
    faults: Counter[tuple[str, Reason]] = field(default_factory=Counter)
    """How many games each player forfeited, by player and reason."""
    endless: int = 0
    """How many games were ended as draws because they lasted too long."""
    stopped: str = ""
    """Why it ended before all games were played: one of `STOPPED`."""
    openings: int = 0
    """The plies of the openings."""
    lost: str = ""
    """What happened to the workers, if that is why."""
    sprt: Sprt | None = None
    run: int | None = None
    """The number of the run in the database; None if the games are not kept."""

    def add(self, records: Records) -> None:
        """Count a pair; if Ctrl-C comes in between, nothing of it is counted."""
        wins, pairs, effort, decisions = self.wins[:], self.pairs[:], self.effort[:], self.decisions[:]
        draws, points, endless = self.draws, 0.0, self.endless
        for index, record in enumerate(records):
            # In the second game of a pair the players have changed sides.
            mine = record.score if index == 0 else -record.score
            points += 1 if mine > 0 else 0.5 if mine == 0 else 0
            if mine == 0:
                draws += 1
            else:
                wins[0 if mine > 0 else 1] += 1
            endless += record.endless
            for seat in (0, 1):
                effort[seat ^ index] += record.effort[seat]
                decisions[seat ^ index] += record.decisions[seat]
        pairs[int(2 * points)] += 1
        faults = self.faults + Counter(faults_of(self.players, records))
        counted = {"wins": wins, "draws": draws, "pairs": pairs, "effort": effort, "decisions": decisions}
        self.__dict__.update(counted, faults=faults, endless=endless)

    @property
    def interrupted(self) -> bool:
        """Whether it might have gone on."""
        return self.stopped in ("interrupted", "workers")

    @property
    def note(self) -> str:
        """Why it ended before all games were played, in words."""
        return STOPPED.get(self.stopped, "").format(games=self.games, lost=self.lost, openings=self.openings)

    @property
    def games(self) -> int:
        return sum(self.wins) + self.draws

    @property
    def points(self) -> tuple[float, float]:
        return self.wins[0] + self.draws / 2, self.wins[1] + self.draws / 2

    @property
    def score(self) -> float:
        """The first player's share of the points, from 0 to 1; NaN before the first game."""
        return self.points[0] / self.games if self.games else math.nan

    @property
    def losses(self) -> int:
        """How many games the first player lost."""
        return self.wins[1]

    def to_frame(self) -> Any:
        """A row for each player as a pandas table, who has more points first; needs pandas."""
        return frame([row_data(row) for row in self.standings])

    @property
    def elo(self) -> Estimate:
        return elo_estimate(self.pairs)

    @property
    def decided(self) -> bool:
        """Whether the sequential test, if there is one, has accepted a hypothesis."""
        return self.sprt is not None and self.sprt.decision(self.pairs) is not None

    @property
    def los(self) -> float:
        return likelihood_of_superiority(self.pairs)

    def __repr__(self) -> str:
        points, others = self.points
        return f"<match at {self.game}: {self.players[0]} {points:g} - {others:g} {self.players[1]}>"

    def __str__(self) -> str:
        from ludus.arena.reports.scores import text

        return text(self)

    def _repr_html_(self) -> str:
        """In a notebook."""
        return pre(str(self))

    @property
    def standings(self) -> list[Standing]:
        """The table, who has more points first; Elo is the difference to the other."""
        first, los = self.elo, self.los
        ratings = first, Estimate(-first.value, -first.high, -first.low)
        rows = [
            Standing(
                number=i,
                player=name,
                name=name,
                rating=ratings[i],
                result=Score(self.wins[i], self.draws, self.wins[1 - i]),
                superiority=los if i == 0 else 1 - los,
                effort=Effort(self.effort[i], self.decisions[i]),
                spent=self._spent(i),
                faults=sum(count for (who, _), count in self.faults.items() if who == name),
            )
            for i, name in enumerate(self.players)
        ]
        return sorted(rows, key=lambda row: -row.score)

    def _spent(self, i: int) -> dict[str, float]:
        given = Spec.parse(self.players[i]).arguments
        budget = Budget.of({key: given[key] for key in BUDGET_KEYS if key in given})
        return budget.spent(self.effort[i], self.games if budget.per == "game" else self.decisions[i])

    def save(self, path: str | Path) -> None:
        """Write the result as one page, `.html`; the pairs as a picture, `.svg`, `.png`, `.pdf`; or the table, `.csv`,
        `.md`, `.tex`."""
        from ludus.arena.reports.match_report import save

        save(self, path)

    def to_dict(self) -> dict[str, Any]:
        """The public contract's JSON keys, and fastchess's numbers."""
        return {
            "game": self.game,
            "players": list(self.players),
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "points": list(self.points),
            "seed": self.seed,
            "elo": asdict(self.elo),
            "los": self.los,
            "draw_ratio": self.draws / self.games if self.games else 0.0,
            "pentanomial": self.pairs,
            "effort": [asdict(meter) for meter in self.effort],
            "decisions": self.decisions,
            "faults": [{"player": who, "reason": str(why), "games": n} for (who, why), n in self.faults.items()],
            "endless": self.endless,
            "note": self.note,
            "sprt": self.sprt.to_dict(self.pairs) if self.sprt is not None else None,
            "run": self.run,
        }


@dataclass(frozen=True)
class MatchOptions(Resources):
    """With what a match is played, and who is told of it."""

    workers: int | None = 1
    progress: Callable[[MatchResult], None] = lambda result: None
    """Called with the result so far after each pair."""
    not_kept: Callable[[LudusError], None] | None = None
    """Called with why the database cannot be used, and the match goes on without it; None: that is an error."""
    calibrating: Callable[[float, str], None] = lambda done, words: None
    """Called with 0 and a sentence when an evaluator is being calibrated for a player, then with the part done."""


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
    refuse_in_worker()
    openings, seed = whole_number("`openings`", openings, 0), whole_number("`seed`", seed)
    game, sprt = registry.games().of(game), None if sprt is None else Sprt.of(sprt)
    wanted = pairs_wanted(games, sprt)
    told: dict[str, Any] = {"progress": progress, "calibrating": calibrating, "not_kept": not_kept}
    asked = MatchOptions(workers, dask, move_limit, **told)
    if db is not None and asked.not_kept is None:
        Database.check(db)
    given = [Player.of(each, budget, compiled=compiled) for each in (first, second)]
    with advising(game):
        game.check_begins()
    one, other = (with_calibration(player, game, asked.calibrating) for player in given)
    result = MatchResult(str(game), (str(one), str(other)), seed, openings=openings, sprt=sprt)
    how = asked.for_players(game, (one, other))
    with advising(game), RunRecorder(db, how.not_kept) as recorder:
        for player in (one, other):
            player.session(game)  # compile here, before any worker starts
        pairs = islice(pairs_between(game, (one, other), openings, seed, how.move_limit), wanted)
        recorder.begin(game, (one, other), seed, {"openings": openings, "sprt": None if sprt is None else asdict(sprt)})
        _play(result, pairs, how, recorder, Sources(game, (one, other)))
        if not result.interrupted and result.games < 2 * wanted and not result.decided:
            result.stopped = "seeds" if type(game).seeded else "openings"
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


def pairs_wanted(games: int | None, sprt: Sprt | None) -> int:
    """The most pairs of a match, from the games asked for and the test, if there is one."""
    games = games if games is not None else GAMES if sprt is None else MOST
    return (whole_number("the number of games", games, 1) + 1) // 2


def _play(
    result: MatchResult, pairs: Iterable[Pair], how: MatchOptions, recorder: RunRecorder, sources: Sources
) -> None:
    """Play the pairs, and count them in their order, until the test is decided or Ctrl-C comes.

    What workers have played beyond that is not counted, nor kept: so their number makes no difference.
    """
    tasks, played = tee(pairs)
    try:
        with closing(how.hire()) as pool:
            for pair, records in zip(played, pool.run(tasks), strict=False):
                recorder.add(pair, records)
                sources.check()
                result.add(records)
                how.progress(result)
                if result.decided:
                    break
    except KeyboardInterrupt:
        result.stopped = "interrupted"
    except NoWorkersLeft as error:
        if not result.games:
            raise
        result.stopped, result.lost = "workers", str(error)
