"""A few thousand odd inputs; `python -m tests.fuzz.more` tries as many as one likes."""

from __future__ import annotations

import pytest

from tests.fuzz import trying


@pytest.fixture(autouse=True)
def furnished(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trying.furnish(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_command_lines(part):
    for seed in range(200 * part, 200 * (part + 1)):
        trying.command(seed)


@pytest.mark.slow
def test_damaged_databases(furnished):
    sound = trying.sound_database(furnished)
    for seed in range(200):
        trying.database(seed, sound)


@pytest.mark.slow
def test_lines_of_an_engine():
    for seed in range(40):
        trying.engine(seed)


@pytest.mark.slow
def test_damaged_cache_files(furnished):
    for seed in range(500):
        trying.cache(seed, furnished)
