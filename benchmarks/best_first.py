"""Best-first searches: what an expansion costs as the tree grows; and how often B* is right."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from typing import Any

import ludus
from benchmarks.measure import Row, benchmark
from ludus.core.budget import EXPANDED, GENERATED, Budget
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.player import Player
from ludus.core.search import Session
from ludus.learning.calibrate import calibrate

SEARCHES = ("proof-number", "conspiracy", "bstar", "bstar-probability(doubt=0)")
GAMES = ("random-tree(branching=2)", "random-tree(branching=10)", "random-tree(branching=20)", "othello")


@benchmark
def best_first(quick: bool) -> Iterator[Row]:
    """Microseconds an expansion, of processor time, against best-first minimax."""
    for spec in GAMES[1::2] if quick else GAMES:
        game = ludus.game(spec)
        evaluator = calibrate(game, positions=2_000).evaluator
        for nodes in (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000):
            bfmm = microseconds("bfmm", game, evaluator, nodes)
            for search in SEARCHES:
                ours = microseconds(search, game, evaluator, nodes)
                if ours == ours:  # or it was done before
                    yield Row(f"{search}, {spec}, {nodes:,}", "us an expansion", ours, bfmm, "bfmm", "ratio at most 5")


def microseconds(search: str, game: Game, evaluator: Evaluator, nodes: int) -> float:
    """The better of two runs; NaN if the search is done with less than half of the nodes."""
    session, taken = Session(ludus.search(search), game, evaluator.on(game), compiled=True), []
    for _ in range(2):
        started = time.process_time()
        session.run(game.start, Budget(nodes=nodes, memory=4000))
        taken.append(time.process_time() - started)
    done = session.meter[GENERATED] < nodes / 2
    return math.nan if done else 1e6 * min(taken) / int(session.meter[EXPANDED])


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
