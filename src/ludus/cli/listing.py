"""`ludus games`, `ludus searches`, `ludus evaluators`: what there is, one line each."""

from __future__ import annotations

from typing import Any

import click

from ludus.cli import common
from ludus.common.errors import LudusError
from ludus.common.texttable import GAP, screen_width, wrap
from ludus.library.evaluators.learned import learned
from ludus.model import registry
from ludus.model.component import parameters
from ludus.model.registry import Registry
from ludus.model.spec import format_value


def _describe(cls: type) -> dict[str, Any]:
    known: Any = cls
    defaults = {name: p.default for name, p in parameters(cls).items()}
    row: dict[str, Any] = {"name": known.name, "parameters": defaults, "summary": known.summary()}
    if hasattr(cls, "games"):
        row["games"] = list(known.games)
    return row


def _list(found: Registry, key: str, as_json: bool) -> None:
    rows = [_describe(cls) for cls in found.classes.values()]
    if as_json:
        common.print_json({key: rows})
        return
    width, margin = screen_width(), max(len(found.kind), *(len(row["name"]) for row in rows))
    longest = max(len(row["summary"]) for row in rows)
    click.echo(f"{found.kind:<{margin}}{GAP}what it is, and its parameters with their defaults")
    for row in rows:
        more = ", ".join(f"{k}={format_value(v)}" for k, v in row["parameters"].items())
        if key == "evaluators":
            more = "; ".join(filter(None, [f"for {', '.join(row['games']) or 'any game'}", more]))
        name, indent = f"{row['name']:<{margin}}", " " * (margin + len(GAP))
        line = f"{name}{GAP}{row['summary']:<{longest}}{GAP}{more}".rstrip()
        if len(line) > width:  # what it takes in lines of its own
            told = wrap(f"{name}{GAP}{row['summary']}", width, indent)
            line = "\n".join([*told, *(wrap(f"{indent}{more}", width, indent) if more else [])])
        click.echo(click.style(line[:margin], bold=True) + line[margin:])


@click.command()
@common.json_option
def games(as_json: bool) -> None:
    """The games that are built in or plugged in."""
    _list(registry.games(), "games", as_json)


@click.command()
@common.json_option
def searches(as_json: bool) -> None:
    """The control strategies."""
    _list(registry.searches(), "searches", as_json)


@click.command()
@common.json_option
def evaluators(as_json: bool) -> None:
    """The static evaluators, and which games they are for."""
    _list(registry.evaluators(), "evaluators", as_json)
    if not as_json:
        for name in learned.saved_names():
            click.echo(f"{learned.FAMILY}{name}{GAP}{_learnt(name)}")


def _learnt(name: str) -> str:
    """What is known of an evaluator that was learnt, in a line."""
    try:
        about = learned.load(name).about
        return f"learnt by {about['method']}, {about['date'][:10]}; for {about['game']}"
    except (LudusError, KeyError):
        return "its file cannot be read"


COMMANDS = (games, searches, evaluators)
