"""The view of a search's tree: what the result says, all the way down, and nothing that can be changed."""

import math

import numpy as np
import pytest

import ludus
from ludus import Budget, Player
from ludus.kernel.columns import integer
from ludus.library.searches.best_first.bfmm import BestFirstMinimax
from tests.support.conformance.subjects import SPECS, calibrated

WON = "XO--X---O X"  # with a3, a2 or c1


def kept(spec, state=WON, game="tictactoe", **options):
    return ludus.player(spec, Budget(nodes=100), compiled=False, **options).choose(game, state, keep_tree=True)


@pytest.mark.parametrize("spec", SPECS)
def test_the_root_has_the_children_of_the_result(spec):
    result = kept(spec, eval=calibrated("open-lines"))
    shown = [(node.move, repr(node.known)) for node in result.tree.root.children]
    assert shown == [(child.name, repr(child.known)) for child in result.children]
    told = result.tree.to_dict(depth=1)["children"]
    assert sorted(map(str, told)) == sorted(str(child.to_dict()) for child in result.children)


def test_below_it_proofs_show_by_their_score_too():
    tree = kept("bfmm(complete=false)").tree
    finished = [node for node in tree.root if tree.count[node.index] == 0]
    assert {node.known.score for node in finished} == {0.0, 1.0}
    assert all(node.known.proven and node.known.low == node.known.high for node in finished)
    forced = [node for node in tree.root if node.known.score and node not in finished]
    assert forced
    for node in forced:
        best = node.best(1)[0].known
        assert best.score == -node.known.score, "what the next player thinks best"
        assert (node.known.low, node.known.high) in ((best.value, math.inf), (-math.inf, -best.value))


def test_the_best_children_come_first():
    tree = kept("bfmm").tree
    values = [node.known.value for node in tree.root.best()]
    assert values == sorted(values, reverse=True)
    assert [node.move for node in tree.root.best(2)] == [node.move for node in tree.root.best()][:2]
    told = tree.to_dict(depth=2, top=2)
    assert [len(child["children"]) for child in told["children"]] == [2, 2]
    assert "children" not in told["children"][0]["children"][0]


def test_nothing_can_be_changed():
    tree = kept("bfmm").tree
    with pytest.raises(ValueError, match="read-only"):
        tree.value[0] = 7.0
    with pytest.raises(AttributeError, match="no column 'visits'"):
        _ = tree.visits


def test_it_stays_what_it_was_when_the_search_goes_on():
    game, player = ludus.game("tictactoe"), ludus.player("uct(nodes=50)", compiled=False)
    tree = player.choose(game, keep_tree=True).tree
    before = {name: column.copy() for name, column in tree.columns.items()}
    player.choose(game, WON)
    assert all(np.array_equal(column, before[name], equal_nan=True) for name, column in tree.columns.items())


class OddNames(BestFirstMinimax):
    """Columns that are called as what a view has itself."""

    columns = {"root": integer(5), "search": integer(7)}

    def knowledge(self, tree, node):
        assert (tree.root[0], tree.search[0]) == (5, 7)
        return super().knowledge(tree, node)


def test_a_column_may_have_any_name():
    tree = Player(OddNames(), budget=Budget(nodes=50), compiled=False).choose("tictactoe", keep_tree=True).tree
    assert len(tree.root.children) == 9
    assert tree.columns["search"][0] == 7


def test_a_line_may_be_long():
    tree = kept("bfmm(eval=zero, nodes=3000)", state=None, game="nim(stones=3000, most=1)").tree
    assert [node.move for node in tree.root][1:] == ["1"] * 3000
