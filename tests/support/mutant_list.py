"""The faults in `mutants.toml`: exact texts of the program, and what stands there instead."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from tests.support import SUPPORT


@dataclass(frozen=True)
class Mutant:
    """In `file`, below `src/ludus`, `new` instead of `old`; `test`, below `tests`, fails then."""

    name: str
    file: str
    old: str
    new: str
    test: str

    def applied_to(self, source: str) -> str:
        """The source with the fault; the text to replace must be there once."""
        if source.count(self.old) != 1:
            raise ValueError(f"{self.file} has {self.old!r} {source.count(self.old)} times, not once")
        return source.replace(self.old, self.new)

    @property
    def row(self) -> str:
        """For the page in the docs."""
        return f"| {self.name} | `{self.file}` | `{self.test.replace('::', ' ')}` |"


def _read() -> dict[str, Mutant]:
    listed = tomllib.loads((SUPPORT / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
    return {entry["name"]: Mutant(**entry) for entry in listed}


MUTANTS = _read()
