"""The table of all reports: a line for each part, read from what the reports say; and the READMEs have it as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludus.common.errors import LudusError
from ludus.studies.engine.study_summary import BEGIN, END, link_to, outcome, put_into, reproduced, summary
from tests.support import REPOSITORY
from tests.support.pages import REPORTS


def row(what: str, agrees: bool | None, **more):
    return {"part": "figure-1", "what": what, "agrees": agrees} | more


def test_a_statement_is_reproduced_if_it_agrees_under_any_convention():
    assert outcome([row("a", False), row("a", True), row("b", True)]) == "yes: 2 of 2"
    assert outcome([row("a", False), row("b", True)]) == "partly: 1 of 2"
    assert outcome([row("a", False)]) == "no: 0 of 1"
    assert outcome([row("a", None)]) == "nothing to compare"
    assert outcome([row("a", True, relation="<"), row("a", False, relation=">")]) == "partly: 1 of 2"
    assert outcome([row("a", True, ours=True), row("a", False, ours=False)]) == "no: 0 of 1"


def test_a_sentence_says_what_was_reproduced_and_what_was_not():
    assert reproduced([row("a", None)]) == ""
    assert reproduced([row("a", True)]) == "Reproduced: 1 of 1 statements."
    rows = [row(what, False, convention=convention) for what in "bcdefg" for convention in "xy"]
    assert reproduced([row("a", True), *rows]) == (
        "Reproduced: 1 of 7 statements, under at least one of the conventions that were tried. "
        "Not reproduced: b; c; d; e; and 2 more."
    )


def write(folder: Path, name: str, of_paper: bool = True) -> None:
    parts = [{"part": "figure-1", "title": "Who wins?", "complete": True}]
    report = {"study": name, "of_paper": of_paper, "parts": parts, "rows": [row("a", True)]}
    (folder / f"{name}.json").write_text(json.dumps(report))


def test_the_table_has_a_line_for_each_part_of_each_paper(tmp_path):
    with pytest.raises(LudusError, match="there is no report in"):
        summary(tmp_path)
    write(tmp_path, "nim-1901")
    write(tmp_path, "other", of_paper=False)
    *_, line = summary(tmp_path, "docs/").splitlines()
    assert line == "| nim-1901 | [figure-1](docs/nim-1901.md#figure-1-who-wins) | Who wins? | yes: 1 of 1 |"


def test_it_is_put_into_a_file_between_its_lines(tmp_path):
    write(tmp_path, "nim-1901")
    file = tmp_path / "README.md"
    file.write_text("before\n")
    with pytest.raises(LudusError, match="must have a line"):
        put_into(file, tmp_path)
    file.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    put_into(file, tmp_path)
    assert file.read_text() == f"before\n{BEGIN}\n\n{summary(tmp_path)}\n\n{END}\nafter\n"
    assert link_to(tmp_path / "docs", file) == "docs/"


@pytest.mark.parametrize("file", [REPOSITORY / "README.md", REPORTS / "README.md"])
def test_the_readmes_have_the_table_of_the_reports_as_it_is(file):
    """`ludus reproduce --summary docs/reproductions -o README.md` puts it there."""
    _, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    between, end, _ = rest.partition(END)
    assert end, "the lines for the table are there"
    expected = (
        summary(REPORTS, link_to(REPORTS, file)) if list(REPORTS.glob("*.json")) else "No study has been run in full."
    )
    assert between.strip() == expected


@pytest.mark.parametrize("path", sorted(REPORTS.glob("*.json")), ids=lambda path: path.stem)
def test_a_report_that_is_kept_is_whole(path):
    """Of a full run to the end, with all its pictures, and without the paths of somebody's machine."""
    report = json.loads(path.read_text(encoding="utf-8"))
    assert (report["scale"], report["interrupted"]) == ("full", False)
    page = path.with_suffix(".md").read_text(encoding="utf-8")
    for part in report["parts"]:
        assert part["complete"], part["part"]
        assert f"## {part['part']}: {part['title']}\n" in page
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", page):
        assert (REPORTS / picture).exists()
    for text in (page, json.dumps(report["made"])):
        assert not re.search(r"[\s\"'=]/(home|root|tmp|work|Users)/", text)


def test_the_reports_do_not_weigh_much():
    assert sum(path.stat().st_size for path in REPORTS.iterdir()) < 6_000_000
