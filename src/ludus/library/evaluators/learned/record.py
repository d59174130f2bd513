"""What the file of a learnt evaluator may hold. It is checked before anything is made of it: it may be anybody's."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from itertools import chain
from typing import Any

from ludus.common.errors import SpecError
from ludus.common.files import escape_control_characters
from ludus.common.numbers import LARGEST


class Damaged(SpecError):
    """It is not what `ludus learn` writes."""


def check_record(record: dict[str, Any]) -> None:
    """Raise `Damaged` unless everything in a record has the kind and the size that it must have."""
    for key in ("name", "kind", "game", "game_name", "names", "weights", "features"):
        if key not in record:
            raise Damaged(f"it has no {key}")
    if record.get("checksum", "") not in ("", checksum({k: v for k, v in record.items() if k != "checksum"})):
        raise Damaged(
            "something was changed after its checksum was made; whoever did that by hand removes the checksum"
        )
    rows, columns = _shape(record["weights"])
    for key, value in record.items():
        check = CHECKS.get(key, lambda value: True)
        if not check(value):
            raise Damaged(f"its {key} cannot be right")
    if len(record["names"]) != columns:
        raise Damaged(f"it has {len(record['names'])} names for {columns} features")
    for key in ("errors", "p_values"):
        table = record.get(key, record["weights"])
        if len(table) != rows or any(len(row) != columns for row in table):
            raise Damaged(f"its {key} are not one for each weight")


def checksum(record: dict[str, Any]) -> str:
    """A word that stands for all that a record holds. A file that somebody wrote by hand has none."""
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]


def check_complete(record: dict[str, Any]) -> None:
    """Raise `Damaged` unless a record says how the evaluator was learnt, too."""
    for key in CHECKS:
        if key not in record and key not in ("curve", "fingerprint", "key", "unchanging"):
            raise Damaged(f"it has no {key}")


def _shape(weights: Any) -> tuple[int, int]:
    """How many rows and columns of weights there are."""
    if not _is_table(weights, _is_number) or not weights or not weights[0]:
        raise Damaged("its weights are no rows of numbers")
    if len({len(row) for row in weights}) > 1:
        raise Damaged("its rows of weights differ in length")
    return len(weights), len(weights[0])


def _is_text(value: Any) -> bool:
    """A text that no terminal obeys."""
    return isinstance(value, str) and escape_control_characters(value) == value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST


def _is_known(value: Any) -> bool:
    """A number, or none where it is not known."""
    return value is None or _is_number(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and _is_number(value) and value >= 0


def _is_list(value: Any, of: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(of, value))


def _is_table(value: Any, of: Callable[[Any], bool]) -> bool:
    return _is_list(value, lambda row: isinstance(row, list)) and all(map(of, chain.from_iterable(value)))


def _is_shown(value: Any) -> bool:
    """What was foretold of some positions, and what came."""
    found: list[Any] = [value.get(key) for key in ("predicted", "observed")] if isinstance(value, dict) else []
    return len(found) == 2 and all(_is_list(one, _is_number) for one in found) and len(found[0]) == len(found[1])


def _is_point(value: Any) -> bool:
    """A point of a learning curve."""
    numbers = ("games", "score", "low", "high")
    return (
        isinstance(value, dict) and _is_text(value.get("opponent")) and all(_is_number(value.get(n)) for n in numbers)
    )


CHECKS: dict[str, Callable[[Any], bool]] = {
    "name": _is_text,
    "game": _is_text,
    "game_name": _is_text,
    "names": lambda value: _is_list(value, _is_text),
    "features": lambda value: isinstance(value, dict),
    "errors": lambda value: _is_table(value, _is_known),
    "p_values": lambda value: _is_table(value, _is_known),
    "method": _is_text,
    "target": _is_text,
    "positions": _is_count,
    "games": lambda value: value is None or _is_count(value),
    "seed": _is_count,
    "settings": lambda value: isinstance(value, dict),
    "fit": lambda value: isinstance(value, dict) and all(map(_is_text, value)) and all(map(_is_known, value.values())),
    "shown": _is_shown,
    "curve": lambda value: _is_list(value, _is_point),
    "unchanging": lambda value: _is_list(value, _is_text),
    "date": _is_text,
    "version": _is_text,
    "fingerprint": _is_text,
    "key": _is_text,
}
"""By the name of what is checked: whether it can be right."""
