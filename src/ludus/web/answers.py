"""How a route answers: its work is done in a thread, and whatever fails is told in one sentence."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ludus.common.errors import LudusError
from ludus.web.plain import Answer, Form, Refusal, fault

Handler = Callable[[Request, Form], Any]


def endpoint(work: Handler, status: int = 200) -> Callable[[Request], Awaitable[Response]]:
    """A route: its work is done in a thread, and whatever fails is told in one sentence."""

    async def answer(request: Request) -> Response:
        try:
            form = await Form.of(request)
            found = await run_in_threadpool(work, request, form)
        except Exception as error:
            return _told(error)
        return found if isinstance(found, Response) else Answer(found, status)

    return answer


def _told(error: Exception) -> Response:
    """What has failed, in one sentence; an error of ours is reported where the server was started."""
    if isinstance(error, Refusal):
        return fault(str(error), error.status)
    if isinstance(error, LudusError):
        return fault(str(error))
    if isinstance(error, ClientDisconnect):
        return fault("the connection was closed.")
    traceback.print_exception(error, file=sys.stderr)
    return fault(f"ludus has made a mistake ({type(error).__name__}); what it was stands where it was started.", 500)


async def on_error(request: Request, error: Exception) -> Response:
    return _told(error)


async def on_status(request: Request, error: Any) -> Response:
    return fault(f"{request.url.path}: {str(error.detail).rstrip('.')}.", error.status_code)
