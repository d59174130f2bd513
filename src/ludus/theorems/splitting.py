"""Board splitting (Abramson 1985, section 3.1): boards of S by S independent squares, each 1 with probability p.

A *trap* is a board that is visibly won: a row of 1's (for H), a column of 0's (for V), a main diagonal of 1's (H).
H chooses among B boards by the number of 1's, N(g), or at random, R(g); it is an error to choose a board that is no
trap although there is one with a row of 1's. What follows from these definitions stands here as derived, beside what
the paper prints; `errors.py` and `traps.py` compare both with simulated boards.
"""

from __future__ import annotations

from math import comb

import numpy as np

from ludus.library.games.synthetic import fair


def fair_p(b: int) -> float:
    """The chance of a 1 that makes the game fair: the root of (1-x)^b = x."""
    return 1 - fair(b)


# Traps.


def row_trap(s: int, p: float) -> float:
    """P, the probability that a board has a row of 1's."""
    return 1 - (1 - p**s) ** s


def column_trap(s: int, p: float) -> float:
    """The probability that a board has a column of 0's.

    The paper takes it for P, "thanks to symmetry"; but p is not one half, and in a fair game 1 - p is the larger.
    """
    return row_trap(s, 1 - p)


def diagonal_trap(s: int, p: float) -> float:
    """The probability of the main diagonal of 1's."""
    return p**s


def trap_density(s: int, p: float) -> float:
    """The probability that a board is any of these traps, by enumeration of all boards: s at most 4."""
    boards = all_boards(s)
    ones = boards.sum(axis=(1, 2))
    return float((p**ones * (1 - p) ** (s * s - ones))[is_trap(boards)].sum())


def has_column(boards: np.ndarray) -> np.ndarray:
    """Which boards have a column of 0's."""
    return has_row(np.swapaxes(~boards, -1, -2))


def has_diagonal(boards: np.ndarray) -> np.ndarray:
    """Which boards have a main diagonal of 1's."""
    places = np.arange(boards.shape[-1])
    return np.asarray(np.all(boards[..., places, places], axis=-1))


def all_boards(s: int) -> np.ndarray:
    """Every board of s by s squares."""
    if s > 4:
        raise ValueError("there are too many boards of more than 4 by 4 squares")
    numbers = np.arange(2 ** (s * s))
    return ((numbers[:, None] >> np.arange(s * s)) & 1).astype(bool).reshape(-1, s, s)


def has_row(boards: np.ndarray) -> np.ndarray:
    """Which boards have a row of 1's; rows are the last axis but one."""
    return np.asarray(np.any(np.all(boards, axis=-1), axis=-1))


def is_trap(boards: np.ndarray) -> np.ndarray:
    """Which boards are any of the three traps."""
    return has_row(boards) | has_column(boards) | has_diagonal(boards)


def critical_density(b: int) -> float:
    """q_c, the density of traps from which on minimax is not pathological (Pearl 1984)."""
    return 1 - (1 + b) ** (1 - 1 / b) / b


# The probability of an error, E(F, k). It depends on the lookahead k by the size S of the boards that are compared.


def side_printed(b: int, rounds: int, k: int) -> int:
    """S as printed: right for the tips that H sees k plies ahead of her first move, at level k + 2."""
    return b ** (rounds - k // 2 - 1)


def side(b: int, rounds: int, k: int) -> int:
    """S of a board at level k, as the sentence says: k/2 cuts in each direction have been made."""
    return b ** (rounds - k // 2)


def error_random(b: int, s: int, p: float) -> float:
    """E(R, k): the board drawn is no trap, though not all are none. As printed, and right."""
    trap = row_trap(s, p)
    return (1 - trap) - (1 - trap) ** b


def error_ones(b: int, s: int, p: float) -> float:
    """E(N, k) as it follows from its definition: the most 1's are on a board that is no trap, and there is a trap.

    Let c(x) and a(x) be the probabilities of a board without and with a row of 1's that has x 1's, C and A their sums
    up to x. No row is full on a board without: its generating function is that of a row without its last term, to the
    power S. All boards without have at most x, one of them exactly x, all traps fewer, and there is a trap.
    """
    row = np.array([comb(s, j) * p**j * (1 - p) ** (s - j) for j in range(s)])
    without = np.ones(1)
    for _ in range(s):
        without = np.convolve(without, row)
    without = np.append(without, np.zeros(s * s + 1 - len(without)))
    every = np.array([comb(s * s, x) * p**x * (1 - p) ** (s * s - x) for x in range(s * s + 1)])
    plain, trapped = np.cumsum(without), np.cumsum(every - without)
    plain_before, trapped_before = (np.append(0.0, sums[:-1]) for sums in (plain, trapped))
    some = (plain + trapped_before) ** b - (plain_before + trapped_before) ** b
    return max(float((some - (plain**b - plain_before**b)).sum()), 0.0)  # 0 where S = 2, but for rounding


def error_ones_printed(b: int, s: int, p: float) -> float:
    """E(N, k) as printed. It counts a trap with several full rows several times, takes the probability of a trap once
    too often (Pr[NNTI] should be given that there are i traps, and is not), and lets the board without a trap be any
    board with x 1's, the best of its kind or not."""
    trap, q = row_trap(s, p), 1 - p
    total = 0.0
    for i in range(1, b):
        inner = 0.0
        for x in range(s + 1, s * s - s + 1):
            fewer = sum(comb(s * s - s, j) * p**j * q ** (s * s - s - j) for j in range(x - s))
            inner += comb(s * s, x) * p**x * q ** (s * s - x) * (s * p**s * fewer) ** i
        total += comb(b, i) * trap**i * (1 - trap) ** (b - i) * (b - i) * inner
    return total


def upper_printed(b: int, s: int, p: float) -> float:
    """E(UB, k) as printed."""
    return s * p**s * b * error_random(b, s, p)


def lower_printed(b: int, s: int, p: float) -> float:
    """E(LB, k) as printed, before the end is put in."""
    factor = float(s) ** (s + b) * p ** (s * s - s + s * b) * (1 - p) ** (b * s * s - b * s + s)
    return factor * b * error_random(b, s, p)


def lower_end_printed(b: int, p: float) -> float:
    """E(LB, k) at the end of the game, where S = B, as printed."""
    return b * p**b * ((1 - p**b) ** b - (1 - p**b) ** (b * b))


def missed_at_root(error: float, b: int, k: int) -> float:
    """E(F, 0) from E(F, k), by the paper's recurrence: at MIN levels all B must err, at MAX levels one is enough."""
    for level in range(k - 1, -1, -1):
        error = error**b if level % 2 == 1 else 1 - (1 - error) ** b
    return error


# Simulated.


def boards(random: np.random.Generator, shape: tuple[int, ...], s: int, p: float) -> np.ndarray:
    """Random boards."""
    return random.random((*shape, s, s)) < p


def errors(random: np.random.Generator, trials: int, b: int, s: int, p: float) -> tuple[np.ndarray, np.ndarray]:
    """In this number of choices among B boards: whether R errs, and whether N does."""
    found = boards(random, (trials, b), s, p)
    traps, ones = has_row(found), found.sum(axis=(2, 3))
    some = traps.any(axis=1)
    by_chance = some & ~traps[np.arange(trials), random.integers(b, size=trials)]
    best_trap = np.where(traps, ones, -1).max(axis=1)
    best_other = np.where(traps, -1, ones).max(axis=1)
    return by_chance, some & (best_other > best_trap)
