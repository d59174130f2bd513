"""`ludus games`, `ludus searches`, `ludus evaluators`: what there is, one line each."""

from __future__ import annotations

from typing import Any

import click

from ludus.cli import common
from ludus.core import registry
from ludus.core.component import parameters
from ludus.core.registry import Registry
from ludus.core.spec import format_value


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
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(found.kind, style="bold", no_wrap=True)
    table.add_column("parameters")
    if key == "evaluators":
        table.add_column("for")
    table.add_column("what it is")
    for row in rows:
        defaults = ", ".join(f"{k}={format_value(v)}" for k, v in row["parameters"].items())
        cells = [row["name"], defaults]
        if key == "evaluators":
            cells.append(", ".join(row["games"]) or "any game")
        table.add_row(*map(escape, cells), escape(row["summary"]))
    common.console().print(table)


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


COMMANDS = (games, searches, evaluators)
