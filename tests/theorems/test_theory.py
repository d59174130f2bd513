"""Formulas against enumeration for small sizes; and the rows of `ludus theory`, right and wrong ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import ludus
from ludus.theorems import splitting as s
from ludus.theorems.convergence import integer_limit
from ludus.theorems.quantiles import above, agree, optimal_by_share, score
from ludus.theorems.rows import of_bound, of_mean, of_share
from ludus.theorems.theory import PARTS, Theory, theory
from ludus.theorems.traps import slope_at, win_chance
from ludus.theorems.trees import at_most, expected, limit, sampled_roots
from tests.support.commands import assert_refused, run


def all_trees(b, d, values):
    """Every assignment of values to the leaves."""
    return np.array(list(product(values, repeat=b**d)))


def minimax(leaves, b, maximise):
    """The obvious definition, from the root on."""
    if len(leaves) == 1:
        return leaves[0]
    size = len(leaves) // b
    below = [minimax(leaves[i * size : (i + 1) * size], b, not maximise) for i in range(b)]
    return max(below) if maximise else min(below)


@pytest.mark.parametrize(("b", "d"), [(2, 1), (2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("max_last", [True, False])
def test_roots_of_all_trees(b, d, max_last):
    """Leaves 0 and 1 with probability of a 0 of 2/5: the distribution of the root, exactly."""
    trees = all_trees(b, d, (0, 1))
    found = sampled_roots(trees, b, d, max_last)
    max_first = max_last == (d % 2 == 1)
    assert found.tolist() == [minimax(tree.tolist(), b, max_first) for tree in trees]
    zero = Fraction(2, 5)
    chance = sum(zero ** int((tree == 0).sum()) * (1 - zero) ** int(tree.sum()) for tree in trees[found == 0])
    assert at_most(zero, b, d, max_last) == chance


def test_expected_roots():
    """The larger of two uniform numbers is 2/3 on average; the smaller of two such is 7/15."""
    assert expected(2, 1, True) == pytest.approx(2 / 3, abs=1e-5)
    assert expected(2, 2, False) == pytest.approx(7 / 15, abs=1e-5)


@pytest.mark.parametrize("b", [2, 3, 10, 50])
def test_limits_are_fixed_points(b):
    for max_last in (True, False):
        x = limit(b, max_last)
        assert at_most(x, b, 2, max_last) == pytest.approx(x)
        assert at_most(x + 0.01, b, 200, max_last) == pytest.approx(1)
        assert at_most(x - 0.01, b, 200, max_last) == pytest.approx(0)
    assert limit(2, True) == pytest.approx((5**0.5 - 1) / 2)


def test_whole_numbers():
    assert integer_limit(0, 100, 2, False) == 38
    assert integer_limit(1, 100, 2, False) == 39


def test_quantiles():
    assert score(2) == pytest.approx(0.3003, abs=1e-4)
    assert above(2, 4, (0.0, 1.0), (0.0, 1.0)) == pytest.approx(0.5, abs=1e-3)
    assert agree(2, (1.0, 1.0), (0.0, 2.0))
    assert not agree(50, (1.0, 1.0), (0.0, 2.0))
    trees = all_trees(2, 1, (0, 1))
    roots = sampled_roots(trees, 2, 1, True)

    def chance(p, tree):
        return p ** int(tree.sum()) * (1 - p) ** (2 - int(tree.sum()))

    one, other = Fraction(1, 2), Fraction(1, 4)
    optimal = sum(
        chance(one, tree) * chance(other, against)
        for tree, won in zip(trees, roots, strict=True)
        for against, also in zip(trees, roots, strict=True)
        if won >= also
    )
    assert optimal_by_share(0.5, 0.25, 2, 1) == pytest.approx(float(optimal))


@pytest.mark.parametrize("size", [2, 3])
def test_traps_on_all_boards(size):
    p = 0.3
    boards = s.all_boards(size)
    weights = np.array([p ** board.sum() * (1 - p) ** (size * size - board.sum()) for board in boards])
    assert weights.sum() == pytest.approx(1)

    def share(is_so):
        return sum(weight for board, weight in zip(boards.tolist(), weights, strict=True) if is_so(board))

    places = range(size)
    rows = share(lambda board: any(all(row) for row in board))
    columns = share(lambda board: any(not any(row[i] for row in board) for i in places))
    assert s.row_trap(size, p) == pytest.approx(rows)
    assert s.column_trap(size, p) == pytest.approx(columns)
    assert s.diagonal_trap(size, p) == pytest.approx(share(lambda board: all(board[i][i] for i in places)))
    any_trap = share(
        lambda board: (
            any(all(row) for row in board)
            or any(not any(row[i] for row in board) for i in places)
            or all(board[i][i] for i in places)
        )
    )
    assert s.trap_density(size, p) == pytest.approx(any_trap)


@pytest.mark.parametrize(("b", "size"), [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_errors_by_enumeration(b, size):
    """All choices among B boards, told apart by whether they are traps and by their 1's: E(R) and E(N), exactly."""
    p = Fraction(2, 5)
    kinds: dict[tuple[bool, int], Fraction] = {}
    for board in s.all_boards(size).tolist():
        ones = sum(map(sum, board))
        kind = any(all(row) for row in board), ones
        kinds[kind] = kinds.get(kind, Fraction(0)) + p**ones * (1 - p) ** (size * size - ones)
    by_chance = by_ones = Fraction(0)
    for chosen in product(kinds.items(), repeat=b):
        weight = Fraction(1)
        for _, each in chosen:
            weight *= each
        traps = [ones for (trap, ones), _ in chosen if trap]
        others = [ones for (trap, ones), _ in chosen if not trap]
        if traps and others:
            by_chance += weight * Fraction(len(others), b)
            by_ones += weight * (max(others) > max(traps))
    assert s.error_random(b, size, 0.4) == pytest.approx(float(by_chance))
    assert s.error_ones(b, size, 0.4) == pytest.approx(float(by_ones), abs=1e-12)
    assert (by_ones == 0) == (size == 2)


