"""The README and the pages of `docs/` say what is true: every example is run, every output compared."""

from __future__ import annotations

import doctest
import re
import shlex
import tokenize
from pathlib import Path

import pytest

import ludus
from ludus.arena.ranking import STOPPED
from ludus.arena.store.store import FINISHED, INTERRUPTED, PLAYING, UNFINISHED
from ludus.kernel.parts import PARTS
from ludus.model import registry
from ludus.model.component import Component, parameters
from ludus.model.program import Program
from ludus.model.search import Search
from ludus.model.spec import format_arguments
from tests.support import REPOSITORY
from tests.support.commands import run
from tests.support.pages import DOCS, PAGES, WITH_EXAMPLES, page

OTHERS = [
    REPOSITORY / "CONTRIBUTING.md",
    REPOSITORY / "CHANGELOG.md",
    *sorted(set(DOCS.rglob("*.md")) - set(PAGES)),
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page: Path, *kinds: str) -> list[tuple[str, str]]:
    """The examples of a page, in order, each with its kind."""
    return [(kind, text) for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind in kinds]


def file_name(source: str) -> str | None:
    """The name in the first line of an example that is a whole file."""
    found = re.match(r"# (\w+\.(?:py|tree))\n", source)
    return found[1] if found else None


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_every_example(page, folder):
    """In order, in one folder and one session: files are written, Python is run, commands are compared."""
    if page.stem == "openspiel":
        pytest.importorskip("pyspiel")
    scope: dict[str, object] = {}  # what a page uses it imports
    done = 0
    for kind, text in blocks(page, "python", "console", "text"):
        done += 1
        if kind == "console":
            check_commands(text)
        elif (name := file_name(text)) is not None:
            (folder / name).write_text(text, encoding="utf-8")
        elif kind == "text":
            continue
        elif ">>>" in text:
            check_session(page, text, scope)
        else:
            exec(compile(text, f"{page.name}, example {done}", "exec"), scope)
    assert done > 0


