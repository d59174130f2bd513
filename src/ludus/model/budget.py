"""How much a search may spend, and what it spent.

The meter is one array of counts that the rules themselves advance: every `play` adds one to
`GENERATED`, every `evaluate` or `final` one to `EVALUATED` (see `rules.py`), so no search can forget
one; a search adds its own `EXPANDED` and `TRAVERSED`. Limits are an array too, read by `spent`
before each expansion.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ludus.common.errors import SpecError, unknown
from ludus.common.numbers import is_number, is_whole
from ludus.model.spec import format_arguments, format_value, parse_arguments

# The meter's cells.
GENERATED, EVALUATED, EXPANDED, TRAVERSED = 0, 1, 2, 3
# The limits' cells.
NODES, UNITS, TRAVERSE, GENERATE, DEPTH, DEEPEN = 0, 1, 2, 3, 4, 5
LOOKS, PAUSE, INTERRUPT = 6, 7, 8  # how often the budget was looked at; after which look to pause; Ctrl-C
ABANDONED = 2  # of INTERRUPT, where 1 is an ordinary end: a thread has failed, and may have left others waiting for it
SHARE = 9  # of a budget for a game: which part of these limits is an even share, in thousandths
ELAPSED = 10  # of a budget of seconds: how much of it was gone when the slice began, in thousandths
UNLIMITED = 2**62
MOST_CHARGE = 10**6  # for a node or a pointer, in units: what is charged in all must fit 64 bits
MOST_NUMBER = 1e300  # seconds or megabytes
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


@dataclass(frozen=True)
class Meter:
    """What was spent. Seconds exclude compilation."""

    generated: int = 0
    evaluated: int = 0
    expanded: int = 0
    traversed: int = 0
    seconds: float = 0.0

    @classmethod
    def read(cls, counts: np.ndarray, seconds: float) -> Meter:
        generated, evaluated, expanded, traversed = counts.tolist()
        return cls(generated, evaluated, expanded, traversed, seconds)

    def __add__(self, other: Meter) -> Meter:
        return Meter(
            self.generated + other.generated,
            self.evaluated + other.evaluated,
            self.expanded + other.expanded,
            self.traversed + other.traversed,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True)
class Budget:
    """How much effort one move, or one game, may cost; a search stops at the first limit it meets."""

    nodes: int | None = None
    seconds: float | None = None
    units: int | None = None
    depth: int | str | None = None
    memory: float | None = None
    per: str = "move"
    traverse: int = 1
    generate: int = 100

    def __post_init__(self) -> None:
        for key in ("nodes", "units", "depth", "traverse", "generate"):
            value = getattr(self, key)
            if value is None or (key == "depth" and value == "auto"):
                continue
            lowest, most = (0, MOST_CHARGE) if key in ("traverse", "generate") else (1, UNLIMITED)
            if not is_whole(value) or not lowest <= value <= most:
                also = " or auto" if key == "depth" else ""
                too_much = is_whole(value) and value > most
                allowed = f"from {lowest} to {most}" if too_much else f"of at least {lowest}"
                raise SpecError(f"{key} must be a whole number {allowed}{also}, not {format_value(value)}.")
            object.__setattr__(self, key, int(value))
        for key in ("seconds", "memory"):
            value = getattr(self, key)
            if value is None:
                continue
            value = value.item() if isinstance(value, np.generic) else value
            if not is_number(value) or not 0 < value <= MOST_NUMBER:
                also = f" and at most {MOST_NUMBER:g}" if is_number(value) and MOST_NUMBER < value < math.inf else ""
                raise SpecError(f"{key} must be a number above 0{also}, not {format_value(value)}.")
            object.__setattr__(self, key, float(value))
        if self.per not in ("move", "game"):
            raise SpecError(f"per must be move or game, not {format_value(self.per)}.")

    @classmethod
    def of(cls, given: Budget | str | Mapping[str, Any]) -> Budget:
        """A budget as it is, from a text such as `nodes=2000`, or from the arguments of a spec."""
        if isinstance(given, Budget):
            return given
        if not isinstance(given, (str, Mapping)):
            raise SpecError(f'{given!r} is no budget: give ludus.Budget(nodes=2000) or "nodes=2000".')
        arguments = parse_arguments(given, "a budget") if isinstance(given, str) else given
        for key in arguments:
            if key not in BUDGET_KEYS:
                raise unknown("budget", key, BUDGET_KEYS, say="it is one of")
        return cls(**arguments)

    @property
    def arguments(self) -> dict[str, Any]:
        """The keys that say something, for printing in a spec."""
        fields = dataclasses.fields(self)
        return {f.name: getattr(self, f.name) for f in fields if getattr(self, f.name) != f.default}

    @property
    def bounds_effort(self) -> bool:
        """Whether a search under this budget ends by itself."""
        return any(getattr(self, key) is not None for key in ("nodes", "seconds", "units", "depth"))

    @classmethod
    def over(cls, default: Budget, given: dict[str, Any]) -> Budget:
        """The budget that is `given` or, if that does not bound the effort, `default` with what is given changed."""
        own = cls.of(given)
        if own.bounds_effort:
            return own
        return dataclasses.replace(default, **{key: getattr(own, key) for key in given})

    def share(self, used: Meter, moves_left: float, spread: float = 1.0) -> Budget:
        """What one move may cost: of a budget for a game, `spread` even shares of the rest among the moves left."""
        if self.per == "move":
            return self
        moves_left = max(moves_left / spread, 1)
        units = self.traverse * used.traversed + self.generate * used.generated
        rest: dict[str, Any] = {"per": "move"}
        for key, gone in (("nodes", used.generated), ("units", units), ("seconds", used.seconds)):
            total = getattr(self, key)
            if total is not None:
                part = (total - gone) / moves_left
                rest[key] = max(part, 1e-6) if key == "seconds" else max(int(part), 1)
        return dataclasses.replace(self, **rest)

    def spent(self, used: Meter, count: int) -> dict[str, float]:
        """What share of each limit on effort was used by so many moves, or games; by the limit's key."""
        units = self.traverse * used.traversed + self.generate * used.generated
        all_used = {"nodes": used.generated, "seconds": used.seconds, "units": units}
        limits = {key: getattr(self, key) for key in all_used}
        return {key: all_used[key] / (limit * max(count, 1)) for key, limit in limits.items() if limit is not None}

    def limits(self) -> np.ndarray:
        """The array that kernels read, a fresh one each time."""
        return self._limits.copy()

    def set_limits(self, limits: np.ndarray) -> None:
        """Write them into an array that a kernel reads already."""
        limits[:] = self._limits

    @cached_property
    def _limits(self) -> np.ndarray:
        """A depth of `AUTO` is the search's to replace.

        `DEEPEN` is 0 if depth is the only limit, so that there is no need to deepen step by step.
        """
        found = np.full(11, UNLIMITED, np.int64)
        found[LOOKS] = found[INTERRUPT] = found[ELAPSED] = 0
        found[SHARE] = 1000
        found[DEEPEN] = self != Budget(depth=self.depth, memory=self.memory) or self.depth is None
        found[TRAVERSE], found[GENERATE] = self.traverse, self.generate
        for cell, value in ((NODES, self.nodes), (UNITS, self.units), (DEPTH, self.depth)):
            if value is not None:
                found[cell] = AUTO if value == "auto" else value
        return found

    def __str__(self) -> str:
        return format_arguments(self.arguments)


BUDGET_KEYS = tuple(f.name for f in dataclasses.fields(Budget))
DEFAULT_BUDGET = Budget(nodes=2000)
