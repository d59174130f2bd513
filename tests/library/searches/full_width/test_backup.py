"""The backup rules against their definitions, on hundreds of random trees with and without chance."""

import itertools
import math
from functools import cache

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.games.pig import DIE
from ludus.library.searches.full_width.backup import Backup
from ludus.library.searches.full_width.backup_rules import CERTAIN, chance_of, mean_of_odds, product, product_of_odds
from ludus.library.searches.full_width.hybrid import Hybrid
from ludus.library.searches.power_mean import power_mean, power_mean_slope
from ludus.model import registry
from ludus.model.calibration import Calibration
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT, children
from tests.support.tiny_games import DiceTree, OnTrees, TinyTree

SCALE = 30.0


def dice_trees(how_many):
    for seed in range(how_many):
        yield DiceTree(seed, depth=1 + seed % 5, values=(2, 3, 7, 1000)[seed // 5 % 4])


def shares(tree, node):
    """The probabilities of what chance may bring at `node`; none where a player decides."""
    found = [float(tree.share[child]) for child in children(tree, node)] if isinstance(tree, DiceTree) else []
    return found if any(found) else []


def slow(rule, tree, node, depth, ours, leaf=None):
    """What `node` is worth to the player to move there. `rule(values, ours)`: that of the moves' values to him."""
    if depth == 0 or not children(tree, node):
        return (leaf or probable)(tree, node)
    odds = shares(tree, node)
    if odds:
        below = [slow(rule, tree, child, depth - 1, ours, leaf) for child in children(tree, node)]
        return sum(share * value for share, value in zip(odds, below, strict=True))
    return rule([-slow(rule, tree, child, depth - 1, not ours, leaf) for child in children(tree, node)], ours)


def slow_moves(rule, tree, depth, leaf=None):
    return [-slow(rule, tree, child, depth - 1, False, leaf) for child in children(tree, ROOT)]


def probable(tree, node):
    """Twice the probability of winning less 1: a finished game, or what the curve says."""
    worth = oracles.worth(tree, node)
    return 2 / (1 + math.exp(-worth / SCALE)) - 1 if children(tree, node) else float(np.sign(worth))


def check(rule, search, trees, kind=TinyTree, leaf=None, tolerance=1e-12):
    """Every move of the root has the value that the rule says, to every depth; the best one is played."""
    search_on, seen = OnTrees(search, kind=kind), set()
    for tree in trees:
        for depth in range(1, oracles.height(tree) + 1):
            result = search_on(tree, Budget(depth=depth))
            expected = slow_moves(rule, tree, depth, leaf)
            assert [child.value for child in result.children] == pytest.approx(expected, abs=tolerance)
            assert expected[[child.move for child in result.children].index(result.move)] >= max(expected) - tolerance
            seen.update(np.round(expected, 6))
    assert len(seen) > 40


# The rules, written down once more.


def product_rule(values, ours):
    return 1 - 2 * math.prod((1 - value) / 2 for value in values)


def best_with_bonus(values, ours, most=(3, 2), bonus=0.1, reach=0.5, margin=math.inf):
    """M = 3 where we move, N = 2 where the opponent does."""
    best, *others = sorted(values, reverse=True)
    if others and best - others[0] >= margin:
        return best
    counted = others[: (most[0] if ours else most[1]) - 1]
    return best + (1 - best**2) * sum(bonus * max(0, 1 - (best - other) / reach) for other in counted)


def powers(values, ours, p=4.0, offset=1.25):
    to_us = [offset + (value if ours else -value) for value in values]
    sign = 1 if ours else -1
    mean = (sum(a ** (sign * p) for a in to_us) / len(to_us)) ** (sign / p)
    return sign * (mean - offset)


def erring(values, ours, s=0.7):
    if ours:
        return max(values)
    ranked, n = sorted(values, reverse=True), len(values)
    return sum(s * (1 - s) ** i / (1 - (1 - s) ** n) * value for i, value in enumerate(ranked))


def softmax(values, ours, temperature=0.25):
    weights = np.exp(np.array(values) / temperature)
    return float(weights @ values / weights.sum())


def within(values, ours, threshold=0.3):
    return float(np.mean([value for value in values if value >= max(values) - threshold]))


DEFINITIONS = {
    "product": product_rule,
    "average": lambda values, ours: (product_rule(values, ours) + max(values)) / 2,
    "m-and-n, m=3, n=2, bonus=0.1, reach=0.5": best_with_bonus,
    "pmean, p=4, offset=1.25": powers,
    "error, s=0.7": erring,
    "reasonable, temperature=0.25": softmax,
    "reasonable, threshold=0.3": within,
}


@pytest.mark.parametrize("kind", [TinyTree, DiceTree])
@pytest.mark.parametrize("rule", DEFINITIONS)
def test_the_rules_are_what_they_are_defined_to_be(rule, kind):
    trees = tiny_games.some_trees(40) if kind is TinyTree else dice_trees(40)
    check(DEFINITIONS[rule], registry.searches().of(f"backup(rule={rule}, scale={SCALE})"), trees, kind)


def test_hybrid_is_minimax_where_a_move_is_clearly_best_else_m_and_n():
    def rule(values, ours):
        return best_with_bonus(values, ours, margin=0.2)

    check(rule, Hybrid(margin=0.2, m=3, n=2, bonus=0.1, reach=0.5, scale=SCALE), tiny_games.some_trees(40))


@pytest.mark.parametrize("kind", [TinyTree, DiceTree])
def test_the_average_may_be_taken_at_the_root_alone(kind):
    search = OnTrees(Backup("average", mix="root", scale=SCALE), kind=kind)
    for tree in tiny_games.some_trees(40) if kind is TinyTree else dice_trees(40):
        for depth in range(1, oracles.height(tree) + 1):
            both = [slow_moves(rule, tree, depth) for rule in (product_rule, lambda values, ours: max(values))]
            result = search(tree, Budget(depth=depth))
            assert [child.value for child in result.children] == pytest.approx(np.mean(both, axis=0), abs=1e-12)


# Product.


def probability_of_winning(tree, node):
    """That the player to move can force a win, by all the ways in which independent tips may turn out."""

    def tips(node):
        return [tip for child in children(tree, node) for tip in tips(child)] if children(tree, node) else [node]

    def can_win(node, outcome):
        return any(not can_win(c, outcome) for c in children(tree, node)) if children(tree, node) else outcome[node]

    leaves, total = tips(node), 0.0
    for outcome in itertools.product((False, True), repeat=len(leaves)):
        chances = [(1 + probable(tree, tip)) / 2 for tip in leaves]
        likely = math.prod(p if won else 1 - p for p, won in zip(chances, outcome, strict=True))
        total += likely * can_win(node, dict(zip(leaves, outcome, strict=True)))
    return total


def test_product_is_the_probability_that_a_win_can_be_forced_if_tips_are_independent():
    search, compared = OnTrees(Backup("product", scale=SCALE)), 0
    for seed in range(300):
        tree = TinyTree(seed, depth=1 + seed % 4, branching=3, values=3)  # a third of all tips are draws: 1/2
        if tree.count[tree.count == 0].size <= 11:
            result = search(tree, Budget(depth=5))
            expected = [1 - 2 * probability_of_winning(tree, child) for child in children(tree, ROOT)]
            assert [child.value for child in result.children] == pytest.approx(expected, abs=1e-12)
            compared += 1
    assert compared > 80


def test_log_odds_are_the_same_as_probabilities_and_go_on_where_these_end():
    source = np.random.default_rng(0)
    for n in (1, 2, 3, 4) * 50:
        odds = np.sort(source.normal(0, 3, n))[::-1]
        assert math.tanh(product_of_odds(odds, n) / 2) == pytest.approx(product(np.tanh(odds / 2), n), abs=1e-12)
    for x in (-1e5, -800.0, -31.0, -29.0, -1.0, 0.0, 5.0, 700.0, 1e5):
        assert product_of_odds(np.array([x]), 1) == pytest.approx(x, rel=1e-12, abs=1e-12)
        assert product_of_odds(np.array([x, -CERTAIN]), 2) == pytest.approx(x, rel=1e-12, abs=1e-12)
        assert product_of_odds(np.array([CERTAIN, x]), 2) == CERTAIN
    assert product_of_odds(np.array([-900.0, -900.0]), 2) == pytest.approx(math.log(2) - 900)
    assert product_of_odds(np.array([900.0, 800.0]), 2) == pytest.approx(1700)
    assert product_of_odds(np.array([-CERTAIN, -CERTAIN]), 2) == -CERTAIN
    assert [chance_of(odds) for odds in (-CERTAIN, 0.0, CERTAIN)] == [0, 0.5, 1]
    assert mean_of_odds(0.25, 0.75, -5.0, 5.0) == pytest.approx(math.log(1 / 3))
    assert [mean_of_odds(0.0, 1.0, -900.0, -800.0), mean_of_odds(1.0, 0.0, 800.0, 900.0)] == [-800, 800]


def test_product_tells_moves_apart_whose_probabilities_are_1_to_the_last_digit():
    tree = TinyTree.of([0.0, *([0.0, *([0.0, *([opinion, 0.0],) * 4],) * 4] for opinion in (-40.0, -41.0, -39.0))])
    result = OnTrees(Backup("product", scale=1.0))(tree, Budget(depth=3))
    assert [child.value for child in result.children] == [1, 1, 1]
    assert result.move == children(tree, ROOT)[1]


@pytest.mark.parametrize("rule", ["product", "average", "m-and-n", "pmean", "error", "reasonable"])
def test_no_opinion_is_worth_as_much_as_a_win_nor_as_little_as_a_loss(rule):
    tree = TinyTree.of([0.0, [-1e15, 0.0], -1.0, 1.0, [1e15, 0.0]])
    result = OnTrees(Backup(rule, scale=1.0))(tree, Budget(depth=1))
    assert result.move == children(tree, ROOT)[1]
    assert OnTrees(Backup(rule, scale=1.0))(TinyTree.of([0.0, 1.0, [1e15, 0.0]]), Budget(depth=1)).move == 2


# Limits.


def by_minimax(values, ours):
    return max(values)


@pytest.mark.parametrize(
    "rule",
    ["m-and-n, m=1, n=1", "m-and-n, bonus=0", "error, s=1", "reasonable, threshold=0", "reasonable, temperature=1e-12"],
)
def test_each_rule_has_a_setting_in_which_it_is_minimax(rule):
    check(by_minimax, registry.searches().of(f"backup(rule={rule}, scale={SCALE})"), dice_trees(25), DiceTree)


def test_the_mean_of_high_powers_is_minimax():
    check(by_minimax, Backup("pmean", p=1e7, scale=SCALE), tiny_games.some_trees(40), tolerance=1e-5)


def test_the_opponent_who_always_errs_and_the_player_without_reason_move_at_random():
    def random_opponent(values, ours):
        return max(values) if ours else float(np.mean(values))

    def random_play(values, ours):
        return float(np.mean(values))

    check(random_opponent, Backup("error", s=0.0, scale=SCALE), tiny_games.some_trees(40))
    check(random_play, Backup("reasonable", temperature=1e15, scale=SCALE), tiny_games.some_trees(40))


def test_the_slopes_of_the_power_mean_are_its_derivatives():
    source = np.random.default_rng(1)
    for p in (-20.0, -2.0, -1.0, 0.5, 1.0, 3.0, 20.0):
        for n in (1, 2, 5):
            values, step = source.uniform(0.1, 2.1, n), 1e-6
            mean = power_mean(values, n, p)
            assert mean == pytest.approx(np.mean(values**p) ** (1 / p))
            for i in range(n):
                more, less = values.copy(), values.copy()
                more[i] += step
                less[i] -= step
                numerical = (power_mean(more, n, p) - power_mean(less, n, p)) / (2 * step)
                assert power_mean_slope(values[i], mean, n, p) == pytest.approx(numerical, rel=1e-4, abs=1e-8)


def test_of_equal_minimax_values_the_power_mean_prefers_the_more_stable_move():
    """Both moves are worth 1 by minimax; after the second one more replies of the opponent are as good for him."""
    tree = TinyTree.of([0.0, [0.0, [1.0, 0.0], [9.0, 0.0], [9.0, 0.0]], [0.0, [1.0, 0.0], [1.0, 0.0], [9.0, 0.0]]])
    assert oracles.move_values(tree, ROOT, 2) == [1, 1]
    one, other = OnTrees(Backup("pmean", scale=SCALE))(tree, Budget(depth=2)).children
    assert one.value > other.value


# Chance.


def by_worth(tree, node):
    return oracles.worth(tree, node)


@pytest.mark.parametrize(("rule", "star"), [("minimax", 0), ("expectimax", 1), ("expectimax", 2)])
def test_expectimax_averages_where_chance_decides_with_and_without_pruning(rule, star, monkeypatch):
    monkeypatch.setattr(tiny_games.TreeValues, "lowest", -500.0)
    monkeypatch.setattr(tiny_games.TreeValues, "highest", 499.0)
    search, whole = OnTrees(Backup(rule, star=star), kind=DiceTree), OnTrees(Backup(rule), kind=DiceTree)
    saved = 0
    for tree in dice_trees(40):
        for depth in range(1, oracles.height(tree) + 1):
            result = search(tree, Budget(depth=depth))
            expected = slow_moves(by_minimax, tree, depth, by_worth)
            assert result.value == pytest.approx(max(expected), abs=1e-9)
            for child, value in zip(result.children, expected, strict=True):
                assert child.known.low - 1e-9 <= value <= child.known.high + 1e-9
            saved += whole(tree, Budget(depth=depth)).meter.generated > result.meter.generated
    assert (saved > 10) == (star > 0)


@pytest.mark.parametrize("depth", [1, 3, 6, 9])
def test_pig_by_its_equations(depth):
    """Turn by turn, with no word of who is to move where: `points` and `other` are those of the player on turn."""
    target, sides = 5, 3
    game = ludus.game("pig", target=target, sides=sides)
    evaluator = ludus.evaluator("lead").on(game)

    def lead(points, other, hand):
        return min(points + hand, target) - other

    @cache
    def on_turn(points, other, hand, left):
        """The value to the player on turn."""
        if other >= target:
            return float(evaluator.final(game, (points, other, 0, 0)))
        if left == 0:
            return float(lead(points, other, hand))
        held = -on_turn(other, points + hand, 0, left - 1) if hand else -math.inf
        return max(held, rolled(points, other, hand, left - 1))

    @cache
    def rolled(points, other, hand, left):
        """The same while the die falls; a pass of the other is a ply."""
        if left == 0:
            return -float(evaluator.evaluate(game, (other, points, hand, DIE)))
        fails = -on_turn(other, points, 0, left - 1)
        goes_on = [
            on_turn(points, other, hand + face, left - 2) if left > 1 else lead(points, other, hand + face)
            for face in range(2, sides + 1)
        ]
        return (fails + sum(goes_on)) / sides

    session = Session(Backup("expectimax"), game, evaluator, compiled=False)
    for state in ((0, 0, 0), (2, 3, 2), (1, 4, 3), (4, 4, 0), (0, 2, 6)):
        session.run((*state, 0), Budget(depth=depth), seed=0)
        assert session.result((*state, 0), "").value == pytest.approx(on_turn(*state, depth), abs=1e-9)


# What is said of the values.


def test_the_curve_is_that_of_the_calibration_the_option_or_the_roots_moves():
    game, spec = ludus.game("connect4"), "backup(rule=product, depth=1)"
    evaluator = ludus.evaluator("weighted-lines")
    opinions = [-evaluator.on(game).evaluate(game, game.after(game.start, move)) for move in game.legal(game.start)]

    def values(spec, evaluator):
        return [child.value for child in ludus.player(spec, eval=evaluator, compiled=False).choose(game).children]

    typical = math.sqrt(np.mean(np.square(opinions)))
    assert values(spec, evaluator) == pytest.approx([math.tanh(v / typical / 2) for v in opinions])
    assert values("backup(scale=7, depth=1)", evaluator) == pytest.approx([math.tanh(v / 14) for v in opinions])
    fitted = evaluator.calibrated(Calibration(win=np.array([0.5, 0.2])))
    assert values(spec, fitted) == pytest.approx([-math.tanh((0.5 - 0.2 * v) / 2) for v in opinions])


def test_what_is_searched_to_the_end_is_solved_only_if_the_value_is_the_games_result():
    drawn = OnTrees(Backup("product"))(TinyTree.of([0.0, [0.0, 0.0, 0.0]]), Budget(nodes=1000))
    assert (drawn.stopped, drawn.chosen.known.proven) == ("exhausted", False)
    assert drawn.value == pytest.approx(-0.5)
    for rule in ("product", "average", "m-and-n", "minimax"):
        lost = ludus.player(f"backup(rule={rule}, nodes=100000)", compiled=False).choose(ludus.game("nim(stones=5)"))
        assert (lost.stopped, lost.chosen.known.proven, lost.chosen.score) == ("solved", True, -1)


@pytest.mark.parametrize(
    "options",
    [
        {"rule": "product", "star": 1}, {"rule": "expectimax", "star": 3}, {"scale": -1.0}, {"m": 0}, {"bonus": 0.6},
        {"p": 0.0}, {"offset": 1.0}, {"s": 1.1}, {"temperature": -1.0}, {"threshold": -0.1}, {"reach": 0.0},
    ],
)  # fmt: skip
def test_options_out_of_range(options):
    with pytest.raises(ludus.SpecError, match="must be"):
        registry.searches().of("backup", **options)
    with pytest.raises(ludus.SpecError, match="margin must be above 0"):
        registry.searches().of("hybrid", margin=0.0)
