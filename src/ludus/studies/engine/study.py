"""A study: the reproduction of one paper, in parts; and the laboratory in which its parts are run.

A part is a function of a `Lab`. It plays matches and makes measurements, which the lab keeps, and hands in rows,
figures and sentences. Run again, it finds what was kept and plays only what is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, tee
from types import ModuleType
from typing import Any, TypeVar

from ludus.arena.match import pairs_between
from ludus.arena.match_result import MatchResult
from ludus.arena.play.faults import advising
from ludus.arena.pool.workers import WorkerPool
from ludus.arena.ranking import Ranking
from ludus.arena.roster import run_fingerprint
from ludus.common.errors import unknown
from ludus.learning.automatic_calibration import with_calibration
from ludus.model import registry
from ludus.model.budget import DEFAULT_BUDGET, Budget
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.runtime.player import Player, PlayerLike
from ludus.runtime.trace import Trace, trace
from ludus.studies.engine import agreement
from ludus.studies.engine.agreement import Row
from ludus.studies.engine.measurements import MeasurementCache, described, name_of, sources
from ludus.studies.engine.settings import ReproduceSettings, Scale
from ludus.studies.engine.study_match import Match, pack, unpack
from ludus.studies.engine.study_rank import Contest, Contests, why_not

T = TypeVar("T")
EVERY = 2.0
"""Seconds after which the games of a match that goes on are stored."""


@dataclass(frozen=True)
class Part:
    """A figure, a table or an experiment of a paper."""

    name: str
    title: str
    paper: str
    """What the paper shows and says, in sentences."""
    run: Callable[[Lab], None]


@dataclass(frozen=True)
class Study:
    """A paper and the parts of its reproduction, in the paper's order; `part` adds one."""

    name: str
    title: str
    about: str
    """What is reproduced, in a paragraph."""
    of_paper: bool = True
    """Whether it is about a paper; else the words of a part say what is done there, and numbers are expected ones."""
    parts: dict[str, Part] = field(default_factory=dict)

    def part(self, name: str, title: str, paper: str) -> Callable[[Callable[[Lab], None]], Callable[[Lab], None]]:
        """A decorator: this function of a `Lab` is the part `name`; `paper` says what the paper has there."""

        def add(run: Callable[[Lab], None]) -> Callable[[Lab], None]:
            self.parts[name] = Part(name, title, " ".join(paper.split()), run)
            return run

        return add

    def choose(self, names: Sequence[str] = ()) -> list[Part]:
        """The parts of these names in the paper's order, all of them if none is named."""
        for name in names:
            if name not in self.parts:
                raise unknown(f"part of {self.name}", name, self.parts, "it has")
        return [part for name, part in self.parts.items() if not names or name in names]


@dataclass(frozen=True)
class Figure:
    """A picture that is drawn when somebody wants it, with words for those who do not see it."""

    words: str
    draw: Callable[[], Any]


@dataclass(frozen=True)
class Table:
    """Words in rows under headings, with a caption: for what a row of a number cannot say."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass
class Found:
    """What a part has found."""

    part: Part
    rows: list[Row] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    seconds: float = 0.0
    """How long it took, earlier sittings included."""
    complete: bool = False


@dataclass(frozen=True)
class Call:
    """A measurement on its way to a worker."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def perform(self) -> Any:
        return self.function(*self.arguments)


