"""MGSS* against brute force: its gains, its choices, and when it stops."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate

import ludus
from ludus import Budget
from ludus.library.searches.best_first import mgss_sets, mgss_stand
from ludus.library.searches.best_first.mgss import MetaGreedySingleStep
from ludus.library.searches.best_first.mgss_gains import gain, most_gain
from ludus.model.calibration import Calibration, bucket, error_mean, error_sd
from ludus.runtime.session import Session
from ludus.runtime.trace import trace
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT, Grown
from tests.support.tiny_games import OnTrees, TinyTree, TreeValues

CUTS = np.array([[np.inf] * 3 + [0.0], [2, 3, np.inf, 2], [2, np.inf, np.inf, 3], [-1, 0, 2, 0]], float)
SOURCE = np.random.default_rng(3)
ERRORS = np.column_stack([SOURCE.normal(0.5, 1.0, 256), SOURCE.uniform(0.3, 4.0, 256), np.ones(256)])
MODEL = Calibration(features=CUTS, error=ERRORS)
"""An error model with many buckets, so that hardly two leaves are alike."""


class SureOfSome(TreeValues):
    """Says that what looks good is won, and what looks bad lost."""

    def evaluate(self, game, state):
        worth = game.worth[state[0]]
        return worth if abs(worth) < 2 else worth * np.inf


def above(x, mean, spread):
    """The probability that a normal variable is greater than x."""
    return 0.5 * math.erfc((x - mean) / spread / math.sqrt(2.0))


def on_trees(**options):
    return OnTrees(MetaGreedySingleStep(**options), evaluator=TreeValues().calibrated(MODEL))


def opened_by(search):
    record = search.session.tree.record
    return {int(search.session.tree.state(i)[0]) for i in range(int(record.size[0])) if record.count[i] > 0}


def true_gains(grown, slow_gain=oracles.slow_gain):
    """Of each leaf that can be expanded, by definition, from the leaves' values and the buckets that they fall in.

    Where chance decides nothing is known of the error.
    """
    gains = {}
    for path in grown.paths():
        leaf = path[-1]
        if grown.is_closed(leaf):
            continue
        before, earlier = (len(oracles.children(grown.tree, path[-k])) if len(path) >= k else -1 for k in (2, 3))
        static = oracles.worth(grown.tree, leaf)
        line = bucket(MODEL, 0.0, before, earlier, static)
        mean = static + (0.0 if oracles.odds(grown.tree, leaf) else error_mean(MODEL, line))
        gains[leaf] = slow_gain(grown, leaf, mean, error_sd(MODEL, line))
    return gains


def test_equations_13_and_14_are_the_integrals_that_they_stand_for():
    source = np.random.default_rng(1)
    for case in range(300):
        mean, goal = source.normal(0, 3, 2)
        spread = source.uniform(0.2, 4)
        delta = np.inf if case % 5 == 0 else goal + source.normal(1, 2)
        ends = goal, min(delta, max(goal, mean) + 12 * spread)
        expected = 0.0
        if delta > goal:  # E[(min(X, delta) - goal)+] is the integral of P(X > x) from the goal to delta
            expected = integrate.quad(lambda x, at=mean, sd=spread: above(x, at, sd), *ends)[0]
        found = gain(mean, spread, delta, goal)
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-12)
        assert most_gain(mean + source.uniform(0, 2), spread + source.uniform(0, 2), delta, goal) >= found
    assert gain(1.0, 0.0, np.inf, -2.0) == 3.0
    assert gain(1.0, 0.0, 0.0, -2.0) == 2.0
    assert 0 < gain(-1e6, 1.0, 5.0, 4.0) < 1e-200, "relevant, however far"


def test_the_leaf_that_it_expands_has_the_greatest_gain_of_all():
    """On random tiny trees, by trying every other value of every leaf after every step; and what is shown is true."""
    search, steps = on_trees(), 0
    for tree in tiny_games.some_trees(200, depth=4):
        before, expected, nodes, stopped = None, {}, 1, "nodes"
        while stopped == "nodes" and nodes < 40:
            result = search(tree, Budget(nodes=nodes))
            stopped, nodes = result.stopped, result.meter.generated + 1
            grown = Grown(tree, opened_by(search))
            if before is not None and stopped == "nodes":
                (leaf,) = grown.opened - before.opened
                assert math.isclose(expected[leaf], max(expected.values()), rel_tol=1e-9, abs_tol=1e-12)
                steps += 1
            before, expected = grown, true_gains(grown)
            for child in result.children:
                below = [expected.get(path[-1], 0.0) for path in grown.paths(child.move)]
                assert child.known.more["gain"] == pytest.approx(max(below), rel=1e-6, abs=1e-9)
        assert stopped != "sure" or max(expected.values(), default=0.0) < 1e-9
    assert steps > 400


def shown_gains(record):
    """Of the root's moves."""
    return record.greatest[int(record.first[0]) :][: int(record.count[0])].copy()


