"""The faults that `tests/support/mutants.py` puts into the program: exact text, and what stands there instead."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """In `file`, below `src/ludus`, `new` instead of `old`; `test`, below `tests`, fails then."""

    file: str
    old: str
    new: str
    test: str

    def applied_to(self, source: str) -> str:
        """The source with the fault; the text to replace must be there once."""
        if source.count(self.old) != 1:
            raise ValueError(f"{self.file} has {self.old!r} {source.count(self.old)} times, not once")
        return source.replace(self.old, self.new)

    def row(self, name: str) -> str:
        """For the page in the docs."""
        return f"| {name} | `{self.file}` | `{self.test.replace('::', ' ')}` |"


ALTERNATION = "kernel/test_alternation.py::"

MUTANTS = {
    "passes: lowest": Mutant(
        "kernel/alternation.py",
        "return -own_highest(self, before) if due",
        "return -own_lowest(self, before) if due",
        ALTERNATION + "test_bounds_change_places_where_a_pass_is_due",
    ),
    "passes: highest": Mutant(
        "kernel/alternation.py",
        "return -own_lowest(self, before) if due",
        "return -own_highest(self, before) if due",
        ALTERNATION + "test_bounds_change_places_where_a_pass_is_due",
    ),
    "passes: bounds not exchanged at all": Mutant(
        "kernel/alternation.py",
        "return -own_highest(self, before) if due(self, state) else own_lowest(self, before)",
        "return own_lowest(self, before)",
        ALTERNATION + "test_bounds_change_places_where_a_pass_is_due",
    ),
    "passes: features keep their signs": Mutant(
        "kernel/alternation.py",
        "numbers[i] = -numbers[i]",
        "numbers[i] = numbers[i]",
        ALTERNATION + "test_features_change_their_signs_where_a_pass_is_due",
    ),
    "passes: features change their signs always": Mutant(
        "kernel/alternation.py",
        "n = own_features(self, own(self, state), numbers)\n    if due(self, state):",
        "n = own_features(self, own(self, state), numbers)\n    if True:",
        ALTERNATION + "test_features_change_their_signs_where_a_pass_is_due",
    ),
}