class Lab:
    """What a part works with. Matches and measurements are functions of the seed, and kept."""

    def __init__(
        self,
        found: Found,
        *,
        settings: ReproduceSettings,
        pool: WorkerPool,
        keep: MeasurementCache,
        tell: Callable[[float, str], None] = lambda done, words: None,
    ) -> None:
        """tell: called with how much of the part is done, from 0 to 1, and with words."""
        self.found, self._settings = found, settings
        self.scale: Scale = settings.scale
        self.seed, self.compiled = settings.seed, settings.compiled
        self._pool, self._keep, self._tell = pool, keep, tell
        self._done, self._step = 0.0, 1.0

    def by(self, *, tiny: T, quick: T, full: T) -> T:
        """What belongs to the scale at which the study is run."""
        return {"tiny": tiny, "quick": quick, "full": full}[self.scale]

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """These items, one after the other; so the lab knows how much of the part is done."""
        those = list(items)
        before, whole = self._done, self._step
        self._step = whole / max(len(those), 1)
        for number, item in enumerate(those):
            self._done = before + number * self._step
            yield item
        self._done, self._step = before + whole, whole

    # What is measured.

    def match(
        self, game: GameLike, first: PlayerLike, second: PlayerLike, *, pairs: int, openings: int = 4, seed: int = 0
    ) -> Match:
        """The first `pairs` pairs of a match, from `openings` random plies; another `seed`, other games.

        A match of more pairs begins with the same ones.
        """
        game = registry.games().of(game)
        one, other = (self._player(game, each) for each in (first, second))
        result = Match(str(game), (str(one), str(other)), self.seed + seed)
        kind = run_fingerprint(game, (one, other))
        name = name_of("match", kind, game, one, other, openings, seed)
        kept: list[Any] = self._keep.measured(name) or []
        for pair in kept[:pairs]:
            result.add(unpack(pair))
        if len(kept) < pairs:
            with advising(game):
                self._play(result, game, (one, other), (openings, pairs), kept, name)
        return result

    def _play(
        self,
        result: Match,
        game: PlayableGame,
        players: tuple[Player, Player],
        size: tuple[int, int],
        kept: list[Any],
        name: str,
    ) -> None:
        """Play what is not kept of a match of `size`, openings and pairs; what is there is stored now and then."""
        openings, pairs = size
        self._tell(self._done, f"{players[0].search} against {players[1].search} on {game}")
        for player in players:
            player.session(game)  # compile here, before any worker starts
        stored = time.monotonic()
        tasks = islice(pairs_between(game, players, openings, result.seed), len(kept), pairs)
        try:
            for records in self._pool.run(tasks):
                result.add(records)
                kept.append(pack(records))
                words = f"{players[0].search} against {players[1].search} on {game}: {result.games:,} games"
                self._tell(self._done + self._step * len(kept) / pairs, words)
                if time.monotonic() - stored > EVERY:
                    self._keep.measure(name, kept)
                    stored = time.monotonic()
        finally:
            self._keep.measure(name, kept)

    def _player(self, game: PlayableGame, given: PlayerLike, budget: Budget = DEFAULT_BUDGET) -> Player:
        """A player as it plays here, with an evaluator that is calibrated if it must be."""
        return with_calibration(Player.of(given, budget, compiled=self.compiled), game, self._calibrating)

    def why_not(self, game: GameLike, players: Sequence[PlayerLike], budget: Budget | str) -> list[str]:
        """Of each player, why it cannot play this game at this budget; empty if it can."""
        board = registry.games().of(game)
        able = [self._player(board, each, Budget.of(budget)) for each in players]
        self._tell(self._done, f"preparing {len(able)} players of {board}")
        return why_not(board, able, self._pool, self._keep)

    def rank(
        self,
        contests: Iterable[tuple[GameLike, Sequence[PlayerLike], Budget | str, int]],
        *,
        openings: int = 4,
        seed: int = 0,
    ) -> list[dict[str, Any]]:
        """Rankings, each of a game, players, a budget for those that name none and the most games; all are played at
        once. Each gives what `to_dict` of a ranking does; `excluded` are those who cannot play at that budget."""
        made = []
        for given, players, budget, games in contests:
            game = registry.games().of(given)
            able = [self._player(game, each, Budget.of(budget)) for each in players]
            made.append(Contest(game, able, games, openings, self.seed + seed))
        most = max(sum(each.games for each in made), 1)
        played: dict[str, int] = {}

        def tell(ranking: Ranking) -> None:
            played[f"{ranking.game} {ranking.names}"] = ranking.games
            done = sum(played.values())
            self._tell(self._done + self._step * done / most, f"ranking on {ranking.game}: {done:,} games")

        return Contests(self._pool, self._keep, self._settings, tell).play(made)

    def measure(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function of a study gives for these arguments, ready for JSON; worked out once."""
        return self.measure_all(function, [arguments])[0]

    def measure_all(self, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> list[Any]:
        """The same for several lists of arguments, which the workers share. The function must stand in a module."""
        wanted = [(name_of("measure", sources(), *described(function, each)), each) for each in calls]
        found = {name: self._keep.measured(name) for name, _ in wanted}
        missing = [(name, each) for name, each in wanted if found[name] is None]
        names, tasks = tee(missing)
        words = function.__name__.strip("_").replace("_", " ")
        for number, ((name, _), value) in enumerate(
            zip(names, self._pool.run(Call(function, each) for _, each in tasks), strict=False)
        ):
            found[name] = value
            self._keep.measure(name, value)
            self._tell(
                self._done + self._step * (number + 1) / len(missing), f"{words}: {number + 1} of {len(missing)}"
            )
        return [found[name] for name, _ in wanted]

    def sample(self, function: Callable[..., Any], count: int, *arguments: Any, size: int = 25) -> list[Any]:
        """What a function gives for this number of seeds: a list, in their order.

        It is called with `arguments`, the first of some seeds, their number (at most `size`) and `compiled`, and gives
        a list. The workers share the calls.
        """
        firsts = range(0, count, size)
        calls = [(*arguments, 1000 * self.seed + i, min(size, count - i), self.compiled) for i in firsts]
        return [each for batch in self.measure_all(function, calls) for each in batch]

    def trace(self, game: GameLike, player: PlayerLike, state: Any = None, *, most: int = 500) -> Trace:
        """How a best-first player grows its tree from a position, expansion by expansion."""
        player = Player.of(player, DEFAULT_BUDGET, compiled=self.compiled)
        return trace(registry.games().of(game), player, state, seed=self.seed, most=most)

    def _calibrating(self, done: float, words: str) -> None:
        self._tell(self._done, words)

    # What is handed in.

    def add(self, row: Row) -> Row:
        """Hand in a row."""
        self.found.rows.append(row)
        return row

    def exact(self, what: str, measured: float, paper: float | None = None, **more: Any) -> Row:
        """A row with a number that chance has no part in; see `agreement` for this and the others."""
        return self.add(agreement.exact_row(what, measured, paper, **more))

    def number(self, what: str, measured: float, **more: Any) -> Row:
        """A row with a number that the paper does not have, and without an interval."""
        return self.add(Row(what, None, float(measured), None, None, None, **more))

    def formula(self, row: Mapping[str, Any]) -> Row:
        """A row of `ludus.theory`: a formula, as printed or as derived, beside what a simulation gave."""
        convention = f"as {row['source']}{': ' if row['note'] else ''}{row['note']}"
        what, formula, simulated = row["what"], row["formula"], row["simulated"]
        more: dict[str, Any] = {"convention": convention, "ours": row["source"] == "derived"}
        return self.add(Row(what, formula, simulated, row["low"], row["high"], row["agrees"], **more))

    def between(self, what: str, measured: float, low: float, high: float, paper: float | None, **more: Any) -> Row:
        """A row with an exact number, and within which bounds it would lie under other choices that are open."""
        agrees = None if paper is None else measured == paper
        return self.add(Row(what, paper, float(measured), float(low), float(high), agrees, **more))

    def share(self, what: str, match: MatchResult | Sequence[int], paper: float | None = None, **more: Any) -> Row:
        """A row with the first player's share of the points of a match, or of these pentanomial counts; `games` is the
        number of the paper's."""
        pairs = match.pairs if isinstance(match, MatchResult) else match
        return self.add(agreement.share_row(what, pairs, paper, **more))

    def mean(self, what: str, values: Sequence[float], paper: float | None = None, **more: Any) -> Row:
        """A row with the mean of independent observations."""
        return self.add(agreement.mean_row(what, values, paper, **more))

    def ratio(self, what: str, pairs: Sequence[Sequence[float]], paper: float | None = None, **more: Any) -> Row:
        """A row with the sum of the first numbers of these pairs, for one of the second."""
        return self.add(agreement.ratio_row(what, pairs, paper, **more))

    def one_of(self, what: str, values: Sequence[float], paper: float | None = None, **more: Any) -> Row:
        """A row with the median of observations, of which the paper has made one."""
        return self.add(agreement.one_of_row(what, values, paper, **more))

    def count(self, what: str, hits: int, size: int, paper: float | None = None, **more: Any) -> Row:
        """A row with a share of independent observations."""
        return self.add(agreement.count_row(what, hits, size, paper, **more))

    def draw(self, words: str, figure: Callable[[], Any]) -> None:
        """A figure, drawn by matplotlib when it is wanted."""
        self.found.figures.append(Figure(words, figure))

    def draw_lines(self, words: str, panels: Mapping[str, Mapping[str, Sequence[Any]]], **how: Any) -> None:
        """Lines with error bars, in panels by title, by name: points of x, value, low and high, or rows with their x;
        `how` as for `pictures.lines.lines_figure`."""

        def figure() -> Any:
            from ludus.pictures.lines import lines_figure

            return lines_figure(panels, **how)

        self.draw(words, figure)

    def draw_trace(self, words: str, trace: Trace) -> None:
        """How a tree grew, in three columns."""

        def figure() -> Any:
            from ludus.pictures.trace import trace_figure

            return trace_figure(trace, with_values=False, with_tree=False)

        self.draw(words, figure)

    def draw_panels(self, words: str, panels: Callable[[], Sequence[Any]]) -> None:
        """The panels of a part of `ludus.theory`, which are made when they are wanted."""

        def figure() -> Any:
            from ludus.pictures.theory import panels_figure

            return panels_figure(panels())

        self.draw(words, figure)

    def table(self, caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Words in rows under headings."""
        self.found.tables.append(Table(caption, heads, rows))

    def say(self, *sentences: str) -> None:
        """What was reproduced and what was not, and why."""
        self.found.sentences += [" ".join(each.split()) for each in sentences if each]


def study_in(module: ModuleType) -> Study | None:
    """The study that a file has."""
    found: Mapping[str, Any] = vars(module)
    return next((each for each in found.values() if isinstance(each, Study)), None)
