"""What least-certainty-first keeps of its swings from one expansion to the next: against swings found from scratch."""

import numpy as np
import pytest

import ludus
from benchmarks.plain_lcf import PlainLcf
from ludus import Budget, Evaluator
from ludus.kernel.limits import RUNNING
from ludus.library.searches.best_first import lcf_descent, lcf_lines
from ludus.library.searches.best_first.lcf import LeastCertaintyFirst
from ludus.library.searches.best_first.lcf_goals import NUMBER, goal_for, sum_parity
from ludus.library.searches.best_first.lcf_lines import (
    BASE,
    CELLS,
    HIGH,
    LINED,
    LINES,
    LOW,
    PATIENCE,
    SLOPE,
    at_least,
    side_of,
    swing_of,
)
from ludus.runtime.session import Session

TREES = [(2, 40), (3, 40), (2, 7), (4, 4), (8, 40)]
"""Branching and depth."""


class Scaled(Evaluator):
    """The sum of the edges in other units: small whole numbers, of which many are equal, or reals."""

    def __init__(self, whole: bool = True) -> None:
        self.whole = whole

    def evaluate(self, game, state):
        value = np.round(state[2] / 8192.0) if self.whole else state[2] / 10007.0
        return value if state[1] % 2 == 0 else -value

    def final(self, game, state):
        return self.evaluate(game, state)


def sessions(whole, seeds, kind=LeastCertaintyFirst, **options):
    """The search, about to begin, interpreted, on several random trees."""
    for branching, depth in TREES:
        for seed in range(seeds):
            game = ludus.game("random-tree", branching=branching, depth=depth, seed=seed)
            yield Session(kind(**options), game, Scaled(whole), compiled=False)


def children(tree, node):
    return range(int(tree.first[node]), int(tree.first[node] + tree.count[node]))


def swing_at(tree, node, x, parity):
    """The swing of a node at goal x, from the leaves up, as the paper defines it."""
    all_move = tree.depth[node] % 2 == parity
    if tree.count[node] > 0:
        return (sum if all_move else min)(swing_at(tree, child, x, parity) for child in children(tree, node))
    y = (-1.0 if all_move else 1.0) * tree.value[node]
    return 0.0 if x <= y else np.inf if tree.count[node] == 0 else x - y


def kept_lines(tree):
    """Every line and point that is kept: the node, its value y in the sign of the side, the parity of the side, the
    line."""
    for node in np.flatnonzero(tree.count[: int(tree.size[0])] > 0)[1:]:
        for parity in (0, 1):
            y = float((-1.0 if tree.depth[node] % 2 == parity else 1.0) * tree.value[node])
            _, _, point, there, line = side_of(tree, parity)
            if point[node] != LINED:
                rows = np.array([[0.0, there[node], point[node], point[node]]])
            else:
                rows = line[node].reshape(LINES, CELLS)
                assert rows[0, LOW] < rows[0, HIGH]
            for row in rows:
                if row[LOW] <= row[HIGH]:
                    yield int(node), y, parity, row.tolist()


def kept_swings(tree):
    """What is kept of the swings of nodes' children: the child, the goal for which it is right, the parity, `now`."""
    for node in np.flatnonzero(tree.count[: int(tree.size[0])] > 0)[1:]:
        for parity in (0, 1):
            now, seen_at, *_ = side_of(tree, parity)
            if not np.isnan(seen_at[node]):
                for child in children(tree, node):
                    yield child, float(seen_at[node]), parity, float(now[child])


def in_slices(session, nodes, looks, after_slice=None):
    """Run a search that comes back, and settles, after so many looks at its budget."""
    session._slice_looks = lambda *_: looks
    return session.run(session.game.start, Budget(nodes=nodes), 1, after_slice)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("looks", "patience"), [(3, PATIENCE), (20, PATIENCE), (10**6, PATIENCE), (10**6, 0)])
def test_after_a_slice_all_that_is_kept_is_true(whole, looks, patience, monkeypatch):
    """Whoever comes next, be it a report or a search that uses the tree again, may rely on it (`settle`)."""
    monkeypatch.setattr(lcf_lines, "PATIENCE", patience)
    seen = 0

    def check(session):
        nonlocal seen
        tree = session.tree.record
        for node, y, parity, line in kept_lines(tree):
            for x in {line[LOW], line[HIGH], (line[LOW] + line[HIGH]) / 2}:
                if y < x < np.inf:
                    swing = swing_at(tree, node, x, parity)
                    assert line[SLOPE] * x + line[BASE] == pytest.approx(swing, 1e-12, 1e-12)
                    seen += 1
        for child, x, parity, now in kept_swings(tree):
            swing = swing_at(tree, child, x, parity)
            assert -now <= swing + 1e-12 if np.signbit(now) else now == pytest.approx(swing, 1e-12, 1e-12)

    for session in sessions(whole, seeds=6, ties="literal"):
        in_slices(session, 240, looks, check)
        check(session)
    assert seen > 500


