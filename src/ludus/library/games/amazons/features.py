"""What there is to say of a position of Amazons in numbers: mobility, and who gets where first.

A square is *nearer* to the side that gets there in fewer moves, of a queen or of a king; it is *alone* a side's if the
other never gets there. An amazon is *shut in* if no square beside it is empty. All are the mover's less the opponent's,
but for `tied`, the squares that both reach in as many queen moves, where the one to move comes first.
"""

from ludus.library.games.amazons.board import (
    advance,
    common,
    count,
    first,
    is_empty,
    neighbours,
    single,
    union,
    without,
)

NAMES = ("mobility", "king-mobility", "queen-nearer", "king-nearer", "alone", "tied", "shut-in")


def nearer_by_queen(mine, theirs, empty):
    """The mover's moves and the opponent's; the difference in squares that are nearer; those that are equally near."""
    my_moves = their_moves = lead = tied = 0
    free, at_the_start = empty, True
    while not is_empty(free) and not is_empty(union(mine, theirs)):
        mine, theirs, moves, replies = advance(mine, theirs, empty)
        if at_the_start:
            my_moves, their_moves, at_the_start = moves, replies, False
        mine, theirs = common(mine, free), common(theirs, free)
        free = without(free, union(mine, theirs))
        lead += count(mine) - count(theirs)
        tied += count(common(mine, theirs))
    return my_moves, their_moves, lead, tied


def nearer_by_king(mine, theirs, empty):
    """The difference in squares that are nearer by steps to a square beside."""
    free, lead = empty, 0
    while not is_empty(free) and not is_empty(union(mine, theirs)):
        mine, theirs = common(neighbours(mine), free), common(neighbours(theirs), free)
        free = without(free, union(mine, theirs))
        lead += count(mine) - count(theirs)
    return lead


def reached(amazons, empty):
    """The empty squares that a side gets to at all."""
    found = common(neighbours(amazons), empty)
    before = 0
    while count(found) > before:
        before = count(found)
        found = common(neighbours(found), empty)
    return found


def freedom(amazons, empty):
    """The empty squares beside each amazon, added up, and how many amazons have none."""
    squares = shut = 0
    while not is_empty(amazons):
        one = single(first(amazons))
        amazons = without(amazons, one)
        beside = count(common(neighbours(one), empty))
        squares += beside
        shut += beside == 0
    return squares, shut


def write_features(mine, theirs, empty, numbers):
    """All that `NAMES` lists, from the amazons of each side and the empty squares."""
    my_moves, their_moves, lead, tied = nearer_by_queen(mine, theirs, empty)
    my_steps, my_shut = freedom(mine, empty)
    their_steps, their_shut = freedom(theirs, empty)
    numbers[0] = my_moves - their_moves
    numbers[1] = my_steps - their_steps
    numbers[2] = lead
    numbers[3] = nearer_by_king(mine, theirs, empty)
    numbers[4] = count(reached(mine, empty)) - count(reached(theirs, empty))
    numbers[5] = tied
    numbers[6] = my_shut - their_shut
    return 7
