"""A cold and a warm process for each kind of state: both end well, with the same answer as an interpreted search."""

from __future__ import annotations

import pytest

from tests.compile import processes
from tests.support import moving_again, plain_boards
from tests.support.conformance.subjects import CALIBRATION

FILES = {"SquareBoard": plain_boards, "NestedBoard": plain_boards, "MixedBoard": plain_boards, "Strip": moving_again}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
def test_a_cold_and_a_warm_process_give_the_same_answer(kind, tmp_path):
    game = f"{FILES[kind].__file__}:{kind}"
    jobs = [["bfmm(eval=random, nodes=300)", game]]
    if kind == "SquareBoard":  # it crashed on every array, cold and warm
        CALIBRATION.save()
        jobs.append([f"mgss(unit=sets, eval=random(calibration={CALIBRATION.hash}), nodes=1000)", game])
    cold, warm = (processes.run(*jobs, cache=tmp_path / "cache", cwd=tmp_path) for _ in range(2))
    for one, other in zip(cold, warm, strict=True):
        assert one.warnings == other.warnings == []
        assert (one.hits, one.misses) == (0, 1)
        assert (other.hits, other.misses, other.compilations) == (1, 0, 0)
        assert one.result == one.interpreted == other.result == other.interpreted