def test_printed_formulas_that_are_wrong():
    """What the paper prints is not what follows from its definitions; where it is not, is known."""
    p = s.fair_p(2)
    assert s.error_ones_printed(2, 4, p) < s.error_ones(2, 4, p) / 5
    assert s.upper_printed(2, 8, p) < s.error_ones(2, 8, p)
    assert s.lower_printed(2, 2, p) > s.error_ones(2, 2, p) == 0
    assert s.lower_end_printed(2, p) > 10 * s.lower_printed(2, 2, p)
    assert s.side_printed(2, 5, 4) != s.side(2, 5, 4) == 8
    assert s.missed_at_root(0.5, 2, 2) == 1 - (1 - 0.5**2) ** 2
    assert s.missed_at_root(0.5, 2, 0) == 0.5


@pytest.mark.parametrize("b", [2, 3, 5])
def test_the_critical_density(b):
    """Below it differences between the leaves' chances grow from level to level, above it they vanish."""
    critical = s.critical_density(b)
    assert slope_at(critical, b) == pytest.approx(-1)
    for q, grows in ((critical - 0.03, True), (critical + 0.03, False)):
        one, other, odd = win_chance(b, q, 1000, 0.5), win_chance(b, q, 1000, 0.9), win_chance(b, q, 1001, 0.5)
        assert (abs(slope_at(q, b)) > 1) == grows
        assert (abs(one - odd) > 0.01) == grows  # even and odd depths
        assert grows or one == pytest.approx(other)


def test_rows_can_disagree():
    hits = np.arange(1000) % 4 == 0
    assert of_share("a quarter", 0.25, hits).agrees
    assert not of_share("a third", 0.35, hits).agrees
    assert of_bound("above", 0.3, hits, True, "printed").agrees
    assert not of_bound("above", 0.2, hits, True, "printed").agrees
    assert not of_bound("below", 0.3, hits, False, "printed").agrees
    assert not of_mean("mean", 1.0, hits).agrees


@pytest.fixture(scope="module")
def found():
    return theory(trials=1000)


def test_all_that_is_derived_agrees(found):
    assert [row.what for row in found.rows if row.source == "derived" and not row.agrees] == []
    assert {each.part.name for each in found.parts} == set(PARTS)


def test_what_is_printed_wrongly_is_named(found):
    wrong = {row.what for row in found.rows if row.source == "printed" and not row.agrees}
    assert "xi_2" in wrong
    assert "root on whole numbers 0 to 100, b=2, MIN last" in wrong
    assert "a column of 0's, B=3 S=3" in wrong
    assert "E(LB) at the end, S=B=3" in wrong
    assert "E(R), B=2 S=4" not in wrong
    assert "a row of 1's, B=2 S=2" not in wrong


def test_saved_and_printed(found, tmp_path):
    few = Theory(found.parts[1:3], found.seed, found.trials)
    few.save(tmp_path / "some")
    assert sorted(path.name for path in (tmp_path / "some").iterdir()) == ["last-player.svg", "quantiles.svg"]
    few.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().count("<svg") == 2
    with pytest.raises(ludus.LudusError, match="name one part"):
        found.save(tmp_path / "one.svg")
    assert all(len(line) <= 100 for line in found.text(100).splitlines())


def test_the_command():
    found = run("theory", "last-player", "--trials", 400, "--json").json
    assert set(found["rows"][0]) == {
        *("part", "what", "formula", "simulated", "low", "high", "agrees", "source", "note"),
    }
    assert run("theory", "last-player", "--trials", 400, "--json").json == found
    assert_refused(run("theory", "luck"), "unknown part 'luck'", "convergence")
    assert_refused(run("theory", "-o", "x.doc"), "must end in")
