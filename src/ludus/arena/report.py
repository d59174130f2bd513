"""A ranking as a file: what its page says, or its ratings as a picture."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.arena.standings import Score, columns
from ludus.arena.words import first_move, remarks, scope, turning
from ludus.core.errors import LudusError
from ludus.core.files import whole_file
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.pictures.charts import Rated, ratings_figure
from ludus.pictures.files import REPORTS, check_file, write_figure
from ludus.pictures.page import Cell, Findings, Frame, Report, html

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking


def save(ranking: Ranking, path: str | Path) -> None:
    """Write the page, or the ratings as a picture, as the file's ending says."""
    check_file(path, REPORTS, "report")
    if not str(path).lower().endswith(".html"):
        if not ranking.games:
            raise LudusError(f"{str(path)!r} is not written: there are no games to draw.")
        write_figure(ratings_figure(rated(ranking), chart_title(ranking)), path)
        return
    page = html(report(ranking))
    with whole_file(path, encoding="utf-8", errors="backslashreplace") as file:
        file.write(page)


def report(ranking: Ranking) -> Report:
    """All that the page says."""
    terms = "".join(f", {term}" for term in ranking.terms)
    return Report(
        f"{ranking.game}: which search is best?",
        " ".join(filter(None, [ranking.verdict(), turning(ranking), ranking.advice])),
        f"{ranking.games:,} games in pairs with sides swapped{terms}, seed {ranking.seed}. "
        f"{scope(ranking)} Stopped: {ranking.why_stopped}.",
        remarks(ranking),
        _findings(ranking) if ranking.games else None,
    )


def _findings(ranking: Ranking) -> Findings:
    rows = ranking.standings
    example, frames = _example(ranking)
    spec, game = ranking.names[ranking.order[0]], str(ranking.game)
    return Findings(
        rated=rated(ranking),
        chart_title=chart_title(ranking),
        table=columns(rows),
        first_move=first_move(ranking),
        matrix=[[_cell(score) for score in row] for row in ranking.matrix],
        names=[row.name for row in rows],
        example=example,
        frames=frames,
        usage=f"import ludus\n\ngame = ludus.game({game!r})\nprint(ludus.player({spec!r}).choose(game))\n",
    )


def chart_title(ranking: Ranking) -> str:
    """What was played, for the chart of ratings."""
    return ", ".join([f"{ranking.game}: {ranking.games:,} games", *ranking.terms])


def rated(ranking: Ranking) -> list[Rated]:
    """The players of the charts, the best first: those who have played."""
    return [
        Rated(row.name, row.rating.value, row.rating.low, row.rating.high, row.effort.microseconds)
        for row in ranking.standings
        if row.games
    ]


def _cell(score: Score | None) -> Cell | None:
    if score is None or not score.games:
        return None
    return Cell(score.share, score.games, f"{score.wins} won, {score.draws} drawn, {score.losses} lost")


def _example(ranking: Ranking) -> tuple[str, list[Frame]]:
    """One game, position by position, under a heading; nothing if there is none to show."""
    example = ranking.example
    opening = ranking.opening(example[0]) if example is not None else None
    if example is None or opening is None:
        return "", []
    number, index = example
    record = ranking.pairs[number][index]
    seats = (number[0], number[1]) if index == 0 else (number[1], number[0])
    names = [ranking.short_names[seat] for seat in seats]
    position = opening.game.position()
    frames = [_frame(position, "the beginning")]
    turns = opening.game.turns(record.moves, opening.state)
    for ply, move in enumerate((*opening.moves, *record.moves), -len(opening.moves)):
        turn = turns[ply] if ply >= 0 else None
        who = "opening:" if ply < 0 else "chance:" if turn is None else f"{names[turn]} plays"
        words = f"{who} {opening.game.move_name(position.state, move)}"
        position = position.play(move)
        frames.append(_frame(position, words))
    result = f"{names[0] if record.score > 0 else names[1]} wins" if record.score else "a draw"
    return f"A game: {names[0]} against {names[1]}, {result}", frames


def _frame(position: Position, words: str) -> Frame:
    picture = ""
    if _has_looks(position.game):
        picture = position._repr_svg_() or f"<pre>{escape(str(position))}</pre>"
    return Frame(words, picture)


def _has_looks(game: Game) -> bool:
    """Whether the game shows its positions in its own way, or has boards; else they are bare numbers, to no use."""
    own = game.as_written()
    drawn = hasattr(own, "svg") or own.render is not Game.render or own.state_text is not Game.state_text
    return drawn or game.own_layout.has_boards
