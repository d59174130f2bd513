"""Faults put into the program one at a time, and for each the test that must fail on it.

    python -m tests.support.mutants            # all of them: a test run each, some minutes together
    python -m tests.support.mutants killer     # those with this word in their names
    python -m tests.support.mutants --page     # write the table in docs/notes/mutants.md anew

`tests/support/mutants.toml` says what is replaced; `docs/notes/mutants.md` shows it as a table. A fault
is put into a copy of `src`, never into the tree itself. First all the tests run without a fault, and must pass.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support import REPOSITORY
from tests.support.mutant_list import MUTANTS, Mutant

SOURCE = REPOSITORY / "src"
PAGE = REPOSITORY / "docs" / "notes" / "mutants.md"
HEADING = "| fault | in | caught by |\n| --- | --- | --- |"
PASSED, FAILED = 0, 1
"""What pytest returns; anything else means that it could not do its work."""


def run_tests(tests: list[str], source: Path) -> subprocess.CompletedProcess[str]:
    """Run these tests with the package of this folder, and a cache of compiled code beside it."""
    environment = os.environ | {"PYTHONPATH": str(source), "LUDUS_CACHE": str(source.parent / "cache")}
    options = ("-q", "-x", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", *options, *(f"tests/{test}" for test in tests)]
    return subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True)


def is_imported_from(source: Path) -> bool:
    """Whether the tests see the copy, and not the package as it is installed."""
    asked = [sys.executable, "-c", "import ludus; print(ludus.__file__)"]
    found = subprocess.run(asked, cwd=REPOSITORY, env=os.environ | {"PYTHONPATH": str(source)}, capture_output=True)
    return Path(os.fsdecode(found.stdout.strip())).is_relative_to(source)


def outcome(mutant: Mutant, source: Path) -> str:
    """Put the fault in, run the test, and take the fault out again."""
    file = source / "ludus" / mutant.file
    before = file.read_text(encoding="utf-8")
    try:
        file.write_text(mutant.applied_to(before), encoding="utf-8")
        done = run_tests([mutant.test], source)
    finally:
        file.write_text(before, encoding="utf-8")
    if done.returncode == FAILED:
        return "caught"
    return "SURVIVED" if done.returncode == PASSED else f"ERROR\n{done.stdout}{done.stderr}"


def write_page() -> None:
    """The page with a row for each mutant under the heading of the table."""
    above, heading, _ = PAGE.read_text(encoding="utf-8").partition(HEADING)
    PAGE.write_text("\n".join([above + heading, *(mutant.row for mutant in MUTANTS.values()), ""]))


def main(words: list[str]) -> int:
    if words == ["--page"]:
        write_page()
        return 0
    chosen = {name: mutant for name, mutant in MUTANTS.items() if not words or any(word in name for word in words)}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        if not is_imported_from(source):
            print("the tests do not import the copy of the package")
            return 2
        without = run_tests(sorted({mutant.test for mutant in chosen.values()}), source)
        if without.returncode != PASSED:
            print(f"the tests fail without a fault:\n{without.stdout}{without.stderr}")
            return 2
        bad = 0
        for name, mutant in chosen.items():
            found = outcome(mutant, source)
            bad += found != "caught"
            print(f"{name}: {found}", flush=True)
    print(f"{len(chosen) - bad} of {len(chosen)} caught")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
