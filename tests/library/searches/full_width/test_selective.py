"""The options of alpha-beta that search some lines less or more than others: against the same search written as a
recursion, and in the positions that show what each is good for, and where it is wrong."""

import math
import random
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.common.errors import SpecError
from ludus.library.searches.full_width.alphabeta import AlphaBeta
from ludus.library.searches.full_width.pvs import PrincipalVariation
from ludus.library.searches.full_width.selective import shallow_window
from ludus.model import registry
from ludus.model.calibration import Calibration
from ludus.model.evaluator import WIN
from tests.support import oracles
from tests.support.conformance import exactness
from tests.support.oracles import ROOT, Exhaustive
from tests.support.tiny_games import OnTrees, TinyGraph, TinyTree, TreeValues, braid, listed, some_trees

SD = 1.5
LINES = Calibration(probcut=np.array([[2, 1, 0, 1.0, 0.25, SD], [3, 1, 0, 0.5, 0.0, SD], [4, 2, 0, 1.0, 0.0, SD]]))


class Recursion:
    """Alpha-beta with moves tried as listed and the options of an `AlphaBeta`, as a recursion; trees are tiny.

    Of a null move this needs that it leaves the same position to the opponent.
    """

    def __init__(self, tree, horizon, search, lines=LINES.probcut, phase=lambda node: 0):
        """`phase` tells the class of phase of a node."""
        self.tree, self.horizon, self.search, self.lines, self.phase = tree, horizon, search, lines, phase
        self.probable_cuts = 0

    def value(self, node, left, alpha, beta, ply=0, trial=False, without=None):
        """What `node` is worth, and the best move, None if no move was searched."""
        moves = oracles.children(self.tree, node)
        if not moves or left <= 0:
            return oracles.worth(self.tree, node), None
        single = None
        if node != ROOT and not trial:
            bound, single = self.trials(node, left, alpha, beta, ply)
            if bound is not None:
                return bound, None
        best, best_move, tried = -math.inf, None, 0
        for move in moves:
            if alpha >= beta or move == without:
                continue
            if self.is_razored(node, move, left, alpha, best_move):
                best = max(best, -oracles.worth(self.tree, move))
                continue
            tried += 1
            found = self.child(node, move, left, (alpha, beta), ply, tried, move == single)
            if found > best:
                best, best_move = found, move
            alpha = max(alpha, found)
        return best, best_move

    def trials(self, node, left, alpha, beta, ply):
        """A bound that lets the node be left at once, or None; and the single good move, or None."""
        search, many = self.search, len(oracles.children(self.tree, node)) > 1
        if search.null_move and left >= 2 and many and beta < math.inf:
            passed, _ = self.value(
                node, left - 1 - search.null_move, -beta, math.nextafter(-beta, math.inf), ply + 1, True
            )
            if -passed >= beta:
                return beta, None
        for deep, shallow, its_phase, slope, intercept, sd in self.lines if search.probcut else ():
            if deep == left and its_phase == self.phase(node) and (alpha > -math.inf or beta < math.inf):
                error = search.deviations * sd
                low, high = (alpha - intercept - error) / slope, (beta - intercept + error) / slope
                found, _ = self.value(node, int(shallow), low, high, ply + 1, True)
                if found >= high or found <= low:
                    self.probable_cuts += 1
                    return beta if found >= high else alpha, None
        if search.singular and left >= 3 and many:
            found, move = self.value(node, left // 2, alpha, beta, ply + 1, True)
            rivals = found - search.singular
            if found > alpha and move is not None:
                rest, _ = self.value(node, left // 2, rivals, math.nextafter(rivals, math.inf), ply + 1, True, move)
                if rest <= rivals:
                    return None, move
        return None, None

    def is_razored(self, node, move, left, alpha, best_move):
        if not self.search.razor or node == ROOT or best_move is None or left <= 1:
            return False
        return bool(oracles.children(self.tree, move)) and -oracles.worth(self.tree, move) < alpha

    def child(self, node, move, left, window, ply, tried, is_single):
        alpha, beta = window
        plies = left - 1
        late = self.search.reductions and node != ROOT and tried > self.search.reductions and plies >= 2
        if is_single and ply + left < 2 * self.horizon:
            plies += 1
        elif late and not is_single and move % 2 == 0:
            found = -self.value(move, plies - 1, -beta, -alpha, ply + 1)[0]
            if found <= alpha:
                return found
        return -self.value(move, plies, -beta, -alpha, ply + 1)[0]


@pytest.mark.parametrize(
    "options",
    [
        {"null_move": 1},
        {"probcut": 0.7},
        {"razor": True},
        {"reductions": 1},
        {"singular": 1.0},
        {"null_move": 2, "probcut": 0.6, "razor": True, "reductions": 1, "singular": 2.0},
    ],
    ids=str,
)
def test_the_value_is_that_of_the_recursion(options):
    search = AlphaBeta(order=False, **options)
    assert not search.exact
    on_trees, changed = OnTrees(search, evaluator=TreeValues().calibrated(LINES)), 0
    for seed in range(30):
        tree = TinyTree(seed, branching=3, values=(3, 7, 1000)[seed % 3])
        for depth in (3, 4):
            value, _ = Recursion(tree, depth, search).value(ROOT, depth, -math.inf, math.inf)
            assert on_trees(tree, Budget(depth=depth)).value == value
            changed += value != oracles.minimax_value(tree, ROOT, depth)
    assert changed > 0


class PhasedTree(TinyTree):
    """Three phases, in no order."""

    def phase(self, state):
        return (state[0] % 3) / 3


BY_PHASE = Calibration(
    features=np.array([[0.3, 0.6, np.inf, 0.3], *LINES.features[1:]]),
    probcut=np.array(
        [[3, 1, 0, 0.5, 0.0, 3.0], [2, 1, 1, 1.0, 0.5, 1.0], [2, 1, 0, 1.5, -1.0, 0.1], [3, 1, 1, 2, 0, 1]]
    ),
)
"""A line for each of two phases and depths; positions of the third phase have none."""


@pytest.mark.parametrize("compiled", [False, True])
def test_probcut_goes_by_the_line_of_the_phase(compiled):
    search, differ, total = AlphaBeta(order=False, probcut=0.7), 0, 0
    on_trees = OnTrees(search, compiled, PhasedTree, TreeValues().calibrated(BY_PHASE))
    for seed in range(40):
        tree = PhasedTree(seed, branching=3, values=(7, 1000)[seed % 2])
        oracle = Recursion(tree, 4, search, BY_PHASE.probcut, lambda node: node % 3)
        value, _ = oracle.value(ROOT, 4, -math.inf, math.inf)
        found = on_trees(tree, Budget(depth=4))
        cuts = found.statistics.get("ProbCut cut-offs", 0)
        assert (found.value, cuts) == (value, oracle.probable_cuts)
        for k in (0, 1):
            one = Recursion(tree, 4, search, BY_PHASE.probcut, lambda node, k=k: k)
            differ += (one.value(ROOT, 4, -math.inf, math.inf)[0], one.probable_cuts) != (value, cuts)
        total += cuts
    assert total > 20
    assert differ > 20  # of 80, where all positions go by the lines of one phase


# What is sound stays so in company.


def combinations(how_many):
    """Settings of sound options, always the same ones; each option is on in about half of them."""
    source = random.Random(13)
    flags = ("order", "table", "etc", "killers", "history")
    for _ in range(how_many):
        chosen = {flag: source.random() < 0.6 for flag in flags}
        chosen["etc"] = chosen["etc"] and chosen["table"]
        chosen |= {"aspiration": source.choice((0.0, 1.5)), "ties": source.choice(("first", "random"))}
        yield source.choice((AlphaBeta, PrincipalVariation))(**chosen)


def test_every_combination_of_sound_options_is_exact():
    for seed, search in enumerate(combinations(24)):
        assert search.exact
        graph = TinyGraph(seed, layers=6, width=3, moves=2, values=(3, 1000)[seed % 2])
        exactness.check_exact_on(search, exactness.known_of([graph]))


def test_the_table_is_asked_about_all_successors_before_one_is_searched():
    """What that saves: the same value with fewer nodes, and no more evaluations than the order needs anyway."""
    plain, asking = OnTrees(AlphaBeta(table=True)), OnTrees(AlphaBeta(table=True, etc=True))
    spent, cuts = np.zeros(2, int), 0
    for seed in range(20):
        results = [search(braid(seed), Budget(depth=7)) for search in (plain, asking)]
        assert results[0].value == results[1].value
        spent += [result.meter.generated for result in results]
        cuts += results[1].statistics.get("cut-offs by a successor in the table", 0)
    assert spent[1] < spent[0]
    assert cuts > 0
    with pytest.raises(SpecError, match="tolerance is for quiescence: it needs quiescence=consistency or"):
        ludus.player("alphabeta(tolerance=0.5)")
    for option in ("etc", "deeper"):
        with pytest.raises(SpecError, match=f"{option} asks the table: it needs table=true"):
            registry.searches().of("alphabeta", **{option: True})


# What each is good for, and where it is wrong.


def test_the_null_move_is_wrong_in_zugzwang():
    """Nim, the last stone loses: of 8 stones 3 must be taken, since who moves with 5 left loses."""
    nim = ludus.game("nim(stones=8)")
    game = listed(Exhaustive(nim).states, nim, ludus.evaluator("zero"))
    sure, wrong = (OnTrees(AlphaBeta(null_move=plies))(game, Budget(depth=4)) for plies in (0, 1))
    assert (sure.move, sure.stopped) == (3, "depth")
    assert sure.value == WIN
    assert (wrong.move, wrong.value) == (1, 0.0)
    assert wrong.statistics["null-move cut-offs"] > 0


@pytest.mark.parametrize(("static", "value"), [(-4.5, -10), (-4.0, -10), (-3.9, -4)])
def test_razoring_leaves_out_what_looks_worse_and_keeps_what_looks_equal(static, value):
    """The first move is worth 4; the second one, in truth worth 10, has this static value to the opponent."""
    tree = TinyTree.of([0, [0, [0, 4, 4], [static, 10, 10]]])
    assert OnTrees(AlphaBeta(order=False))(tree, Budget(depth=3)).value == -10
    assert OnTrees(AlphaBeta(order=False, razor=True))(tree, Budget(depth=3)).value == value


def test_razoring_saves_nodes_over_all_but_not_in_every_tree():
    """The survey says that it never prunes less than alpha-beta alone: what it misses may be what would have cut."""
    plain, razoring = OnTrees(AlphaBeta(order=False)), OnTrees(AlphaBeta(order=False, razor=True))
    spent = [
        [search(tree, Budget(depth=5)).meter.generated for search in (plain, razoring)]
        for tree in (TinyTree(seed, branching=3, values=1000) for seed in range(60, 130))
    ]
    assert sum(more for _, more in spent) < 0.8 * sum(less for less, _ in spent)
    assert any(more > less for less, more in spent)


def staged_value(tree, depth, plies):
    """By definition, where no two positions have the same value: a move better than those before it is verified."""
    best = -math.inf
    for move in oracles.children(tree, ROOT):
        value, tip, ply = -oracles.minimax_value(tree, move, depth - 1), move, 1
        if value <= best:
            continue
        while ply < depth and oracles.children(tree, tip):
            (tip,) = oracles.best_moves(tree, tip, depth - ply)
            ply += 1
        found = oracles.minimax_value(tree, tip, plies) * (-1) ** ply
        best = max(best, min(value, found))
    return best


def test_a_staged_search_verifies_the_end_of_the_line():
    search, changed = OnTrees(AlphaBeta(order=False, staged=1)), 0
    for seed in range(60):
        tree = TinyTree(seed, values=10**6)
        for depth in (2, 3, 4):
            value = staged_value(tree, depth, 1)
            assert search(tree, Budget(depth=depth)).value == value
            changed += value != oracles.minimax_value(tree, ROOT, depth)
    assert changed > 20


@pytest.mark.parametrize("kind", [AlphaBeta, PrincipalVariation])
def test_a_staged_search_finds_the_refutation_one_ply_beyond_the_horizon(kind):
    tree = TinyTree.of([0, [0, [0, [-5, -20, 20]]], [0, [0, [-1, 1, 1]]]])
    trap, sound = oracles.children(tree, ROOT)
    assert OnTrees(kind())(tree, Budget(depth=3)).move == trap
    for budget in (Budget(depth=3), Budget(depth=3, nodes=1000)):
        result = OnTrees(kind(staged=1, table=True))(tree, budget)
        assert (result.move, result.value) == (sound, 1.0)


def test_late_moves_that_are_none_are_not_reduced_and_a_margin_that_nobody_has_extends_nothing():
    plain = OnTrees(AlphaBeta(order=False))
    late, single = OnTrees(AlphaBeta(order=False, reductions=4)), OnTrees(AlphaBeta(order=False, singular=1e9))
    for tree in some_trees(20):
        expected = plain(tree, Budget(depth=4))
        found = late(tree, Budget(depth=4))
        assert (found.value, found.line, found.meter.generated) == (
            expected.value,
            expected.line,
            expected.meter.generated,
        )
        assert single(tree, Budget(depth=4)).value == expected.value


@pytest.mark.parametrize("confidence", [0.6, 0.9, 0.99])
def test_of_all_probable_cuts_at_most_the_share_that_is_allowed_is_wrong(confidence):
    """Where a normal error is added to the line. At the edge of the window it is just that share."""
    rng, search = np.random.default_rng(3), AlphaBeta(probcut=confidence)
    tree = SimpleNamespace(alpha=[-1.0], beta=[2.0], predictor=[0])
    evaluator = TreeValues().calibrated(Calibration(probcut=np.array([[4, 2, 0, 0.8, 0.3, SD]])))
    low, high = shallow_window(search, evaluator, tree, 0)
    shallow, error = rng.uniform(-20, 20, 100_000), rng.normal(0.0, SD, 100_000)
    deep = 0.8 * shallow + 0.3 + error
    wrong = ((shallow >= high) & (deep < 2.0)) | ((shallow <= low) & (deep > -1.0))
    cuts = (shallow >= high) | (shallow <= low)
    assert 0 < wrong.sum() / cuts.sum() <= 1 - confidence
    edges = [(0.8 * high + 0.3 + error < 2.0).mean(), (0.8 * low + 0.3 + error > -1.0).mean()]
    assert edges == pytest.approx([1 - confidence] * 2, abs=4 * math.sqrt(confidence * (1 - confidence) / 100_000))


def test_what_an_option_needs_is_asked_for_in_one_sentence():
    for spec, words in (
        ("alphabeta(null_move=2)", "needs the rule null, which"),
        ("pvs(quiescence=noisy)", "needs the rule noisy, which"),
        ("alphabeta(probcut=0.9, eval=zero)", "needs the ProbCut line of zero, which has not been fitted"),
    ):
        with pytest.raises(SpecError, match=words):
            ludus.player(spec, compiled=False).choose(ludus.game("random-tree"))
    for spec in ("alphabeta(probcut=1.0)", "alphabeta(null_move=-1)", "alphabeta(quiescence=loud)"):
        with pytest.raises(SpecError):
            registry.searches().of(spec)
