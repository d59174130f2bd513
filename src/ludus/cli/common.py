"""What the commands share: options, and how they print."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable
from typing import Any

import click

from ludus.common.errors import LudusError, PlainNumbaWarning, UncachedWarning
from ludus.common.files import escape_control_characters
from ludus.common.texttable import screen_width, wrap_lines
from ludus.kernel.parts import MisspeltWarning
from ludus.model.playable import PlayableGame
from ludus.runtime.runner import InterpretedWarning
from ludus.runtime.turns import glance

MOST = 10**12
"""The largest whole number that an option takes, where nothing else limits it."""


class Whole(click.IntRange):
    """A whole number; what else is given is named in a sentence that says what is allowed."""

    name = "whole number"

    def get_metavar(self, param: Any, ctx: Any = None) -> str | None:
        return "N" if param.param_type_name == "option" else None

    def _describe_range(self) -> str:
        """What help says about the range."""
        return "" if not self.min else f"at least {self.min}"

    def convert(self, value: Any, parameter: Any, context: Any) -> int:
        try:
            found = super().convert(value, parameter, context)
        except click.BadParameter:
            raise LudusError(_refusal(self, value, parameter)) from None
        if self.max is None and found > MOST:
            raise LudusError(_refusal(Whole(self.min, MOST), value, parameter))
        return found


class Positive(click.FloatRange):
    """A number above zero; what else is given is named in a sentence that says what is allowed."""

    name = "number"

    def get_metavar(self, param: Any, ctx: Any = None) -> str | None:
        return "X" if param.param_type_name == "option" else None

    def _describe_range(self) -> str:
        """What help says about the range."""
        return f"{self.min:g} to {self.max:g}" if self.max is not None else ""

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(self, value: Any, parameter: Any, context: Any) -> float:
        try:
            found = super().convert(value, parameter, context)
        except click.BadParameter:
            found = math.nan
        if math.isnan(found):
            raise LudusError(_refusal(self, value, parameter))
        return found


class Within(Positive):
    """A number in a range, its ends included."""

    def __init__(self, least: float, most: float) -> None:
        click.FloatRange.__init__(self, least, most)


def _refusal(kind: Whole | Positive, value: Any, parameter: Any) -> str:
    above = f"above {kind.min:g}" if kind.min_open else f"of at least {kind.min}"
    allowed = above if kind.max is None else f"from {kind.min} to {kind.max}"
    option = max(parameter.opts, key=len) if parameter.param_type_name == "option" else parameter.human_readable_name
    return f"{option} must be a {kind.name} {allowed}, not {value!r}."


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
seed_option = click.option("--seed", type=Whole(0, 2**64 - 1), default=0, show_default=True, help="Random seed.")
workers_option = click.option("--workers", type=Whole(1), default=None, help="Processes to use.")


def _only_one(context: click.Context, parameter: click.Parameter, workers: int | None) -> None:
    if workers is not None and workers > 1:
        raise LudusError(f"ludus {context.command.name} runs in one process, so --workers must be 1, not {workers}.")


one_worker_option = click.option(
    "--workers", type=Whole(1), callback=_only_one, expose_value=False, help="One process does it: 1."
)
"""For commands that run in one process: scripts may give all commands the same option, but not more than one worker."""
compile_option = click.option(
    "--compile/--no-compile",
    "compiled",
    default=None,
    help="Compile or fail; or run interpreted. By default, compile what can be.",
)
dask_option = click.option("--dask", metavar="ADDRESS", help="Use the workers of this Dask cluster.")
move_limit_option = click.option(
    "--move-limit",
    type=Positive(),
    default=60.0,
    show_default=True,
    help="Seconds after which a move, and so the game, is lost.",
)
openings_option = click.option(
    "--openings", type=Whole(0), default=4, show_default=True, help="Random plies before the players."
)
state_option = click.option("--state", "state_text", help="A position as the game writes it; the first one by default.")
DB = "ludus.db"
db_option = click.option("--db", default=DB, show_default=True, metavar="FILE", help="The database of runs.")


output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write a page, .html; a picture, .svg, .png, .pdf; or the table, .csv, .md, .tex.",
)
arena_options = (move_limit_option, json_option, seed_option, workers_option, dask_option, db_option, compile_option)
"""The options that all commands have which play games."""


def options(*chosen: Callable) -> Callable:
    """Several options as one decorator, in the order given."""

    def decorate(command: Callable) -> Callable:
        for option in reversed(chosen):
            command = option(command)
        return command

    return decorate


def print_json(value: dict[str, Any]) -> None:
    click.echo(json.dumps(value, allow_nan=False))


def say(words: str) -> None:
    """Words on standard output, in lines that fit the terminal."""
    click.echo(wrap_lines(words, screen_width()))


def with_flags(words: str) -> str:
    """Words of the library for the command line: `openings=1` is --openings 1 there, and `db` is --db."""
    from ludus.cli import cli

    options = [option for command in cli.commands.values() for option in command.params]
    flags = {flag for option in options for flag in (*option.opts, *option.secondary_opts)}

    def replace(found: re.Match[str]) -> str:
        flag = f"--{found[1].replace('_', '-')}"
        return found[0] if flag not in flags else f"{flag} {found[2]}" if found[2] else flag

    return re.sub(r"`(\w+)(?:=([^`]+))?`", replace, words)


def complain(message: str) -> int:
    """One sentence on standard error; returns the exit status for bad input."""
    click.echo(f"ludus: {escape_control_characters(with_flags(' '.join(message.split())))}", err=True)
    return 2


def warn(message: object) -> None:
    """A warning on standard error, in one line."""
    click.echo(f"ludus: warning: {escape_control_characters(with_flags(' '.join(str(message).split())))}", err=True)


def warn_of_turns(game: PlayableGame) -> None:
    """A warning if a few random games look as if a player moved twice and the game did not say so."""
    if question := glance(game):
        warn(question)


def warning_printer() -> Callable[..., None]:
    """Prints warnings without the line of our source: those that are meant for people, and each reason once."""
    told: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *rest: Any) -> None:
        reason = message.reason if isinstance(message, InterpretedWarning) else str(message)
        if (
            issubclass(category, (InterpretedWarning, MisspeltWarning, PlainNumbaWarning, UncachedWarning))
            and reason not in told
        ):
            told.add(reason)
            warn(message)

    return show


def where_kept(run: int, db: str) -> str:
    """A sentence that says in which run of which database the games are, and how to export them."""
    return f"Run {run} in {db}: ludus export {run}{elsewhere(db)} writes its games."


def elsewhere(db: str) -> str:
    """The option that names a database, for a command line; empty for the usual one."""
    return "" if db == DB else f" --db {shlex.quote(db)}"


def of_threads(threads: int, running: int) -> str:
    """What this number of threads, and of running ones, means for a run, in words."""
    if running == 1:
        return f"interpreted rules run in one thread, so threads={threads} changed nothing"
    return f"not reproducible node for node with threads={threads}: which of them comes first is chance"


def count(value: float) -> str:
    """A whole number with commas between thousands."""
    return f"{value:,.0f}"