def test_the_leaf_is_found_in_larger_trees_too():
    """Compared with a look at every leaf, and its whole path, below a horizon and as the tree grows from there."""
    model, positive = Calibration(error=np.array([[9000.0, 9000.0, 1.0]])), 0
    for seed in range(16):
        game = ludus.game("random-tree", branching=3 + seed % 4, seed=seed)
        evaluator = ludus.evaluator("sum").calibrated(model).on(game)
        session = Session(MetaGreedySingleStep(horizon=3), game, evaluator, False)
        start = sum(game.branching**ply for ply in (1, 2, 3))
        for nodes in (start, start + 30, start + 100):
            session.run(game.start, Budget(nodes=nodes))
            session.search.conclude(session)
            greatest = max(scanned_gains(session.tree.record, 9000.0))
            assert shown_gains(session.tree.record).max() == pytest.approx(greatest, rel=1e-6, abs=1e-9)
            positive += greatest > 1
    assert positive > 10


def scanned_gains(tree, spread):
    """By the structural rule and delta as section 5 of the notes has them, leaf by leaf."""
    values = [-float(tree.value[c]) for c in range(1, 1 + int(tree.count[0]))]
    best = int(np.argmax(values))
    second = max(value for i, value in enumerate(values) if i != best)
    for leaf in np.flatnonzero(tree.count[: tree.size[0]] == -1):
        node, delta, passes = int(leaf), np.inf, True
        path = [node]
        while tree.parent[node] > 0:
            node = int(tree.parent[node])
            path.append(node)
        falls = node - 1 == best
        for child, parent in itertools.pairwise(path):
            narrow = tree.depth[parent] % 2 == (0 if falls else 1)
            if narrow:
                siblings = tree.value[tree.first[parent] : tree.first[parent] + tree.count[parent]]
                passes = passes and tree.value[child] == siblings.min()
                others = np.sort(siblings)[1:]
                delta = min(delta, others[0] if len(others) else np.inf)
        goal = -second if falls else values[best]
        mine = 1.0 if (tree.depth[leaf] % 2 == 0) != falls else -1.0
        yield gain(mine * (tree.value[leaf] + spread), spread, delta, goal) if passes else 0.0


def test_it_is_sure_when_no_single_step_could_change_the_decision():
    search = on_trees()
    result = search(TinyTree.of([0.0, [1.0, [2.0, 3.0]]]), Budget(nodes=1000))  # a single move
    assert (result.stopped, result.meter.expanded) == ("sure", 1)
    tied = TinyTree.of([0.0, [-5.0, 5.0, 5.0], [-4.0, [4.0, 9.0], [4.0, 9.0]]])
    result = search(tied, Budget(nodes=1000))  # below the rival both replies are as good: one alone changes nothing
    assert (result.stopped, result.move, result.meter.expanded) == ("sure", 1, 3)


def chosen(**options):
    game = ludus.game("othello(size=6)")
    evaluator = ludus.evaluator("mobility").calibrated(Calibration(error=np.array([[5.0, 4.0, 1.0]])))
    player = ludus.Player(MetaGreedySingleStep(**options), evaluator, Budget(nodes=20_000, per="game"), compiled=False)
    return player.choose(game, game.read_state(ludus.game("othello(size=6)").state_text(game.start)))


