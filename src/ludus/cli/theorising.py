"""`ludus theory`: theorems beside simulation."""

from __future__ import annotations

import click

import ludus
from ludus.cli import common
from ludus.common.texttable import screen_width
from ludus.pictures.files import PICTURES, check_file
from ludus.terminal.progress import Progress


@click.command()
@click.argument("part", required=False)
@common.options(
    click.option(
        "--trials",
        type=common.Whole(100),
        default=20_000,
        show_default=True,
        help="Random trees or boards, about.",
    ),
    click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Draw: a page, .html; one PART as a picture, .svg, .png, .pdf; or all of them into a folder.",
    ),
    common.json_option,
    common.seed_option,
    common.one_worker_option,
)
def theory(part: str | None, trials: int, output: str | None, as_json: bool, seed: int) -> None:
    """Theorems about game trees, as printed and as derived, each beside a simulation.

    PART is convergence, last-player, quantiles, traps or errors; without it, all of them. One process does it.
    """
    from ludus.theorems.theory import is_folder

    if output is not None and not is_folder(output):
        check_file(output, ("html", *PICTURES), "report")
    with Progress(1.0) as bar:
        found = ludus.theory(part, trials=trials, seed=seed, progress=bar.update)
    if as_json:
        common.print_json(found.to_dict())
    else:
        click.echo(found.text(screen_width()))
    if output is not None:
        found.save(output)
        click.echo(f"wrote {output}", err=True)


COMMANDS = (theory,)