@pytest.mark.parametrize("whole", [True, False])
def test_above_its_line_a_swing_is_bounded_by_the_growth_of_the_goal(whole):
    """Never above the swing itself, though both are rounded, and no further below than rounding takes it."""
    seen = tight = 0
    for session in sessions(whole, seeds=8):
        in_slices(session, 300, 10**6)
        tree = session.tree.record
        lines = list(kept_lines(tree))
        goals = sorted({x for *_, line in lines for x in line[LOW:] if abs(x) < np.inf})
        for node, y, parity, (slope, base, _, high) in lines:
            for x in goals:
                if x > max(y, high):
                    bound, swing = at_least(slope, base, high, x, y), swing_at(tree, node, x, parity)
                    assert bound <= swing
                    assert bound == pytest.approx(slope * high + base + x - max(high, y), 1e-12)
                    seen, tight = seen + 1, tight + (bound > swing - 1e-9)
    assert seen > tight > 1000


def way_to(tree, node):
    """The node and those above it, up to the root's child."""
    while node > 0:
        yield int(node)
        node = tree.parent[node]


@pytest.mark.parametrize(("looks", "patience"), [(3, PATIENCE), (10**6, PATIENCE), (10**6, 0)])
def test_above_a_swing_that_stays_as_it_was_none_is_found_again(looks, patience, monkeypatch):
    """But those that were forgotten, and are marked as that, are found. A swing of zero may be one that is not known.

    (With reals, of which no two are equal, hardly a swing stays as it was.)
    """
    before, found, spared = {}, {}, 0

    def note(tree, now, node, summed):
        found[int(node)] = "marked" if np.signbit(now[node]) else "unmarked"
        return swing_of(tree, now, node, summed)

    def swings(search, tree, leaf):
        top = tree.register[0].top
        x, parity = goal_for(search, tree, top), sum_parity(tree, top)
        return {int(tree.goal[NUMBER]): {node: swing_at(tree, node, x, parity) for node in way_to(tree, leaf)}}

    class Watched(LeastCertaintyFirst):
        def select(self, game, tree):
            nonlocal before
            leaf = LeastCertaintyFirst.select(self, game, tree)
            before = swings(self, tree, leaf)
            found.clear()
            return leaf

        def back_up(self, game, tree, limits, leaf):
            nonlocal spared
            status = LeastCertaintyFirst.back_up(self, game, tree, limits, leaf)
            after = swings(self, tree, leaf)
            present = side_of(tree, sum_parity(tree, tree.register[0].top))[0]
            for node in way_to(tree, leaf if status == RUNNING else 0):  # up to where the next descent starts
                assert not np.signbit(present[node])
                if node == tree.register[0].node:
                    break
            if before.keys() == after.keys():  # the same goals
                (was,), (now,) = before.values(), after.values()
                for node in way_to(tree, leaf):
                    parent = int(tree.parent[node])
                    if node != leaf and now[node] == was[node] > 0.0:
                        assert found.get(parent) != "unmarked"
                        spared += parent > 0 and parent not in found
            return status

    monkeypatch.setattr(lcf_lines, "PATIENCE", patience)
    monkeypatch.setattr(lcf_descent, "swing_of", note)
    for session in sessions(whole=True, seeds=3, kind=Watched):
        in_slices(session, 200, looks)
    assert spared > 100


@pytest.mark.parametrize("patience", [PATIENCE, 0])
@pytest.mark.parametrize("whole", [True, False])
def test_it_makes_the_choices_of_the_papers_algorithm_however_often_it_is_interrupted(whole, patience, monkeypatch):
    monkeypatch.setattr(lcf_lines, "PATIENCE", patience)
    pairs = zip(sessions(whole, seeds=6), sessions(whole, seeds=6, kind=PlainLcf, ties="positive"), strict=True)
    for session, plain in pairs:
        in_slices(plain, 400, 10**6)
        size = int(plain.tree.record.size[0])
        expected = plain.result(plain.game.start, "").children
        for looks in (1, 4, 10**6):
            in_slices(session, 400, looks)
            assert session.tree.record.parent[:size].tolist() == plain.tree.record.parent[:size].tolist()
            for child, other in zip(session.result(session.game.start, "").children, expected, strict=True):
                assert child.value == other.value
                assert child.known.more["swing"] == pytest.approx(other.known.more["swing"], 0 if whole else 1e-12)
