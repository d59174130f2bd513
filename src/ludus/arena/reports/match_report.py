"""A match as a file: its page, its pairs as a picture, or its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.arena.reports.standings import columns, standings_text
from ludus.arena.reports.words import endless, faults, overtime
from ludus.arena.store.provenance import provenance
from ludus.pictures.charts import pairs_figure
from ludus.pictures.page import Page, chart, note, standings_table, write_report

if TYPE_CHECKING:
    from ludus.arena.match_result import MatchResult


def save(result: MatchResult, path: str | Path) -> None:
    """Write the page, the picture or the table, as the file's ending says."""

    def table(kind: str) -> str:
        return standings_text(kind, result.standings, f"{about(result)} {verdict(result)}")

    def figure() -> Any:
        players = f"{result.players[0]}\nagainst {result.players[1]}"
        return pairs_figure(result.pairs, players) if result.games else None

    write_report(path, lambda: page(result), table, figure)


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
