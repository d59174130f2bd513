"""Alpha-beta against minimax by definition, under every combination of its sound options."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus import Budget
from ludus.common.errors import SpecError
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT
from tests.support.tiny_games import OnTrees, TinyTree, perfectly_ordered

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
OPTIONS = [
    dict(zip(("order", "table", "killers", "history", "aspiration"), values, strict=True))
    for values in itertools.product((True, False), (False, True), (False, True), (False, True), (0.0, 1.5))
]


def check(tree, result, depth, table):
    assert result.value == oracles.minimax_value(tree, ROOT, depth)
    assert result.move in oracles.best_moves(tree, ROOT, depth)
    assert [child.move for child in result.children] == list(oracles.children(tree, ROOT))
    assert result.line[0] == result.move
    if table:  # a line may end where the table knew the rest
        values = [oracles.minimax_value(tree, node, depth - i - 1) for i, node in enumerate(result.line)]
        assert {abs(value) for value in values} == {abs(result.value)}
    else:
        assert oracles.is_principal(tree, ROOT, result.line, depth)
    for child, value in zip(result.children, oracles.move_values(tree, ROOT, depth), strict=True):
        if child.known.more["depth"] == depth:
            assert child.known.low <= value <= child.known.high
            assert child.value == value or (child.known.is_upper_bound and child.value <= result.value)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(k for k, v in o.items() if v) or "plain")
def test_the_value_is_that_of_minimax_whatever_the_options(options):
    search = OnTrees(AlphaBeta(**options))
    for tree in tiny_games.some_trees(30):
        height = oracles.height(tree)
        for depth in range(1, height + 2):
            for budget in (Budget(depth=depth), Budget(depth=depth, nodes=10**6)):
                result = search(tree, budget)
                check(tree, result, min(depth, height), options["table"])
                assert result.stopped == ("solved" if depth >= height else "depth")


def test_compiled_with_all_options_and_with_none():
    for options in ({}, {"table": True, "killers": True, "history": True, "aspiration": 1.5}, {"order": False}):
        search = OnTrees(AlphaBeta(**options), compiled=True)
        for tree in tiny_games.some_trees(300):
            height = oracles.height(tree)
            result = search(tree, Budget(depth=height, nodes=10**6))
            check(tree, result, height, options.get("table"))
            assert result.stopped == "solved"


def test_deeper_entries_of_the_table_are_used_only_on_request():
    """In nim the same pile comes up at different distances. Equal drafts keep minimax's value; deeper save work."""
    game = ludus.game("nim(stones=14)")

    def search(spec):
        return ludus.player(spec, compiled=False).choose(game)

    equal = search("alphabeta(eval=random, table=true, depth=6)")
    deeper = search("alphabeta(eval=random, table=true, deeper=true, depth=6)")
    assert equal.value == search("minimax(eval=random, depth=6)").value
    assert deeper.meter.generated < equal.meter.generated


@pytest.mark.parametrize(("branching", "depth"), [(2, 2), (2, 5), (3, 3), (3, 4), (4, 3), (4, 5)])
def test_with_perfect_order_it_visits_the_minimal_tree(branching, depth):
    """Knuth & Moore 1975: exactly b^ceil(d/2) + b^floor(d/2) - 1 leaves."""
    search = OnTrees(AlphaBeta(order=False))
    for seed in range(5):
        tree = perfectly_ordered(seed, depth, branching)
        meter = search(tree, Budget(depth=depth)).meter
        assert meter.evaluated == branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


@MODES
def test_an_unfinished_iteration_counts_once_its_first_move_is_done(compiled):
    """Under any budget the move has the value of a finished iteration, or a better one in the unfinished one."""
    search, improved = OnTrees(AlphaBeta(order=False), compiled), 0
    for tree in tiny_games.some_trees(40):
        whole = search(tree, Budget(nodes=10**6)).meter.generated
        for nodes in range(1, whole + 1, max(whole // 25, 1)):
            result = search(tree, Budget(nodes=nodes))
            assert result.meter.generated <= max(nodes, tree.count[ROOT]) + 1
            chosen = next(child for child in result.children if child.move == result.move)
            depth = chosen.known.more["depth"]
            assert chosen.known.low == chosen.known.high
            values = oracles.move_values(tree, ROOT, depth)
            assert result.value == values[result.move - tree.first[ROOT]]
            improved += result.value != max(values)
    assert improved > 0  # some were cut off before they saw the best move


def test_an_ordered_search_generates_a_successor_once_an_iteration():
    """A state kept from move ordering to search counts once, and the root's children are kept throughout."""
    tree = TinyTree(5, depth=4, branching=4, values=1000)
    meter = OnTrees(AlphaBeta())(tree, Budget(depth=2)).meter
    full = oracles.full_width_counts(tree, ROOT, 2)
    assert meter.generated <= full.generated


@pytest.mark.parametrize(
    ("branching", "budget", "depth"),
    [(10, "units=100000", 4), (10, "units=99", 1), (2, "units=12800", 9), (20, "nodes=1000", 3), (5, "nodes=125", 4)],
)
def test_automatic_depth_is_that_of_the_lcf_paper(branching, budget, depth):
    """The largest k with b^(3k/4) nodes within the budget, at least 1; the real cost is not limited."""
    game = ludus.game("random-tree", branching=branching)
    result = ludus.player(f"alphabeta(depth=auto, {budget})", compiled=False).choose(game)
    fixed = ludus.player(f"alphabeta(depth={depth})", compiled=False).choose(game)
    assert result.stopped == "depth"
    assert (result.move, result.value, result.meter.generated) == (fixed.move, fixed.value, fixed.meter.generated)


def test_automatic_depth_needs_something_to_choose_by():
    with pytest.raises(SpecError, match="needs a budget of nodes or units"):
        ludus.player("alphabeta(depth=auto, seconds=1)", compiled=False).choose(ludus.game("tictactoe"))
    with pytest.raises(SpecError, match="cannot choose a depth"):
        ludus.player("bfmm(depth=auto, nodes=100)")


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(tree=tiny_games.tiny_trees(), nodes=st.integers(1, 2000), options=st.sampled_from(OPTIONS))
def test_any_budget_gives_a_legal_move_with_a_true_value(tree, nodes, options):
    result = OnTrees(AlphaBeta(**options))(tree, Budget(nodes=nodes))
    chosen = next(child for child in result.children if child.move == result.move)
    depth = chosen.known.more["depth"]
    assert chosen.value == result.value == oracles.move_values(tree, ROOT, depth)[result.move - tree.first[ROOT]]
