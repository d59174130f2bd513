"""Known results about full-width searches, ours beside theory: leaves, and the branching that is left."""

from __future__ import annotations

from collections.abc import Iterator

import ludus
from benchmarks.measure import Row, benchmark
from ludus.library.games.dbf_tree import HEIR, DbfTree
from ludus.library.games.synthetic import drawn, drawn_below, fair, numbered

LISTED = 2  # a node's own draw, after its rank and its best child
OTHERS = ("pvs", "scout", "mtdf", "sss", "sss(dual=true)")


class OrderedTree(DbfTree):
    """A strongly ordered tree (Marsland & Campbell 1982): the best move is listed first at four nodes of five or so."""

    def moves(self, state, out):
        key, depth, _, _ = state
        n = numbered(out, self.branching if depth < self.depth else 0)
        if n > 0 and depth > 0 and drawn(key, LISTED) < 0.75:
            best = drawn_below(key, HEIR, self.branching)
            out[0], out[best] = best, 0
        return n


@benchmark
def full_width(quick: bool) -> Iterator[Row]:
    """Leaves evaluated to a fixed depth, moves as listed, beside alpha-beta's; alpha-beta's branching beside theory."""
    branching, depth, trees = (3, 5, 5) if quick else (5, 8, 40)
    for kind, words in ((DbfTree, "random trees"), (OrderedTree, "ordered trees")):
        games = [kind(branching=branching, depth=depth, seed=seed) for seed in range(trees)]
        theirs = leaves("alphabeta", games, quick)
        for spec in OTHERS:
            yield Row(f"{spec}, {words}", "leaves", leaves(spec, games, quick), theirs, "alphabeta")
    for branching, depth in ((2, 7), (3, 5)) if quick else ((2, 18), (4, 10), (8, 7)):
        found = branching_factor(branching, depth, trees, quick)
        xi = fair(branching)
        yield Row(f"alphabeta, {branching} moves", "branching", found, xi / (1 - xi), "Pearl's xi / (1 - xi)")
        yield Row(f"alphabeta, {branching} moves", "branching", found, branching**0.75, "b^(3/4)")


def branching_factor(branching: int, depth: int, trees: int, quick: bool) -> float:
    """By how much two more plies multiply the leaves that alpha-beta evaluates; of that the square root."""
    deep, shallow = (
        leaves("alphabeta", [DbfTree(branching, plies, seed=seed) for seed in range(trees)], quick)
        for plies in (depth, depth - 2)
    )
    return (deep / shallow) ** 0.5


def leaves(spec: str, games: list[DbfTree], quick: bool) -> float:
    """How many leaves a search evaluates, on average; one that it comes back to counts again."""
    name, _, settings = spec.rstrip(")").partition("(")
    arguments = ", ".join(filter(None, (settings, "order=false", "eval=dbf-truth", "depth=1000")))
    player = ludus.player(f"{name}({arguments})", compiled=not quick)
    return sum(player.choose(game).meter.evaluated for game in games) / len(games)
