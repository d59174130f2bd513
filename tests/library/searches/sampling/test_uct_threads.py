"""Threads of `uct` in one tree: nothing is lost or counted twice, and nothing is proven wrong.

The lock makes a turn one step that nobody sees the inside of. So whatever threads do is some order of turns and
judgements, and these are tried here at random, interpreted; real threads are tested for what must hold in the end.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.kernel import limits as b
from ludus.library.searches.sampling.uct import Uct, next_leaf
from ludus.library.searches.sampling.uct_steps import judge
from ludus.model import registry
from ludus.runtime.session import Session
from tests.support import oracles
from tests.support.tiny_games import OnTrees, TinyTree, TreeValues, some_trees


class Crowd:
    """So many threads of a search on a tree, interpreted: who is to go on is the test's to say."""

    def __init__(self, tree, how_many, seed=0, **options):
        self.search = Uct(leaf="playout", threads=2, **options)
        self.session = session = Session(self.search, tree, TreeValues(), compiled=False)
        session.begin(tree.start, Budget(nodes=400), seed)
        session.tree.share(1.0)
        others = (self.search.extras_of_member(session._extras, i) for i in range(1, how_many))
        twins = [session.tree.for_thread(own, 100 * seed + i) for i, own in enumerate(others)]
        for twin in twins:
            self.search.prepare(twin.record, tree, tree.start, session.limits)
        self.trees = [session.tree.record, *(twin.record for twin in twins)]
        self.games = [tree.metered(np.zeros(4, np.int64)) for _ in self.trees]
        self.limits = [session.limits.copy() for _ in self.trees]
        self.judging = [False] * how_many

    def go_on(self, who):
        """A turn in the tree or, after one that came to a leaf, the judgement of it; why it stops, or 0."""
        with np.errstate(over="ignore"):
            if self.judging[who]:
                judge(self.search, self.games[who], self.session.evaluator, self.trees[who])
                self.judging[who] = False
                return 0
            own = self.games[who], self.session.evaluator, self.trees[who], self.limits[who]
            status = next_leaf(self.search, *own)
            self.judging[who] = status == b.RUNNING
            return status

    def run(self, chance, look=lambda: None):
        """In any order until one stops; then all the others give back what they have."""
        status = 0
        while status in (b.RUNNING, b.PAUSED):
            status = self.go_on(chance.randrange(len(self.trees)))
            look()
        for who, limits in enumerate(self.limits):
            limits[b.INTERRUPT] = 1
            while not self.go_on(who):
                pass
        return status


def assert_whole(record, results=True):
    """Every visit but the first has gone on to a child, and brought back what the child has; none is under way."""
    inner = [node for node in range(int(record.size[0])) if record.count[node] > 0]
    for node in inner:
        children = slice(int(record.first[node]), int(record.first[node] + record.count[node]))
        assert record.visits[node] == (node > 0) + record.visits[children].sum()
        if results:
            own = record.total[node] + record.total[children].sum()
            assert own in ((-1.0, 0.0, 1.0) if node else (0.0,))
    return len(inner)


def truth_of(tree):
    return [np.sign(oracles.minimax_value(tree, node, 99)) for node in range(len(tree.count))]


@pytest.mark.parametrize(("how_many", "options"), [(2, {}), (5, {"rave": 20.0})])
def test_in_any_order_of_turns_every_result_is_counted_once(monkeypatch, how_many, options):
    monkeypatch.setattr("ludus.library.searches.sampling.uct.PATIENCE", 100)
    inner = 0
    for seed, tree in enumerate(some_trees(30)):
        crowd = Crowd(tree, how_many, seed, solver=False, **options)
        assert crowd.run(random.Random(seed)) in (b.STOP_NODES, b.STOP_EXHAUSTED)
        inner += assert_whole(crowd.session.tree.record)
    assert inner > 100


@pytest.mark.parametrize("how_many", [2, 4])
def test_in_any_order_of_turns_nothing_is_proven_wrong_and_in_the_end_everything(how_many):
    for seed, tree in enumerate(some_trees(40)):
        crowd, truth = Crowd(tree, how_many, seed), truth_of(tree)
        record = crowd.session.tree.record

        def look(record=record, truth=truth):
            for node in range(int(record.size[0])):
                name = int(record.move[node]) if node else 0
                assert record.low[node] <= truth[name] <= record.high[node]

        assert crowd.run(random.Random(seed), look) == b.STOP_SOLVED
        assert record.low[0] == record.high[0] == truth[0]
        assert_whole(record, results=False)


def test_a_visit_under_way_counts_as_lost_and_sends_others_elsewhere():
    crowd = Crowd(TinyTree.of([0, [0, [0, 1, -1], [0, 1, -1]], [0, [0, 1, -1], [0, 1, -1]]]), 3, solver=False)
    record = crowd.session.tree.record
    for who in (0, 1):
        assert crowd.go_on(who) == b.RUNNING
    assert record.visits[:3].tolist() == [2, 1, 1], "each of the two moves has one visitor"
    assert record.total[1:3].tolist() == [1, 1], "to the opponent, who seems to have won"
    assert crowd.go_on(2) == b.RUNNING
    leaf = crowd.trees[2].register[0].leaf
    assert leaf > 2, "the third opens a leaf that another one is judging"
    assert (record.visits[leaf], record.visits[record.parent[leaf]], record.visits[0]) == (1, 2, 3)
    crowd.go_on(2)
    crowd.limits[2][b.INTERRUPT] = 1
    assert crowd.go_on(2) == b.STOP_INTERRUPTED
    found = crowd.trees[2].register[0].found
    assert record.total[leaf] == found
    assert record.total[record.parent[leaf]] == 1 - found


@pytest.fixture(scope="module")
def real():
    """Real threads, compiled."""
    return {solver: OnTrees(Uct(leaf="playout", threads=3, solver=solver), compiled=True) for solver in (True, False)}


def test_real_threads_lose_nothing(real, monkeypatch):
    monkeypatch.setattr("ludus.runtime.runner.ALONE", 0.0)
    search, shares = real[False], []
    for seed in range(30):
        tree = TinyTree(seed, depth=5, branching=4)
        result = search(tree, Budget(nodes=20_000), seed)
        assert result.stopped in ("nodes", "exhausted")
        record = search.session.tree.record
        assert_whole(record)
        shares.append(record.visits[0])
    assert np.median(shares) > 5000


def test_real_threads_prove_what_is_true(real, monkeypatch):
    monkeypatch.setattr("ludus.runtime.runner.ALONE", 0.0)
    for seed, tree in enumerate(some_trees(60)):
        result, truth = real[True](tree, Budget(nodes=10**6), seed), truth_of(tree)
        assert (result.stopped, result.value) == ("solved", truth[0])
        assert -truth[result.move] == truth[0]
        assert_whole(real[True].session.tree.record, results=False)


def test_threads_need_visits_that_have_results():
    with pytest.raises(ludus.SpecError, match="confidence needs threads=1"):
        registry.searches().of("uct(threads=2, confidence=0.9)")
