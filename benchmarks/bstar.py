"""How often B* is right on a real game, where its intervals are calibrated and prove nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import ludus
from benchmarks.measure import Row, benchmark
from ludus.core.budget import Budget
from ludus.core.game import Game
from ludus.core.player import Player
from ludus.learning.calibrate import calibrate


@benchmark
def bstar(quick: bool) -> Iterator[Row]:
    """Of moves chosen with 2000 nodes in positions of random games of Othello: how many are as good as any, judged by
    alpha-beta eight plies deep? B*, where it is sure and where it is not, and alpha-beta in the same positions."""
    game, source = ludus.game("othello"), random.Random(0)
    evaluator = calibrate(game).evaluator
    positions = [some_position(game, source) for _ in range(10 if quick else 100)]
    judge = Player("alphabeta", evaluator, Budget(depth=4 if quick else 8))
    plain = Player("alphabeta", evaluator, Budget(nodes=2_000))
    theirs = [is_best(game, judge, state, plain.choose(game, state).move) for state in positions]
    for choice in ("berliner", "palay"):
        player = Player(f"bstar(choice={choice})", evaluator, Budget(nodes=2_000))
        results = [player.choose(game, state) for state in positions]
        ours = [is_best(game, judge, state, result.move) for state, result in zip(positions, results, strict=True)]
        for words in ("sure", "nodes"):
            some = [i for i, result in enumerate(results) if result.stopped == words]
            if some:
                share = [100 * sum(each[i] for i in some) / len(some) for each in (ours, theirs)]
                yield Row(f"{choice}, {words}, {len(some)} positions", "% as good as any", *share, "alphabeta")


def some_position(game: Game, source: random.Random) -> Any:
    """After 4 to 45 random moves, with a choice of moves."""
    while True:
        state = game.start
        for _ in range(source.randint(4, 45)):
            legal = game.legal(state)
            state = game.after(state, source.choice(legal)) if legal else game.start
        if len(game.legal(state)) > 1:
            return state


def is_best(game: Game, judge: Player, state: Any, move: int) -> bool:
    """Whether the judge finds no better move."""
    best, budget = judge.choose(game, state), judge.budget
    after = game.after(state, move)
    if best.move == move or not game.legal(after):
        return best.move == move
    judge.budget = Budget(depth=int(budget.depth or 0) - 1)
    reply = judge.choose(game, after)
    judge.budget = budget
    return -reply.value >= best.value
