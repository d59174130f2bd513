"""The machinery of `ludus reproduce`, with a study of its own: what is kept, goes on, is interrupted and is written."""

import json

import pytest

import ludus
from ludus.arena.store.store import Store
from ludus.common.errors import LudusError
from ludus.studies.engine import reproduction
from ludus.studies.engine.reproduction import reproduce
from ludus.studies.engine.study import Study

calls: list[int] = []
interrupted: list[int] = []

study = Study("nim-2026", "A. Nobody 2026, On Nim", "What is reproduced.")


def square(number: int) -> int:
    calls.append(number)
    return number * number


@study.part("figure-1", "squares", "A line that rises.")
def figure_1(lab):
    numbers = lab.by(tiny=[1, 2], quick=[1, 2, 3], full=[1, 2, 3, 4])
    values = [lab.measure(square, number) for number in lab.each(numbers)]
    lab.exact("the sum of squares", sum(values), 5)
    if interrupted:
        raise KeyboardInterrupt
    lab.draw_lines(
        "squares", {"": {"ours": [(n, v, None, None) for n, v in zip(numbers, values, strict=True)]}}, x="n", y="n²"
    )
    lab.say("The sum", "was found.")


@study.part("table-1", "a match", "Minimax wins all.")
def table_1(lab):
    match = lab.match("nim(stones=7)", "minimax(depth=7)", "random", pairs=lab.by(tiny=2, quick=3, full=4), openings=1)
    lab.share("minimax against random", match, 1.0, games=20)
    lab.exact("games", match.games, None)
    lab.mean("nodes", [meter.generated for _, meter in match.games_of(0)])


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    calls.clear()
    interrupted.clear()
    monkeypatch.setattr(reproduction, "studies", lambda: {study.name: study})


def run(**options):
    options = {"scale": "tiny", "workers": 1, "compiled": False} | options
    return reproduce(study, **options)


def test_rows_are_those_of_the_contract():
    found = run()
    told = found.to_dict()
    assert told["study"] == "nim-2026"
    first, second, games, nodes = told["rows"]
    assert {key: first[key] for key in ("what", "paper", "measured", "low", "high", "agrees")} == {
        **{"what": "the sum of squares", "paper": 5, "measured": 5, "low": 5, "high": 5, "agrees": True},
    }
    assert (second["paper"], second["agrees"]) == (1.0, True)
    assert (games["paper"], games["agrees"], games["measured"]) == (None, None, 4)
    assert nodes["measured"] > 0
    assert [part["complete"] for part in told["parts"]] == [True, True]
    assert told["processor"] > 0


def test_only_some_parts_and_no_others():
    assert [each.part.name for each in run(only=["table-1"]).found] == ["table-1"]
    with pytest.raises(LudusError, match="unknown part of nim-2026 'figure-2'"):
        run(only=["figure-2"])
    with pytest.raises(LudusError, match="unknown study 'nim'"):
        reproduction.study_named("nim")


def test_the_same_call_measures_nothing_again_and_a_larger_one_goes_on(tmp_path):
    db = tmp_path / "x.db"
    first = run(db=db)
    assert calls == [1, 2]
    again = run(db=db)
    assert calls == [1, 2]
    assert again.rows == first.rows
    assert again.seconds == first.seconds
    assert again.processor == first.processor > 0
    larger = run(db=db, scale="quick")
    assert calls == [1, 2, 3]
    assert larger.rows[0]["agrees"] is False
    assert larger.rows[2]["measured"] == 6
    assert larger.rows == run(scale="quick").rows  # as if it had been played at once
    with Store(db) as store:
        assert [(each["command"], each["game"], each["status"]) for each in store.runs()] == [
            ("reproduce", "nim-2026 figure-1", "finished"),
            ("reproduce", "nim-2026 table-1", "finished"),
        ]
    calls.clear()
    run(db=db, new=True)
    assert calls == [1, 2]


def test_another_seed_is_another_match():
    one, other = (run(only=["table-1"], seed=seed, scale="full").rows[2] for seed in (0, 1))
    assert one != other or run(only=["table-1"], seed=2, scale="full").rows[2] != one


def test_an_interrupt_gives_what_there_is_and_the_next_run_goes_on(tmp_path):
    db = tmp_path / "x.db"
    interrupted.append(1)
    found = run(db=db)
    assert found.interrupted
    assert [each.complete for each in found.found] == [False]
    assert [row["what"] for row in found.rows] == ["the sum of squares"]
    assert "Interrupted" in str(found)
    with Store(db) as store:
        assert [each["status"] for each in store.runs()] == ["interrupted"]
    interrupted.clear()
    calls.clear()
    assert not run(db=db).interrupted
    assert calls == []


