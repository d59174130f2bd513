"""The command line. Only this package prints; every file here is one group of commands.

May import: common, kernel, model, runtime, pictures, library, learning, arena, diagnostics, theorems, studies.engine,
terminal, web.
"""

from __future__ import annotations

import errno
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

import ludus
from ludus.cli import (
    analysing,
    calibrating,
    common,
    exporting,
    judging,
    learning,
    listing,
    matching,
    playing,
    position,
    ranking,
    reproducing,
    searching,
    solving,
    streams,
    sweeping,
    theorising,
    tracing,
    uci,
    web,
)
from ludus.cli.crashing import tell_of_crashes
from ludus.cli.ending import end_stuck_code
from ludus.common.errors import LudusError, unknown
from ludus.kernel.parts import miswritten
from ludus.kernel.rules import FAILURES
from ludus.model.watchdog import exits_refused, watching

SECTIONS: dict[str, dict[str, str]] = {
    "What there is": {
        "games": "the games, one line each",
        "searches": "the control strategies, with their parameters",
        "evaluators": "the static evaluators, and which games they are for",
    },
    "A game": {
        "analyse": "who wins, how long, does a better player win, how large is it?",
        "check": "is this game right? names every fault, with the rule and the position",
        "show": "draw a position, its legal moves and what evaluators think of it",
        "play": "play in the terminal: people, searches, or both",
        "web": "the page: play, watch a search think, ask why, review, rank, in a browser",
        "perft": "count the positions at a depth, and how fast",
    },
    "A search": {
        "search": "search one position: move, value, line, cost, all moves compared",
        "trace": "draw how the tree grew",
        "solve": "the exact result under best play, for games that are small enough",
        "uci": "make a search an engine for chess programs",
    },
    "An evaluator": {
        "calibrate": "how far it can be trusted: errors, probability of winning, intervals",
        "learn": "make one, from the rules alone or from features that a game declares",
        "quality": "how often its decisions are wrong, against exact minimax",
        "pathology": "does looking deeper help with it?",
    },
    "Comparing players": {
        "rank": "which search is best at this budget, and how sure is that?",
        "sweep": "the same for several games and budgets: one table, and curves",
        "match": "two players, games in pairs with sides swapped",
    },
    "Papers": {
        "reproduce": "the tables and figures of a paper beside ours, with tests of agreement",
        "theory": "theorems about game trees, each beside a simulation",
    },
    "Results": {
        "runs": "what is in the database",
        "export": "write the games of a run: CSV, words, the game's notation",
    },
}
"""The commands as `ludus --help` lists them; one that is not here is listed last."""


class ReaderGone(Exception):
    """The reader of our output, `head` say, has seen enough. Click would end with status 1."""


@contextmanager
def reader_heeded() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error


class Commands(click.Group):
    """A group that suggests the nearest command, and lists its commands in sections."""

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        told = {name for section in SECTIONS.values() for name in section}
        others = {name: self.commands[name].get_short_help_str() for name in self.commands if name not in told}
        for title, section in (SECTIONS | {"More": others}).items():
            rows = [(name, words) for name, words in section.items() if name in self.commands]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=12)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with reader_heeded():  # it prints help
            return super().make_context(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:
        with reader_heeded():
            return super().invoke(context)

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise unknown("command", args[0], self.commands)
        return super().resolve_command(context, args)


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Commands, invoke_without_command=True, context_settings=SETTINGS)
@click.version_option(ludus.__version__, prog_name="ludus")
@click.pass_context
def cli(context: click.Context) -> None:
    """Every control strategy, on any two-player game, compared fairly.

    GAME is a name, name(param=value) or path/to/file.py:Class.
    SPEC is a search: name or name(key=value, ...), with eval=... and budget keys such as nodes=2000.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


MODULES = (
    listing,
    position,
    analysing,
    searching,
    solving,
    calibrating,
    learning,
    judging,
    matching,
    ranking,
    sweeping,
    playing,
    tracing,
    reproducing,
    theorising,
    exporting,
    uci,
    web,
)
for module in MODULES:
    for command in module.COMMANDS:
        cli.add_command(command)


def main(arguments: list[str] | None = None) -> int:
    """Run a command; bad input is one sentence on standard error and exit status 2."""
    warnings.showwarning = common.warning_printer()
    streams.prepare()
    if arguments is None:
        tell_of_crashes(sys.argv[1:])
        end_stuck_code()
    try:
        with watching(), exits_refused():
            status = cli.main(args=arguments, prog_name="ludus", standalone_mode=False)
        streams.flush()
    except LudusError as error:
        status = common.complain(str(error))
    except click.ClickException as error:
        status = common.complain(_with_usage(error))
    except (KeyboardInterrupt, click.Abort) as stop:
        cause = stop.__cause__ if isinstance(stop, click.Abort) else stop
        common.complain(str(cause) if isinstance(cause, KeyboardInterrupt) and str(cause) else "interrupted.")
        status = 130
    except (BrokenPipeError, ReaderGone):
        streams.give_up()
        status = 0
    except MemoryError as error:
        status = common.complain(_of_memory(error))
    except OSError as error:
        if error.filename is not None:
            raise
        if error.errno == errno.ENOMEM:
            sys.exit(common.complain(_of_memory(error)))
        streams.give_up()
        status = common.complain(f"standard output cannot be written: {error.strerror or error}.")
    except FAILURES as error:
        status = common.complain(_blame(error))
    sys.exit(status if isinstance(status, int) else 0)


def _of_memory(error: Exception) -> str:
    why = getattr(error, "strerror", None) or str(error)
    return f"there is not enough memory{f' ({why})' if why else ''}: give smaller numbers."


def _with_usage(error: click.ClickException) -> str:
    """What Click has found wrong and, unless that is a value, how the command is written."""
    said, context = error.format_message().rstrip("."), getattr(error, "ctx", None)
    if context is None or (isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter)):
        return f"{said}."
    path = context.command_path
    if isinstance(error, click.NoSuchOption):
        flags = [flag for option in context.command.params for flag in option.opts if flag.startswith("-")]
        return str(unknown(f"option of {path}", error.option_name, flags, say="it takes"))
    return f"{said}; write {' '.join([path, *context.command.collect_usage_pieces(context)])}, or see {path} --help."


def _blame(error: Exception | SystemExit) -> str:
    """One sentence about an error in a user's own file; an error of ours is raised again, so that it is reported."""
    files = {getattr(module, "__ludus_file__", None) for module in list(sys.modules.values())}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    if isinstance(error, TypeError) and (words := miswritten(error)):
        return f"{words}."
    if not frames:
        raise error
    last = frames[-1]
    return f"{last.name} failed: {type(error).__name__}: {error} ({last.filename}, line {last.lineno})"
