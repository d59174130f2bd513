"""Rankings of invented games: who is named earlier is stronger, as much as is wanted."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import ludus
from ludus.arena.play.openings import Openings
from ludus.arena.play.records import GameRecord
from ludus.arena.ranking import Ranking
from ludus.model.budget import Meter

SHORT = ("bfmm", "alphabeta", "lcf", "uct", "minimax", "greedy", "sampler", "random")
LONG = (
    "alphabeta(eval=open-lines, table=true, killers=true, history=true, nodes=8000)",
    *(f"bfmm(eval=weighted-lines, nodes={100 * k})" for k in range(1, 12)),
)
"""Twelve, one of them longer than the others."""

Score = Callable[[random.Random, int, int, int], int]


def stronger_first(dice: random.Random, one: int, other: int, index: int) -> int:
    """1 or -1 for `one`, who is 80 Elo stronger for each place between them."""
    return 1 if dice.random() < 1 / (1 + 10 ** (-80 * (other - one) / 400)) else -1


def invented(
    specs: Sequence[str],
    pairs: int = 4,
    score: Score = stronger_first,
    microseconds: Sequence[float] = (),
    plies: int = 4,
) -> Ranking:
    """Everybody has played so many pairs of tic-tac-toe with each; `score` says how a game ends for the first named."""
    game, dice = ludus.game("tictactoe"), random.Random(1)
    players = [ludus.player(spec).on(game) for spec in specs]
    ranking = Ranking(game, players, 0, openings=Openings(game, plies, 0))
    times = microseconds or [100.0 * (1 + i) for i in range(len(specs))]
    for number in [(i, j, k) for i in range(len(specs)) for j in range(i + 1, len(specs)) for k in range(pairs)]:
        one, other, _ = number
        records = []
        for index, seats in enumerate(((one, other), (other, one))):
            result = score(dice, one, other, index)
            effort = [Meter(5000, 10, 10, 10, 5e-6 * times[seat]) for seat in seats]
            records.append(GameRecord((), -result if index else result, (effort[0], effort[1]), (5, 5)))
        ranking.add(number, (records[0], records[1]))
    return ranking
