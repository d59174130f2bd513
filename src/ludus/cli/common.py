"""What the commands share: options, consoles, progress."""

from __future__ import annotations

import json
import math
import shlex
import sys
import time
from collections.abc import Callable
from typing import Any

import click

from ludus.core.errors import LudusError
from ludus.core.program import InterpretedWarning


class Whole(click.IntRange):
    """A whole number; what else is given is named in a sentence that says what is allowed."""

    name = "whole number"

    def convert(self, value: Any, parameter: Any, context: Any) -> int:
        try:
            return super().convert(value, parameter, context)
        except click.BadParameter:
            raise LudusError(_refusal(self, value, parameter)) from None


class Positive(click.FloatRange):
    """A number above zero, with the same kind of sentence."""

    name = "number"

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


def _refusal(kind: Whole | Positive, value: Any, parameter: Any) -> str:
    above = f"above {kind.min:g}" if kind.min_open else f"of at least {kind.min}"
    allowed = above if kind.max is None else f"from {kind.min} to {kind.max}"
    option = max(parameter.opts, key=len) if parameter.param_type_name == "option" else parameter.human_readable_name
    return f"{option} must be a {kind.name} {allowed}, not {value!r}."


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
seed_option = click.option("--seed", type=Whole(0, 2**64 - 1), default=0, show_default=True, help="Seed of all chance.")
workers_option = click.option("--workers", type=Whole(1), default=None, help="Processes to use.")
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
    "--openings", "plies", type=Whole(0), default=4, show_default=True, help="Random plies before the players."
)
state_option = click.option("--state", "state_text", help="A position as the game writes it; the first one by default.")
DB = "ludus.db"
db_option = click.option("--db", default=DB, show_default=True, metavar="FILE", help="The database of runs.")


arena_options = (move_limit_option, json_option, seed_option, workers_option, dask_option, db_option, compile_option)
"""Of all commands that play games."""


def options(*chosen: Callable) -> Callable:
    """Several options as one decorator, in the order given."""

    def decorate(command: Callable) -> Callable:
        for option in reversed(chosen):
            command = option(command)
        return command

    return decorate


def print_json(value: dict[str, Any]) -> None:
    click.echo(json.dumps(value, allow_nan=False))


def console() -> Any:
    """Standard output; wide enough for any table where it is not a terminal."""
    from rich.console import Console

    return Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=1000)


def complain(message: str) -> int:
    """One sentence on standard error."""
    click.echo(f"ludus: {' '.join(message.split())}", err=True)
    return 2


def show_warning(message: Warning | str, category: type[Warning], *rest: Any) -> None:
    """Warnings for people: what happened, without the line of our source."""
    if issubclass(category, InterpretedWarning):
        click.echo(f"ludus: warning: {message}", err=True)


def where_kept(run: int, db: str) -> str:
    """In which run, and how to get at its games."""
    elsewhere = "" if db == DB else f" --db {shlex.quote(db)}"
    return f"Run {run} in {db}: ludus export {run}{elsewhere} writes its games."


def announce(words: str) -> None:
    """Say what takes a moment, on a terminal."""
    if sys.stderr.isatty():
        click.echo(f"{words} ...", err=True)


class Progress:
    """A bar on standard error for whatever takes longer than two seconds; nothing where that is no terminal.

    Call `update(done, words)` as often as you like. Without a total it only counts.
    """

    def __init__(self, total: float | None = None) -> None:
        self.total, self.started, self.shown = total, time.monotonic(), 0.0
        self.bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def update(self, done: float, words: str = "") -> None:
        now = time.monotonic()
        if now - self.started < 2 or now - self.shown < 0.1 or not sys.stderr.isatty():
            return
        self.shown = now
        if self.bar is None:
            self.bar = self._start()
        self.bar.update(self.bar.task_ids[0], completed=done, description=words)

    def _start(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = [BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), TimeRemainingColumn()]
        bar = Bar(*columns, console=Console(stderr=True), transient=True)
        bar.start()
        bar.add_task("", total=self.total)
        return bar

    def __exit__(self, *_: Any) -> None:
        if self.bar is not None:
            self.bar.stop()


def number(value: float | None, digits: int = 6) -> str:
    """A value for a table."""
    return "?" if value is None else f"{value:.{digits}g}"


def count(value: float) -> str:
    """A large number that people can read."""
    return f"{value:,.0f}"
