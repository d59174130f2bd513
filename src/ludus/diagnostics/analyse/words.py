"""An analysis in words: what it says in short, and its tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ludus.common.interval import Estimate
from ludus.common.texttable import Column, lay_out, wrap
from ludus.diagnostics.analyse.complexity import FEW
from ludus.diagnostics.analyse.first_moves import FirstMove
from ludus.diagnostics.analyse.good_play import FACTOR, Rung
from ludus.diagnostics.analyse.tally import Tally

if TYPE_CHECKING:
    from ludus.diagnostics.analyse.report import Analysis

SHOWN = 8
"""How many first moves the terminal shows."""

SAME = 0.6
"""More search is said not to help if its score is surely below this."""

BARS = "▁▂▃▄▅▆▇█"

RESULTS = {1.0: "First wins", 0.0: "a draw", -1.0: "Second wins"}


# In short.


def verdict(about: Analysis) -> list[str]:
    """What the figures say, a sentence for each question that an inventor has."""
    return [*_who(about), *_skill(about), *_decisive(about), *_openings(about), *_doubts(about)]


def _who(about: Analysis) -> Iterator[str]:
    if about.value is not None:
        yield f"Solved: under best play {RESULTS[about.value] if about.value else 'nobody wins'}."
    good = about.good
    tally = good.tally if good is not None and good.tally.games else about.random
    play = "good play" if tally is not about.random else "random play"
    first, second, draw = tally.results.values()
    if good is not None and tally is good.tally and good.distinct < tally.games / 2:
        many = "the same game" if good.distinct == 1 else f"only {good.distinct} different games"
        yield (
            f"In {tally.games} games of good play there were {many}, so their shares say little: `openings=2` lets "
            "them begin with random moves."
        )
    elif first.low > second.high:
        yield f"In {play} moving first is an advantage: First wins {_percent(first)}, Second {_percent(second)}."
    elif second.low > first.high:
        yield f"In {play} moving second is an advantage: Second wins {_percent(second)}, First {_percent(first)}."
    else:
        yield (
            f"In {play} no side's advantage shows in {tally.games:,} games: First wins {_percent(first)}, Second "
            f"{_percent(second)}."
        )
    if draw.low > 0.5:
        yield f"Most games of {play} are drawn, {_percent(draw)}."


def _skill(about: Analysis) -> Iterator[str]:
    """Does a better player win, and up to where?"""
    rungs = [] if about.good is None else [rung for rung in about.good.rungs if rung.games]
    if len(rungs) < 2:
        return
    top = rungs[-1]
    told = f"{top.nodes:,} nodes a move score {_percent(top.score)} against {top.nodes // FACTOR:,}"
    if top.score.low > 0.5:
        yield f"More search wins, as far as was looked: {told}."
        return
    if all(rung.score.low <= 0.5 for rung in rungs):
        every = Rung("", "", 0, [sum(counts) for counts in zip(*(rung.pairs for rung in rungs), strict=True)])
        told = f"against random moves and against a quarter of the nodes it scores {_percent(every.score)}"
        if every.score.high >= SAME:
            yield f"Whether more search helps cannot be told from {every.games} games: {told}."
        else:
            yield f"More search does not help: {told}. The result is luck, or it was decided before the first move."
        return
    helped = [rung for rung in rungs if rung.score.low > 0.5][-1]
    if top.score.high >= SAME and top.score.value > 0.5:
        yield f"Up to {helped.nodes:,} nodes more search wins; beyond, {top.games} games cannot tell: {told}."
        return
    reason = (
        "chance decides the rest, or play is already as good as it gets"
        if about.game.has_chance
        else "play is already as good as it gets, or this search does not find what is better"
    )
    if about.value is not None:
        reason = "the game is solved, and both play it nearly perfectly"
    yield f"More search helps up to {helped.nodes:,} nodes and no further: {told}; {reason}."


def _decisive(about: Analysis) -> Iterator[str]:
    if about.exact is not None:
        yield (
            f"A move that is a choice decides something in {about.exact.decisive:.0%} of cases in random play (some "
            f"moves keep the result, others change it); {about.exact.mistakes:.0%} of random moves give something away."
        )
    elif about.stakes is not None and len(about.stakes.spread) > 1:
        found: dict[str, Any] = about.stakes.to_dict()
        decisive, gain = Estimate(**found["decisive"]), Estimate(**found["gain"])
        yield (
            f"A move is decisive, worth half a point or more between the best and the worst, in {_percent(decisive)} "
            f"of {found['positions']} positions; the best move is worth {100 * gain.value:.0f} % of a point more than "
            "a random one (judged by random play after it)."
        )


def _openings(about: Analysis) -> Iterator[str]:
    moves = about.first_moves
    won = [move.name for move in moves if move.value == 1.0]
    if won and len(won) == len(moves):
        yield "Every first move wins."
    elif won:
        yield f"First moves that win, proven: {_named(won)}."
    likely = [move for move in moves if move.value is None and move.overwhelming]
    for move in likely[:3]:
        yield f"First move {move.name} won {move.good[0]} of {sum(move.good)} games of good play."


def _doubts(about: Analysis) -> Iterator[str]:
    tally = about.random
    if tally.unfinished:
        yield f"{tally.unfinished:,} of {tally.games:,} random games did not end, and count as draws."
    if about.game.has_chance:
        yield (
            "Chance has a part: its outcomes count as moves in the sizes, not in length and choice; nothing is solved, "
            "and a better player need not win."
        )
    if not about.compiled:
        yield "The rules run interpreted, so there are fewer games and weaker players than usual."
    if about.stopped != "games":
        yield f"Not all was done: stopped by {'Ctrl-C' if about.stopped == 'interrupted' else '`minutes`'}."


def _named(names: Sequence[str]) -> str:
    more = len(names) - 12
    return ", ".join(names[:12]) + (f" and {more} more" if more > 0 else "")


# The terminal.


def text(about: Analysis, width: int) -> str:
    """All of it, in lines of at most this width."""
    many = f"{about.random.games:,} random games"
    good = about.good
    if good is not None and good.tally.games:
        many += f", {good.tally.games:,} of {good.player} against itself"
    lines = [*wrap(f"{about.game}: {many} (seed {about.seed})", width), ""]
    for sentence in verdict(about):
        lines += wrap(sentence, width)
    lines += ["", *lay_out(results_table(about), width)]
    for tally, name in _tallies(about):
        lines += ["", *_curve(tally, name, width)]
    if ladder := rungs_table(about):
        lines += ["", *lay_out(ladder, width)]
    lines += ["", *(line for sentence in sizes(about) for line in wrap(sentence, width, "  "))]
    if moves := moves_table(about.first_moves[:SHOWN]):
        lines += ["", *lay_out(moves, width)]
        if len(about.first_moves) > SHOWN:
            lines.append(f"({len(about.first_moves) - SHOWN:,} more first moves)")
    return "\n".join(lines)


def _tallies(about: Analysis) -> list[tuple[Tally, str]]:
    found = [(about.random, "random play")]
    if about.good is not None and about.good.tally.games:
        found.append((about.good.tally, "good play"))
    return found


def results_table(about: Analysis) -> list[Column]:
    """Who wins, how long, how many moves: random play and good play side by side."""
    tallies = _tallies(about)
    names = ["First wins", "Second wins", "drawn", "last mover wins", "moves in a game", "  half of the games"]
    names += ["legal moves", "only one legal"]
    columns = [Column("", names, left=True)]
    for tally, head in tallies:
        found = tally.to_dict()
        quarter, three = tally.lengths_at(0.25, 0.75)
        last = found["last_mover_wins"]
        cells = [_percent(estimate) for estimate in tally.results.values()]
        cells += ["-" if last is None else f"{last:.1%}".replace("%", " %"), f"{tally.length:.1f}"]
        cells += [f"{quarter} … {three}", "-" if tally.branching is None else f"{tally.branching:.1f}"]
        cells.append(f"{100 * found['forced']:.1f} %")
        columns.append(Column(head, cells))
    return columns


def _curve(tally: Tally, name: str, width: int) -> list[str]:
    """Two lines of bars: how many games had each number of moves, and how many legal moves there were at each."""
    room = max(min(width - 52, 60), 10)
    longest = len(tally.made)
    if longest < 2:
        return []
    size = -(-longest // room)
    lengths = [sum(tally.lengths[i] for i in range(1 + at, 1 + at + size)) for at in range(0, longest, size)]
    legal = [
        tally.legal[at : at + size].sum() / max(tally.made[at : at + size].sum(), 1) for at in range(0, longest, size)
    ]
    most = max(legal)
    return [
        f"{name + ': games by length':<30} {bars(lengths)} 1 … {longest} moves",
        f"{name + ': legal moves':<30} {bars(legal)} up to {most:.1f} on average",
    ]


def bars(values: Sequence[float]) -> str:
    """A bar for each number, the largest the highest; a blank for nothing."""
    top = max(max(values), 1e-300)
    return "".join(" " if value <= 0 else BARS[min(int(len(BARS) * value / top), len(BARS) - 1)] for value in values)


def rungs_table(about: Analysis) -> list[Column]:
    """A row for each rung of the ladder; nothing if none was climbed."""
    rungs = [] if about.good is None else [rung for rung in about.good.rungs if rung.games]
    if not rungs:
        return []
    return [
        Column("nodes a move", [f"{rung.nodes:,}" for rung in rungs]),
        Column("against", [_opponent(rung) for rung in rungs]),
        Column("games", [f"{rung.games:,}" for rung in rungs]),
        Column("score", [_percent(rung.score) for rung in rungs]),
    ]


def _opponent(rung: Rung) -> str:
    return "random" if rung.against.startswith("random") else f"{rung.nodes // FACTOR:,}"


def sizes(about: Analysis) -> list[str]:
    """How large the game is, in sentences."""
    found = about.complexity
    if not found:
        return []
    tree, positions = found["tree"], found["positions"]
    if positions["exact"] is not None:
        return [
            f"positions  {positions['exact']:,} can be reached, counted ({positions['seen']:,} seen in random games)",
            f"tree       {tree['exact']:,} different games, counted; Knuth's estimate was {_size(tree)}",
        ]
    upper = _power(found["nodes"]["log10"])
    doubt = ""
    if tree["effective"] < FEW:
        doubt = "; it rests on few of the random games, and is rather too small"
    return [
        f"positions  at least {_power(math.log10(max(positions['at_least'], 1)))} (Chao's lower bound from "
        f"{positions['seen']:,} seen), at most {upper}, the nodes of the tree",
        f"tree       about {_size(tree)} different games (Knuth's estimate){doubt}",
    ]


def moves_table(moves: Sequence[FirstMove]) -> list[Column]:
    """A row for each of these first moves."""
    if not moves:
        return []
    rows = [move.to_dict() for move in moves]
    return [
        Column("first move", [move.name for move in moves], left=True, elastic=True),
        Column("proven", ["?" if move.value is None else RESULTS[move.value] for move in moves], left=True),
        Column("good games", [f"{row['good']['games']:,}" for row in rows], 2),
        Column("score", [_score(row["good"]["score"]) for row in rows], 2),
        Column("random games", [f"{row['random']['games']:,}" for row in rows], 1),
        Column("score", [_score(row["random"]["score"]) for row in rows], 1),
    ]


# Numbers.


def _score(found: dict[str, float] | None) -> str:
    return "-" if found is None else _percent(Estimate(**found))


def _percent(found: Estimate) -> str:
    return f"{100 * found.value:.1f} % ({100 * found.low:.0f} … {100 * found.high:.0f})"


def _power(log10: float) -> str:
    """A number that may be very large, from its logarithm."""
    if log10 < 6:
        return f"{10**log10:,.0f}"
    whole = math.floor(log10)
    return f"{10 ** (log10 - whole):.1f} * 10^{whole}"


def _size(found: dict[str, Any]) -> str:
    return f"{_power(found['log10'])} ({_power(found['log10_low'])} … {_power(found['log10_high'])})"
