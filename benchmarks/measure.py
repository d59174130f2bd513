"""What benchmarks share: a row, the list of benchmarks, clocks, the game of the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import ludus

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Row:
    """One figure of ours beside another one, measured in the same run; `ratio` is ours over theirs."""

    name: str
    unit: str
    ours: float
    theirs: float | None = None
    against: str = ""
    goal: str = ""

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.theirs else None


Benchmark = Callable[[bool], Iterator[Row]]
BENCHMARKS: dict[str, Benchmark] = {}


def benchmark(function: Benchmark) -> Benchmark:
    """Register a benchmark: a function that takes `quick` and yields rows."""
    BENCHMARKS[function.__name__.replace("_", "-")] = function
    return function


CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def use_cores(count: int) -> None:
    """Run on so many processors from now on, and the processes that are started here too."""
    if CORES:
        os.sched_setaffinity(0, CORES[:count])


def readme_game() -> ludus.Game:
    """The game of the README, as written there."""
    source = re.search(
        r"```python\n(# mygame\.py\n.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert source is not None
    file = Path(tempfile.mkdtemp(prefix="ludus-benchmark-")) / "mygame.py"
    file.write_text(source[1], encoding="utf-8")
    return ludus.game(str(file))


def nodes_per_second(game: ludus.Game, spec: str, compiled: bool) -> float:
    """The rate at which a search generates nodes; compilation does not count."""
    player = ludus.player(spec, compiled=compiled)
    player.choose(game)  # compiles, and fills the caches
    meters = [player.choose(game).meter for _ in range(3)]
    return max(meter.generated / meter.seconds for meter in meters)


def process_seconds(*arguments: str, times: int = 5) -> float:
    """The shortest of several runs of a Python process."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        found.append(time.perf_counter() - started)
    return min(found)
