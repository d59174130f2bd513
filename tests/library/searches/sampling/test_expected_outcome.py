"""The exact expected outcome: against fractions, worked out by listing every game that can be played."""

import math
from fractions import Fraction

import pytest

import ludus
from ludus import Budget
from ludus.library.evaluators.expected_outcome import ExpectedOutcome as Opinion
from ludus.library.evaluators.expected_outcome import TooManyGames
from ludus.library.searches.greedy import Greedy
from ludus.library.searches.sampling.expected_outcome import ExpectedOutcome
from tests.support import oracles
from tests.support.tiny_games import DiceTree, OnTrees, TinyTree

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
KINDS = [TinyTree, DiceTree]
PLENTY = Budget(nodes=10**6)
SETTINGS = [("half", "result"), ("ignored", "result"), ("half", "score")]


def small_trees(how_many, kind=TinyTree):
    """Some with many draws, some with none, some with scores."""
    return (kind(seed, depth=1 + seed % 4, values=(3, 2, 7)[seed % 3]) for seed in range(how_many))


def mean_score(game, state):
    return sum(share * Fraction(score) for share, score in oracles.all_games(game, state))


def exact(game, state, draws="half", payoff="result"):
    """The expected outcome of a position to the player to move."""
    if payoff == "score":
        return float(mean_score(game, state))
    return float(oracles.expected_outcome(oracles.chances(game, state), draws))


@MODES
@pytest.mark.parametrize("kind", KINDS)
def test_every_value_is_exact_and_every_game_is_played_once(compiled, kind):
    for draws, payoff in SETTINGS:
        search = OnTrees(ExpectedOutcome(draws, payoff), compiled, kind)
        for tree in small_trees(150, kind):
            result = search(tree, PLENTY)
            assert result.stopped == "exhausted"
            after = [tree.after(tree.start, move) for move in tree.legal(tree.start)]
            values = [-exact(tree, state, draws, payoff) for state in after]
            assert [child.value for child in result.children] == pytest.approx(values, abs=1e-12)
            games = [sum(1 for _ in oracles.all_games(tree, state)) for state in after]
            assert [child.known.more["games"] for child in result.children] == games
            assert result.value == pytest.approx(max(values), abs=1e-12)
            if kind is TinyTree:
                whole = oracles.full_width_counts(tree, 0, 9)
                meter = result.meter
                assert (meter.generated, meter.expanded, meter.evaluated) == (whole.generated, whole.expanded, 0)
                assert meter.traversed == whole.generated + whole.expanded - 1  # down to each, back from inner nodes


def test_figure_4_of_the_thesis_gives_one_half_and_not_two_thirds():
    """N has A and B; below A one lost leaf, below B two won ones."""
    tree = TinyTree.of([0, [0, [0, -1], [0, 1, 1]]])
    assert oracles.chances(tree, (1,)).win == Fraction(1, 2)
    assert OnTrees(ExpectedOutcome())(tree, PLENTY).value == 0.0
    # From a move above, where both leaves are the opponent's: (1 + value) / 2 is the share of games won.
    below = OnTrees(ExpectedOutcome())(TinyTree.of([0, [0, -1], [0, 1, 1]]), PLENTY)
    assert [(1 + child.value) / 2 for child in below.children] == [0, 1]


def test_exact_fractions_on_tictactoe():
    """Random play from the start: the first player wins 737 games of 1260, and draws 8 of 63."""
    start = oracles.chances(ludus.game("tictactoe"), ludus.game("tictactoe").start)
    assert start == (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    result = ludus.player("expected-outcome(nodes=1000000)").choose(ludus.game("tictactoe"))
    assert (result.stopped, result.move_name, result.meter.generated) == ("exhausted", "b2", 549_945)
    assert sum(child.value for child in result.children) / 9 == pytest.approx(float(start.win - start.loss), abs=1e-12)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_beyond_a_limit_on_depth_games_count_as_drawn(depth):
    def value(tree, node, left):
        if not oracles.children(tree, node):
            return math.copysign(1, tree.worth[node]) if tree.worth[node] else 0.0
        below = oracles.children(tree, node)
        return -sum(value(tree, child, left - 1) for child in below) / len(below) if left > 0 else 0.0

    search = OnTrees(ExpectedOutcome())
    for tree in small_trees(60):
        result = search(tree, Budget(depth=depth))
        assert result.stopped == ("exhausted" if oracles.height(tree) <= depth else "depth")
        expected = [-value(tree, child, depth - 1) for child in oracles.children(tree, 0)]
        assert [child.value for child in result.children] == pytest.approx(expected, abs=1e-12)


def test_with_too_few_nodes_a_move_is_exact_or_unknown_and_counts_as_even():
    search = OnTrees(ExpectedOutcome())
    unknown = 0
    for tree in small_trees(60):
        for nodes in (1, 5, 20):
            result = search(tree, Budget(nodes=nodes))
            values = [0.0 if math.isnan(child.value) else child.value for child in result.children]
            assert result.meter.generated <= nodes
            assert values[result.children.index(result.chosen)] == max(values)
            for child, node in zip(result.children, oracles.children(tree, 0), strict=True):
                assert math.isnan(child.value) or child.value == pytest.approx(-exact(tree, (node,)), abs=1e-12)
            unknown += any(math.isnan(child.value) for child in result.children)
    assert unknown > 60


# The evaluator of the same name.


@MODES
@pytest.mark.parametrize("kind", KINDS)
def test_the_opinion_is_exact_too_and_its_plays_are_counted(compiled, kind):
    for draws, payoff in SETTINGS:
        search = OnTrees(Greedy(), compiled, kind, Opinion(draws, payoff).on(kind()))
        for tree in small_trees(100, kind):
            result = search(tree, PLENTY)
            for child, node in zip(result.children, oracles.children(tree, 0), strict=True):
                if tree.legal((node,)):
                    assert child.value == pytest.approx(-exact(tree, (node,), draws, payoff), abs=1e-12)
            if kind is TinyTree:
                assert result.meter.generated == oracles.full_width_counts(tree, 0, 9).generated


def test_too_large_a_game_is_refused_in_one_sentence():
    othello, small = ludus.game("othello"), ludus.game("tictactoe")
    for compiled in (False, True):
        with pytest.raises(TooManyGames, match="choose a smaller game, a later position or a larger most"):
            ludus.player("greedy(eval=expected-outcome(most=1000))", compiled=compiled).choose(othello)
    late = small.position("XO--X---O X")
    games = sum(1 for _ in oracles.all_games(small, late.state))
    assert games == 102
    needed = ludus.player("expected-outcome", compiled=False).choose(small, late.state).meter.generated
    assert late.value(f"expected-outcome(most={needed})") == pytest.approx(exact(small, late.state), abs=1e-12)
    with pytest.raises(TooManyGames):
        late.value(f"expected-outcome(most={needed - 1})")
    evaluator = Opinion(most=needed).on(small)
    assert evaluator.plays(small) >= needed


def test_wrong_parameters_are_refused():
    with pytest.raises(ValueError, match="most must be at least 1"):
        Opinion(most=0)
