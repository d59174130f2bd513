"""How often B* is right on a real game, where its intervals are calibrated and prove nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import ludus
from benchmarks.measure import Row, benchmark
from ludus.learning.calibrate import calibrate
from ludus.library.searches.best_first.bfmm import BestFirstMinimax
from ludus.library.searches.best_first.bstar import BStar
from ludus.library.searches.best_first.bstar_probability import BStarProbability, move_to_pursue
from ludus.model.budget import Budget
from ludus.model.game import Game
from ludus.runtime.player import Player
from ludus.runtime.session import Session


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


@benchmark
def palay(quick: bool) -> Iterator[Row]:
    """How much of the tree lies below the root's move with most of it, after 2000 nodes in positions of random games of
    Othello: by Palay's choice between PROVEBEST and DISPROVEREST, and by Berliner's."""
    game, source = ludus.game("othello"), random.Random(0)
    evaluator = calibrate(game).evaluator.on(game)
    positions = [some_position(game, source) for _ in range(10 if quick else 100)]
    shares = []
    for choice in ("palay", "berliner"):
        session = Session(BStar(choice=choice), game, evaluator, compiled=True)  # type: ignore[arg-type]
        found = []
        for state in positions:
            session.run(state, Budget(nodes=2_000))
            found.append(largest_share(session.tree.record))
        shares.append(100 * float(np.mean(found)))
    yield Row("palay", "% of the nodes below one move", *shares, "berliner")


def largest_share(tree: Any) -> float:
    """Of the nodes below the root's moves, the part that lies below one of them. Parents come before their children."""
    size, count = int(tree.size[0]), int(tree.count[0])
    top = np.arange(size)
    for node in range(1 + count, size):
        top[node] = top[tree.parent[node]]
    below = np.bincount(top[1 + count :], minlength=1)
    return float(below.max() / max(below.sum(), 1))


@benchmark
def bstar_probability(quick: bool) -> Iterator[Row]:
    """Points of 100 games of Othello against alpha-beta, 2000 nodes a move each: B* with distributions as it is; and,
    when it never stops early, with another assumption about them, another choice of the leaf, both, or another choice
    of the move. Best-first minimax for comparison."""
    game = ludus.game("othello")
    evaluator = calibrate(game).evaluator
    theirs = Player("alphabeta", evaluator, Budget(nodes=2_000))
    kinds = (BStarProbability, Together, Principal, TogetherPrincipal, ByMinimax)
    for search in (BStarProbability(), *(kind(doubt=0) for kind in kinds), BestFirstMinimax()):
        ours = Player(search, evaluator, Budget(nodes=2_000))
        match = ludus.match(game, ours, theirs, games=4 if quick else 100, seed=1, workers=1).to_dict()
        yield Row(str(search), "points", *match["points"], "alphabeta")


class Together(BStarProbability):
    """Values are not independent: where one is high, all are. The best of several is then no better than the best."""

    name = "bstar-probability-together"

    def both(self, one, other):
        return min(one, other)


class Principal(BStarProbability):
    """The next leaf is the principal one, along the best means, as in best-first minimax."""

    name = "bstar-probability-principal"

    def select(self, game, tree):
        node = move_to_pursue(self, tree)
        if node < 0:
            return node
        node = np.int64(0)
        while tree.count[node] > 0:
            node = best_open(tree, node)
        return node


class TogetherPrincipal(Principal):
    """Both."""

    name = "bstar-probability-together-principal"

    def both(self, one, other):
        return min(one, other)


class ByMinimax(BStarProbability):
    """Played is the best move by minimax, from the middles of the leaves' intervals, in the same tree."""

    name = "bstar-probability-minimax"

    def choice(self, tree):
        return best_by_minimax(tree)


def best_open(tree, node):
    """The child of best mean, of those with something to expand below."""
    found = np.int64(-1)
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.open[child] == 1 and (found < 0 or tree.value[child] < tree.value[found]):
            found = np.int64(child)
    return found


def best_by_minimax(tree: Any) -> int:
    """Children come after their parents: one sweep."""
    size = int(tree.size[0])
    first, count = tree.first[:size].tolist(), tree.count[:size].tolist()
    values = ((tree.low[:size] + tree.high[:size]) / 2).tolist()
    for node in range(size - 1, -1, -1):
        if count[node] > 0:
            values[node] = -min(values[first[node] : first[node] + count[node]])
    return min(range(first[0], first[0] + count[0]), key=values.__getitem__)


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
