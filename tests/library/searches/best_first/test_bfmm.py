"""Best-first minimax against its definition, on hundreds of random trees, compiled and interpreted."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus import Budget, Player
from ludus.library.searches.best_first.bfmm import BestFirstMinimax
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import OnTrees, TinyTree, TreeValues, expansions

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
SETTINGS = pytest.mark.parametrize("complete", [False, True], ids=["as published", "complete"])
PLENTY = Budget(nodes=10**6)


def values_in_memory(session):
    """The value of each node of the game that is in memory."""
    record = session.tree.record
    return {session.tree.state(node)[0]: float(record.value[node]) for node in range(int(record.size[0]))}


def check_against_oracle(tree, session, result, steps, kept=None):
    """All that is in memory, the line and the meter are as after `steps` of the slow search."""
    kept = kept or Grown(tree)
    assert expansions(session)[len(kept.opened) :] == [step.leaf for step in steps]
    grown = Grown(tree, kept.opened | {step.leaf for step in steps}, kept.root)
    assert values_in_memory(session) == {node: grown.value(node) for path in grown.paths() for node in path}
    assert result.value == grown.value(grown.root)
    assert [child.value for child in result.children] == [-grown.value(c) for c in oracles.children(tree, grown.root)]
    assert line_is_principal(grown, result.line, session.search.complete)
    generated = sum(len(oracles.children(tree, step.leaf)) for step in steps)
    assert result.meter.expanded == len(steps)
    assert result.meter.generated == result.meter.evaluated == generated
    assert result.meter.traversed == sum(step.traversed for step in steps)


def line_is_principal(grown, line, complete):
    """Whether it leads to a leaf along best children, the first of equals; at the root a resolved one before others."""
    moves = oracles.children(grown.tree, grown.root)
    best = min(moves, key=lambda child: (grown.value(child), complete and not grown.is_resolved(child)))
    return line == [best, *Grown(grown.tree, grown.opened, best).principal_path()[1:]]


def test_the_oracle_expands_the_leaf_that_gives_the_root_its_value():
    steps = [(tree, step) for tree in tiny_games.some_trees(300) for step in oracles.slow_bfmm(tree, complete=False)]
    assert len(steps) > 1000
    for tree, step in steps:
        assert step.before == oracles.worth(tree, step.leaf) * (-1) ** step.ply


@MODES
def test_without_a_limit_it_ends_when_the_principal_leaf_is_a_finished_game(compiled):
    search = OnTrees(BestFirstMinimax(complete=False), compiled)
    for tree in tiny_games.some_trees(150):
        result = search(tree, PLENTY)
        assert result.stopped == "exhausted"
        check_against_oracle(tree, search.session, result, list(oracles.slow_bfmm(tree, complete=False)))
        assert not oracles.children(tree, result.line[-1])


@MODES
def test_complete_and_without_a_limit_it_ends_with_the_value_of_minimax(compiled):
    search = OnTrees(BestFirstMinimax(), compiled)
    for tree in tiny_games.some_trees(150):
        result = search(tree, PLENTY)
        assert (result.stopped, result.chosen.known.proven) == ("solved", True)
        check_against_oracle(tree, search.session, result, list(oracles.slow_bfmm(tree, complete=True)))
        assert result.value == oracles.minimax_value(tree, ROOT, 99)


@MODES
@SETTINGS
def test_under_a_budget_it_makes_the_same_expansions_and_stops_before_the_first_that_begins_too_late(
    compiled, complete
):
    search = OnTrees(BestFirstMinimax(complete), compiled)
    stops = {"nodes": 0, "units": 0, "solved" if complete else "exhausted": 0}
    for tree in tiny_games.some_trees(100):
        steps = list(oracles.slow_bfmm(tree, complete))
        sizes = [len(oracles.children(tree, step.leaf)) for step in steps]
        generated = list(itertools.accumulate(sizes, initial=0))
        units = list(
            itertools.accumulate((s.traversed + 100 * n for s, n in zip(steps, sizes, strict=True)), initial=0)
        )
        for key, spent in (("nodes", generated), ("units", units)):
            for limit in {1, spent[-1] // 3 + 1, spent[len(spent) // 2], spent[-1]}:
                result = search(tree, Budget(**{key: limit}))
                stops[result.stopped] += 1
                made = max(1, sum(before < limit for before in spent[:-1]))
                check_against_oracle(tree, search.session, result, steps[:made])
                assert made == len(steps) or result.stopped == key
    assert min(stops.values()) > 100


@MODES
@SETTINGS
def test_the_depth_limit_ends_it_when_the_principal_leaf_is_that_deep(compiled, complete):
    search = OnTrees(BestFirstMinimax(complete), compiled)
    stops = {"depth": 0, "solved" if complete else "exhausted": 0}
    for tree in tiny_games.some_trees(50):
        for depth in range(1, oracles.height(tree) + 2):
            result = search(tree, Budget(depth=depth))
            check_against_oracle(tree, search.session, result, list(oracles.slow_bfmm(tree, complete, depth)))
            assert complete or (result.stopped == "depth") == bool(oracles.children(tree, result.line[-1]))
            stops[result.stopped] += 1
    assert min(stops.values()) > 50


@MODES
@SETTINGS
def test_two_plies_later_it_goes_on_with_the_part_of_the_tree_that_it_kept(compiled, complete):
    search = OnTrees(BestFirstMinimax(complete, reuse=True), compiled)
    session, reused = search.session, 0
    for tree in tiny_games.some_trees(100):
        search(tree, Budget(nodes=40))
        opened = expansions(session)
        below = [
            grandchild
            for child in opened
            if child in oracles.children(tree, ROOT)
            for grandchild in oracles.children(tree, child)
            if oracles.children(tree, grandchild)
        ]
        if not below:
            continue
        root = max(below, key=lambda node: (node in opened, node))
        within = {node for path in Grown(tree, set(opened), root).paths() for node in path}
        kept = Grown(tree, within & set(opened), root)
        reused += bool(kept.opened)
        steps = list(oracles.slow_bfmm(tree, complete, kept=kept))
        sizes = [len(oracles.children(tree, step.leaf)) for step in steps]
        stopped = session.run((root,), Budget(nodes=5))
        made = sum(before < 5 for before in itertools.accumulate(sizes[:-1], initial=0)) if steps else 0
        check_against_oracle(tree, session, session.result((root,), stopped), steps[:made], kept)
        search(tree, Budget(nodes=40))
        assert expansions(session) == opened, "and in another game it starts over"
    assert reused > 30


@MODES
def test_a_tree_is_not_kept_for_another_game_though_its_first_state_is_the_same(compiled):
    player = Player(BestFirstMinimax(reuse=True), TreeValues(), Budget(nodes=30), compiled=compiled)
    for tree in tiny_games.some_trees(30):
        result = player.choose(tree)
        steps = list(oracles.slow_bfmm(tree, complete=True))[: result.meter.expanded]
        check_against_oracle(tree, player.session(tree), result, steps)
        player.new_game()
        assert player.choose(tree).meter.expanded == result.meter.expanded, "nor for a new game of the same kind"


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(tree=tiny_games.tiny_trees(), complete=st.booleans(), nodes=st.integers(1, 60))
def test_any_tree_any_budget_of_nodes(tree, complete, nodes):
    search = OnTrees(BestFirstMinimax(complete))
    result = search(tree, Budget(nodes=nodes))
    steps = list(oracles.slow_bfmm(tree, complete))
    check_against_oracle(tree, search.session, result, steps[: result.meter.expanded])
    assert result.meter.expanded == len(steps) or result.meter.generated >= nodes


@MODES
@pytest.mark.parametrize("size", [3, 4])
def test_the_leaf_expanded_next_has_the_value_of_the_root(monkeypatch, compiled, size):
    monkeypatch.setattr(Session, "_slice_looks", lambda self, seconds, most: 1)  # a pause after every expansion
    game = ludus.game("tictactoe", size=size, line=3)
    leaves = []

    def look(session):
        tree = session.tree.record
        node, sign = 0, 1
        while tree.count[node] > 0:
            node, sign = int(tree.best[node]), -sign
        assert tree.value[node] * sign == tree.value[0]
        leaves.append(node)

    session = Session(BestFirstMinimax(complete=False), game, ludus.evaluator("open-lines"), compiled)
    session.run(game.start, Budget(nodes=600), progress=look)
    record = session.tree.record
    assert len(leaves) >= 40
    opened = sorted(
        (node for node in range(int(record.size[0])) if record.count[node] > 0), key=lambda n: record.first[n]
    )
    assert leaves[: len(opened) - 1] == opened[1:], "what stood at the end of the line was expanded next"


def test_a_tree_worked_out_by_hand():
    tree = TinyTree.of([0, [5, 3, [9, 1, 6]], [-7, -2, [8, 1]]])  # nodes 1 and 2; 3, 4, 5 and 6; 7 and 8; 9
    # The root, its moves worth -5 and 7; node 2, now -2 by node 5, a finished game: so the end.
    search = OnTrees(BestFirstMinimax(complete=False))
    result = search(tree, PLENTY)
    assert expansions(search.session) == [0, 2]
    assert (result.value, result.line, result.stopped) == (-2, [2, 5], "exhausted")
    # Down: nothing; back: 2 children. Down: 2; back: 2 and the new 2.
    assert result.meter.traversed == (0 + 2) + (2 + 4)
