"""The tree of arrays: planting, opening, expanding, growing within the memory, and reading back."""

import itertools

import numpy as np
import pytest

import ludus
from ludus import Game
from ludus.kernel.columns import distance, integer, number, row
from ludus.kernel.columns import node as node_index
from ludus.kernel.limits import EVALUATED, EXPANDED, GENERATED, TRAVERSED
from ludus.kernel.rules import SLACK
from ludus.kernel.tree import UNOPENED, Tree, best_child, expand, open_node
from ludus.library.searches.best_first.driver import BestFirst
from tests.support import oracles
from tests.support.tiny_games import TinyTree, TreeValues

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["lists", "columns"])


def planted(game, state=None, **options):
    tree = Tree(game, {}, compiled=False, **options)
    tree.plant(game.start if state is None else state, seed=1)
    return tree, game.metered(np.zeros(4, np.int64))


# Opening and expanding, interpreted.


def test_opening_a_node_lists_its_children_without_playing_the_moves():
    game = ludus.game("nim", stones=7)
    tree, metered = planted(game)
    assert open_node(metered, tree.record, 0)
    record = tree.record
    assert record.size[0] == 4
    assert (record.first[0], record.count[0]) == (1, 3)
    assert record.move[1:4].tolist() == [1, 2, 3]
    assert record.parent[:4].tolist() == [-1, 0, 0, 0]
    assert record.count[1:4].tolist() == [UNOPENED] * 3
    assert np.isnan(record.value[1:4]).all()
    assert metered.meter.tolist() == [0, 0, 1, 0]


def test_expanding_generates_and_evaluates_all_children():
    game = TinyTree.of([0, [3, 1], -5, [7, 2]])
    tree, metered = planted(game)
    assert expand(metered, TreeValues(), tree.record, 0)
    assert [tree.state(node) for node in range(4)] == [(0,), (1,), (2,), (3,)]
    assert tree.record.value[1:4].tolist() == [3, -5, 7]
    assert tree.record.count[1:4].tolist() == [UNOPENED, 0, UNOPENED], "a finished game is closed"
    assert [metered.meter[cell] for cell in (GENERATED, EVALUATED, EXPANDED, TRAVERSED)] == [3, 3, 1, 0]


def test_children_lie_together_behind_their_parent():
    game = TinyTree(seed=3)
    tree, metered = planted(game)
    for node in range(200):
        if node < tree.record.size[0] and tree.record.count[node] == UNOPENED:
            expand(metered, TreeValues(), tree.record, node)
    record, size = tree.record, int(tree.record.size[0])
    assert size == len(game.count) <= 1024
    for node in range(size):
        here = tree.state(node)[0]
        children = range(int(record.first[node]), int(record.first[node] + record.count[node]))
        assert [tree.state(child)[0] for child in children] == list(oracles.children(game, here))
        assert all(child > node and record.parent[child] == node for child in children)


def test_the_best_child_is_the_worst_for_the_opponent_the_first_of_equals():
    game = TinyTree.of([0, 3, -5, 7, -5])
    tree, metered = planted(game)
    expand(metered, TreeValues(), tree.record, 0)
    assert best_child(tree.record, 0) == 2


def test_without_room_nothing_is_done():
    game = ludus.game("nim", stones=7)
    tree, metered = planted(game, capacity=3)
    before = {name: tree.arrays[name].copy() for name in ("count", "size")}
    for attempt in (lambda: open_node(metered, tree.record, 0), lambda: expand(metered, TreeValues(), tree.record, 0)):
        assert not attempt()
        assert metered.meter.tolist() == [0, 0, 0, 0]
        assert (tree.arrays["size"] == before["size"]).all()
        assert tree.record.count[0] == UNOPENED
    assert tree.grow(megabytes=1)
    assert expand(metered, ludus.evaluator("zero"), tree.record, 0)


# Growing.


@MODES
def test_growing_keeps_what_is_there(compiled):
    game = ludus.game("tictactoe")
    tree = Tree(game, {"extra": number()}, compiled, capacity=2)
    tree.plant((np.uint64(5), np.uint64(2)), seed=9)
    before = tree.record
    before.extra[:2] = 0.5, 1.5
    before.move[1] = 77
    assert tree.grow(megabytes=1)
    after = tree.record
    assert tree.capacity == len(after.parent) == len(after.extra) > 2
    assert len(after.state[0] if compiled else after.state) == tree.capacity
    assert tree.state(0) == (5, 2)
    assert (after.extra[:2].tolist(), after.move[1], after.parent[0]) == ([0.5, 1.5], 77, -1)
    assert after.register is before.register
    assert after.random is before.random
    assert after.size is before.size


def test_each_growth_doubles_the_room_and_fits_the_moves_of_any_position():
    game = ludus.game("nim", stones=7)
    tree = Tree(game, {}, compiled=True, capacity=1)
    capacities = [tree.capacity]
    for _ in range(8):
        assert tree.grow(megabytes=100)
        capacities.append(tree.capacity)
    assert capacities[1] >= 1 + game.max_moves
    assert all(later >= 2 * earlier for earlier, later in itertools.pairwise(capacities))
    assert capacities[-1] <= 2**8 * (1 + game.max_moves + SLACK)


