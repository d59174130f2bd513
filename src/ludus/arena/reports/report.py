"""A ranking as a file: its page, its ratings as a picture, or its table."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.arena import equal_time
from ludus.arena.cheaper import cheaper_players, cheaper_words
from ludus.arena.reports.replays import replays
from ludus.arena.reports.standings import Score, columns, standings_text
from ludus.arena.reports.words import FEW_GAMES, first_move, header, perfect, regret, remarks, scope, turning
from ludus.arena.roster import run_fingerprint
from ludus.model.budget import BUDGET_KEYS
from ludus.model.component import source_file
from ludus.model.playable import PlayableGame
from ludus.model.spec import Spec
from ludus.pictures.charts import Rated, effort_figure, ratings_figure
from ludus.pictures.page import Cell, Page, chart, matrix_table, note, standings_table, write_report
from ludus.pictures.replay import replays_html

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking


def save(ranking: Ranking, path: str | Path) -> None:
    """Write the page, the picture or the table, as the file's ending says."""

    def table(kind: str) -> str:
        caption = " ".join([f"{header(ranking)}.", ranking.verdict(), *legend(ranking)])
        return standings_text(kind, ranking.standings, caption)

    def figure() -> Any:
        return ratings_figure(rated(ranking), chart_title(ranking)) if ranking.games else None

    write_report(path, lambda: page(ranking), table, figure)


def page(ranking: Ranking) -> Page:
    """All that the page says."""
    solved = str(ranking.solved) if ranking.solved else ""
    return Page(
        f"{ranking.game}: which search is best?",
        " ".join(
            filter(
                None, [solved, regret(ranking), ranking.verdict(), perfect(ranking), turning(ranking), ranking.advice]
            )
        ),
        ranking.evidence.decision == "best",
        f"{header(ranking)}. Games come in pairs with sides swapped. {scope(ranking)} Stopped: {ranking.why_stopped}.",
        _sections(ranking) if ranking.games else [],
        remarks(ranking),
        made(ranking),
    )


def legend(ranking: Ranking) -> list[str]:
    """The whole specs of players with short names, a sentence each."""
    return [f"{label}: {spec}." for label, spec in ranking.legend.items()]


def made(ranking: Ranking) -> list[tuple[str, str]]:
    """How the ranking came about, if it was played and not made up."""
    facts = dict(ranking.made)
    if facts:
        facts.setdefault("fingerprint", run_fingerprint(ranking.game, ranking.players))
    return [*facts.items(), *([("run", str(ranking.run))] if ranking.run is not None else [])]


def _sections(ranking: Ranking) -> list[str]:
    rows, players = ranking.standings, rated(ranking)
    return [
        "<h2>Ratings, with 95 % intervals</h2>",
        chart(ratings_figure(players, chart_title(ranking)), "Ratings with their intervals, as in the table below"),
        standings_table(columns(rows)),
        note(
            "Elo, the mean of the roster at 0. LOS: likelihood of being stronger than the next one. A click on a "
            f"heading sorts. {first_move(ranking)}"
        ),
        *map(note, legend(ranking)),
        "<h2>Each against each</h2>",
        matrix_table([row.name for row in rows], [[_cell(score) for score in row] for row in ranking.matrix]),
        note(
            "Points of the row against the column, in per cent; below, the number of games; pale if there are fewer "
            f"than {FEW_GAMES}."
        ),
        "<h2>Effort and strength</h2>",
        chart(effort_figure(players), "Elo against microseconds a move, as in the first table"),
        *map(note, filter(None, [equal_time.words(rows), *cheaper_words(cheaper_players(rows))])),
        *replays_html(replays(ranking)),
        "<h2>Use the winner</h2>",
        f"<pre>{escape(usage(ranking.game, ranking.names[ranking.order[0]]))}</pre>",
    ]


def usage(game: PlayableGame, spec: str) -> str:
    """Python that lets a player choose a move; a class that has no name and no file must be there already."""
    named = repr(str(game)) if type(game).name or source_file(type(game)) else str(game)
    return f"import ludus\n\nplayer = ludus.player({spec!r})\nprint(player.choose({named}).move_name)\n"


def chart_title(ranking: Ranking) -> str:
    """What was played, for the chart of ratings."""
    return ", ".join([f"{ranking.game}: {ranking.games:,} games", *ranking.terms])


def rated(ranking: Ranking) -> list[Rated]:
    """The players of the charts, the best first: those who have played."""
    rows = [row for row in ranking.standings if row.games]
    kinds = [_kind(ranking.players[row.number].spec) for row in rows]
    return [
        Rated(
            row.name,
            row.rating.value,
            row.rating.low,
            row.rating.high,
            row.effort.microseconds,
            kind if kinds.count(kind) > 1 else "",
        )
        for row, kind in zip(rows, kinds, strict=True)
    ]


def _kind(spec: Spec) -> str:
    """A player without its budget."""
    return str(Spec(spec.name, {key: value for key, value in spec.arguments.items() if key not in BUDGET_KEYS}))


def _cell(score: Score | None) -> Cell | None:
    if score is None or not score.games:
        return None
    words = f"{score.wins} won, {score.draws} drawn, {score.losses} lost"
    return Cell(score.share, score.games, words, score.games < FEW_GAMES)
