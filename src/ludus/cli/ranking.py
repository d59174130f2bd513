"""`ludus rank`: which search should this game use, at this budget, and how sure is that?"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ludus
from ludus.cli import common
from ludus.cli.searching import budget_option
from ludus.core.budget import Budget
from ludus.core.spec import parse_arguments

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking


@click.command()
@click.argument("game")
@click.argument("specs", metavar="[SPEC]...", nargs=-1)
@common.options(
    budget_option,
    click.option(
        "--games", type=click.IntRange(1), default=2000, show_default=True, help="The most, over all pairings."
    ),
    click.option("--minutes", type=click.FloatRange(0, min_open=True), help="The most that it may take."),
    click.option(
        "-o", "--output", metavar="FILE", help="Write the report as one page, .html, or the ratings as a picture."
    ),
    click.option("--new", is_flag=True, help="Start over, even if such a run is in the database."),
    common.openings_option,
    common.move_limit_option,
    common.json_option,
    common.seed_option,
    common.workers_option,
    common.dask_option,
    common.db_option,
    common.compile_option,
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
        common.check_file(output, ("html", *common.PICTURES), "report")
    with Live(rest["games"], rest["minutes"]) as live:
        result = ludus.rank(made, *specs, budget=budget, progress=live.show, preparing=live.preparing, **rest)
    if output is not None:
        from ludus.pictures.report import html, ratings_figure

        if output.endswith(".html"):
            Path(output).write_text(html(result), encoding="utf-8")
        else:
            ratings_figure(result).savefig(output, dpi=150)
    if as_json:
        common.print_json(result.to_dict())
    else:
        _print(result, rest["db"])
    context.exit(130 if result.stopped == "interrupted" else 0)


class Live:
    """While it runs, on a terminal: the table so far and a bar with the time left."""

    def __init__(self, games: int, minutes: float | None) -> None:
        self.games, self.minutes = games + games % 2, minutes
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

    def show(self, ranking: Ranking) -> None:
        """A pair was played."""
        now = time.monotonic()
        if self.screen is None or now - self.shown < 0.25:
            return
        from rich.console import Group

        self.shown = now
        words = f"{ranking.games:,} games, at most {self.games:,}; the best known with {100 * ranking.sureness:.1f} %"
        self.bar.update(self.bar.task_ids[0], completed=ranking.games, total=self.games, description=words)
        self.screen.update(Group(table(ranking), self.bar))

    def __exit__(self, *_: Any) -> None:
        if self.screen is not None:
            self.screen.stop()


def table(ranking: Ranking) -> Any:
    """The standings."""
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, pad_edge=False)
    made.add_column("")
    made.add_column("player", overflow="fold")
    for column in ("Elo", "95 %", "games", "score", "+", "=", "-", "LOS", "nodes", "budget", "µs"):
        made.add_column(column, justify="right")
    names = ranking.short_names
    for place, row in enumerate(ranking.standings):
        rating = row.rating
        cells = [
            str(place + 1),
            names[row.number] + (f" ({row.faults} forfeited)" if row.faults else ""),
            f"{rating.value:+.0f}",
            f"{rating.low:+.0f} … {rating.high:+.0f}",
            str(row.games),
            f"{100 * row.score:.1f} %" if row.games else "",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            "" if row.superiority is None else f"{100 * row.superiority:.1f} %",
            f"{row.effort.nodes:,.0f}",
            "" if row.budget_used is None else f"{100 * row.budget_used:.0f} %",
            f"{row.effort.microseconds:,.0f}",
        ]
        made.add_row(*map(Text, cells), style="bold" if place == 0 else "")
    return made


def matrix(ranking: Ranking) -> Any:
    """Each against each: the row's share of the points."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    made.add_column("score, %")
    order, names = ranking.order, ranking.short_names
    for place in range(len(order)):
        made.add_column(str(place + 1), justify="right")
    for place, i in enumerate(order):
        cells = []
        for j in order:
            wins, draws, losses = ranking.record_against(i, j)
            games = wins + draws + losses
            cells.append(f"{100 * (wins + draws / 2) / games:.0f}" if games else "·")
        made.add_row(f"{place + 1} {names[i]}", *cells)
    return made


def _print(ranking: Ranking, db: str) -> None:
    console = common.console()
    shared = ranking.in_common
    shared = f", all with {shared}" if shared else ""
    click.echo(f"{ranking.game}: {ranking.games:,} games in pairs{shared}, seed {ranking.seed}\n")
    console.print(table(ranking))
    click.echo("")
    console.print(matrix(ranking))
    click.echo(f"\n{ranking.verdict()}")
    click.echo(f"Stopped: {ranking.why_stopped}.")
    first = ranking.ratings.first_move
    click.echo(f"Moving first is worth {first.value:+.0f} Elo ({first.low:+.0f} … {first.high:+.0f}).")
    for (who, why), count in ranking.faults.items():
        click.echo(f"{count} game{'s' if count > 1 else ''} forfeited by {who}: {why}")
    for who, why in ranking.excluded.items():
        click.echo(f"Left out: {who}: {why}")
    if ranking.run is not None:
        click.echo(common.where_kept(ranking.run, db))


COMMANDS = (rank,)
