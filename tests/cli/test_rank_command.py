"""`ludus rank`: the table, JSON, the report; killed, interrupted and taken up again."""

from __future__ import annotations

import contextlib
import html.parser
import io
import json
import os
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import ludus
from ludus.arena.reports.words import endless
from ludus.cli.next_steps import next_steps, quoted
from ludus.cli.ranking import Live, duration
from ludus.runtime.runner import SLOWER
from ludus.terminal.progress import Progress
from tests.support import SUPPORT
from tests.support.commands import PATIENCE, assert_refused, run, run_process, start, without_progress
from tests.support.invented_rankings import SHORT, invented

QUICK = ("random", "greedy(eval=zero)", "bfmm(nodes=20)", "--no-compile")
FAULTY = SUPPORT / "faulty.py"
FRAGILE = FAULTY.with_name("fragile.py")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def rank(*arguments: object):
    return run("rank", "tictactoe", *QUICK, "--workers", 1, "--games", 30, *arguments)


def test_json_has_the_keys_of_the_contract():
    found = rank("--json", "--seed", 4).json
    assert {"game", "seed", "games", "players"} <= set(found)
    assert (found["game"], found["seed"], found["games"]) == ("tictactoe", 4, 30)
    assert len(found["players"]) == 3
    for row in found["players"]:
        assert {"player", "rating", "low", "high", "games", "wins", "draws", "losses"} <= set(row)
        assert row["low"] < row["rating"] < row["high"]
        assert row["games"] == row["wins"] + row["draws"] + row["losses"]
    ratings = [row["rating"] for row in found["players"]]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) == pytest.approx(0, abs=1e-6)
    assert found["players"][0]["player"] == found["best"] != "random(eval=open-lines, nodes=2000)"
    assert found["stopped"] in ("games", "separated")
    assert found["run"] == 1


def test_the_table_says_it_all():
    ran = rank()
    assert ran.status == 0
    assert ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0].startswith("Take bfmm*: with 95 % confidence none of the others beats it by more than ")
    assert lines[1:3] == ["", "tictactoe: 30 games in pairs, seed 0"]
    assert re.match(r" +player +Elo +95 % +games +score +\+ += +- +LOS +nodes +budget +µs$", lines[4])
    assert re.match(r"1 +bfmm\S* +\+\d+ +[+-]\d+ … \+\d+ ", lines[5])
    assert "Stopped: " in ran.out
    assert re.search(r"Moving first is worth [+-]\d+ Elo", ran.out)
    *_, kept, following, play, match = lines
    assert kept == "Run 1 in ludus.db: ludus export 1 writes its games."
    told = r"Next: play against bfmm\* \([\d,]+ µs a move\), or match it with \S+ \([\d,]+ µs a move\):"
    assert re.fullmatch(told, following)
    assert play == "  ludus play tictactoe --second best"
    assert shlex.split(match)[:4] == ["ludus", "match", "tictactoe", "bfmm(eval=open-lines, nodes=20)"]
    again = rank()
    assert again.out == ran.out  # from the database
    assert again.err == "run 1 was finished before; nothing was played (--new starts over)\n"


