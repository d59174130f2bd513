"""`ludus web` in a process of its own, as people start it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

PATIENCE = 60
"""Seconds that it may take to end."""

CAPTURE = '''
from ludus import Game

class Capture(Game):
    """A piece steps forward or takes what stands before it; whoever cannot move loses."""
    max_moves = 4
    def initial(self):
        return ((1, 1, 0, 0, -1, -1),)
    def moves(self, state, out):
        n = 0
        for i in range(5):
            if state[0][i] == 1 and state[0][i + 1] != 1:
                out[n] = i
                n += 1
        return n
    def play(self, state, move):
        board = list(state[0])
        board[move], board[move + 1] = 0, 1
        return (tuple(-piece for piece in reversed(board)),)
    def score(self, state):
        return -1
'''

ODD = '''
from ludus import Game

class Odd(Game):
    """No board at all, and names of moves that are no markup."""
    max_moves = 2
    def initial(self):
        return (4,)
    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(2, state[0])
    def play(self, state, move):
        return (state[0] - move,)
    def score(self, state):
        return -1
    def render(self, state):
        return f"<script>window.broken = 1</script> {state[0]} left"
    def move_name(self, state, move):
        return f"<img src=x onerror=window.broken=1> {move}"
    def parse_move(self, state, text):
        return int(text.split()[-1])
'''


def write_games(folder: Path) -> Path:
    """The users' games as files in this folder."""
    (folder / "capture.py").write_text(CAPTURE, encoding="utf-8")
    (folder / "odd.py").write_text(ODD, encoding="utf-8")
    return folder


class Served:
    """A server; games of files are in `folder`, and so is its database."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder, self.port = folder, port
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Served:
        command = [sys.executable, "-m", "ludus", "web", "tictactoe", "capture.py:Capture", "odd.py:Odd"]
        command += ["--no-browser", "--json", "--port", str(self.port), "--db", "web.db"]
        self.process = subprocess.Popen(command, cwd=self.folder, text=True, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        said: dict[str, Any] = json.loads(self.process.stdout.readline())
        self.url = "http://" + said["url"].split("//")[1].split("/")[0]
        self.port, self.token = int(said["port"]), str(said["token"])
        return self

    def __exit__(self, *error: object) -> None:
        self.end(signal.SIGINT)

    def end(self, by: int) -> None:
        """End it by this signal, and wait until it has gone."""
        if self.process is None:
            return
        self.process.send_signal(by)
        self.process.communicate(timeout=PATIENCE)
        self.process = None
