"""What there is to say of a position of Kalah in numbers: stores, seeds by house, and what the next sowing can earn.

`seeds` counts those in a side's houses; `house-2` and so on say in which, the first house being left out since the
others and the sum tell it. What is earned counts for whoever sows next (`again`, `capture`), which is the opponent
where the mover must pass, and apart from that for the other (`again-later`, `capture-later`), who sows after him.
"""

import numpy as np

PIT = np.uint64(0xFF)


def names(houses: int) -> tuple[str, ...]:
    """The features of a game with this number of houses a side."""
    own = tuple(f"house-{house + 1}" for house in range(1, houses))
    return ("store", "seeds", *own, "home", "again", "capture", "again-later", "capture-later", "sows")


def pit(row, index):
    """The number of seeds in a house, or in the store."""
    return np.int64(row >> np.uint64(8 * index) & PIT)


def prospects(row, other, houses):
    """How many sowings would end in the store, and the most seeds that one would capture."""
    lap = 2 * houses + 1
    again = prize = 0
    for house in range(houses):
        seeds = pit(row, house)
        last = (house + seeds) % lap
        if last == houses:
            again += 1
        elif 0 < seeds < lap and last < houses and pit(row, last) == 0 and pit(other, houses - 1 - last) > 0:
            prize = max(prize, pit(other, houses - 1 - last) + 1)
    return again, prize


def write_features(mine, theirs, must_pass, houses, numbers):
    """All that `names` lists, the mover's less the opponent's."""
    seeds = home = 0
    for house in range(houses):
        own, other = pit(mine, house), pit(theirs, house)
        seeds += own - other
        home += min(own, houses - house) - min(other, houses - house)
        if house > 0:
            numbers[1 + house] = own - other
    numbers[0], numbers[1] = pit(mine, houses) - pit(theirs, houses), seeds
    n = houses + 1
    my_again, my_prize = prospects(mine, theirs, houses)
    their_again, their_prize = prospects(theirs, mine, houses)
    numbers[n] = home
    numbers[n + 1], numbers[n + 2] = (-their_again, -their_prize) if must_pass else (my_again, my_prize)
    numbers[n + 3], numbers[n + 4] = (my_again, my_prize) if must_pass else (-their_again, -their_prize)
    numbers[n + 5] = -1.0 if must_pass else 1.0
    return n + 6
