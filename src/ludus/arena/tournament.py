"""An adaptive tournament: after a first round, pairs go to the match-ups that teach most about the order at the top.

Decisions are taken between rounds only, from what the rounds before them gave. So a run is a function of its seed,
whatever the number of workers and however often it was interrupted: which pairs come next follows from the pairs
before them, and what a pair gives follows from its number.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from ludus.arena.play.faults import advising
from ludus.arena.play.openings import Opening, Openings, check_openings
from ludus.arena.play.packing import PackedPairs
from ludus.arena.play.pairs import Pair, PairNumber
from ludus.arena.play.preparation import Preparation, PreparationSchedule, Readiness
from ludus.arena.play.records import Records
from ludus.arena.play.sources import Sources
from ludus.arena.pool.serving import refuse_in_worker
from ludus.arena.pool.workers import NoWorkersLeft, WorkerPool
from ludus.arena.ranking import STOPPED, Ranking
from ludus.arena.roster import Roster, run_fingerprint
from ludus.arena.settings import RankOptions, RankSettings
from ludus.arena.small_game import Solved, SolveTask
from ludus.arena.stats.matchups import everybody, first_pairs, next_pairs
from ludus.arena.store.database import Lost
from ludus.arena.store.provenance import provenance
from ludus.arena.store.store import INTERRUPTED, Run, RunKey, Store
from ludus.common.errors import LudusError, SpecError
from ludus.common.version import VERSION
from ludus.kernel.random import seed_for
from ludus.learning.for_ranking import RankingLesson
from ludus.model import registry
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.runtime.player import PlayerLike
from ludus.runtime.runner import InterpretedWarning

ROUND = 8
"""The most pairs in a round after the first; a tenth of the pairs played so far, if that is more."""
DECIDED = {"best": "separated", "equal": "equal", "circle": "circle"}
"""Why a run stops when the verdict is known, by the verdict."""


SOLVED = "solved"
"""Under which name a run keeps what solving the game gave."""


class TooFew(LudusError):
    """Fewer than two can play."""


def hold_tournament(
    game: GameLike, players: Sequence[PlayerLike], settings: RankSettings, options: RankOptions
) -> Ranking:
    """Rank these players, or those whom the settings ask for: what `ludus.rank`, a sweep and a study have in common."""
    refuse_in_worker()
    if settings.db is not None:
        Store.check(settings.db)
    game = registry.games().of(game)
    with advising(game):
        check_openings(game, settings.openings, settings.seed)
    lesson = _lesson(game, settings, options) if not players else None
    roster = Roster.of(
        game,
        players,
        settings.budget,
        settings.compiled,
        all=settings.all,
        family=settings.family,
        calibrating=options.calibrating,
        lesson=lesson,
        may_wait=True,
    )
    roster = replace(roster, named=0) if settings.lenient else roster
    options = options.for_players(game, roster.players)
    settings = replace(settings, solve=settings.solve and not players and not type(game).seeded)
    if settings.db is None:
        return Tournament(game, roster, settings, options).play()
    return _kept(settings.db, game, roster, settings, options)


def _lesson(game: PlayableGame, settings: RankSettings, options: RankOptions) -> RankingLesson | None:
    """What an evaluator is learnt from for a game that has none, if it should be and there is something."""
    if not settings.learn or settings.names_searches or type(game).evaluator:
        return None
    try:
        return RankingLesson(game, settings.seed, settings.compiled)
    except SpecError as error:  # there is nothing to learn from
        options.learning(0.0, f"{game.title} has no evaluator, and none is learnt: {error}")
        return None


def _kept(db: str | Path, game: PlayableGame, roster: Roster, settings: RankSettings, options: RankOptions) -> Ranking:
    """Play as a run of this database, or go on with it."""
    with Store(db) as store, ExitStack() as stack:

        def open_run(roster: Roster) -> Run:
            return stack.enter_context(store.run(run_key(game, roster, settings), fresh=settings.new))

        tournament = Tournament(game, roster, settings, options, open_run)
        try:
            return tournament.play()
        except Lost as lost:
            if lost.rescued is not None or tournament.run is None:
                raise
            raise Lost(lost.path, lost.change, tournament.run.rescue(tournament.pairs())) from None


def run_key(game: PlayableGame, roster: Roster, settings: RankSettings) -> RunKey:
    """All that the games depend on; the roster must be complete but for what is learnt."""
    names, kind = tuple(str(player) for player in roster.players), run_fingerprint(game, roster.players)
    about = {"openings": settings.openings} | ({"round_robin": True} if settings.round_robin else {})
    return RunKey("rank", str(game), names, settings.seed, about, kind, VERSION)


class Tournament:
    """Players of one game, and the pairs that they have played so far."""

    def __init__(
        self,
        game: PlayableGame,
        roster: Roster,
        settings: RankSettings,
        options: RankOptions,
        open_run: Callable[[Roster], Run] | None = None,
    ) -> None:
        """`open_run` gives where games are kept, once it is known who plays."""
        self.game, self.roster, self.settings, self.options = game, roster, settings, options
        self.open_run = open_run
        self.run = open_run(roster) if open_run is not None and not roster.unfitted else None
        self.openings = Openings(game, settings.openings, settings.seed)
        self.numbers = list(range(len(roster.players)))
        """The numbers in the roster of those who take part; by these the database knows them."""
        self.sources = Sources(game, roster.players)
        self.known: Mapping[PairNumber, Records] = PackedPairs(self.run.pairs() if self.run is not None else {})
        """The pairs of earlier sittings, by their numbers in the database."""
        self.solve_task = SolveTask(game, settings.compiled) if settings.solve else None
        self.pool: WorkerPool | None = None
        self.prepared = 0
        """How many of those who take part are prepared."""
        self.started: float | None = None
        """When all players were prepared."""

    def play(self) -> Ranking:
        """Go on until the best is known, or to a limit; Ctrl-C ends it with what there is."""
        asked = self.settings
        self.ranking = Ranking(self.game, self.roster.players, asked.seed, openings=self.openings, equal=asked.equal)
        self.ranking.round_robin = asked.round_robin
        self._note_run()
        most, minutes = (asked.games + 1) // 2, asked.minutes
        deadline = float("inf") if minutes is None else 60 * minutes
        try:
            with advising(self.game):
                self._gather(most if minutes is None else 0)
                self._play_rounds(most, deadline)
        except KeyboardInterrupt:
            self.ranking = self.ranking.again()
            self.ranking.stopped = "interrupted"
        except NoWorkersLeft as error:
            if not self.ranking.pairs:
                raise
            self.ranking.stopped = f"{error} The same command goes on"
        finally:
            if self.pool is not None:
                self.pool.close()
        self.ranking.seconds = self.seconds
        if self.run is not None and self.pool is not None:
            if self.started is None:
                self.run.begin()
            known = self.ranking.stopped in STOPPED  # else it goes on another time
            self.run.finish(self.ranking.stopped if known else INTERRUPTED, self.ranking.to_dict())
            self.ranking.seconds = self.seconds  # as it is stored
        return self.ranking

    def _note_run(self) -> None:
        """Note in the ranking which run it is of."""
        self.ranking.run = self.run.number if self.run is not None else None
        self.ranking.made = provenance(self.run.key.fingerprint if self.run is not None else "")

    @property
    def seconds(self) -> float:
        """How long the games have taken since all players were prepared, earlier sittings included."""
        if self.run is not None:
            return self.run.seconds
        return 0.0 if self.started is None else time.monotonic() - self.started

    def pairs(self) -> Iterator[tuple[Pair, Records]]:
        """All pairs that are known, played now or in earlier sittings."""
        here = {(self.numbers[i], self.numbers[j], k): pair for (i, j, k), pair in self.ranking.pairs.items()}
        for number, records in (dict(self.known) | here).items():
            yield self._pair(number), records

    # Who can play.

    def _gather(self, most: int) -> None:
        """Find out who can play, now or from an earlier sitting; up to `most` pairs are played meanwhile."""
        reasons = self.run.left_out if self.run is not None else None
        if reasons is None:
            reasons = self._find_out(most)
            if self.run is not None:
                self.run.leave_out(reasons)
        else:
            self.solve_task = None
            self.ranking.solved = Solved.of(self.run.measured(SOLVED)) if self.run is not None else None
            for number, why in enumerate(reasons):
                self._leave_out(number, why)
            if self.roster.joining and not all(reasons[-self.roster.joining :]):
                self._learn()
        if len(self.numbers) < 2:
            left_out = "; ".join(f"{who}: {why}" for who, why in self.ranking.excluded.items())
            raise TooFew(f"fewer than two searches can play {self.game} at this budget: {left_out}.")

    def _find_out(self, most: int) -> list[str]:
        """Why each player of the roster is left out, empty for those who take part.

        Those whose evaluator is to be calibrated or learnt join when all others are prepared, so that a table stands
        meanwhile.
        """
        reasons = [""] * len(self.numbers)

        def note(number: int, why: str) -> None:
            reasons[number] = why
            self._leave_out(number, why)

        calibrated, learnt = self.roster.calibrated, self.numbers[len(self.numbers) - self.roster.joining :]
        first = [i for i in self.numbers if i not in calibrated and i not in learnt]
        for numbers, complete in ((first, None), (calibrated, self._calibrate), (learnt, self._learn)):
            if not numbers:
                continue
            try:
                if complete is not None:
                    complete()
            except LudusError as error:
                for number in numbers:
                    note(number, str(error))
            else:
                self._prepare(numbers, most if numbers is first else 0, note)
        self._begin()
        return reasons

    def _calibrate(self) -> None:
        """Fit what is lacking, and open the run if it had to wait for that; what was played meanwhile is kept in it."""
        if not self.roster.unfitted:
            return
        try:
            self.roster = self.roster.fitted(self.game, self.options.calibrating)
            self.ranking.players = [self.roster.players[i] for i in self.numbers]
        except LudusError:  # they are left out, and the others play
            self._open_late()
            raise
        self._open_late()

    def _open_late(self) -> None:
        """Open the run that had to wait until it was known who plays, and keep in it what was played meanwhile."""
        if self.open_run is None:
            return
        self.run = self.open_run(self.roster)
        self.known = PackedPairs(self.run.pairs())
        self.run.begin()
        self.run.add_many(list(self.pairs()))
        if self.settings.solve and self.solve_task is None:
            self.run.measure(SOLVED, self.ranking.solved.to_dict() if self.ranking.solved else None)
        self._note_run()

    def _learn(self) -> None:
        """Learn the evaluator of those who join later, or load it."""
        lesson = self.roster.lesson
        assert lesson is not None
        said = False

        def tell(done: float, words: str) -> None:
            nonlocal said
            if not said:
                why = f"{self.game.title} has no evaluator, so one is learnt from games of self-play"
                self.options.learning(0.0, f"{why}, and {self.roster.joining} searches join with it")
            said = True
            self.options.learning(max(done, 1e-9), words)

        self.roster = self.roster.judging_by(lesson.learnt(tell))
        self.ranking.players = [self.roster.players[i] for i in self.numbers]

    def _leave_out(self, number: int, why: str) -> None:
        """Go on without this player of the roster, if there is a reason. No pair of it has counted."""
        if why:
            played = {(self.numbers[i], self.numbers[j], k): pair for (i, j, k), pair in self.ranking.pairs.items()}
            self.numbers.remove(number)
            place = self.numbers.index
            self.ranking.pairs = {(place(i), place(j), k): pair for (i, j, k), pair in played.items()}
            self.ranking.excluded[str(self.roster.players[number])] = why
            self.ranking.players = [self.roster.players[i] for i in self.numbers]
            self.ranking.numbers = list(self.numbers)
            self.ranking = self.ranking.again()

    def _prepare(
        self, numbers: Sequence[int], most: int = 0, tell: Callable[[int, str], None] = lambda number, why: None
    ) -> list[Readiness]:
        """Prepare these players of the roster, on all workers, and play up to `most` pairs meanwhile.

        `tell` is called for each player in its turn with its number, and with why it should be left out, if so.
        """
        limit, named = self.options.move_limit, self.roster.named
        tasks = [Preparation(self.game, self.roster.players[i], i, i < named, limit) for i in numbers]
        before, candidates = self.prepared, len(self.numbers)
        first = {number: records for number, records in self.known.items() if number[2] == 0}
        later = self.roster.calibrated if most else []
        schedule = PreparationSchedule(tasks, lambda one, other: self._pair((one, other, 0)), most, first, later)
        found: list[Readiness] = []
        for done, outcome in self._hired().stream(lambda: schedule.next_task() or self._take_solve_task()):
            if isinstance(done, SolveTask):
                self._note_solved(outcome)
                continue
            schedule.outcomes[done.number] = outcome
            self.options.preparing(before + schedule.ready, candidates)
            for task, result in schedule.settle():
                if isinstance(task, Pair):
                    self._count(task, result)
                else:
                    found.append(result)
                    tell(task.number, result.left_out)
                    self.prepared += not result.left_out
        self._warn(tasks, found)
        return found

    def _begin(self) -> None:
        """Start the clock: all players are prepared."""
        self.started = time.monotonic()
        if self.run is not None:
            self.run.begin()

    def _take_solve_task(self) -> SolveTask | None:
        """The task to solve the game, once; it comes after those that the first table waits for."""
        task, self.solve_task = self.solve_task, None
        return task

    def _note_solved(self, outcome: Solved | Exception | None) -> None:
        solved = outcome if isinstance(outcome, Solved) else None
        self.ranking.solved = solved
        if self.run is not None:
            self.run.begin()  # the time until all players are prepared does not count
            self.run.measure(SOLVED, solved.to_dict() if solved else None)
        if solved:
            self.options.solved(solved)

    def _warn(self, tasks: Sequence[Preparation], found: Sequence[Readiness]) -> None:
        """Say once for each reason who runs interpreted."""
        interpreted: defaultdict[str, list[str]] = defaultdict(list)
        for task, readiness in zip(tasks, found, strict=True):
            if readiness.interpreted:
                interpreted[readiness.interpreted].append(str(task.player.search))
        for reason, names in interpreted.items():
            who = "all searches" if len(names) == len(tasks) else ", ".join(names)
            warnings.warn(InterpretedWarning(who, self.game.title, reason, len(names) > 1), stacklevel=2)

    # Rounds.

    def _play_rounds(self, most: int, deadline: float) -> None:
        for pairings in self._cycles(most) if self.settings.round_robin else self._rounds():
            for pair, records in self._results(pairings[: most - len(self.ranking.pairs)], deadline):
                self._count(pair, records)
            if len(self.ranking.pairs) == len(self.ranking.tables):
                self._order_first_round()
            if self.ranking.stopped:
                return
            if len(self.ranking.pairs) >= most:
                decision = "" if self.settings.round_robin else self.ranking.evidence.decision
                self.ranking.stopped = DECIDED.get(decision, "games")
                return

    def _order_first_round(self) -> None:
        """Count the first round in one order, whoever was ready first: so a resumed run gives the same to the bit."""
        stopped = self.ranking.stopped
        self.ranking.pairs = dict(sorted(self.ranking.pairs.items()))
        self.ranking = self.ranking.again()
        self.ranking.stopped = stopped

    def _cycles(self, most: int) -> Iterator[list[Pair]]:
        """The pairs of a round robin, whole cycles at a time, in each of which everyone meets everyone once.

        None is begun that would exceed `most` pairs in all, or that lacks an opening.
        """
        cycle = everybody(len(self.numbers))
        if most < len(cycle):
            raise SpecError(
                f"a round robin of {len(self.numbers)} players has {2 * len(cycle)} games, so `games` must be at least "
                f"{2 * len(cycle)}, not {2 * most}."
            )
        lot: list[Pair] = []
        why = "games"
        for number in range(most // len(cycle)):
            pairs = {(i, j, number): (self.numbers[i], self.numbers[j], number) for i, j in cycle}
            if any(self._opening(each) is None for each in pairs.values()):
                why = "openings"
                break
            lot += [self._pair(each) for here, each in pairs.items() if here not in self.ranking.pairs]
            if len(lot) >= max(ROUND, len(self.ranking.pairs) // 10):
                yield lot
                lot = []
        yield lot
        self.ranking.stopped = self.ranking.stopped or why

    def _rounds(self) -> Iterator[list[Pair]]:
        """The pairs of each round, chosen from the results of the rounds before; notes why there are no more rounds."""
        closed = set[tuple[int, int]]()
        chosen = [pairing for pairing in first_pairs(len(self.numbers)) if pairing not in self.ranking.tables]
        while True:
            yield self._pairs(chosen, closed)
            ranking = self.ranking
            if ranking.evidence.decision:
                ranking.stopped = DECIDED[ranking.evidence.decision]
                return
            how_many = max(ROUND, len(ranking.pairs) // 10)
            chosen = next_pairs(ranking.evidence, ranking.ratings, how_many, closed)
            if not chosen:
                ranking.stopped = "openings"
                return

    def _pairs(self, pairings: Iterable[tuple[int, int]], closed: set[tuple[int, int]]) -> list[Pair]:
        """These pairings of the ranking, each with its next opening; those that have no more are closed."""
        had = Counter({pairing: int(table.sum()) for pairing, table in self.ranking.tables.items()})
        found = []
        for pairing in pairings:
            number = self.numbers[pairing[0]], self.numbers[pairing[1]], had[pairing]
            if self._opening(number) is None:
                closed.add(pairing)
            else:
                had[pairing] += 1
                found.append(self._pair(number))
        return found

    def _opening(self, number: PairNumber) -> Opening | None:
        one, other, opening = number
        return self.openings.get(str(self.roster.players[one]), str(self.roster.players[other]), opening)

    def _pair(self, number: PairNumber) -> Pair:
        """The pair with this number, in which players are numbered as in the roster."""
        opening = self._opening(number)
        assert opening is not None
        players = self.roster.players[number[0]], self.roster.players[number[1]]
        return Pair(number, opening, players, seed_for(self.settings.seed, *number, 1), self.options.move_limit)

    def _results(self, pairs: Sequence[Pair], deadline: float) -> Iterator[tuple[Pair, Records]]:
        """What the pairs of a round gave, in their order: from an earlier sitting, or played now."""
        played = self._play([pair for pair in pairs if pair.number not in self.known], deadline)
        for pair in pairs:
            records = self.known.get(pair.number) or next(played, None)
            if records is None:
                self.ranking.stopped = "minutes"
                return
            yield pair, records

    def _play(self, pairs: Sequence[Pair], deadline: float) -> Iterator[Records]:
        """What these pairs give, until the time is over."""
        if pairs and self.seconds < deadline:
            if self.started is None:
                self._prepare(self.numbers)
                self._begin()
            yield from self._hired().run(pairs, time.monotonic() + deadline - self.seconds)

    def _count(self, pair: Pair, records: Records) -> None:
        """Count a pair in the ranking; one that was played now is stored first, and then shown."""
        if pair.number not in self.known:
            self.ranking.played += 2
            if self.run is not None:
                if self.started is None:  # the time until all players are prepared does not count
                    self.run.begin()
                self.run.add(pair, records)
            self.sources.check()
        one, other, opening = pair.number
        self.ranking.add((self.numbers.index(one), self.numbers.index(other), opening), records)
        if self.ranking.played:
            self.options.progress(self.ranking)

    def _hired(self) -> WorkerPool:
        if self.pool is None:
            if self.run is not None and self.known:
                self.options.continuing(self.run.number, 2 * len(self.known))
            self.pool = self.options.hire()
        return self.pool
