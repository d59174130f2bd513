"""`ludus rank`: which search should this game use, at this budget, and how sure is that?"""

from __future__ import annotations

import math
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import click

import ludus
from ludus.arena.ranking import STOPPED
from ludus.arena.reports.words import FEW, listed, standings, text
from ludus.arena.roster import default_budget
from ludus.arena.settings import RankOptions, RankSettings
from ludus.arena.stats.verdict import EQUAL, FARTHEST
from ludus.arena.tournament import hold_tournament
from ludus.cli import common, values
from ludus.cli.next_steps import next_steps
from ludus.common.texttable import screen_width, wrap
from ludus.model.budget import DEFAULT_BUDGET, Budget
from ludus.pictures.files import REPORTS, check_file
from ludus.terminal.calibrating import telling
from ludus.terminal.progress import Progress

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking

PACE = 10
"""How many games must have been played before their pace tells the time left."""
RECENT = 20.0
"""Seconds. The pace is that of the games in this time: those of the strongest, who play last, may take longer."""


@click.command()
@click.argument("game")
@click.argument("specs", metavar="[SPEC]...", nargs=-1)
@common.options(
    click.option(
        "--budget",
        "budget_text",
        help="For a SPEC that names none.  [default: nodes=2000; more for a game without an evaluator]",
    ),
    click.option("--games", type=common.Whole(1), default=2000, show_default=True, help="The most, over all pairings."),
    click.option(
        "--minutes",
        type=common.Positive(),
        help="The most that the games may take; compiling before them does not count.",
    ),
    click.option(
        "--equal",
        type=common.Within(0, FARTHEST),
        default=EQUAL,
        show_default=True,
        help="Players no farther apart, in Elo, are not told apart; 0: nobody is called equal.",
    ),
    click.option(
        "--round-robin",
        is_flag=True,
        help="Everyone meets everyone equally often, as many times as --games allows; no early end.",
    ),
    click.option("--matrix", is_flag=True, help="Show each against each, even if it does not fit the terminal."),
    common.output_option,
    click.option("--new", is_flag=True, help="Start over, even if such a run is in the database."),
    click.option(
        "--learn/--no-learn",
        default=True,
        show_default=True,
        help="Without SPECs, for a game without an evaluator: learn one, and enter searches with it.",
    ),
    click.option("--all", is_flag=True, help="Every search takes part, beside the SPECs."),
    click.option("--family", help="Every search of a family takes part: full-width, best-first or sampling."),
    common.openings_option,
    *common.arena_options,
)
@click.pass_context
def rank(
    context: click.Context,
    game: str,
    specs: tuple[str, ...],
    budget_text: str | None,
    as_json: bool,
    output: str | None,
    matrix: bool,
    **rest: Any,
) -> None:
    """Race searches on GAME: which is best at this budget, and how sure is that?

    Without SPECs, all contenders take part that can play the game at this budget: the strong searches, and greedy and
    random for comparison. Games come in pairs from the same random opening with sides swapped. The same command goes on
    where the last one stopped.
    """
    made = ludus.game(game)
    common.warn_of_turns(made)
    budget = default_budget(made) if budget_text is None else Budget.of(budget_text)
    if budget_text is None and budget != DEFAULT_BUDGET:
        click.echo(f"{made.title} has no evaluator, so playouts judge its positions: {budget} a move", err=True)
    if output is not None:
        check_file(output, REPORTS, "report")
    settings = values.read(RankSettings, rest, budget=budget)
    with Progress(patience=0.0) as bar:
        live = Live(settings.games, bar, settings.minutes)
        bar.update(0, "preparing")
        told: dict[str, Any] = {"progress": live.show, "preparing": live.preparing, "continuing": live.continuing}
        told |= {"calibrating": telling(bar), "learning": telling(bar), "solved": lambda found: bar.say(str(found))}
        result = hold_tournament(made, specs, settings, values.read(RankOptions, rest, **told))
    if result.run is not None and result.games and not result.played and not live.continued:
        click.echo(f"run {result.run} was finished before; nothing was played (--new starts over)", err=True)
    if as_json:
        common.print_json(result.to_dict())
    else:
        _print(result, rest["db"], matrix)
    if output is not None:
        result.save(output)
        click.echo(f"wrote {output}", err=True)
    context.exit(130 if result.stopped == "interrupted" else 0 if result.stopped in STOPPED else 2)


