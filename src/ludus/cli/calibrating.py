"""`ludus calibrate`: how far an evaluator can be trusted on a game; and the same for commands that need to know it."""

from __future__ import annotations

from typing import Any

import click

import ludus
from ludus.cli import common, values
from ludus.common.texttable import screen_width
from ludus.learning.calibrate import CalibrateSettings, fit_calibration
from ludus.pictures.files import PICTURES, check_file
from ludus.terminal.progress import Progress, announce


@click.command()
@click.argument("game")
@common.options(
    click.option("--eval", "evaluator", metavar="SPEC", help="The evaluator.  [default: the game's own]"),
    click.option(
        "--positions",
        type=common.Whole(1),
        help="How many to sample at most.  [default: 20000; 500 if the game is interpreted]",
    ),
    click.option("--again", is_flag=True, help="Do it again, even if it was saved."),
    click.option("-o", "--output", metavar="FILE", help="Draw errors and reliability: .svg, .png, .pdf."),
    common.json_option,
    common.seed_option,
    common.one_worker_option,
    common.compile_option,
)
def calibrate(
    game: str,
    evaluator: str | None,
    output: str | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Fit what an evaluator's values mean on GAME: errors, the probability of winning, intervals, ProbCut's lines.

    It is saved, and used by every search that needs it. One process does it.
    """
    made = ludus.game(game)
    if output is not None:
        check_file(output, PICTURES, "picture")
    settings = values.read(CalibrateSettings, rest)
    with Progress(1.0) as bar:
        found = fit_calibration(made, evaluator, settings, bar.update, announce)
    if found.was_saved:
        click.echo("it was saved before; nothing was fitted (--again does)", err=True)
    if as_json:
        common.print_json(found.to_dict())
    else:
        common.say(found.text(screen_width()))
    if output is not None:
        found.save(output)
        click.echo(f"wrote {output}", err=True)


COMMANDS = (calibrate,)
