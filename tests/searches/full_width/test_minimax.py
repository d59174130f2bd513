"""Minimax against its definition, on hundreds of random trees, compiled and interpreted."""

import itertools

import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import ROOT, OnTrees, TinyTree

import ludus
from ludus import Budget
from ludus.core.budget import INTERRUPT
from ludus.core.evaluator import WIN
from ludus.core.search import Session
from ludus.searches.full_width.minimax import Minimax

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


def check_against_oracle(tree, result, depth):
    """The values, the move and the line are those of a search to `depth`."""
    values = oracles.move_values(tree, ROOT, depth)
    assert result.value == oracles.minimax_value(tree, ROOT, depth)
    assert [child.value for child in result.children] == values
    assert [child.move for child in result.children] == list(oracles.children(tree, ROOT))
    assert result.move == min(oracles.best_moves(tree, ROOT, depth)), "the first of equals"
    assert result.line[0] == result.move
    assert oracles.is_principal(tree, ROOT, result.line, depth)


@MODES
def test_a_budget_of_depth_alone_gives_one_exact_search_to_that_depth(compiled):
    search = OnTrees(Minimax(), compiled)
    for tree in oracles.some_trees(300):
        height = oracles.height(tree)
        for depth in range(1, height + 2):
            result = search(tree, Budget(depth=depth))
            check_against_oracle(tree, result, depth)
            assert result.stopped == ("solved" if depth >= height else "depth")
            meter, counts = result.meter, oracles.full_width_counts(tree, ROOT, depth)
            assert (meter.generated, meter.evaluated, meter.expanded) == counts
            assert meter.traversed == 2 * meter.generated  # each child is entered, and left


def finished_iterations(tree, nodes):
    """How deep a search gets that deepens step by step and may generate so many nodes; the first step is free."""
    height = oracles.height(tree)
    for depth in range(2, height + 1):
        cost = sum(oracles.full_width_counts(tree, ROOT, d).generated for d in range(1, depth + 1))
        if cost > nodes:
            return depth - 1
    return height


@MODES
def test_under_a_budget_of_nodes_only_finished_iterations_count(compiled):
    search, unfinished = OnTrees(Minimax(), compiled), 0
    for tree in oracles.some_trees(150):
        height = oracles.height(tree)
        iterations = [oracles.full_width_counts(tree, ROOT, depth) for depth in range(1, height + 1)]
        total = sum(counts.generated for counts in iterations)
        for nodes in {1, total // 4 + 1, total // 2 + 1, total - 1, total, total + 1} - {0}:
            result = search(tree, Budget(nodes=nodes))
            depth = finished_iterations(tree, nodes)
            check_against_oracle(tree, result, depth)
            if depth == height:
                assert result.stopped == "solved"
                assert result.meter.generated == total
                assert result.meter.evaluated == sum(counts.evaluated for counts in iterations)
                assert result.meter.expanded == sum(counts.expanded for counts in iterations)
            else:
                unfinished += 1
                assert result.stopped == "nodes"
                assert result.meter.generated == max(nodes, iterations[0].generated)
    assert unfinished > 200


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(tree=oracles.tiny_trees(), depth=st.integers(1, 6), nodes=st.integers(1, 2000))
def test_depth_and_nodes_together_stop_at_whichever_comes_first(tree, depth, nodes):
    result = OnTrees(Minimax())(tree, Budget(depth=depth, nodes=nodes))
    reached = min(depth, finished_iterations(tree, nodes))
    check_against_oracle(tree, result, reached)
    expected = "nodes"
    if reached == oracles.height(tree):
        expected = "solved"
    elif reached == depth:
        expected = "depth"
    assert result.stopped == expected


def test_interrupted_in_its_only_iteration_it_plays_the_best_move_whose_search_is_finished(monkeypatch):
    monkeypatch.setattr(Session, "_slice_work", lambda self, seconds: 1)  # a pause after every node
    search, depth, seen = OnTrees(Minimax()), 3, set()
    for tree in oracles.some_trees(60):
        for after in itertools.count(1):
            pauses = itertools.count(1)

            def interrupt(session, pauses=pauses, after=after):
                if next(pauses) == after:
                    session.limits[INTERRUPT] = 1

            result = search(tree, Budget(depth=depth), progress=interrupt)
            if result.stopped != "interrupted":
                break
            done = [child for child in result.children if child.value == child.value]  # not NaN
            seen.add((len(done), len(result.children)))
            exact = oracles.move_values(tree, ROOT, depth)
            assert [child.value for child in done] == exact[: len(done)]
            if done:
                assert result.value == max(exact[: len(done)])
                assert result.move == oracles.children(tree, ROOT)[exact.index(result.value)]
            else:
                assert result.move == oracles.children(tree, ROOT)[0]
            node = ROOT
            for move in result.line:
                assert move in oracles.children(tree, node), "the line is legal"
                node = move
    assert {(0, 4), (1, 4), (2, 4), (3, 4)} <= seen


@MODES
def test_lines_longer_than_the_first_table_of_lines(compiled):
    chain, plies = 5.0, 70  # 16 plies fit at first
    for _ in range(plies):
        chain = [0.0, chain]
    tree, search = TinyTree.of(chain), OnTrees(Minimax(), compiled)
    for budget, generated in ((Budget(depth=80), plies), (Budget(nodes=10**6), plies * (plies + 1) // 2)):
        result = search(tree, budget)
        assert (result.stopped, result.value, result.line) == ("solved", 5.0, list(range(1, plies + 1)))
        assert result.meter.generated == generated


def test_nim_is_lost_exactly_with_one_more_than_a_multiple_of_four_stones():
    for stones in range(1, 13):
        result = ludus.Player(Minimax(), budget=Budget(depth=stones), compiled=False).choose(
            ludus.game("nim", stones=stones)
        )
        assert result.value == (-WIN if stones % 4 == 1 else WIN)
        assert stones % 4 == 1 or (stones - result.move) % 4 == 1


def test_tic_tac_toe_is_a_draw():
    result = ludus.Player(Minimax(), budget=Budget(depth=9), compiled=True).choose(ludus.game("tictactoe"))
    assert [child.value for child in result.children] == [0.0] * 9
    assert len(result.line) == 9
    assert result.stopped == "solved"
    assert result.meter.generated == 549945


def test_a_tree_worked_out_by_hand():
    tree = TinyTree.of([0, [5, 3, [9, 1, 6]], [-7, -2, 8]])  # nodes 1 and 2; 3, 4, 5 and 6; 7 and 8
    by_hand = {1: ([-5, 7], [2]), 2: ([3, -2], [1, 3]), 3: ([-1, -2], [1, 4, 7])}
    for depth, (values, line) in by_hand.items():
        result = OnTrees(Minimax())(tree, Budget(depth=depth))
        assert [child.value for child in result.children] == values
        assert oracles.move_values(tree, ROOT, depth) == values
        assert result.line == line
