"""A lock in a cell of an array, for compiled code that several threads run at once.

What stands here is the meaning, for one thread; compiled code gets the processor's own atomic instructions
(`compile/natives.py`). `swap` acquires and `put` releases: what a thread wrote before it opened a lock is what the
next one sees that closes it.
"""

OPEN, CLOSED = 0, 1

TRIES = 20_000
"""Looks at a closed lock, some 20 microseconds, before one gives up: who holds it has lost its processor."""


def peek(cells, index):
    """The number in a cell, as it is now."""
    return cells[index]


def swap(cells, index, number):
    """Put a number into a cell; what was there before, and nobody comes in between."""
    before = cells[index]
    cells[index] = number
    return before


def put(cells, index, number):
    """Put a number into a cell, after all that was written before."""
    cells[index] = number


def closed_by_me(lock):
    """Wait for the lock and close it; False if that takes too long."""
    tries = 0
    while peek(lock, 0) != OPEN or swap(lock, 0, CLOSED) != OPEN:
        tries += 1
        if tries == TRIES:
            return False
    return True


def open_again(lock):
    """Give the lock back."""
    put(lock, 0, OPEN)