@MODES
def test_memory_bounds_the_growth_to_the_last_node_that_fits(compiled):
    game = ludus.game("tictactoe")
    tree = Tree(game, {"one": integer(), "two": number(0, "f4")}, compiled, capacity=10)
    assert tree.node_bytes == 2 * 8 + 5 * 8 + 8 + 4
    while tree.grow(megabytes=0.05):
        pass
    assert tree.capacity == 50_000 // tree.node_bytes
    if compiled:
        columns = [*tree.record.state, *(getattr(tree.record, name) for name in tree.node_columns)]
        assert sum(column.nbytes for column in columns) == tree.capacity * tree.node_bytes
    assert not tree.grow(megabytes=0.05)
    assert tree.grow(megabytes=0.06)


def test_the_numbers_of_a_node_lie_together_if_asked_for():
    game = ludus.game("tictactoe")
    columns = {"one": integer(7), "two": number(0, "f4"), "many": row(3)}
    tree = Tree(game, columns, compiled=True, capacity=10, interleaved=True)
    tree.plant(game.start, 0)
    tree.record.two[9], tree.record.many[9] = 2.5, (1.0, 2.0, 3.0)
    assert tree.grow(megabytes=1)
    nodes = tree.record
    assert (nodes.one[0], nodes.two[9], *nodes.many[9]) == (7, 2.5, 1.0, 2.0, 3.0)
    assert nodes.one.strides == nodes.two.strides == nodes.value.strides == (5 * 8 + 8 + 4 + 4,)
    assert nodes.one.base is nodes.two.base
    assert nodes.parent.ctypes.data % 64 == 0, "the first field of the first node begins a line of the cache"
    assert nodes.many.flags.c_contiguous
    assert tree.node_bytes == 2 * 8 + nodes.one.strides[0] + 3 * 8
    apart = Tree(game, columns, compiled=False, capacity=10, interleaved=True)
    assert apart.record.one.flags.c_contiguous  # it matters to compiled code alone


@pytest.mark.slow
def test_the_root_and_its_children_fit_however_little_memory_there_is():
    class Wide(Game):
        max_moves = 3000

        def initial(self):
            return (0,)

        def moves(self, state, out):
            n = 0 if state[0] else 3000
            for i in range(n):
                out[i] = i + 1
            return n

        def play(self, state, move):
            return (move,)

        def score(self, state):
            return -1 if state[0] == 1234 else 0

    for search, stopped in (("minimax", "solved"), ("bfmm", "solved"), ("greedy", "depth"), ("random", "exhausted")):
        result = ludus.player(f"{search}(nodes=100, memory=1e-6)", compiled=False).choose(Wide())
        assert len(result.children) == 3000
        assert result.stopped == stopped
        assert result.move == 1234 or search == "random"


# Planting.


@MODES
def test_planting_starts_over(compiled):
    game = ludus.game("nim")
    columns = {"visits": number(2.5), "best": node_index(), "depth": distance()}
    tree = Tree(game, columns, compiled, registers={"count": "i8", "total": "f8"})
    tree.plant((9,), seed=5)
    tree.record.size[0] = 50
    tree.record.count[0] = 3
    tree.record.visits[0], tree.record.best[0], tree.record.depth[0] = 7, 7, 7
    tree.record.register[0].count, tree.record.register[0].total = 1, 0.5
    tree.plant((4,), seed=-1)
    record = tree.record
    assert tree.state(0) == (4,)
    assert (record.size[0], record.count[0], record.parent[0]) == (1, UNOPENED, -1)
    assert np.isnan(record.value[0])
    assert (record.visits[0], record.best[0], record.depth[0]) == (2.5, -1, 0), "the root begins as the columns say"
    assert (record.register[0].count, record.register[0].total) == (0, 0.0)
    assert int(record.random[0]) == 2**64 - 1, "any whole number is a seed"


def test_a_state_comes_back_in_the_types_of_its_columns():
    game = ludus.game("tictactoe")
    tree = Tree(game, {}, compiled=True)
    tree.plant((np.uint64(2**63), np.uint64(1)), seed=0)
    state = tree.state(0)
    assert state == (2**63, 1)
    assert [type(value) for value in state] == [np.uint64, np.uint64]


def test_what_lay_in_memory_before_does_not_matter_when_a_tree_is_kept():
    """The bits of -0.0 are those of the least whole number, from which a step down leads to the greatest."""
    game = ludus.game("tictactoe")
    player = ludus.player("bfmm(reuse=true, nodes=40)", compiled=False)
    session = player.session(game)
    session.tree.arrays["first"][:] = np.full(session.tree.capacity, -0.0).view(np.int64)
    player.choose(game)
    far = game.position("XO--X--O- X").state
    assert session.tree._find(far) == -1


# Names.


@pytest.mark.parametrize("name", ["value", "state", "size", "line", "register"])
@pytest.mark.parametrize("what", ["columns", "extras"])
def test_what_a_program_adds_has_a_name_of_its_own(what, name):
    more = {"columns": {name: number()}} if what == "columns" else {"columns": {}, "extras": {name: np.zeros(1)}}
    with pytest.raises(TypeError, match=f"{what} '{name}' need another name"):
        Tree(ludus.game("nim"), compiled=False, **more)


@pytest.mark.parametrize(("what", "cell"), [("columns", number()), ("registers", "i8")])
def test_a_search_does_not_use_what_is_its_drivers(what, cell):
    taken = next(iter(vars(BestFirst)[what]))
    with pytest.raises(TypeError, match=f"Greedy names the {what} '{taken}' twice"):
        type("Greedy", (BestFirst,), {what: {taken: cell}})
