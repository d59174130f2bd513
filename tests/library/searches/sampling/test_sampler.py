"""The sampler against a slow one, number for number, and against exact expected outcomes, by the laws of chance."""

import math
from fractions import Fraction

import numpy as np
import pytest

import ludus
from ludus import Budget
from ludus.library.searches.sampling.sampler import Sampler
from ludus.runtime.session import Session
from tests.support import oracles, tiny_games
from tests.support.oracles import ROOT
from tests.support.reference_sampling import slow_sampler
from tests.support.tiny_games import OnTrees, TinyTree

MODES = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])
WEAK = (8, 256, (Fraction(1, 20),), "ignored")
STRONG = (16, 1024, tuple(Fraction(games, 1024) for games in (0, 16, 24, 20, 18, 9)), "ignored")
PLENTY = Budget(nodes=10**7)


def small_trees(how_many):
    """Trees of won, drawn and lost games, some without draws."""
    return (TinyTree(seed, depth=1 + seed % 4, values=3 if seed % 3 else 2) for seed in range(how_many))


def check_against_slow(tree, result, moves, generated, draws):
    assert result.meter.generated == generated
    assert [child.known.more["playouts"] for child in result.children] == [len(move.results) for move in moves]
    for child, move in zip(result.children, moves, strict=True):
        if move.is_over and move.tried:
            assert child.value == -np.sign(tree.score(move.state))
        else:
            assert repr(child.value) == repr(move.value(draws) + 0.0)
    assert result.meter.expanded == 1 + sum(len(move.results) for move in moves)
    assert result.meter.evaluated == sum(move.is_over and move.tried for move in moves)
    known = [0.0 if math.isnan(child.value) else child.value for child in result.children]
    assert known[result.children.index(result.chosen)] == max(known), "the best; what was not tried counts as even"
    best = [
        (child.known.proven, child) for child, value in zip(result.children, known, strict=True) if value == max(known)
    ]
    if max(known) >= 0 and any(certain for certain, _ in best):
        assert result.chosen.known.proven, "of equals one that ends the game, unless it is lost"
    elif max(known) < 0 and not all(certain for certain, _ in best):
        assert not result.chosen.known.proven
    assert result.line == [result.move]


@MODES
@pytest.mark.parametrize(("setting", "rule"), [("weak", WEAK), ("strong", STRONG)])
def test_every_number_is_that_of_the_slow_sampler(compiled, setting, rule):
    search = OnTrees(Sampler(setting), compiled)
    playouts = set()
    for seed, tree in enumerate(small_trees(60)):
        result = search(tree, PLENTY, seed)
        assert result.stopped == "sure"
        moves, generated = slow_sampler(tree, (ROOT,), seed, rule)
        check_against_slow(tree, result, moves, generated, rule[3])
        playouts |= {len(move.results) for move in moves}
    assert {0, rule[0] * 2, rule[0] * 4} <= playouts


@MODES
@pytest.mark.parametrize("draws", ["half", "ignored"])
def test_under_a_budget_the_moves_are_about_equally_well_known(compiled, draws):
    search = OnTrees(Sampler("weak", draws=draws), compiled)
    rule = (*WEAK[:3], draws)
    for seed, tree in enumerate(small_trees(60)):
        for nodes in (1, 2, 7, 40, 150):
            result = search(tree, Budget(nodes=nodes), seed)
            moves, generated = slow_sampler(tree, (ROOT,), seed, rule, nodes)
            check_against_slow(tree, result, moves, generated, draws)
            assert result.stopped == ("nodes" if any(not move.settled for move in moves) else "sure")
            counts = [len(move.results) for move in moves if not move.settled]
            assert not counts or max(counts) - min(counts) <= 1


def test_a_move_that_ends_the_game_is_worth_its_score_and_needs_no_playout():
    result = ludus.player("sampler", compiled=False).choose(ludus.game("tictactoe"), state_of("XX-OO---- X"))
    won = result.children[0]
    assert (won.name, won.value, won.known.more) == ("c1", 1, {"playouts": 0})
    assert (result.move_name, result.stopped) == ("c1", "sure")


def state_of(text):
    return ludus.game("tictactoe").read_state(text)


# The laws of chance. Seeds are fixed, so these tests always give the same; 3.9 standard errors are 1 in 10,000.

POSITIONS = ["--------- X", "X---O---- X", "XOX-O---- X", "XOXXO-O-- X", "XO-OX---- X"]


def z_score(found, mean, variance):
    """How many standard errors the mean of what was found is from what it should be."""
    return (np.mean(found) - float(mean)) / math.sqrt(float(variance) / len(found))


@pytest.mark.parametrize("text", POSITIONS)
def test_with_a_fixed_number_of_samples_mean_and_spread_are_exact(text):
    game, state, n, runs = ludus.game("tictactoe"), state_of(text), 8, 800
    session = Session(Sampler(first=n, most=n, draws="half"), game, ludus.evaluator("zero"), compiled=True)
    values = []
    for seed in range(runs):
        session.run(state, PLENTY, seed)
        record = session.tree.record
        values.append([-float(record.value[node]) for node in range(1, 1 + int(record.count[0]))])
    for move, found in zip(game.legal(state), np.transpose(values), strict=True):
        after = game.after(state, move)
        if not game.legal(after):
            continue
        chance = oracles.chances(game, after)
        mean = -oracles.expected_outcome(chance)
        variance = (chance.win + chance.loss - mean**2) / n
        if variance == 0:
            assert set(found) == {float(mean)}
            continue
        assert abs(z_score(found, mean, variance)) < 3.9
        # The squared deviation has this mean too; its own spread is taken from what was found.
        squares = (found - float(mean)) ** 2
        assert abs(z_score(squares, variance, squares.var())) < 3.9


@pytest.mark.parametrize(("setting", "bound"), [("weak", 3.9), ("strong", 3.9)])
def test_published_settings_are_near_the_exact_outcome(setting, bound):
    """Stopping early may bias an estimate a little; in a position that is alike for both sides it cannot."""
    game = TinyTree.of([0, [0, [0, [0, 1, -1], [0, -1, 1]], [0, 1, -1]]])
    session = Session(Sampler(setting), game, tiny_games.TreeValues(), compiled=False)
    found = []
    for seed in range(400):
        assert session.run(game.start, PLENTY, seed) == "sure"
        found.append(float(session.tree.record.value[1]))
    assert oracles.expected_outcome(oracles.chances(game, (1,))) == 0
    assert abs(z_score(found, 0, np.var(found))) < bound
    assert 0 < np.var(found) < 1 / {"weak": 16, "strong": 32}[setting], "no more than with the fewest samples"


def test_the_better_move_is_found_as_often_as_the_binomial_law_says():
    """Two moves, of which random play wins 3/4 and 1/4: with n samples each, the first is behind with known chance."""
    lost, won = [0, [0, -1], [0, -1], [0, -1], [0, 1]], [0, [0, 1], [0, 1], [0, 1], [0, -1]]
    tree = TinyTree.of([0, lost, won])  # to the player at the root: 3/4 and 1/4, after two more plies
    n, runs = 4, 1000
    weights = [math.comb(n, k) * 0.75**k * 0.25 ** (n - k) for k in range(n + 1)]
    behind = sum(weights[a] * weights[n - b] for a in range(n + 1) for b in range(n + 1) if b > a)
    search = OnTrees(Sampler(first=n, most=n))
    wrong = sum(search(tree, PLENTY, seed).move == 2 for seed in range(runs))
    assert abs(wrong - runs * behind) < 3.9 * math.sqrt(runs * behind * (1 - behind))
