"""What every registered search does with its defaults, compiled, on fixed positions: the move, its value, its counts.

`tests/library/data/signatures.json` has it as it was written down; a change of that file is a change of behaviour, and
its commit says why. `python -m tests.support.signatures` writes it anew, and with `--check` prints what differs.
(`tests/library/searches/test_signatures.py` has the same of every setting, interpreted and on a smaller budget.)
"""

from __future__ import annotations

import json
import sys
import warnings
from functools import cache
from typing import Any

import ludus
from ludus import Budget, InterpretedWarning, Player, Position
from ludus.model import registry
from tests.support import REPOSITORY
from tests.support.conformance.subjects import CALIBRATION, made

FILE = REPOSITORY / "tests" / "library" / "data" / "signatures.json"
NODES = 2000
SEED = 0
LINES = {
    "othello": ("", "f5 f6 e6 f4 g5 e7 f7 h5 e3 d3 c5 c4", "c4 c3 d3 c5 b2 a1"),
    "connect4": ("", "4 4 3 5 4 2 3 3", "4 4 4 4 4 2 2"),
    "kalah": ("", "b C pass E d B pass A a", "c pass"),
    "random-tree(branching=5, depth=8, seed=3)": ("", "2 4"),
}
"""The games, and the moves that lead to each of their positions."""


@cache
def position(game: str, line: str) -> Position:
    here = ludus.game(game).position()
    for move in line.split():
        here = here.play(move)
    return here


def plays(spec: str, game: str) -> bool:
    """Whether a search repeats itself, and the game has what it needs; the evaluators have."""
    search, subject = made(spec), position(game, "").game
    able = all(need in CALIBRATION.kinds or subject.has_rule(need) for need in search.needs)
    return search.repeats and able and (search.handles_chance or not subject.has_chance)


def rounded(value: float | None) -> float | None:
    """To nine digits: another processor may have another exponential function."""
    return value if value is None else float(f"{value:.9g}")


def signature(spec: str, game: str, line: str) -> list[Any]:
    """The move, its value, the nodes generated, evaluated, expanded and traversed, and why the search stopped."""
    here = position(game, line)
    evaluator = Player(made(spec)).on(here.game).evaluator.calibrated(CALIBRATION)
    with warnings.catch_warnings(action="ignore"):
        warnings.simplefilter("error", InterpretedWarning)
        result = Player(made(spec), evaluator, Budget(nodes=NODES)).choose(here, seed=SEED).to_dict()
    meter = [result["meter"][what] for what in ("generated", "evaluated", "expanded", "traversed")]
    return [result["move"], rounded(result["value"]), meter, result["stopped"]]


CELLS = [(spec, game) for game in LINES for spec in registry.searches().classes if plays(spec, game)]
"""The searches, each with the games that it can play."""


def signatures(spec: str, game: str) -> dict[str, Any]:
    """By line of moves: the signatures of a search on all positions of a game."""
    return {line: signature(spec, game, line) for line in LINES[game]}


def written_down() -> dict[str, dict[str, Any]]:
    """By game and search: the signatures in the file."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def write(found: dict[str, dict[str, Any]]) -> None:
    """Replace the file; one line a signature."""
    games = []
    for game, specs in found.items():
        rows = []
        for spec, of_lines in specs.items():
            cells = ",\n".join(f"   {json.dumps(line)}: {json.dumps(row)}" for line, row in of_lines.items())
            rows.append(f"  {json.dumps(spec)}: {{\n{cells}\n  }}")
        games.append(f"{json.dumps(game)}: {{\n" + ",\n".join(rows) + "\n}")
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("{\n" + ",\n".join(games) + "\n}\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Write the file or, with `--check`, compare with it; the number of differences."""
    found: dict[str, dict[str, Any]] = {game: {} for game in LINES}
    different = 0
    known = written_down() if "--check" in arguments else {}
    for spec, game in CELLS:
        found[game][spec] = signatures(spec, game)
        if known and known.get(game, {}).get(spec) != found[game][spec]:
            different += 1
            print(f"{spec} on {game}: {known.get(game, {}).get(spec)} became {found[game][spec]}")
    if not known:
        write(found)
    return different


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
