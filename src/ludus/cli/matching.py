"""`ludus match`: two players, games in pairs with sides swapped."""

from __future__ import annotations

import click

import ludus
from ludus.arena.match import MatchResult
from ludus.cli import common
from ludus.cli.searching import budget_option, player_maker

games_option = click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Rounded up to even."
)


@click.command()
@click.argument("game")
@click.argument("first")
@click.argument("second")
@common.options(
    games_option,
    common.openings_option,
    budget_option,
    common.json_option,
    common.seed_option,
    common.workers_option,
    common.compile_option,
)
@click.pass_context
def match(
    context: click.Context,
    game: str,
    first: str,
    second: str,
    games: int,
    plies: int,
    budget_text: str,
    as_json: bool,
    seed: int,
    workers: int | None,
    compiled: bool | None,
) -> None:
    """Play FIRST against SECOND, in pairs from the same random opening with sides swapped."""
    made = ludus.game(game)
    make_player = player_maker(budget_text, compiled)
    players = [make_player(s) for s in (first, second)]
    with common.Progress(games + games % 2) as bar:

        def progress(result: MatchResult) -> None:
            bar.update(result.games, _score(result))

        result = ludus.match(made, *players, games=games, plies=plies, seed=seed, workers=workers, progress=progress)
    if as_json:
        common.print_json(result.to_dict())
    else:
        _print(result)
    context.exit(130 if result.interrupted else 0)


def _score(result: MatchResult) -> str:
    estimate = result.elo
    margin = (estimate.high - estimate.low) / 2
    wins, losses = result.wins
    return f"{wins}-{losses}-{result.draws}, Elo {estimate.value:+.0f} ± {margin:.0f}, LOS {100 * result.los:.1f} %"


def _print(result: MatchResult) -> None:
    estimate, (first, second) = result.elo, result.players
    click.echo(f"{result.game}: {result.games} games in pairs, seed {result.seed}")
    click.echo(f"  {first}\n  {second}")
    wins, losses = result.wins
    points, others = result.points
    click.echo(f"score       {points:g} - {others:g}  ({wins} won, {losses} lost, {result.draws} drawn by the first)")
    click.echo(f"Elo         {estimate.value:+.1f}, 95 % interval {estimate.low:+.1f} to {estimate.high:+.1f}")
    click.echo(f"LOS         {100 * result.los:.1f} %")
    click.echo(f"pairs       {' '.join(map(str, result.pairs))}  (0, 1/2, 1, 3/2, 2 points of the first)")
    for name, meter, count in zip(("first", "second"), result.effort, result.decisions, strict=True):
        if count:
            each = f"{meter.generated / count:,.0f} nodes, {1e6 * meter.seconds / count:,.0f} µs a move"
            click.echo(f"{name:<11} {each}")
    for (who, why), count in result.faults.items():
        click.echo(f"{count} game{'s' if count > 1 else ''} forfeited by {who}: {why}")
    if result.note:
        click.echo(result.note)


COMMANDS = (match,)
