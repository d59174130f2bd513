"""Every file of ours is read as it was written; a damaged one is read as it was, too, or refused in one sentence."""

from __future__ import annotations

import csv
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.arena.store import ledger
from ludus.arena.store.store import Store
from ludus.common.errors import LudusError
from ludus.compile import cache
from ludus.features.tuples import Board, _entries, tuples_of
from ludus.learning import calibrate
from ludus.learning.by_differences import Course
from ludus.learning.chunks import keep_chunk, load_chunk
from ludus.learning.features import features_of
from ludus.learning.learn import show_saved
from ludus.learning.report import Calibrated
from ludus.library.evaluators.learned import learned
from ludus.model.calibration import Calibration
from ludus.studies.engine import study_summary
from tests.fuzz.damage import damaged_bytes, damaged_json
from tests.fuzz.trying import limited
from tests.support.commands import run
from tests.support.databases import invented, key_of

SECONDS = 2.0
"""Of processor time that reading a small file may take at most, damaged or not."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path))
    return tmp_path


@contextmanager
def soon(what: object) -> Iterator[None]:
    started = time.process_time()
    with limited(what):
        yield
    assert time.process_time() - started < SECONDS, what


def read_or_none(read: Callable[[], object]) -> object:
    """What is read; None if that is refused in a sentence."""
    try:
        return read()
    except LudusError as error:
        refusal = str(error)
    assert "\n" not in refusal
    assert refusal.endswith(".")
    return None


def try_damages(file: Path, read: Callable[[], object], wanted: object, cases: int, damage=damaged_bytes) -> int:
    """Damage a file and read it: as `wanted`, as None, or not at all, in a sentence. How often it was not read."""
    content, refused = file.read_bytes(), 0
    for seed in range(cases):
        file.write_bytes(damage(content, random.Random(seed)))
        with soon((file.name, seed)):
            found = read_or_none(read)
        refused += found is None
        assert found is None or found == wanted, seed
    file.write_bytes(content)
    assert read() == wanted
    return refused


# Learnt evaluators.


GAMES = {
    "features": "kalah(houses=2, seeds=1)",
    "pairs": "tictactoe",
    "tuples": "tictactoe",
    "both": "connect4(columns=3, rows=3, line=3)",
}


def record_of(kind: str) -> dict:
    """What a file of a learnt evaluator of this kind holds; nobody has learnt it."""
    game = ludus.game(GAMES[kind])
    made = features_of(game, kind).evaluator
    weights, point = (
        np.random.default_rng(1).normal(size=(2, made.size)),
        {"games": 1, "score": 0.5, "low": 0, "high": 1},
    )
    unknown = [[None] * made.size] * 2
    about = {"errors": unknown, "p_values": weights.tolist(), "fit": {"r2": 0.5, "mse": None}, "positions": 12}
    about |= {"games": 3, "shown": {"predicted": [0.5], "observed": [1.0]}, "curve": [point | {"opponent": "random"}]}
    about |= {"key": "k", "seed": 0, "method": "td", "target": "outcome", "settings": {"rate": 0.1}}
    about |= {"fingerprint": "f", "version": "0.1.0", "date": "2025-01-01"}
    return made.weighing(weights, **about).about


def told(file: Path) -> tuple[str, str]:
    """All that is made of a file: words and JSON."""
    found = show_saved(str(file))
    opinion = found.evaluator.on(ludus.game(found.about["game"]))
    position = ludus.game(found.about["game"]).position()
    with np.errstate(over="ignore"):  # of bit boards
        opinion = opinion.evaluate(position.game, position.state)
    return found.text(), json.dumps([found.to_dict(), opinion], allow_nan=False)


@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("damage", [damaged_bytes, damaged_json])
def test_learnt_evaluators(folder, kind, damage):
    file, record = folder / "x.json", record_of(kind)
    learned.save(learned.from_record(record), file)
    assert learned.load(str(file)).about == record
    assert try_damages(file, lambda: told(file), told(file), 60, damage) > 30


@pytest.mark.parametrize("kind", GAMES)
def test_learnt_evaluators_by_hand(folder, kind):
    """Without a checksum: whatever is read can be used, and whatever cannot be used is not read."""
    file, content, refused = folder / "x.json", json.dumps(record_of(kind)).encode(), 0
    for seed in range(150):
        file.write_bytes(damaged_json(content, random.Random(seed)))
        with soon(seed):
            found = read_or_none(lambda: told(file))
        refused += found is None
        assert found is None or "\x1b" not in found[0], seed
    assert refused > 50


@pytest.mark.parametrize(
    "changes",
    [
        {"shape": [10**9, 10**9]},
        {"shape": [1] * 40},
        {"shape": [100_000, 100_000]},
        {"shape": [100, 100], "symmetries": [list(range(10_000))], "kinds": 3},
        {"kinds": 10**6},
        {"kinds": 900, "swapped": list(range(900))},
        {"kinds": 2, "swapped": [], "lengths": [10**9]},
        {"lengths": list(range(1, 17))},
        {"lengths": []},
        {"swapped": [0, 5, 7]},
        {"symmetries": []},
        {"symmetries": [[0] * 9]},
        {"sides": 10**9},
    ],
    ids=lambda changes: ",".join(changes),
)
def test_a_board_in_a_file_may_be_anything(changes):
    record = record_of("tuples")
    with soon(changes), pytest.raises(LudusError, match="is damaged: it does not hold what ludus learn wrote"):
        learned.from_record(record | {"features": record["features"] | changes})


def test_how_many_patterns_share_a_column():
    """The bound in `check_size`."""
    for kinds in range(3, 8):
        pairs = [0, *(kind + 1 if kind % 2 else kind - 1 for kind in range(1, kinds))]
        swapped = tuple(other if other < kinds else kind for kind, other in enumerate(pairs))
        for length in (1, 2, 3, 4):
            for other in ((), swapped):
                columns = _entries(length, True, Board((length,), kinds, (length,), (), other), 0)[2]
                assert kinds**length <= 6 * len(columns)
    assert len(tuples_of(Board((8, 8), 3, (2,))).names) > 0


def test_a_copy_is_called_by_its_own_name():
    original = learned.save(learned.from_record(record_of("pairs") | {"name": "pairs"}))
    original.with_name("copy.json").write_bytes(original.read_bytes())
    assert ludus.evaluator("learned/copy").title == "learned/copy"
    assert ludus.evaluator("learned/copy").hash == ludus.evaluator("learned/pairs").hash


# Calibrations.


def some_calibration() -> Calibration:
    chance = np.random.default_rng(1)
    sizes = {"error": (256, 3), "win": (2,), "win_phases": (4, 2), "interval": (4, 2), "probcut": (8, 6)}
    return Calibration(**{name: chance.normal(size=size) for name, size in sizes.items()})


@pytest.mark.parametrize("damage", [damaged_bytes, damaged_json])
def test_calibrations(damage):
    known = some_calibration()
    file = known.save()

    def read() -> str:
        return Calibration.load(known.hash).hash

    assert try_damages(file, read, known.hash, 150, damage) > 50


@pytest.mark.parametrize("field", Calibration._fields)
def test_a_calibration_of_another_shape_is_refused(field):
    """Though its checksum is right: compiled code would read beyond its end."""
    for shape in ((), (0,), (1,), (3,), (2, 2), (3, 3), (0, 3), (5, 5, 5)):
        wrong = some_calibration()._replace(**{field: np.ones(shape)})
        wrong.save()
        with pytest.raises(LudusError, match="there is no calibration"):
            Calibration.load(wrong.hash)


def test_reports_of_calibrations(folder):
    known = some_calibration()
    plain = ludus.evaluator("open-lines")
    facts = {"calibration": known.hash, "positions": 12, "error": {"mean": 0.1, "sd": None}}
    calibrate._save("key", Calibrated(plain.calibrated(known), facts, was_saved=False))

    def read() -> dict | None:
        found = calibrate._saved("key", plain)
        return found and found.facts

    assert try_damages(calibrate._report("key"), read, facts, 150) > 100


# What is kept while somebody learns.


def test_the_course_of_learning(folder):
    course = Course(np.array([[0.1, np.nan]]), np.array([[1e300, -0.0]]), 3, 70, [{"games": 1, "score": 0.5}])

    def read() -> str | None:
        found = Course.kept_in(folder)
        return repr(found) if found else None

    course.keep(folder)
    assert try_damages(folder / "td.json", read, repr(course), 150) > 100


def test_chunks_of_examples(folder):
    chunk = {"a": np.arange(5), "b": np.array([[0.5, np.inf]])}
    keep_chunk(folder, 7, chunk)

    def read() -> str | None:
        found = load_chunk(folder, 7)
        return repr(found) if found is not None else None

    assert try_damages(folder / "7.npz", read, repr(chunk), 150) > 100


# What the compiler notes, who has played what, what was played.


def test_notes(folder):
    for text in ("rule play does not compile", "é\nline\t2", "", "game\udcff.py\x1b"):
        cache.write_note(folder, "x", text)
        kept = cache.read_note(folder, "x")
        assert kept == text.encode(errors="backslashreplace").decode().replace("\x1b", "\\x1b")
        assert try_damages(folder / "x.note", lambda: cache.read_note(folder, "x") or None, kept or None, 50) >= 20


def test_the_ledger(folder):
    Path("mine.py").write_text("")
    keys = [json.dumps({"game": "mine.py:G", "players": [f"uct(c={n})"]}) for n in range(3)]
    for key in keys:
        ledger.note(key, "today")
    assert all(ledger.may_build("mine.py:G", key, "today") for key in keys)
    assert not ledger.may_build("mine.py:G", keys[0], "yesterday")
    assert not ledger.may_build("other.py:G", keys[0], "today")
    assert try_damages(ledger.ledger(), lambda: ledger.may_build("mine.py:G", keys[1], "today") or None, True, 100) > 20


def test_exported_games(folder):
    """A table of games holds what was stored, whatever it was."""
    played = [invented(number) for number in range(30)]
    with Store("x.db") as store, store.run(key_of()) as stored:
        for pair, records in played:
            stored.add(pair, records)
    assert run("export", 1, "--db", "x.db", "--format", "csv").status == 0
    wanted = {(*pair.number, g): record for pair, records in played for g, record in enumerate(records)}
    with open("run-1.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(wanted)
    found = sorted(row["moves"] for row in rows)
    assert found == sorted(" ".join(map(str, record.moves)) for record in wanted.values())


# Files that people write.


def test_trees(folder):
    file = folder / "tree.txt"
    file.write_text("# a tree\nA=1[B=3[C=7 D=4] E=2[F=-1.5 G=.5]]\n")
    for seed in range(300):
        content = damaged_bytes(file.read_bytes(), random.Random(seed))
        (folder / "x.txt").write_bytes(content)
        with soon(seed), suppress(LudusError):
            game = ludus.game("tree", file="x.txt")
            again = ludus.game("tree", of=game.render(game.start))
            assert again.names == game.names
            assert np.allclose(again.worth, game.worth, rtol=1e-4)


def test_reports_of_studies(folder):
    rows = [{"part": "p", "what": "w", "paper": 1.0, "measured": 2.0, "agrees": True}]
    parts = [{"part": "p", "title": "a title", "complete": True}]
    report = {"study": "s", "of_paper": True, "parts": parts, "rows": rows}
    file = folder / "s.json"
    content = json.dumps(report).encode()
    refused = 0
    for seed in range(200):
        file.write_bytes((damaged_json if seed % 2 else damaged_bytes)(content, random.Random(seed)))
        with soon(seed):
            refused += read_or_none(lambda: study_summary.summary(folder)) is None
    assert refused > 50
