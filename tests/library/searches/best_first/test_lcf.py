"""Least-certainty-first against brute force, and against the paper's own algorithm."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from benchmarks.plain_lcf import PlainLcf
from ludus import Budget
from ludus.kernel.tree import UNOPENED, expand
from ludus.library.searches.best_first import lcf, lcf_descent, lcf_goals
from ludus.library.searches.best_first.driver import opened
from ludus.library.searches.best_first.lcf import LeastCertaintyFirst
from ludus.model.evaluator import WIN
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.conformance.running import pausing_after
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import OnTrees, TinyTree

FIGURE_1 = [
    0.0,
    [-8.0, [8.0, 1.0], [10.0, 1.0], [13.0, 1.0]],  # B with E, F, G
    [-6.0, [6.0, 1.0], [7.0, 1.0], [13.0, 1.0]],  # C with H, I, J
    [-3.0, [3.0, 1.0], [4.0, 1.0], [5.0, 1.0]],  # D with K, L, M
]  # the paper's values are to the player who moved to the node, ours to the one who moves there


def least_change(grown, child, goal, falls):
    """By trying every set of leaves: the least total change below `child` that takes it to `goal`, as the root sees it.

    A leaf that changes need only go as far as the goal. Finished games cannot change.
    """
    leaves = [(path[-1], len(path) % 2) for path in grown.paths(child)]  # odd paths: the opponent moves at the leaf
    open_leaves = [(leaf, sign) for leaf, sign in leaves if not grown.is_closed(leaf)]
    best = np.inf
    for changed in itertools.chain.from_iterable(
        itertools.combinations(open_leaves, size) for size in range(len(open_leaves) + 1)
    ):
        values = {leaf: (-goal if sign else goal) for leaf, sign in changed}
        cost = sum(abs(value - oracles.worth(grown.tree, leaf)) for leaf, value in values.items())
        reached = -grown.value(child, values)
        if cost < best and (reached <= goal if falls else reached >= goal):
            best = cost
    return best


def test_figure_1_of_the_paper():
    """Swings B 2, C 3, D 12, once B, C and D have been expanded."""
    tree = TinyTree.of(FIGURE_1)
    session = Session(LeastCertaintyFirst(), tree, tiny_games.TreeValues(), compiled=False)
    session.begin(tree.start, Budget())
    game, evaluator = session._arguments
    record = session.tree.record
    for node in (0, 1, 2, 3):
        expand(game, evaluator, record, node)
        opened(record, node)
        lcf.add_children(game, record, node)
        lcf.back_up_values(record, node)
        if node:
            record.register[0].top = record.register[0].rising = node
            lcf_descent.back_up_swings(session.search, record)
        lcf_goals.new_goals(record)
    session.search.conclude(session)
    assert record.swing[1:4].tolist() == [2, 3, 12]
    grown = Grown(tree, {0, 1, 2, 3})
    assert [least_change(grown, *goal) for goal in ((1, 6, True), (2, 8, False), (3, 8, False))] == [2, 3, 12]


@pytest.mark.parametrize("kind", [LeastCertaintyFirst, PlainLcf])
def test_swings_are_the_least_total_change_of_leaves(kind):
    """On random tiny trees, after every expansion, for every child of the root."""
    search, checked = OnTrees(kind(ties="literal")), 0
    for tree in tiny_games.some_trees(150, depth=4):
        if tree.count[ROOT] < 2:
            continue
        total = oracles.full_width_counts(tree, ROOT, 9).generated
        for nodes in range(1, min(total, 16), 2):
            result = search(tree, Budget(nodes=nodes))
            record = search.session.tree.record
            opened = {int(search.session.tree.state(i)[0]) for i in range(int(record.size[0])) if record.count[i] > 0}
            grown = Grown(tree, opened)
            values = [child.value for child in result.children]
            first = int(np.argmax(values))
            second = max(value for i, value in enumerate(values) if i != first)
            for i, child in enumerate(result.children):
                goal = second if i == first else values[first]
                if sum(1 for _ in grown.paths(child.move)) <= 9:
                    assert child.known.more["swing"] == least_change(grown, child.move, goal, i == first)
                    checked += 1
    assert checked > 1000


def same_search(game, evaluator, nodes, compiled, **options):
    """The real search and the paper's algorithm side by side: the same tree, meter, values and swings."""
    found = []
    for search in (LeastCertaintyFirst(**options), PlainLcf(**options)):
        session = Session(search, game, ludus.evaluator(evaluator).on(game), compiled)
        stopped = session.run(game.start, Budget(nodes=nodes), seed=3)
        result = session.result(game.start, stopped)
        size = int(session.tree.record.size[0])
        found.append((stopped, session.meter.tolist(), session.tree.record.parent[:size].tolist(), result.children))
    return found[0] == found[1]


