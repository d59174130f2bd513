"""`ludus uci`: driven by python-chess as other programs drive an engine, and line by line."""

from __future__ import annotations

import io
import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time

import chess
import chess.engine
import pytest

from ludus.cli.uci import Engine
from ludus.cli.uci_words import allowed, tightest
from ludus.model.budget import Budget
from tests.support.commands import PATIENCE, assert_refused, run

COMMAND = [sys.executable, "-m", "ludus", "uci"]
MATE_IN_2 = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


# As other programs do it.


@pytest.fixture(scope="module")
def compiled():
    with chess.engine.SimpleEngine.popen_uci([*COMMAND, "alphabeta"], timeout=PATIENCE) as engine:
        yield engine


def test_handshake(compiled):
    assert compiled.id["name"].startswith("ludus ")
    assert compiled.id["name"].endswith(" alphabeta")
    assert {"Search", "Budget", "Seed", "Hash", "Move Overhead"} == set(compiled.options)


@pytest.mark.slow
def test_a_game_against_a_random_mover(compiled):
    board, dice = chess.Board(), random.Random(1)
    while not board.is_game_over():
        if board.turn == chess.WHITE:
            board.push(compiled.play(board, chess.engine.Limit(nodes=3000), game=1).move)
        else:
            board.push(dice.choice(list(board.legal_moves)))
    assert board.is_checkmate()
    assert board.turn == chess.BLACK


@pytest.mark.slow
@pytest.mark.parametrize("colour", [chess.WHITE, chess.BLACK])
def test_mate_in_two(compiled, colour):
    board = chess.Board(MATE_IN_2) if colour == chess.WHITE else chess.Board(MATE_IN_2).mirror()
    info = compiled.analyse(board, chess.engine.Limit(depth=4))
    assert info["score"].relative == chess.engine.Mate(2)
    assert info["pv"][0].uci() in ("a1a6", "a8a3")
    assert info["depth"] >= 3
    assert info["nodes"] > 0
    board.push(info["pv"][0])
    assert compiled.analyse(board, chess.engine.Limit(depth=4))["score"].relative == chess.engine.Mate(-1)


def test_limits(compiled):
    board = chess.Board()
    nodes = compiled.analyse(board, chess.engine.Limit(nodes=5000))["nodes"]
    assert 5000 <= nodes < 5100
    assert compiled.analyse(board, chess.engine.Limit(depth=3))["depth"] == 3
    timed = compiled.analyse(board, chess.engine.Limit(white_clock=6.05, black_clock=1))
    assert timed["time"] >= 0.15  # 6.05 / 30 less the overhead
    assert timed["nodes"] > 5000


def test_stop_interrupts_a_search_that_would_never_end(compiled):
    with compiled.analysis(chess.Board()) as analysis:
        while "pv" not in analysis.info:  # several reports come by themselves
            analysis.next()
        analysis.stop()
        best = analysis.wait().move
    assert best in chess.Board().legal_moves
    assert analysis.info["nodes"] > 10_000


@pytest.mark.slow
def test_another_search_from_the_options():
    with chess.engine.SimpleEngine.popen_uci([*COMMAND, "random", "--no-compile"], timeout=PATIENCE) as engine:
        board = chess.Board("6k1/8/6K1/8/8/8/8/R7 w - - 0 1")
        moves = {engine.play(board, chess.engine.Limit(nodes=1), game=i).move for i in range(2)}
        assert "score" not in engine.analyse(board, chess.engine.Limit(nodes=1))
        assert len(moves) == 1, "the seed is the same"
        engine.configure({"Search": "minimax(eval=material, depth=1)"})
        assert engine.play(board, chess.engine.Limit()).move.uci() == "a1a8"
        info = engine.analyse(board, chess.engine.Limit(depth=5))
        assert info["score"].relative == chess.engine.Mate(1)
        assert info["depth"] == 1, "the player's own budget holds too"


# Line by line, interpreted, in this process.


