"""Conspiracy numbers against brute force over sets of leaves."""

import itertools
import random
from functools import partial
from unittest import mock

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.searches.best_first import conspiracy, conspiracy_numbers
from ludus.library.searches.best_first.conspiracy import NEVER, Conspiracy
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.conformance.running import pausing_after
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import OnTrees, TinyTree

PLENTY = Budget(nodes=10**6)
EXACT = {"grain": 1.0, "classes": 32}
"""Every whole number near the root's value is a class of its own."""


def value_if(grown, node, changed, to, sign=1):
    """The value of `node` to the player at the root if the leaves of a set were worth `to`, to that player."""
    if node in changed:
        return to
    if node not in grown.opened:
        return sign * oracles.worth(grown.tree, node)
    best = max if sign == 1 else min
    return best(value_if(grown, child, changed, to, -sign) for child in oracles.children(grown.tree, node))


def smallest(grown, value, node=ROOT, sign=1):
    """The smallest sets of leaves that can give `node` this value by changing, whatever they change to."""
    leaves = [path[-1] for path in grown.paths(node) if not grown.is_closed(path[-1])]
    for size in range(len(leaves) + 1):
        found = [
            set(some)
            for some in itertools.combinations(leaves, size)
            if value_if(grown, node, some, -np.inf, sign) <= value <= value_if(grown, node, some, np.inf, sign)
        ]
        if found:
            return found
    return []


def opened_by(session):
    record = session.tree.record
    return {int(session.tree.state(node)[0]) for node in range(int(record.size[0])) if record.count[node] > 0}


def test_numbers_are_the_sizes_of_smallest_sets_after_every_expansion():
    """At the root, for every value; and the leaf that comes next is one of a smallest set for the value attacked."""
    search, seen = OnTrees(Conspiracy(**EXACT)), {"numbers": 0, "leaves": 0}

    def look(session, tree):
        record, grown = session.tree.record, Grown(tree, opened_by(session))
        if not 1 < sum(1 for _ in grown.paths()) <= 9 or record.count[0] <= 0:
            return
        at, level = record.register[0], int(record.level[0])
        assert value_if(grown, ROOT, (), 0) == at.center + level - 16
        for k in range(9, 24):
            sets = smallest(grown, at.center + k - 16)
            assert int(record.needed[0][k]) == (len(sets[0]) if sets else NEVER)
            seen["numbers"] += 1
        if at.leaf > 0:
            place, goal = int(session.tree.state(int(at.leaf))[0]), int(at.goal)
            needed = record.needed[0]
            reachable = [k for k in range(32) if needed[k] < at.threshold]
            assert abs(goal - level) == max(abs(k - level) for k in reachable), "the farther extreme is attacked"
            assert any(place in some for some in smallest(grown, at.center + goal - 16))
            seen["leaves"] += 1

    for tree in tiny_games.some_trees(150):
        if np.ptp(tree.worth) < 8:
            with pausing_after(1):
                search(tree, PLENTY, progress=partial(look, tree=tree))
    assert seen["numbers"] > 3000
    assert seen["leaves"] > 200


@pytest.mark.parametrize("compiled", [False, True])
def test_to_the_end_the_value_is_minimax_s_and_the_move_is_best(compiled):
    search = OnTrees(Conspiracy(**EXACT), compiled)
    for tree in tiny_games.some_trees(200 if compiled else 40):
        if np.ptp(tree.worth) < 8:
            result = search(tree, PLENTY)
            assert result.stopped == "sure", "no leaves can change the value"
            assert result.value == oracles.minimax_value(tree, ROOT, 99)
            assert result.move in oracles.best_moves(tree, ROOT, 99)


def test_it_is_sure_when_too_many_leaves_must_change():
    """With a threshold: values outside the width need at least that many leaves, by trying all sets."""
    search, sure = OnTrees(Conspiracy(threshold=3, width=2.0, **EXACT)), 0
    for tree in tiny_games.some_trees(150):
        if np.ptp(tree.worth) < 8:
            result = search(tree, PLENTY)
            grown = Grown(tree, opened_by(search.session))
            if result.stopped == "sure" and sum(1 for _ in grown.paths()) <= 12:
                center = search.session.tree.record.register[0].center
                values = [center + k - 16 for k in range(9, 24)]
                within = [v for v in values if any(len(some) < 3 for some in smallest(grown, v)[:1])]
                assert max(within) - min(within) <= 2
                sure += 1
    assert sure > 10


FIGURE_6 = [0, [-10, *(3 * [[10, 1]])], [-7, *(3 * [[10, 1]])], [-5, *(3 * [[10, 1]])]]
"""A root with three children, worth 10, 7 and 5 to the player at the root; each has three replies, all worth 10."""


def test_figure_6_of_the_survey():
    """Stable if at least three leaves must change. Built out to depth 1, the root may be worth as little as 5; built
    out to depth 2, three leaves must change for the root not to be worth 10, one below each child."""
    search = OnTrees(Conspiracy(threshold=3, **EXACT))
    search(TinyTree.of(FIGURE_6), Budget(nodes=1))
    record = search.session.tree.record
    numbers = dict(zip(np.arange(32) + record.register[0].center - 16, record.needed[0].tolist(), strict=True))
    assert [numbers[v] for v in (4, 5, 6, 7, 8, 9, 10, 11)] == [3, 2, 2, 1, 1, 1, 0, 1]
    result = search(TinyTree.of(FIGURE_6), PLENTY)
    record = search.session.tree.record
    assert (result.stopped, result.value, result.meter.expanded) == ("sure", 10, 4)
    assert record.needed[0].tolist() == [3] * 16 + [0] + [3] * 15
    assert result.statistics == {"threshold": 3, "grain": 1.0, "to fall": 3, "to rise": 3}


