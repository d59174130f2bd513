"""The signature of every search: what it does on fixed positions, node for node, as written down in `signatures.json`.

A change of that file is a change of behaviour, and its commit says why.
`python -m tests.library.searches.test_signatures` writes it anew. Here every setting plays, interpreted; the defaults
play compiled and on a larger budget too (`tests/support/signatures.py`, which says how those are written anew).
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from ludus import Budget, Player
from tests.support import signatures
from tests.support.conformance.subjects import CALIBRATION, SPECS, made
from tests.support.signatures import plays, position, rounded

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


def signature(spec: str, game: str) -> list[Any]:
    """The move, its value, the line, what was spent, why it stopped, and the values of all moves."""
    here = position(game, MOVES[game])
    evaluator = Player(made(spec)).on(here.game).evaluator.calibrated(CALIBRATION)
    with warnings.catch_warnings(action="ignore"):
        result = Player(made(spec), evaluator, Budget(nodes=NODES), compiled=False).choose(here, seed=7).to_dict()
    meter = [result["meter"][what] for what in ("generated", "evaluated", "expanded", "traversed")]
    value, *values = (rounded(each["value"]) for each in [result, *result["children"]])
    return [result["move"], value, " ".join(result["line"]), meter, result["stopped"], values]


CELLS = [(spec, game) for spec in SPECS for game in MOVES if plays(spec, game)]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "game"), CELLS)
def test_a_search_does_what_it_did(spec, game):
    known = json.loads(FILE.read_text(encoding="utf-8"))
    assert signature(spec, game) == known[game][spec]


def test_every_signature_belongs_to_a_search():
    known = json.loads(FILE.read_text(encoding="utf-8"))
    assert {(spec, game) for game, specs in known.items() for spec in specs} == set(CELLS)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "game"), signatures.CELLS)
def test_a_compiled_search_does_what_it_did(spec, game):
    assert signatures.signatures(spec, game) == signatures.written_down()[game][spec]


def test_every_compiled_signature_belongs_to_a_search():
    known = signatures.written_down()
    assert {(spec, game) for game, specs in known.items() for spec in specs} == set(signatures.CELLS)


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
