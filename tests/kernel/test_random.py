"""The generator: SplitMix64 by its published numbers, uniform, the same compiled and interpreted."""

import numpy as np
import pytest
from scipy import stats

import ludus
from ludus import Budget
from ludus.kernel.limits import NEEDS_NODES, STOP_EXHAUSTED
from ludus.kernel.random import as_unit, below, mix, next_random, number, seed_for, unit
from ludus.kernel.tree import open_node
from ludus.model.program import Program
from ludus.runtime.runner import Runner

# As Vigna's splitmix64.c prints them.
REFERENCE = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
}
M64 = (1 << 64) - 1


def generator(seed):
    return np.array([seed], np.uint64)


@pytest.fixture(autouse=True)
def modulo_arithmetic():
    with np.errstate(over="ignore"):
        yield


def whole_number_mix(x):
    """The finaliser in Python's whole numbers."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & M64
    return x ^ (x >> 31)


@pytest.mark.parametrize("seed", REFERENCE)
def test_the_numbers_are_those_of_splitmix64(seed):
    random = generator(seed)
    assert [int(next_random(random)) for _ in range(5)] == REFERENCE[seed]


def test_a_long_run_from_a_large_seed_is_arithmetic_modulo_2_to_the_64():
    state = M64 - 5
    random = generator(state)
    for _ in range(2000):
        state = (state + 0x9E3779B97F4A7C15) & M64
        assert int(next_random(random)) == whole_number_mix(state)
    assert int(random[0]) == state


def test_mix_is_the_finaliser():
    for x in (0, 1, 2**63, M64, 0x0123456789ABCDEF):
        assert int(mix(np.uint64(x))) == whole_number_mix(x)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 1000])
def test_below_is_uniform(n):
    random, draws = generator(seed_for(5)), 30_000
    counts = np.bincount([below(random, n) for _ in range(draws)], minlength=n)
    assert len(counts) == n
    if n > 1:
        assert 0.001 < stats.chisquare(counts).pvalue < 0.999


def test_below_keeps_its_bounds_up_to_the_largest_n():
    assert as_python(below(np.array([0], np.uint64), 1)) == 0
    largest, random = 2**32 - 1, generator(1)
    draws = [as_python(below(random, largest)) for _ in range(3000)]
    assert min(draws) >= 0
    assert max(draws) < largest
    assert max(draws) > 0.99 * largest


def as_python(value):
    assert isinstance(value, np.int64)
    return int(value)


def test_unit_is_uniform_in_0_to_1_without_1():
    random = generator(seed_for(6))
    draws = np.array([unit(random) for _ in range(20_000)])
    assert draws.min() >= 0
    assert draws.max() < 1
    assert stats.kstest(draws, "uniform").pvalue > 0.001
    assert as_unit(np.uint64(M64)) == 1 - 2.0**-53
    assert as_unit(np.uint64(0)) == 0


def test_successive_draws_are_independent():
    random = generator(seed_for(7))
    pairs = np.zeros((8, 8), int)
    for _ in range(20_000):
        pairs[below(random, 8), below(random, 8)] += 1
    assert stats.chi2_contingency(pairs).pvalue > 0.001


def test_seeds_from_several_numbers_depend_on_each_and_on_the_order():
    parts = [(), (0,), (0, 0), (1,), (0, 1), (1, 0), (-1,), (2**64 - 2,), (1, 2, 3), (3, 2, 1)]
    seeds = [seed_for(*part) for part in parts]
    assert len(set(seeds)) == len(parts)
    assert all(0 <= seed <= M64 for seed in seeds)
    assert len({seed_for(run, game) for run in range(100) for game in range(100)}) == 10_000


def test_seeds_stay_the_same_from_version_to_version():
    def by_definition(*parts):
        h = 0
        for part in parts:
            h = whole_number_mix((h + 0x9E3779B97F4A7C15 & M64) ^ (part & M64))
        return h

    for parts in ((0,), (0, 1), (7, 2**63, -3)):
        assert seed_for(*parts) == by_definition(*parts)


class Draws(Program):
    """Draws numbers of each kind into arrays of its own."""

    def __init__(self, how_many: int = 500) -> None:
        self.bits = np.zeros(how_many, np.uint64)
        self.wholes = np.zeros(how_many, np.int64)
        self.units = np.zeros(how_many)

    def step(self, game, evaluator, tree, limits):
        if not open_node(game, tree, 0):
            return NEEDS_NODES
        for i in range(self.bits.size):
            self.bits[i] = next_random(tree.random)
            self.wholes[i] = below(tree.random, i + 1)
            self.units[i] = unit(tree.random)
        return STOP_EXHAUSTED


def test_compiled_and_interpreted_draw_the_same_numbers():
    searches = Draws(), Draws()
    for search, compiled in zip(searches, (False, True), strict=True):
        session = Runner(search, ludus.game("nim"), compiled=compiled)
        assert (session.kernel is not None) == compiled
        session.run((21,), Budget(nodes=1), seed=2**64 - 3)
    slow, fast = searches
    assert len(set(slow.bits.tolist())) == 500
    assert (slow.bits == fast.bits).all()
    assert (slow.wholes == fast.wholes).all()
    assert (slow.units == fast.units).all()


def test_a_number_of_a_sequence_is_found_without_those_before_it():
    with np.errstate(over="ignore"):
        random = np.array([12345], np.uint64)
        drawn = [int(next_random(random)) for _ in range(20)]
        assert [int(number(np.uint64(12345), index)) for index in range(1, 21)] == drawn
        assert number(np.uint64(12345), np.arange(1, 21)).tolist() == drawn
