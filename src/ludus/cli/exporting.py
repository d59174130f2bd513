"""`ludus runs` and `ludus export`: what is in the database."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from ludus.cli import common
from ludus.common.errors import LudusError, SpecError
from ludus.common.numbers import counted
from ludus.common.texttable import Column, lay_out, screen_width, shorten
from ludus.model.budget import BUDGET_KEYS
from ludus.model.spec import Spec, format_arguments
from ludus.terminal.progress import Progress


@click.command()
@common.options(common.db_option, common.json_option)
def runs(db: str, as_json: bool) -> None:
    """The runs in the database: what was played, how much of it, and how it ended."""
    from ludus.arena.store.store import Store

    with Store(db, write=False) as store:
        found = store.runs()
    if store.unreadable:
        common.warn(f"{counted(store.unreadable, 'run')} in {store.path} cannot be read.")
    if as_json:
        common.print_json({"database": str(store.path), "runs": found})
    elif not found:
        click.echo(f"there are no runs in {store.path} yet.")
    else:
        _print(found)


def _print(found: list[dict[str, Any]]) -> None:
    def when(run: dict[str, Any]) -> str:
        return datetime.fromisoformat(run["updated"]).astimezone().strftime("%Y-%m-%d %H:%M")

    def openings(run: dict[str, Any]) -> str:
        return str(run["settings"].get("openings", ""))

    width = screen_width()
    columns = [
        Column("run", [str(run["number"]) for run in found]),
        Column("command", [run["command"] for run in found], 4, left=True),
        Column("game", [shorten(run["game"], max(width // 3, 12)) for run in found], left=True),
        Column("players", [_names(run["players"]) for run in found], left=True, elastic=True),
        Column("budget", [_budget(run["players"]) for run in found], 6, left=True),
        Column("seed", [str(run["seed"]) for run in found], 5),
        Column("openings", [openings(run) for run in found], 3),
        Column("games", [common.count(run["games"]) for run in found], 7),
        Column("status", [run["status"] for run in found], left=True),
        Column("last played", [when(run) for run in found], 2, left=True),
        Column("time", [f"{run['seconds']:,.1f} s" for run in found], 1),
    ]
    click.echo("\n".join(lay_out(columns, width)))


def _budget(players: list[str]) -> str:
    """The budget of the players, if it is the same for all; else `various`."""
    try:
        specs = [Spec.parse(spec).arguments for spec in players]
    except SpecError:  # of another version
        return ""
    budgets = {format_arguments({key: spec[key] for key in BUDGET_KEYS if key in spec}) for spec in specs}
    return budgets.pop() if len(budgets) == 1 else "various"


def _names(players: list[str]) -> str:
    """The names of the searches; of many, the first three and how many more there are."""
    names = [spec.partition("(")[0] for spec in players]
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"


@click.command()
@click.argument("run")
@click.option("-o", "--output", help="A folder, or a file for one format.  [default: the working directory]")
@click.option("--format", "wanted", help="csv, text, or the game's own (othello: ggf, chess: pgn).  [default: all]")
@click.option(
    "--game", "named", metavar="GAME", help="Read the moves by the rules of this file, path/to/file.py:Class."
)
@click.option("--force", is_flag=True, help="Overwrite files.")
@common.options(common.db_option, common.json_option)
def export(
    run: str, output: str | None, wanted: str | None, named: str | None, force: bool, db: str, as_json: bool
) -> None:
    """Write the games of a run as CSV, in words and in the game's notation.

    RUN is a number that `ludus runs` shows, or last. A game's file is run only if --game names it, or if you have
    played the run on this machine.
    """
    from ludus.arena.store.export import Export, Rules
    from ludus.arena.store.store import Store

    with Store(db, write=False) as store:
        found = _find(store.runs(), run, store.path)
        rules = Rules(store, found, named)
        files = _files(found, output, wanted, rules.formats)
        for file in files.values():
            if os.path.lexists(file) and not force:
                raise LudusError(f"{str(file)!r} is there already: --force overwrites it.")
        made = Export(store, found, files, rules)
        with Progress(found["games"]) as bar:
            made.write(lambda done: bar.update(done, f"{common.count(done)} games"))
    if made.warning:
        common.warn(made.warning)
    written = [str(file) for file in files.values()]
    if as_json:
        common.print_json({"run": found["number"], "games": made.games, "files": written, "warning": made.warning})
        return
    click.echo(f"run {found['number']}: {common.count(made.games)} games of {found['game']}")
    for name in written:
        click.echo(f"  {name}")


def _find(runs: list[dict[str, Any]], which: str, path: Path) -> dict[str, Any]:
    if not runs:
        raise LudusError(f"there are no runs in {path} yet.")
    for run in runs[-1:] if which == "last" else runs:
        if which in ("last", str(run["number"])):
            return run
    raise LudusError(f"there is no run {which!r} in {path}: RUN is last or a number up to {runs[-1]['number']}.")


def _files(run: Mapping[str, Any], output: str | None, wanted: str | None, known: Mapping[str, str]) -> dict[str, Path]:
    """The file to write for each format. An output without an ending is a folder, which is made if need be."""
    if wanted is not None and wanted not in known:
        raise LudusError(f"{run['game']} cannot be written as {wanted!r}: --format is {', '.join(known)}.")
    try:
        place = Path(output or ".").expanduser()
    except RuntimeError as error:
        raise LudusError(f"{output!r} is no path: {error}.") from error
    if not os.path.isdir(place) and place.suffix:
        by_ending = {f".{ending}": name for name, ending in known.items()}
        chosen = wanted or by_ending.get(place.suffix)
        if chosen is None:
            raise LudusError(f"{output!r} must end in {', '.join(by_ending)}, or --format must say what to write.")
        return {chosen: place}
    try:
        place.mkdir(exist_ok=True)
    except (OSError, ValueError) as error:
        raise LudusError(
            f"the folder {output!r} cannot be made: {getattr(error, 'strerror', None) or error}."
        ) from error
    return {name: place / f"run-{run['number']}.{known[name]}" for name in ([wanted] if wanted else known)}


COMMANDS = (runs, export)
