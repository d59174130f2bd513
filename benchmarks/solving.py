"""`solve`: nodes and nodes a second on endgames of Othello and positions of Connect Four, beside published counts."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ludus
from benchmarks.measure import Row, benchmark

POSITIONS = Path(__file__).parent / "positions"

EDAX = 2590469.0
"""Nodes of Edax 4 on the endgames 1 to 19 of FForum, as its own output gives them."""

MIDDLE, OPENING = 449.6, 3298.0
"""Mean positions of a public solver of Connect Four (alternating order, table, a look at threats) on easy positions of
the middle game and of the opening, 1000 of each; ours are the first 60 of the same."""


def endgames() -> list[tuple[str, dict[str, int]]]:
    """Endgames of Othello with 14 to 18 empty squares, and what each move is worth (FForum)."""
    lines = (POSITIONS / "ffo.obf").read_text().splitlines()
    rows = [line.rstrip(";").split(";") for line in lines if not line.startswith("%")]
    return [(row[0], {move: int(worth) for move, worth in (item.split(":") for item in row[1:])}) for row in rows]


def openings(name: str) -> list[tuple[str, int]]:
    """Positions of Connect Four, as the columns played, with who wins: 1 the player to move, 0 nobody, -1 the other."""
    rows = [line.split() for line in (POSITIONS / f"connect4-{name}.txt").read_text().splitlines()]
    return [(columns, (int(score) > 0) - (int(score) < 0)) for columns, score in rows]


def positions(game: ludus.Game, plies: range, how_many: int, seed: int = 0) -> list[Any]:
    """Positions so many random plies from the start, none of them finished, with something to choose."""
    source, found = random.Random(seed), []
    while len(found) < how_many:
        state, left = game.start, source.choice(plies)
        while left > 0 and (legal := game.legal(state)):
            state, left = game.after(state, source.choice(legal)), left - 1
        if left == 0 and len(game.legal(state)) > 1:
            found.append(state)
    return found


def solved(game: ludus.Game, states: list[Any], megabytes: int = 256) -> tuple[ludus.Meter, float]:
    """What it costs to solve all of these, and the seconds of the processor that it takes."""
    player = ludus.Player(f"solve(memory_of_table={megabytes})", "zero", "nodes=1000000000", compiled=True)
    table = player.session(game).tree.record.table  # compiles
    for array in (table.entry, *table.state):
        array.fill(0)  # the system finds memory when it is first written to: half a second, in which nothing is solved
    started = time.process_time()
    meters = [player.choose(game, state).meter for state in states]
    return sum(meters, ludus.Meter()), time.process_time() - started


@benchmark
def solve(quick: bool) -> Iterator[Row]:
    """The exact result, by the processor's time: Othello and Connect Four beside published counts; small boards."""
    yield from on_othello(quick)
    yield from on_connect4(quick)
    for spec in ("othello(size=4)",) if quick else ("othello(size=4)", "connect4(columns=6, rows=5)"):
        game = ludus.game(spec)
        yield Row(f"{spec} from the start", "s", solved(game, [game.start])[1])


def on_othello(quick: bool) -> Iterator[Row]:
    """Seconds and nodes a second by the number of empty squares; nodes in all beside a strong program's."""
    game = ludus.game("othello")
    for empties, goal in ((14, "seconds"), (15, "seconds"), (16, "seconds"), (17, ""), (18, "below 120")):
        some = [game.parse_state(text) for text, _ in endgames() if text.count("-") == empties]
        if quick and empties > 14:
            continue
        meter, seconds = solved(game, some)
        yield Row(f"othello, FForum, {empties} empties", "s each", seconds / len(some), goal=goal)
        yield Row(f"othello, FForum, {empties} empties", "nodes/s", meter.generated / seconds)
    if quick:
        return
    meter, _ = solved(game, [game.parse_state(text) for text, _ in endgames()[:19]])
    yield Row("othello, FForum 1 to 19", "nodes", meter.generated, EDAX, "Edax", "ratio below 5")
    small = ludus.game("othello(size=6)")
    _, seconds = solved(small, positions(small, range(12, 13), 3))
    yield Row("othello(size=6), 20 empties", "s each", seconds / 3, goal="below 60")


def on_connect4(quick: bool) -> Iterator[Row]:
    """Another program's positions are those that it searched, which here are those whose moves were listed."""
    game = ludus.game("connect4")
    for name, theirs in (("middle", MIDDLE), ("opening", OPENING)):
        some = openings(name)[: 5 if quick else None]
        meter, _ = solved(game, [game.parse_state(columns) for columns, _ in some])
        for what, count in (("positions searched", meter.expanded), ("nodes generated", meter.generated)):
            yield Row(f"connect4, {name}", f"{what}, each", count / len(some), theirs, "published", "ratio below 5")
    for megabytes in (1, 64, 256):
        meter, seconds = solved(game, positions(game, range(8, 9), 1 if quick else 5), megabytes)
        name = f"connect4, 8 plies played, table of {megabytes} MB"
        yield Row(name, "nodes/s", meter.generated / seconds, goal="10 million")
