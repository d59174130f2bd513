"""How much a search may spend, and what it spent. Compiled code has both as arrays: see `kernel/limits.py`."""

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
from ludus.kernel.limits import (
    AUTO,
    DEEPEN,
    DEPTH,
    ELAPSED,
    GENERATE,
    INTERRUPT,
    LOOKS,
    NODES,
    SHARE,
    TRAVERSE,
    UNITS,
    UNLIMITED,
)
from ludus.model.spec import format_arguments, format_value, parse_arguments

MOST_CHARGE = 10**6
"""Units for a node or a pointer, at most: what is charged in all must fit 64 bits."""

MOST_NUMBER = 1e300
"""Seconds or megabytes, at most."""


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
        """What share of each limit on effort was used by that number of moves, or games; by the limit's key."""
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
