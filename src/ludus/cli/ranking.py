"""`ludus rank`: which search should this game use, at this budget, and how sure is that?"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

import ludus
from ludus.arena.words import standings, text
from ludus.cli import common
from ludus.cli.searching import budget_option
from ludus.core.budget import Budget
from ludus.core.spec import parse_arguments
from ludus.core.texttable import screen_width
from ludus.pictures.files import REPORTS, check_file

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking


@click.command()
@click.argument("game")
@click.argument("specs", metavar="[SPEC]...", nargs=-1)
@common.options(
    budget_option,
    click.option("--games", type=common.Whole(1), default=2000, show_default=True, help="The most, over all pairings."),
    click.option(
        "--minutes",
        type=common.Positive(),
        help="The most that the games may take; compiling before them does not count.",
    ),
    click.option(
        "-o", "--output", metavar="FILE", help="Write the report as one page, .html, or the ratings as a picture."
    ),
    click.option("--new", is_flag=True, help="Start over, even if such a run is in the database."),
    common.openings_option,
    *common.arena_options,
)
@click.pass_context
def rank(
    context: click.Context,
    game: str,
    specs: tuple[str, ...],
    budget_text: str,
    as_json: bool,
    output: str | None,
    **rest: Any,
) -> None:
    """Race searches on GAME: which is best at this budget, and how sure is that?

    Without SPECs, every search that can play the game at this budget takes part. Games come in pairs from the same
    random opening with sides swapped. The same command goes on where the last one stopped.
    """
    made = ludus.game(game)
    budget = Budget.of(parse_arguments(budget_text))
    if output is not None:
        check_file(output, REPORTS, "report")
    with Live(rest["games"], rest["minutes"]) as live:
        told: dict[str, Any] = {"progress": live.show, "preparing": live.preparing, "continuing": live.continuing}
        result = ludus.rank(made, *specs, budget=budget, **told, **rest)
    if result.run is not None and result.games and not result.played and not live.continued:
        _say(f"run {result.run} was finished before; nothing was played (--new starts over)")
    if as_json:
        common.print_json(result.to_dict())
    else:
        _print(result, rest["db"])
    if output is not None:
        result.save(output)
        _say(f"wrote {output}")
    context.exit(130 if result.stopped == "interrupted" else 0)


def _say(words: str) -> None:
    click.echo(words, err=True)


class Live:
    """While it runs, on a terminal: the table so far and a bar with the time left."""

    def __init__(self, games: int, minutes: float | None) -> None:
        self.games, self.minutes = games + games % 2, minutes
        self.continued = False
        self.screen: Any = None
        self.shown = 0.0
        self.started = time.monotonic()

    def __enter__(self) -> Live:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live as Screen
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            columns = [BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), TimeRemainingColumn()]
            self.bar = Progress(*columns)
            self.bar.add_task("preparing", total=None)
            self.screen = Screen(self.bar, console=Console(stderr=True), transient=True, refresh_per_second=8)
            self.screen.start()
        return self

    def preparing(self, done: int, total: int) -> None:
        """So many searches are compiled."""
        if self.screen is not None:
            self.bar.update(
                self.bar.task_ids[0], completed=done, total=total, description=f"{done} of {total} searches ready"
            )

    def continuing(self, run: int, games: int) -> None:
        """A run goes on that has so many games."""
        self.continued = True
        words = f"continuing run {run}: {games:,} games played so far"
        if self.screen is None:
            _say(words)
        else:
            self.screen.console.print(words, highlight=False)
            self.bar.update(self.bar.task_ids[0], completed=games, total=self.games, description="")

    def show(self, ranking: Ranking) -> None:
        """A pair was played."""
        now = time.monotonic()
        if self.screen is None or now - self.shown < 0.25:
            return
        from rich.console import Group
        from rich.text import Text

        if not self.shown:
            self.bar.reset(self.bar.task_ids[0])  # else the time left would follow from how fast searches were compiled
        self.shown = now
        words = f"{ranking.games:,} games, at most {self.games:,}; the best known with {100 * ranking.sureness:.1f} %"
        self.bar.update(self.bar.task_ids[0], completed=ranking.games, total=self.games, description=words)
        lines = standings(ranking, self.screen.console.width)
        self.screen.update(Group(Text("\n".join(lines), no_wrap=True), self.bar))

    def __exit__(self, *_: Any) -> None:
        if self.screen is not None:
            self.screen.stop()


def _print(ranking: Ranking, db: str) -> None:
    click.echo(text(ranking, screen_width(), best=lambda line: click.style(line, bold=True)))
    if ranking.run is not None:
        click.echo(common.where_kept(ranking.run, db))


COMMANDS = (rank,)