class Live:
    """Shows a ranking while it runs: on a terminal, the table so far, what it waits for, and a bar with the time left.

    Without a limit of `minutes`, the time left is for all `games` at the recent pace: it may end before.
    """

    def __init__(self, games: int, bar: Progress, minutes: float | None = None) -> None:
        self.games, self.bar, self.minutes = games + games % 2, bar, minutes
        self.prepared, self.candidates, self.played = 0, 0, 0
        self.continued = False
        self.began = 0.0
        """When the first game after all preparations was shown."""
        self.shown = deque[tuple[float, int]]()
        """Recent moments when games were shown, and how many there were then."""

    def preparing(self, prepared: int, candidates: int) -> None:
        """Show how many of the candidates are compiled and tried."""
        self.prepared, self.candidates = prepared, candidates
        self.bar.update(prepared, self._readiness(), candidates)

    def _readiness(self) -> str:
        """How many searches can play, and how many games those who can have played meanwhile."""
        words = f"{self.prepared} of {self.candidates} searches ready"
        return f"{words}, {self.played:,} games" if self.played else words

    def continuing(self, run: int, games: int) -> None:
        """Say that a run goes on which has this many games."""
        self.continued = True
        self.bar.say(f"continuing run {run}: {games:,} games played so far")

    def show(self, ranking: Ranking) -> None:
        """Show the table after another pair."""
        self.played = ranking.games
        if self.prepared < self.candidates:
            words, done, total = self._readiness(), self.prepared, self.candidates
            waiting = f"Waiting until {total - done} more are compiled and tried; those who are ready play already."
        else:
            words = f"{self.played:,} games, at most {self.games:,}; {len(ranking.evidence.unbeaten)} not beaten"
            left = self._time_left()
            words += f"; about {left} left" if left else ""
            waiting = waits_for(ranking)
            done, total = self.played, self.games
        self.bar.update(done, words, total, lambda width: live_lines(ranking, width, waiting))

    def _time_left(self) -> str:
        """The time that all games which are allowed will take at the recent pace, in words; empty if nobody knows."""
        now = time.monotonic()
        self.began = self.began if self.shown else now
        self.shown.append((now, self.played))
        while len(self.shown) > 1 and now - self.shown[1][0] >= RECENT and self.played - self.shown[1][1] >= PACE:
            self.shown.popleft()
        since, before = self.shown[0]
        if self.played - before < PACE or now <= since:
            return ""
        seconds = (self.games - self.played) * (now - since) / (self.played - before)
        if self.minutes is not None:
            seconds = min(seconds, 60 * self.minutes - (now - self.began))
        return duration(max(seconds, 0.0))


def live_lines(ranking: Ranking, width: int, waiting: str) -> list[str]:
    """The table so far and what it waits for."""
    return [*standings(ranking, width, legend=False), *(["", *wrap(waiting, width)] if waiting else [])]


def duration(seconds: float) -> str:
    """A time in words, in seconds, minutes or hours."""
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    return f"{math.ceil(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def waits_for(ranking: Ranking) -> str:
    """A sentence on what a run is waiting for."""
    evidence, labels = ranking.evidence, ranking.labels
    if ranking.round_robin:
        return "Waiting until everyone has met everyone equally often."
    left = [i for i in ranking.order if i in evidence.unbeaten]
    if not left:
        return "Waiting until it is known who beats whom in a circle."
    rivals = left[1:] or evidence.unconfirmed(left[0])
    shown = [labels[i] for i in rivals[:FEW]] + [f"{len(rivals) - FEW} more"] * (len(rivals) > FEW)
    if not shown:
        return ""
    return f"Waiting until {labels[left[0]]} has beaten {listed(shown)}, or is known to be equal to them."


def _print(ranking: Ranking, db: str, matrix: bool) -> None:
    width = screen_width()
    click.echo(common.with_flags(text(ranking, width, matrix, best=lambda line: click.style(line, bold=True))))
    if ranking.run is not None:
        click.echo(common.where_kept(ranking.run, db))
    if ranking.games:
        click.echo("\n".join(next_steps(ranking, db, width)))


COMMANDS = (rank,)
