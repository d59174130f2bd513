"""Nodes in which chance decides: `bfmm` and `mgss` against brute force, on random trees with dice."""

import math

import numpy as np
import pytest
from scipy import stats

import ludus
from ludus import Budget
from ludus.library.searches.best_first.bfmm import BestFirstMinimax
from ludus.library.searches.best_first.mgss import MetaGreedySingleStep
from ludus.model.calibration import Calibration
from ludus.runtime.session import Session
from tests.library.searches.best_first.test_mgss import MODEL, opened_by, shown_gains, true_gains
from tests.support import oracles
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import DiceTree, OnTrees, TreeValues, expansions

PLENTY = Budget(nodes=10**6)
SPREAD = 40_000.0


def dice_trees(how_many, depth=5):
    """With few distinct values and with many."""
    for seed in range(how_many):
        yield DiceTree(seed, depth=1 + seed % depth, values=(2, 3, 7, 1000)[seed // depth % 4])


def expectimax(tree, node=ROOT):
    """Players take the best, chance averages, to the end of the game."""
    below = [expectimax(tree, child) for child in oracles.children(tree, node)]
    odds = oracles.odds(tree, node)
    return float(np.dot(odds, below)) if odds else -min(below) if below else oracles.worth(tree, node)


# Best-first minimax.


def test_bfmm_expands_what_its_definition_says_and_ends_with_expectimax():
    search, with_chance = OnTrees(BestFirstMinimax(), kind=DiceTree), 0
    for tree in dice_trees(150):
        result = search(tree, PLENTY)
        steps = list(oracles.slow_bfmm(tree, complete=True))
        assert (result.stopped, result.chosen.known.proven) == ("solved", True)
        assert expansions(search.session) == [step.leaf for step in steps]
        assert result.meter.traversed == sum(step.traversed for step in steps)
        values = [-expectimax(tree, child) for child in oracles.children(tree, ROOT)]
        assert result.value == pytest.approx(max(values), abs=1e-9)
        for child, value in zip(result.children, values, strict=True):
            assert not child.known.proven or child.value == pytest.approx(value, abs=1e-9)
        with_chance += any(oracles.odds(tree, step.leaf) for step in steps)
        half = search(tree, Budget(nodes=result.meter.generated // 2 + 1))
        grown = Grown(tree, set(expansions(search.session)))
        assert [c.value for c in half.children] == pytest.approx([-grown.value(c.move) for c in half.children])
    assert with_chance > 80


def test_bfmm_in_linear_space_ends_with_the_same_values():
    kept, forgetful = (OnTrees(BestFirstMinimax(recursive=how), kind=DiceTree) for how in (False, True))
    again = 0
    for tree in dice_trees(100):
        whole, linear = kept(tree, PLENTY), forgetful(tree, PLENTY)
        assert [c.value for c in whole.children] == [c.value for c in linear.children]
        assert linear.stopped == "solved"
        again += linear.meter.expanded - whole.meter.expanded
    assert again > 100


def test_a_mean_of_wins_and_draws_is_not_a_win():
    """The first move wins in two of three cases, the second one always: a mean above 2^20 must not end the search."""
    tree = DiceTree.of([0.0, [0.0, -3.0 * 2**20, 0.0], -2.5 * 2**20])
    tree.share[:] = 0.0
    tree.share[oracles.children(tree, 1)] = 2 / 3, 1 / 3
    result = OnTrees(BestFirstMinimax(), kind=DiceTree)(tree, PLENTY)
    assert (result.stopped, result.move, result.value) == ("solved", 2, 2.5 * 2**20)


# MGSS*.


def slow_gain(grown, leaf, mean, spread):
    """The expected advantage of the new choice over the present one, by summing over many values of the leaf."""
    grid = mean + spread * np.linspace(-9.0, 9.0, 1801)

    def values(node):
        """What a node is worth for each value of the leaf."""
        if node not in grown.opened:
            return grid if node == leaf else np.full(len(grid), oracles.worth(grown.tree, node))
        below, odds = [values(child) for child in oracles.children(grown.tree, node)], oracles.odds(grown.tree, node)
        return np.dot(odds, below) if odds else -np.minimum.reduce(below)

    advantage = values(grown.root) + values(grown.best(grown.root))
    return float(np.sum(advantage * stats.norm.pdf(grid, mean, spread)) * (grid[1] - grid[0]))


def test_mgss_expands_the_leaf_of_greatest_gain_where_chance_has_a_part():
    search = OnTrees(MetaGreedySingleStep(), kind=DiceTree, evaluator=TreeValues().calibrated(MODEL))
    steps = shared = 0
    for tree in dice_trees(60, depth=4):
        before, expected, nodes, stopped = None, {}, 1, "nodes"
        while stopped == "nodes" and nodes < 24:
            result = search(tree, Budget(nodes=nodes))
            stopped, nodes = result.stopped, result.meter.generated + 1
            grown = Grown(tree, opened_by(search))
            if before is not None and stopped == "nodes":
                (leaf,) = grown.opened - before.opened
                assert math.isclose(expected[leaf], max(expected.values()), rel_tol=1e-3, abs_tol=1e-5)
                steps += 1
                shared += any(
                    leaf in oracles.children(tree, node) for node in before.opened if oracles.odds(tree, node)
                )
            before, expected = grown, true_gains(grown, slow_gain)
            for child in result.children:
                below = [expected.get(path[-1], 0.0) for path in grown.paths(child.move)]
                assert child.known.more["gain"] == pytest.approx(max(below), rel=1e-3, abs=1e-5)
        assert stopped != "sure" or max(expected.values(), default=0.0) < 1e-5
    assert steps > 80
    assert shared > 20


def scanned_gains(record, spread):
    """Of each leaf: what the value of its move becomes, from the leaf upward, if it rises or falls without end."""
    values = [-float(record.value[c]) for c in range(1, 1 + int(record.count[0]))]
    best = int(np.argmax(values))
    second = max(value for i, value in enumerate(values) if i != best)
    for leaf in np.flatnonzero(record.count[: record.size[0]] == -1):
        node, top = int(leaf), int(leaf)
        while record.parent[top] > 0:
            top = int(record.parent[top])
        sign = -1.0 if top - 1 == best else 1.0  # the move must fall, or rise
        goal = sign * (second if top - 1 == best else values[best])
        riser = (1 if sign > 0 else -1) * (1 if record.turn[leaf] == 0 else -1)
        slope, base, cap = 1.0, 0.0, np.inf
        while node != top:
            parent = int(record.parent[node])
            others = [c for c in range(record.first[parent], record.first[parent] + record.count[parent]) if c != node]
            seen = (1 if sign > 0 else -1) * (1 if record.turn[node] == 0 else -1)  # whether the riser moves at `node`
            if record.odds[node] >= 0:
                rest = sum(seen * record.odds[c] * record.value[c] for c in others)
                slope, base, cap = (float(record.odds[node]) * x for x in (slope, base, cap))
                base, cap = base + rest, cap + rest
            elif seen > 0:  # the opponent of the riser chose it: he takes another one if it rises too far
                cap = min([cap, *(float(record.value[c]) for c in others)])
            node = parent
        low = (goal - base) / slope
        high = (cap - base) / slope
        start = float(record.value[leaf]) * riser
        if high <= low:
            yield 0.0
            continue
        grid = np.linspace(low, min(high, max(low, start) + 9 * spread), 4001)
        yield slope * float(np.trapezoid(stats.norm.sf(grid, start, spread), grid))


def test_mgss_finds_the_leaf_in_larger_trees_of_chance_too():
    model, positive = Calibration(error=np.array([[0.0, SPREAD, 1.0]])), 0
    for seed in range(8):
        game = ludus.game("chance-tree", branching=3, outcomes=2 + seed % 2, odds="random", share=0.4, seed=seed)
        evaluator = ludus.evaluator("sum").calibrated(model).on(game)
        session = Session(MetaGreedySingleStep(horizon=2), game, evaluator, False)
        for nodes in (20, 40, 80):
            session.run(game.start, Budget(nodes=nodes))
            session.search.conclude(session)
            greatest = max(scanned_gains(session.tree.record, SPREAD))
            assert shown_gains(session.tree.record).max() == pytest.approx(greatest, rel=1e-3, abs=1e-3)
            positive += greatest > 1
    assert positive > 10


@pytest.mark.parametrize("spec", ["mgss(unit=sets)", "bfmm(complete=false)"])
def test_settings_that_know_no_chance_refuse(spec):
    with pytest.raises(ludus.SpecError, match=f"{spec.replace('(', '.').replace(')', '.')} cannot play pig"):
        ludus.player(spec, compiled=False).choose("pig")
