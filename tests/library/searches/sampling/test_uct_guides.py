"""The options of `uct` against their definitions, on the whole tree: implicit minimax, proof numbers, stopping."""

import math

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.common.errors import SpecError
from ludus.library.searches.sampling.uct import Uct
from ludus.library.searches.sampling.uct_guides import interval
from ludus.model import registry
from tests.support import tiny_games
from tests.support.tiny_games import DiceTree, OnTrees, TinyTree

SCALE = 2.0
BEFORE = {
    ("tictactoe", "uct"): ("b2", 1500, 1500, 528, 56209, 0.567625416),
    ("tictactoe", "uct(fpu=0.5, c=0.7)"): ("b2", 1500, 1500, 888, 66826, 0.381914945),
    ("connect4", "uct(leaf=playout)"): ("3", 1513, 0, 86, 1367, 0.25),
    ("connect4", "uct(prior=2.0)"): ("4", 1505, 1975, 215, 16801, 0.542448587),
    ("pig", "uct(solver=false)"): ("roll", 1500, 1500, 900, 30530, 0.32656354),
}
"""What `uct` did before it had these options: move, meter and value, with 1500 nodes and seed 3."""


@pytest.mark.parametrize(("game", "spec"), BEFORE)
def test_without_the_options_it_does_what_it_did_before_they_were_there(game, spec):
    result = ludus.player(spec, nodes=1500, compiled=False).choose(ludus.game(game), seed=3)
    meter = result.meter
    counted = (meter.generated, meter.evaluated, meter.expanded, meter.traversed)
    assert (result.move_name, *counted, round(result.value, 9)) == BEFORE[game, spec]


class Slow:
    """Implicit values and proof numbers of all nodes that `uct` has in memory, from the leaves up."""

    def __init__(self, session, tree):
        self.record, self.tree, self.session = session.tree.record, tree, session

    def children(self, node):
        return range(int(self.record.first[node]), int(self.record.first[node] + max(self.record.count[node], 0)))

    def position(self, node):
        return int(self.session.tree.state(node)[0])

    def result(self, node):
        """Of a finished game that was visited; None for any other node."""
        over = self.record.visits[node] > 0 and self.tree.count[self.position(node)] == 0
        return float(np.sign(self.tree.worth[self.position(node)])) if over else None

    def implicit(self, node):
        if self.result(node) is not None:
            return self.result(node)
        below = [child for child in self.children(node) if self.record.visits[child] > 0]
        if not below:
            return math.tanh(self.tree.worth[self.position(node)] / SCALE)
        values = [self.implicit(child) for child in below]
        if self.record.outcomes[node] > 0:
            return float(np.average(values, weights=[self.record.visits[child] for child in below]))
        return max(-value for value in values)

    def leaves_to(self, outcome, node):
        """How many leaves must turn out well to prove that the player to move wins (1) or loses (-1)."""
        if self.result(node) is not None:
            return 0.0 if self.result(node) == outcome else math.inf
        if not self.children(node):
            return 1.0
        if self.record.outcomes[node] > 0:
            return sum(self.leaves_to(outcome, child) for child in self.children(node))
        found = [self.leaves_to(-outcome, child) for child in self.children(node)]
        return min(found) if outcome == 1 else sum(found)


@pytest.mark.parametrize("options", [{}, {"solver": False}, {"prior": 2.0}, {"leaf": "playout"}], ids=str)
def test_implicit_values_and_proof_numbers_are_those_of_the_whole_tree(options):
    search = OnTrees(Uct(scale=SCALE, implicit=0.4, proof_numbers=0.7, **options), compiled=True)
    check_guides(search, tiny_games.some_trees(100))


def test_they_are_where_chance_decides():
    search = OnTrees(Uct(scale=SCALE, implicit=0.4, proof_numbers=0.7), kind=DiceTree)
    check_guides(search, (DiceTree(seed) for seed in range(20)))


def check_guides(search, trees):
    seen, proven = 0, 0
    for tree in trees:
        search(tree, Budget(nodes=60))
        slow, record = Slow(search.session, tree), search.session.tree.record
        for node in range(int(record.size[0])):
            if node == 0 or record.visits[node] > 0:
                assert record.count[node] <= 0 < record.visits[node] or node == 0 or slow.children(node)
                assert record.implicit[node] == pytest.approx(slow.implicit(node)), "or it is stale"
            assert record.to_win[node] == slow.leaves_to(1, node)
            assert record.to_lose[node] == slow.leaves_to(-1, node)
            seen += 1
            proven += record.to_win[node] == 0 and record.count[node] > 0
    assert seen > 300
    assert proven > 3


