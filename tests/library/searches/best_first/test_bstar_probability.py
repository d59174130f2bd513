"""B* with distributions: what is backed up against Monte Carlo."""

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.searches.best_first.bstar_distributions import CELLS, NOTICED, PERCENTILE, chance_of_more
from ludus.library.searches.best_first.bstar_probability import BStarProbability
from ludus.model.calibration import Calibration
from ludus.model.evaluator import WIN
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT
from tests.support.tiny_games import OnTrees, TinyTree

INTERVAL = (-1.5, 2.5)
SAMPLES = 20_000


def on_trees(doubt=0.0, compiled=False):
    evaluator = tiny_games.TreeValues().calibrated(Calibration(interval=np.array([INTERVAL])))
    return OnTrees(BStarProbability(doubt), compiled, evaluator=evaluator)


def sampled(record, source):
    """For every node of a search's tree: samples of its value to the player at the root, from those of the leaves."""
    found = {}
    for node in range(int(record.size[0]) - 1, -1, -1):
        sign = 1 if record.depth[node] % 2 == 0 else -1
        if record.count[node] > 0:
            below = [
                found[child] for child in range(int(record.first[node]), int(record.first[node] + record.count[node]))
            ]
            found[node] = np.max(below, axis=0) if sign == 1 else np.min(below, axis=0)
        elif record.count[node] == 0:
            found[node] = np.full(SAMPLES, sign * record.value[node])
        else:
            low, high = sign * record.low[node], sign * record.high[node]
            found[node] = source.normal((low + high) / 2, abs(high - low) / 2 / PERCENTILE, SAMPLES)
    return found


def test_backed_up_distributions_and_chances_are_those_of_samples():
    search, source, seen = on_trees(), np.random.default_rng(0), 0
    tolerance = 5 * 0.5 / SAMPLES**0.5 + 1 / 128  # five standard errors, and the steps of the table
    for tree in tiny_games.some_trees(60):
        result = search(tree, Budget(nodes=25))
        record = search.session.tree.record
        at, samples = record.register[0], sampled(record, source)
        if record.count[ROOT] < 2:
            continue
        x = at.lowest + np.arange(CELLS) * at.step
        for node in range(int(record.size[0])):
            for k in range(0, CELLS, 3):
                assert abs(np.mean(samples[node] <= x[k]) - record.at_most[node][k]) < tolerance
            within = np.clip(samples[node], x[0], x[-1])
            sign = 1 if record.depth[node] % 2 == 0 else -1
            if record.count[node] != 0:
                assert abs(within.mean() - sign * record.value[node]) < 5 * within.std() / SAMPLES**0.5 + at.step / 2
            # One value is spread over its cell, and what goes unnoticed may lie at the other end.
            wrong = 0.51 * at.step + (NOTICED * (x[-1] - x[0]) ** 2) ** 0.5
            assert abs(within.std() - record.spread[node]) < 0.05 * within.std() + wrong
        best = int(record.first[0]) + [child.move for child in result.children].index(result.move)
        for child in range(int(record.first[0]), int(record.first[0] + record.count[0])):
            one, other = (np.searchsorted(x, samples[node]) for node in (child, best))  # within a cell none is more
            more = np.mean(one > other) + np.mean(one == other) / 2
            assert abs(more - chance_of_more(record, child, best)) < 2 * tolerance or child == best
            seen += 1
    assert seen > 100


@pytest.mark.parametrize(("compiled", "nodes"), [(False, 60), (True, 5_000)])
def test_what_is_kept_of_a_node_is_what_its_children_make_of_it(compiled, nodes):
    """In deep trees, in which some products of brothers are used many times over."""
    wide = Calibration(interval=np.array([(-8_000.0, 9_000.0)]))  # values are thousands
    evaluator, inner = ludus.evaluator("sum").calibrated(wide), 0
    for branching, depth in ((2, 200), (3, 20), (8, 30)):
        game = ludus.game("random-tree", branching=branching, depth=depth, seed=branching)
        session = Session(BStarProbability(0.0), game, evaluator.on(game), compiled=compiled)
        for budget in (nodes, *range(branching, 20 * branching, branching)):  # it is to find nothing of the one before
            state = game.after(game.start, game.legal(game.start)[budget // branching % 2])
            session.run(state, Budget(nodes=budget))
            record = session.tree.record
            for node in np.flatnonzero(record.count[: int(record.size[0])] > 0):
                check_node(record, int(node))
                inner += 1
    assert inner > nodes / 2


def check_node(record, node):
    """Its distribution, the child that promises most, and its mean and spread, from scratch."""
    first, end, ours = (
        int(record.first[node]),
        int(record.first[node] + record.count[node]),
        record.depth[node] % 2 == 0,
    )
    its, below = record.at_most[node], record.at_most[first:end]
    expected = np.prod(below, axis=0) if ours else 1 - np.prod(1 - below, axis=0)
    assert np.abs(its - expected).max() < NOTICED + 1e-12
    promises = np.where(record.open[first:end] == 1, record.spread[first:end] - record.value[first:end], -np.inf)
    best, decided = record.value[first:end].min(), abs(record.value[first:end].min()) >= WIN
    assert record.open[node] == (promises.max() > -np.inf and not decided)
    assert record.best[node] == (first + np.argmax(promises) if promises.max() > -np.inf else -1)
    more, at = 1 - (its[1:] + its[:-1]) / 2, record.register[0]  # than the k-th x, on average up to the next
    mean, squares = more.sum(), ((2 * np.arange(CELLS - 1) + 1) * more).sum()
    value = -best if decided else (1 if ours else -1) * (at.lowest + at.step * mean)
    assert record.value[node] == pytest.approx(value, abs=1e-9 * at.step)
    assert record.spread[node] == pytest.approx(at.step * max(squares - mean**2, 0) ** 0.5, abs=1e-5 * at.step)


@pytest.mark.parametrize("compiled", [False, True])
def test_to_the_end_the_value_is_minimax_s(compiled):
    """Finished games have one value each, which the cells tell apart where there are few."""
    search, seen = on_trees(compiled=compiled), 0
    for tree in tiny_games.some_trees(150 if compiled else 60):
        if np.ptp(tree.worth) > 8:
            continue
        result = search(tree, Budget(nodes=10**6))
        values = oracles.move_values(tree, ROOT, 99)
        at = search.session.tree.record.register[0]
        if result.stopped == "exhausted":
            chosen = values[[child.move for child in result.children].index(result.move)]
            reach = (at.lowest, at.lowest + (CELLS - 1) * at.step)
            assert np.clip(max(values), *reach) - np.clip(chosen, *reach) < at.step
            seen += 1
    assert seen > 20


def test_it_is_sure_when_no_rival_is_likely_to_be_better():
    tree = TinyTree.of([0, [-9, [1, 1]], [3, [1, 1]], 5])
    result = on_trees(doubt=0.01)(tree, Budget(nodes=100))
    assert (result.stopped, result.move, result.meter.expanded) == ("sure", 1, 1)
    assert [child.known.more["better"] < 0.01 for child in result.children[1:]] == [True, True]


def test_what_cannot_be_is_refused():
    with pytest.raises(ludus.SpecError, match="doubt"):
        ludus.player("bstar-probability(doubt=1)")
