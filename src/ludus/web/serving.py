"""Starts the server on a port of this machine, tells its address, opens the browser, and ends all that it started."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

import uvicorn

from ludus.common.errors import LudusError
from ludus.web.app import Server, application
from ludus.web.catalog import Catalog
from ludus.web.security import token_for

USUAL_PORT = 8425
"""The port that is tried first; if it is taken, any other."""

BACKLOG = 128


@dataclass(frozen=True)
class Address:
    """Where the page is."""

    host: str
    port: int
    token: str
    game: str

    @property
    def url(self) -> str:
        """With the token in the fragment, which no server and no log ever sees."""
        shown = "127.0.0.1" if self.host in ("", "0.0.0.0") else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{shown}:{self.port}/play?game={quote(self.game, safe='')}#token={self.token}"


def serve(
    games: Sequence[str] = (),
    players: Sequence[str] = (),
    *,
    db: str = "ludus.db",
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    tell: Callable[[Address], None] = lambda address: None,
) -> None:
    """Serve the page until Ctrl-C. `tell` is called with the address when the server listens; port 0: any free one."""
    catalog = Catalog(games, players)
    listener = _listen(host, port)
    number = listener.getsockname()[1]
    address = Address(host, number, token_for(number), catalog.default_game)
    app = application(Server(catalog, db), address.token, host, number)
    config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1, ws="none")
    tell(address)
    if browser:
        webbrowser.open(address.url)
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens there; on the usual port or, if that is taken and nobody chose it, on another one."""
    tried = [port] if port is not None else [USUAL_PORT, 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in tried:
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, number))
            listener.listen(BACKLOG)
            return listener
        except OSError as error:
            listener.close()
            if number == tried[-1]:
                why = error.strerror or str(error)
                raise LudusError(f"cannot serve on port {number} of {host}: {why.lower()}.") from error
    raise AssertionError
