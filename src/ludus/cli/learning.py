"""`ludus learn`: an evaluator from the rules alone, or from the features that a game declares."""

from __future__ import annotations

from typing import Any

import click

from ludus.cli import common, values
from ludus.common.errors import LudusError
from ludus.common.texttable import screen_width
from ludus.learning.learn import learn_evaluator, show_saved
from ludus.learning.lesson import LearnSettings
from ludus.pictures.files import PICTURES, check_file
from ludus.terminal.progress import Progress, announce


@click.command()
@click.argument("game", required=False)
@common.options(
    click.option("--method", metavar="M", help="td, regression or logistic.  [default: td]"),
    click.option("--name", metavar="N", help="Saved as learned/N, or in a file.json.  [default: the game's name]"),
    click.option("--show", metavar="N", help="Print what was saved as learned/N, and learn nothing."),
    click.option("--target", default="outcome", show_default=True, metavar="T", help="outcome, margin or win."),
    click.option("--features", metavar="KIND", help="The kind of features.  [default: the best that the game has]"),
    click.option("--positions", type=common.Whole(1), help="regression: positions.  [default: 20000]"),
    click.option("--games", type=common.Whole(1), help="logistic, td: games of self-play.  [default: 10000]"),
    click.option(
        "--depths", default="middle", show_default=True, metavar="D", help="regression: middle or uniform random moves."
    ),
    click.option("--deepest", type=common.Whole(1), help="The most random moves.  [default: a typical game's]"),
    click.option(
        "--playouts", default="32", show_default=True, metavar="N", help="Random games a position; weak, strong."
    ),
    click.option("--stages", type=common.Whole(1), help="Sets of weights, by rule phase.  [default: td 3, else 1]"),
    click.option("--sides", type=common.Whole(1), help="2: patterns by who is to move.  [default: 1]"),
    click.option("--select", is_flag=True, help="Choose among the features: a sparse fit."),
    click.option(
        "--order",
        type=common.Whole(0),
        default=0,
        show_default=True,
        help="regression: play anew by what was found.",
    ),
    click.option("--rate", type=common.Positive(), help="td: of learning.  [default: 0.1, patterns 0.5]"),
    click.option("--lambda", "trace", type=common.Within(0, 1), default=0.7, show_default=True, help="td: lambda."),
    click.option(
        "--average", type=common.Within(0, 1), metavar="X", help="td: mean weights of this last part.  [default: 0]"
    ),
    click.option("--again", is_flag=True, help="Do it again, even if it was saved."),
    click.option("-o", "--output", metavar="FILE", help="Draw predicted against observed: .svg, .png, .pdf."),
    common.json_option,
    common.seed_option,
    common.workers_option,
    common.compile_option,
)
def learn(
    game: str | None,
    name: str | None,
    method: str | None,
    show: str | None,
    again: bool,
    output: str | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Learn an evaluator for GAME, save it, and use it in every command as eval=learned/NAME.

    Features are what GAME declares, or follow from its boards. The same command finds what was saved; one that was
    interrupted goes on where it was.
    """
    if output is not None:
        check_file(output, PICTURES, "picture")
    playouts = rest.pop("playouts")
    playouts = int(playouts) if playouts.isdecimal() else playouts
    if show is not None:
        found = show_saved(show)
    elif game is None:
        raise LudusError("ludus learn takes a game, or --show and the name of what was learnt.")
    else:
        settings = values.read(LearnSettings, rest, playouts=playouts, method=method or LearnSettings.method)
        try:
            with Progress(1.0) as bar:
                found = learn_evaluator(game, name, settings, again, bar.update, announce)
        except KeyboardInterrupt as stop:
            without = ", without --again," if again else ""
            words = f"interrupted; the same command{without} goes on where it was."
            raise KeyboardInterrupt(str(stop) or words) from None
        if found.was_saved:
            click.echo("it was saved before; nothing was learnt (--again does)", err=True)
    if as_json:
        common.print_json(found.to_dict())
    else:
        common.say(found.text(screen_width()))
    if output is not None:
        found.save(output)
        click.echo(f"wrote {output}", err=True)


COMMANDS = (learn,)