def test_time_has_a_price_when_the_rest_of_the_game_needs_it():
    free, cheap, dear = (chosen(cost=cost) for cost in (0.0, 1.0, 100.0))
    assert {free.stopped, cheap.stopped, dear.stopped} == {"sure"}
    assert dear.meter.expanded < cheap.meter.expanded <= free.meter.expanded
    assert max(child.known.more["gain"] for child in free.children) < 1e-200
    assert max(child.known.more["gain"] for child in dear.children) > 0.01


def test_successors_are_given_up_when_the_rest_cannot_help():
    """A leaf that stays one has the value of its first successors; and it takes fewer nodes to be sure."""
    whole, single, given_up = on_trees(), on_trees(unit="successor"), 0
    generated = np.zeros(2)
    for tree in tiny_games.some_trees(200, depth=4):
        results = [search(tree, Budget(nodes=1000)) for search in (whole, single)]
        generated += [result.meter.generated for result in results]
        record = single.session.tree.record
        for i in range(int(record.size[0])):
            node = int(single.session.tree.state(i)[0])
            if record.count[i] == -1 and record.value[i] != oracles.worth(tree, node):
                after = [-oracles.worth(tree, child) for child in oracles.children(tree, node)]
                assert record.value[i] in [max(after[:k]) for k in range(1, len(after))]
                given_up += 1
        assert results[1].stopped == "sure"
    assert given_up > 50
    assert generated[1] < generated[0]


def test_a_subtree_is_two_plies_and_a_horizon_is_full_width():
    tree = tiny_games.perfectly_ordered(1, depth=4, branching=2)
    search = on_trees(unit="subtree")
    assert search(tree, Budget(nodes=8)).stopped == "nodes"
    opened = opened_by(search) - {ROOT}
    top = min(opened)
    assert opened == {top, *oracles.children(tree, top)}
    search = on_trees(horizon=3)
    search(tree, Budget(nodes=14))
    assert opened_by(search) == set(range(7))


def kept(record, node, place):
    """The cells that are kept of the set of a node."""
    slot = mgss_sets.slot_of(record, node, place)
    return [float(record.sets[mgss_sets.cell(slot, which)]) for which in range(mgss_sets.CELLS)]


def leaves_of(record, node, parity, goal, place):
    """The leaves of the set that is kept at a node."""
    if record.count[node] <= 0:
        return {node}
    below = range(record.first[node], record.first[node] + record.count[node])
    if record.depth[node] % 2 != parity:
        best = max(below, key=lambda child: kept(record, child, place)[mgss_sets.MERIT])
        return leaves_of(record, best, parity, goal, place)
    return set().union(*(leaves_of(record, c, parity, goal, place) for c in below if record.value[c] <= goal))


def test_a_set_makes_its_move_rise_and_no_part_of_it_does():
    """On random tiny trees, by giving its leaves other values; and its numbers are those of its leaves."""
    search, larger, checked = on_trees(unit="sets"), 0, 0
    for tree in tiny_games.some_trees(150, depth=4):
        for nodes in (6, 15, 30):
            search(tree, Budget(nodes=nodes))
            record = search.session.tree.record
            grown = Grown(tree, opened_by(search))
            number = [int(search.session.tree.state(i)[0]) for i in range(int(record.size[0]))]
            for top in range(1, 1 + int(record.count[0])):
                parity, goal, place = mgss_sets.side_goal_and_place(record, top)
                row = kept(record, top, place)
                assert row[mgss_sets.GOAL] == goal
                if row[mgss_sets.MERIT] == -np.inf:
                    continue
                found = leaves_of(record, top, parity, goal, place)
                high = {number[i]: 1e6 if record.depth[i] % 2 != parity else -1e6 for i in found}
                sign = 1.0 if record.depth[top] % 2 != parity else -1.0
                assert sign * grown.value(number[top], high) > goal
                for leaf in found:
                    others = {other: value for other, value in high.items() if other != number[leaf]}
                    assert sign * grown.value(number[top], others) <= goal
                assert row[mgss_sets.SIZE] == len(found)
                alone = [single(record, leaf, parity, goal) for leaf in found]
                probability = math.prod(chance for _, chance in alone)
                assert math.exp(row[mgss_sets.PROBABILITY]) == pytest.approx(probability)
                if probability < 1e-200:
                    continue
                least = min(gained / chance for gained, chance in alone) * probability / len(found)
                assert math.exp(row[mgss_sets.MERIT]) <= least * (1 + 1e-9)  # less where a child above is a cap
                larger, checked = larger + (len(found) > 1), checked + 1
    assert checked > 200
    assert larger > 50


