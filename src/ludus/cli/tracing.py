"""`ludus trace`: a picture of how a best-first search grew its tree, or of how a full-width search walked over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import ludus
from ludus.cli import common
from ludus.cli.searching import budget_option, player_maker
from ludus.common.errors import LudusError
from ludus.common.numbers import counted
from ludus.kernel.records import plain
from ludus.model.playable import PlayableGame
from ludus.model.position import Position
from ludus.pictures.files import PICTURES, check_file
from ludus.runtime.player import Player
from ludus.runtime.trace import trace as make_trace
from ludus.terminal.calibrating import able


@click.command()
@click.argument("game")
@click.argument("spec")
@click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False, writable=True), help="A PNG, PDF or SVG."
)
@click.option("--most", type=common.Whole(1), default=300, show_default=True, help="Expansions, or nodes, at most.")
@common.options(common.state_option, budget_option, common.json_option, common.seed_option, common.one_worker_option)
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
    compiled: bool | None,
) -> None:
    """Draw how the tree grew: subtree shares, the root's moves, depth shares; a row for each expansion.

    Of a full-width search, such as "alphabeta(depth=3)": the tree that it walked over, with values, windows and cuts.
    """
    made = ludus.game(game)
    make_player = player_maker(budget_text, compiled)
    position = made.position(state_text)
    check_file(output, PICTURES, "picture")
    player = able(make_player(spec), made)
    traced: Traced = _walked if player.search.walks else _grown
    said, more, stopped = traced(made, player, position, seed, most, output)
    if as_json:
        common.print_json({"game": str(made)} | more | {"file": output, "seed": seed})
    else:
        click.echo(f"{said} drawn in {Path(output)} (seed {seed})")
    context.exit(130 if stopped == "interrupted" else 0)


Traced = Callable[[PlayableGame, Player, Position, int, int, str], tuple[str, dict[str, Any], str]]
"""Draws a search; what it says of it, in words and as JSON, and why the search stopped."""


def _grown(game: PlayableGame, player: Player, position: Position, seed: int, most: int, output: str) -> Any:
    from ludus.pictures.trace import draw_trace

    found = make_trace(game, player, position, seed=seed, most=most)
    with _writing(output):
        draw_trace(found, output)
    rows = [
        {
            "descended": found.moves[row.descended] if row.descended >= 0 else None,
            "values": [plain(value) for value in row.values],
            "known": {name: [plain(number) for number in numbers] for name, numbers in row.more.items()},
        }
        for row in found.rows
    ]
    many = counted(found.expansions, "expansion")
    more = {"player": found.player, "expansions": found.expansions, "stopped": found.stopped}
    return f"{found.player}: {many}", more | {"moves": found.moves, "rows": rows}, found.stopped


def _walked(game: PlayableGame, player: Player, position: Position, seed: int, most: int, output: str) -> Any:
    from ludus.pictures.trees import draw_walk
    from ludus.runtime.walk import walk

    found = walk(game, player, position, seed=seed, most=most)
    with _writing(output):
        draw_walk(found, output)
    first = "the first " if found.stopped == "most" else ""
    many = f"{first}{len(found.root)} nodes of the last pass, {found.depth} plies deep,"
    more = {"player": found.player, "nodes": len(found.root), "depth": found.depth, "stopped": found.stopped}
    return f"{found.player}: {many}", more | {"root": found.root.to_dict()}, found.stopped


@contextmanager
def _writing(output: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LudusError(f"{output!r} cannot be written: {error.strerror or error}.") from error


COMMANDS = (trace,)