@pytest.mark.slow
def test_it_says_that_it_goes_on():
    rank()
    more = rank("--games", 40)
    assert more.err == "continuing run 1: 30 games played so far\n"
    assert "\n\ntictactoe: 40 games" in more.out
    assert rank("--games", 40, "--json").err.startswith("run 1 was finished before")
    assert rank("--games", 40, "--json").json["games"] == 40
    assert rank("--new").err == ""


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 80, 100, 120])
@pytest.mark.parametrize(
    "name", ["", "(eval=zero, nodes=20)", "(eval=weighted-lines, table=true, killers=true, nodes=20)"]
)
def test_the_tables_fit_the_terminal(columns, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = run("rank", "tictactoe", f"alphabeta{name}", "greedy", *QUICK[3:], "--workers", 1, "--games", 8)
    assert max(map(len, ran.out.splitlines())) <= columns
    assert len(rated(ran.out)) == 2
    monkeypatch.delenv("COLUMNS")
    again = run("rank", "tictactoe", f"alphabeta{name}", "greedy", *QUICK[3:], "--workers", 1, "--games", 8)
    assert rated(ran.out) == rated(again.out)


def rated(out: str) -> list[tuple[str, ...]]:
    """Place, rating and interval of each player."""
    return re.findall(r"^(\d)  \w.* ([+-]\d+) +([+-]\d+) … ([+-]\d+)(?!\S)", out, re.MULTILINE)


def test_no_opening_is_an_error():
    ran = run("rank", "nim(stones=3)", "random", "greedy", "--no-compile", "--openings", 4)
    assert_refused(ran, "no game lasts 4 random plies: give a smaller --openings (0 is allowed)")
    assert not Path("ludus.db").exists()


def test_when_openings_run_out_it_says_what_gives_more():
    ran = run("rank", "nim(stones=6)", "random", "greedy", "--no-compile", "--workers", 1, "--openings", 1)
    assert "a longer --openings may give more." in ran.out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ratings.svg", "report.html", "ratings.png"])
def test_it_says_what_it_wrote(name):
    assert rank("-o", name).err == f"wrote {name}\n"
    first = Path(name).read_bytes()
    assert rank("-o", name).err.endswith(f"wrote {name}\n")
    assert Path(name).read_bytes() == first


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
def test_on_a_terminal_it_begins_where_it_was():
    """The bar and the live table on a pseudo-terminal."""
    rank("--games", 20)
    ran = on_terminal("rank", "tictactoe", *QUICK, "--workers", "1", "--games", "200", "--move-limit", "50")
    assert "continuing run 1: 20 games played so far" in ran
    shown = [int(found) for found in re.findall(r"(\d+) games, at most 200", ran)]
    assert shown
    assert min(shown) > 20
    assert "\x1b[1m1  " in ran  # the best in bold


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
def test_on_a_terminal_the_table_stands_while_others_are_prepared(tmp_path):
    told, go = re.compile(r"[23] of 4 searches ready, 2 games(.|\n)*1  \w.* [+-]\d+ … [+-]\d+ "), tmp_path / "go"
    last = f'{FAULTY.with_name("waiting.py")}:Waits(file="{go}", patience=600)'
    ran = on_terminal(
        *("rank", "tictactoe", *QUICK, last, "--workers", "2", "--games", "20"),
        seen=lambda output: told.search(output) and not go.exists() and go.touch(),
    )
    early, _, late = ran.partition("4 of 4 searches ready")
    assert told.search(early)
    assert "20 games in pairs" in late


def test_the_games_played_so_far_stand_beside_the_bar_when_another_search_is_ready():
    shown = []

    class Bar(Progress):
        def update(self, done, words="", total=None, above=None):
            shown.append(words)

    live = Live(20, Bar())
    live.preparing(2, 4)
    result = ludus.rank("tictactoe", "random", "greedy", compiled=False, workers=1, games=2, progress=live.show)
    live.preparing(3, 4)
    live.preparing(4, 4)
    live.show(result)
    assert shown[:2] == ["2 of 4 searches ready", "2 of 4 searches ready, 2 games"]
    assert shown[2:4] == ["3 of 4 searches ready, 2 games", "4 of 4 searches ready, 2 games"]
    assert shown[4].startswith("2 games, at most 20; ")


def test_what_to_type_next_can_be_pasted():
    ranking = invented(("pvs(table=true, killers=true, history=true, reductions=3)", "bfmm", "random"))
    ranking.run = 3
    for width in (40, 60, 100, 1000):
        _, *lines = next_steps(ranking, "my games.db", width)
        lines = lines[next(k for k, line in enumerate(lines) if line.startswith("  ludus")) :] if width < 100 else lines
        assert all(len(line) <= max(width, 60) for line in lines)
        play, match = "\n".join(lines).replace("\\\n", "").splitlines()
        assert shlex.split(play) == ["ludus", "play", "tictactoe", "--second", "best", "--db", "my games.db"]
        *command, one, other = shlex.split(match)
        assert command == ["ludus", "match", "tictactoe"]
        leaders = [ranking.names[i] for i in ranking.order[:2]]
        assert [str(ludus.player(spec)) for spec in (one, other)] == [str(ludus.player(spec)) for spec in leaders]
    assert shlex.split(quoted('a(file="x $y")')) == ['a(file="x $y")']


def test_it_says_what_it_waits_for_and_how_long(monkeypatch):
    shown, clock = [], [0.0]

    class Bar(Progress):
        def update(self, done, words="", total=None, above=None):
            shown.append((words, above(100) if above else []))

    monkeypatch.setattr("ludus.cli.ranking.time.monotonic", lambda: clock[0])
    live = Live(100, Bar())
    live.show(invented(SHORT[:3], pairs=1))
    clock[0] = 12.0
    live.show(invented(SHORT[:3], pairs=5))
    assert shown[0][0] == "6 games, at most 100; 3 not beaten"
    assert shown[1][0] == "30 games, at most 100; 3 not beaten; about 35 s left"  # 24 games in 12 s, and 70 to go
    names = ["bfmm", "alphabeta", "lcf"]
    leader = next(name for name in names if shown[1][1][1].split()[1] == name)
    others = [line.split()[1] for line in shown[1][1][2:4]]
    told = f"Waiting until {leader} has beaten {others[0]} and {others[1]}, or is known to be equal to them."
    assert shown[1][1][-1] == told
    live.preparing(1, 4)
    live.show(invented(SHORT[:3], pairs=1))
    assert shown[-1][1][-1].startswith("Waiting until 3 more are compiled and tried;")


@pytest.mark.slow
def test_the_time_left_follows_the_recent_pace(monkeypatch):
    """The first games of a run are quick, those between the strongest players may be slow."""
    words, clock = [""], [0.0]

    class Bar(Progress):
        def update(self, done, told="", total=None, above=None):
            words[0] = told

    monkeypatch.setattr("ludus.cli.ranking.time.monotonic", lambda: clock[0])
    live = Live(600, Bar(), minutes=5)
    for pairs in (*range(1, 51), *range(51, 61)):  # three pairings: 6 games a step
        clock[0] += 0.5 if pairs <= 50 else 6
        live.show(invented(SHORT[:3], pairs=pairs))
    assert words[0].startswith("360 games, at most 600; ")
    assert words[0].endswith("; about 4 min left")  # a game a second, and 240 to go; 140 s at the pace of all games
    clock[0] += 200
    live.show(invented(SHORT[:3], pairs=60))
    assert words[0].endswith("; about 16 s left")  # 284.5 of 300 s are over


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.2, "1 s"), (89, "89 s"), (100, "2 min"), (3600, "60 min"), (9000, "2.5 h")]
)
def test_times_in_words(seconds, told):
    assert duration(seconds) == told