def single(record, leaf, parity, goal):
    """The gain of a leaf, and the probability that it rises above the goal."""
    parent = int(record.parent[leaf])
    earlier = record.count[record.parent[parent]] if parent > 0 else -1
    line = bucket(record.calibration, 0.0, record.count[parent], earlier, record.value[leaf])
    mean, spread = record.value[leaf] + error_mean(record.calibration, line), error_sd(record.calibration, line)
    mean = mean if record.depth[leaf] % 2 != parity else -mean
    return gain(mean, spread, np.inf, goal), above(goal, mean, spread)


def true_set(record, node, parity, goal):
    """Gain if it succeeds, probability and leaves of the best set of a node, by definition: from all below it."""
    if record.count[node] == 0:
        return 1.0, 0.0, 1
    if record.count[node] < 0:
        gained, probability = single(record, node, parity, goal)
        return gained / probability, probability, 1
    children = range(record.first[node], record.first[node] + record.count[node])
    if record.depth[node] % 2 != parity:
        return max((true_set(record, c, parity, goal) for c in children), key=lambda s: s[0] * s[1] / s[2])
    caps = [record.value[c] - goal for c in children if record.value[c] > goal]
    parts = [true_set(record, c, parity, goal) for c in children if record.value[c] <= goal]
    excess, probabilities, sizes = zip(*parts, strict=True) if parts else ((), (), (1,))
    return min(*excess, *caps, np.inf), math.prod(probabilities), sum(sizes)


def test_what_is_known_of_a_set_is_true_or_a_bound():
    """Of all nodes at both goals, compared with the sets of all below them."""
    known = bounds = 0
    for seed in range(12):
        game = ludus.game("random-tree", branching=2 + seed % 3, seed=seed)
        model = ludus.evaluator("sum").calibrated(Calibration(error=np.array([[3000.0 * (seed % 4), 9000.0, 1.0]])))
        session = Session(MetaGreedySingleStep(unit="sets"), game, model.on(game), False)
        for nodes in (60, 150):
            session.run(game.start, Budget(nodes=nodes))
            record = session.tree.record
            mgss_stand.leave_stand(record)
            for node in range(1, int(record.size[0])):
                top = node
                while record.parent[top] > 0:
                    top = int(record.parent[top])
                aim = mgss_sets.side_goal_and_place(record, top)
                if not mgss_sets.is_known(record, record.sets, node, mgss_sets.slot_of(record, node, aim[2]), aim):
                    continue
                row = kept(record, node, aim[2])
                excess, probability, size = true_set(record, node, *aim[:2])
                if row[mgss_sets.SIZE] == 0:
                    assert math.exp(row[mgss_sets.MERIT]) >= excess * probability / size * (1 - 1e-9)
                    bounds += 1
                    continue
                assert math.exp(row[mgss_sets.MERIT]) == pytest.approx(
                    excess * probability / size, rel=1e-7, abs=1e-200
                )
                if probability > 1e-200:
                    assert math.exp(row[mgss_sets.PROBABILITY]) == pytest.approx(probability, rel=1e-7)
                    assert row[mgss_sets.SIZE] == size
                known += 1
    assert known > 500
    assert bounds > 10


def test_sets_that_were_kept_are_those_that_are_found_afresh():
    """After a search, of every child of the root, at all the goals that were met."""
    for spec in ("random-tree(branching=3, seed=2)", "random-tree(branching=6, seed=5)"):
        game = ludus.game(spec)
        model = ludus.evaluator("sum").calibrated(Calibration(error=np.array([[9000.0, 9000.0, 1.0]])))
        session = Session(MetaGreedySingleStep(unit="sets"), game, model.on(game), False)
        for nodes in (50, 300, 900, 1500):
            session.run(game.start, Budget(nodes=nodes))
            session.search.conclude(session)
            record = session.tree.record
            kept = shown_gains(record)
            for node in range(int(record.size[0])):
                mgss_sets.forget_sets(record, node)
            session.search.conclude(session)
            assert shown_gains(record).tolist() == kept.tolist()
            assert kept.max() > 0


