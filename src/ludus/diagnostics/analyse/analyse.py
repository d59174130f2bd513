"""`analyse`: what an inventor wants to know of a game first, from random and from good play.

Everything is counted, so the result is a function of the game, the seed and the numbers of games, whatever the number
of workers; only `minutes` ends it by the clock. What has been found when Ctrl-C comes is kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from ludus.arena.play.openings import check_openings
from ludus.arena.pool.resources import Resources
from ludus.arena.pool.serving import refuse_in_worker
from ludus.diagnostics.analyse.complexity import Complexity
from ludus.diagnostics.analyse.exact import MOST, exact
from ludus.diagnostics.analyse.first_moves import solved_moves
from ludus.diagnostics.analyse.good_play import RUNGS, Ladder, play
from ludus.diagnostics.analyse.report import Analysis, Good
from ludus.diagnostics.analyse.settings import AnalyseSettings
from ludus.diagnostics.analyse.stakes import POSITIONS, SLOW_POSITIONS, chosen_positions, look
from ludus.diagnostics.analyse.tally import Tally
from ludus.diagnostics.analyse.walking import Walked, Walker
from ludus.kernel.random import seed_for
from ludus.model import registry
from ludus.model.game import GameLike
from ludus.model.playable import PlayableGame
from ludus.runtime.player import PlayerLike

GAMES, SLOW_GAMES = 10_000, 300
"""Random games where nobody says how many: compiled, and interpreted."""

GOOD, SLOW_GOOD = 100, 10
"""Games of good play, on each rung of the ladder and of the best against itself."""

RANDOM_SHARE = 0.25
"""The part of `minutes` that random games may take."""

Progress = Callable[[float, str], None]


class TimeIsOver(Exception):
    """`minutes` have passed."""


def analyse(
    game: GameLike,
    *,
    games: int | None = None,
    good: int | None = None,
    player: PlayerLike = "uct",
    openings: int = 0,
    minutes: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    compiled: bool | None = None,
    progress: Progress = lambda done, words: None,
    announce: Callable[[str], None] | None = None,
) -> Analysis:
    """What an inventor wants to know of a game: who wins, how long it lasts, does a better player win, how large is it.

    From random games, and from games of a search against itself with more and more nodes. `print` shows it,
    `.save("page.html")` writes a page, `.to_dict()` gives the JSON of `ludus analyse`.

    games: random ones, by default 10,000, or 300 if the game cannot be compiled; good: games of good play at each
    strength, by default 100, or 10; player: who plays well, without a budget; openings: random plies before good play,
    for players that would always play the same game; minutes: the time limit; seed: the random seed; workers:
    processes for good play, by default one for each core; compiled: True to compile or fail, False to interpret;
    progress: called with the part that is done, from 0 to 1, and words; announce: called with what is compiled.

    >>> found = ludus.analyse("nim", games=50, good=0, compiled=False)
    >>> found.value, found.exact.positions
    (-1.0, 22)
    """
    settings = AnalyseSettings(
        games=games,
        good=good,
        player=player,
        openings=openings,
        minutes=minutes,
        seed=seed,
        workers=workers,
        compiled=compiled,
    )
    return analyse_game(game, settings, progress, announce)


def analyse_game(
    game: GameLike,
    settings: AnalyseSettings,
    progress: Progress = lambda done, words: None,
    announce: Callable[[str], None] | None = None,
) -> Analysis:
    """Find out about this game what the settings ask for."""
    refuse_in_worker()
    until = math.inf if settings.minutes is None else time.monotonic() + 60 * settings.minutes
    made, seed, compiled = registry.games().of(game), settings.seed, settings.compiled
    check_openings(made, settings.openings, seed)
    walker = Walker(made, compiled, announce)
    fast = walker.is_compiled
    about = Analysis(made, seed, fast)
    work = _Work(about, walker, compiled if fast else False, until, progress, announce)
    try:
        work.play_at_random(settings.games or (GAMES if fast else SLOW_GAMES))
        work.measure()
        wanted = settings.good if settings.good is not None else GOOD if fast else SLOW_GOOD
        if wanted:
            work.play_well(settings.player, wanted, settings.openings, Resources(settings.workers))
        work.look_at_moves()
    except KeyboardInterrupt:
        if not about.random.games:
            raise
        about.stopped = "interrupted"
    except TimeIsOver:
        about.stopped = "minutes"
    return about


class _Work:
    """An analysis on its way: each step adds to what it is about."""

    def __init__(
        self,
        about: Analysis,
        walker: Walker,
        compiled: bool | None,
        until: float,
        progress: Progress,
        announce: Callable[[str], None] | None,
    ) -> None:
        self.about, self.walker, self.compiled, self.until = about, walker, compiled, until
        self.tell, self.announce = progress, announce
        self.games: list[Walked] = []
        """Games from which positions are taken: the first random ones, then those of good play instead."""

    @property
    def game(self) -> PlayableGame:
        return self.about.game

    def play_at_random(self, games: int) -> None:
        """Random games; `minutes` leave time for the rest."""
        started, size = time.monotonic(), Complexity(self.about.seed)
        soon = started + RANDOM_SHARE * (self.until - started)
        try:
            for number in range(games):
                walked = self.walker.random(seed_for(self.about.seed, 0), number)
                self.about.random.add(walked)
                size.add(walked)
                if number < POSITIONS:
                    self.games.append(walked)
                self.tell(0.1 * (number + 1) / games, f"{number + 1:,} random games")
                if time.monotonic() >= soon:
                    break
        finally:
            self.size = size
            if size.leaves:
                self.about.complexity = size.to_dict()

    def measure(self) -> None:
        """What is exactly known, if there are few positions; then the sizes are known as well."""
        self.tell(0.1, "listing positions")
        sizes: Any = self.about.complexity
        if sizes["positions"]["at_least"] <= MOST:
            self.about.exact = exact(self.game)
        if self.about.exact is not None:
            sizes["positions"]["exact"] = self.about.exact.positions
            sizes["tree"]["exact"] = self.about.exact.tree
            sizes["nodes"]["exact"] = self.about.exact.nodes
        self._look_at_clock()

    def play_well(self, player: PlayerLike, games: int, openings: int, resources: Resources) -> None:
        """The ladder, and the best player against itself."""
        self.tell(0.12, "preparing good play")
        ladder = Ladder(self.game, player, self.compiled, self.walker.is_compiled)
        ladder.prepare(self.announce)
        self._look_at_clock()
        about = self.about.good = Good(str(ladder.best), ladder.rungs(), Tally())
        wanted, done, played = (RUNGS + 1) * ((games + 1) // 2), 0, []
        pairs = ladder.pairs(games, openings, seed_for(self.about.seed, 1))
        try:
            for pair, records in play(ladder, pairs, resources, self.until):
                rung = pair.number[0]
                if rung < RUNGS:
                    about.rungs[rung].add(records)
                else:
                    for record in records:
                        walked = self.walker.along((*pair.opening.moves, *record.moves))
                        about.add(walked)
                        played.append(walked)
                done += 1
                self.tell(0.12 + 0.73 * done / wanted, f"{2 * done:,} of {2 * wanted:,} games of good play")
        finally:
            self.games = played or self.games
        self._look_at_clock()

    def look_at_moves(self) -> None:
        """How much a move matters, and which first moves win."""
        fast, seed = self.walker.is_compiled, self.about.seed
        most = POSITIONS if fast else SLOW_POSITIONS
        states = chosen_positions(self.game, self.games, most, seed_for(seed, 2))
        for number, found in enumerate(look(self.game, states, seed_for(seed, 3), self.compiled, fast)):
            self.about.stakes = found
            self.tell(0.85 + 0.1 * (number + 1) / len(states), f"{number + 1} positions looked at")
            self._look_at_clock()
        self.tell(0.95, "first moves")
        size = self.about.complexity["nodes"]["log10"]
        known = solved_moves(self.game, self.about.exact, size, self.compiled, fast, self.announce)
        self.about.proven = known

    def _look_at_clock(self) -> None:
        if time.monotonic() >= self.until:
            raise TimeIsOver
