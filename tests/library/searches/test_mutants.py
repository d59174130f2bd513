"""A test of the tests: searches with a fault each, and the check of the suite that must find it.

A mutant is a registered search with one thing wrong: a part replaced, a method, or something in the library patched
while it runs. It is caught if the check raises AssertionError. (That the checks pass without the fault is what
`test_conformance.py` shows.)
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import pytest

from ludus import Search
from ludus.compile.plan import Kernel
from ludus.kernel.columns import integer, number
from ludus.kernel.limits import (
    DEPTH,
    EVALUATED,
    GENERATED,
    INTERRUPT,
    NEEDS_NODES,
    NODES,
    RUNNING,
    STOP_NODES,
    TRAVERSED,
    UNLIMITED,
)
from ludus.kernel.rules import load
from ludus.kernel.table import probe
from ludus.kernel.tree import Tree, best_child
from ludus.library.searches.best_first.bfmm import BestFirstMinimax
from ludus.library.searches.best_first.driver import BestFirst
from ludus.library.searches.full_width.alphabeta import AlphaBeta, known_from_table
from ludus.library.searches.full_width.minimax import Minimax
from ludus.library.searches.full_width.pvs import PrincipalVariation
from ludus.library.searches.greedy import Greedy
from ludus.library.searches.random import Random
from ludus.library.searches.sampling import uct_steps
from ludus.library.searches.sampling.uct import Uct
from tests.support.conformance import effort, exactness, keeping, playing, repeating
from tests.support.tiny_games import braid

Check = Callable[[Search], None]


@dataclass
class Mutant:
    """A search with a fault, or one that runs while something is patched, and the check that finds it."""

    search: Search
    check: Check
    patched: AbstractContextManager = field(default_factory=nullcontext)


# Wrong play.


def worst(self, tree):
    """The child that is best for the opponent."""
    first, count = int(tree.first[0]), int(tree.count[0])
    return first + int(np.nan_to_num(tree.value[first : first + count], nan=-np.inf).argmax())


class WorstMove(AlphaBeta):
    choice = worst


class WorstMoveBestFirst(BestFirstMinimax):
    choice = worst


class WorstMoveSampling(Uct):
    choice = worst


class ForgottenSign(AlphaBeta):
    def combine(self, game, tree, node):
        tree.backed[node] = -tree.backed[node]


class ForgottenSignBestFirst(BestFirstMinimax):
    def back_up(self, game, tree, limits, leaf):
        node = leaf
        while node >= 0:
            tree.best[node] = best_child(tree, node)
            tree.value[node] = tree.value[tree.best[node]]
            node = tree.parent[node]
        return RUNNING


class OnePlyShort(Minimax):
    def prepare(self, tree, game, state, limits):
        limits[DEPTH] = max(limits[DEPTH] - 1, 1)


class BoundTakenForExact(AlphaBeta):
    def known(self, game, evaluator, tree, node):
        found = tree.table.found[0]
        if not probe(tree.table, load(tree.state, node)) or found.depth // 2 != tree.left[node]:
            return False
        tree.backed[node] = found.low if found.low > -np.inf else found.high
        tree.cut[node] = found.depth % 2
        return True


class ScoutTaken(PrincipalVariation):
    def again(self, tree, node, child):
        return False


class ScoutTakenFromTable(PrincipalVariation):
    def known(self, game, evaluator, tree, node):
        found = known_from_table(self, tree, node)
        if found:
            tree.floor[node] = -np.inf  # as if it had been searched with the whole window
        return found


class ClaimsToLookAhead(Greedy):
    looks_ahead = True


# Wrong claims.


class AllIsProven(AlphaBeta):
    def knowledge(self, tree, node):
        return replace(super().knowledge(tree, node), proven=True)


class ProvenTooEarly(Minimax):
    """`cut` belongs to the iteration that is going on, the value to the one before."""

    def knowledge(self, tree, node):
        return replace(super().knowledge(tree, node), proven=int(tree.cut[node]) == 0)


class BoundsNotSaid(AlphaBeta):
    def knowledge(self, tree, node):
        known = super().knowledge(tree, node)
        return replace(known, low=known.value, high=known.value)


class MadeUpLine(Minimax):
    def line(self, tree):
        return 2 * super().line(tree)[:1]


def draws_are_wins(value):
    return 1.0 if value >= 0.0 else -1.0


# Wrong counts.


class CountsTwice(AlphaBeta):
    def combine(self, game, tree, node):
        game.meter[EVALUATED] += 1


class DoesNotCount(AlphaBeta):
    def combine(self, game, tree, node):
        state = load(tree.state, node)
        game.play(state, game.legal(state)[0])  # not by way of `rules.play`


class IgnoresNodes(Minimax):
    def step(self, game, evaluator, tree, limits):
        limits[NODES] = UNLIMITED
        return super().step(game, evaluator, tree, limits)


class LooksSeldom(BestFirstMinimax):
    """Expands three leaves at a time."""

    def step(self, game, evaluator, tree, limits):
        limit, limits[NODES] = limits[NODES], UNLIMITED
        status = super().step(game, evaluator, tree, limits)
        limits[NODES] = limit
        return STOP_NODES if game.meter[GENERATED] >= limit + 2 * game.max_moves else status


class IgnoresDepth(BestFirstMinimax):
    def prepare(self, tree, game, state, limits):
        limits[DEPTH] += 1


class IgnoresInterrupts(Minimax):
    def step(self, game, evaluator, tree, limits):
        limits[INTERRUPT] = 0
        return super().step(game, evaluator, tree, limits)


class DepthByMood(AlphaBeta):
    moods = itertools.cycle((1, 2, 2))

    def prepare(self, tree, game, state, limits):
        super().prepare(tree, game, state, limits)
        tree.register[0].horizon = next(self.moods)  # an iteration that was never made


grow = Tree.grow


# Not a function of what it is given.


class GlobalRandom(Random):
    dice = random.Random(1)  # of all sessions

    def choice(self, tree):
        return int(tree.first[0]) + self.dice.randrange(int(tree.count[0]))


class CountsItsMoves(Random):
    asked = itertools.count()

    def choice(self, tree):
        return int(tree.first[0]) + next(self.asked) % int(tree.count[0])


class OldEntries(AlphaBeta):
    """The table's age stands still, so entries of earlier searches count."""

    def prepare(self, tree, game, state, limits):
        tree.table.now[0] = 1


