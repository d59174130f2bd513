"""The benchmarks run, and say what they should; their figures are not judged here."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.support import REPOSITORY


def run_benchmarks(*arguments: object) -> str:
    command = [sys.executable, "-m", "benchmarks", *map(str, arguments)]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=120, env=os.environ)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_quick_run(tmp_path):
    file = tmp_path / "rows.json"
    table = run_benchmarks("--quick", "--only", "compiled", "--only", "start", "--output", file)
    rows = {row["name"]: row for row in json.loads(file.read_text())["rows"]}
    assert {"import ludus", "ludus games", "bfmm on the README's game", "minimax on the README's game"} == set(rows)
    for name, row in rows.items():
        assert name in table
        assert set(row) >= {"name", "ours", "theirs", "ratio"}
        assert row["ratio"] == pytest.approx(row["ours"] / row["theirs"])
    assert rows["bfmm on the README's game"]["ratio"] > 10  # far below the goal, so that a busy machine passes


def test_unknown_benchmark_is_refused():
    with pytest.raises(AssertionError, match="invalid choice"):
        run_benchmarks("--only", "nothing")


def test_known_results_of_full_width_searches(tmp_path):
    """The leaves of SSS* and DUAL* are some of alpha-beta's on any tree."""
    file = tmp_path / "rows.json"
    run_benchmarks("--quick", "--only", "full-width", "--output", file)
    ratios = {row["name"]: row["ratio"] for row in json.loads(file.read_text())["rows"]}
    for trees in ("random trees", "ordered trees"):
        assert ratios[f"sss, {trees}"] <= 1
        assert ratios[f"sss(dual=true), {trees}"] <= 1
