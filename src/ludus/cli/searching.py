"""`ludus search`: one search from one position."""

from __future__ import annotations

import math
from collections.abc import Callable

import click

import ludus
from ludus.cli import common
from ludus.common.errors import listed
from ludus.common.numbers import counted
from ludus.common.texttable import lay_out, screen_width
from ludus.model.budget import DEFAULT_BUDGET, Budget
from ludus.model.result import Result, Share
from ludus.runtime.player import Player
from ludus.runtime.session import Session
from ludus.terminal.calibrating import able
from ludus.terminal.progress import Progress, announce

budget_option = click.option(
    "--budget", "budget_text", default=str(DEFAULT_BUDGET), show_default=True, help="For a SPEC that names none."
)


def player_maker(budget_text: str, compiled: bool | None) -> Callable[[str], Player]:
    """A function that makes a player of a spec; one that names no budget gets this one."""
    default = Budget.of(budget_text)
    return lambda spec: ludus.player(spec, default, compiled=compiled, announce=announce)


@click.command()
@click.argument("game")
@click.argument("spec")
@common.options(
    common.state_option,
    budget_option,
    common.json_option,
    common.seed_option,
    common.one_worker_option,
    common.compile_option,
)
@click.pass_context
def search(
    context: click.Context,
    game: str,
    spec: str,
    state_text: str | None,
    budget_text: str,
    as_json: bool,
    seed: int,
    compiled: bool | None,
) -> None:
    """Search one position: the move, its value, the principal line, the cost, and all moves compared."""
    made = ludus.game(game)
    common.warn_of_turns(made)
    make_player = player_maker(budget_text, compiled)
    position = made.position(state_text)
    player = able(make_player(spec), made)
    with Progress(player.budget.nodes or player.budget.seconds) as bar:

        def progress(session: Session) -> None:
            done = session.generated
            bar.update(done if player.budget.nodes else session.elapsed, f"{common.count(done)} nodes")

        result = player.choose(made, position, seed=seed, progress=progress)
    name = str(player.on(made))
    if as_json:
        common.print_json({"game": str(made), "player": name} | result.to_dict() | {"seed": seed})
    else:
        _print(name, result, seed)
        if player.search.threads > 1:
            common.say(f"threads  {common.of_threads(player.search.threads, player.session(made).team.threads)}")
    context.exit(130 if result.stopped == "interrupted" else 0)


def _print(name: str, result: Result, seed: int) -> None:
    board = result.game.render(result.state)
    if board != result.game.state_text(result.state):
        click.echo(f"{board}\n")
    common.say(f"{name} plays {result.move_name}, value {result.chosen.say(result.words)} (seed {seed})")
    common.say(f"line     {listed(result.line_names, ' ')}")
    meter = result.meter
    common.say(
        f"stopped  {result.stopped}: {counted(meter.generated, 'node')} generated, {common.count(meter.evaluated)} "
        f"evaluated, {common.count(meter.expanded)} expanded, {counted(meter.traversed, 'pointer')} traversed, "
        f"{meter.seconds:.3f} s"
    )
    if result.statistics:
        common.say(f"search   {', '.join(f'{name} {_said(found)}' for name, found in result.statistics.items())}")
    _print_moves(result)


def _said(found: float) -> str:
    if isinstance(found, int):
        return common.count(found)
    return str(found) if isinstance(found, Share) else "never" if found == math.inf else f"{found:.4g}"


def _print_moves(result: Result) -> None:
    """The root's moves, best first, with what is known of each."""
    heads, *rows = lay_out(result.table, screen_width())
    click.echo(heads)
    for child, row in zip(result.shown, rows, strict=True):
        click.echo(click.style(row, bold=True) if child.move == result.move else row)
    if result.unseen:
        click.echo(f"{result.unseen}; --json has them all")


COMMANDS = (search,)
