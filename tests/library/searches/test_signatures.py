"""The signature of every search: what it does on fixed positions, node for node, as written down in `signatures.json`.

A change of that file is a change of behaviour, and its commit says why.
`python -m tests.library.searches.test_signatures` writes it anew.
"""

from __future__ import annotations

import json
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus import Budget, Player, Position
from tests.support.conformance.subjects import CALIBRATION, SPECS, made

FILE = Path(__file__).with_name("signatures.json")
NODES = 120
MOVES = {
    "othello": "f5 f6 e6 f4 g5 e7 f7 h5 e3 d3 c5 c4",
    "connect4": "4 4 3 5 4 2 3 3",
    "kalah": "b C pass E d B pass A a",
    "pig(target=20)": "roll 3",
    "random-tree(branching=5, depth=8, seed=3)": "",
}
"""The games, and the moves that lead to the position."""


@cache
def position(game: str) -> Position:
    here = ludus.game(game).position()
    for move in MOVES[game].split():
        here = here.play(move)
    return here


def plays(spec: str, game: str) -> bool:
    """Whether a search repeats itself, and the game has what it needs; the evaluators have."""
    search, subject = made(spec), position(game).game
    able = all(need in CALIBRATION.kinds or subject.has_rule(need) for need in search.needs)
    return search.repeats and able and (search.handles_chance or not subject.has_chance)


def signature(spec: str, game: str) -> list[Any]:
    """The move, its value, the line, what was spent, why it stopped, and the values of all moves."""
    here = position(game)
    evaluator = Player(made(spec)).on(here.game).evaluator.calibrated(CALIBRATION)
    with warnings.catch_warnings(action="ignore"):
        result = Player(made(spec), evaluator, Budget(nodes=NODES), compiled=False).choose(here, seed=7).to_dict()
    meter = [result["meter"][what] for what in ("generated", "evaluated", "expanded", "traversed")]
    value, *values = (rounded(each["value"]) for each in [result, *result["children"]])
    return [result["move"], value, " ".join(result["line"]), meter, result["stopped"], values]


def rounded(value: float | None) -> float | None:
    """To nine digits: another processor may have another exponential function."""
    return value if value is None else float(f"{value:.9g}")


CELLS = [(spec, game) for spec in SPECS for game in MOVES if plays(spec, game)]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "game"), CELLS)
def test_a_search_does_what_it_did(spec, game):
    known = json.loads(FILE.read_text(encoding="utf-8"))
    assert signature(spec, game) == known[game][spec]


def test_every_signature_belongs_to_a_search():
    known = json.loads(FILE.read_text(encoding="utf-8"))
    assert {(spec, game) for game, specs in known.items() for spec in specs} == set(CELLS)


def write() -> None:
    found: dict[str, dict[str, Any]] = {game: {} for game in MOVES}
    for spec, game in CELLS:
        found[game][spec] = signature(spec, game)
    lines = []
    for game, specs in found.items():
        rows = ",\n".join(f"  {json.dumps(spec)}: {json.dumps(row)}" for spec, row in specs.items())
        lines.append(f"{json.dumps(game)}: {{\n{rows}\n}}")
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