class Session:
    """The engine in a thread; `ask` sends lines and waits for an answer that begins with a word."""

    def __init__(self, spec: str = "greedy(eval=material)", budget: str = "nodes=200") -> None:
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.out = Answers()
        self.engine = Engine(spec, budget, 0, False, self.out)
        self.thread = threading.Thread(target=self.engine.serve, args=(iter(self.lines.get, None),))
        self.thread.start()

    def tell(self, *lines: str) -> None:
        for line in lines:
            self.lines.put(line)

    def ask(self, *lines: str, until: str) -> list[str]:
        self.tell(*lines)
        found: list[str] = []
        while not found or not found[-1].startswith(until):
            found.append(self.out.answers.get(timeout=PATIENCE))
        return found

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.lines.put(None)
        self.thread.join(20)
        self.engine.close()
        self.engine.worker.join(20)
        assert not self.engine.worker.is_alive()


class Answers(io.TextIOBase):
    """Standard output, line by line."""

    def __init__(self) -> None:
        self.answers: queue.SimpleQueue[str] = queue.SimpleQueue()

    def write(self, text: str) -> int:
        assert text.endswith("\n")
        for line in text.splitlines():
            assert re.match(r"(id|option|uciok|readyok|info|bestmove)\b", line), line
            self.answers.put(line)
        return len(text)


@pytest.fixture
def session():
    with Session() as made:
        yield made


def test_what_is_not_understood_is_skipped(session):
    assert session.ask("", "hello", "joho isready", until="readyok") == ["readyok"]
    assert session.ask("debug on", "register later", "ponderhit", "isready", until="readyok") == ["readyok"]
    assert session.ask("go depth x nodes", until="bestmove")[-1] == "bestmove a2a3"
    assert session.ask("setoption", "setoption name Nothing value 3", "isready", until="readyok") == ["readyok"]


def test_positions(session):
    fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
    assert session.ask(f"position fen {fen}", "go", until="best")[-1] == "bestmove a7a8q"
    answer = session.ask("position startpos moves f2f3 e7e5 g2g4", "go", until="best")[-1]
    assert answer == "bestmove d8h4", "mate"
    assert session.ask("position startpos", "go", until="best")[-1] != answer


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("position fen 8/8/8/8 w - - 0 1", "eight rows"),
        ("position startpos moves e2e4 e2e4", "not a legal move"),
        ("position startpos moves zzzz", "not a legal move"),
        ("setoption name Search value alphabet", "did you mean alphabeta"),
        ("setoption name Search value greedy(eval=mobility)", "evaluator mobility is for othello"),
        ("setoption name Search value greedy(nodes=3, per=game)", "not for UCI"),
        ("setoption name Budget value nodes=-1", "nodes must be"),
    ],
)
def test_bad_input_is_told_and_nothing_is_lost(session, line, words):
    answers = session.ask(line, "isready", until="readyok")
    assert answers[0].startswith("info string ")
    assert words in answers[0]
    assert session.ask("go", until="bestmove")[-1].split()[1] in [move.uci() for move in legal_after(line)]


def legal_after(line):
    board = chess.Board()
    if "e2e4" in line:
        board.push_uci("e2e4")
    return board.legal_moves


