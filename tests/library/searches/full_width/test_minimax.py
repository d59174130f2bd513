"""Minimax against its definition, on hundreds of random trees, compiled and interpreted."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus import Budget
from ludus.kernel.limits import INTERRUPT
from ludus.kernel.tree import LONGEST_LINE
from ludus.library.searches.full_width.minimax import Minimax
from ludus.model.evaluator import WIN
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT
from tests.support.tiny_games import OnTrees, TinyTree

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


def check_against_oracle(tree, result, depth, at_once=True):
    """The values, the move and the line are those of a search to `depth`; if it was `at_once`, of equals the first."""
    values = oracles.move_values(tree, ROOT, depth)
    assert result.value == oracles.minimax_value(tree, ROOT, depth)
    assert [child.value for child in result.children] == values
    assert [child.move for child in result.children] == list(oracles.children(tree, ROOT))
    best = oracles.best_moves(tree, ROOT, depth)
    assert result.move == min(best) if at_once else result.move in best
    assert result.line[0] == result.move
    assert oracles.is_principal(tree, ROOT, result.line, depth)


@MODES
def test_a_budget_of_depth_alone_gives_one_exact_search_to_that_depth(compiled):
    search = OnTrees(Minimax(), compiled)
    for tree in tiny_games.some_trees(300):
        height = oracles.height(tree)
        for depth in range(1, height + 2):
            result = search(tree, Budget(depth=depth))
            check_against_oracle(tree, result, depth)
            assert result.stopped == ("solved" if depth >= height else "depth")
            meter, counts = result.meter, oracles.full_width_counts(tree, ROOT, depth)
            assert (meter.generated, meter.evaluated, meter.expanded) == counts
            assert meter.traversed == 2 * meter.generated  # each child is entered, and left


def deepened_counts(tree, depth):
    """What the iterations up to `depth` cost together: the root's children are generated once."""
    counts = [oracles.full_width_counts(tree, ROOT, d) for d in range(1, depth + 1)]
    again = depth - 1
    generated = sum(c.generated for c in counts) - again * len(oracles.children(tree, ROOT))
    ended = sum(not oracles.children(tree, child) for child in oracles.children(tree, ROOT))
    return generated, sum(c.evaluated for c in counts) - again * ended, sum(c.expanded for c in counts) - again


def finished_iterations(tree, nodes):
    """How deep a search gets that deepens step by step and may generate so many nodes; the first step is free."""
    height = oracles.height(tree)
    for depth in range(2, height + 1):
        if deepened_counts(tree, depth)[0] > nodes:
            return depth - 1
    return height


def check_unfinished(tree, result, depth):
    """Iteration `depth` is finished, the next one not: what it has found so far counts once the best move is done."""
    values = {d: oracles.move_values(tree, ROOT, d) for d in (depth, depth + 1)}
    for i, child in enumerate(result.children):
        assert child.value == values[child.known.more["depth"]][i]
    renewed = [child for child in result.children if child.known.more["depth"] == depth + 1]
    if renewed:
        assert result.value == max(child.value for child in renewed)
        assert result.chosen in renewed
        assert any(child.move in oracles.best_moves(tree, ROOT, depth) for child in renewed)
        assert oracles.is_principal(tree, result.move, result.line[1:], depth)
    else:
        check_against_oracle(tree, result, depth, at_once=False)


@MODES
def test_under_a_budget_of_nodes_the_last_finished_iteration_counts_and_what_the_next_has_found(compiled):
    search, unfinished = OnTrees(Minimax(), compiled), 0
    for tree in tiny_games.some_trees(150):
        height = oracles.height(tree)
        total, evaluated, expanded = deepened_counts(tree, height)
        first = len(oracles.children(tree, ROOT))
        for nodes in {1, total // 4 + 1, total // 2 + 1, total - 1, total, total + 1} - {0}:
            result = search(tree, Budget(nodes=nodes))
            depth = finished_iterations(tree, nodes)
            if nodes == total and result.stopped == "nodes":  # moves that end the game were still to be looked at again
                check_unfinished(tree, result, height - 1)
            elif depth == height:
                check_against_oracle(tree, result, depth, at_once=False)
                assert result.stopped == "solved"
                meter = result.meter
                assert (meter.generated, meter.evaluated, meter.expanded) == (total, evaluated, expanded)
            else:
                check_unfinished(tree, result, depth)
                unfinished += 1
                assert result.stopped == "nodes"
                assert result.meter.generated == max(nodes, first)
    assert unfinished > 200


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(tree=tiny_games.tiny_trees(), depth=st.integers(1, 6), nodes=st.integers(1, 2000))
def test_depth_and_nodes_together_stop_at_whichever_comes_first(tree, depth, nodes):
    result = OnTrees(Minimax())(tree, Budget(depth=depth, nodes=nodes))
    reached = min(depth, finished_iterations(tree, nodes))
    if nodes == deepened_counts(tree, reached)[0] and result.stopped == "nodes":
        reached -= 1
    expected = "solved" if reached == oracles.height(tree) else "depth" if reached == depth else "nodes"
    assert result.stopped == expected
    if expected == "nodes":
        check_unfinished(tree, result, reached)
    else:
        check_against_oracle(tree, result, reached, at_once=False)


def test_interrupted_in_its_only_iteration_it_plays_the_best_move_whose_search_is_finished(monkeypatch):
    monkeypatch.setattr(Session, "_slice_looks", lambda self, seconds, most: 1)  # a pause after every node
    search, depth, seen = OnTrees(Minimax()), 3, set()
    for tree in tiny_games.some_trees(60):
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
@pytest.mark.parametrize("plies", [70, LONGEST_LINE, LONGEST_LINE + 1, LONGEST_LINE + 5])
def test_long_lines(compiled, plies):
    """Of a line that is longer than can be kept, the beginning is kept."""
    chain = 5.0
    for _ in range(plies):
        chain = [0.0, chain]
    tree, search = TinyTree.of(chain), OnTrees(Minimax(), compiled)
    deepened = plies * (plies + 1) // 2 - (plies - 1)  # the root's child is generated once
    for budget, generated in ((Budget(depth=300), plies), (Budget(nodes=10**6), deepened)):
        if generated > plies > 70 and not compiled:
            continue
        result = search(tree, budget)
        line = list(range(1, plies + 1))[:LONGEST_LINE]
        assert (result.stopped, result.value, result.line) == ("solved", 5.0 * (-1) ** plies, line)
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


def test_a_move_is_proven_by_the_iteration_that_gave_its_value_not_by_one_that_has_hardly_begun():
    search, proven = OnTrees(Minimax()), 0
    for tree in tiny_games.some_trees(60):
        whole = oracles.move_values(tree, ROOT, oracles.height(tree))
        for nodes in (3, 10, 30, 100):
            for child, value in zip(search(tree, Budget(nodes=nodes)).children, whole, strict=True):
                assert not child.known.proven or child.value == value
                proven += child.known.proven
    assert proven > 100