def on_terminal(*arguments: str, seen: Callable[[str], object] = lambda output: None) -> str:
    """All that a command writes to a terminal of 100 columns; `seen` is called with what there is so far."""
    import pty

    parent, child = pty.openpty()
    environment = os.environ | {"COLUMNS": "100", "LINES": "40", "TERM": "xterm"}
    command = [sys.executable, "-m", "ludus", *arguments]
    process = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment, close_fds=True)
    os.close(child)
    found = b""
    with contextlib.suppress(OSError):  # the terminal is closed when the process ends
        while part := os.read(parent, 65536):
            found += part
            seen(found.decode(errors="replace"))
    os.close(parent)
    assert process.wait() == 0, found
    return found.decode()


class Page(html.parser.HTMLParser):
    """Every tag is closed, in order; nothing is loaded from elsewhere."""

    VOID = {"meta", "br", "input", "path", "use", "circle", "rect", "line"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            assert name not in ("src", "data", "action"), (tag, name, value)
            assert name not in ("href", "xlink:href") or value.startswith("#"), (tag, name, value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.slow
def test_the_report_is_one_page():
    assert rank("-o", "report.html").status == 0
    text = Path("report.html").read_text()
    page = Page()
    page.feed(text)
    assert page.open == []
    words = " ".join(page.text)
    for part in (
        "Ratings, with 95 % intervals",
        "Each against each",
        "Effort and strength",
        "Games",
        "Use the winner",
    ):
        assert part in words
    assert text.count("<svg") >= 2 + 5  # two charts and the boards
    assert "@import" not in text
    assert "url(http" not in text
    code = re.search(r"<pre>(import ludus.*?)</pre>", text, re.DOTALL).group(1)
    code = code.replace("&#x27;", "'").replace("&quot;", '"')
    assert len([line for line in code.splitlines() if line]) == 3
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})
    assert said.getvalue().strip() in ludus.game("tictactoe").position().moves


