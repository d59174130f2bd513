"""`ludus match`: two players, games in pairs with sides swapped."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

import ludus
from ludus.arena.match import play_match
from ludus.arena.match_result import MatchResult
from ludus.arena.settings import GAMES, MOST, MatchOptions, MatchSettings
from ludus.arena.stats.sprt import Sprt
from ludus.cli import common, values
from ludus.cli.searching import budget_option, player_maker
from ludus.common.errors import LudusError
from ludus.pictures.files import REPORTS, check_file
from ludus.terminal.calibrating import telling
from ludus.terminal.progress import Progress


@click.command()
@click.argument("game")
@click.argument("first")
@click.argument("second")
@common.options(
    click.option(
        "--games",
        type=common.Whole(1),
        help=f"Rounded up to even.  [default: {GAMES}; with --sprt at most {MOST}]",
    ),
    click.option(
        "--sprt",
        "sprt_text",
        metavar="elo0=A,elo1=B",
        help="Stop when it is decided whether the first is A or B Elo better; also alpha=, beta= (0.05).",
    ),
    common.openings_option,
    budget_option,
    common.output_option,
    *common.arena_options,
)
@click.pass_context
def match(
    context: click.Context,
    game: str,
    first: str,
    second: str,
    sprt_text: str | None,
    budget_text: str,
    as_json: bool,
    compiled: bool | None,
    output: str | None,
    **rest: Any,
) -> None:
    """Play FIRST against SECOND, in pairs from the same random opening with sides swapped."""
    sprt = None if sprt_text is None else Sprt.of(sprt_text)
    settings = values.read(MatchSettings, rest, budget=budget_text, compiled=compiled, sprt=sprt)
    made = ludus.game(game)
    common.warn_of_turns(made)
    make_player = player_maker(budget_text, compiled)
    one, other = make_player(first), make_player(second)
    if output is not None:
        check_file(output, REPORTS, "report")
    chosen = context.get_parameter_source("db") is not ParameterSource.DEFAULT
    with Progress(2 * settings.pairs) as bar:

        def progress(result: MatchResult) -> None:
            bar.update(result.games, _score(result))

        not_kept = None if chosen else _not_kept
        told: dict[str, Any] = {"calibrating": telling(bar), "progress": progress, "not_kept": not_kept}
        result = play_match(made, one, other, settings, values.read(MatchOptions, rest, **told))
    if as_json:
        common.print_json(result.to_dict())
    else:
        click.echo(common.with_flags(str(result)))
        if result.run is not None:
            click.echo(common.where_kept(result.run, rest["db"]))
    if output is not None:
        result.save(output)
        click.echo(f"wrote {output}", err=True)
    context.exit(130 if result.interrupted else 0)


def _not_kept(error: LudusError) -> None:
    common.warn(f"the games of this match are not kept: {error}")


def _score(result: MatchResult) -> str:
    estimate = result.elo
    margin = (estimate.high - estimate.low) / 2
    wins, losses = result.wins
    test = f", LLR {result.sprt.llr(result.pairs):.2f}" if result.sprt is not None else ""
    return (
        f"{wins}-{losses}-{result.draws}, Elo {estimate.value:+.0f} ± {margin:.0f}, LOS {100 * result.los:.1f} %{test}"
    )


COMMANDS = (match,)
