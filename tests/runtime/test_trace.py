"""How a tree grew, row by row, against slow searches that compute everything anew at every step."""

from __future__ import annotations

import dataclasses
import math
import signal

import numpy as np
import pytest

import ludus
from ludus.model import registry
from ludus.model.search import Search
from ludus.pictures.trace import draw_trace, symbols
from ludus.pictures.trees import place
from ludus.runtime.trace import Row, trace
from tests.support.conformance.subjects import calibrated

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
Path = tuple[int, ...]
"""A node is the moves that lead to it from the root."""


class Slow:
    """The part of a game's tree that is in memory, `opened` nodes and their children, seen by the root player."""

    def __init__(self, game: ludus.Game) -> None:
        self.game, self.opened, self.known = game, set(), {(): game.position()}

    def position(self, node: Path) -> ludus.Position:
        if node not in self.known:
            self.known[node] = self.position(node[:-1]).play(node[-1])
        return self.known[node]

    def children(self, node: Path) -> list[Path]:
        return [(*node, move) for move in self.position(node).moves.numbers] if node in self.opened else []

    def value(self, node: Path) -> float:
        """To the root player."""
        best = max if len(node) % 2 == 0 else min
        below = [self.value(child) for child in self.children(node)]
        static = self.position(node).value("sum")
        return best(below) if below else static if len(node) % 2 == 0 else -static

    def principal_leaf(self) -> Path:
        """Best-first minimax: where both sides play the best."""
        node: Path = ()
        while self.children(node):
            best = max if len(node) % 2 == 0 else min
            node = best(self.children(node), key=self.value)
        return node

    def swings(self) -> list[float]:
        """Of the root's children: the best should fall to the second's value, the others rise to the best's."""
        return [self.swing(child, *self.goal(child)) for child in self.children(())]

    def goal(self, child: Path) -> tuple[float, int]:
        """What value a child of the root should reach, and whether from below (1) or above (-1)."""
        first, second, *_ = sorted((self.value(c) for c in self.children(())), reverse=True)
        return (second, -1) if self.value(child) == first else (first, 1)

    def swing(self, node: Path, goal: float, sign: int) -> float:
        """The least total change of leaves below `node` that brings it to its goal."""
        below = [self.swing(child, goal, sign) for child in self.children(node)]
        if not below:
            missing = max(0.0, sign * (goal - self.value(node)))
            return math.inf if missing and self.position(node).is_over else missing
        # To rise, one suffices where the root player chooses, all must where the opponent does; to fall, the reverse.
        return min(below) if (len(node) % 2 == 0) == (sign == 1) else sum(below)

    def least_certain_leaf(self, descended: int) -> Path:
        """Least-certainty-first: the least swing at the root, then the least that is not zero.

        At the root ties are broken by chance (the best two, while they are leaves, always tie): so say which it was.
        """
        if not self.children(()):
            return ()
        swings = self.swings()
        assert swings[descended] == min(swings)
        node = self.children(())[descended]
        goal, sign = self.goal(node)
        while self.children(node):
            left = [(self.swing(child, goal, sign), child) for child in self.children(node)]
            node = min(pair for pair in left if pair[0] > 0)[1]
        return node

    def row(self, leaf: Path, with_swings: bool) -> Row:
        """What is there after `leaf` was opened."""
        nodes = [child for node in self.opened for child in self.children(node)]
        deepest = max(len(node) for node in nodes)
        return Row(
            descended=leaf[0] if leaf else -1,
            expanded=len(self.opened),
            values=[self.value(child) for child in self.children(())],
            swings=self.swings() if with_swings else None,
            sizes=[sum(node[:1] == child for node in nodes) for child in self.children(())],
            depths=[sum(len(node) == depth for node in nodes) for depth in range(1, deepest + 1)],
        )


