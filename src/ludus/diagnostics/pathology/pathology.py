"""Does looking deeper help? An evaluator with the same search at several depths (Abramson 1985; Nau 1982).

`by="games"`: the search at each depth plays the search at depth 1, which looks at the positions after its moves and no
farther: the papers' lookahead 0. All depths play from the same openings, so a pair of games from one opening is a
subject with a result at every depth. `by="decisions"`: in random positions of a game that is small enough to solve, or
in the first positions of random ones, it is counted how often each depth chooses a right move where there is a wrong
one as well. Here the positions are the subjects.

A game is pathological with this evaluator and search if the score falls somewhere as the depth grows, by the test of
`arena/stats/monotone.py`. Even and odd depths are not compared: the player who made the last move tends to look better,
so values, and what follows from them, differ between them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice, tee
from pathlib import Path
from typing import Any

from ludus.arena.play.faults import advising
from ludus.arena.play.openings import Opening, check_openings
from ludus.arena.play.openings import openings as random_openings
from ludus.arena.play.packing import PackedPairs
from ludus.arena.play.pairs import Pair
from ludus.arena.play.records import Records
from ludus.arena.play.sources import Sources
from ludus.arena.pool.resources import Resources
from ludus.arena.pool.serving import refuse_in_worker
from ludus.arena.pool.workers import NoWorkersLeft
from ludus.arena.roster import run_fingerprint
from ludus.arena.store.store import FINISHED, INTERRUPTED, Run, RunKey, Store
from ludus.common.errors import LudusError, SpecError, unknown
from ludus.common.numbers import whole_number
from ludus.diagnostics.pathology.pathology_report import Pathology
from ludus.diagnostics.quality.decisions import Convention
from ludus.diagnostics.quality.quality_report import Judge
from ludus.kernel.chance import Dice
from ludus.kernel.random import seed_for
from ludus.learning.automatic_calibration import with_calibration
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.evaluator import EvaluatorLike
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.model.search import Search
from ludus.model.watchdog import watching
from ludus.runtime.player import Player

GAMES = 400
"""Games of each depth, or decisions, where nobody says."""
DEEPEST, EFFORT = 6, 20_000
"""The deepest search where nobody says: at most this, and no deeper than alpha-beta comes with these nodes a move."""
NODES = 2_000_000
"""The most nodes of a tree that is solved to judge a decision."""
WAYS = ("games", "decisions")


@dataclass(frozen=True)
class PathologyOptions(Resources):
    """With what games are played, and who is told of it."""

    progress: Callable[[Pathology], None] = lambda found: None
    """Called with what there is after each pair of games, or decision."""
    continuing: Callable[[int, int], None] = lambda run, games: None
    """Called with the number of a run that goes on, and how many games it has."""
    calibrating: Callable[[float, str], None] = lambda done, words: None
    """Called with 0 and a sentence when an evaluator is being calibrated for the search, then with the part done."""
    announce: Callable[[str], None] | None = None
    """Called with what is compiled."""


def pathology(
    game: GameLike,
    eval: EvaluatorLike | None = None,
    *,
    search: Search | type[Search] | str = "alphabeta",
    deepest: int | None = None,
    games: int = GAMES,
    by: str = "games",
    openings: int = 4,
    seed: int = 0,
    workers: int | None = None,
    dask: str | None = None,
    move_limit: float | None = None,
    compiled: bool | None = None,
    db: str | Path | None = None,
    new: bool = False,
    progress: Callable[[Pathology], None] = lambda found: None,
    continuing: Callable[[int, int], None] = lambda run, games: None,
    calibrating: Callable[[float, str], None] = lambda done, words: None,
    announce: Callable[[str], None] | None = None,
) -> Pathology:
    """Does looking deeper help with this evaluator, by default the game's own?

    The search at each depth plays itself at depth 1, from the same openings; or, with `by="decisions"`, it is asked for
    moves in random positions of a game that can be solved. `.pathological` says whether the score falls as the depth
    grows, `.test.p` how likely that is by noise; `print` shows the scores with the verdict, `.save("file.png")` draws
    them.

    search: whose depth is varied; deepest: the deepest search, by default 6, or less where there are many moves;
    games: at each depth, or decisions in all; by: `"games"` or `"decisions"`; openings: random plies before the players
    take over; seed: the random seed; workers: processes, by default one for each core; dask: the address of a cluster;
    move_limit: seconds after which a move is lost; compiled: True to compile or fail, False to interpret; db: a
    database in which games are kept, so that the same call goes on where it was; new: start over all the same;
    progress: called with what there is after each pair of games; continuing: called with the number of a run that goes
    on and how many games it has; calibrating and announce: as for `match` and `calibrate`.

    >>> found = ludus.pathology("board-splitting(rounds=3)", "ones", by="decisions", deepest=4, games=8, compiled=False)
    >>> [row["depth"] for row in found.rows]
    [1, 2, 3, 4]
    """
    refuse_in_worker()
    game = registry.games().of(game)
    told: dict[str, Any] = {"progress": progress, "continuing": continuing, "calibrating": calibrating}
    how = PathologyOptions(workers, dask, move_limit, announce=announce, **told)
    openings, seed = whole_number("`openings`", openings, 0), whole_number("`seed`", seed)
    games = whole_number("the number of games", games, 4)
    if by not in WAYS:
        raise unknown("way to judge depths", str(by), WAYS, "it is one of")
    kind = registry.searches().of(search)
    if not kind.looks_ahead:
        raise SpecError(f"{kind.title} does not look ahead, so there is no depth to vary.")
    if db is not None:
        Store.check(db)
    with advising(game):
        check_openings(game, openings, seed)
    deepest = _deepest(game) if deepest is None else whole_number("`deepest`", deepest, 3)
    given = None if eval is None else registry.evaluators().of(eval)
    one = Player(kind, given, Budget(depth=1), compiled=compiled, announce=how.announce)
    one = with_calibration(one, game, how.calibrating)
    players = [_at_depth(one, depth) for depth in range(1, deepest + 1)]
    found = Pathology(str(game), str(one.evaluator), str(kind), by, seed, list(range(1, deepest + 1)))
    with advising(game):
        one.session(game)  # compiled before any worker starts
        if by == "decisions":
            _decide(found, game, players, games, openings, how)
            if not found.subjects and not found.interrupted:
                raise LudusError(
                    f"no position of {game.title} after {openings} random plies has right and wrong moves: there is "
                    "nothing to judge; give other `openings`."
                )
            return found
        how = how.for_players(game, players)
        with ExitStack() as stack:
            run = None if db is None else stack.enter_context(_run(stack, game, players, seed, openings, db, new))
            _Contest(found, game, players, openings, how, run).play((games + 1) // 2)
    return found


def _at_depth(player: Player, depth: int) -> Player:
    budget = Budget(depth=depth)
    return Player(player.search, player.evaluator, budget, compiled=player.compiled, announce=player.announce)


def _deepest(game: PlayableGame) -> int:
    """How deep alpha-beta comes with `EFFORT` nodes, at most `DEEPEST`: b^(3/4) nodes a ply, b from random games."""
    dice = Dice(seed_for(1))
    counts: list[int] = []
    with watching():
        for _ in range(4):
            state = dice.settle(game, game.start)
            while (legal := game.legal(state)) and len(counts) < 1000:
                counts.append(len(legal))
                state = dice.settle(game, game.after(state, dice.pick(legal, [])))
    branching = max(sum(counts) / max(len(counts), 1), 1.5)
    depth = 3
    while depth < DEEPEST and branching ** (0.75 * (depth + 1)) <= EFFORT:
        depth += 1
    return depth


# By games.


def _run(
    stack: ExitStack, game: PlayableGame, players: Sequence[Player], seed: int, openings: int, db: str | Path, new: bool
) -> Run:
    from ludus.common.version import VERSION

    names = tuple(str(player) for player in players)
    key = RunKey("pathology", str(game), names, seed, {"openings": openings}, run_fingerprint(game, players), VERSION)
    return stack.enter_context(Store(db)).run(key, fresh=new)


class _Contest:
    """The games of all depths against depth 1, opening by opening, so that an early end leaves none behind."""

    def __init__(
        self,
        found: Pathology,
        game: PlayableGame,
        players: Sequence[Player],
        openings: int,
        how: PathologyOptions,
        run: Run | None,
    ) -> None:
        self.found, self.game, self.players = found, game, players
        self.openings, self.how, self.run = openings, how, run
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
        with closing(self.how.hire()) as pool:
            if self.run is not None:
                if self.known:
                    self.how.continuing(self.run.number, 2 * len(self.known))
                self.run.begin()
            yield from pool.run(pairs)

    def _pairs(self, pairs: int) -> Iterator[Pair]:
        found = random_openings(self.game, self.openings, self.found.seed)
        for index, opening in enumerate(islice(found, pairs)):
            for number in range(1, len(self.players)):
                seed = seed_for(self.found.seed, index, number, 1)
                players = self.players[0], self.players[number]
                yield Pair((0, number, index), opening, players, seed, self.how.move_limit)

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
            self.how.progress(self.found)


def _points(score: float) -> float:
    return 1.0 if score > 0 else 0.5 if score == 0 else 0.0


# By decisions.


def _decide(
    found: Pathology, game: PlayableGame, players: Sequence[Player], wanted: int, openings: int, how: PathologyOptions
) -> None:
    """Ask every depth for a move in positions that have right and wrong ones."""
    if game.has_chance:
        raise SpecError(f"chance has a part in {game.title}: judge depths by `by=games`.")
    evaluator = players[0].evaluator
    assert evaluator is not None
    judge = Judge(game, evaluator, Convention(), 0, players[0].compiled, how.announce)
    try:
        for number, opening in enumerate(random_openings(game, openings, found.seed)):
            right = _right_moves(judge, opening)
            if right is not None:
                seed = seed_for(found.seed, number, 1)
                moves = [player.decide(opening.game, opening.state, seed=seed) for player in players]
                found.add([(float(move in right),) for move in moves])
            how.progress(found)
            if found.subjects == wanted:
                return
            if number >= 100 * wanted:
                break
    except KeyboardInterrupt:
        found.interrupted = True
        return
    found.note = f"only {found.subjects} of the positions after {openings} random plies have right and wrong moves."


def _right_moves(judge: Judge, opening: Opening) -> set[int] | None:
    """The moves that keep the exact value of a position; None if all do."""
    game, state = opening.game, opening.state
    seen = judge.see(game, state, NODES)
    if seen.stopped == "interrupted":
        raise KeyboardInterrupt
    if seen.stopped != "exhausted":
        raise LudusError(
            f"{game.title} cannot be solved from {game.state_text(state)!r} with {NODES:,} nodes: judge depths by "
            "`by=games`, or begin later in the game with more `openings`."
        )
    legal = game.legal(state)
    values = judge.work.tree.record.successors[: len(legal)]
    right = {move for move, value in zip(legal, values, strict=True) if value == values.max()}
    return right if len(right) < len(legal) else None