class ReadsLitter(Minimax):
    columns = {"bonus": number()}

    def combine(self, game, tree, node):
        if tree.bonus[node] < -1.0:  # never written
            tree.backed[node] = 0.0


class ForgetsInPauses(Minimax):
    def step(self, game, evaluator, tree, limits):
        tree.register[0].chosen = 0
        return super().step(game, evaluator, tree, limits)


class NotesGrowth(Minimax):
    def step(self, game, evaluator, tree, limits):
        status = super().step(game, evaluator, tree, limits)
        game.meter[TRAVERSED] += status == NEEDS_NODES
        return status


def other_when_compiled(search, on, compiled):
    """What stands for compiled code here does not order moves."""
    session = repeating.new_session(AlphaBeta(order=not compiled), on, compiled=False)
    if compiled:
        session.kernel = Kernel(session.program.step, {})
    return session


def on(game: str, check: Any, *arguments: Any, **options: Any) -> Check:
    """A check on one of the games."""
    return lambda search: check(search, game, *arguments, **options)


MUTANTS = {
    "worst move, exact": Mutant(WorstMove(), exactness.check_exact),
    "worst move, ahead": Mutant(WorstMoveBestFirst(), on("tictactoe", playing.check_lookahead, how_many=20)),
    "worst move, random": Mutant(WorstMoveBestFirst(), on("tictactoe", playing.check_beats_random)),
    "worst move, best play": Mutant(WorstMoveSampling(), on("small-nim", playing.check_best_play)),
    "worst move, solved": Mutant(WorstMoveBestFirst(), exactness.check_solved),
    "worst move, solved by sampling": Mutant(WorstMoveSampling(), exactness.check_solved),
    "sign, exact": Mutant(ForgottenSign(), exactness.check_exact),
    "sign, ahead": Mutant(ForgottenSignBestFirst(), on("tictactoe", playing.check_lookahead, how_many=20)),
    "one ply short": Mutant(OnePlyShort(), exactness.check_exact),
    "bound for exact": Mutant(BoundTakenForExact(table=True), exactness.check_exact),
    "scout taken": Mutant(ScoutTaken(), exactness.check_exact),
    "scout taken from table": Mutant(
        ScoutTakenFromTable(table=True, aspiration=10.0),
        partial(exactness.check_exact_on, known=exactness.known_of(map(braid, range(60)))),
    ),
    "no lookahead": Mutant(ClaimsToLookAhead(), on("tictactoe", playing.check_lookahead, how_many=20)),
    "no better than random": Mutant(Random(), on("tictactoe", playing.check_beats_random)),
    "no proof": Mutant(Uct(solver=False), on("small-nim", playing.check_best_play, how_many=1)),
    "all is proven": Mutant(AllIsProven(), on("tictactoe", playing.check_proofs, how_many=5)),
    "all is proven, exact": Mutant(AllIsProven(), exactness.check_exact),
    "proven too early": Mutant(ProvenTooEarly(), exactness.check_true_values),
    "draws are wins": Mutant(
        Uct(), on("tictactoe", playing.check_proofs), mock.patch.object(uct_steps, "sign", draws_are_wins)
    ),
    "bounds not said": Mutant(BoundsNotSaid(), exactness.check_exact),
    "made-up line": Mutant(MadeUpLine(), on("tictactoe", repeating.check_result, False)),
    "counts twice": Mutant(CountsTwice(), on("tictactoe", effort.check_meter)),
    "does not count": Mutant(DoesNotCount(), on("tictactoe", effort.check_meter)),
    "ignores nodes": Mutant(IgnoresNodes(), on("tictactoe", effort.check_counted_budget, False, "nodes")),
    "looks seldom": Mutant(LooksSeldom(), on("tictactoe", effort.check_counted_budget, False, "nodes")),
    "ignores depth": Mutant(IgnoresDepth(), on("tictactoe", effort.check_depth)),
    "ignores memory": Mutant(
        BestFirstMinimax(),
        partial(effort.check_memory, compiled=False),
        mock.patch.object(Tree, "grow", lambda tree, megabytes: grow(tree, 1.0)),
    ),
    "ignores interrupts": Mutant(IgnoresInterrupts(), on("tictactoe", effort.check_interrupted)),
    "depth by mood": Mutant(DepthByMood(), on("tictactoe", effort.check_automatic_depth)),
    "global random": Mutant(GlobalRandom(), on("tictactoe", repeating.check_repeatable, False)),
    "old entries": Mutant(OldEntries(table=True), on("tictactoe", repeating.check_repeatable, False)),
    "counts its moves": Mutant(CountsItsMoves(), on("tictactoe", repeating.check_whole_game)),
    "reads litter": Mutant(ReadsLitter(), on("tictactoe", repeating.check_litter, False)),
    "forgets in pauses": Mutant(ForgetsInPauses(), on("tictactoe", repeating.check_pauses, False)),
    "notes growth": Mutant(NotesGrowth(), on("tictactoe", repeating.check_growth, False)),
    "other when compiled": Mutant(
        AlphaBeta(),
        on("tictactoe", repeating.check_compiled),
        mock.patch.object(repeating, "session_of", other_when_compiled),
    ),
    "stale pointer": Mutant(
        BestFirstMinimax(reuse=True),
        on("tictactoe", keeping.check_kept_tree),
        mock.patch.dict(BestFirstMinimax.columns, {"best": integer()}),
    ),
    "stale distance": Mutant(
        BestFirstMinimax(reuse=True),
        on("tictactoe", keeping.check_kept_tree),
        mock.patch.dict(BestFirst.columns, {"depth": integer()}),
    ),
    "nothing kept": Mutant(
        BestFirstMinimax(reuse=True),
        on("tictactoe", keeping.check_keeping_pays),
        mock.patch.object(Tree, "replant", lambda tree, state, seed, megabytes: tree.plant(state, seed)),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name):
    mutant = MUTANTS[name]
    with mutant.patched, pytest.raises(AssertionError):
        mutant.check(mutant.search)
