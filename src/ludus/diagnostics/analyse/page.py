"""An analysis as one page, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludus.arena.store.provenance import provenance
from ludus.diagnostics.analyse.words import moves_table, results_table, rungs_table, sizes, verdict
from ludus.pictures.analysis import analysis_figure
from ludus.pictures.files import PICTURES, check_file, ending, write_figure, write_text
from ludus.pictures.page import Page, chart, html, note, standings_table

if TYPE_CHECKING:
    from ludus.diagnostics.analyse.report import Analysis

KINDS = ("html", *PICTURES)


def save(about: Analysis, path: str | Path) -> None:
    """Write the page or the picture, as the file's ending says."""
    check_file(path, KINDS, "report")
    if ending(path) == "html":
        write_text(html(page(about)), path)
    else:
        write_figure(analysis_figure(about.to_dict()), path)


def page(about: Analysis) -> Page:
    """All that the page says."""
    first, *rest = verdict(about)
    games = f"{about.random.games:,} random games"
    if about.good is not None and about.good.tally.games:
        games += f", {about.good.tally.games:,} games of {about.good.player} against itself"
    return Page(
        f"{about.game}: what kind of game is it?",
        first,
        about.value is not None,
        f"From {games}, seed {about.seed}. Intervals hold with 95 %.",
        _sections(about),
        rest,
        provenance(),
    )


def _sections(about: Analysis) -> list[str]:
    ladder, moves = rungs_table(about), moves_table(about.first_moves)
    found = [
        "<h2>Who wins, how long, how many moves</h2>",
        chart(analysis_figure(about.to_dict()), "Results, lengths, legal moves and the ladder, as in the tables"),
        standings_table(results_table(about), best=False),
        note(
            "Moves are decisions of players. Half of the games lie between these lengths. Last mover wins: a share of "
            "the games that somebody won."
        ),
    ]
    if ladder:
        found += [
            "<h2>Does a better player win?</h2>",
            standings_table(ladder, best=False),
            note("Points of each player against the one before it; games in pairs with sides swapped."),
        ]
    found += ["<h2>How large is it?</h2>", *(note(words) for words in sizes(about))]
    if moves:
        found += [
            "<h2>First moves</h2>",
            standings_table(moves, best=False),
            note("Scores are First's share of the points in games that began with this move."),
        ]
    return found
