"""`ludus analyse`: what an inventor wants to know of a game."""

from __future__ import annotations

from typing import Any

import click

import ludus
from ludus.cli import common, values
from ludus.common.texttable import screen_width
from ludus.diagnostics.analyse.analyse import GAMES, GOOD, SLOW_GAMES, SLOW_GOOD, analyse_game
from ludus.diagnostics.analyse.settings import AnalyseSettings
from ludus.pictures.files import PICTURES, check_file
from ludus.terminal.progress import Progress, announce


@click.command()
@click.argument("game")
@common.options(
    click.option(
        "--games",
        type=common.Whole(1),
        help=f"Random games.  [default: {GAMES}; {SLOW_GAMES} if the game is interpreted]",
    ),
    click.option(
        "--good",
        type=common.Whole(0),
        help=f"Games of good play, at each strength; 0: none.  [default: {GOOD}; {SLOW_GOOD} if interpreted]",
    ),
    click.option(
        "--player", metavar="SPEC", default="uct", show_default=True, help="Who plays well; without a budget."
    ),
    click.option(
        "--openings", type=common.Whole(0), default=0, show_default=True, help="Random plies before good play."
    ),
    click.option("--minutes", type=common.Positive(), help="Stop after so long, with what there is."),
    click.option("-o", "--output", metavar="FILE", help="Write a page, .html; or the pictures, .svg, .png, .pdf."),
    common.json_option,
    common.seed_option,
    common.workers_option,
    common.compile_option,
)
@click.pass_context
def analyse(context: click.Context, game: str, output: str | None, as_json: bool, **rest: Any) -> None:
    """Who wins, how long games last, how many moves there are, whether a better player wins, how large the game is.

    From random games, and from games of a search against itself with more and more nodes. The same seed gives the same
    result with any number of workers.
    """
    made = ludus.game(game)
    if output is not None:
        check_file(output, ("html", *PICTURES), "report")
    settings = values.read(AnalyseSettings, rest)
    with Progress(1.0, patience=0.5) as bar:
        found = analyse_game(made, settings, bar.update, announce)
    if as_json:
        common.print_json(found.to_dict())
    else:
        click.echo(common.with_flags(found.text(screen_width())))
    if output is not None:
        found.save(output)
        click.echo(f"wrote {output}", err=True)
    context.exit(130 if found.stopped == "interrupted" else 0)


COMMANDS = (analyse,)
