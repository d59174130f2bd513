"""What used to be a traceback or a hang: one sentence, exit status 2."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

import ludus
from ludus.arena.pool.workers import Processes
from ludus.cli import streams
from ludus.cli.uci import Engine
from ludus.common.errors import LudusError, RuleError
from ludus.common.files import whole_file
from ludus.kernel.tree import Tree
from ludus.pictures.charts import Rated, ratings_figure
from ludus.pictures.files import write_figure
from tests.support.commands import PATIENCE, assert_refused, run, start

ODD = Path(__file__).with_name("odd_rules.py")
LONG = "9" * 400
VERY_LONG = "9" * 5000


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Rules.


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Nan", "rule score of .*Nan failed in position '0': ValueError: a score must be a finite number, not nan"),
        ("Infinite", "rule score of .*Infinite failed .* not -inf"),
        ("Exits", "rule play .*Exits failed in position '[34]': SystemExit"),
        ("GoesOn", "rule over of .*GoesOn failed in position '0': .* goes on, but there are no moves"),
    ],
)
def test_a_rule_that_gives_nonsense(name, words):
    game = ludus.game(f"{ODD}:{name}")
    players = [ludus.player(spec, compiled=False) for spec in ("greedy", "minimax(depth=3)")]
    with pytest.raises(RuleError, match=words):
        ludus.match(game, *players, games=20)
    with pytest.raises(RuleError, match=words):
        ludus.rank(game, *players, games=20, workers=1, compiled=False)
    seats = ("--first", "minimax(depth=3)", "--second", "greedy", "--no-compile")
    ran = run("play", f"{ODD}:{name}", *seats)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("ludus: rule ")
    ran = run("check", f"{ODD}:{name}", "--games", 5, "--no-compile")
    assert ran.status == 1
    assert "FAULT in " in ran.out


@pytest.mark.parametrize("spec", ["bfmm(nodes=99)", "lcf(nodes=99)", "uct(nodes=99)", "alphabeta(depth=6)", "greedy"])
@pytest.mark.parametrize("name", ["GoesOn", "EndsEarly"])
def test_over_that_contradicts_moves_is_found(spec, name):
    """No search crashes; `check` says what is wrong."""
    game = ludus.game(f"{ODD}:{name}")
    with suppress(RuleError):
        assert ludus.player(spec, compiled=False).choose(game, (5,)).move in (1, 2)
    [fault] = ludus.check(game, games=3, compiled=False).faults
    assert fault.rule == "over"


# Numbers, names, nesting.


@pytest.mark.parametrize(
    "command",
    [
        f"search nim greedy(nodes={LONG})",
        f"search nim greedy(seconds={LONG})",
        f"search nim greedy(memory={VERY_LONG})",
        "search nim greedy(memory=1e305)",
        "search nim greedy(generate=4611686018427387904)",
        f"search nim greedy(depth={VERY_LONG})",
        f"show nim(stones={LONG})",
        f"show nim(stones={VERY_LONG})",
        "show nim(stones=4611686018427387904)",
        "show nim(most=4611686018427387904)",
        "show board-splitting(rounds=10000000000)",
        "show amazons(best=4611686018427387904)",
        "search nim alphabeta(table=true,memory_of_table=inf)",
        "search nim alphabeta(table=true,memory_of_table=1e300)",
        "search nim greedy(eval=sampler(first=4611686018427387904))",
        f"search kalah greedy(eval=kalah-heuristic(home={LONG}))",
        f"match nim greedy random --games {LONG}",
        f"rank nim --games {VERY_LONG}",
        f"rank nim --openings {LONG}",
        f"perft nim {LONG}",
        f"show {'a(b=' * 500}1{')' * 500}",
        f"search nim {'a(b=' * 500}1{')' * 500}",
        "show ~nosuchuser/game.py:Game",
        f"show {'x' * 5000}.py:Game",
        "show loop/game.py:Game",
        "show loop.py:Game",
        "runs --db ~nosuchuser/x.db",
        "runs --db loop/x.db",
        f"runs --db {'x' * 300}.db",
        f"runs --db {'x/' * 3000}x.db",
        "match nim greedy random --games 2 --no-compile --db loop/x.db",
        "trace nim bfmm -o ~nosuchuser/x.png",
        "trace nim bfmm -o loop/x.png",
        "rank nim -o loop/x.html",
        "show game\udcff.py:Game",
        "runs --db \udcff\udcfe/x.db",
    ],
    ids=lambda command: command[:40].encode(errors="replace").decode(),
)
def test_refused(command):
    Path("loop").symlink_to("loop")
    Path("loop.py").symlink_to("loop.py")
    started = time.process_time()
    assert_refused(run(*command.split()))
    assert time.process_time() - started < 3


def test_an_engine_outlives_every_line():
    out = io.StringIO()
    engine = Engine("greedy(eval=zero)", "nodes=100", 0, False, out)
    lines = [f"setoption name Hash value {LONG}", f"setoption name Seed value {VERY_LONG}", "position fen"]
    lines += [f"go {word} {number}" for word in ("depth", "nodes", "wtime 1 movestogo") for number in ("x", "-1")]
    lines += ["position startpos moves", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "setoption", "setoption name"]
    lines += [f"position fen {'k' * 300} w", f"setoption name Search value {'a(b=' * 500}", "\udcff\x00"]
    lines += [f"setoption name Budget value nodes={LONG}", "setoption name Search value \x1b", "go depth ²"]
    for line in lines:
        engine.searching = True  # no search is begun
        assert engine.obey(line.split())
    assert (engine.settings["hash"], engine.settings["seed"]) == (1_000_000, 10**18)
    for number in (LONG, f"-{VERY_LONG}", "1", "0"):
        for word in ("depth", "nodes", "movetime", "wtime", "mate"):
            engine.searching = False
            assert engine.obey(["go", word, number])
    assert not engine.obey(["quit"])


def test_show_keeps_to_its_seconds(monkeypatch):
    monkeypatch.setattr("ludus.cli.position.PATIENCE", 1.0)
    started = time.process_time()
    answer = run("show", "amazons(size=6, best=1)", "--json").json["evaluators"]
    assert time.process_time() - started < 3
    assert answer["sampler"] is None
    assert run("show", "nim", "--json").json["evaluators"]["sampler"] is not None


# Streams.


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux only")
@pytest.mark.parametrize(
    ("how", "status", "words"),
    [
        ("games > /dev/full", 2, "ludus: standard output cannot be written: No space left on device.\n"),
        ("games >&-", 0, ""),
        ("games 2>&- >&-", 0, ""),
        ("games | true; exit ${PIPESTATUS[0]}", 0, ""),
        ("--help | true; exit ${PIPESTATUS[0]}", 0, ""),
        ("nosuch 2> /dev/full", 2, ""),
        ("nosuch 2>&1 | true; exit ${PIPESTATUS[0]}", 2, ""),
    ],
)
def test_a_stream_that_takes_nothing(how, status, words):
    ran = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m ludus {how}"], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (ran.returncode, ran.stderr) == (status, words)


def test_a_terminal_without_our_characters(monkeypatch):
    for encoding, wanted in (("latin-1", "... ± é \\u0436 \\ud800"), ("ascii", "... +- \\xe9 \\u0436 \\ud800")):
        buffer = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer, encoding))
        streams.prepare()
        sys.stdout.write("… ± é \u0436 \ud800")
        sys.stdout.flush()
        assert buffer.getvalue().decode(encoding) == wanted


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="Linux only")
def test_an_interrupt_while_the_program_is_loading_is_silent():
    process = start("games")
    deadline = time.monotonic() + PATIENCE
    while "numpy" not in Path(f"/proc/{process.pid}/maps").read_text() and time.monotonic() < deadline:
        time.sleep(0.002)  # numpy is among the first that is loaded
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err
    assert process.returncode == -signal.SIGINT


def test_nothing_that_takes_time_is_loaded_before_an_interrupt_is_silent():
    code = (
        "import sys; known = {*sys.modules}; import ludus; print(*[name for name in sys.modules if name not in known])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    first = loaded.index("ludus._loading")
    slow = {"dataclasses", "inspect", "pathlib", "importlib.metadata", "numpy"} & {*loaded}
    assert all(first < loaded.index(name) for name in slow)


def work(number: int) -> tuple[int, int]:
    return number, os.getpid()


@pytest.mark.slow
def test_no_more_processes_than_tasks():
    with closing(Processes(work, 24)) as pool:
        assert [number for number, _ in pool.run([0, 1])] == [0, 1]
        assert len(pool.workers) == 2


# Files.


def test_a_title_with_dollars_is_drawn():
    figure = ratings_figure([Rated("a$x_{$", 1.0, 0.0, 2.0, 3.0), Rated("$", 0.0, -1.0, 1.0, 3.0)], "game $x_{$ $$")
    buffer = io.StringIO()
    write_figure(figure, buffer, format="svg")
    assert "<svg" in buffer.getvalue()


def test_a_file_is_replaced_whole_or_not_at_all(folder):
    file = folder / "report.html"
    file.write_text("before")

    def fail() -> None:
        with whole_file(file) as opened:
            opened.write("half of it")
            raise OSError(28, "No space left on device")

    with pytest.raises(LudusError, match=r"report.html' cannot be written: No space left on device\."):
        fail()
    assert file.read_text() == "before"
    assert os.listdir() == ["report.html"]
    with whole_file(file) as opened:
        opened.write("after")
    assert file.read_text() == "after"


def test_a_picture_that_is_cut_short_leaves_the_old_one(folder, monkeypatch):
    figure = ratings_figure([Rated("a", 1.0, 0.0, 2.0, 3.0), Rated("b", 0.0, -1.0, 1.0, 3.0)], "game")
    (folder / "x.png").write_text("before")

    def full(file, **_):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure, "savefig", full)
    with pytest.raises(LudusError, match="No space left"):
        write_figure(figure, "x.png")
    assert (folder / "x.png").read_text() == "before"
    assert os.listdir() == ["x.png"]


def test_principal_lines_take_little_memory():
    tree = Tree(ludus.game("nim(stones=30000, most=1)"), {}, compiled=False)
    assert tree.arrays["line"].nbytes < 1e6
