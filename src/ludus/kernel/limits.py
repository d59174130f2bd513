"""The meter and the limits as compiled code sees them, and the question that every search asks: is the budget spent?

The meter is one array of counts that the rules themselves advance: every `play` adds one to
`GENERATED`, every `evaluate` or `final` one to `EVALUATED` (see `rules.py`), so no search can forget
one; a search adds its own `EXPANDED` and `TRAVERSED`. Limits are an array too, read by `spent`
before each expansion.
"""

from __future__ import annotations

# The meter's cells.
GENERATED, EVALUATED, EXPANDED, TRAVERSED = 0, 1, 2, 3
# The limits' cells.
NODES, UNITS, TRAVERSE, GENERATE, DEPTH, DEEPEN = 0, 1, 2, 3, 4, 5
LOOKS, PAUSE, INTERRUPT = 6, 7, 8  # how often the budget was looked at; after which look to pause; Ctrl-C
ABANDONED = 2  # of INTERRUPT, where 1 is an ordinary end: a thread has failed, and may have left others waiting for it
SHARE = 9  # of a budget for a game: which part of these limits is an even share, in thousandths
ELAPSED = 10  # of a budget of seconds: how much of it was gone when the slice began, in thousandths
UNLIMITED = 2**62
AUTO = 0

# What a search's `step` returns: why it came back to Python.
RUNNING, PAUSED, NEEDS_NODES = 0, 1, 2
WAITING = 12  # for another thread
STOP_NODES, STOP_SECONDS, STOP_UNITS, STOP_DEPTH, STOP_MEMORY = 3, 4, 5, 6, 7
STOP_SURE, STOP_SOLVED, STOP_EXHAUSTED, STOP_INTERRUPTED = 8, 9, 10, 11
STOPPED = {
    STOP_NODES: "nodes",
    STOP_SECONDS: "seconds",
    STOP_UNITS: "units",
    STOP_DEPTH: "depth",
    STOP_MEMORY: "memory",
    STOP_SURE: "sure",
    STOP_SOLVED: "solved",
    STOP_EXHAUSTED: "exhausted",
    STOP_INTERRUPTED: "interrupted",
}


def spent(meter, limits, obliged):
    """Must the search stop or pause now? `RUNNING` if not. Called before each expansion.

    A search that has nothing to show yet is `obliged` to go on, however small the budget; it may only pause.
    """
    if not obliged:
        if meter[GENERATED] >= limits[NODES]:
            return STOP_NODES
        if limits[TRAVERSE] * meter[TRAVERSED] + limits[GENERATE] * meter[GENERATED] >= limits[UNITS]:
            return STOP_UNITS
        if limits[INTERRUPT] != 0:
            return STOP_INTERRUPTED
    # Last, so that when a search pauses, which depends on the clock, never hides that it must stop.
    limits[LOOKS] += 1
    return PAUSED if limits[LOOKS] > limits[PAUSE] else RUNNING


def part_spent(meter, limits):
    """Which part of the limits has been spent, of that of which most has been: from 0 to 1, or a little above."""
    charged = limits[TRAVERSE] * meter[TRAVERSED] + limits[GENERATE] * meter[GENERATED]
    return max(meter[GENERATED] / limits[NODES], charged / limits[UNITS], limits[ELAPSED] / 1000)


def share_spent(meter, limits):
    """Has an even share of a budget for a game been spent? What a move takes beyond it, later ones will lack.

    A search that paces itself (its `spread` is above 1) asks, and goes on only where that is worth it.
    """
    return part_spent(meter, limits) >= limits[SHARE] / 1000
