"""Compiled and interpreted rules compared: the same random games through both."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ludus.core.boards import same_state
from ludus.core.budget import EXPANDED, GENERATED, NEEDS_NODES, RUNNING, Budget, spent
from ludus.core.chance import drawn_outcome
from ludus.core.columns import number, whole
from ludus.core.errors import LudusError, describe
from ludus.core.evaluator import Evaluator
from ludus.core.game import Game
from ludus.core.parts import part
from ludus.core.program import Program, Work
from ludus.core.random import below, mix
from ludus.core.rules import (
    chance,
    digest,
    evaluate,
    final,
    highest,
    load,
    lowest,
    moves,
    noisy,
    null,
    over,
    phase,
    play,
    score,
    store,
)

OPTIONAL = dict.fromkeys(("phase", "lowest", "highest"), "compiled gives {:g}, interpreted {:g}") | {
    "null": "compiled gives another state",
    "noisy": "compiled says otherwise of a move",
}
"""Rules that are asked only if a game has one of them, since to compile them takes time; and how they can differ."""


@part
def ask_more(walk, game, tree, node, state):
    """Note what the rules of `OPTIONAL` give at a node, whose moves are in `tree.out`; here nothing."""


class Walk(Program):
    """Random games, one after another, each position kept as a node: its moves' hash, the evaluator's opinion of it
    and, at the end, its score."""

    columns = {"hash": whole(), "over": whole(), "outcomes": whole(), "odds": number(), "opinion": number()}
    handles_chance = True

    def step(self, game, evaluator, tree, limits):
        while True:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            node = tree.size[0] - 1
            if node + 2 > tree.parent.size:
                return NEEDS_NODES
            state = load(tree.state, node)
            n = moves(game, state, tree.out)
            tree.count[node] = n
            tree.hash[node] = hash_moves(tree.out, n)
            tree.over[node] = over(game, state)
            outcomes = chance(game, state, game.probabilities)
            tree.outcomes[node] = outcomes
            tree.odds[node] = blend(game.probabilities, outcomes)
            ask_more(self, game, tree, node, state)
            tree.size[0] += 1
            game.meter[EXPANDED] += 1
            if n == 0:
                tree.value[node] = score(game, state)
                tree.opinion[node] = final(evaluator, game, state)
                store(tree.state, node + 1, load(tree.state, 0))
            else:
                move = tree.out[
                    drawn_outcome(tree.random, game.probabilities, n) if outcomes > 0 else below(tree.random, n)
                ]
                tree.move[node] = move
                store(tree.state, node + 1, play(game, state, move))
                tree.opinion[node] = evaluate(evaluator, game, state)  # which may use all the buffers


class LongWalk(Walk):
    """The same for a game that has optional rules."""

    columns = {"phase": number(), "lowest": number(), "highest": number(), "null": whole(), "noisy": whole()}

    def ask_more(self, game, tree, node, state):
        tree.phase[node] = phase(game, state)
        tree.lowest[node] = lowest(game, state)
        tree.highest[node] = highest(game, state)
        n = tree.count[node] if tree.outcomes[node] == 0 else 0
        h = np.uint64(n)
        for i in range(n):
            h = mix(h ^ np.uint64(noisy(game, state, tree.out[i])))
        tree.noisy[node] = np.int64(h >> np.uint64(1))
        tree.null[node] = np.int64(digest(null(game, state)) >> np.uint64(1)) if n > 0 else 0


def blend(probabilities, n):
    """A number that other probabilities, or the same in another order, would change."""
    total = 0.0
    for i in range(n):
        total += (i + 1) * probabilities[i]
    return total


def hash_moves(out, n):
    h = np.uint64(n)
    for i in range(n):
        h = mix(h ^ np.uint64(out[i]))
    return np.int64(h >> np.uint64(1))


def compare(
    game: Game, judge: Evaluator | None, seed: int, seconds: float, announce: Callable[[str], None] | None
) -> Iterator[tuple[str, str, str]]:
    """The same random games interpreted and compiled, node by node, as far as the first gets in so many seconds.

    Where they differ: the rule, the position, and what is wrong. Raises `NotCompilable`.
    """
    walk = LongWalk() if any(map(game.has_rule, OPTIONAL)) else Walk()
    fast = Work(walk, game, judge, compiled=True, announce=announce)
    slow = Work(walk, game, judge, compiled=False)
    try:
        slow.run(game.start, Budget(nodes=5_000, seconds=seconds), seed)
        fast.run(game.start, Budget(nodes=max(int(slow.meter[GENERATED]), 1)), seed)
    except LudusError as error:
        yield getattr(error, "rule", "") or "compile", getattr(error, "position", ""), str(error)
        return
    yield from _differences(game, fast, slow)


def _differences(game: Game, fast: Work, slow: Work) -> Iterator[tuple[str, str, str]]:
    a, b = fast.tree, slow.tree
    for node in range(min(int(a.record.size[0]), int(b.record.size[0])) - 1):
        theirs, ours = b.state(node), a.state(node)
        where = describe(game, theirs)
        if not same_state(ours, theirs):
            yield "play", where, f"compiled and interpreted differ: compiled gives the state {ours!r}"
            return
        if a.record.count[node] != b.record.count[node] or a.record.hash[node] != b.record.hash[node]:
            yield "moves", where, "compiled and interpreted differ: compiled gives other legal moves"
            return
        if a.record.over[node] != b.record.over[node]:
            yield "over", where, "compiled and interpreted differ: compiled says otherwise"
            return
        if a.record.outcomes[node] != b.record.outcomes[node] or a.record.odds[node] != b.record.odds[node]:
            yield "chance", where, "compiled and interpreted differ: compiled gives other probabilities"
            return
        if a.record.count[node] == 0 and a.record.value[node] != b.record.value[node]:
            yield "score", where, f"compiled and interpreted differ: compiled gives {a.record.value[node]:g}"
            return
        for rule in filter(game.has_rule, OPTIONAL):
            ours, theirs = (getattr(tree.record, rule)[node] for tree in (a, b))
            if ours != theirs and (rule in ("null", "noisy") or not np.isclose(ours, theirs)):
                yield rule, where, f"compiled and interpreted differ: {OPTIONAL[rule].format(ours, theirs)}"
                return
        theirs, ours = float(b.record.opinion[node]), float(a.record.opinion[node])
        if not np.isclose(ours, theirs, equal_nan=True):
            rule = f"{'evaluate' if a.record.count[node] else 'final'} of evaluator {fast.evaluator.title}"
            yield rule, where, f"compiled and interpreted differ: compiled gives {ours:g}, interpreted {theirs:g}"
            return
