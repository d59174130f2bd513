"""Searches in processes of their own: what each found, and what became of its compiled code.

As a program it takes a list of jobs in JSON, `[search, game, in a worker?]`, and prints a report for each. The file of
a game that runs as `__main__` imports `report` and `report_from_worker` from here.
"""

import json
import multiprocessing
import os
import subprocess
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from types import SimpleNamespace

from tests.support import REPOSITORY


def start(*jobs, cache, cwd, script=__file__, **env):
    """A process that does these jobs; or that runs `script`, which prints reports too."""
    path = os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")])
    env = os.environ | {"LUDUS_CACHE": str(cache), "PYTHONPATH": path} | env
    command = [sys.executable, str(script), json.dumps(jobs)]
    return subprocess.Popen(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    """The reports of a process that was started."""
    out, err = process.communicate(timeout=800)
    assert process.returncode == 0, f"exit status {process.returncode}: {err}"
    return [SimpleNamespace(**found) for found in json.loads(out.splitlines()[-1])]


def run(*jobs, **options):
    return finish(start(*jobs, **options))


def report(search, game):
    """Search compiled if possible, and interpreted; `game` is a spec or a `Game`."""
    from numba.core import event

    imports = time.process_time()
    import ludus

    with warnings.catch_warnings(record=True) as caught, event.install_recorder("numba:compile") as compilations:
        warnings.simplefilter("always")
        made = ludus.game(game) if isinstance(game, str) else game
        player = ludus.player(search)
        result = _plain(player.choose(made))
    cpu = time.process_time()
    kernel = player.session(made).kernel
    step = next(iter(kernel.dispatchers.values())) if kernel else None
    return {
        "game": str(made),
        "result": result,
        "interpreted": _plain(ludus.player(search, compiled=False).choose(made)),
        "kernel": kernel.fingerprint if kernel else "",
        "hits": sum(step.stats.cache_hits.values()) if step else 0,
        "misses": sum(step.stats.cache_misses.values()) if step else 0,
        "signatures": {name.split("__")[0]: count for name, count in kernel.signatures.items()} if kernel else {},
        "compilations": len(compilations.buffer) // 2,  # each begins and ends
        "warnings": [str(warning.message) for warning in caught],
        "imports": imports,
        "cpu": cpu,
    }


def report_from_worker(search, game):
    """The same from another process, to which the game is sent; and whether the result came back as it was."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        found = executor.submit(report, search, game).result()
        copy, used = executor.submit(give_back, game).result()
    return found | {"returned": type(copy) is type(game) and str(copy) == str(used) == str(game)}


def give_back(game):
    import ludus

    return game, ludus.player("greedy", compiled=False).choose(game).game


def _plain(result):
    found = result.to_dict()
    del found["meter"]["seconds"]
    return found


def main():
    import ludus

    found = []
    for search, game, *worker in json.loads(sys.argv[1]):
        found.append(report_from_worker(search, ludus.game(game)) if worker else report(search, game))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
