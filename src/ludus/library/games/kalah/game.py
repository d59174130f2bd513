"""Kalah(houses, seeds), with a row of pits in a 64-bit number: eight bits for each house, then those of the store.

A move takes all seeds of a house of one's own and sows them one by one to the right: one's other houses, one's store,
the opponent's houses, one's own again, never the opponent's store. If the last seed falls into the store the player
moves again; here the opponent passes in between. If it falls into an empty house of one's own, it and the seeds of the
opposite house are captured: they go to the store. With `empty_capture` this is so even if there are none opposite.
When the houses of one side are empty the game is over, and all seeds count for the player on whose side they lie.

Irving, Donkers & Uiterwijk (Solving Kalah, 2000) tell who wins with `empty_capture`; OpenSpiel's `mancala` has it not.
"""

import numpy as np

from ludus.common.errors import StateError
from ludus.library.games.kalah.features import names, pit, write_features
from ludus.model.game import Game

ONE, ZERO = np.uint64(1), np.uint64(0)
ONES = np.uint64(0x0101010101010101)
PAIRS, SUM = np.uint64(0x00FF00FF00FF00FF), np.uint64(0xFFFF)
PASS = 8
SOUTH, NORTH = "abcdefg", "ABCDEFG"


def one_each(first, count):
    """A seed in each of `count` pits from `first` on; at most seven of them."""
    return (ONES & ((ONE << np.uint64(8 * count)) - ONE)) << np.uint64(8 * first)


def total(row):
    """All seeds of a row: of neighbouring pits first, then of two and of four of them. (A product would gather the sum
    in its highest bits, but NumPy warns of what it loses.)"""
    row = (row & PAIRS) + (row >> np.uint64(8) & PAIRS)
    row += row >> np.uint64(16)
    return np.int64(row + (row >> np.uint64(32)) & SUM)


