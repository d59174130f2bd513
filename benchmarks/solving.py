"""`solve`: nodes and nodes a second on endgames of Othello and on positions of Connect Four."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import ludus
from benchmarks.measure import Row, benchmark

MIDDLE, OPENING = 449.6, 3298.0
"""Mean positions of a public solver of Connect Four (alternating order, table, a look at threats) on easy positions of
the middle game and of the opening. Its positions are not ours: ours come from random play."""


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


def solved(game: ludus.Game, states: list[Any], budget: str = "nodes=1000000000") -> ludus.Meter:
    """What it costs to solve all of these."""
    player = ludus.Player("solve(memory_of_table=256)", "zero", budget, compiled=True)
    table = player.session(game).tree.record.table  # compiles
    for array in (table.entry, *table.state):
        array.fill(0)  # the system finds memory when it is first written to: half a second, in which nothing is solved
    meters = [player.choose(game, state).meter for state in states]
    return sum(meters, ludus.Meter())


def easy(game: ludus.Game, plies: range, how_many: int) -> list[Any]:
    """Positions that are decided within 13 plies of best play, as the public solver's easy ones are."""
    player, found = ludus.Player("solve(goal=result)", "zero", "depth=13", compiled=True), []
    for seed in range(100 * how_many):
        [state] = positions(game, plies, 1, seed)
        if len(found) < how_many and player.choose(game, state).chosen.known.proven:
            found.append(state)
    return found


@benchmark
def solve(quick: bool) -> Iterator[Row]:
    """The exact result: Othello endgames from random play, Connect Four, a small board."""
    game = ludus.game("othello")
    for empties, how_many, goal in ((12, 10, ""), (14, 10, "seconds"), (16, 6, "seconds"), (18, 2, "below 120")):
        if quick and empties > 12:
            continue
        meter = solved(game, positions(game, range(60 - empties, 61 - empties), how_many))
        yield Row(f"othello, {empties} empties", "s each", meter.seconds / how_many, goal=goal)
        yield Row(f"othello, {empties} empties", "nodes/s", meter.generated / meter.seconds)
    game = ludus.game("connect4")
    for name, plies, theirs in (("middle game", range(15, 29), MIDDLE), ("opening", range(8, 15), OPENING)):
        how_many = 5 if quick else 40
        meter = solved(game, easy(game, plies, how_many))
        yield Row(f"connect4, {name}", "nodes each", meter.generated / how_many, theirs, "published", "ratio below 5")
    meter = solved(game, positions(game, range(8, 9), 1 if quick else 5))
    yield Row("connect4, 8 plies played", "nodes/s", meter.generated / meter.seconds, goal="10 million")
    for spec in ("othello(size=4)",) if quick else ("othello(size=4)", "connect4(columns=6, rows=5)"):
        game = ludus.game(spec)
        yield Row(f"{spec} from the start", "s", solved(game, [game.start]).seconds)
