"""Rules that are edited while workers live, or while a run is played: no run ever mixes two sets of rules."""

from __future__ import annotations

import pickle
import sys
from contextlib import closing
from pathlib import Path

import pytest

import ludus
from ludus.arena.play.openings import Opening
from ludus.arena.play.pairs import Pair
from ludus.arena.play.sources import Sources
from ludus.arena.pool.resources import perform
from ludus.arena.pool.workers import Processes
from ludus.common.errors import LudusError
from ludus.library.games.nim import Nim
from ludus.model import registry
from tests.support.game_sources import count

NOT_WHAT_IT_WAS = r"count\.py is not what it was when the run began: .* the same command plays by the rules"
EDITED = r"count\.py was edited while the run was played, so the run has stopped"
LAST_LOSES = ("return -1", "return 1")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.fixture
def file(tmp_path) -> Path:
    file = tmp_path / "count.py"
    file.write_text(count(12, '    evaluator = "zero"\n'))
    return file


@pytest.fixture
def sent(file) -> dict[str, bytes]:
    """The game as it was and as it is now, as they are sent to a worker."""
    before = pickle.dumps(ludus.game(f"{file}:Count"))
    edit(file, *LAST_LOSES)
    return {"before": before, "now": pickle.dumps(ludus.game(f"{file}:Count"))}


def test_a_file_that_was_edited_is_loaded_again(file):
    game = ludus.game(f"{file}:Count")
    file.write_text(file.read_text().replace("class", "# a remark\n\nclass"))
    assert type(ludus.game(f"{file}:Count")) is type(game)
    edit(file, *LAST_LOSES)
    assert game.result((0,)) == -1
    assert ludus.game(f"{file}:Count").result((0,)) == 1
    file.unlink()
    assert ludus.game(f"{file}:Count").result((0,)) == 1


def test_a_living_worker_takes_the_new_rules(file, sent):
    module = sys.modules[type(ludus.game(f"{file}:Count")).__module__]
    edit(file, *LAST_LOSES[::-1])
    assert ludus.game(f"{file}:Count").result((0,)) == -1  # what a worker has that lives since then
    edit(file, *LAST_LOSES)
    assert pickle.loads(sent["now"]).result((0,)) == 1
    assert sys.modules[module.__name__] is not module


def test_a_worker_refuses_rules_that_it_does_not_have(sent):
    with pytest.raises(LudusError, match=NOT_WHAT_IT_WAS):
        pickle.loads(sent["before"])
    assert pickle.loads(sent["now"]).result((0,)) == 1


def test_a_file_that_the_rules_import_counts(file):
    helper = file.with_name("loser_of_count.py")
    helper.write_text("def last(state):\n    return -1\n")
    edit(file, "from ludus", "from loser_of_count import last\nfrom ludus")
    edit(file, "return -1", "return last(state)")
    before = pickle.dumps(ludus.game(f"{file}:Count"))
    helper.write_text("def last(state):\n    return 1\n")
    now = registry.load_file(str(file), again=True).Count()
    assert now.result((0,)) == 1
    with pytest.raises(LudusError, match=NOT_WHAT_IT_WAS):
        pickle.loads(before)
    assert pickle.loads(pickle.dumps(now)).result((0,)) == 1


def test_a_worker_with_another_version_of_an_installed_game_refuses(monkeypatch):
    sent = pickle.dumps(ludus.game("nim"))
    assert str(pickle.loads(sent)) == "nim"
    monkeypatch.setattr(Nim, "score", lambda self, state: 17)
    monkeypatch.setattr("ludus.model.identity.of_class", ludus.model.identity.of_class.__wrapped__)
    with pytest.raises(LudusError, match=r"a worker has another version of ludus\.library\.games\.nim\.Nim: "):
        pickle.loads(sent)


@pytest.mark.slow
def test_a_worker_that_is_replaced_after_an_edit_refuses(file):
    game = ludus.game(f"{file}:Count")
    players = tuple(ludus.player(spec, compiled=False).on(game) for spec in ("random", "greedy"))
    pairs = [Pair((0, 1, n), Opening(game, ()), players, n) for n in range(40)]
    done = []

    def play(pool: Processes) -> None:
        for records in pool.run(pairs):
            done.append([(record.moves, record.score) for record in records])
            if len(done) == 3:
                edit(file, *LAST_LOSES)
                pool.workers[0].process.kill()

    with closing(Processes(perform, 1)) as pool, pytest.raises(LudusError, match=NOT_WHAT_IT_WAS):
        play(pool)
    assert 3 <= len(done) < 40
    assert done == [[(record.moves, record.score) for record in pair.perform()] for pair in pairs[: len(done)]]


@pytest.mark.parametrize("command", ["match", "rank"])
def test_a_run_whose_file_is_edited_stops(command, file, tmp_path):
    players = [ludus.player(spec, compiled=False) for spec in ("random", "greedy(eval=zero)")]
    told = []

    def progress(result):
        told.append(result.games)
        if len(told) == 2:
            file.write_text(f"# a remark\n{file.read_text()}")
        if len(told) == 4:
            edit(file, *LAST_LOSES)

    options = {"games": 20, "workers": 1, "db": tmp_path / "x.db", "progress": progress}
    with pytest.raises(LudusError, match=EDITED):
        getattr(ludus, command)(f"{file}:Count", *players, **options)
    assert told == [2, 4, 6, 8]
    again = getattr(ludus, command)(f"{file}:Count", *players, **options | {"progress": lambda result: None})
    assert again.run == 2


def test_the_files_of_a_run(file):
    game = ludus.game(f"{file}:Count")
    assert Sources(game, []).files.keys() == {file}
    assert Sources(ludus.game("nim"), [ludus.player("random").on(ludus.game("nim"))]).files == {}
    sources = Sources(game, [])
    edit(file, "return -1", "return -1 +")  # it is being written
    sources.check()
    file.unlink()
    sources.check()
