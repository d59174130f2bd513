"""Trees with traps and recursive random games: won nodes are won, and every tree comes as often as it should.

Every statistical test has fixed seeds; its level is at most one in a thousand.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import ludus
from ludus.library.games.synthetic import fair
from tests.support.reference_synthetic import all_trees, win_chances
from tests.support.tree_statistics import Censuses, Counted, chi_square_p, z_score

HALF = Fraction(1, 2)
Shapes = list[dict[int, Fraction]]


def trap_shapes(branching: int, depth: int, q: list[Fraction]) -> Shapes:
    """The chances of the numbers of moves at each depth, as the game is defined."""
    inner = [{0: chance, branching: 1 - chance} for chance in q]
    return [{branching: Fraction(1)}, *inner, {0: Fraction(1)}]


def recursive_shapes(f: list[Fraction], depth: int) -> Shapes:
    root = {n: chance / (1 - f[0]) for n, chance in enumerate(f) if n > 0}
    return [root, *[dict(enumerate(f)) for _ in range(depth - 1)], {0: Fraction(1)}]


def text_of(tree: Counted) -> str:
    """A whole tree as `all_trees` writes it."""

    def write(node: int) -> str:
        first, count = int(tree.first[node]), int(tree.count[node])
        if count == 0:
            return "W" if tree.opinion[node] == 1 else "L"
        return "(" + "".join(write(child) for child in range(first, first + count)) + ")"

    return write(0)


CASES = {
    "traps, lost to the mover": (
        {"name": "trap-tree", "branching": 2, "depth": 3, "q": 0.25, "p": 0.5},
        trap_shapes(2, 3, [Fraction(1, 4)] * 2),
        [Fraction(0)] * 3 + [HALF],
    ),
    "traps that may be won, more of them below": (
        {"name": "trap-tree", "branching": 2, "depth": 3, "q": "0.125 0.5", "win": 0.25, "p": 0.75},
        trap_shapes(2, 3, [Fraction(1, 8), HALF]),
        [Fraction(1, 4)] * 3 + [Fraction(3, 4)],
    ),
    "no traps": (
        {"name": "trap-tree", "branching": 3, "depth": 2, "q": 0.0, "p": 0.625},
        trap_shapes(3, 2, [Fraction(0)]),
        [Fraction(0)] * 2 + [Fraction(5, 8)],
    ),
    "recursive": (
        {"name": "recursive-game", "f": "0.25 0.125 0.625", "depth": 2},
        recursive_shapes([Fraction(1, 4), Fraction(1, 8), Fraction(5, 8)], 2),
        [HALF] * 3,
    ),
    "recursive, deeper and uneven": (
        {"name": "recursive-game", "f": "0.5 0.25 0.25", "depth": 3, "win": 0.25},
        recursive_shapes([HALF, Fraction(1, 4), Fraction(1, 4)], 3),
        [Fraction(1, 4)] * 4,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_every_tree_comes_as_often_as_if_shapes_and_leaves_were_drawn_independently(case):
    parameters, shapes, win = CASES[case]
    chances = {tree: float(chance) for tree, chance in all_trees(shapes, win).items()}
    trees = Censuses(evaluator="odds", **parameters)
    seen = Counter(text_of(trees(seed)) for seed in range(2000))
    assert len(seen) > 10
    assert chi_square_p(seen, chances) > 0.001


@pytest.mark.parametrize("case", CASES)
def test_the_chance_of_a_win_at_each_depth_is_that_of_the_recursion(case):
    parameters, shapes, win = CASES[case]
    game = Censuses(evaluator="odds", compiled=False, **parameters).game(0)
    assert np.allclose(game.wins, win_chances(shapes, win), rtol=0, atol=1e-15)
    exact = sum(chance for tree, chance in all_trees(shapes, win).items() if is_won(tree))
    assert abs(game.wins[0] - float(exact)) < 1e-15  # and of all trees there are


def is_won(tree: str) -> bool:
    """Whether the player to move at the root of a written tree wins: read from left to right."""
    stack: list[list[bool]] = [[]]
    for mark in tree:
        if mark == "(":
            stack.append([])
        elif mark == ")":
            children = stack.pop()
            stack[-1].append(not all(children))
        else:
            stack[-1].append(mark == "W")
    return stack[0][0]


GROWN = [
    {"name": "trap-tree", "branching": 2, "depth": 9, "q": 0.1},
    {"name": "trap-tree", "branching": 3, "depth": 6, "q": 0.2, "win": 0.5},
    {"name": "trap-tree", "branching": 4, "depth": 5, "q": "0 0.1 0.2 0.4", "win": 0.5},
    {"name": "trap-tree", "branching": 1, "depth": 5, "q": 0.3},
    {"name": "trap-tree", "branching": 2, "depth": 1},
    {"name": "recursive-game", "f": "0.2 0.2 0.3 0.3", "depth": 6},
    {"name": "recursive-game", "f": "geometric 0.25", "depth": 4, "win": 0.3},
    {"name": "recursive-game", "f": "0 1", "depth": 8},
    {"name": "recursive-game", "f": "0.3 0 0 0.7", "depth": 5, "win": 0.0},
]


@pytest.mark.parametrize("parameters", GROWN)
def test_every_node_knows_whether_it_is_won(parameters):
    trees = Censuses(evaluator="odds", **parameters)
    for seed in range(40):
        tree = trees(seed)
        assert (np.where(tree.column(3) == 1, 1, -1) == tree.minimax).all()
        assert (tree.column(2) == tree.count).all()
        assert (tree.count[tree.column(1) == trees.game(0).depth] == 0).all()


@pytest.mark.parametrize("parameters", [p for p in GROWN if p["depth"] > 1 and p.get("f") != "0 1"])
def test_compiled_and_interpreted_trees_are_the_same(parameters):
    fast, slow = (Censuses(evaluator="odds", compiled=compiled, **parameters) for compiled in (True, False))
    for seed in (0, 3):
        one, other = fast(seed), slow(seed)
        assert (one.opinion == other.opinion).all()
        for element in range(4):
            assert (one.column(element) == other.column(element)).all()


# Shares in larger trees.


@pytest.mark.parametrize("parameters", [GROWN[i] for i in (0, 1, 2, 5, 6)])
def test_shares_of_wins_at_every_depth_and_for_every_number_of_moves(parameters):
    """Of each tree the root, its first child and that one's first child: independent from tree to tree.

    `odds` is the chance of a win, less that of a loss, of nodes with so many moves: counted here among solved nodes.
    """
    trees, n = Censuses(evaluator="odds", **parameters), 400
    won: Counter[tuple[int, int]] = Counter()  # by depth and number of moves
    total: Counter[tuple[int, int]] = Counter()
    odds: dict[tuple[int, int], float] = {}
    for seed in range(n):
        tree, node = trees(seed), 0
        for depth in (0, 1, 2):
            kind = depth, int(tree.count[node])
            total[kind] += 1
            won[kind] += int(tree.minimax[node] == 1)
            if tree.count[node] == 0:
                break
            odds[kind] = tree.opinion[node]
            node = int(tree.first[node])
    for depth, chance in enumerate(trees.game(0).wins[:3]):
        counts = (sum(count for kind, count in counter.items() if kind[0] == depth) for counter in (won, total))
        assert abs(z_score(*counts, chance)) < 3.3
    tested = 0
    for kind, opinion in odds.items():
        chance = (opinion + 1) / 2
        if total[kind] * min(chance, 1 - chance) >= 5:
            tested += 1
            assert abs(z_score(won[kind], total[kind], chance)) < 3.5
    assert tested >= 3


def test_the_number_of_moves_is_geometric():
    trees = Censuses("recursive-game", "odds", f="geometric 0.25", depth=3)
    counts: Counter[int] = Counter()
    for seed in range(400):
        tree = trees(seed)
        counts.update(tree.count[tree.column(1) == 1].tolist())
    most = trees.game(0).max_moves
    assert chi_square_p(counts, {n: 0.25 * 0.75**n / (1 - 0.75 ** (most + 1)) for n in range(most + 1)}) > 0.001
    assert 0.75**most < 2**-52


# Theory.


@pytest.mark.parametrize("branching", [2, 3, 5, 10])
def test_the_critical_density_of_traps(branching):
    """At q_c as printed, with traps lost to the player to move, the recursion of the chance of a win has slope -1.

    Above it, deep trees come to the same chance whatever the leaves are; below it a small difference grows.
    """
    critical = 1 - (1 + branching) ** (1 - 1 / branching) / branching
    x = fair(branching, critical)
    assert abs((1 - critical) * branching * x ** (branching - 1) - 1) < 1e-12
    for q, settles in ((critical + 0.02, True), (critical - 0.02, False)):
        chances = [
            ludus.game("trap-tree", branching=branching, depth=1000, q=q, p=fair(branching, q) + shift).wins[1]
            for shift in (-0.01, 0.01)
        ]
        if settles:
            assert np.allclose(chances, fair(branching, q), rtol=0, atol=1e-6)
        else:
            assert abs(chances[0] - chances[1]) > 0.1
    # If traps were won or lost with equal chances the slope at that density would be another.
    x = fair(branching, critical, 0.5)
    assert abs((1 - critical) * branching * x ** (branching - 1) - 1) > 0.01


@pytest.mark.parametrize("win", [0.0, 0.5, 1.0])
def test_fair_leaves_keep_the_chance_of_a_win(win):
    game = ludus.game("trap-tree", branching=3, depth=9, q=0.05, win=win)
    assert np.allclose(game.wins[1:], fair(3, 0.05, win), rtol=0, atol=1e-12)


def test_a_recursive_game_with_one_number_of_moves_is_a_tree_with_traps():
    """The same seed even gives the same tree."""
    traps = ludus.game("trap-tree", branching=3, depth=20, q=0.1, win=0.5, p=0.5, seed=5)
    recursive = ludus.game("recursive-game", f="0.1 0 0 0.9", depth=20, seed=5)
    assert np.allclose(traps.wins, recursive.wins, rtol=0, atol=1e-12)
    chance = random.Random(1)
    for _ in range(200):
        one, other = traps.start, recursive.start
        while True:
            assert one == other
            if one[2] == 0:
                break
            move = chance.randrange(3)
            one, other = traps.after(one, move), recursive.after(other, move)


# Golden values, parameters, states.


def test_golden_values():
    """A change of the generator changes every experiment: these must not move."""
    assert ludus.game("trap-tree", seed=7).position().play(2).play(1).text == "11337600362576013712 2 3 0"
    assert ludus.game("recursive-game", seed=7).position().play(2).play(1).text == "11337600362576013712 2 17 1"
    won = [ludus.game("trap-tree", seed=seed).start[3] for seed in range(12)]
    assert won == [1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1]
    moves = [ludus.game("recursive-game", seed=seed).start[2] for seed in range(12)]
    assert moves == [13, 7, 2, 2, 1, 14, 12, 9, 1, 15, 3, 24]


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("trap-tree", {"branching": 0}, "branching must be from 1 to 1000"),
        ("trap-tree", {"depth": 1001}, "depth must be from 1 to 1000"),
        ("trap-tree", {"seed": -1}, "seed must be 0 or above"),
        ("trap-tree", {"q": 1.0}, "q must be from 0 to below 1"),
        ("trap-tree", {"q": "0.1 0.2"}, "q must be given once, or 15 times with spaces between, not 2 times"),
        ("trap-tree", {"win": 2}, "win must be from 0 to 1"),
        ("trap-tree", {"p": -0.5}, "p must be from 0 to 1"),
        ("trap-tree", {"p": "foul"}, "p must be a number"),
        ("recursive-game", {"depth": 0}, "depth must be from 1 to 1000"),
        ("recursive-game", {"f": "0.5 0.6"}, "f must be probabilities that sum to 1"),
        ("recursive-game", {"f": "1.5 -0.5"}, "f must be probabilities that sum to 1"),
        ("recursive-game", {"f": "1 0 0"}, "allow for some moves"),
        ("recursive-game", {"f": "0.5"}, "f must be the probabilities of 0, 1, 2 ... moves"),
        ("recursive-game", {"f": "geometric"}, "or geometric and f_0"),
        ("recursive-game", {"f": "geometric 0"}, "f_0 must be from 0.05 to 0.95"),
        ("recursive-game", {"f": "geometric many"}, "f_0 must be a number"),
    ],
)
def test_parameters_out_of_range(name, parameters, message):
    with pytest.raises(ludus.SpecError, match=message):
        ludus.game(name, **parameters)


@pytest.mark.parametrize("text", ["1 17 0 0", "1 16 3 0", "1 -1 3 0", "1 3 2 0", "1 3 3 2"])
def test_states_that_no_game_comes_to(text):
    with pytest.raises(ludus.StateError, match="its numbers are out of range"):
        ludus.game("trap-tree").read_state(text)
