"""The routes of the server. What takes time runs in threads; the event loop waits for nothing."""

from __future__ import annotations

import asyncio
import secrets
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ludus.common.errors import LudusError
from ludus.web.catalog import Catalog
from ludus.web.lines import Lines, read_text
from ludus.web.plain import Answer, Form, Refusal, fault
from ludus.web.positions import Shown
from ludus.web.security import Guard, own_names

STATIC = Path(__file__).parent / "static"
ROOMS = ("/", "/play", "/think", "/why", "/review", "/rank")


class Server:
    """What the routes share."""

    def __init__(self, catalog: Catalog, db: str, static: Path = STATIC) -> None:
        self.catalog, self.db, self.static = catalog, db, static
        self.started = secrets.token_hex(6)
        self.lines = Lines(catalog)
        self.shown = Shown(self.lines)

    @asynccontextmanager
    async def running(self, app: Starlette) -> AsyncIterator[None]:
        """While the server runs: searches whose pages have gone are ended; at the end all are."""
        yield

    # Routes.

    def warm(self) -> None:
        """Load what every page asks for first."""
        self.catalog.to_dict()
        self.lines.line(self.catalog.default_game, "", ())

    def games(self, request: Request, form: Form) -> Any:
        return self.catalog.to_dict()

    def ping(self, request: Request, form: Form) -> Any:
        return {"started": self.started}

    def position(self, request: Request, form: Form) -> Any:
        return self.shown.show(self.lines.of(form), form.flag("picture"))

    def text(self, request: Request, form: Form) -> Any:
        line = self.lines.line(form.text("game"), "", ())
        with self.lines.lock(line.game):
            state, moves = read_text(line, form.text("text"))
        return {"state": state, "moves": moves}

    def record(self, request: Request, form: Form) -> Any:
        line, players = self.lines.of(form), form.texts("players") or ["first", "second"]
        if len(players) != 2:
            raise LudusError("players must be two names.")
        shown = self.shown.show(line)
        scores = shown["scores"] or [0.0, 0.0]
        with self.lines.lock(line.game):
            text = line.game.game_text(players, [], line.moves, scores[0], {"game": line.spec})
        return {"text": text}


def routes(server: Server) -> list[Route | Mount]:
    api = [
        Route("/games", endpoint(server.games)),
        Route("/ping", endpoint(server.ping)),
        Route("/position", endpoint(server.position), methods=["POST"]),
        Route("/text", endpoint(server.text), methods=["POST"]),
        Route("/record", endpoint(server.record), methods=["POST"]),
    ]
    page = [Route(room, partial(_index, server)) for room in ROOMS]
    static = Mount("/static", StaticFiles(directory=server.static, check_dir=False))
    return [*page, Mount("/api", routes=api), static]


async def _index(server: Server, request: Request) -> Response:
    path = server.static / "index.html"
    if not path.is_file():
        return fault("the files of the page are missing: install ludus anew.", 500)
    return FileResponse(path)


Handler = Callable[[Request, Form], Any]


def endpoint(work: Handler, status: int = 200) -> Callable[[Request], Awaitable[Response]]:
    """A route: its work is done in a thread, and whatever fails is told in one sentence."""

    async def answer(request: Request) -> Response:
        form = await Form.of(request)
        found = await run_in_threadpool(work, request, form)
        return found if isinstance(found, Response) else Answer(found, status)

    return answer


async def _on_error(request: Request, error: Exception) -> Response:
    if isinstance(error, Refusal):
        return fault(str(error), error.status)
    if isinstance(error, LudusError):
        return fault(str(error))
    if isinstance(error, asyncio.CancelledError):
        raise error
    traceback.print_exception(error, file=sys.stderr)
    return fault(f"ludus has made a mistake ({type(error).__name__}); what it was stands where it was started.", 500)


async def _on_status(request: Request, error: Any) -> Response:
    return fault(f"{request.url.path}: {str(error.detail).rstrip('.')}.", error.status_code)


def application(server: Server, token: str, host: str, port: int) -> ASGIApp:
    """The whole server, behind its guard."""
    from starlette.exceptions import HTTPException

    handlers: Any = {LudusError: _on_error, HTTPException: _on_status, Exception: _on_error}
    app = Starlette(routes=routes(server), lifespan=server.running, exception_handlers=handlers)
    return Guard(app, token, own_names(host, port))
