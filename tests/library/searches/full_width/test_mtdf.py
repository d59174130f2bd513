"""MTD(f): how it converges; that it is exact is shown by the conformance suite."""

import math

import pytest

from ludus import Budget
from ludus.library.searches.full_width.mtdf import Mtdf
from ludus.model.evaluator import WIN
from tests.support import oracles
from tests.support.oracles import ROOT
from tests.support.tiny_games import OnTrees, TinyTree, some_trees


@pytest.mark.parametrize("start", ["guess", "above", "below"])
def test_it_converges_wherever_the_value_lies(start):
    values = (0.0, 5e-324, -5e-324, 1e-300, WIN, -WIN, 1e300, -1e300, math.inf, -math.inf)
    search = OnTrees(Mtdf(start))
    for value in values:
        for other in values:
            tree = TinyTree.of([0, [1, value, other], [2, [3, value], [4, other]]])
            for budget in (Budget(depth=3), Budget(nodes=1000)):
                result = search(tree, budget)
                assert result.stopped == "solved"
                assert result.value == oracles.minimax_value(tree, ROOT, 3)


@pytest.mark.parametrize("passes", [1, 3, 32])
def test_the_number_of_passes_is_bounded(passes):
    """Windows of no width, then one for what is left; the more that may be, the more there are."""
    search, most = OnTrees(Mtdf("above", passes, order=False)), 0
    for tree in some_trees(60):
        result = search(tree, Budget(depth=5))
        assert result.value == oracles.minimax_value(tree, ROOT, 5)
        made = int(search.session.tree.record.register[0].passes)
        assert made <= passes + 1
        most = max(most, made)
    assert most == passes + 1 if passes < 32 else most > 6


class WindowsKept(Mtdf):
    """Keeps the first window of each iteration."""

    def __init__(self) -> None:
        super().__init__(order=False)
        self.betas: dict[int, float] = {}

    def root_window(self, tree):
        alpha, beta = Mtdf.root_window(self, tree)
        self.betas.setdefault(int(tree.register[0].horizon), beta)
        return alpha, beta


def test_the_first_window_is_at_the_value_of_two_iterations_before():
    """In the second iteration, at that of the first."""
    for tree in some_trees(40):
        search, height = WindowsKept(), oracles.height(tree)
        OnTrees(search)(tree, Budget(nodes=10**6))
        values = {depth: oracles.minimax_value(tree, ROOT, depth) for depth in range(1, height + 1)}
        assert search.betas == {depth: values.get(depth - 2, values[1]) for depth in values} | {1: math.inf}


def test_memory_saves_work_and_changes_nothing_else():
    saved = 0
    with_table, without = OnTrees(Mtdf(order=False)), OnTrees(Mtdf(order=False, table=False))
    for tree in some_trees(60):
        ours, theirs = with_table(tree, Budget(depth=5)), without(tree, Budget(depth=5))
        assert ours.value == theirs.value
        saved += theirs.meter.generated - ours.meter.generated
    assert saved > 0


def test_an_unfinished_iteration_counts_for_a_move_that_is_better_than_the_last_best():
    """A move that reaches a bound which the last iteration's best does not is better than that, to the new depth."""
    search, changed = OnTrees(Mtdf(order=False)), 0
    for tree in some_trees(60):
        for depth in range(2, min(oracles.height(tree), 4) + 1):
            before = search(tree, Budget(depth=depth - 1, nodes=10**6))
            enough = before.meter.generated + 1  # one more, since the table may end an iteration without a node
            for nodes in range(enough, enough + 40, 9):
                result = search(tree, Budget(depth=depth, nodes=nodes))
                if result.stopped == "nodes" and result.move != before.move:
                    values = dict(
                        zip(oracles.children(tree, ROOT), oracles.move_values(tree, ROOT, depth), strict=True)
                    )
                    assert values[result.move] > values[before.move]
                    changed += 1
    assert changed > 20
