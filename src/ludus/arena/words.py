"""A ranking in words: the tables that the command prints, and `print` in Python, for a given width."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ludus.arena.playing import endless_words
from ludus.core.texttable import GAP, Column, fit, lay_out, shorten, wrap

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking, Standing

CERTAIN = 600
"""What the first move is worth is told if its interval is narrower than this many Elo."""
NAMED = 10
"""Rows of the matrix have names if there is room for so many letters; else the number is enough."""


def signed(value: float) -> str:
    """A rating; nothing is -0."""
    return f"{round(value):+d}"


def header(ranking: Ranking) -> str:
    """What was played."""
    about = [f"{ranking.games:,} games in pairs", *ranking.terms, f"seed {ranking.seed}"]
    return f"{ranking.game}: {', '.join(about)}"


def standings(ranking: Ranking, width: int) -> list[str]:
    """The table, best first, under its headings; then, if names were shortened, the whole spec of each player."""
    columns = _columns(ranking)
    kept, room = fit(columns, width)
    lines = lay_out(columns, width)
    if any(column.elastic and column.width > room for column in kept):
        lines.append("")
        for place, row in enumerate(ranking.standings):
            lines += wrap(f"{place + 1:>{len(str(len(ranking.players)))}}  {row.player}", width, "      ")
    return lines


def _columns(ranking: Ranking) -> list[Column]:
    rows, names = ranking.standings, ranking.short_names

    def column(head: str, importance: int, cells: list[str]) -> Column:
        return Column(head, [cell if row.games else "" for cell, row in zip(cells, rows, strict=True)], importance)

    return [
        Column("", [str(place + 1) for place in range(len(rows))]),
        Column("player", [names[row.number] for row in rows], left=True, elastic=True),
        Column("Elo", [signed(row.rating.value) if row.games else "-" for row in rows]),
        Column("95 %", [_interval(row) if row.games else "-" for row in rows]),
        Column("games", [str(row.games) for row in rows], 7),
        column("score", 8, [f"{100 * row.score:.1f} %" for row in rows]),
        column("+", 3, [str(row.wins) for row in rows]),
        column("=", 3, [str(row.draws) for row in rows]),
        column("-", 3, [str(row.losses) for row in rows]),
        *([Column("forfeits", [str(row.faults) for row in rows], 6)] if ranking.faults else []),
        column("LOS", 5, ["" if row.superiority is None else f"{100 * row.superiority:.1f} %" for row in rows]),
        column("nodes", 4, [f"{row.effort.nodes:,.0f}" for row in rows]),
        column("budget", 2, ["" if row.budget_used is None else f"{100 * row.budget_used:.0f} %" for row in rows]),
        column("µs", 1, [f"{row.effort.microseconds:,.0f}" for row in rows]),
    ]


def _interval(row: Standing) -> str:
    return f"{signed(row.rating.low)} … {signed(row.rating.high)}"


def matrix(ranking: Ranking, width: int) -> list[str]:
    """Each against each, the row's share of the points; side by side as far as there is room, the rest below."""
    order, names = ranking.order, ranking.short_names
    columns = []
    for place, j in enumerate(order):
        cells = []
        for i in order:
            wins, draws, losses = ranking.record_against(i, j)
            games = wins + draws + losses
            cells.append(f"{100 * (wins + draws / 2) / games:.0f}" if games else "·")
        columns.append(Column(str(place + 1), cells))
    numbers = [str(place + 1) for place in range(len(order))]
    named = [f"{number} {names[i]}" for number, i in zip(numbers, order, strict=True)]
    room = width - sum(column.width + len(GAP) for column in columns)
    first = [shorten(name, room) for name in named] if room >= min(max(map(len, named)), NAMED) else numbers
    head = Column("score, %" if room >= 8 else "%", first, left=True)
    lines: list[str] = []
    while columns:
        here = [head]
        while columns and (len(here) == 1 or sum(c.width + len(GAP) for c in here) + columns[0].width <= width):
            here.append(columns.pop(0))
        lines += ([""] if lines else []) + lay_out(here)
    return lines


def remarks(ranking: Ranking) -> list[str]:
    """Who is best, why there are no more games, and what else is worth knowing; a sentence each."""
    found = [ranking.verdict()]
    if ranking.stopped:
        found.append(f"Stopped: {ranking.why_stopped}.")
    if ranking.advice:
        found.append(ranking.advice)
    if worth := first_move(ranking):
        found.append(worth)
    for (who, why), count in ranking.faults.items():
        found.append(f"{count} game{'s' if count > 1 else ''} forfeited by {who}: {why}")
    if ranking.endless:
        found.append(endless_words(ranking.endless))
    return found + [f"Left out: {who}: {why}" for who, why in ranking.excluded.items()]


def first_move(ranking: Ranking) -> str:
    """What moving first is worth, if the games say so."""
    first = ranking.ratings.first_move
    if not ranking.games or first.high - first.low >= CERTAIN:
        return ""
    return f"Moving first is worth {signed(first.value)} Elo ({signed(first.low)} … {signed(first.high)})."


def text(ranking: Ranking, width: int, best: Callable[[str], str] = str) -> str:
    """All of it; `best` may make the first line of the table stand out."""
    lines = wrap(header(ranking), width)
    if ranking.games:
        heads, first, *others = standings(ranking, width)
        lines += ["", heads, best(first), *others, "", *matrix(ranking, width)]
    return "\n".join([*lines, "", *(line for words in remarks(ranking) for line in wrap(words, width))])
