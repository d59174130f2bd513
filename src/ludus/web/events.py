"""Server-sent events with numbers: a log that threads write and streams read, and go on reading after a break."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import StreamingResponse

from ludus.web.limits import EVENTS
from ludus.web.plain import Refusal, dumps, whole

HEARTBEAT = 1.0
"""Seconds between two lines that only say that the connection lives."""

LAST = ("done", "failed")
"""The kinds of events after which nothing comes."""


@dataclass(frozen=True)
class Event:
    number: int
    kind: str
    data: str
    """One line of JSON."""

    @property
    def text(self) -> str:
        return f"id: {self.number}\nevent: {self.kind}\ndata: {self.data}\n\n"


class EventLog:
    """What has happened, in order. Threads add; streams wait for more."""

    def __init__(self, most: int = EVENTS) -> None:
        self.most = most
        self.events: list[Event] = []
        self.last = 0
        self.ended = False
        self._lock = threading.Lock()
        self._listeners: set[Callable[[], None]] = set()

    def add(self, kind: str, data: Any) -> None:
        """Note something down; a log that is full forgets every other one of its older events."""
        line = dumps(data)
        with self._lock:
            if self.ended:
                return
            self.last += 1
            self.events.append(Event(self.last, kind, line))
            self.ended = kind in LAST
            if len(self.events) > self.most:
                half = len(self.events) // 2
                self.events = [e for e in self.events[:half] if e.number % 2 == 0 or e.kind in LAST] + self.events[
                    half:
                ]
                self.events = self.events[-self.most :]
            listeners = list(self._listeners)
        for wake in listeners:
            wake()

    def reopen(self) -> None:
        """Go on after an end, for what can be continued."""
        with self._lock:
            self.ended = False

    def after(self, number: int) -> list[Event]:
        """The events that are kept with larger numbers."""
        with self._lock:
            return [event for event in self.events if event.number > number]

    async def stream(self, after: int, lease: AbstractContextManager[Any]) -> AsyncIterator[str]:
        """The events after this one, as they come, until the last; while it is read it holds the lease."""
        loop, more = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(more.set)

        with lease:
            with self._lock:
                self._listeners.add(wake)
            try:
                yield ":\n\n"
                while True:
                    more.clear()
                    for event in self.after(after):
                        after = event.number
                        yield event.text
                    if self.ended and not self.after(after):
                        return
                    try:
                        await asyncio.wait_for(more.wait(), HEARTBEAT)
                    except TimeoutError:
                        yield ":\n\n"
            finally:
                with self._lock:
                    self._listeners.discard(wake)


def stream_of(request: Request, log: EventLog, lease: AbstractContextManager[Any] | None = None) -> StreamingResponse:
    """The answer that streams a log from where the client left off."""
    given = request.query_params.get("after") or request.headers.get("last-event-id") or "0"
    after = whole("after", given)
    if after > log.last:
        raise Refusal(409, f"there is no event {after} yet; the last is {log.last}.")
    stream = log.stream(after, nullcontext() if lease is None else lease)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
