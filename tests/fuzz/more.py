"""`python -m tests.fuzz.more [CASES] [FIRST SEED]`: so many odd inputs of each kind; prints what went wrong."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from pathlib import Path

from tests.fuzz import trying


def main(cases: int = 10_000, first: int = 1_000_000) -> int:
    """The number of cases that went wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["LUDUS_DATA"] = folder
        trying.furnish(Path(folder))
        sound = trying.sound_database(Path(folder))
        for seed in range(first, first + cases):
            for name, case in {
                "command": lambda seed=seed: trying.command(seed),
                "database": lambda seed=seed: trying.database(seed, sound),
                "engine": lambda seed=seed: trying.engine(seed, 5),
                "cache": lambda seed=seed: trying.cache(seed, Path(folder)),
            }.items():
                try:
                    case()
                except KeyboardInterrupt:
                    raise
                except BaseException:
                    wrong += 1
                    print(f"{name} {seed}: {traceback.format_exc(limit=-3)}", flush=True)
    print(f"{cases} cases of each kind from seed {first} on: {wrong} went wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(*map(int, sys.argv[1:])), 1))
