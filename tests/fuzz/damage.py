"""Damage done to files, from a seed: some bytes, or values of a JSON document."""

from __future__ import annotations

import json
import random
from typing import Any

VALUES: list[Any] = [None, True, 0, -1, 7, 0.5, 1e308, -1e308, 5e-324, 10**30, 10**400, 2**63, "", "x", "1", "\x1b[31m"]
VALUES += ["\ud800", [], {}, [[]], [1], {"a": 1}, "9" * 5000, [0] * 1000, [[1.0]] * 3]
TEXTS = ["NaN", "-Infinity", "1e999", "9" * 5000, "[" * 100_000, '{"a":' * 50_000, "", "\0", "\ufeff", "//", "1e-400"]


def damaged_bytes(content: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, lost, doubled or added; now and then the end is cut off."""
    found = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 10))):
        at, many = chance.randrange(len(found) + 1), chance.choice((1, 1, 4, 100))
        kind = chance.randrange(5)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del found[at : at + many]
        elif kind == 2:
            found[at:at] = found[at : at + many]
        elif kind == 3:
            found[at:at] = bytes(chance.randrange(256) for _ in range(many))
        else:
            del found[at:]
    return bytes(found)


def damaged_json(content: bytes, chance: random.Random) -> bytes:
    """A value somewhere in a JSON document exchanged for an odd one, lost or doubled; or odd text in its place."""
    document = json.loads(content)
    places = list(_places(document))
    named = [place for place in places if isinstance(place[0], dict)]  # a long list of numbers must not hide the rest
    if chance.random() < 0.1:
        return content.replace(b"1", chance.choice(TEXTS).encode(), chance.choice((1, 5)))
    for _ in range(chance.choice((1, 1, 1, 3))):
        holder, key = chance.choice(named if chance.random() < 0.7 else places)
        kind = chance.randrange(10)
        if key not in holder if isinstance(holder, dict) else key >= len(holder):
            continue
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, holder[key])
        elif kind == 2:
            other, place = chance.choice(places)
            if isinstance(other, dict) and place in other:
                holder[key] = json.loads(json.dumps(other[place]))
        else:
            holder[key] = chance.choice(VALUES)
    return json.dumps(document).encode()


def _places(value: Any) -> Any:
    """Every value in a document, as what holds it and its place there."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])