@MODES
@pytest.mark.parametrize(("branching", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_rows_of_best_first_minimax(branching, seed, compiled):
    game = ludus.game("random-tree", branching=branching, depth=30, seed=seed)
    found = trace(game, ludus.player("bfmm(nodes=1000)", compiled=compiled), most=40)
    slow = Slow(game)
    for row in found.rows:
        leaf = slow.principal_leaf()
        slow.opened.add(leaf)
        assert row == slow.row(leaf, with_swings=False)
    assert len(found.rows) == 40
    assert len({row.descended for row in found.rows}) >= 3  # the root, and more than one move
    assert len(found.rows[-1].depths) > 4


@MODES
@pytest.mark.parametrize(("branching", "seed"), [(2, 4), (3, 5), (4, 8)])
def test_rows_of_least_certainty_first(branching, seed, compiled):
    game = ludus.game("random-tree", branching=branching, depth=30, seed=seed)
    found = trace(game, ludus.player("lcf(nodes=1000)", compiled=compiled), most=25)
    slow = Slow(game)
    for row in found.rows:
        leaf = slow.least_certain_leaf(row.descended)
        slow.opened.add(leaf)
        assert row == slow.row(leaf, with_swings=True)
    assert len(found.rows) == 25
    assert len({row.descended for row in found.rows}) >= 3
    assert len(found.rows[-1].depths) > 3


@MODES
@pytest.mark.parametrize(
    "spec",
    ["bfmm(nodes=500)", "bfmm(units=90000)", "bfmm(depth=5)", "lcf(nodes=500)", "lcf(units=90000)", "lcf(depth=4)"],
)
def test_it_is_the_search_itself(spec, compiled):
    """The same tree, the same costs and the same end as without anybody looking."""
    game = ludus.game("random-tree", branching=4, seed=3)
    player = ludus.player(spec, compiled=compiled)
    result = player.choose(game, seed=5)
    alone = tree_of(player, game)
    watched = ludus.player(spec, compiled=compiled)
    found = trace(game, watched, seed=5, most=10**6)
    assert found.stopped == result.stopped
    assert len(found.rows) == result.meter.expanded
    assert found.rows[-1].values == [child.value for child in result.children]
    assert tree_of(watched, game) == alone
    assert sum(found.rows[-1].sizes) == sum(found.rows[-1].depths) == result.meter.generated
    assert watched.session(game).meter.tolist() == player.session(game).meter.tolist()


def tree_of(player: ludus.Player, game: ludus.Game) -> list[list[int]]:
    record = player.session(game).tree.record
    size = int(record.size[0])
    return [record.parent[:size].tolist(), record.move[1:size].tolist()]


@pytest.mark.parametrize("name", [n for n, cls in registry.searches().classes.items() if cls.grows_tree])
def test_every_best_first_search(name):
    """What holds for any: each expansion adds its children below one move, and nothing goes away."""
    game = ludus.game("othello", size=4)
    nodes = 1500 if registry.searches().classes[name].plays_out else 150  # most of them in playouts, not in the tree
    player = ludus.Player(name, calibrated("mobility"), ludus.Budget(nodes=nodes), compiled=False)
    found = trace(game, player, seed=1)
    assert found.player.startswith(f"{name}(eval=mobility")
    assert found.game == "othello(size=4)"
    assert found.moves == ["b1", "a2", "d3", "c4"]
    assert found.rows[0].descended == -1
    assert found.rows[0].sizes == [1, 1, 1, 1]
    assert found.rows[0].depths == [4]
    for before, after in zip(found.rows, found.rows[1:], strict=False):
        grown = [b - a for a, b in zip(before.sizes, after.sizes, strict=True)]
        assert [k for k, more in enumerate(grown) if more] == [after.descended]
        assert sum(after.depths) == sum(after.sizes) <= 1 + nodes + 12
    assert len(found.rows) > (1 if found.stopped == "sure" else 20)


def test_an_expansion_of_a_forced_pass():
    game = ludus.game("othello", size=4)
    position = game.position(f"XO{14 * '-'} O")
    found = trace(game, ludus.player("bfmm", compiled=False), position)
    assert found.moves == ["pa"]
    assert [row.sizes for row in found.rows] == [[1], [2]]
    assert found.stopped == "solved"
    assert trace(game, ludus.player("bfmm", compiled=False), position.state).rows == found.rows


def test_as_many_as_asked_for():
    game, player = ludus.game("random-tree"), ludus.player("bfmm(nodes=100)", compiled=False)
    assert [len(trace(game, player, most=most).rows) for most in (1, 7, 20, 500)] == [1, 7, 20, 20]
    assert [trace(game, player, most=most).stopped for most in (1, 500)] == ["most", "nodes"]
    assert trace(game, player).rows == trace(game, player).rows
    with pytest.raises(ludus.SpecError, match="must be a whole number of at least 1, not 0"):
        trace(game, player, most=0)


def test_the_time_is_kept():
    game = ludus.game("random-tree")
    found = trace(game, ludus.player("bfmm(seconds=0.05)", compiled=False), most=10**6)
    assert found.stopped == "seconds"
    assert len(found.rows) > 5


def test_the_root_is_expanded_however_short_the_time():
    found = trace(ludus.game("nim"), ludus.player("bfmm(seconds=0.000000001)", compiled=False))
    assert (len(found.rows), found.stopped) == (1, "seconds")


def test_the_memory_is_kept():
    found = trace(
        ludus.game("random-tree"), ludus.player("bfmm(nodes=1000000, memory=0.2)", compiled=False), most=10**6
    )
    assert found.stopped == "memory"
    assert sum(found.rows[-1].sizes) > 1024  # it has grown before that


@pytest.mark.parametrize("name", [n for n, cls in registry.searches().classes.items() if not cls.grows_tree])
def test_only_for_searches_that_grow_a_tree(name):
    with pytest.raises(
        ludus.SpecError, match=f"{name} does not grow a tree leaf by leaf, so there is nothing to trace"
    ):
        trace(ludus.game("nim"), ludus.player(name, compiled=False))


def test_not_of_a_finished_game():
    game = ludus.game("nim")
    with pytest.raises(ludus.StateError, match="the game is over in position '0': there is nothing to trace"):
        trace(game, ludus.player("bfmm", compiled=False), game.position("0"))


def test_ctrl_c_gives_what_there_is(monkeypatch):
    rows = []

    def look(self, session):
        rows.append(session)
        if len(rows) == 6:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Search, "conclude", look)
    before = signal.getsignal(signal.SIGINT)
    found = trace(ludus.game("random-tree"), ludus.player("bfmm", compiled=False))
    assert found.stopped == "interrupted"
    assert len(found.rows) == 6
    assert signal.getsignal(signal.SIGINT) is before


# The middle column of the picture.


def row(descended: int, values: list[float], swings: list[float] | None) -> Row:
    return Row(descended, 1, values, swings, [1] * len(values), [len(values)])


def by_row(rows: list[Row]) -> list[str]:
    """The symbols of each row from left to right: ^ v s o, in capitals (and # @) if filled."""
    found = [["?"] * len(rows[0].values) for _ in rows]
    for (marker, filled), points in symbols(rows).items():
        for child, time in points:
            found[time][child] = {"^": "A", "v": "V", "s": "#", "o": "@"}[marker] if filled else marker
    return ["".join(line) for line in found]


def test_symbols_show_what_the_choice_was_made_by():
    rows = [
        row(-1, [1.0, 3.0, 2.0], [2.0, 1.0, 1.0]),
        row(1, [1.0, 2.5, 2.0], [1.5, 0.5, 0.7]),
        row(1, [1.0, 0.5, 2.0], [1.0, 1.5, 1.2]),
        row(0, [1.5, 0.5, 2.0], [0.5, 1.5, 0.5]),
    ]
    assert by_row(rows) == ["osv", "o#v", "o#o", "Vo^"]


def test_symbols_show_the_greatest_gain():
    rows = [
        dataclasses.replace(row(-1, [1.0, 3.0, 2.0], None), gains=[2.0, 1.0, 0.0]),
        dataclasses.replace(row(0, [1.0, 2.5, 2.0], None), gains=[0.5, 1.5, 0.0]),
    ]
    assert by_row(rows) == ["v^o", "V^o"]


def test_symbols_without_swings():
    rows = [row(-1, [1.0, 1.0, 0.0], None), row(0, [-1.0, 1.0, 0.0], None), row(1, [-1.0, 0.5, 0.0], None)]
    assert by_row(rows) == ["^^o", "A^o", "oAo"]


@pytest.mark.parametrize(("spec", "filled"), [("lcf(nodes=400)", {"s", "v"}), ("bfmm(nodes=400)", {"^"})])
def test_the_child_descended_is_the_one_to_choose(spec, filled):
    """LCF goes where the swing is least, best-first minimax where the value is best."""
    found = trace(ludus.game("random-tree", seed=9), ludus.player(spec, compiled=False))
    drawn = symbols(found.rows)
    assert {marker for marker, is_filled in drawn if is_filled} <= filled
    assert sum(len(points) for (_, is_filled), points in drawn.items() if is_filled) == len(found.rows) - 1
    assert sum(map(len, drawn.values())) == 5 * len(found.rows)


def test_picture(tmp_path):
    from PIL import Image

    found = trace(ludus.game("random-tree"), ludus.player("lcf(nodes=300)", compiled=False))
    short = trace(ludus.game("nim(stones=1)"), ludus.player("bfmm", compiled=False))
    for name, drawn in (("long.png", found), ("short.png", short)):
        draw_trace(drawn, tmp_path / name)
        image = np.asarray(Image.open(tmp_path / name).convert("L"))
        assert image.shape[1] == 12 * 130
        assert image.shape[0] > 400
        assert (image < 100).mean() > 0.002  # ink
    assert Image.open(tmp_path / "long.png").height > Image.open(tmp_path / "short.png").height


def test_a_long_search_fits_two_screens(tmp_path):
    from PIL import Image

    found = trace(ludus.game("random-tree"), ludus.player("bfmm(nodes=1500)", compiled=False), most=280)
    draw_trace(found, tmp_path / "a.png")
    assert Image.open(tmp_path / "a.png").height <= 2000


def test_a_small_tree_is_placed_with_its_principal_variation():
    game = ludus.game("nim(stones=4)")
    found = trace(game, ludus.player("bfmm(nodes=12)", compiled=False))
    root = place(found.tree, found.line)
    nodes = [root]
    for parent in nodes:
        nodes += parent.children
        if parent.children:
            assert parent.children[0].x <= parent.x <= parent.children[-1].x
    assert len(nodes) == len(found.tree)
    leaves = [node.x for node in nodes if not node.children]
    assert sorted(leaves) == list(range(len(leaves)))
    principal = [node.label.split()[0] for node in nodes[1:] if node.principal]
    assert principal == game.move_names(found.line)[: len(principal)]
    assert principal


def test_of_a_budget_for_a_game_it_takes_what_the_first_move_may_cost():
    game, spec = ludus.game("tictactoe"), "bfmm(nodes=200, per=game)"
    generated = ludus.player(spec, compiled=False).choose(game).meter.generated
    assert generated < 60
    assert sum(trace(game, ludus.player(spec, compiled=False)).rows[-1].sizes) == generated


@pytest.mark.parametrize("spec", ["bfmm", "lcf", "uct", "uct(leaf=playout)"])
def test_trace_and_search_count_expansions_alike(spec):
    game, player = ludus.game("tictactoe"), ludus.player(spec, "nodes=300", compiled=False)
    assert trace(game, player, most=10**6).expansions == player.choose(game).meter.expanded
