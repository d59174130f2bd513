"""The command line answers before it loads anything heavy."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

HEAVY = ("numba", "llvmlite", "scipy", "matplotlib", "statsmodels", "pandas")
IMPORT = "import ludus"
GAMES = "import sys; sys.argv = ['ludus', 'games']; import ludus.cli; ludus.cli.main()"


def processor_seconds(code: str) -> float:
    """What a fresh process takes of the processor, whatever else the machine has to do."""
    before = os.times()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@pytest.mark.slow
@pytest.mark.parametrize(("code", "most"), [(IMPORT, 5), (GAMES, 9)], ids=["import ludus", "ludus games"])
def test_fast(code, most):
    """Compared with the import of NumPy in turns: a busy machine slows down both, by chance one more than the other."""
    ours, theirs = zip(*[(processor_seconds(code), processor_seconds("import numpy")) for _ in range(5)], strict=True)
    assert sum(ours) < most * sum(theirs)


@pytest.mark.parametrize(
    "code", [IMPORT, GAMES.replace("ludus.cli.main()", "ludus.cli.cli.main(['games'], standalone_mode=False)")]
)
def test_light(code):
    code += f"\nimport sys; print('HEAVY', *[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "HEAVY"
