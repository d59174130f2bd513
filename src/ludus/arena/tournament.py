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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ludus.arena.play.faults import advising
from ludus.arena.play.openings import Opening, Openings, check_openings
from ludus.arena.play.packing import PackedPairs
from ludus.arena.play.pairs import Pair, PairNumber
from ludus.arena.play.preparation import Muster, Preparation, Readiness
from ludus.arena.play.records import Records
from ludus.arena.play.sources import Sources
from ludus.arena.pool.resources import Resources
from ludus.arena.pool.serving import refuse_in_worker
from ludus.arena.pool.workers import Crew, Deserted
from ludus.arena.ranking import STOPPED, Ranking
from ludus.arena.roster import Roster, kind_of_run
from ludus.arena.small_game import Solved, SolveTask
from ludus.arena.stats.matchups import everybody, first_pairs, next_pairs
from ludus.arena.stats.verdict import EQUAL, FARTHEST
from ludus.arena.store.database import Lost
from ludus.arena.store.provenance import provenance
from ludus.arena.store.store import INTERRUPTED, Run, RunKey, Store
from ludus.common.errors import LudusError, SpecError
from ludus.common.numbers import is_number, positive_number, whole_number
from ludus.kernel.random import seed_for
from ludus.learning.for_ranking import RankingLesson
from ludus.model import registry
from ludus.model.budget import Budget
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


@dataclass(frozen=True)
class RankOptions(Resources):
    """With what a tournament is played, and who is told of it."""

    progress: Callable[[Ranking], None] = lambda ranking: None
    """Called with the ranking after each pair that was played now."""
    preparing: Callable[[int, int], None] = lambda done, total: None
    """Called with how many players are prepared, and how many there are."""
    continuing: Callable[[int, int], None] = lambda run, games: None
    """Called with the number of a run that goes on, and how many games it has."""
    calibrating: Callable[[float, str], None] = lambda done, words: None
    """Called with 0 and a sentence when an evaluator is being calibrated for a player, then with the part done."""
    learning: Callable[[float, str], None] = lambda done, words: None
    """The same when an evaluator is being learnt."""
    solved: Callable[[Solved], None] = lambda solved: None
    """Called if the game turns out to be small enough to be solved."""


def hold_tournament(
    game: GameLike,
    players: Sequence[PlayerLike] = (),
    *,
    all: bool = False,
    family: str | None = None,
    games: int = 2000,
    minutes: float | None = None,
    openings: int = 4,
    seed: int = 0,
    budget: Budget | str | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    equal: float = EQUAL,
    round_robin: bool = False,
    lenient: bool = False,
    learn: bool = True,
    solve: bool = True,
    options: RankOptions | None = None,
) -> Ranking:
    """Rank the players of this `Roster`: what `ludus.rank`, a sweep and a study have in common.

    The `minutes` are for playing: they begin when all players are prepared, and earlier sittings of the run count.
    With a database `db`, games played earlier by the same call are not played again, unless it is to be `new`. Players
    who are known to be at most `equal` Elo apart are not told apart; with 0, nobody is called equal. In a `round_robin`
    everyone meets everyone equally often, and it does not stop when the best is known. If it is `lenient`, a player who
    was named but cannot play at this budget, or whose first move is too costly, is left out like others.

    Where nobody named players, or asked for all or a family of them, and the game has no evaluator of its own, one is
    learnt and some contenders play with it too, unless `learn` is False. Where nobody named players, it is seen whether
    the game is small enough to `solve`, if that is not False.
    """
    if not is_number(equal) or not 0 <= equal <= FARTHEST:
        raise SpecError(f"equal must be from 0 to {FARTHEST} Elo, not {equal}.")
    openings, seed = whole_number("`openings`", openings, 0), whole_number("`seed`", seed)
    minutes = None if minutes is None else positive_number("`minutes`", minutes)
    refuse_in_worker()
    if db is not None:
        Store.check(db)
    game, budget = registry.games().of(game), None if budget is None else Budget.of(budget)
    asked = options or RankOptions()
    with advising(game):
        check_openings(game, openings, seed)
    lesson = None
    if learn and not (players or all or family is not None or type(game).evaluator):
        try:
            lesson = RankingLesson(game, seed, compiled)
        except SpecError as error:  # there is nothing to learn from
            asked.learning(0.0, f"{game.title} has no evaluator, and none is learnt: {error}")
    who: dict[str, Any] = {"all": all, "family": family, "lesson": lesson}
    roster = Roster.of(game, players, budget, compiled, calibrating=asked.calibrating, **who)
    roster = replace(roster, named=0) if lenient else roster
    how = asked.for_players(game, roster.players)
    given: dict[str, Any] = {"seed": seed, "plies": openings, "equal": equal, "options": how}
    given |= {"round_robin": round_robin, "solve": solve and not players and not type(game).seeded}
    if db is None:
        return Tournament(game, roster, **given).play(games, minutes)
    from ludus.common.version import VERSION

    names, kind = tuple(str(player) for player in roster.players), kind_of_run(game, roster.players)
    settings = {"openings": openings} | ({"round_robin": True} if round_robin else {})
    key = RunKey("rank", str(game), names, seed, settings, kind, VERSION)
    with Store(db) as store, store.run(key, fresh=new) as run:
        tournament = Tournament(game, roster, run=run, fingerprint=kind, **given)
        try:
            return tournament.play(games, minutes)
        except Lost as lost:
            if lost.rescued is not None:
                raise
            raise Lost(lost.path, lost.change, run.rescue(tournament.pairs())) from None


