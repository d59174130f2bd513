"""`ludus games`, `ludus searches`, `ludus evaluators`: what there is, one line each."""

from __future__ import annotations

import inspect
from typing import Any, Literal, get_args, get_origin

import click

from ludus.cli import common
from ludus.common.errors import LudusError, unknown
from ludus.common.texttable import GAP, screen_width, wrap
from ludus.library.evaluators.learned import learned
from ludus.model import registry
from ludus.model.component import meanings, parameters
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


def _explain(found: Registry, name: str, as_json: bool) -> None:
    """One of them: what it is, and each parameter with its default, the values allowed and its meaning."""
    if name not in found.classes:
        raise unknown(found.kind, name, found.classes)
    cls, width = found.classes[name], screen_width()
    told, known = meanings(cls), parameters(cls)
    about = inspect.cleandoc(cls.__doc__ or "")
    if as_json:
        common.print_json(_describe(cls) | {"about": about, "meanings": told})
        return
    click.echo(click.style(name, bold=True))
    for paragraph in about.split("\n\n"):
        click.echo("\n".join(wrap(" ".join(paragraph.split()), width)))
    margin = max((len(_with_default(each)) for each in known.values()), default=0)
    for each in known.values():
        allowed = get_args(each.annotation) if get_origin(each.annotation) is Literal else ()
        choices = f"one of {', '.join(map(format_value, allowed))}" if allowed else ""
        said = "; ".join(filter(None, [told.get(each.name, ""), choices]))
        line = f"  {_with_default(each):<{margin}}{GAP}{said}".rstrip()
        click.echo("\n".join(wrap(line, width, " " * (margin + 2 + len(GAP)))))


def _with_default(parameter: inspect.Parameter) -> str:
    return f"{parameter.name}={format_value(parameter.default)}"


name_argument = click.argument("name", required=False)


@click.command()
@name_argument
@common.json_option
def games(name: str | None, as_json: bool) -> None:
    """The games that are built in or plugged in; of one, NAME, its parameters."""
    _show(registry.games(), "games", name, as_json)


def _show(found: Registry, key: str, name: str | None, as_json: bool) -> None:
    if name is None:
        _list(found, key, as_json)
    else:
        _explain(found, name, as_json)


@click.command()
@name_argument
@common.json_option
def searches(name: str | None, as_json: bool) -> None:
    """The control strategies; of one, NAME, its parameters."""
    _show(registry.searches(), "searches", name, as_json)


@click.command()
@name_argument
@common.json_option
def evaluators(name: str | None, as_json: bool) -> None:
    """The static evaluators, and which games they are for; of one, NAME, its parameters."""
    _show(registry.evaluators(), "evaluators", name, as_json)
    if name is None and not as_json:
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
