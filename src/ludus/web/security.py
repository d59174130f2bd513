"""Nobody else gets in: the token, the names of this server, where requests come from, how large they may be.

A page on another site must not be able to use this server through its visitor's browser: not by a form or a script
(`Origin`, the token), not by a name that is made to point to this machine (`Host`).
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.common.files import data_folder
from ludus.web.limits import BODY
from ludus.web.plain import Refusal, fault

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

TOKEN_AGE = 24 * 3600
"""Seconds for which a token is used again on the same port, so that an open page survives a restart."""


def own_names(host: str, port: int) -> frozenset[str]:
    """What the header `Host` may say."""
    names = {"127.0.0.1", "localhost", "[::1]"}
    if host not in ("0.0.0.0", "::", ""):
        names.add(f"[{host}]" if ":" in host else host.lower())
    else:
        names |= _machine_names()
    return frozenset(f"{name}:{port}" for name in names) | (frozenset(names) if port == 80 else frozenset())


def _machine_names() -> set[str]:
    """The names and addresses under which others reach this machine."""
    import socket

    names = {socket.gethostname().lower(), socket.getfqdn().lower()}
    with suppress(OSError):
        names |= {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}  # type: ignore[misc]
    return names


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, token: str, names: Iterable[str], largest: int = BODY) -> None:
        self.app, self.token, self.names, self.largest = app, token, frozenset(names), largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_api = scope["path"].startswith("/api/")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["Cache-Control"] = "no-store" if is_api else "no-cache"
            await send(message)

        refused = self._refusal(Headers(scope=scope), is_api)
        if refused is not None:
            status, words = refused
            await fault(words, status)(scope, receive, send_with_headers)
            return
        limited = _Limited(receive, self.largest, self._too_large)
        await self.app(scope, limited, send_with_headers)

    @property
    def _too_large(self) -> str:
        return f"a request has at most {self.largest} bytes."

    def _refusal(self, headers: Headers, is_api: bool) -> tuple[int, str] | None:
        """The status and the sentence with which a request is refused; None if it may pass."""
        if headers.get("host", "").lower() not in self.names:
            return 403, "this server is not known by that name."
        origin = headers.get("origin")
        if origin is not None and origin.lower().removeprefix("http://") not in self.names:
            return 403, "requests from other sites are refused."
        if is_api:
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return 403, "requests from other sites are refused."
            kind, _, given = headers.get("authorization", "").partition(" ")
            if kind.lower() != "bearer" or not secrets.compare_digest(given.encode(), self.token.encode()):
                return 401, "the token is missing or wrong: open the address that ludus web has printed."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self.largest:
            return 413, self._too_large
        return None


class _Limited:
    """What is received, as long as it is not too much, whatever was announced."""

    def __init__(self, receive: Receive, largest: int, words: str) -> None:
        self.receive, self.left, self.words = receive, largest, words

    async def __call__(self) -> Message:
        message = await self.receive()
        self.left -= len(message.get("body", b""))
        if self.left < 0:
            raise Refusal(413, self.words)
        return message


def token_for(port: int, folder: Path | None = None) -> str:
    """The token of the server that had this port in the last day, or a new one; kept where only its owner can read."""
    path = (folder or data_folder()) / f"web-{port}.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if time.time() - float(kept["made"]) < TOKEN_AGE and len(str(kept["token"])) >= 32:
            return str(kept["token"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    token = secrets.token_urlsafe(32)
    with suppress(OSError):  # then an open page does not survive a restart
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(json.dumps({"token": token, "made": time.time()}), encoding="utf-8")
    return token