def test_bad_input_is_refused():
    assert_refused(rank("-o", "report.doc"), "report", ".html")
    assert_refused(rank("-o", "nowhere/report.html"), "no folder 'nowhere'")
    assert_refused(run("rank", "tictactoe", "greedy"), "at least two players")
    assert_refused(run("rank", "tictactoe", "greedy", "gredy"), "unknown search 'gredy'", "greedy")
    assert_refused(run("rank", "tictactow"), "unknown game", "tictactoe")
    assert_refused(run("rank", "tictactoe", "--budget", "nods=3"), "nods", "nodes")
    assert_refused(run("rank", "tictactoe", "--db", "nowhere/x.db"), "nowhere")
    Path("notes.txt").write_text("not a database at all, but long enough to be something else" * 20)
    assert_refused(rank("--db", "notes.txt"), "notes.txt")


def test_faults_are_reported():
    arguments = ("rank", "tictactoe", f"{FAULTY}:Raises(nodes=100)", "greedy", "--no-compile", "--workers", 1)
    found = run(*arguments, "--games", 6, "--json").json
    (fault,) = found["faults"]
    assert fault["reason"] == "ValueError: too many stones"
    assert fault["games"] == found["players"][1]["faults"] >= 3
    assert "Raises" in found["players"][1]["player"]
    assert re.search(
        r"\d games forfeited by .*Raises.*: ValueError: too many stones", run(*arguments, "--games", 6).out
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rank", "match"])
def test_a_failing_rule_is_one_sentence_and_loses_nothing(command):
    ran = run(command, f"{FRAGILE}:Fragile", "random", "greedy", "--no-compile", "--workers", 2, "--games", 400)
    assert_refused(ran, "rule play (move ", "failed in position '", "ValueError: how rare", "fragile.py, line 43)")
    assert re.search(r"; try ludus check \S*fragile.py:Fragile$", ran.err)
    assert len(stored("ludus.db")) > 0
    assert "unfinished" in run("runs").out


@pytest.mark.parametrize("arguments", [(), ("random", "greedy", "bfmm", "--games", 4)])
def test_a_rule_that_fails_at_once_is_told_once(arguments):
    ran = run("rank", f"{FRAGILE}:AtOnce", *arguments, "--no-compile", "--workers", 1)
    assert_refused(ran, "rule play (move 1)", "not even one", "try ludus check")
    assert ran.err.count("not even one") == 1


@pytest.mark.slow
def test_endless_games_are_told():
    players = ("minimax(depth=1)", "greedy", "--no-compile", "--workers", 1, "--games", 2)
    for command in ("rank", "match"):
        assert endless(2)[0] in run(command, f"{FRAGILE}:Shuffle", *players).out.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "who"), [("Wordy", "greedy, minimax"), ("Wordier", "all searches")])
