"""The evaluators of Othello against the thesis's figures and against slow counting."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludus
from ludus.library.evaluators.othello import WEIGHTS
from ludus.model.evaluator import WIN
from tests.support.reference_othello import OTHER, SlowOthello

# Figures 9 and 10 of Abramson 1987: the weights of set A. Two numbers: the corner next to it is occupied, vacant.
FIGURES = {
    8: """  64    5,-30   10  5  5  10   5,-30   64
      5,-30 -2,-40   -3 -3 -3  -3  -2,-40  5,-30
         10     -3    2  1  1   2      -3     10
          5     -3    1  1  1   1      -3      5
          5     -3    1  1  1   1      -3      5
         10     -3    2  1  1   2      -3     10
      5,-30 -2,-40   -3 -3 -3  -3  -2,-40  5,-30
         64  5,-30   10  5  5  10   5,-30     64""",
    6: """  64    5,-30   10  10   5,-30   64
      5,-30 -2,-40   -3  -3  -2,-40  5,-30
         10     -3    2   2      -3     10
         10     -3    2   2      -3     10
      5,-30 -2,-40   -3  -3  -2,-40  5,-30
         64  5,-30   10  10   5,-30     64""",
    4: """  64    5,-30   5,-30   64
      5,-30 -2,-40  -2,-40  5,-30
      5,-30 -2,-40  -2,-40  5,-30
         64  5,-30   5,-30   64""",
}
# Set M of Table 2 differs from A in classes 6, 7 and 10, whose weights in A are these.
AS_IN_M = {-3: 2, 2: 5, -2: 5}


def figure(size: int, weights: str) -> dict[tuple[int, int], tuple[int, int]]:
    """For each square its weight with the nearest corner occupied, and vacant."""
    found = {}
    for row, line in enumerate(FIGURES[size].splitlines()):
        for column, cell in enumerate(line.split()):
            numbers = [int(number) for number in cell.split(",")]
            numbers = numbers if weights == "A" else [AS_IN_M.get(number, number) for number in numbers]
            found[row, column] = numbers[0], numbers[-1]
    assert len(found) == size * size
    return found


def value(size: int, evaluator: str, discs: dict[tuple[int, int], str], mover: str = "X") -> float:
    """The static value of any board, finished or not, interpreted."""
    game = ludus.game("othello", size=size)
    state = game.parse_state(SlowOthello(size, discs, mover).text)
    with np.errstate(over="ignore"):
        return float(ludus.evaluator(evaluator).on(game).evaluate(game, state))


def corner_of(size: int, square: tuple[int, int]) -> tuple[int, int]:
    row, column = square
    return (0 if row < size / 2 else size - 1, 0 if column < size / 2 else size - 1)


@pytest.mark.parametrize("weights", ["A", "M"])
@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_weight_of_each_square(size, weights):
    evaluator = f"weighted-squares(weights={weights})"
    for square, (occupied, vacant) in figure(size, weights).items():
        assert value(size, evaluator, {square: "X"}) == vacant
        assert value(size, evaluator, {square: "O"}) == -vacant
        assert value(size, evaluator, {square: "X"}, mover="O") == -vacant
        corner = corner_of(size, square)
        if square != corner:
            for owner, sign in (("X", 1), ("O", -1)):  # whoever has the corner
                assert value(size, evaluator, {square: "X", corner: owner}) == occupied + 64 * sign
            others = {(r, c): "X" for r in (0, size - 1) for c in (0, size - 1) if (r, c) != corner}
            assert value(size, evaluator, others | {square: "X"}) == vacant + 3 * 64  # the other corners do not matter


# Table 2, read down its columns.
TABLE_2 = """
1   64  64  33.57  56.16  56.77
2  -30 -30  -4.83  -7.38  -5.59
3  -40 -40  -3.23  -6.20 -36.46
4   10  10   3.84   6.63   5.88
5    5   5   3.00   4.19   4.73
6    2  -3   1.79   3.13   2.75
7    5   2   2.10   3.38   2.43
8    1   1   1.00   1.00   1.00
9    5   5  10.77  13.40  17.54
10   5  -2   1.62   3.87   1.67
"""
# A square of each class, by Figure 7, and what must lie on a1: nothing, or a disc of either side.
EXAMPLES = {1: "a1", 2: "b1", 3: "b2", 4: "c1", 5: "d1", 6: "c2", 7: "c3", 8: "d3", 9: "b1", 10: "b2"}


@pytest.mark.parametrize(("column", "weights"), list(enumerate(["M", "A", "L1", "L2", "L3"], start=1)))
def test_table_2(column, weights):
    evaluator, rows = f"weighted-squares(weights={weights})", [line.split() for line in TABLE_2.strip().splitlines()]
    corner = float(rows[0][column])
    assert len(WEIGHTS[weights]) == len(rows) == 10
    for row in rows:
        number, weight = int(row[0]), float(row[column])
        name = EXAMPLES[number]
        square = int(name[1]) - 1, "abcdefgh".index(name[0])
        if number <= 8:
            assert value(8, evaluator, {square: "X"}) == weight
        else:
            found = value(8, evaluator, {square: "X", (0, 0): "X"})
            assert found == pytest.approx(corner + weight, abs=1e-12)


SYMMETRIES = [
    lambda r, c, n: (r, c),
    lambda r, c, n: (r, n - c),
    lambda r, c, n: (n - r, c),
    lambda r, c, n: (n - r, n - c),
    lambda r, c, n: (c, r),
    lambda r, c, n: (c, n - r),
    lambda r, c, n: (n - c, r),
    lambda r, c, n: (n - c, n - r),
]
EVALUATORS = ["discs", "mobility", "mobility(corner=2.5)", *(f"weighted-squares(weights={name})" for name in WEIGHTS)]


def random_boards(size: int, count: int) -> list[SlowOthello]:
    """Positions of random games, and boards filled at random."""
    chance, found = random.Random(size), []
    while len(found) < count:
        slow = SlowOthello(size)
        for _ in range(chance.randrange(size * size)):
            slow = slow.play(chance.choice(slow.moves())) if slow.moves() else slow
        found.append(slow)
        text = "".join(chance.choices("XO-", k=size * size)) + " X"
        found.append(SlowOthello.read(text))
    return found


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("size", [4, 6, 8])
def test_both_players_and_all_symmetries_are_alike(size, evaluator):
    values = set()
    for slow in random_boards(size, 8):
        here = value(size, evaluator, slow.discs, slow.mover)
        swapped = {square: OTHER[mark] for square, mark in slow.discs.items()}
        # Sums of weights with two decimals, in another order.
        assert value(size, evaluator, slow.discs, OTHER[slow.mover]) == pytest.approx(-here, abs=1e-9)
        assert value(size, evaluator, swapped, OTHER[slow.mover]) == here
        for symmetry in SYMMETRIES:
            turned = {symmetry(*square, size - 1): mark for square, mark in slow.discs.items()}
            assert value(size, evaluator, turned, slow.mover) == pytest.approx(here, abs=1e-9)
        values.add(here)
    assert len(values) > 4


@pytest.mark.parametrize("size", [4, 6, 8])
def test_discs_and_mobility_against_slow_counting(size):
    for slow in random_boards(size, 12):
        mine, theirs = slow.mover, OTHER[slow.mover]
        assert value(size, "discs", slow.discs, mine) == slow.count(mine) - slow.count(theirs)
        moves = len(slow.squares(mine)) - len(slow.squares(theirs))
        corners = [slow.discs.get((r, c)) for r in (0, size - 1) for c in (0, size - 1)]
        lead = corners.count(mine) - corners.count(theirs)
        assert value(size, "mobility", slow.discs, mine) == moves + 10 * lead
        assert value(size, "mobility(corner=0.5)", slow.discs, mine) == moves + 0.5 * lead


@pytest.mark.slow
@pytest.mark.parametrize("evaluator", ["discs", "mobility", "weighted-squares", "weighted-squares(weights=L3)"])
def test_compiled_and_interpreted_agree(evaluator):
    game = ludus.game("othello", size=6)
    position = game.position("-XXO---OXO--XXXXO--OXXX---OXO--X---- X")
    fast, slow = (
        ludus.player(f"greedy(eval={evaluator})", compiled=compiled).choose(game, position)
        for compiled in (True, False)
    )
    assert [child.value for child in fast.children] == [child.value for child in slow.children]
    expected = [-position.play(move).value(evaluator) for move in position.moves]
    assert [child.value for child in fast.children] == expected
    assert len(set(expected)) > 1


def test_any_win_outranks_any_opinion():
    for size in (4, 6, 8):
        full = {(r, c): "X" for r in range(size) for c in range(size)}
        for evaluator in EVALUATORS:
            assert abs(value(size, evaluator, full)) < WIN
        assert ludus.game("othello", size=size).position("X" * size**2 + " O").value("discs") == -WIN * size**2


def test_only_for_othello():
    with pytest.raises(ludus.LudusError, match="weighted-squares is for othello, not for nim"):
        ludus.game("nim").position().value("weighted-squares")
    with pytest.raises(ludus.SpecError, match="must be one of M, A, L1, L2, L3, or ten numbers"):
        ludus.evaluator("weighted-squares", weights="B")
