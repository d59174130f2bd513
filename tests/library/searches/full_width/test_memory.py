"""What alpha-beta remembers: two killers a ply, a history for each player, and bounds in the table."""

from types import SimpleNamespace

import numpy as np
import pytest

from ludus import Budget
from ludus.library.searches.full_width import memory
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.memory import (
    HISTORY,
    KILLER_PLIES,
    SECOND,
    cut_by_child,
    known_from_table,
    prefer,
    remember_move,
)
from ludus.library.searches.full_width.order import FIRST
from tests.support import oracles, tiny_games
from tests.support.tiny_games import OnTrees

NONE = -1


def remembering(killers=False, history=False):
    return SimpleNamespace(killers=killers, history=history, deeper=False)


def line(ply, moves, left=3):
    """A tree in which node 0, at this ply, has children with these moves; nothing is remembered yet."""
    return SimpleNamespace(
        move=moves,
        order=np.zeros(len(moves)),
        left=np.full(len(moves), left),
        killer=np.full((KILLER_PLIES, 2), NONE),
        history=np.zeros((2, HISTORY)),
        register=[SimpleNamespace(ply=ply)],
    )


def orders(search, tree, static=False, move_of_table=NONE):
    """How early each child comes."""
    tree.order[:] = 0.0
    for child in range(len(tree.move)):
        prefer(search, tree, child, tree.register[0].ply, static, move_of_table)
    return tree.order.tolist()


# Killers.


def test_the_last_two_moves_that_refuted_something_are_killers():
    search, tree = remembering(killers=True), line(4, [10, 20, 30])
    for child, expected in ((0, [SECOND, 0, 0]), (1, [SECOND, SECOND, 0]), (2, [0, SECOND, SECOND])):
        remember_move(search, tree, 0, child)
        assert orders(search, tree) == expected


def test_the_same_killer_twice_leaves_the_other_in_place():
    search, tree = remembering(killers=True), line(4, [10, 20, 30])
    for child in (0, 1, 1):
        remember_move(search, tree, 0, child)
    assert orders(search, tree) == [SECOND, SECOND, 0]


def test_killers_are_those_of_their_ply_and_the_table_s_move_comes_before_them():
    search, tree = remembering(killers=True), line(4, [10, 20])
    remember_move(search, tree, 0, 0)
    assert orders(search, tree, move_of_table=20) == [SECOND, FIRST]
    tree.register[0].ply = 5
    assert orders(search, tree) == [0, 0]


# History.


def test_a_history_is_that_of_the_player_whose_moves_it_counts():
    search, tree = remembering(history=True), line(4, [10, 20], left=3)
    remember_move(search, tree, 0, 1)
    assert orders(search, tree) == [0, 9e6]  # the square of the plies left
    tree.register[0].ply = 6
    assert orders(search, tree) == [0, 9e6]
    tree.register[0].ply = 5  # the other player
    assert orders(search, tree) == [0, 0]
    remember_move(search, tree, 0, 0)
    assert orders(search, tree) == [9e6, 0]
    tree.register[0].ply = 4
    assert orders(search, tree) == [0, 9e6]


def test_static_values_come_before_the_history():
    search, tree = remembering(history=True), line(4, [10, 20])
    remember_move(search, tree, 0, 1)
    assert orders(search, tree, static=True) == [0, 0]


# The table.


def kept(search, tree):
    """What the table says after the last search: (position, plies, low, high)."""
    table = search.session.tree.record.table
    for slot, entry in list(table.entry.items()):
        if entry.age == table.now[0]:
            yield table.state[slot][0], entry.depth // 2, entry.low, entry.high


def test_what_is_kept_of_a_position_bounds_its_value():
    search, kinds = OnTrees(AlphaBeta(table=True, order=False)), {"exact": 0, "lower": 0, "upper": 0}
    for tree in tiny_games.some_trees(40):
        search(tree, Budget(depth=oracles.height(tree)))
        for node, plies, low, high in kept(search, tree):
            assert low <= oracles.minimax_value(tree, node, plies) <= high
            kinds["exact" if low == high else "lower" if high == np.inf else "upper"] += 1
    assert min(kinds.values()) > 20


@pytest.fixture
def told(monkeypatch):
    """An entry that the table gives for every position."""
    entry = SimpleNamespace(low=-np.inf, high=np.inf, move=NONE, depth=6)
    monkeypatch.setattr(memory, "probe", lambda table, state: True)
    monkeypatch.setattr(memory, "load", lambda columns, node: None)
    return entry


def entered(entry, alpha, beta, left=3):
    """A tree of which node 0 has just been entered, and has one child."""
    return SimpleNamespace(
        table=SimpleNamespace(found=[entry]),
        state=None,
        left=[left],
        alpha=[alpha],
        beta=[beta],
        backed=[np.nan],
        cut=[0],
        first=[1],
        count=[1],
        ready=[1, 1],
        best=[NONE],
        length=[0, 0],
        register=[SimpleNamespace(hits=0, table_cuts=0, ply=0)],
    )


@pytest.mark.parametrize(
    ("low", "high", "settled", "value"),
    [
        (3.0, np.inf, True, 3.0),  # no less than beta
        (2.9, np.inf, False, None),
        (-np.inf, 1.0, True, 1.0),  # no more than alpha
        (-np.inf, 1.1, False, None),
        (2.0, 2.0, True, 2.0),
        (1.0, 3.0, False, None),
    ],
)
def test_a_bound_that_is_the_window_s_end_settles_the_value(told, low, high, settled, value):
    told.low, told.high = low, high
    tree = entered(told, alpha=1.0, beta=3.0)
    assert known_from_table(remembering(), tree, 0) is settled
    assert tree.register[0].hits == settled
    assert not settled or tree.backed[0] == value


@pytest.mark.parametrize(("high", "cut"), [(-3.0, True), (-2.9, False)])
def test_a_successor_that_is_worth_beta_cuts(told, monkeypatch, high, cut):
    monkeypatch.setattr(memory, "is_free", lambda search, tree, node: 0)
    monkeypatch.setattr(memory, "keep_line", lambda tree, node, child, ply: None)
    told.high = high
    tree = entered(told, alpha=1.0, beta=3.0, left=4)
    cut_by_child(remembering(), None, None, tree, 0)
    assert tree.register[0].table_cuts == cut
    assert tree.best[0] == (1 if cut else NONE)