def test_each_option_changes_where_the_descent_goes():
    game = ludus.game("connect4")
    visits = {}
    for options in ("", "implicit=0.5", "proof_numbers=1.0", "confidence=0.9"):
        result = ludus.player(f"uct({options})", nodes=600, compiled=False).choose(game)
        visits[options] = tuple(child.known.more["visits"] for child in result.children)
    assert len(set(visits.values())) == 4


def test_what_the_options_know_is_shown():
    """One move loses, one wins; to the player who makes it."""
    search = OnTrees(Uct(scale=SCALE, implicit=0.4, proof_numbers=0.7))
    lost, won = search(TinyTree.of([0.0, 1.0, -1.0]), Budget(nodes=100)).children
    assert lost.known.more == {"visits": 1, "implicit": -1.0, "proof": np.inf, "disproof": 0.0}
    assert won.known.more == {"visits": 1, "implicit": 1.0, "proof": 0.0, "disproof": np.inf}
    (only,) = {tuple(child.known.more) for child in OnTrees(Uct())(TinyTree(), Budget(nodes=9)).children}
    assert only == ("visits",)


# Which move is best.


def bandit(prizes):
    """One move, then one of four at random, of which so many lose, and the game is over."""
    return TinyTree.of([0.0, *([0.0, *([1.0] * wins + [-1.0] * (4 - wins))] for wins in prizes)])


def test_the_best_move_is_wrong_no_more_often_than_the_level_says():
    """Playouts after the root's moves are independent, so Hoeffding's inequality holds and it errs still less often."""
    search = OnTrees(Uct(leaf="playout", confidence=0.8, solver=False), compiled=True)
    tree, wrong, visits = bandit((3, 2, 2, 1)), 0, []
    for seed in range(200):
        result = search(tree, Budget(nodes=10**6, depth=1), seed)
        assert result.stopped == "sure"
        wrong += result.move != 1
        visits.append(sum(child.known.more["visits"] for child in result.children))
    assert wrong <= 0.2 * 200
    assert len(set(visits)) > 50, "it stops when it knows, not at a fixed number"
    surer = OnTrees(Uct(leaf="playout", confidence=0.99, solver=False), compiled=True)
    more = [
        sum(c.known.more["visits"] for c in surer(tree, Budget(nodes=10**6, depth=1), s).children) for s in range(50)
    ]
    assert np.mean(more) > np.mean(visits)


def test_the_intervals_are_those_of_hoeffding_with_a_union_over_moves_and_visits():
    """In 4 moves and n visits: of the error 0.1 a share of 1 / (2 * 4 * n (n + 1)) for each side."""
    search = Uct(leaf="playout", confidence=0.9, solver=False)
    on_trees = OnTrees(search)
    on_trees(bandit((3, 2, 2, 1)), Budget(nodes=400, depth=1), seed=1)
    tree = on_trees.session.tree.record
    for child in range(1, 5):
        n, mean = tree.visits[child], -tree.total[child] / tree.visits[child]
        radius = math.sqrt(2 / n * math.log(2 * 4 * n * (n + 1) / 0.1))  # exp(-n r^2 / 2) for results from -1 to 1
        ends = max(-1.0, mean - radius), min(1.0, mean + radius)
        assert interval(search, tree, child) == pytest.approx(ends)
        assert n > 20 or child > 2, "the leader and its rivals are visited most"


def test_between_equal_moves_it_never_stops_by_itself():
    search = OnTrees(Uct(leaf="playout", confidence=0.95, solver=False), compiled=True)
    stops = [search(bandit((2, 2, 2)), Budget(nodes=20_000, depth=1), seed).stopped for seed in range(100)]
    assert stops.count("sure") <= 5, "or it is wrong as often"


def test_wrong_settings_are_refused():
    for spec in ("uct(implicit=1.5)", "uct(proof_numbers=-1)", "uct(confidence=1.0)", "uct(confidence=0.9, prior=2)"):
        with pytest.raises(SpecError, match="must be"):
            registry.searches().of(spec)