def test_finished_games(session):
    """A game may be drawn by our rules and not by those of the other program, which asks for a move."""

    def best(fen):
        return session.ask(f"position fen {fen}", "go nodes 100", until="bestmove")[-1].split()[1]

    assert best("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == "(none)"
    assert best("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1") == "(none)"
    assert best("7k/8/6K1/8/8/8/8/R7 w - - 120 90") == "a1a8"
    bare = "7k/8/6K1/8/8/8/8/8 w - - 0 1"
    assert chess.Move.from_uci(best(bare)) in chess.Board(bare).legal_moves


def test_infinite_waits_for_stop(session):
    session.ask("go infinite", until="info depth")
    assert session.ask("isready", until="readyok") == ["readyok"]
    assert session.out.answers.empty()
    assert session.ask("stop", until="bestmove")[-1].startswith("bestmove ")
    assert session.ask("stop", "stop", "isready", until="readyok") == ["readyok"]


def test_a_second_go_is_ignored_while_a_search_runs(session):
    session.ask("go infinite", until="info depth")
    session.ask("go", "isready", until="readyok")
    session.ask("stop", until="bestmove")
    assert session.ask("isready", until="readyok") == ["readyok"]


def test_a_stopped_go_answers_before_the_next(monkeypatch):
    """Though the search has not heard of it, because it is still being compiled, say."""
    begin, goes_on = threading.Event(), threading.Event()

    def slow(self, player):
        begin.set()
        assert goes_on.wait(PATIENCE)

    monkeypatch.setattr(Engine, "_prepare", slow)
    with Session("minimax(eval=material, depth=1)") as session:
        session.tell("go infinite")
        assert begin.wait(PATIENCE)
        mate = "position fen 6k1/8/6K1/8/8/8/8/R7 w - - 0 1"
        told = session.ask("stop", "isready", mate, "go depth 1", "isready", "position startpos", until="bestmove")
        assert told == ["readyok", "bestmove a2a3"], "the first legal move"
        goes_on.set()
        assert session.ask(until="bestmove")[-1] == "bestmove a1a8", "of the second go"
        assert session.ask("go depth 1", until="bestmove")[-1].split()[1] in [
            m.uci() for m in chess.Board().legal_moves
        ]
        session.tell("isready")
        assert session.ask(until="readyok") == ["readyok"], "nobody answers twice"


def test_goes_and_stops_in_a_hurry(session):
    """As many answers as questions, in their order."""
    fens = {"a1a8": "6k1/8/6K1/8/8/8/8/R7 w - - 0 1", "h1h8": "1k6/8/1K6/8/8/8/8/7R w - - 0 1"}
    wanted = list(fens) * 20
    for move in wanted:
        session.tell(f"position fen {fens[move]}", "go infinite", "stop")
    found: list[str] = []
    while len(found) < len(wanted):
        found += [line.split()[1] for line in session.ask(until="bestmove") if line.startswith("bestmove")]
    for move, answer in zip(wanted, found, strict=True):
        assert chess.Move.from_uci(answer) in chess.Board(fens[move]).legal_moves
    assert session.ask("isready", until="readyok")[-1] == "readyok"


@pytest.mark.parametrize(
    "line",
    [
        "x " * 550_000,
        "x" * 1_100_000,
        "position startpos moves " + "e2e4 " * 220_000,
        "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 55_000,
        "position fen " + "8/" * 550_000,
        "setoption name Search value " + "a(" * 550_000,
        "setoption name Search value greedy(" + "a=1, " * 220_000,
        "setoption name Budget value nodes=" + "9" * 1_100_000,
        "setoption name " + "value " * 180_000,
        "go " + "depth 1 " * 140_000,
    ],
    ids=lambda line: line[:40],
)
def test_a_line_of_a_megabyte(line):
    """Takes a time in proportion to its length, and a short answer."""
    out = io.StringIO()
    engine = Engine("greedy(eval=zero)", "nodes=10", 0, False, out)
    engine.searching = True  # no search is begun
    started = time.process_time()
    assert engine.obey(line.split())
    assert time.process_time() - started < 3
    assert len(out.getvalue()) < 600


def test_options(session):
    told = session.ask("uci", until="uciok")
    assert "option name Search type string default greedy(eval=material)" in told
    assert "option name Budget type string default nodes=200" in told
    session.tell("setoption name Search value minimax(eval=material)", "setoption name Budget value nodes=33")
    nodes = int(re.search(r"nodes (\d+)", session.ask("go", until="bestmove")[-2])[1])
    assert 33 <= nodes <= 33 + 20
    session.tell("setoption name Search value bfmm(eval=material)", "setoption name Hash value 0")
    nodes = int(re.search(r"nodes (\d+)", session.ask("go nodes 1000000", until="bestmove")[-2])[1])
    assert 1000 < nodes < 20_000, "one megabyte is soon full"


def test_the_same_position_is_searched_alike_again():
    with Session("bfmm(eval=material, nodes=50)") as session:
        first, second = (session.ask("ucinewgame", "position startpos", "go", until="bestmove") for _ in range(2))
        assert [re.sub("time .* score", "", line) for line in first] == [
            re.sub("time .* score", "", line) for line in second
        ]


@pytest.mark.parametrize(
    ("given", "side", "seconds"),
    [
        ({"movetime": 200, "wtime": 1}, 0, 0.2),
        ({"wtime": 6000, "btime": 9000}, 0, 0.15),  # a thirtieth, less the overhead
        ({"wtime": 6000, "btime": 9000}, 1, 0.25),
        ({"wtime": 3000, "btime": 9000, "winc": 200}, 0, 0.15),  # and half of the increment
        ({"wtime": 500, "btime": 9000, "movestogo": 1}, 0, 0.2),  # half of what is left at most
        ({"wtime": 10, "btime": 9000}, 0, 0.001),
    ],
)
def test_the_share_of_the_clock(given, side, seconds):
    assert allowed(given, side, overhead=50).seconds == pytest.approx(seconds)


def test_the_tightest_budget():
    assert tightest(Budget(nodes=5, depth=9), Budget(nodes=7, seconds=1.0)) == Budget(nodes=5, depth=9, seconds=1.0)
    assert tightest(Budget(depth="auto", nodes=9), Budget(depth=3)) == Budget(depth="auto", nodes=9)
    assert tightest(Budget(units=9, generate=7), Budget()) == Budget(units=9, generate=7)


def test_bad_specs_are_refused_before_anything_is_said():
    assert_refused(run("uci", "alphabet"), "did you mean alphabeta")
    assert_refused(run("uci", "greedy(eval=mobility)"), "not for chess")
    assert_refused(run("uci", "greedy(nodes=3, per=game)"), "UCI")
    assert_refused(run("uci", "greedy", "--budget", "nodes=x"), "nodes")


# Processes.


@pytest.mark.slow
def test_the_handshake_comes_before_anything_heavy():
    code = """
import sys
from ludus.cli.uci import Engine
def lines():
    yield "uci"
    heavy = [name for name in ("numba", "scipy", "matplotlib", "statsmodels") if name in sys.modules]
    print("HEAVY", *heavy, file=sys.stderr)
    yield "quit"
engine = Engine("alphabeta", "nodes=2000", 0, None, sys.stdout)
engine.serve(lines())
engine.close()
"""

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[-1] == "uciok"
    assert done.stderr == "HEAVY\n"


@pytest.mark.slow
@pytest.mark.parametrize("lines", ["", "uci\n", "uci\nquit\n", "go infinite\n", "go infinite\nquit\n"])
def test_the_end_of_the_input_and_quit_end_it(lines):
    command = [*COMMAND, "greedy(eval=material)", "--no-compile"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "uciok" in done.stdout or "uci" not in lines


@pytest.mark.slow
def test_quit_while_it_compiles(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "alphabeta"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"LUDUS_CACHE": str(tmp_path)},
    )
    process.stdin.write("uci\nisready\n")
    process.stdin.flush()
    while not (line := process.stdout.readline()).startswith("info string compiling"):
        assert line.split()[0] in ("id", "option", "uciok"), line
    assert process.communicate("quit\n", timeout=PATIENCE) == ("", "")
    assert process.returncode == 0


@pytest.mark.slow
def test_ctrl_c_ends_it():
    process = subprocess.Popen(
        [*COMMAND, "greedy", "--no-compile"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write("uci\n")
    process.stdin.flush()
    while process.stdout.readline() != "uciok\n":
        pass
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.strip()) == (130, "", "")
