"""`ludus play`: a person against a player, or players against each other, in the terminal."""

from __future__ import annotations

import click

from ludus.cli import common
from ludus.terminal.playing import PERSON, prepare


@click.command()
@click.argument("game")
@click.option("--first", default=PERSON, show_default=True, help="Who moves first: person, or a SPEC.")
@click.option(
    "--second",
    default="",
    help="Who moves second: person, a SPEC, or best, the winner of the last ranking of GAME.  [default: alphabeta, or "
    "another search if that cannot play GAME at this budget]",
)
@click.option(
    "--budget", help="For a SPEC that names none.  [default: nodes=2000; more for a game without an evaluator]"
)
@common.options(common.state_option, common.json_option, common.seed_option, common.db_option, common.compile_option)
@click.pass_context
def play(
    context: click.Context,
    game: str,
    first: str,
    second: str,
    state_text: str | None,
    budget: str | None,
    as_json: bool,
    seed: int,
    db: str,
    compiled: bool | None,
) -> None:
    """Play in the terminal: a person against a search, two people, or two searches."""
    conducted = prepare(game, (first, second), state_text, budget, seed, compiled, db)
    conducted.as_json = as_json
    common.warn_of_turns(conducted.position.game)
    try:
        status = conducted.play()
    except KeyboardInterrupt:
        conducted.say("")
        status = 130
    if as_json:
        common.print_json(conducted.to_dict())
    context.exit(status)


COMMANDS = (play,)
