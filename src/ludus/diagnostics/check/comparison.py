"""Compiled and interpreted rules compared: the same random games through both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ludus.common.errors import LudusError, describe
from ludus.kernel.boards import same_state
from ludus.kernel.chance import drawn_choice
from ludus.kernel.columns import integer, number, row
from ludus.kernel.limits import EXPANDED, GENERATED, NEEDS_NODES, RUNNING, spent
from ludus.kernel.parts import part
from ludus.kernel.random import mix
from ludus.kernel.rules import (
    RULES,
    cells,
    chance,
    digest,
    evaluate,
    features,
    final,
    foreseen,
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
    urgency,
)
from ludus.model.budget import Budget
from ludus.model.evaluator import Evaluator
from ludus.model.playable import PlayableGame
from ludus.model.program import Program
from ludus.runtime.runner import Runner

EXTRA = tuple(rule.name for rule in RULES if rule.optional and rule.name not in ("over", "chance"))
NULL, NOISY, URGENCY, PHASE, LOWEST, HIGHEST, FORESEEN, FEATURES, CELLS = (
    EXTRA.index(f.__name__) for f in (null, noisy, urgency, phase, lowest, highest, foreseen, features, cells)
)
"""The rules that games are played without, and the place of each among them."""


class Walk(Program):
    """Random games, one after another, each position kept as a node: its moves' hash, the evaluator's opinion of it,
    a number for what each further rule says and, at the end, its score."""

    columns = {
        "hash": integer(),
        "over": integer(),
        "outcomes": integer(),
        "odds": number(),
        "opinion": number(),
        "said": row(len(EXTRA)),
    }
    handles_chance = True

    def extras(self, game: PlayableGame, evaluator: Evaluator, compiled: bool) -> dict[str, Any]:
        return {"asked": np.array([game.has_rule(name) for name in EXTRA])}

    def unused_parts(self, game):
        """Without the rule `cells` there is nothing to compile."""
        return () if game.has_rule("cells") else (Walk.ask_cells,)

    def ask_cells(self, game, tree, node, state):
        if tree.asked[CELLS]:
            tree.said[node, CELLS] = blend(game.cell_values, cells(game, state, game.cell_values))

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
            tree.size[0] += 1
            game.meter[EXPANDED] += 1
            ask_extra(game, tree, node, state, 0 if outcomes > 0 else n)
            ask_cells(self, game, tree, node, state)
            if n == 0:
                tree.value[node] = score(game, state)
                tree.opinion[node] = final(evaluator, game, state)
                store(tree.state, node + 1, load(tree.state, 0))
            else:
                move = tree.out[drawn_choice(tree.random, game.probabilities, outcomes, n)]
                tree.move[node] = move
                store(tree.state, node + 1, play(game, state, move))
                tree.opinion[node] = evaluate(evaluator, game, state)  # which may use all the buffers


def ask_extra(game, tree, node, state, n):
    """What the further rules say that the game has; those about moves where a player has `n`, which are in `out`."""
    tree.said[node, :] = 0.0
    if tree.asked[PHASE]:
        tree.said[node, PHASE] = phase(game, state)
    if tree.asked[LOWEST]:
        tree.said[node, LOWEST] = lowest(game, state)
    if tree.asked[HIGHEST]:
        tree.said[node, HIGHEST] = highest(game, state)
    if tree.asked[FORESEEN] and n > 0:
        tree.said[node, FORESEEN] = foreseen(game, state)
    if tree.asked[URGENCY]:
        for i in range(n):
            tree.said[node, URGENCY] += (i + 1) * urgency(game, state, tree.out[i])
    if tree.asked[FEATURES]:
        tree.said[node, FEATURES] = blend(game.feature_values, features(game, state, game.feature_values))
    if tree.asked[NULL] and n > 0:
        tree.said[node, NULL] = np.float64(digest(null(game, state)) >> np.uint64(12))
    if tree.asked[NOISY]:
        for i in range(n):
            if noisy(game, state, tree.out[i]):
                tree.said[node, NOISY] += i + 1


@part
def ask_cells(walk, game, tree, node, state):
    """What stands on the cells, if the game says it."""


def blend(numbers, n):
    """A number that other numbers, or the same in another order, would change."""
    total = 0.0
    for i in range(n):
        total += (i + 1) * numbers[i]
    return total


def hash_moves(out, n):
    h = np.uint64(n)
    for i in range(n):
        h = mix(h ^ np.uint64(out[i]))
    return np.int64(h >> np.uint64(1))


def compare(
    game: PlayableGame, judge: Evaluator | None, seed: int, seconds: float, announce: Callable[[str], None] | None
) -> Iterator[tuple[str, str, str]]:
    """The same random games interpreted and compiled, node by node, as far as the first gets in this number of seconds.

    Where they differ: the rule, the position, and what is wrong. Raises `NotCompilable`.
    """
    fast = Runner(Walk(), game, judge, compiled=True, announce=announce)
    slow = Runner(Walk(), game, judge, compiled=False)
    try:
        slow.run(game.start, Budget(nodes=5_000, seconds=seconds), seed)
        fast.run(game.start, Budget(nodes=max(int(slow.meter[GENERATED]), 1)), seed)
    except LudusError as error:
        yield getattr(error, "rule", "") or "compile", getattr(error, "position", ""), str(error)
        return
    yield from _differences(game, fast, slow)


def _differences(game: PlayableGame, fast: Runner, slow: Runner) -> Iterator[tuple[str, str, str]]:
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
        for place, rule in enumerate(EXTRA):
            if not np.isclose(a.record.said[node, place], b.record.said[node, place], rtol=1e-9, equal_nan=True):
                yield rule, where, "compiled and interpreted differ: compiled says otherwise"
                return
        theirs, ours = float(b.record.opinion[node]), float(a.record.opinion[node])
        if not np.isclose(ours, theirs, equal_nan=True):
            rule = f"{'evaluate' if a.record.count[node] else 'final'} of evaluator {fast.evaluator.title}"
            yield rule, where, f"compiled and interpreted differ: compiled gives {ours:g}, interpreted {theirs:g}"
            return
