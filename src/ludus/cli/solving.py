"""`ludus solve`: the exact result of a position."""

from __future__ import annotations

from typing import Any

import click

import ludus
from ludus.cli import common, values
from ludus.diagnostics.solve.settings import SolveSettings
from ludus.diagnostics.solve.solve import solve_position
from ludus.terminal.progress import Progress, announce


@click.command()
@click.argument("game")
@click.option("--goal", type=click.Choice(["score", "result"]), default="score", show_default=True, help="How exact.")
@click.option("--budget", help="Stop after so much, nodes=1000000 say; by default when it is solved.")
@click.option("--minutes", type=common.Positive(), help="Stop after so long.")
@click.option(
    "--whole",
    type=common.Whole(0),
    default=10_000,
    show_default=True,
    help="Tell more of a game of at most this many positions; 0: never.",
)
@click.option("--table", type=common.Positive(), default=128.0, show_default=True, help="Megabytes for the table.")
@click.option("--threads", type=common.Whole(1, 256), default=1, show_default=True, help="Processors to use.")
@common.options(
    common.state_option,
    common.json_option,
    common.seed_option,
    common.one_worker_option,
    common.compile_option,
)
@click.pass_context
def solve(
    context: click.Context,
    game: str,
    state_text: str | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """The exact result under best play: value, move and line, for games that are small enough.

    Of a game with few positions also: a shortest line, in which the winner hastens and the loser delays, how many
    positions there are, and how often along the line only one move was right.
    """
    made = ludus.game(game)
    position = made.position(state_text)
    settings = values.read(SolveSettings, rest)
    with Progress() as bar:
        found = solve_position(position, None, settings, bar.update, announce)
    if as_json:
        common.print_json(found.to_dict())
    else:
        board = made.render(position.state)
        if board != made.state_text(position.state):
            click.echo(f"{board}\n")
        common.say(common.with_flags(str(found)))
        if settings.threads > 1:
            common.say(f"threads  {common.of_threads(settings.threads, found.threads)}")
    context.exit(130 if found.stopped == "interrupted" else 0)


COMMANDS = (solve,)