def check_session(page: Path, text: str, scope: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(text, scope, page.name, str(page), 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append, clear_globs=False)
    assert not said, "".join(said)
    scope.update(test.globs)


def check_commands(text: str) -> None:
    """Every documented line must come, in that order; times, and how much was done in them, may vary.

    So may all that depends on who takes part, where the command does not say it: there the outline must be the same.
    """
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "ludus"
        shorter = ["--games", "200"] if names_nobody(arguments) and "--games" not in arguments else []
        ran = run(*arguments, *shorter)
        assert ran.status == 0, ran
        assert re.sub(r"^.* needs the .*: it is fitted now, and kept\n", "", ran.err) == ""  # the first time
        essence = outline if names_nobody(arguments) else steady
        lines = iter(essence(ran.out))
        for line in essence(output):
            assert line in lines, f"{command}: {line!r} is not in, or out of order in:\n{ran.out}"


def steady(text: str) -> list[str]:
    """The lines without what differs from run to run."""
    text = re.sub(r"\d+\.\d+ s\b", "TIME", text)
    text = re.sub(r"[\d,]+ positions/s", "RATE", text)
    text = re.sub(r"\d+ random games, \d+ positions", "GAMES", text)
    text = re.sub(r"^In random play .*$", lambda line: re.sub(r"[\d.]+", "#", line[0]), text, flags=re.MULTILINE)
    text = re.sub(r"^(\d+ .* … .*?) +[\d,]+$", r"\1 MICROSECONDS", text, flags=re.MULTILINE)  # of a ranking
    text = re.sub(r" +µs$", " µs", text, flags=re.MULTILINE)
    text = re.sub(r"[\d,]+ µs a move", "MICROSECONDS", text)
    text = re.sub(r"^At equal time .*\n", "", text, flags=re.MULTILINE)  # which follows from them
    return [line.rstrip() for line in text.splitlines()]


def names_nobody(arguments: list[str]) -> bool:
    """Whether this is a ranking of the contenders, whoever they are: a new one must not change a page."""
    return arguments[0] == "rank" and not [spec for spec in arguments[2:3] if not spec.startswith("-")]


def outline(text: str) -> list[str]:
    """The lines of a ranking that are the same whoever takes part, without numbers and columns' widths."""
    lines = [re.sub(r"\d[\d,.]*", "#", " ".join(line.split())) for line in text.splitlines()]
    return [line for line in lines if re.match(r"\S+: # games in pairs|player |Run # ", line)]


def test_the_check_of_examples_can_fail(folder):
    check_commands("$ ludus perft nim 1 --no-compile\nnim: 3 positions at depth 1\n7.0 s, 1 positions/s\n")
    with pytest.raises(AssertionError, match="4 positions"):
        check_commands("$ ludus perft nim 1 --no-compile\nnim: 4 positions at depth 1\n")
    ranked = "tictactoe: 9 games in pairs, nodes=2000 each, eval=open-lines where a search evaluates, seed 0\n"
    table = "   player  Elo  95 %  games  score  +  =  -  LOS  nodes  budget  µs\n1  best  +703  +524 … +938\n"
    command = "$ ludus rank tictactoe --no-compile --workers 1 --games 10 --db none.db --budget nodes=9\n"
    check_commands(command + ranked + table)
    with pytest.raises(AssertionError, match="eval=zero"):
        check_commands(command.replace("none", "other") + ranked.replace("open-lines", "zero"))
    with pytest.raises(AssertionError, match="Elo error"):
        check_commands(command.replace("none", "third") + table.replace("95 %", "error"))
    with pytest.raises(AssertionError, match="Expected"):
        check_session(REPOSITORY / "README.md", ">>> 1 + 1\n3\n", {})


# The README's own game.


def own_game() -> str:
    [source] = [text for _, text in blocks(REPOSITORY / "README.md", "python") if file_name(text) == "mygame.py"]
    return source


def test_own_game_has_at_most_15_lines_of_code(folder):
    (folder / "mygame.py").write_text(own_game())
    with tokenize.open(folder / "mygame.py") as file:
        tokens = list(tokenize.generate_tokens(file.readline))
    nothing = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    code = {token.start[0] for token in tokens if token.type not in nothing and not token.string.startswith('"""')}
    assert len(code) <= 15


def test_own_game_against_the_theory_of_sums(folder):
    """Two crosses at a distance of at most 2 lose at once, so a cross cuts the row in two: the octal game 0.007."""
    grundy: list[int] = []
    for length in range(12):
        reached = {grundy[max(i - 2, 0)] ^ grundy[max(length - i - 3, 0)] for i in range(length)}
        grundy.append(next(g for g in range(99) if g not in reached))
    winning = {i for i in range(11) if grundy[max(i - 2, 0)] == grundy[max(11 - i - 3, 0)]}
    (folder / "mygame.py").write_text(own_game())
    result = ludus.player("minimax(eval=zero, depth=11)", compiled=True).choose(ludus.game("mygame.py:Treblecross"))
    assert {child.move for child in result.children if child.value > 0} == winning
    assert result.move in winning
    assert result.value == 2**20


def test_own_game_conforms_compiled(folder):
    (folder / "mygame.py").write_text(own_game())
    found = run("check", "mygame.py:Treblecross", "--compile", "--seconds", 0.2, "--json").json
    assert found["passed"]
    assert found["compiled"]


# What must not be forgotten.


@pytest.mark.parametrize("name", ["guide.md", "ranking.md"])
def test_every_json_key_of_rank_is_told(name):
    ranking = ludus.rank("nim", "random", "greedy", games=2, workers=1, compiled=False).to_dict()
    told = set(re.findall(r"\w+", page(name).read_text(encoding="utf-8")))
    assert {*ranking, *ranking["players"][0]} <= told


def test_every_status_of_a_run_is_told():
    section = page("guide.md").read_text(encoding="utf-8").split("\n## The database\n")[1].split("\n## ")[0]
    told = {name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert {*STOPPED, PLAYING, INTERRUPTED, FINISHED, UNFINISHED} <= told


def test_install_commands_stand_there_once_each():
    commands = [line for kind, text in blocks(REPOSITORY / "README.md", "sh") for line in text.splitlines()]
    assert len(commands) == 2
    assert commands[0].startswith("pip install . && ludus ")
    assert commands[1] == 'pip install -e ".[test]" && python -m pytest -n auto'
    assert "python -m pytest -n auto" in (REPOSITORY / ".ci" / "run").read_text()
    shown = [text for _, text in blocks(REPOSITORY / "README.md", "console")]
    assert shown[0].startswith("$ " + commands[0].partition(" && ")[2])


@pytest.mark.parametrize("name", sorted(registry.searches().classes))
def test_every_search_has_a_row(name):
    chunks = page("searches.md").read_text().split("\n\n")
    table = next(chunk for chunk in chunks if chunk.startswith("| search | paper |"))
    assert re.findall(r"^\| `([\w-]+)` \|.*\|.*\|$", table, re.MULTILINE).count(name) == 1


@pytest.mark.parametrize("name", sorted(registry.games().classes))
def test_every_game_has_a_row_with_its_parameters(name):
    first_table = page("games.md").read_text().split("\n\n")[1]
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) ?\| .*\|$", first_table, re.MULTILINE)
    defaults = {key: p.default for key, p in parameters(registry.games().classes[name]).items()}
    told = f"`{format_arguments(defaults)}`" if defaults else ""
    assert [row for row in rows if row[0] == name] == [(name, told)]


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_version_is_in_the_changelog_and_the_citation():
    released = ludus.__version__
    assert f"## {released}" in (REPOSITORY / "CHANGELOG.md").read_text()
    assert f"version: {released}" in (REPOSITORY / "CITATION.cff").read_text()


def test_the_whole_contract_of_a_search_is_documented():
    text = page("searches.md").read_text()
    names = {name for kind in (Search, Program, Component) for name in vars(kind) if not name.startswith("_")}
    ours = {
        "spec",
        "title",
        "summary",
        "from_arguments",
        "concrete_class",
        "shared",
        "has_own",
        "internal_fields",
        "defines",
        "watched",
        "apart",
    }
    assert {name for name in names - ours if not re.search(rf"^\| `{name}\b", text, re.MULTILINE)} == {"step"}
    assert "`step`" in text
    parts = {part.__name__ for part in PARTS}
    assert {name for name in parts if f"`{name}`" not in text} == set()


def test_the_way_of_a_ranking_leads_through_files_that_exist():
    section = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n## The way of a ranking\n")[1]
    files = set(re.findall(r"`([\w/]+\.py)`", section.split("\n## ")[0]))
    assert 20 <= len(files) <= 30
    assert {file for file in files if not (REPOSITORY / "src" / "ludus" / file).exists()} == set()