@pytest.mark.parametrize("spec", ["random-tree(branching=2)", "random-tree(branching=5, seed=4)", "othello(size=6)"])
@pytest.mark.parametrize("budget", [Budget(nodes=2_000), Budget(nodes=60_000, per="game")], ids=["move", "game"])
def test_what_is_put_off_changes_no_choice(spec, budget, monkeypatch):
    """The tree is that of a search which follows every change up to the root."""
    game = ludus.game(spec)
    evaluator = ludus.evaluator("sum" if "random" in spec else "mobility")
    error = np.array([[9000.0, 9000.0, 1.0]]) if "random" in spec else np.array([[5.0, 4.0, 1.0]])
    trees, renew_sets = [], mgss_stand.renew_sets
    for rounding in (mgss_stand.ROUNDING, np.inf):
        stands = []

        def watched(tree, leaf, highest, stands=stands):
            renew_sets(tree, leaf, highest)
            stands.append(tree.register[0].stand > 0)

        monkeypatch.setattr(mgss_stand, "ROUNDING", rounding)
        monkeypatch.setattr(mgss_stand, "renew_sets", watched)
        model = evaluator.calibrated(Calibration(error=error))
        player = ludus.Player(MetaGreedySingleStep(unit="sets", cost=1e-6), model, budget, compiled=False)
        player.choose(game)
        record = player.session(game).tree.record
        trees.append(record.parent[: int(record.size[0])].tolist())
        assert np.mean(stands) > 0.2 if rounding < 1 else not any(stands)
    assert len(trees[0]) > 200
    assert trees[0] == trees[1]


@pytest.mark.parametrize("unit", ["leaf", "successor", "subtree", "sets"])
def test_gains_are_shown_at_every_step_without_changing_the_search(unit):
    game = ludus.game("random-tree", branching=6, seed=3)
    evaluator = ludus.evaluator("sum").calibrated(Calibration(error=np.array([[9000.0, 9000.0, 1.0]])))
    player = ludus.Player(MetaGreedySingleStep(unit=unit), evaluator, Budget(nodes=600), compiled=False)
    result, traced = player.choose(game), trace(game, player)
    assert traced.expansions == result.meter.expanded > 10
    assert (traced.stopped, traced.line) == (result.stopped, result.line)
    if unit in ("leaf", "sets"):  # the others have steps between two rows
        for before, after in itertools.pairwise(traced.rows):
            assert before.gains[after.descended] == max(before.gains)


@pytest.mark.parametrize("unit", ["leaf", "successor", "subtree", "sets"])
@pytest.mark.parametrize("horizon", [0, 3])
def test_where_the_evaluator_is_sure_nothing_is_to_be_gained(unit, horizon):
    """Infinite values are allowed; the search ends all the same, and does not prefer a loss."""
    search = OnTrees(MetaGreedySingleStep(unit=unit, horizon=horizon), evaluator=SureOfSome().calibrated(MODEL))
    for tree in tiny_games.some_trees(60, depth=4):
        result = search(tree, Budget(nodes=300, seconds=5))
        assert result.stopped in ("sure", "nodes")
        assert result.chosen.value == max(child.known.value for child in result.children)


@pytest.mark.parametrize("unit", ["leaf", "successor", "subtree", "sets"])
def test_where_nothing_is_ever_in_error_it_is_sure_after_the_first_step(unit):
    """Time is free, but a step that is known to change nothing is not worth it either."""
    found = ludus.calibrate("dbf-tree(branching=4, depth=6)", "dbf-truth", positions=300, compiled=False)
    assert (found.facts["error"]["mean"], found.facts["error"]["sd"]) == (0.0, 0.0)
    player = ludus.player("mgss", unit=unit, eval=found.evaluator, nodes=1000, compiled=False)
    result = player.choose("dbf-tree(branching=4, depth=6, seed=5)")
    assert (result.stopped, result.meter.expanded) == ("sure", 1)


@pytest.mark.parametrize("wrong", ["cost=-1", "horizon=-1", "unit=tree"])
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(ludus.SpecError, match=wrong.split("=")[0]):
        ludus.player(f"mgss({wrong})")
