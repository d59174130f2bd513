"""`ludus check`, `ludus perft`, `ludus show`: a game and its positions."""

from __future__ import annotations

import time

import click

import ludus
from ludus.cli import common
from ludus.common.errors import listed
from ludus.common.texttable import number
from ludus.kernel.limits import GENERATED
from ludus.kernel.records import plain
from ludus.library.evaluators.learned import learned
from ludus.model import registry
from ludus.model.evaluator import Evaluator
from ludus.model.position import Position
from ludus.model.watchdog import TooLong, at_most
from ludus.runtime.runner import Runner
from ludus.terminal.progress import Progress, announce


@click.command()
@click.argument("game")
@click.option("--games", type=common.Whole(1), default=2000, show_default=True, help="How many random games.")
@click.option("--seconds", type=common.Positive(), default=3.0, show_default=True, help="At most.")
@common.options(common.json_option, common.seed_option, common.one_worker_option, common.compile_option)
@click.pass_context
def check(
    context: click.Context,
    game: str,
    games: int,
    seconds: float,
    as_json: bool,
    seed: int,
    compiled: bool | None,
) -> None:
    """Is this game right? Plays thousands of random games and names every fault, with the rule and the position."""
    made, started = ludus.game(game), time.monotonic()
    with Progress(seconds) as bar:
        report = ludus.check(
            made,
            games=games,
            seconds=seconds,
            seed=seed,
            compiled=compiled,
            announce=announce,
            progress=lambda report: bar.update(time.monotonic() - started, f"{report.games} games"),
        )
    if as_json:
        common.print_json(report.to_dict())
    else:
        common.say(common.with_flags(str(report)))
    context.exit(130 if report.interrupted else 0 if report.passed else 1)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("game")
@click.argument("depth", type=common.Whole(0))
@common.options(common.state_option, common.json_option, common.one_worker_option, common.compile_option)
@click.pass_context
def perft(
    context: click.Context,
    game: str,
    depth: int,
    state_text: str | None,
    as_json: bool,
    compiled: bool | None,
) -> None:
    """Count the positions exactly DEPTH plies from the start, playing every move."""
    made = ludus.game(game)
    position = made.position(state_text)
    started = time.monotonic()
    with Progress() as bar:

        def progress(work: Runner) -> None:
            done = int(work.meter[GENERATED])
            bar.update(done, f"{common.count(done / (time.monotonic() - started))} positions/s")

        found = ludus.perft(made, depth, position, compiled=compiled, announce=announce, progress=progress)
    if as_json:
        answer = {"game": str(made), "depth": depth, "leaves": found.leaves, "seconds": found.seconds}
        common.print_json(answer | {"complete": found.complete})
    else:
        rate = common.count(found.leaves / found.seconds) if found.seconds > 0 else "?"
        cut = "" if found.complete else " so far (interrupted)"
        click.echo(f"{made}: {common.count(found.leaves)} positions at depth {depth}{cut}")
        click.echo(f"{found.seconds:.3f} s, {rate} positions/s")
    context.exit(0 if found.complete else 130)


PATIENCE = 3.0
"""Seconds for all opinions together; an evaluator that has none by then is shown without."""

AFFORDABLE = 50_000
"""The most nodes that an opinion may cost; an evaluator that may need more is not asked."""


def _opinions(position: Position, judges: list[Evaluator]) -> dict[str, float | None]:
    """What each evaluator thinks of a position, by its name."""
    found: dict[str, float | None] = {}
    deadline = time.monotonic() + PATIENCE
    for judge in judges:
        try:
            with at_most(max(deadline - time.monotonic(), PATIENCE / 10)):
                found[str(judge)] = plain(position.value(judge))
        except TooLong:
            found[str(judge)] = None
    return found


@click.command()
@click.argument("game")
@common.options(common.state_option, common.json_option)
def show(game: str, state_text: str | None, as_json: bool) -> None:
    """Draw a position, its legal moves, and what the evaluators think of it."""
    made = ludus.game(game)
    position = made.position(state_text)
    suited = [cls() for cls in registry.evaluators().classes.values() if not cls.games or made.name in cls.games]
    suited += learned.saved_for(made)
    judges = [registry.default_evaluator(made), *suited] if type(made).evaluator else suited
    asked = [judge for judge in judges if judge.on(made).plays(made) <= AFFORDABLE]
    opinions = _opinions(position, asked)
    if as_json:
        answer = {"game": str(made), "state": position.text, "moves": list(position.moves), "over": position.is_over}
        if position.odds:
            answer["odds"] = position.odds
        all_opinions = {name: opinions.get(name) for name in map(str, judges)}
        answer |= {"score": plain(position.score) if position.is_over else None, "evaluators": all_opinions}
        note = registry.misplaced_opinion(made)
        answer |= {"note": note} if note else {}
        common.print_json(answer)
        return
    click.echo(str(position))
    click.echo()
    rows = {"state": position.text} if str(position) != position.text else {}
    if position.odds:
        rows["chance"] = listed([f"{name} ({odds:.3g})" for name, odds in position.odds.items()], " ")
    elif not position.is_over:
        again = " (the other player moves again)" if made.must_pass(position.state) else ""
        rows[f"{len(position.moves)} move{'s' if len(position.moves) > 1 else ''}"] = (
            listed(position.moves, " ") + again
        )
    rows |= {name: number(value) for name, value in opinions.items()}
    if position.is_over:
        click.echo(f"the game is over: {position.score:+g} to the player to move")
    width = max(map(len, rows))
    for name, words in rows.items():
        common.say(f"{name:<{width}}  {words}")
    if misplaced := registry.misplaced_opinion(made):
        common.say(misplaced)


COMMANDS = (check, perft, show)
