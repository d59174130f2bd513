"""An adaptive tournament: after a first round, pairs go to the match-ups that teach most about the order at the top.

Decisions are taken between rounds only, from what the rounds before them gave. So a run is a function of its seed,
whatever the number of workers and however often it was interrupted: which pairs come next follows from the pairs
before them, and what a pair gives follows from its number.
"""

from __future__ import annotations

import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.arena import playing
from ludus.arena.matchups import first_pairs, next_pairs
from ludus.arena.openings import Openings
from ludus.arena.playing import Pair, advising
from ludus.arena.ranking import SURE, Number, Ranking, Records
from ludus.arena.roster import Preparation, candidates, kind_of_run
from ludus.arena.store import Run, RunKey, Store
from ludus.arena.workers import Crew, refuse_in_worker
from ludus.core.budget import DEFAULT_BUDGET, Budget
from ludus.core.errors import LudusError, SpecError
from ludus.core.game import Game
from ludus.core.player import Player
from ludus.core.program import InterpretedWarning
from ludus.core.random import seed_for

ROUND = 8
"""The least number of pairs in a round; when more have been played, a tenth of them."""


@dataclass(frozen=True)
class Means(playing.Means):
    """With what a tournament is played."""

    progress: Callable[[Ranking], None] = lambda ranking: None
    preparing: Callable[[int, int], None] = lambda done, total: None
    continuing: Callable[[int, int], None] = lambda run, games: None


def rank(
    game: Game,
    players: Sequence[Player | str] = (),
    *,
    games: int = 2000,
    minutes: float | None = None,
    plies: int = 4,
    seed: int = 0,
    budget: Budget = DEFAULT_BUDGET,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    **means: Any,
) -> Ranking:
    """Rank these players, or every search that can play this game at this budget; see `Means` for further options.

    The `minutes` are for playing: they begin when all players are prepared, and earlier sittings of the run count.
    With a database `db`, games played earlier by the same call are not played again, unless it is to be `new`.
    """
    refuse_in_worker()
    roster = candidates(game, players, budget, compiled)
    with advising(game):
        playable = Openings(game, plies, seed).get(0) is not None
    if not playable:
        raise LudusError(f"no game lasts {plies} random plies: give a smaller --openings (0 is allowed).")
    options: dict[str, Any] = {"seed": seed, "plies": plies, "chosen": bool(players), "means": Means(**means)}
    if db is None:
        return Tournament(game, roster, **options).play(games, minutes)
    from ludus import __version__

    names = tuple(str(player) for player in roster)
    key = RunKey("rank", str(game), names, seed, {"openings": plies}, kind_of_run(game, roster), __version__)
    with Store(db) as store, store.run(key, fresh=new) as run:
        return Tournament(game, roster, run=run, **options).play(games, minutes)


