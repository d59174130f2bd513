"""`ludus reproduce`: words, one object, a report; what is kept; and bad input."""

from __future__ import annotations

import pytest

from tests.support.commands import assert_refused, run

COMMAND = ("reproduce", "abramson-1989", "--only", "figure-1", "--only", "figure-3")
FAST = ("--quick", "--no-compile", "--workers", 1)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_json_words_and_report(folder):
    found = run(*COMMAND, *FAST, "--json").json
    assert found["study"] == "abramson-1989"
    assert (
        found["rows"][0] | {"what": "the root's value", "paper": -1, "measured": -1, "agrees": True} == found["rows"][0]
    )
    assert {"low", "high"} <= found["rows"][0].keys()
    ran = run(*COMMAND, *FAST, "-o", "report")
    assert ran.status == 0
    assert "figure-3: Razoring on the same tree" in ran.out
    assert "3 of 3 numbers of the paper agree" in ran.out
    written = {f"abramson-1989.{ending}" for ending in ("html", "json", "md")}
    assert {path.name for path in (folder / "report").iterdir()} == written
    table = run("reproduce", "--summary", "report").out
    assert "| abramson-1989 | [figure-3](abramson-1989.md#figure-3-razoring-on-the-same-tree) |" in table
    assert "| yes: 2 of 2 |" in table
    assert_refused(run("reproduce", "--summary", "nowhere"), "there is no report in 'nowhere'")
    runs = run("runs", "--json").json["runs"]
    assert [each["game"] for each in runs] == ["abramson-1989 figure-1", "abramson-1989 figure-3"]
    assert {each["status"] for each in runs} == {"finished"}
    assert run("runs").status == 0
    run(*COMMAND, *FAST, "--new")
    assert len(run("runs", "--json").json["runs"]) == 4


def test_list():
    ran = run("reproduce", "--list")
    assert "utgoff-cochran-2001" in ran.out
    found = run("reproduce", "utgoff-cochran-2001", "--list", "--json").json["studies"]
    assert [each["study"] for each in found] == ["utgoff-cochran-2001"]
    assert {"figure-3", "figure-11", "table-1"} <= {part["part"] for part in found[0]["parts"]}


def test_bad_input(folder):
    assert_refused(run("reproduce", "utgof-cochran-2001"), "did you mean utgoff-cochran-2001")
    assert_refused(
        run("reproduce", "abramson-1989", "--only", "figure-99"), "unknown part of abramson-1989 'figure-99'"
    )
    assert_refused(run("reproduce", "all", "--only", "figure-1"), "--only")
    (folder / "file").write_text("")
    assert_refused(run(*COMMAND, *FAST, "-o", "file"), "cannot be made a folder")