@pytest.mark.parametrize("ties", ["literal", "positive"])
@pytest.mark.parametrize(
    ("spec", "evaluator"),
    [
        ("random-tree(branching=2, seed=0)", "sum"),
        ("random-tree(branching=2, seed=7)", "sum"),
        ("random-tree(branching=10, seed=1)", "sum"),
        ("random-tree(branching=20, seed=2)", "sum"),
        ("random-tree(branching=3, depth=7)", "sum"),
        ("othello", "mobility"),
        ("tictactoe", "open-lines"),
        ("kalah", "seeds"),
        ("kalah", "seeds(home=0.1)"),
    ],
)
def test_it_makes_the_choices_of_the_papers_algorithm(spec, evaluator, ties):
    game = ludus.game(spec)
    for nodes in (50, 500, 10_000):
        assert same_search(game, evaluator, nodes, True, ties=ties)


def test_pauses_change_no_choice_where_values_are_no_whole_numbers():
    game = ludus.game("kalah")
    session = Session(LeastCertaintyFirst(), game, ludus.evaluator("seeds").on(game), compiled=True)
    for seed in range(8):
        trees = []
        for looks in (10**9, 50, 7):
            with pausing_after(looks):
                session.run(game.start, Budget(nodes=20_000), seed)
            trees.append(session.tree.record.parent[: int(session.tree.record.size[0])].tolist())
        assert trees[0] == trees[1] == trees[2]


@pytest.mark.parametrize(
    ("values", "grid"),
    [
        ([0.4, -0.1, 0.3], 2.0**-25),
        ([0.01, 0.5 * WIN], 2.0**-30),  # the second is the score of a finished game
        ([0.0, 0.0], 0.0),
        ([2.0 * WIN, 0.0], 0.0),
        ([WIN * (1 - 2.0**-40), 1.0], 2.0**-4),
    ],
)
def test_static_values_are_rounded_to_a_grid(values, grid):
    finished = [value == 0.5 * WIN for value in values]
    tree = SimpleNamespace(first=[1], value=np.array([0.0, *values]), goal=np.zeros(lcf_goals.CELLS_OF_GOAL))
    tree.count = [len(values), *(0 if each else UNOPENED for each in finished)]
    lcf_goals.round_values(tree, 0)
    assert tree.goal[lcf_goals.GRID] == grid
    for before, after, is_finished in zip(values, tree.value[1:], finished, strict=True):
        assert abs(after - before) <= grid / 2
        assert (abs(after) >= WIN) == (abs(before) >= WIN)
        near_a_win = abs(before) > WIN - 1
        assert after == before if is_finished or near_a_win or grid == 0 else after % grid == 0


@pytest.mark.parametrize("ties", ["literal", "positive"])
def test_it_makes_those_choices_on_tiny_trees_interpreted(ties):
    real, plain = OnTrees(LeastCertaintyFirst(ties=ties)), OnTrees(PlainLcf(ties=ties))
    for tree in tiny_games.some_trees(200):
        for nodes in (7, 40, 10_000):
            one, other = real(tree, Budget(nodes=nodes), seed=5), plain(tree, Budget(nodes=nodes), seed=5)
            assert one.children == other.children
            assert (one.stopped, one.move, one.line) == (other.stopped, other.move, other.line)
            assert one.meter.generated == other.meter.generated
            assert one.meter.traversed == other.meter.traversed


def test_it_stops_when_nothing_can_change_the_decision():
    """A single move, or rivals that have lost for certain."""
    search = OnTrees(LeastCertaintyFirst())
    result = search(TinyTree.of([0.0, [1.0, [2.0, 3.0]]]), Budget(nodes=1000))
    assert (result.stopped, result.meter.expanded) == ("sure", 1)
    tree = TinyTree.of([0.0, -5.0, 3.0, 4.0])  # three finished games
    result = search(tree, Budget(nodes=1000))
    assert (result.stopped, result.chosen.known.proven) == ("solved", True)
    tree = TinyTree.of([0.0, -5.0, [3.0, -7.0, [2.0, 1.0]], 4.0])  # the second is refuted for good: -7 is final
    result = search(tree, Budget(nodes=1000))
    assert (result.stopped, result.move, result.meter.expanded) == ("sure", 1, 2)


def test_a_threshold_stops_it_when_every_swing_is_as_large():
    game = ludus.game("random-tree", branching=5, seed=3)
    free = ludus.player("lcf(nodes=5000)", compiled=False).choose(game)
    limited = ludus.player("lcf(nodes=5000, threshold=3000)", compiled=False).choose(game)
    assert free.stopped == "nodes"
    assert limited.stopped == "sure"
    assert min(child.known.more["swing"] for child in limited.children) >= 3000
    assert limited.meter.generated < free.meter.generated


def test_negative_threshold_is_refused():
    with pytest.raises(ludus.SpecError, match="threshold"):
        ludus.player("lcf(threshold=-1)")
