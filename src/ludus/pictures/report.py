"""The report of a ranking as one HTML file that needs nothing else: no script to load, no font, no picture."""

from __future__ import annotations

import io
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from ludus.arena.playing import endless_words
from ludus.core.position import Position

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
    shared = f", all with <code>{escape(ranking.in_common)}</code>" if ranking.in_common else ""
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="verdict">{escape(ranking.verdict())}</p>',
        f"<p>{ranking.games:,} games in pairs with sides swapped{shared}, seed {ranking.seed}. "
        f"Stopped: {escape(ranking.why_stopped)}.</p>",
        "<h2>Ratings, with 95 % intervals</h2>",
        _svg(ratings_figure(ranking)),
        f'<div class="wide">{standings_table(ranking)}</div>',
        '<p class="note">Elo, the mean of the roster at 0. LOS: likelihood of being stronger than the next one. '
        f"Moving first is worth {_signed(ranking.ratings.first_move.value)} Elo "
        f"({_signed(ranking.ratings.first_move.low)} to {_signed(ranking.ratings.first_move.high)}).</p>",
        "<h2>Each against each</h2>",
        f'<div class="wide">{matrix_table(ranking)}</div>',
        '<p class="note">Points of the row against the column, in per cent; below, the number of games.</p>',
        "<h2>Effort and strength</h2>",
        _svg(effort_figure(ranking)),
        *_remarks(ranking),
        *_example(ranking),
        "<h2>Use the winner</h2>",
        f"<pre>{escape(usage(ranking))}</pre>",
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    page = f"<head>{head}<style>{STYLE}</style></head>\n<body>{''.join(parts)}</body>"
    return f'<!doctype html>\n<html lang="en">{page}</html>\n'


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
        cells = [str(place + 1), names[row.number], *map(_signed, (rating.value, rating.low, rating.high))]
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


def ratings_figure(ranking: Ranking) -> Any:
    """Ratings with error bars, the best on top."""
    rows, names = ranking.standings, ranking.short_names
    figure, axes = _figure(8, 1.1 + 0.34 * len(rows))
    for place, row in enumerate(rows):
        _bar(axes, row.rating.value, place, horizontal=(row.rating.low, row.rating.high), best=place == 0)
    axes.set_yticks(range(len(rows)), [names[row.number] for row in rows])
    axes.invert_yaxis()
    axes.axvline(0, color="#999", linewidth=0.8)
    axes.set_xlabel("Elo")
    axes.grid(axis="x", color="#ddd", linewidth=0.6)
    return figure


def effort_figure(ranking: Ranking) -> Any:
    """What a move costs in time, and what it is worth."""
    rows, names = ranking.standings, ranking.short_names
    figure, axes = _figure(8, 4.2)
    for place, row in enumerate(rows):
        x = max(row.effort.microseconds, 0.1)
        _bar(axes, x, row.rating.value, vertical=(row.rating.low, row.rating.high), best=place == 0)
        axes.annotate(names[row.number], (x, row.rating.value), xytext=(6, 4), textcoords="offset points", fontsize=9)
    axes.set_xscale("log")
    axes.set_xlabel("microseconds a move")
    axes.set_ylabel("Elo")
    axes.margins(x=0.15)
    axes.grid(color="#ddd", linewidth=0.6)
    return figure


def _bar(axes: Any, x: float, y: float, *, best: bool, horizontal: Any = None, vertical: Any = None) -> None:
    errors = {}
    if horizontal:
        errors["xerr"] = [[x - horizontal[0]], [horizontal[1] - x]]
    if vertical:
        errors["yerr"] = [[y - vertical[0]], [vertical[1] - y]]
    axes.errorbar([x], [y], fmt="o", color="#2f8f5b" if best else "#456", capsize=3, **errors)


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _svg(figure: Any) -> str:
    """The drawing alone, its words as text, the same bytes each time."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "ludus"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


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
    frames = [_frame(position, "the beginning")]
    turns = opening.game.turns(record.moves, opening.state)
    for ply, move in enumerate((*opening.moves, *record.moves), -len(opening.moves)):
        turn = turns[ply] if ply >= 0 else None
        who = "opening:" if ply < 0 else "chance:" if turn is None else f"{names[turn]} plays"
        words = f"{who} {opening.game.move_name(position.state, move)}"
        position = position.play(move)
        frames.append(_frame(position, words))
    winner = names[0] if record.score > 0 else names[1]
    result = f"{winner} wins" if record.score else "a draw"
    shown = frames if len(frames) <= FRAMES else frames[: FRAMES // 2] + frames[-FRAMES // 2 :]
    return [
        f"<h2>A game: {escape(names[0])} against {escape(names[1])}, {escape(result)}</h2>",
        f'<p><input type="range" id="ply" min="0" aria-label="ply"></p><div id="game">{"".join(shown)}</div>',
        f"<script>{SCRIPT}</script>",
    ]


def _frame(position: Position, words: str) -> str:
    picture = position._repr_svg_() or f"<pre>{escape(str(position))}</pre>"
    return f"<figure><figcaption>{escape(words)}</figcaption>{picture}</figure>"


def _signed(value: float) -> str:
    return f"{value:+.0f}"
