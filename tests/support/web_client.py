"""A server of the page on a free port of this machine, and a client that speaks to it."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from ludus.web.app import Server, application
from ludus.web.catalog import Catalog

TOKEN = "t" * 40


class Client(httpx.Client):
    """Asks the API, and reads its events."""

    def ask(self, path: str, status: int = 200, **fields: Any) -> dict[str, Any]:
        """A GET, or a POST if there are fields; the answer must have this status."""
        answer = self.post(f"/api/{path}", json=fields) if fields else self.get(f"/api/{path}")
        assert answer.status_code == status, answer.text
        return json.loads(answer.text, parse_constant=_no_constant)

    def wait_for(self, path: str, seconds: float = 120.0) -> dict[str, Any]:
        """What is there when it is done."""
        deadline = time.monotonic() + seconds
        while not (found := self.ask(path))["done"]:
            assert time.monotonic() < deadline, found
            time.sleep(0.02)
        return found

    def think(self, player: str, game: str = "tictactoe", **more: Any) -> dict[str, Any]:
        """A whole search."""
        begun = self.ask("thoughts", 201, game=game, player=player, **more)
        return self.wait_for(f"thoughts/{begun['id']}")

    def events(self, path: str, after: int = 0) -> list[tuple[int, str, dict[str, Any]]]:
        """All events until the last."""
        return list(self.stream_events(path, after))

    def stream_events(self, path: str, after: int = 0) -> Iterator[tuple[int, str, dict[str, Any]]]:
        with self.stream("GET", f"/api/{path}/events", params={"after": after}, timeout=120) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
            number, kind = 0, ""
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if name == "id":
                    number = int(value)
                elif name == "event":
                    kind = value
                elif name == "data":
                    yield number, kind, json.loads(value, parse_constant=_no_constant)


def _no_constant(name: str) -> Any:
    raise AssertionError(f"JSON has no {name}")


@contextmanager
def serving(
    games: Sequence[str] = (), players: Sequence[str] = (), db: str = "ludus.db", compiled: bool | None = False
) -> Iterator[Client]:
    """A server with these games and players, and its client; searches run interpreted unless told otherwise."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    app = application(Server(Catalog(games, players, compiled), db), TOKEN, "127.0.0.1", port)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    headers = {"Authorization": f"Bearer {TOKEN}"}
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        with Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
