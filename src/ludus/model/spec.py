"""Specs: the text form of a game, an evaluator, a search or a player, `name(key=value, ...)`.

Values are numbers, `true`, `false`, words, quoted strings and nested specs. A name may be a path,
`path/to/file.py:Class`, or that of a learnt evaluator, `path/to/file.json`. Reading and printing are inverses:
`Spec.parse(str(spec)) == spec`.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field

from ludus.common.errors import SpecError

_END = r"(?![\w.:/+-])"
_PATH = re.compile(r"[^(),=\"']+\.(?:py(?::\w+)?|json)" + _END)
_WORD = re.compile(r"[A-Za-z_][\w.:/+-]*")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:_\d+)*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf)" + _END)
_KEY = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_CONSTANTS = {"true": True, "false": False}


DEEPEST = 50


@dataclass(frozen=True)
class Spec:
    """A name and its arguments by keyword."""

    name: str
    arguments: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key, value in self.arguments.items():
            if isinstance(value, Spec) and not value.arguments:  # a bare name is a word
                self.arguments[key] = value.name

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read a whole spec; anything left over is an error."""
        reader = _Reader(text)
        spec = reader.spec()
        reader.end()
        return spec

    def __str__(self) -> str:
        if not self.arguments:
            return self.name
        return f"{self.name}({format_arguments(self.arguments)})"

    def __hash__(self) -> int:
        return hash(str(self))


def parse_arguments(text: str, what: str = "it") -> dict:
    """Read `key=value, ...` without a name, such as the text of a budget; an error says `what` should look so."""
    reader = _Reader(text, f"{what} is written key=value, with commas between several")
    arguments = reader.arguments(closing="")
    reader.end()
    return arguments


def format_arguments(arguments: dict) -> str:
    return ", ".join(f"{key}={format_value(value)}" for key, value in arguments.items())


def format_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return f"{int(value)}.0"
    if isinstance(value, str):
        return value if _is_plain(value) else json.dumps(value)
    return str(value)


def _is_plain(text: str) -> bool:
    """Whether a string reads back as itself without quotes."""
    reader = _Reader(text)
    try:
        return reader.value() == text and reader.at == len(text)
    except SpecError:
        return False


class _Reader:
    """A cursor over the text, with one method for each rule of the grammar."""

    def __init__(self, text: str, allowed: str = "a spec is name or name(key=value, ...)") -> None:
        self.text, self.at, self.allowed = text, 0, allowed

    def spec(self) -> Spec:
        name = self.match(_PATH) or self.match(_WORD)
        if name is None:
            raise self.error("a name")
        if not self.take("("):
            return Spec(name.strip())
        return Spec(name.strip(), self.arguments(closing=")"))

    def arguments(self, closing: str) -> dict:
        found: dict = {}
        if closing and self.take(closing):
            return found
        while True:
            key = self.match(_KEY)
            if key is None or not self.take("="):
                raise self.error("key=value")
            if key in found:
                raise SpecError(f"{key!r} is given twice in {self.text!r}.")
            found[key] = self.value()
            if not self.take(","):
                break
        if closing and not self.take(closing):
            raise self.error("',' or ')'")
        return found

    def value(self) -> object:
        self.skip()
        if self.text.count("(", 0, self.at) > DEEPEST:
            raise SpecError(f"a spec may have at most {DEEPEST} pairs of brackets.")
        number = None if _PATH.match(self.text, self.at) else self.match(_NUMBER)
        if number is not None:
            return _number(number)
        quoted = self.match(_QUOTED)
        if quoted is not None:
            try:
                return json.loads(quoted, strict=False)  # a string may have several lines
            except ValueError:
                raise self.error("a quoted string") from None
        spec = self.spec()
        return spec if spec.arguments else _CONSTANTS.get(spec.name, spec.name)

    def end(self) -> None:
        if self.text[self.at :].strip():
            raise self.error("the end")

    def match(self, pattern: re.Pattern) -> str | None:
        self.skip()
        found = pattern.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def take(self, mark: str) -> bool:
        self.skip()
        if self.text.startswith(mark, self.at):
            self.at += len(mark)
            return True
        return False

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def error(self, wanted: str) -> SpecError:
        rest = self.text[self.at :].strip()
        here = f"before {rest!r}" if rest else "at the end"
        return SpecError(f"cannot read {self.text!r}: expected {wanted} {here}; {self.allowed}.")


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        number = float(text)
        assert not math.isnan(number)
        return number
