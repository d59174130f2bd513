"""Randomness for kernels: a generator state that is passed in, never a global.

The generator is SplitMix64 (Steele, Lea & Flood 2014): the state is one `uint64` in an array, a step
adds the golden gamma, and `mix` scrambles it. Compiled and interpreted runs draw the same numbers
(interpreted ones under `np.errstate(over="ignore")`, since the arithmetic is modulo 2^64).
"""

import numpy as np

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
S11 = np.uint64(11)
UNIT = 1.0 / (1 << 53)


def mix(x):
    """Scramble 64 bits (the finaliser of SplitMix64): a bijection with good avalanche."""
    x = (x ^ (x >> S30)) * FIRST
    x = (x ^ (x >> S27)) * SECOND
    return x ^ (x >> S31)


def number(key, index):
    """The number at `index` of the sequence that begins at `key`, without those before it; arrays work too."""
    return mix(key + GAMMA * np.uint64(index))


def next_random(random):
    """Advance the generator in `random[0]` and return 64 fresh bits."""
    random[0] += GAMMA
    return mix(random[0])


def below(random, n):
    """A whole number in [0, n), uniform up to n / 2^32, for n below 2^32."""
    return np.int64(((next_random(random) >> S32) * np.uint64(n)) >> S32)


def unit(random):
    """A float in [0, 1) with 53 random bits."""
    return as_unit(next_random(random))


def as_unit(bits):
    """64 random bits as a float in [0, 1)."""
    return np.float64(bits >> S11) * UNIT


def seed_for(*parts: int) -> int:
    """One seed from several numbers (a run's seed, a game's index, a ply ...), well mixed; Python only."""
    mask = (1 << 64) - 1
    with np.errstate(over="ignore"):
        h = np.uint64(0)
        for part in parts:
            h = mix((h + GAMMA) ^ np.uint64(part & mask))
    return int(h)
