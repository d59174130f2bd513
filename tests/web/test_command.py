"""`ludus web`: it prints its address, serves, and ends with Ctrl-C; mistakes are one sentence."""

import json
import os
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from tests.support import REPOSITORY
from tests.support.commands import run

OWN = str(REPOSITORY / "tests/support/web_games.py")


@pytest.fixture
def started(tmp_path):
    """The command at work, and what it has printed."""
    command = [sys.executable, "-m", "ludus", "web", f"{OWN}:Capture", "--no-browser", "--json", "--port", "0"]
    environment = os.environ | {"LUDUS_DATA": str(tmp_path)}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment
    )
    try:
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_it_serves_until_ctrl_c(started):
    process, told = started
    assert told["url"].startswith(f"http://127.0.0.1:{told['port']}/play?game=")
    assert told["url"].endswith(f"#token={told['token']}")
    headers = {"Authorization": f"Bearer {told['token']}"}
    with httpx.Client(base_url=f"http://127.0.0.1:{told['port']}", headers=headers, timeout=60) as client:
        games = client.get("/api/games").json()
        assert games["default"] == f"{OWN}:Capture"
        position = client.post("/api/position", json={"game": games["default"]}).json()
        assert position["moves"][0]["gesture"]
        thought = {"game": games["default"], "player": "bfmm(nodes=5000000)", "watch": True, "paused": True}
        assert client.post("/api/thoughts", json=thought).status_code == 201
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130


def test_a_mistake_is_told_at_once():
    for arguments, words in (
        (["nosuchgame"], "unknown game"),
        ([f"{OWN}:Nothing"], "it has"),
        (["--player", "nosuch"], "unknown search"),
        (["--port", "99999"], "65535"),
    ):
        found = run("web", *arguments, "--no-browser")
        assert found.status == 2
        assert words in found.err


def test_a_port_that_is_taken_is_told():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        found = run("web", "--no-browser", "--port", str(other.getsockname()[1]))
        assert "cannot serve on port" in found.err


def test_other_commands_do_not_load_the_server():
    code = "import sys, ludus.cli; print([m for m in ('starlette', 'uvicorn', 'anyio') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
