"""A sweep in words and as a file: one table of players by cells, curves, and where one overtakes another."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.arena.reports.standings import Standing, columns, row_data, signed
from ludus.arena.reports.words import overtime, remarks
from ludus.common.numbers import counted
from ludus.common.tables import table_text
from ludus.common.texttable import GAP, Column, lay_out, wrap
from ludus.pictures.curves import Panel, curves_figure
from ludus.pictures.page import Page, chart, note, prose, standings_table, write_report

if TYPE_CHECKING:
    from ludus.arena.sweep_result import Cell, Sweep

LEGEND = "Elo with 95 % intervals, the mean of a cell at 0. *: the best of its cell; ?: leads, but is not known to be."


def header(sweep: Sweep) -> str:
    """One line that says what was played."""
    games, budgets = len(sweep.by_game), len({str(cell.budget) for cell in sweep.cells})
    many = f"{counted(games, 'game')} at {counted(budgets, 'budget')}"
    return f"{many}: {sweep.games:,} games in pairs, seed {sweep.seed}"


def sentences(sweep: Sweep) -> list[str]:
    """Where one player overtakes another."""
    return [f"{each}." for each in sweep.overtakings]


def table(sweep: Sweep, cells: list[Cell], *, with_game: bool = True) -> list[Column]:
    """Players by cells; of all games, or of one."""
    names = sweep.players
    found = [Column("player", names, left=True)]
    for cell in cells:
        head = f"{cell.game} {cell.budget}" if with_game else str(cell.budget)
        found.append(Column(head, [_entry(cell, name) for name in names]))
    return found


def _entry(cell: Cell, name: str) -> str:
    """A rating with its interval and, for who leads, a mark; where nobody is marked there is room for one."""
    row = cell.rows.get(name)
    if row is None or not row.games:
        return "- "
    mark = "" if row.number != cell.ranking.order[0] else "*" if cell.ranking.evidence.decision == "best" else "?"
    return f"{signed(row.rating.value)} ({_interval(row)}){mark or ' '}"


def _interval(row: Standing) -> str:
    return f"{signed(row.rating.low)} … {signed(row.rating.high)}"


def text(sweep: Sweep, width: int) -> str:
    """The table game by game, as many budgets side by side as there is room for; then sentences."""
    lines = wrap(header(sweep), width)
    for game, cells in sweep.by_game.items():
        first, *rest = table(sweep, cells, with_game=False)
        while rest:
            here = [first]
            while rest and (len(here) == 1 or sum(c.width + len(GAP) for c in here) + rest[0].width <= width):
                here.append(rest.pop(0))
            lines += ["", game, *lay_out(here)]
    said = [LEGEND, summary(sweep), *sentences(sweep), *notes(sweep)]
    if sweep.interrupted:
        said.append("Interrupted; the same command goes on.")
    return "\n".join([*lines, "", *(line for words in said for line in wrap(words, width))])


def summary(sweep: Sweep) -> str:
    """A sentence on how many cells have a best."""
    known = sum(cell.ranking.evidence.decision == "best" for cell in sweep.cells)
    return f"The best is known in {known} of {len(sweep.cells)} cells."


def notes(sweep: Sweep) -> list[str]:
    """What else must be said, cell by cell."""
    return [f"{cell.game}, {cell.budget}: {words}" for cell in sweep.cells for words in _notes(cell)]


def save(sweep: Sweep, path: str | Path) -> None:
    """Write the page, the curves or the table, as the file's ending says."""

    def figure() -> Any:
        return curves_figure(panels(sweep), sweep.players) if panels(sweep) else None

    write_report(path, lambda: page(sweep), lambda kind: cells_text(kind, sweep), figure)


def cells_text(kind: str, sweep: Sweep) -> str:
    """All cells in one table, in the format of this ending."""
    data = [
        {"game": str(cell.game), "budget": str(cell.budget), "place": place + 1, "name": name} | row_data(row)
        for cell in sweep.cells
        for place, (name, row) in enumerate(cell.rows.items())
    ]
    caption = " ".join([f"{header(sweep)}.", LEGEND, *sentences(sweep)])
    return table_text(kind, table(sweep, sweep.cells), data, caption)


def panels(sweep: Sweep) -> list[Panel]:
    """The curves of each game; budgets of different kinds are in different panels."""
    found: dict[tuple[str, str], Panel] = {}
    for cell in sweep.cells:
        if cell.measure is None:
            continue
        key, budget = cell.measure
        panel = found.setdefault((str(cell.game), key), Panel(str(cell.game), key, {}))
        for name, row in cell.rows.items():
            if row.games:
                point = budget, row.rating.value, row.rating.low, row.rating.high
                panel.curves.setdefault(name, []).append(point)
    for panel in found.values():
        for curve in panel.curves.values():
            curve.sort()
    return list(found.values())


def page(sweep: Sweep) -> Page:
    """All that the page says."""
    known = [cell.ranking.evidence.decision == "best" for cell in sweep.cells]
    said = sentences(sweep) or ["No overtaking is known."]
    sections = []
    if panels(sweep):
        figure = curves_figure(panels(sweep), sweep.players)
        sections += ["<h2>Strength against budget</h2>", chart(figure, "Elo against budget, as in the table below")]
    sections += ["<h2>All cells</h2>", standings_table(table(sweep, sweep.cells), best=False), note(LEGEND)]
    for cell in sweep.cells:
        title = f"<h2>{escape(str(cell.game))}, {escape(str(cell.budget))}</h2>"
        sections += [title, f"<p>{prose(cell.ranking.verdict())}</p>"]
        if cell.ranking.games:
            sections.append(standings_table(columns(cell.ranking.standings)))
    return Page(
        f"{', '.join(sweep.by_game)}: strength against budget",
        f"{summary(sweep)} {' '.join(said)}",
        all(known) and bool(known),
        f"{header(sweep)}. Games come in pairs with sides swapped.",
        sections,
        notes(sweep),
        sweep.made,
    )


def _notes(cell: Cell) -> list[str]:
    return [words for words in (overtime(cell.ranking.standings), *remarks(cell.ranking)) if words]
