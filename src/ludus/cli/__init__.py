"""The command line. Only this package prints; every file here is one group of commands."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import click

import ludus
from ludus.cli import common, listing, position, searching
from ludus.core.errors import LudusError, unknown


class Commands(click.Group):
    """A group that suggests the nearest command."""

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise unknown("command", args[0], self.commands)
        return super().resolve_command(context, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(ludus.__version__, prog_name="ludus")
def cli() -> None:
    """Every control strategy, on any two-player game, compared fairly.

    GAME is a name, name(param=value) or path/to/file.py:Class.
    SPEC is a search: name or name(key=value, ...), with eval=... and budget keys such as nodes=2000.
    """


for module in (listing, position, searching):
    for command in module.COMMANDS:
        cli.add_command(command)


def main(arguments: list[str] | None = None) -> int:
    """Run a command; bad input is one sentence on standard error and exit status 2."""
    warnings.showwarning = common.show_warning  # type: ignore[assignment]
    try:
        status = cli.main(args=arguments, prog_name="ludus", standalone_mode=False)
    except LudusError as error:
        status = common.complain(str(error))
    except click.ClickException as error:
        status = common.complain(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        status = 130
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    sys.exit(status if isinstance(status, int) else 0)