class Tournament:
    """Players of one game, and the pairs that they have played so far."""

    def __init__(
        self,
        game: PlayableGame,
        roster: Roster,
        *,
        seed: int = 0,
        plies: int = 4,
        equal: float = EQUAL,
        round_robin: bool = False,
        solve: bool = False,
        run: Run | None = None,
        fingerprint: str = "",
        options: RankOptions | None = None,
    ) -> None:
        """`solve`: see whether the game is small enough for that; `run` is where games are kept; `fingerprint` is that
        of the rules and of all who play, if it is known."""
        self.game, self.roster, self.seed, self.equal, self.run = game, roster, seed, equal, run
        self.round_robin, self.fingerprint = round_robin, fingerprint
        self.options = options or RankOptions()
        self.openings = Openings(game, plies, seed)
        self.numbers = list(range(len(roster.players)))
        """The numbers in the roster of those who take part; by these the database knows them."""
        self.sources = Sources(game, roster.players)
        self.known: Mapping[PairNumber, Records] = PackedPairs(run.pairs() if run is not None else {})
        """The pairs of earlier sittings, by their numbers in the database."""
        self.solve_task = SolveTask(game, roster.players[0].compiled) if solve else None
        self.crew: Crew | None = None
        self.started: float | None = None
        """When all players were prepared."""

    def play(self, games: int = 2000, minutes: float | None = None) -> Ranking:
        """Go on until the best is known, or to a limit; Ctrl-C ends it with what there is."""
        games = whole_number("the number of games", games, 1)
        number = self.run.number if self.run is not None else None
        self.ranking = Ranking(self.game, self.roster.players, self.seed, openings=self.openings, equal=self.equal)
        self.ranking.run, self.ranking.round_robin = number, self.round_robin
        self.ranking.made = provenance(self.fingerprint)
        most, deadline = (games + 1) // 2, float("inf") if minutes is None else 60 * minutes
        try:
            with advising(self.game):
                self._gather(most if minutes is None else 0)
                self._play_rounds(most, deadline)
        except KeyboardInterrupt:
            self.ranking = self.ranking.again()
            self.ranking.stopped = "interrupted"
        except Deserted as error:
            if not self.ranking.pairs:
                raise
            self.ranking.stopped = f"{error} The same command goes on"
        finally:
            if self.crew is not None:
                self.crew.close()
        self.ranking.seconds = self.seconds
        if self.run is not None and self.crew is not None:
            if self.started is None:
                self.run.begin()
            known = self.ranking.stopped in STOPPED  # else it goes on another time
            self.run.finish(self.ranking.stopped if known else INTERRUPTED, self.ranking.to_dict())
            self.ranking.seconds = self.seconds  # as it is stored
        return self.ranking

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

        Those whose evaluator is to be learnt join when all others are prepared, so that a table stands meanwhile.
        """
        later = self.numbers[len(self.numbers) - self.roster.joining :]
        tasks = [i for i in self.numbers if i not in later]
        reasons = [readiness.left_out for readiness in self._prepare(tasks, most, self._leave_out)]
        if later:
            try:
                self._learn()
            except LudusError as error:
                for number in later:
                    self._leave_out(number, str(error))
                reasons += [str(error)] * len(later)
            else:
                reasons += [readiness.left_out for readiness in self._prepare(later, 0, self._leave_out)]
        self._begin()
        return reasons

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
        """Go on without this player of the roster, if there is a reason. No pair of it or a later one has counted."""
        if why:
            self.numbers.remove(number)
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
        before, candidates = self.numbers.index(numbers[0]), len(self.numbers)
        first = {number: records for number, records in self.known.items() if number[2] == 0}
        muster = Muster(tasks, lambda one, other: self._pair((one, other, 0)), most, first)
        found: list[Readiness] = []
        for done, outcome in self._hired().stream(lambda: muster.next_task() or self._take_solve_task()):
            if isinstance(done, SolveTask):
                self._note_solved(outcome)
                continue
            muster.outcomes[done.number] = outcome
            self.options.preparing(before + muster.ready, candidates)
            for task, result in muster.settle():
                if isinstance(task, Pair):
                    self._count(task, result)
                else:
                    found.append(result)
                    tell(task.number, result.left_out)
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
        for pairings in self._cycles(most) if self.round_robin else self._rounds():
            for pair, records in self._results(pairings[: most - len(self.ranking.pairs)], deadline):
                self._count(pair, records)
            if self.ranking.stopped:
                return
            if len(self.ranking.pairs) >= most:
                decision = "" if self.round_robin else self.ranking.evidence.decision
                self.ranking.stopped = DECIDED.get(decision, "games")
                return

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
        return Pair(number, opening, players, seed_for(self.seed, *number, 1), self.options.move_limit)

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

    def _hired(self) -> Crew:
        if self.crew is None:
            if self.run is not None and self.known:
                self.options.continuing(self.run.number, 2 * len(self.known))
            self.crew = self.options.hire()
        return self.crew
