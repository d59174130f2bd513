"""Run the benchmarks on one core, print a table, write JSON."""

from __future__ import annotations

import argparse
import dataclasses
import json
import platform
from pathlib import Path

import benchmarks.arena
import benchmarks.best_first
import benchmarks.bstar
import benchmarks.evaluating
import benchmarks.full_width
import benchmarks.mcts_bot
import benchmarks.mgss
import benchmarks.peers
import benchmarks.solving
import benchmarks.suite
import benchmarks.threads  # noqa: F401
from benchmarks.measure import BENCHMARKS, Row, use_cores


def figure(value: float | None) -> str:
    """A figure for the table."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only", metavar="NAME", action="append", choices=sorted(BENCHMARKS), help="one of %(choices)s"
    )
    parser.add_argument("--quick", action="store_true", help="small figures, in seconds, to see that it works")
    parser.add_argument("--output", metavar="FILE", type=Path, default=Path("benchmarks.json"))
    chosen = parser.parse_args(arguments)
    use_cores(1)
    rows: list[Row] = []
    print(f"{'':<34}{'ours':>14}{'theirs':>14}{'ratio':>9}  unit, theirs, goal")
    for name in chosen.only or BENCHMARKS:
        for row in BENCHMARKS[name](chosen.quick):
            rows.append(row)
            notes = ", ".join(note for note in (row.unit, row.against, row.goal) if note)
            print(
                f"{row.name:<34}{figure(row.ours):>14}{figure(row.theirs):>14}{figure(row.ratio):>9}  {notes}",
                flush=True,
            )
    machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    found = [dataclasses.asdict(row) | {"ratio": row.ratio} for row in rows]
    chosen.output.write_text(json.dumps({"machine": machine, "rows": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
