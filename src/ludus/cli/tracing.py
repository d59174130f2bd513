"""`ludus trace`: a picture of how a best-first search grew its tree."""

from __future__ import annotations

from pathlib import Path

import click

import ludus
from ludus.cli import common
from ludus.cli.searching import budget_option, player_maker
from ludus.core.errors import LudusError
from ludus.core.trace import trace as make_trace
from ludus.pictures.files import PICTURES, check_file


@click.command()
@click.argument("game")
@click.argument("spec")
@click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False, writable=True), help="A PNG, PDF or SVG."
)
@click.option("--most", type=common.Whole(1), default=300, show_default=True, help="Expansions to draw, at most.")
@common.options(common.state_option, budget_option, common.json_option, common.seed_option, common.workers_option)
@common.compile_option
@click.pass_context
def trace(
    context: click.Context,
    game: str,
    spec: str,
    output: str,
    most: int,
    state_text: str | None,
    budget_text: str,
    as_json: bool,
    seed: int,
    workers: int | None,
    compiled: bool | None,
) -> None:
    """Draw how the tree grew: subtree shares, the root's moves, depth shares; a row for each expansion."""
    from ludus.pictures.trace import draw_trace

    made = ludus.game(game)
    make_player = player_maker(budget_text, compiled)
    player = make_player(spec)
    position = made.position(state_text)
    check_file(output, PICTURES, "picture")
    found = make_trace(made, player, position, seed=seed, most=most)
    try:
        draw_trace(found, output)
    except OSError as error:
        raise LudusError(f"{output!r} cannot be written: {error.strerror or error}.") from error
    if as_json:
        rows = [{"descended": found.moves[r.descended] if r.descended >= 0 else None} for r in found.rows]
        common.print_json(
            {
                "game": str(made),
                "player": found.player,
                "expansions": found.expansions,
                "rows": rows,
                "file": output,
                "seed": seed,
            }
        )
    else:
        many = f"{found.expansions} expansion{'' if found.expansions == 1 else 's'}"
        click.echo(f"{found.player}: {many} drawn in {Path(output)} (seed {seed})")
    context.exit(130 if found.stopped == "interrupted" else 0)


COMMANDS = (trace,)