def test_what_runs_interpreted_is_told_once(game, who):
    arguments = ("rank", f"{FRAGILE}:{game}", "random", "greedy", "minimax(depth=1)", "--games", 2)
    ran = run(*arguments)
    assert ran.status == 0
    (line,) = ran.err.splitlines()
    assert re.match(rf"ludus: warning: {who} run interpreted on \S*fragile.py:{game}, {re.escape(SLOWER)}: ", line)
    if who == "all searches":
        assert run(*arguments[:-1], 4).err.endswith(f"\n{ran.err}")  # also when the run goes on


def test_few_games_are_for_all():
    players = [f"minimax(nodes={nodes})" for nodes in range(1, 9)]
    found = run("rank", "tictactoe", *players, "--no-compile", "--workers", 1, "--games", 8, "--json").json
    assert [row["games"] for row in found["players"]] == [2] * 8


@pytest.mark.slow
def test_the_time_is_over_though_a_game_goes_on():
    players = ("bfmm(nodes=3000)", "bfmm(nodes=3001)", "--no-compile")
    ran = run("rank", f"{FRAGILE}:Shuffle", *players, "--minutes", 0.02, "--json")
    assert ran.status == 0
    assert (ran.json["stopped"], ran.json["games"]) == ("minutes", 0)
    assert 1.2 <= ran.json["seconds"] < 10


def stored(path: str) -> list[tuple]:
    """All games without the clock; the file must be sound."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        db.row_factory = sqlite3.Row
        found = db.execute("SELECT * FROM games ORDER BY run, one, other, opening, game").fetchall()
    return [tuple(row[key] for key in row.keys() if "seconds" not in key) for row in found]  # noqa: SIM118


EQUALS = ("bfmm(nodes=30)", "bfmm(nodes=31)", "bfmm(nodes=32)")
LONG = ("rank", "othello(size=4)", *EQUALS, "--no-compile", "--games", 400, "--openings", 6)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX only")
def test_killed_at_ten_random_moments():
    """Each time the whole process group, some games further on, without a chance to say goodbye."""
    assert run_process(*LONG, "--db", "whole.db", "--workers", 2).status == 0
    whole, chance = stored("whole.db"), random.Random(5)
    seen = 0
    for kill in range(10):
        process = start(*LONG, "--db", "killed.db", "--workers", 1 + kill % 2, start_new_session=True)
        _wait_for_more(process, seen + chance.randrange(20))
        time.sleep(chance.uniform(0, 0.02))
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        rows = stored("killed.db")
        assert set(rows) <= set(whole)
        assert len(set(rows)) == len(rows) >= seen
        assert len(rows) % 2 == 0
        seen = len(rows)
    end = run_process(*LONG, "--db", "killed.db", "--json")
    assert end.status == 0
    assert stored("killed.db") == whole
    assert end.json["games"] == len(whole)


def _wait_for_more(process, seen: int) -> None:
    """Until a game has been added, or all have been played."""
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        with (
            contextlib.suppress(sqlite3.Error),
            contextlib.closing(sqlite3.connect("file:killed.db?mode=ro", uri=True)) as db,
        ):
            if db.execute("SELECT COUNT(*) FROM games").fetchone()[0] > seen:
                return
        time.sleep(0.01)
    assert process.poll() == 0, process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name != "posix", reason="POSIX only")
def test_ctrl_c_prints_what_there_is_and_goes_on():
    process = start(*LONG, "--db", "killed.db", "--workers", 2, "--json", start_new_session=True)
    _wait_for_more(process, 20)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert without_progress(err) == ""
    found = json.loads(out)
    assert found["stopped"] == "interrupted"
    assert 0 < found["games"] == len(stored("killed.db")) < 400
    assert run_process(*LONG, "--db", "killed.db", "--json").json["games"] > found["games"]
