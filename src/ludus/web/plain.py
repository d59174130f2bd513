"""What goes over the wire: requests as typed values, answers as JSON without NaN, faults as one sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse

from ludus.common.errors import LudusError

LONGEST_TEXT = 100_000
"""Characters of a text in a request."""

MOST_MOVES = 10_000
"""Moves in a request."""


class Refusal(LudusError):
    """A request that gets another status than 400."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def clean(value: Any) -> Any:
    """The value as JSON can say it: what is unknown or infinite is None."""
    if isinstance(value, (str, bool, int)) or value is None:
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.generic):
        return clean(value.item())
    if isinstance(value, Mapping):
        return {str(key): clean(inner) for key, inner in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return clean(asdict(value))
    if isinstance(value, (Sequence, np.ndarray, set, frozenset)):
        return [clean(inner) for inner in value]
    return str(value)


def dumps(value: Any) -> str:
    """JSON in one line."""
    return json.dumps(clean(value), allow_nan=False, ensure_ascii=False, separators=(",", ":"))


class Answer(JSONResponse):
    """An answer of the API."""

    def render(self, content: Any) -> bytes:
        return dumps(content).encode("utf-8", "replace")


def fault(message: str, status: int = 400) -> Answer:
    """One sentence."""
    return Answer({"error": " ".join(message.split())}, status)


class Form:
    """The object that a request holds, with its fields checked."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    @classmethod
    async def of(cls, request: Request) -> Form:
        """The body of a request; how large it may be is seen to in `security`."""
        body = await request.body()
        if not body:
            return cls({})
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise Refusal(415, "a request has the content type application/json.")
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            raise LudusError("the body of a request is one object of JSON.") from None
        if not isinstance(found, dict):
            raise LudusError("the body of a request is one object of JSON.")
        return cls(found)

    def text(self, name: str, default: str | None = None) -> str:
        """A text; an error if there is none and no default."""
        found = self.fields.get(name)
        if found is None and default is not None:
            return default
        if not isinstance(found, str) or not found or len(found) > LONGEST_TEXT:
            raise LudusError(f"{name} must be a text of 1 to {LONGEST_TEXT} characters.")
        return found

    def texts(self, name: str) -> list[str]:
        """Texts, none if the field is not there."""
        found = self.fields.get(name)
        if found is None:
            return []
        if not isinstance(found, list) or len(found) > MOST_MOVES or not all(isinstance(each, str) for each in found):
            raise LudusError(f"{name} must be a list of at most {MOST_MOVES} texts.")
        return found

    def flag(self, name: str) -> bool:
        """Whether something is asked for."""
        found = self.fields.get(name, False)
        if not isinstance(found, bool):
            raise LudusError(f"{name} must be true or false.")
        return found

    def whole(self, name: str, default: int, least: int = 0, most: int = 2**53) -> int:
        """A whole number within limits."""
        found = self.fields.get(name)
        return default if found is None else whole(name, found, least, most)

    def number(self, name: str) -> float | None:
        """A number above 0, or None."""
        found = self.fields.get(name)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 < found < math.inf:
            raise LudusError(f"{name} must be a number above 0.")
        return float(found)


def whole(name: str, given: Any, least: int = 0, most: int = 2**53) -> int:
    """A whole number from a body or a query."""
    text = isinstance(given, str) and given.isdecimal() and len(given) < 20
    found = int(given) if text else given
    if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
        raise LudusError(f"{name} must be a whole number from {least} to {most}.")
    return found
