"""A match as a file: its page, its pairs as a picture, or its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludus.arena.provenance import provenance
from ludus.arena.standings import columns, row_data
from ludus.arena.tables import table_text
from ludus.arena.words import endless, faults, overtime
from ludus.core.errors import LudusError
from ludus.pictures.charts import pairs_figure
from ludus.pictures.files import REPORTS, TABLES, check_file, ending, write_figure, write_text
from ludus.pictures.page import Page, chart, html, note, standings_table

if TYPE_CHECKING:
    from ludus.arena.match import MatchResult


def save(result: MatchResult, path: str | Path) -> None:
    """Write the page, the picture or the table, as the file's ending says."""
    check_file(path, REPORTS, "report")
    kind = ending(path)
    if kind == "html":
        write_text(html(page(result)), path)
    elif kind in TABLES:
        rows = result.standings
        data = [{"place": place + 1} | row_data(row) for place, row in enumerate(rows)]
        write_text(table_text(kind, columns(rows), data, f"{about(result)} {verdict(result)}"), path)
    elif not result.games:
        raise LudusError(f"{str(path)!r} is not written: there are no games to draw.")
    else:
        write_figure(pairs_figure(result.pairs, f"{result.players[0]}\nagainst {result.players[1]}"), path)


def about(result: MatchResult) -> str:
    """What was played."""
    return f"{result.game}: {result.games:,} games in pairs with sides swapped, seed {result.seed}."


def verdict(result: MatchResult) -> str:
    """Who is ahead and by how much, and what the sequential test says, if there is one."""
    ahead, behind = result.standings
    elo = ahead.rating
    test = f" Test of {result.players[0]}: {result.sprt.words(result.pairs)}." if result.sprt is not None else ""
    gap = f"by {elo.value:+.0f} Elo (95 %: {elo.low:+.0f} … {elo.high:+.0f})"
    return " ".join(filter(None, [f"{ahead.name} is ahead of {behind.name} {gap}.{test}", overtime(result.standings)]))


def page(result: MatchResult) -> Page:
    """All that the page says."""
    first, second = result.players
    sections = [
        standings_table(columns(result.standings)),
        note("Elo is the difference to the other player. LOS: likelihood of being the stronger one."),
        "<h2>Pairs</h2>",
        chart(pairs_figure(result.pairs, ""), "How many pairs gave the first player how many points"),
    ]
    return Page(
        f"{result.game}: {first} against {second}",
        verdict(result) if result.games else "no game was played.",
        result.games > 0 and result.standings[0].rating.low > 0,
        f"{about(result)} {result.note}",
        sections if result.games else [],
        [*faults(result.faults), *endless(result.endless)],
        provenance() + ([("run", str(result.run))] if result.run is not None else []),
    )
