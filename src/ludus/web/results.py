"""A thought as the page sees it: what it is asked for, how far it is, and its result."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ludus.model.budget import Meter
from ludus.model.result import Known
from ludus.web.looks import row
from ludus.web.shares import counted, parts

NOTHING: dict[str, Any] = {
    "move": None,
    "value": None,
    "proven": False,
    "score": None,
    "said": None,
    "line": [],
    "stopped": None,
    "meter": asdict(Meter()),
    "statistics": {},
    "children": [],
    "share_of": None,
}


def thought_data(thought: Any) -> dict[str, Any]:
    """`GET /api/thoughts/ID`."""
    wish, search = thought.wish, thought.seated.player.search
    kind = type(search)
    about = {
        "id": thought.name,
        "status": thought.status,
        "done": thought.is_done,
        "error": thought.error or None,
        "words": thought.words,
        "watch": "passes" if kind.walks else "tree" if search.grows_tree else "numbers",
        "last_event": thought.log.last,
        "game": wish.game,
        "state": wish.position.text,
        "turn": wish.position.seat,
        "player": str(thought.seated.player.on(thought.seated.game)),
        "seed": wish.seed,
        "scale": search.value_scale,
    }
    return about | (NOTHING if thought.result is None else result_data(thought))


def result_data(thought: Any) -> dict[str, Any]:
    """What a finished search says."""
    result = thought.result
    known: list[Known] = [child.known for child in result.children]
    share_of, shares = _shares(thought, known)
    return result.to_dict() | {
        "score": result.chosen.score,
        "said": result.chosen.say(result.words),
        "children": [
            row(child.name, child.known, result.words, share)
            for child, share in zip(result.children, shares, strict=True)
        ],
        "share_of": share_of,
    }


def _shares(thought: Any, known: list[Known]) -> tuple[str | None, list[float | None]]:
    if thought.shares is None:
        if thought.session is not None and thought.looks is not None:
            thought.shares = thought.looks.shares(known)
        else:
            own = counted(known)
            thought.shares = (None, [None] * len(known)) if own is None else (own[0], parts(own[1]))
    return thought.shares