def test_the_report_has_every_part_and_needs_nothing_else(tmp_path):
    found = run()
    names = sorted(path.name for path in found.save(tmp_path / "report"))
    assert names == ["nim-2026-figure-1.svg", "nim-2026.html", "nim-2026.json", "nim-2026.md"]
    page = (tmp_path / "report" / "nim-2026.html").read_text()
    words = (tmp_path / "report" / "nim-2026.md").read_text()
    assert "(nim-2026-figure-1.svg)" in words
    for text in (page, words):
        assert "A line that rises." in text
        assert "The sum was found." in text
        assert "the sum of squares" in text
    assert "<svg" in page
    assert 'src="' not in page
    assert "http" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )
    (tmp_path / "file").write_text("")
    with pytest.raises(LudusError, match="cannot be made a folder"):
        found.save(tmp_path / "file")


def test_progress_goes_up_from_part_to_part():
    seen = []
    run(progress=lambda part, done, words: seen.append((part.name, done)))
    assert [done for _, done in seen] == sorted(done for _, done in seen)
    assert seen[0] == ("figure-1", 0.0)
    assert seen[-1] == ("table-1", 2.0)


shared = Study("nim-2027", "A. Nobody 2027, On Nim again", "What is shared.")


@shared.part("one", "a square", "It is a square.")
def one(lab):
    lab.exact("five squared", lab.measure(square, 5), 25)


@shared.part("two", "the same square, and a ranking", "It is the same.")
def two(lab):
    lab.exact("five squared", lab.measure(square, 5), 25)
    [found] = lab.rank([("nim(stones=9)", ["minimax", "random", "solve"], "nodes=60", 12)], openings=1)
    lab.table("Who is best", ["place", "player"], [[str(i), row["player"]] for i, row in enumerate(found["players"])])
    lab.exact("games", found["games"], 12)
    lab.exact("left out", len(found["excluded"]), 0)


@pytest.mark.parametrize("kept", [True, False])
def test_what_one_part_has_measured_the_others_find(tmp_path, kept):
    db = tmp_path / "x.db" if kept else None
    found = reproduce(shared, scale="tiny", workers=1, compiled=False, db=db)
    assert calls == [5]
    assert all(row["agrees"] for row in found.rows)
    assert found.found[1].tables[0].rows[0][1].startswith(("minimax", "solve"))
    if kept:
        again = reproduce(shared, scale="tiny", only=["two"], workers=1, compiled=False, db=db)
        assert (again.rows, calls) == (found.rows[1:], [5])
        reproduce(shared, scale="tiny", workers=1, compiled=False, db=db, new=True)
        assert calls == [5, 5], "starts over, once"
        with Store(db) as store:
            assert [each["command"] for each in store.runs()].count("rank") == 2


def test_a_table_of_words_stands_in_the_report(tmp_path):
    found = reproduce(shared, scale="tiny", only=["two"], workers=1, compiled=False)
    found.save(tmp_path)
    for text in (found.text(), (tmp_path / "nim-2027.md").read_text(), (tmp_path / "nim-2027.html").read_text()):
        assert "Who is best" in text
        assert "minimax(eval=sampler, nodes=60)" in text
    assert json.loads((tmp_path / "nim-2027.json").read_text())["study"] == "nim-2027"


def test_a_match_of_a_study_is_that_of_the_command():
    """So a report may name the command that plays it again."""
    share, games, *_ = run(only=["table-1"], scale="full", seed=3).rows
    players = "minimax(depth=7)", "random"
    played = ludus.match("nim(stones=7)", *players, games=8, openings=1, seed=3, compiled=False)
    assert (games["measured"], share["measured"]) == (played.games, played.points[0] / played.games)


costly = Study("nim-2028", "A. Nobody 2028, On cheap Nim", "Who can play.")


@costly.part("cost", "a ranking at one node a move", "Few can play.")
def cost(lab):
    players = ["minimax(depth=5)", "random", "uct(leaf=playout)"]
    both = ("nim(stones=9)", players, "nodes=1", 4), ("nim(stones=9)", players[:1] + players[2:], "nodes=1", 4)
    for found in lab.rank(both, openings=1):
        lab.exact("took part", len(found["players"]))
        lab.exact("left out", sum("its first move costs" in each["reason"] for each in found["excluded"]))
    lab.exact("cannot", sum(bool(why) for why in lab.why_not("nim(stones=9)", players, "nodes=1")))


def test_who_cannot_play_at_a_budget_is_left_out_with_the_reason():
    rows = reproduce(costly, scale="tiny", workers=1, compiled=False).rows
    assert [row["measured"] for row in rows] == [2, 1, 0, 2, 1]  # who is left alone does not play either