class Tournament:
    """Players of one game, and the pairs that they have played so far."""

    def __init__(
        self,
        game: Game,
        players: list[Player],
        *,
        seed: int = 0,
        plies: int = 4,
        run: Run | None = None,
        chosen: bool = True,
        means: Means | None = None,
    ) -> None:
        """`run` is where games are kept. Players that nobody has `chosen` are left out if they cannot play."""
        self.game, self.candidates, self.seed, self.run, self.chosen = game, players, seed, run, chosen
        self.means = means or Means()
        self.openings = Openings(game, plies, seed)
        self.numbers = list(range(len(players)))
        """Of those who take part, in the roster of all candidates: by these the database knows them."""
        self.known: dict[Number, Records] = run.pairs() if run is not None else {}
        self.crew: Crew | None = None
        self.started: float | None = None
        """When all players were prepared."""

    def play(self, games: int = 2000, minutes: float | None = None) -> Ranking:
        """Go on until the best is known, or to a limit; Ctrl-C ends it with what there is."""
        if games < 1:
            raise SpecError(f"the number of games must be at least 1, not {games}.")
        number = self.run.number if self.run is not None else None
        self.ranking = Ranking(self.game, self.candidates, self.seed, openings=self.openings, run=number)
        deadline = float("inf") if minutes is None else 60 * minutes
        try:
            with advising(self.game):
                self._leave_out()
                self._play_rounds((games + 1) // 2, deadline)
        except KeyboardInterrupt:
            self.ranking = self.ranking.again()
            self.ranking.stopped = "interrupted"
        finally:
            if self.crew is not None:
                self.crew.close()
        self.ranking.seconds = self.seconds
        if self.run is not None and self.crew is not None:
            if self.started is None:
                self.run.begin()
            self.run.finish(self.ranking.stopped, self.ranking.to_dict())
            self.ranking.seconds = self.seconds  # as it is stored
        return self.ranking

    @property
    def seconds(self) -> float:
        """How long the games have taken, earlier sittings included."""
        if self.run is not None:
            return self.run.seconds
        return 0.0 if self.started is None else time.monotonic() - self.started

    def _play_rounds(self, most: int, deadline: float) -> None:
        for numbers in self._rounds():
            for number, records in self._results(numbers[: most - len(self.ranking.pairs)], deadline):
                self.ranking.add(number, records)
                if self.ranking.played:
                    self.means.progress(self.ranking)
            if self.ranking.stopped:
                return
            if len(self.ranking.pairs) >= most:
                self.ranking.stopped = "separated" if self.ranking.sureness >= SURE else "games"
                return

    def _rounds(self) -> Iterator[list[Number]]:
        """The rounds, each from the results of those before it; says why there is no other."""
        ranking, closed = self.ranking, set[tuple[int, int]]()
        chosen = first_pairs(len(ranking.players))
        while True:
            yield self._numbered(chosen, closed)
            if ranking.pairs and ranking.sureness >= SURE:
                ranking.stopped = "separated"
                return
            chosen = next_pairs(ranking.ratings, max(ROUND, len(ranking.pairs) // 10), closed)
            if not chosen:
                ranking.stopped = "openings"
                return

    def _numbered(self, pairings: Iterable[tuple[int, int]], closed: set[tuple[int, int]]) -> list[Number]:
        """These pairings, each with its next opening; those that have no more are closed."""
        following = {pairing: int(table.sum()) for pairing, table in self.ranking.tables.items()}
        numbers = []
        for one, other in pairings:
            opening = following.get((one, other), 0)
            if self.openings.get(opening) is None:
                closed.add((one, other))
            else:
                numbers.append((one, other, opening))
                following[one, other] = opening + 1
        return numbers

    def _results(self, numbers: list[Number], deadline: float) -> Iterator[tuple[Number, Records]]:
        """What the pairs of a round gave, in their order: from the database, or played now."""
        tasks = [self._pair(number) for number in numbers if self._stored(number) not in self.known]
        played, waiting = self._play(tasks, deadline), iter(tasks)
        for number in numbers:
            records = self.known.get(self._stored(number))
            if records is None:
                records, pair = next(played, None), next(waiting)
                if records is None:
                    self.ranking.stopped = "minutes"
                    return
                self.ranking.played += 2
                if self.run is not None:
                    self.run.add(pair, records)
            yield number, records

    def _play(self, tasks: list[Pair], deadline: float) -> Iterator[Records]:
        """What these pairs give, until the time is over."""
        if tasks and self.seconds < deadline:
            if self.started is None:
                self._prepare(self.numbers)
            yield from self._hired().run(tasks, time.monotonic() + deadline - self.seconds)

    def _stored(self, number: Number) -> Number:
        """A pair's number in the database, where all candidates have one."""
        return self.numbers[number[0]], self.numbers[number[1]], number[2]

    def _pair(self, number: Number) -> Pair:
        stored, opening = self._stored(number), self.openings.get(number[2])
        assert opening is not None
        players = self.candidates[stored[0]], self.candidates[stored[1]]
        return Pair(stored, opening, players, seed_for(self.seed, *stored, 1), self.means.move_limit)

    def _hired(self) -> Crew:
        if self.crew is None:
            if self.run is not None and self.known:
                self.means.continuing(self.run.number, 2 * len(self.known))
            self.crew = self.means.hire()
        return self.crew

    def _leave_out(self) -> None:
        """Prepare all players, and leave out those that cannot play, unless somebody wants to see them."""
        reasons = self.run.left_out if self.run is not None else None
        if reasons is None:
            reasons = self._prepare(self.numbers)
            if self.run is not None:
                self.run.leave_out(reasons)
        self.numbers = [i for i, reason in enumerate(reasons) if not reason]
        names = [str(player) for player in self.candidates]
        self.ranking.excluded = {who: why for who, why in zip(names, reasons, strict=True) if why}
        if len(self.numbers) < 2:
            left_out = "; ".join(f"{who}: {why}" for who, why in self.ranking.excluded.items())
            raise LudusError(f"fewer than two searches can play {self.game} at this budget: {left_out}.")
        self.ranking.players = [self.candidates[i] for i in self.numbers]
        self.ranking = self.ranking.again()

    def _prepare(self, numbers: Sequence[int]) -> list[str]:
        """Compile what is not compiled yet, on all workers; why each player cannot take part, empty if it can."""
        tasks = [Preparation(self.game, self.candidates[i], self.means.move_limit) for i in numbers]
        reasons = []
        interpreted: defaultdict[str, list[str]] = defaultdict(list)
        for task, readiness in zip(tasks, self._hired().run(tasks), strict=True):
            if readiness.interpreted:
                interpreted[readiness.interpreted].append(str(task.player.search))
            if self.chosen and readiness.problem:
                raise LudusError(f"{task.player} cannot play {self.game}: {readiness.problem}")
            reasons.append(readiness.problem or ("" if self.chosen else readiness.costly))
            self.means.preparing(len(reasons), len(tasks))
        for reason, names in interpreted.items():
            who = "all searches" if len(names) == len(tasks) else ", ".join(names)
            warnings.warn(InterpretedWarning(who, self.game.title, reason, len(names) > 1), stacklevel=2)
        self.started = time.monotonic()
        if self.run is not None:
            self.run.begin()
        return reasons
