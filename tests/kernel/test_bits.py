"""The operations on bits mean the same compiled and interpreted."""

import random

import numpy as np

from ludus import Budget, Game
from ludus.kernel.bits import highest_bit, lowest_bit, popcount, squares
from ludus.kernel.limits import STOP_EXHAUSTED
from ludus.kernel.rules import load
from ludus.model.program import Program
from ludus.runtime.runner import Runner


class Word(Game):
    """A game that is one word, and over."""

    max_moves = 1

    def initial(self):
        return (np.uint64(1),)

    def moves(self, state, out):
        return 0

    def play(self, state, move):
        return state

    def score(self, state):
        return 0


class Operate(Program):
    """The results of all operations on the root's word, in registers."""

    registers = {"count": "i8", "lowest": "i8", "highest": "i8"}

    def step(self, game, evaluator, tree, limits):
        (bits,) = load(tree.state, 0)
        tree.register[0].count = popcount(bits)
        tree.register[0].lowest = lowest_bit(bits)
        tree.register[0].highest = highest_bit(bits)
        return STOP_EXHAUSTED


def test_compiled_and_interpreted():
    chance = random.Random(1)
    cases = [1 << i for i in range(64)] + [(1 << 64) - 1, (1 << 63) + 1, 3 << 31]
    cases += [chance.getrandbits(64) & chance.getrandbits(64) | 1 << chance.randrange(64) for _ in range(300)]
    sessions = [Runner(Operate(), Word(), compiled=compiled) for compiled in (True, False)]
    for bits in cases:
        digits = f"{bits:064b}"[::-1]
        for session in sessions:
            session.run((np.uint64(bits),), Budget(nodes=1))
            register = session.tree.record.register[0]
            found = [int(register.count), int(register.lowest), int(register.highest)]
            assert found == [digits.count("1"), digits.index("1"), digits.rindex("1")]
        assert squares(bits) == [i for i, digit in enumerate(digits) if digit == "1"]
