"""B* on trees with certain bounds: every step by its definition, and what is proven is true."""

import itertools
import math
import random
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.searches.best_first.bstar import DISPROVEREST, NEITHER, PROVEBEST, BStar, likelier
from ludus.model.calibration import Calibration
from tests.support import oracles, tiny_games
from tests.support.conformance.running import pausing_after
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import OnTrees, TinyTree

PLENTY = Budget(nodes=10**6)
CHOICES = pytest.mark.parametrize("choice", ["berliner", "palay"])


class BoundedTree(TinyTree):
    """A tree whose nodes have bounds that contain their true values."""

    arrays = (*TinyTree.arrays, "least", "most")

    def _plant(self, nested):
        super()._plant(nested)
        source, wide = random.Random(len(self.count)), max(np.ptp(self.worth), 2.0)
        self.least, self.most = self.worth.copy(), self.worth.copy()
        for node in np.flatnonzero(self.count):
            true = oracles.minimax_value(self, node, 99)
            self.least[node], self.most[node] = (true + sign * source.randint(0, int(wide)) for sign in (-1, 1))

    def lowest(self, state):
        return self.least[state[0]]

    def highest(self, state):
        return self.most[state[0]]


def bounded_trees(how_many):
    for seed in range(how_many):
        yield BoundedTree(seed, depth=2 + seed % 4, values=(3, 7, 1000)[seed // 4 % 3])


# The definition, every step from scratch. To the player at the root; depths of leaves from the root.


def interval(grown, node, ours):
    """(Pessimistic, optimistic), and the depths below `node` from which they come."""
    tree = grown.tree
    if node not in grown.opened:
        low, high = (tree.least[node], tree.most[node]) if ours else (-tree.most[node], -tree.least[node])
        return (low, high), (0, 0)
    below = [interval(grown, child, not ours) for child in oracles.children(tree, node)]
    best = max if ours else min
    low, high = best(each[0][0] for each in below), best(each[0][1] for each in below)
    at = 0 if ours else 1  # which of the two values the player who moves here hopes for is the other one
    hope = best(below, key=lambda each: (each[0][1 - at], each[0][at]))
    fear = next(each for each in below if each[0][at] == (low if ours else high))
    depths = (fear[1][0] + 1, hope[1][1] + 1) if ours else (hope[1][0] + 1, fear[1][1] + 1)
    return (low, high), depths


def descend(grown, node, ours):
    """The way of the highest hopes, from `node` to a leaf."""
    while node in grown.opened:
        ours, below = not ours, list(oracles.children(grown.tree, node))
        # `ours` is now whether the children are our nodes; their parent's player wants the opposite.
        values = {child: interval(grown, child, ours)[0] for child in below}
        node = min(below, key=lambda c: values[c]) if ours else max(below, key=lambda c: values[c][::-1])
    return node


def share(low, high, start, end):
    """How much of an interval lies between two values, exactly; the bounds are whole numbers."""
    return max(Fraction(int(end - start)), Fraction(0)) / max(int(high - low), 1)


def next_leaf(grown, by_odds):
    """The leaf that B* expands next; None if the best move is proven."""
    moves = list(oracles.children(grown.tree, ROOT))
    found = {move: interval(grown, move, False) for move in moves}
    low, high = {m: found[m][0][0] for m in moves}, {m: found[m][0][1] for m in moves}
    best = max(moves, key=lambda m: (high[m], low[m]))
    rivals = [m for m in moves if m != best and high[m] > low[best]]
    if not rivals:
        return None
    movable = [m for m in rivals if low[m] < high[m]]
    if not movable:
        return descend(grown, best, False)
    depth = {m: found[m][1][1] + 1 for m in moves}
    prove = not sum(depth[m] ** 2 for m in rivals) < depth[best] ** 2
    if by_odds:
        highest = max(high[m] for m in rivals)
        proves = share(low[best], high[best], highest, high[best])
        disproves = math.prod(share(low[m], high[m], low[m], low[best]) for m in rivals)
        prove = prove if proves == disproves else proves > disproves
    return descend(grown, best if prove else max(movable, key=lambda m: (high[m], low[m])), False)


def test_odds_that_are_equal_are_seen_in_spite_of_rounding():
    """One rival, all intervals from 2 to 11 wide whose parts above and below are equal, exactly."""
    ties = 0
    for wide, rival in itertools.product(range(2, 12), repeat=2):
        for above, below in itertools.product(range(1, wide), range(1, rival)):
            # The best move lies in [0, wide], its rival in [-below, rival - below].
            if rival - below != wide - above:
                continue
            found = likelier(SimpleNamespace(**root_of([(0, wide), (-below, rival - below)])), 1)
            odds = Fraction(above, wide), Fraction(below, rival)
            assert found == (NEITHER if odds[0] == odds[1] else PROVEBEST if odds[0] > odds[1] else DISPROVEREST)
            ties += found == NEITHER and above / wide != 1 - (rival - below) / rival
    assert ties > 5


def test_odds_of_narrow_intervals_far_from_zero_are_equal_in_spite_of_rounding():
    """The same intervals in hundredths, at 300: differences of their ends have lost four digits."""
    for wide in range(2, 12):
        for above in range(1, wide):
            ends = [
                (0, wide),
                (-above, wide - above),
            ]  # the best move and its rival are as likely to lie where they must
            shifted = [((30_000 + low) / 100, (30_000 + high) / 100) for low, high in ends]
            assert likelier(SimpleNamespace(**root_of(shifted)), 1) == NEITHER


def root_of(intervals):
    """A tree of a root and its children, with the intervals that these have to the player at the root."""
    low, high = np.array([(0.0, 0.0), *intervals]).T
    return {"first": [1], "count": [len(intervals)], "pessimistic": -high, "optimistic": -low}


@CHOICES
def test_every_step_is_the_one_of_the_definition(choice):
    search, seen = OnTrees(BStar(choice, bounds="game"), kind=BoundedTree), 0

    def look(session, tree, grown):
        nonlocal seen
        record, leaf = session.tree.record, int(session.tree.record.register[0].leaf)
        place = int(session.tree.state(leaf)[0])
        if leaf > 0:
            for node in range(1, int(record.size[0])):
                (low, high), _ = interval(grown, int(session.tree.state(node)[0]), bool(record.depth[node] % 2 == 0))
                sign = 1 if record.depth[node] % 2 == 0 else -1
                assert sorted((sign * record.pessimistic[node], sign * record.optimistic[node])) == [low, high]
            assert place == next_leaf(grown, choice == "palay")
            seen += 1
        grown.opened.add(place)

    for tree in bounded_trees(150):
        grown = Grown(tree)
        with pausing_after(1):
            result = search(tree, PLENTY, progress=partial(look, tree=tree, grown=grown))
        assert result.stopped == "sure"
        assert next_leaf(grown, choice == "palay") is None
    assert seen > 300


@CHOICES
def test_a_proven_move_is_a_best_one(choice):
    """On trees of many shapes, and on interval trees; under a budget that ends it, no bound is wrong."""
    search, proven = OnTrees(BStar(choice, bounds="game"), kind=BoundedTree), 0
    for tree in bounded_trees(300):
        for budget in (Budget(nodes=8), PLENTY):
            result = search(tree, budget)
            true = oracles.move_values(tree, ROOT, 99)
            for child, value in zip(result.children, true, strict=True):
                assert child.known.low <= value <= child.known.high
            if result.stopped == "sure":
                assert result.move in oracles.best_moves(tree, ROOT, 99)
                proven += 1
    assert proven > 300
    player = ludus.player(f"bstar(choice={choice}, bounds=game, nodes=100000)", compiled=True)
    for seed in range(100):
        game = ludus.game("interval-tree", branching=3, depth=8, width=1000, tight=0.3, seed=seed)
        result = player.choose(game)
        values = [-game.after(game.start, move)[2] for move in game.legal(game.start)]
        assert result.stopped == "sure"
        assert values[result.move] == max(values)


def in_figure(*moves):
    """A tree of depth 2: of each move its bounds, then those of the replies, all to the player at the root."""
    tree = BoundedTree.of([0.0, *([0.0, *([0.0, 0.0] for _ in replies)] for _, replies in moves)])
    bounds = [(-50, 50), *(own for own, _ in moves), *(reply for _, replies in moves for reply in replies)]
    for node, (low, high) in enumerate(bounds):
        tree.least[node], tree.most[node] = (low, high) if not 1 <= node <= len(moves) else (-high, -low)
    return tree


@pytest.mark.parametrize(
    ("moves", "expanded"),
    [
        # (a) PROVEBEST: the replies to A show that it is worth more than B, C and D could be.
        ((((10, 30), [(21, 30), (22, 28)]), ((5, 20), []), ((0, 18), []), ((2, 15), [])), [1]),
        # (b) DISPROVEREST: the replies to A do not; those to B show that it is worth less than A is for certain.
        ((((10, 30), [(11, 30), (12, 28)]), ((5, 20), [(5, 9), (6, 20)]), ((0, 8), [])), [1, 2]),
    ],
    ids=["PROVEBEST", "DISPROVEREST"],
)
def test_figure_5_of_the_survey(moves, expanded):
    """Node A has the highest upper bound. Either its lower bound is raised above the upper bounds of the others, or
    theirs are pushed below its lower bound."""
    search, order = OnTrees(BStar(bounds="game"), kind=BoundedTree), []
    tree = in_figure(*((own, replies or [own]) for own, replies in moves))
    with pausing_after(1):
        result = search(tree, PLENTY, progress=lambda s: order.append(int(s.tree.record.register[0].leaf)))
    assert result.stopped == "sure"
    assert result.move == 1
    assert order == expanded


def test_what_a_calibrated_interval_shows_is_not_called_proven():
    evaluator = tiny_games.TreeValues().calibrated(Calibration(interval=np.array([[-2.0, 1.0]])))
    search = OnTrees(BStar(), evaluator=evaluator)
    result = search(TinyTree.of([0, [-9, [1, 1]], [3, [1, 1]], 5]), PLENTY)
    assert (result.stopped, result.move, result.meter.expanded) == ("sure", 1, 1)
    shown = [(child.known.more["pessimistic"], child.known.more["optimistic"]) for child in result.children]
    assert shown == [(8, 11), (-4, -1), (-5, -5)]
    assert [child.known.proven for child in result.children] == [False, False, True]


def test_without_an_interval_it_is_refused():
    with pytest.raises(ludus.SpecError, match="bstar needs the interval of mobility"):
        ludus.player("bstar(eval=mobility)", compiled=False).check_able(ludus.game("othello"))
