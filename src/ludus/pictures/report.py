"""The report of a ranking as one HTML file that needs nothing else: no script to load, no font, no picture."""

from __future__ import annotations

import io
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.arena.playing import endless_words
from ludus.arena.words import first_move, signed
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.pictures.charts import effort_figure, ratings_figure
from ludus.pictures.files import REPORTS, check_file, write_figure

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking

FRAMES = 200
"""So many positions of the example game are shown at most."""

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.verdict { font-size: 1.15rem; border-left: .3rem solid #2f8f5b; padding: .4rem .8rem; background: #f2f7f4; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th.name, td.name { text-align: left; } tr.best { font-weight: 600; } .matrix td { min-width: 2.4rem; }
pre { background: #f5f5f2; padding: .7rem; overflow-x: auto; font-size: .9rem; } svg { max-width: 100%; height: auto; }
input[type=range] { width: 24rem; max-width: 100%; } .note { color: #666; font-size: .9rem; }
"""

SCRIPT = """
const frames = document.querySelectorAll("#game figure"), slider = document.getElementById("ply");
const show = () => frames.forEach((frame, i) => { frame.hidden = i != slider.value; });
slider.max = frames.length - 1; slider.value = frames.length - 1; slider.addEventListener("input", show); show();
"""


def html(ranking: Ranking) -> str:
    """The whole page."""
    title = f"{ranking.game}: which search is best?"
    terms = "".join(f", {escape(term)}" for term in ranking.terms)
    advice = f" {escape(ranking.advice)}" if ranking.advice else ""
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="verdict">{escape(ranking.verdict())}{advice}</p>',
        f"<p>{ranking.games:,} games in pairs with sides swapped{terms}, seed {ranking.seed}. "
        f"Stopped: {escape(ranking.why_stopped)}.</p>",
        *(_findings(ranking) if ranking.games else _remarks(ranking)),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    page = f"<head>{head}<style>{STYLE}</style></head>\n<body>{''.join(parts)}</body>"
    return f'<!doctype html>\n<html lang="en">{page}</html>\n'


def _findings(ranking: Ranking) -> list[str]:
    """What the games say, if there are any."""
    return [
        "<h2>Ratings, with 95 % intervals</h2>",
        _svg(ratings_figure(ranking), "Ratings with their intervals; the numbers are in the table below"),
        f'<div class="wide">{standings_table(ranking)}</div>',
        '<p class="note">Elo, the mean of the roster at 0. LOS: likelihood of being stronger than the next one. '
        f"{escape(first_move(ranking))}</p>",
        "<h2>Each against each</h2>",
        f'<div class="wide">{matrix_table(ranking)}</div>',
        '<p class="note">Points of the row against the column, in per cent; below, the number of games.</p>',
        "<h2>Effort and strength</h2>",
        _svg(effort_figure(ranking), "Elo against microseconds a move; the numbers are in the first table"),
        *_remarks(ranking),
        *_example(ranking),
        "<h2>Use the winner</h2>",
        f"<pre>{escape(usage(ranking))}</pre>",
    ]


def save(ranking: Ranking, path: str | Path) -> None:
    """Write the page, or the ratings as a picture, as the file's ending says."""
    check_file(path, REPORTS, "report")
    if not str(path).lower().endswith(".html"):
        if not ranking.games:
            raise LudusError(f"{str(path)!r} is not written: there are no games to draw.")
        write_figure(ratings_figure(ranking), path)
        return
    try:
        Path(path).write_text(html(ranking), encoding="utf-8")
    except OSError as error:
        raise LudusError(f"{str(path)!r} cannot be written: {error.strerror or error}.") from error


def usage(ranking: Ranking) -> str:
    """How to use the winner in Python."""
    spec, game = ranking.names[ranking.order[0]], str(ranking.game)
    return f"import ludus\n\ngame = ludus.game({game!r})\nprint(ludus.player({spec!r}).choose(game))\n"


def standings_table(ranking: Ranking) -> str:
    """The table that the command prints."""
    heads = ["", "player", "Elo", "low", "high", "games", "score", "won", "drawn", "lost", "LOS"]
    heads += ["nodes a move", "µs a move", "of budget"]
    names, rows = ranking.short_names, []
    for place, row in enumerate(ranking.standings):
        rating = row.rating
        if not row.games:
            rows.append(_row([str(place + 1), names[row.number], *"---", "0", *([""] * 8)], "td"))
            continue
        cells = [str(place + 1), names[row.number], *map(signed, (rating.value, rating.low, rating.high))]
        cells += [f"{row.games:,}", f"{100 * row.score:.1f} %", str(row.wins), str(row.draws), str(row.losses)]
        cells.append("" if row.superiority is None else f"{100 * row.superiority:.1f} %")
        cells += [f"{row.effort.nodes:,.0f}", f"{row.effort.microseconds:,.0f}"]
        cells.append("" if row.budget_used is None else f"{100 * row.budget_used:.0f} %")
        rows.append(_row(cells, "td", "best" if place == 0 else ""))
    return f"<table>{_row(heads, 'th')}{''.join(rows)}</table>"


def _row(cells: Iterable[str], tag: str, style: str = "") -> str:
    kinds = ("", ' class="name"')
    inner = "".join(f"<{tag}{kinds[place == 1]}>{escape(cell)}</{tag}>" for place, cell in enumerate(cells))
    return f'<tr class="{style}">{inner}</tr>' if style else f"<tr>{inner}</tr>"


def matrix_table(ranking: Ranking) -> str:
    """Each against each, red to green."""
    order, names = ranking.order, ranking.short_names
    rows = [_row(["", "", *(str(place + 1) for place in range(len(order)))], "th")]
    for place, i in enumerate(order):
        cells = [f'<td>{place + 1}</td><td class="name">{escape(names[i])}</td>']
        for j in order:
            wins, draws, losses = ranking.record_against(i, j)
            games = wins + draws + losses
            if not games:
                cells.append("<td></td>")
                continue
            share = (wins + draws / 2) / games
            color = f"hsl({120 * share:.0f} 55% 85%)"
            words = f"{wins} won, {draws} drawn, {losses} lost"
            small = f'<br><small class="note">{games}</small>'
            cells.append(f'<td style="background:{color}" title="{words}">{100 * share:.0f}{small}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f'<table class="matrix">{"".join(rows)}</table>'


def _remarks(ranking: Ranking) -> list[str]:
    """What went wrong, and who is missing."""
    found = [f"{n} forfeited by <code>{escape(who)}</code>: {escape(why)}" for (who, why), n in ranking.faults.items()]
    found += [escape(endless_words(ranking.endless))] if ranking.endless else []
    found += [f"left out: <code>{escape(who)}</code>: {escape(why)}" for who, why in ranking.excluded.items()]
    return ["<h2>Remarks</h2><ul>", *(f"<li>{words}</li>" for words in found), "</ul>"] if found else []


def _example(ranking: Ranking) -> list[str]:
    """One game, position by position."""
    example = ranking.example
    if example is None or ranking.openings is None:
        return []
    number, index = example
    opening, record = ranking.openings.get(number[2]), ranking.pairs[number][index]
    assert opening is not None
    seats = (number[0], number[1]) if index == 0 else (number[1], number[0])
    names = [ranking.short_names[seat] for seat in seats]
    position = opening.game.position()
    frames, told = [_frame(position, "the beginning")], []
    turns = opening.game.turns(record.moves, opening.state)
    for ply, move in enumerate((*opening.moves, *record.moves), -len(opening.moves)):
        turn = turns[ply] if ply >= 0 else None
        who = "opening:" if ply < 0 else "chance:" if turn is None else f"{names[turn]} plays"
        words = f"{who} {opening.game.move_name(position.state, move)}"
        position = position.play(move)
        frames.append(_frame(position, words))
        told.append(f"<li>{escape(words)}</li>")
    winner = names[0] if record.score > 0 else names[1]
    result = f"{winner} wins" if record.score else "a draw"
    shown = frames if len(frames) <= FRAMES else frames[: FRAMES // 2] + frames[-FRAMES // 2 :]
    title = f"<h2>A game: {escape(names[0])} against {escape(names[1])}, {escape(result)}</h2>"
    if not _has_looks(ranking.game):
        return [title, f"<ol>{''.join(told)}</ol>"]
    return [
        title,
        f'<p><input type="range" id="ply" min="0" aria-label="ply"></p><div id="game">{"".join(shown)}</div>',
        f"<script>{SCRIPT}</script>",
    ]


def _has_looks(game: Game) -> bool:
    """Whether the game shows its positions in its own way; else they are bare numbers, which nobody wants to see."""
    own = type(game)
    return hasattr(own, "svg") or own.render is not Game.render or own.state_text is not Game.state_text


def _frame(position: Position, words: str) -> str:
    picture = position._repr_svg_() or f"<pre>{escape(str(position))}</pre>"
    return f"<figure><figcaption>{escape(words)}</figcaption>{picture}</figure>"


def _svg(figure: Any, words: str) -> str:
    """The drawing alone, with words for those who do not see it: its letters are shapes."""
    buffer = io.StringIO()
    write_figure(figure, buffer, format="svg")
    text = buffer.getvalue()
    return f'<svg role="img" aria-label="{escape(words)}" {text[text.index("<svg") + 5 :]}'
