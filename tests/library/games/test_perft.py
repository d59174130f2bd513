"""Golden counts of positions: a file of data for each real game in `perft/`, checked compiled and interpreted.

Each line of a file is a game, perhaps a position, and the counts at depth 0, 1, 2 ...; `source` says who counted.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludus
from ludus.model import registry
from tests.support.optional_games import INTERPRETED, needing_extras

FOLDER = Path(__file__).with_name("perft")
FILES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
LINES = [(line["game"], line.get("state"), line["leaves"]) for file in FILES.values() for line in file["perft"]]
SLOWEST = 5000
"""Positions to count without the compiler, at most."""
MANY = 100_000
"""Positions that are enough for a line, even if they are only two plies deep."""


def test_every_real_game_has_a_file():
    real = {name for name, cls in registry.games().classes.items() if not cls.seeded}
    assert set(FILES) == real


@pytest.mark.parametrize("name", FILES)
def test_files(name):
    file = FILES[name]
    assert set(file) == {"source", "perft"}
    assert file["source"]
    assert [line["game"].split("(")[0] for line in file["perft"]] == [name] * len(file["perft"])
    assert name in [line["game"] for line in file["perft"]]  # the game as it is by default
    for line in file["perft"]:
        assert line["leaves"][0] == 1
        assert len(line["leaves"]) > 3 or line["leaves"][2] > MANY
    assert any(line["leaves"][2] <= SLOWEST for line in file["perft"])  # two plies can be counted interpreted


@pytest.mark.parametrize(
    ("spec", "state", "leaves"), [line for line in LINES if line[0].split("(")[0] not in INTERPRETED]
)
def test_counts(spec, state, leaves):
    game = ludus.game(spec)
    start = game.position(state).state
    assert [ludus.perft(game, depth, start, compiled=True).leaves for depth in range(len(leaves))] == leaves


@pytest.mark.parametrize(("spec", "state", "leaves"), needing_extras(LINES))
def test_counts_interpreted(spec, state, leaves):
    game = ludus.game(spec)
    start = game.position(state).state
    small = next((i for i, count in enumerate(leaves) if count > SLOWEST), len(leaves))
    assert small > 1
    assert [ludus.perft(game, depth, start, compiled=False).leaves for depth in range(small)] == leaves[:small]
