"""`ludus solve`: the exact result of a position."""

from __future__ import annotations

import math
from typing import Any

import click

import ludus
from ludus.cli import common
from ludus.cli.progress import Progress, announce
from ludus.core.budget import Budget
from ludus.core.compile.records import plain
from ludus.core.errors import LudusError, listed
from ludus.core.result import Result, number_words, score_words
from ludus.core.search import Session
from ludus.core.whole import whole as whole_game


@click.command()
@click.argument("game")
@click.option("--goal", type=click.Choice(["score", "result"]), default="score", show_default=True, help="How exact.")
@click.option("--budget", "budget_text", help="Stop after so much, nodes=1000000 say; by default when it is solved.")
@click.option("--minutes", type=common.Positive(), help="Stop after so long.")
@click.option(
    "--whole",
    type=common.Whole(0),
    default=10_000,
    show_default=True,
    help="Tell more of a game of at most so many positions; 0: never.",
)
@click.option("--table", type=common.Positive(), default=128.0, show_default=True, help="Megabytes for the table.")
@click.option("--threads", type=common.Whole(1, 256), default=1, show_default=True, help="Processors to use.")
@common.options(
    common.state_option,
    common.json_option,
    common.seed_option,
    common.workers_option,
    common.compile_option,
)
@click.pass_context
def solve(
    context: click.Context,
    game: str,
    goal: str,
    budget_text: str | None,
    minutes: float | None,
    whole: int,
    table: float,
    threads: int,
    state_text: str | None,
    as_json: bool,
    seed: int,
    workers: int | None,
    compiled: bool | None,
) -> None:
    """The exact result under best play: value, move and line, for games that are small enough.

    Of a game with few positions also: a shortest line, in which the winner hastens and the loser delays, how many
    positions there are, and how often along the line only one move was right.
    """
    made = ludus.game(game)
    position = made.position(state_text)
    search = ludus.search("solve", goal=goal, memory_of_table=table, threads=threads)
    budget = _budget(budget_text, minutes)
    player = ludus.Player(search, "zero", budget, compiled=compiled, announce=announce)
    with Progress() as bar:

        def progress(session: Session) -> None:
            done, at = session.generated, session.tree.record.register[0]
            bar.update(done, f"{common.count(done)} nodes, {_interval(float(at.low) + 0.0, float(at.high) + 0.0)}")

        result = player.choose(made, position, seed=seed, progress=progress)
    at = player.session(made).tree.record.register[0]
    low, high = float(at.low) + 0.0, float(at.high) + 0.0
    answer = _answer(str(made), result, low, high) | {"seed": seed}
    if answer["solved"]:
        answer |= _more(result, budget, goal, whole)
    if as_json:
        common.print_json(answer)
    else:
        _print(answer, result)
        if threads > 1:
            common.say(f"threads  {common.of_threads(player.session(made))}")
    context.exit(130 if answer["stopped"] == "interrupted" else 0)


def _budget(text: str | None, minutes: float | None) -> Budget:
    """The budget that the options give; without them it is unlimited."""
    if text is not None and minutes is not None:
        raise LudusError("give either --budget or --minutes, not both.")
    if minutes is not None:
        return Budget(seconds=60 * minutes)
    return Budget() if text is None else Budget.of(text)


def _interval(low: float, high: float) -> str:
    """What is known of the value so far, in words."""
    if low >= high:
        return f"value {number_words(low)}"
    if math.isinf(low) and math.isinf(high):
        return "value unknown"
    if math.isinf(high):
        return f"value at least {number_words(low)}"
    if math.isinf(low):
        return f"value at most {number_words(high)}"
    return f"value between {number_words(low)} and {number_words(high)}"


def _answer(game: str, result: Result, low: float, high: float) -> dict[str, Any]:
    """The answer as JSON; `low` and `high` bound a value that is not known."""
    solved = low >= high
    return {
        "game": game,
        "value": low if solved else None,
        "low": plain(low),
        "high": plain(high),
        "move": result.move_name,
        "line": result.line_names,
        "nodes": result.meter.generated,
        "positions": result.meter.expanded,
        "seconds": result.meter.seconds,
        "solved": solved,
        "stopped": result.stopped,
        "shortest": False,
        "reachable": None,
        "choices": None,
        "single": None,
    }


def _more(result: Result, budget: Budget, goal: str, most: int) -> dict[str, Any]:
    """What can be told of a game whose positions are few, within what is left of the budget."""
    nodes = math.inf if budget.nodes is None else budget.nodes - result.meter.generated
    seconds = math.inf if budget.seconds is None else budget.seconds - result.meter.seconds
    sign = goal == "result"
    try:
        found = whole_game(result.game, result.state, only_result=sign, positions=most, nodes=nodes, seconds=seconds)
    except KeyboardInterrupt:
        return {"stopped": "interrupted"}
    if found is None:
        return {}
    shortest = found.shortest_line()
    line = shortest or result.line
    choices, single = found.choices(line)
    more = {"shortest": bool(shortest), "reachable": len(found), "choices": choices, "single": single}
    names = result.game.move_names(line, result.state)
    return more | {"move": names[0], "line": names}


def _print(answer: dict[str, Any], result: Result) -> None:
    low = -math.inf if answer["low"] is None else answer["low"]
    high = math.inf if answer["high"] is None else answer["high"]
    board = result.game.render(result.state)
    if board != result.game.state_text(result.state):
        click.echo(f"{board}\n")
    words = score_words(low) if answer["solved"] else f"not solved, {_interval(low, high)}"
    common.say(f"{answer['game']}: {words} for the player to move")
    click.echo(f"move     {answer['move']}")
    common.say(f"line     {listed(answer['line'], ' ')}")
    if answer["reachable"] is not None:
        plies = len(answer["line"])
        length = f"{plies} pl{'y' if plies == 1 else 'ies'}, "
        length = f"{length}the fewest against the longest resistance; " if answer["shortest"] else length
        common.say(f"         {length}{_choices(answer['choices'], answer['single'])}")
        click.echo(f"game     {common.count(answer['reachable'])} positions can be reached")
    cost = f"{common.count(answer['nodes'])} nodes generated, {common.count(answer['positions'])} positions visited"
    common.say(f"stopped  {answer['stopped']}: {cost}, {answer['seconds']:.3f} s")


def _choices(several: int, single: int) -> str:
    """Of the moves of the line that were a choice, how many were the only right one."""
    if several == 0:
        return "no move is a choice"
    return f"of {several} choice{'' if several == 1 else 's'} {single} had only one right move"


COMMANDS = (solve,)
