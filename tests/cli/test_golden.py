"""What every command tells as JSON, written down in `golden/`: keys, moves, values and counts.

A change of these files is a change of behaviour, and its commit says why.
`python -m tests.cli.test_golden` writes them anew.
"""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import run

GOLDEN = Path(__file__).with_name("golden")
COMMANDS = {
    "games": "games",
    "searches": "searches",
    "evaluators": "evaluators",
    "show": "show othello",
    "show-chance": "show pig",
    "check": "check tictactoe --games 50 --no-compile",
    "perft": "perft othello 4 --no-compile",
    "search-best-first": "search othello 'lcf(nodes=200)' --no-compile",
    "search-full-width": "search connect4 'alphabeta(depth=3)' --no-compile",
    "search-sampling": "search kalah 'uct(nodes=500)' --no-compile",
    "trace": "trace 'tree' 'bfmm' -o trace.svg --no-compile",
    "solve": "solve 'nim(stones=9)' --no-compile",
    "match": "match tictactoe 'minimax(depth=2)' 'random' --games 10 --openings 2 --no-compile",
    "rank": "rank tictactoe 'minimax(depth=2)' 'uct(nodes=50)' random --games 40 --openings 2 --no-compile --workers 1",
    "sweep": "sweep nim tictactoe --player greedy --player random --budget nodes=20 --budget nodes=40 --games 12 "
    "--no-compile --workers 1",
    "runs": "runs",
    "export": "export 1 -o games",
    "calibrate": "calibrate nim --eval zero --positions 40 --no-compile",
    "learn": "learn tictactoe --method regression --positions 60 --playouts 4 --name golden --no-compile",
    "quality": "quality tictactoe --eval open-lines --eval zero --trees 2 --after 4 --no-compile",
    "pathology": "pathology tictactoe --deepest 3 --games 10 --openings 2 --no-compile --workers 1",
    "analyse": "analyse tictactoe --games 40 --good 4 --no-compile",
    "theory": "theory convergence --trials 500",
    "reproduce": "reproduce abramson-1989 --quick --only figure-2 --only figure-3 --no-compile --workers 1",
}
"""By name; `export` reads what the commands before it have written."""

VARIES = {"seconds", "microseconds_per_move", "created", "updated", "date", "database", "fingerprint", "line", "made"}
VARIES |= {"equal_time"}
VARIES |= {"version", "python", "numba", "numpy", "summary", "story", "note", "warning"}
"""Keys whose values differ from run to run, from machine to machine, or are sentences."""


def settled(told: Any) -> Any:
    """The same without what varies; numbers to nine digits."""
    if isinstance(told, dict):
        return {key: None if key in VARIES else settled(value) for key, value in told.items()}
    if isinstance(told, list):
        return [settled(each) for each in told]
    return float(f"{told:.9g}") if isinstance(told, float) else told


def tell_all(folder: Path) -> dict[str, Any]:
    """What all commands tell, with an empty database and an empty data folder."""
    told = {}
    before = Path.cwd(), os.environ.get("LUDUS_DATA")
    os.chdir(folder)
    os.environ["LUDUS_DATA"] = str(folder / "data")
    try:
        for name, line in COMMANDS.items():
            ran = run(*shlex.split(line), "--json")
            assert ran.status == 0, (line, ran.err)
            told[name] = settled(ran.json)
    finally:
        os.chdir(before[0])
        os.environ.pop("LUDUS_DATA")
        if before[1] is not None:
            os.environ["LUDUS_DATA"] = before[1]
    return told


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    return tell_all(tmp_path_factory.mktemp("golden"))


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_tells_what_it_told(name, told):
    assert told[name] == json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def write() -> None:
    GOLDEN.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, what in tell_all(Path(folder)).items():
            (GOLDEN / f"{name}.json").write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