def test_what_cannot_be_is_refused():
    for words, fault in (("threshold=1", "threshold"), ("width=-1", "width"), ("classes=4", "classes")):
        with pytest.raises(ludus.SpecError, match=fault):
            ludus.player(f"conspiracy({words})")


def grown_tree(branching, seed, nodes, compiled=False, **settings):
    """A search at its end in a larger tree."""
    game = ludus.game("random-tree", branching=branching, seed=seed)
    session = Session(Conspiracy(**settings), game, ludus.evaluator("sum").on(game), compiled)
    session.run(game.start, Budget(nodes=nodes))
    return session


def known_of(session):
    """What the tree knows: the order of expansions, values, classes, and the numbers of opened nodes."""
    tree, size = session.tree.record, int(session.tree.record.size[0])
    opened = tree.count[:size] > 0
    return tree.parent[:size], tree.value[:size], tree.level[:size], tree.needed[:size, :16][opened]


def test_numbers_that_are_passed_up_are_those_worked_out_anew():
    """In a larger tree, at every node: what came from changes below is what all children together give."""
    assert_numbers_are_those_worked_out_anew(grown_tree(branching=4, seed=5, nodes=4000))


def assert_numbers_are_those_worked_out_anew(session):
    before = [column.copy() for column in known_of(session)]
    tree = session.tree.record
    for node in range(int(tree.size[0])):
        if tree.count[node] > 0:
            conspiracy_numbers.forget_brothers(tree)
            conspiracy_numbers.renew_numbers(tree, node, tree.first[node])
    assert all(map(np.array_equal, known_of(session), before))


def never(tree, node):
    """In the place of `choices_stay`: then all numbers are renewed up to where nothing changes, or to the root."""
    return False


def positions_of(game, how_many):
    """Positions from random games in which there is something to choose."""
    source, found = random.Random(game.name), []
    while len(found) < how_many:
        state = game.start
        for _ in range(source.randrange(4, 40)):
            if legal := game.legal(state):
                state = game.after(state, source.choice(legal))
        if len(game.legal(state)) > 1:
            found.append(state)
    return found


@pytest.mark.parametrize("name", ["othello", "kalah"])
def test_no_move_is_played_that_is_worse_in_its_own_tree(name):
    game = ludus.game(name)
    player = ludus.player("conspiracy(nodes=2000)")
    for state in positions_of(game, 120):
        result = player.choose(game, state)
        assert result.chosen.value == max(child.value for child in result.children) == result.value


DRIFTING = {"grain": 1000.0}
"""In the random trees used here values soon leave the classes of the first one."""


def test_classes_are_centred_anew_when_the_value_of_the_root_has_left_the_middle_half():
    """Whenever the tree has grown by a quarter; and then all numbers are those of the new classes."""
    moved = 0
    for seed in range(12):
        first_center = grown_tree(3, seed, 1, **DRIFTING).tree.record.register[0].center
        session = grown_tree(3, seed, 400, **DRIFTING)
        tree = session.tree.record
        moved += tree.register[0].center != first_center
        conspiracy_numbers.check_center(session.search, tree)
        assert abs(int(tree.level[0]) - 8) < 4
        assert_numbers_are_those_worked_out_anew(session)
    assert moved == 12


@pytest.mark.parametrize("settings", [{}, {"classes": 5}, {"classes": 9, "width": 2e4}, DRIFTING], ids=str)
def test_what_is_put_off_changes_no_choice(settings):
    """The tree is that of a search which puts nothing off and starts every descent where all is as it was."""
    for seed in range(30):
        grown = partial(grown_tree, (2, 3, 10)[seed % 3], seed, 20_000, compiled=True, **settings)
        with mock.patch.object(conspiracy, "choices_stay", never):
            at_once = [column.copy() for column in known_of(grown())]
        assert all(map(np.array_equal, known_of(grown()), at_once))


def test_it_is_sure_if_all_that_leaves_can_bring_about_is_within_the_width():
    """Without a threshold: no number of conspirators would show more."""
    session = grown_tree(2, 0, 2000, width=1e9)
    assert session.run(session.game.start, Budget(nodes=2000)) == "sure"
    assert session.tree.record.size[0] == 3


def test_paths_may_be_longer_than_what_is_kept_of_them():
    """The same tree if of three nodes on the way it is known what follows for them, and not of 64."""
    for seed in range(4):
        usual = [column.copy() for column in known_of(grown_tree(2, seed, 600))]
        with mock.patch.object(conspiracy, "KEPT", 3), mock.patch.object(conspiracy_numbers, "KEPT", 3):
            session = grown_tree(2, seed, 600)
        assert all(map(np.array_equal, known_of(session), usual))
        assert session.tree.record.depth.max() > 6


def test_what_no_number_of_leaves_brings_about_is_never():
    found = ludus.player("conspiracy(nodes=3000)", compiled=False).choose("tictactoe")
    assert found.chosen.known.more["to_rise"] == np.inf
    assert str(found).splitlines()[4].split()[-1] == "never"
