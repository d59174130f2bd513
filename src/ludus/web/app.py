"""The routes of the server. What takes time runs in threads; the event loop waits for nothing."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator
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
from ludus.web.answers import endpoint, on_error, on_status
from ludus.web.branches import Opening, open_branch
from ludus.web.catalog import OPPONENT, Catalog
from ludus.web.contenders import contenders
from ludus.web.events import stream_of
from ludus.web.limits import KEPT, RESTING, THOUGHTS
from ludus.web.lines import Line, Lines, blaming, read_text
from ludus.web.plain import Form, Refusal, fault, whole
from ludus.web.pool import PlayerPool
from ludus.web.positions import Shown
from ludus.web.rankings import Contest, Rankings
from ludus.web.results import thought_data
from ludus.web.review import Review, Reviews
from ludus.web.security import Guard, own_names
from ludus.web.thinking import Thought, Wish
from ludus.web.thoughts import Thoughts
from ludus.web.why import explain

SWITCH = 0.001
"""Seconds after which a thread that runs Python lets another one in: the server must answer while searches think."""

ENDING = 4.0
"""Seconds that the server waits at its end for what is under way."""

STATIC = Path(__file__).parent / "static"
ROOMS = ("/", "/play", "/think", "/why", "/review", "/rank")


class Server:
    """What the routes share."""

    def __init__(self, catalog: Catalog, db: str, static: Path = STATIC) -> None:
        self.catalog, self.db, self.static = catalog, db, static
        self.started = secrets.token_hex(6)
        self.lines = Lines(catalog)
        self.shown = Shown(self.lines)
        self.pool = PlayerPool(catalog)
        self.rankings = Rankings(catalog, db)
        self.reviews = Reviews(self.pool)
        self.thoughts = Thoughts(self.pool, THOUGHTS, KEPT, RESTING)

    @asynccontextmanager
    async def running(self, app: Starlette) -> AsyncIterator[None]:
        """While the server runs: searches whose pages have gone are ended; at the end all are."""
        warming = asyncio.create_task(run_in_threadpool(self.warm))
        watching = asyncio.create_task(self._end_abandoned())
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        try:
            yield
        finally:
            sys.setswitchinterval(before)
            watching.cancel()
            self.reviews.end_all()
            await run_in_threadpool(self.thoughts.end_all, ENDING)
            await run_in_threadpool(self.rankings.end_all, ENDING)
            await asyncio.gather(warming, return_exceptions=True)

    async def _end_abandoned(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            self.thoughts.end_abandoned()
            self.reviews.end_abandoned()

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

    # Thoughts.

    def begin(self, request: Request, form: Form) -> Any:
        line = self.lines.of(form)
        self._check_open(line)
        wish = Wish(
            game=line.spec,
            position=line.last,
            ply=len(line.moves),
            player=form.text("player"),
            budget=form.text("budget", "") or None,
            seed=form.whole("seed", 0, 0, 2**63),
            watch=form.flag("watch"),
            paused=form.flag("paused"),
        )
        return thought_data(self.thoughts.begin(wish))

    def _check_open(self, line: Line) -> None:
        with self.lines.lock(line.game), blaming(line.game):
            if line.ended:
                raise LudusError("the game is over in this position: there is no move to choose.")
            if line.last.turn is None:
                raise LudusError("in this position chance decides, not a player.")

    def thought(self, request: Request, form: Form) -> Any:
        return thought_data(self._thought(request))

    def _thought(self, request: Request) -> Thought:
        return self.thoughts.get(request.path_params["name"])

    def command(self, request: Request, form: Form) -> Any:
        thought, order = self._thought(request), form.text("do")
        if not thought.wish.watch:
            raise Refusal(409, "this search is not watched: start it with watch to step it.")
        if order == "step":
            thought.step(form.whole("steps", 1, 1, 1_000_000))
        elif order == "run":
            thought.run()
        elif order == "pause":
            thought.pause()
        else:
            raise LudusError("do is one of step, run, pause.")
        return thought_data(thought)

    def forget(self, request: Request, form: Form) -> Any:
        self.thoughts.forget(request.path_params["name"])
        return {}

    def tree(self, request: Request, form: Form) -> Any:
        asked = request.query_params
        at = whole("at", asked["at"]) if "at" in asked else None
        opening = Opening(whole("node", asked.get("node", "0")), whole("top", asked.get("top", "20"), 1, 200), at)
        return open_branch(self._thought(request), opening)

    async def thought_events(self, request: Request) -> Response:
        thought = self._thought(request)
        return stream_of(request, thought.log, thought.lease.held())

    # Reviews, and who else could play.

    def begin_review(self, request: Request, form: Form) -> Any:
        player, budget = form.text("player", OPPONENT), form.text("budget", "") or None
        return self.reviews.begin(self.lines.of(form), player, budget).to_dict()

    def _review(self, request: Request) -> Review:
        return self.reviews.get(request.path_params["name"])

    def review(self, request: Request, form: Form) -> Any:
        return self._review(request).to_dict()

    def forget_review(self, request: Request, form: Form) -> Any:
        self.reviews.forget(request.path_params["name"])
        return {}

    async def review_events(self, request: Request) -> Response:
        review = self._review(request)
        return stream_of(request, review.log, review.lease.held())

    def contenders(self, request: Request, form: Form) -> Any:
        return contenders(self.catalog, form.text("game"), form.text("budget", "") or None)

    def why(self, request: Request, form: Form) -> Any:
        return explain(self._thought(request))

    # Rankings.

    def begin_ranking(self, request: Request, form: Form) -> Any:
        return self.rankings.begin(form).to_dict()

    def all_rankings(self, request: Request, form: Form) -> Any:
        return {"rankings": self.rankings.all()}

    def _ranking(self, request: Request) -> Contest:
        return self.rankings.get(request.path_params["name"])

    def ranking(self, request: Request, form: Form) -> Any:
        return self._ranking(request).to_dict()

    def command_ranking(self, request: Request, form: Form) -> Any:
        contest, order = self._ranking(request), form.text("do")
        if order == "stop":
            contest.stop()
        elif order == "go on":
            self.rankings.go_on(contest)
        else:
            raise LudusError("do is one of stop, go on.")
        return contest.to_dict()

    async def ranking_events(self, request: Request) -> Response:
        return stream_of(request, self._ranking(request).log)

    def runs(self, request: Request, form: Form) -> Any:
        return self.rankings.runs()

    def run_games(self, request: Request, form: Form) -> Any:
        asked = request.query_params
        start, count = whole("from", asked.get("from", "0")), whole("count", asked.get("count", "50"), 1, 200)
        return self.rankings.games(whole("run", request.path_params["number"]), start, count)


def routes(server: Server) -> list[Route | Mount]:
    api = [
        Route("/thoughts", endpoint(server.begin, 201), methods=["POST"]),
        Route("/thoughts/{name}", endpoint(server.thought), methods=["GET"]),
        Route("/thoughts/{name}", endpoint(server.command), methods=["POST"]),
        Route("/thoughts/{name}", endpoint(server.forget), methods=["DELETE"]),
        Route("/thoughts/{name}/tree", endpoint(server.tree)),
        Route("/thoughts/{name}/events", server.thought_events),
        Route("/thoughts/{name}/why", endpoint(server.why)),
        Route("/contenders", endpoint(server.contenders), methods=["POST"]),
        Route("/reviews", endpoint(server.begin_review, 201), methods=["POST"]),
        Route("/reviews/{name}", endpoint(server.review), methods=["GET"]),
        Route("/reviews/{name}", endpoint(server.forget_review), methods=["DELETE"]),
        Route("/reviews/{name}/events", server.review_events),
        Route("/rankings", endpoint(server.begin_ranking, 201), methods=["POST"]),
        Route("/rankings", endpoint(server.all_rankings), methods=["GET"]),
        Route("/rankings/{name}", endpoint(server.ranking), methods=["GET"]),
        Route("/rankings/{name}", endpoint(server.command_ranking), methods=["POST"]),
        Route("/rankings/{name}/events", server.ranking_events),
        Route("/runs", endpoint(server.runs)),
        Route("/runs/{number}/games", endpoint(server.run_games)),
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


def application(server: Server, token: str, host: str, port: int) -> ASGIApp:
    """The whole server, behind its guard."""
    from starlette.exceptions import HTTPException

    handlers: Any = {LudusError: on_error, HTTPException: on_status, Exception: on_error}
    app = Starlette(routes=routes(server), lifespan=server.running, exception_handlers=handlers)
    return Guard(app, token, own_names(host, port))