class Kalah(Game):
    """Kalah with `houses` a side and `seeds` in each; the score is the difference in seeds."""

    name = "kalah"
    evaluator = "seeds"
    lesson = {"rate": 0.5, "games": 20_000}

    def __init__(self, houses: int = 6, seeds: int = 4, empty_capture: bool = True) -> None:
        if not 1 <= houses <= 7:
            raise ValueError("houses must be from 1 to 7")
        if seeds < 1 or 2 * houses * seeds > 255:
            raise ValueError(f"seeds must be from 1 to {255 // (2 * houses)} with {houses} houses: 255 in all at most")
        self.houses = self.max_moves = houses
        self.seeds, self.empty_capture = seeds, empty_capture
        self.feature_names = names(houses)
        self.in_houses = np.uint64((1 << 8 * houses) - 1)

    # A state is (the mover's row, the opponent's row, side, whether the mover must pass); side 0 is South, who begins.

    def initial(self):
        row = one_each(0, self.houses) * np.uint64(self.seeds)
        return (row, row, 0, False)

    def moves(self, state, out):
        mine, theirs, _, must_pass = state
        if mine & self.in_houses == ZERO or theirs & self.in_houses == ZERO:
            return 0
        if must_pass:
            out[0] = PASS
            return 1
        n = 0
        for house in range(self.houses):
            out[n] = house
            n += pit(mine, house) > 0
        return n

    def play(self, state, move):
        mine, theirs, side, _ = state
        if move == PASS:
            return (theirs, mine, 1 - side, False)
        houses, seeds = self.houses, pit(mine, move)
        mine -= np.uint64(seeds) << np.uint64(8 * move)
        left = seeds
        while left > 2 * houses:  # once around
            mine += one_each(0, houses) + (ONE << np.uint64(8 * houses))
            theirs += one_each(0, houses)
            left -= 2 * houses + 1
        to_store = min(left, houses - move)
        beyond = min(left - to_store, houses)
        mine += one_each(move + 1, to_store) + one_each(0, left - to_store - beyond)
        theirs += one_each(0, beyond)
        last = move + left
        if last > 2 * houses:
            last -= 2 * houses + 1
        if last < houses and pit(mine, last) == 1:
            opposite = houses - 1 - last
            prize = pit(theirs, opposite)
            if prize > 0 or self.empty_capture:
                theirs -= np.uint64(prize) << np.uint64(8 * opposite)
                mine -= ONE << np.uint64(8 * last)
                mine += np.uint64(prize + 1) << np.uint64(8 * houses)
        return (theirs, mine, 1 - side, last == houses)

    def over(self, state):
        return state[0] & self.in_houses == ZERO or state[1] & self.in_houses == ZERO

    def score(self, state):
        return total(state[0]) - total(state[1])

    def null(self, state):
        """Also what a forced pass leads to."""
        return (state[1], state[0], 1 - state[2], False)

    def noisy(self, state, move):
        """A capture of the opponent's seeds."""
        mine, theirs, _, _ = state
        if move == PASS:
            return False
        lap, seeds = 2 * self.houses + 1, pit(mine, move)
        last = (move + seeds) % lap
        if seeds == lap:  # back in the house it came from, and on the way a seed fell into the opposite one
            return True
        if seeds > lap or last >= self.houses or pit(mine, last) > 0:
            return False
        return last < move or pit(theirs, self.houses - 1 - last) > 0

    def phase(self, state):
        """The share of the seeds that are in the stores."""
        mine, theirs, _, _ = state
        return (pit(mine, self.houses) + pit(theirs, self.houses)) / (total(mine) + total(theirs))

    def lowest(self, state):
        """No seed leaves a store: the mover has at least those in his, and the opponent all the others."""
        return 2 * pit(state[0], self.houses) - total(state[0]) - total(state[1])

    def highest(self, state):
        return total(state[0]) + total(state[1]) - 2 * pit(state[1], self.houses)

    def features(self, state, numbers):
        mine, theirs, _, must_pass = state
        return write_features(mine, theirs, must_pass, self.houses, numbers)

    # For people.

    def mover(self, state):
        return int(state[2])

    def winner(self, state):
        south, north = map(sum, self.rows_of(state))
        return None if south == north else 0 if south > north else 1

    def rows_of(self, state) -> tuple[list[int], list[int]]:
        """The pits of South and of North, houses in the order of sowing, then the store."""
        rows = [[int(pit(row, i)) for i in range(self.houses + 1)] for row in state[:2]]
        return (rows[0], rows[1]) if self.mover(state) == 0 else (rows[1], rows[0])

    def state_text(self, state):
        """South's houses and store, North's houses and store, who is to move, and `pass` if he must."""
        south, north = self.rows_of(state)
        return " ".join([*map(str, south + north), "SN"[self.mover(state)], *(["pass"] if state[3] else [])])

    def parse_state(self, text):
        words, pits = text.lower().split(), 2 * self.houses + 2
        numbers, rest = words[:pits], words[pits:]
        sides = (["s"], ["n"], ["s", "pass"], ["n", "pass"])
        if len(numbers) != pits or not all(map(str.isdecimal, numbers)) or rest not in sides:
            example = self.state_text(self.initial())
            raise StateError(
                f"a position of {self.title} is {pits} numbers and S or N to move, like {example!r}: not {text!r}."
            )
        seeds = [int(word) for word in numbers]
        if sum(seeds) != 2 * self.houses * self.seeds:
            raise StateError(f"{text!r} has {sum(seeds)} seeds, but there are {2 * self.houses * self.seeds}.")
        half = pits // 2
        rows = [np.uint64(sum(n << 8 * i for i, n in enumerate(row))) for row in (seeds[:half], seeds[half:])]
        side = "sn".index(rest[0])
        return (rows[side], rows[1 - side], side, len(rest) == 2)

    def move_name(self, state, move):
        return "pass" if move == PASS else (SOUTH, NORTH)[self.mover(state)][move]

    def parse_move(self, state, text):
        """A house of either side by its letter, large or small: it is clear whose move it is."""
        own = (str.lower, str.upper)[self.mover(state)]
        return super().parse_move(state, own(text) if len(text) == 1 else text.lower())

    def render(self, state):
        south, north = self.rows_of(state)
        width = 3 * self.houses
        to_move = ("South", "North")[self.mover(state)]
        return "\n".join(
            [
                "    " + "".join(f"{letter:>3}" for letter in reversed(NORTH[: self.houses])),
                "    " + "".join(f"{n:>3}" for n in reversed(north[:-1])),
                f"{north[-1]:>4}{'':{width}}{south[-1]:>4}",
                "    " + "".join(f"{n:>3}" for n in south[:-1]),
                "    " + "".join(f"{letter:>3}" for letter in SOUTH[: self.houses]),
                f"{to_move} must pass" if state[3] else f"{to_move} to move",
            ]
        )

    def diagram(self, state):
        from ludus.pictures.diagram import pits

        return pits(*self.rows_of(state), (SOUTH[: self.houses], NORTH[: self.houses]))

    def gesture(self, state, move):
        """The house that is sown."""
        return [] if move == PASS else [self.move_name(state, move)]

    def svg(self, state):
        """The board for notebooks and pages."""
        from ludus.pictures.pits import pits_svg

        south, north = self.rows_of(state)
        names = SOUTH[: self.houses], NORTH[: self.houses]
        return pits_svg(south, north, names, title=f"Kalah: {self.state_text(state)}")
