"""`ludus sweep`: every game at every budget, one table, and curves of strength against budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ludus.arena.settings import RankSettings, SweepOptions
from ludus.arena.stats.verdict import EQUAL, FARTHEST
from ludus.arena.sweep import hold_sweep
from ludus.cli import common, values
from ludus.common.errors import LudusError
from ludus.common.texttable import screen_width
from ludus.pictures.files import REPORTS, check_file
from ludus.terminal.calibrating import telling
from ludus.terminal.progress import Progress

if TYPE_CHECKING:
    from ludus.arena.sweep_result import Cell


@click.command()
@click.argument("games", metavar="GAME...", nargs=-1, required=True)
@common.options(
    click.option("--budget", "budgets", multiple=True, metavar="BUDGET", help="Such as nodes=500; give several."),
    click.option(
        "--player", "players", multiple=True, metavar="SPEC", help="Who takes part; by default all contenders."
    ),
    click.option(
        "--games", "most", type=common.Whole(1), default=2000, show_default=True, help="The most in each cell."
    ),
    click.option(
        "--equal",
        type=common.Within(0, FARTHEST),
        default=EQUAL,
        show_default=True,
        help="Players no farther apart, in Elo, are not told apart; 0: nobody is called equal.",
    ),
    click.option("--round-robin", is_flag=True, help="In each cell everyone meets everyone equally often."),
    common.output_option,
    click.option("--new", is_flag=True, help="Start over, even if such runs are in the database."),
    click.option("--all", is_flag=True, help="Every search takes part, beside the players named."),
    click.option("--family", help="Every search of a family takes part: full-width, best-first or sampling."),
    common.openings_option,
    *common.arena_options,
)
@click.pass_context
def sweep(
    context: click.Context,
    games: tuple[str, ...],
    budgets: tuple[str, ...],
    players: tuple[str, ...],
    most: int,
    output: str | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Rank players on every GAME at every --budget: one table, curves, and who overtakes whom.

    Each cell, a game at a budget, is the run that `ludus rank` makes of it, and is kept as such: the same command goes
    on where the last one stopped.
    """
    if not budgets:
        raise LudusError("a sweep needs `budget`, once or several times, such as `budget=nodes=500`.")
    if output is not None:
        check_file(output, REPORTS, "report")
    cells = len(games) * len(budgets)
    with Progress(cells, patience=0.0) as bar:
        bar.update(0, "preparing")

        def progress(done: int, cell: Cell) -> None:
            where = f"{cell.game} at {cell.budget}: {cell.ranking.games:,} games"
            bar.update(done, f"{done} of {cells} cells done; {where}")

        settings = values.read(RankSettings, rest, games=most)
        options = values.read(SweepOptions, rest, progress=progress, calibrating=telling(bar))
        result = hold_sweep(games, budgets, players, settings, options)
    if as_json:
        common.print_json(result.to_dict())
    else:
        click.echo(common.with_flags(result.text(screen_width())))
        runs = sorted(cell.ranking.run or 0 for cell in result.cells)
        click.echo(f"Runs {', '.join(map(str, runs))} in {rest['db']}.")
    if output is not None:
        result.save(output)
        click.echo(f"wrote {output}", err=True)
    context.exit(130 if result.interrupted else 0)


COMMANDS = (sweep,)
