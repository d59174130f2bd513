"""Workers in scripts that people write: without a guard, on standard input, at a prompt; in real processes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.commands import PATIENCE
from tests.support.game_sources import count

GAME = count(12, '    evaluator = "zero"\n')
SEARCH = """
from ludus.kernel.limits import STOP_NODES
from ludus.kernel.tree import expand

class First(ludus.Search):
    def step(self, game, evaluator, tree, limits):
        expand(game, evaluator, tree, 0)
        return STOP_NODES
"""
BUILT_IN = "'tictactoe', 'random', 'bfmm(nodes=50)'"
PLAY = {
    "rank": "print(ludus.rank({}, games=8, compiled=False, workers=2).to_dict()['games'])\n",
    "match": "print(ludus.match(*interpreted({}), games=8, workers=2).to_dict()['games'])\n",
}
HEAD = """import ludus

def interpreted(game, *players):
    return game, *(ludus.player(p, compiled=False) if isinstance(p, str) else p for p in players)
"""
GUARD = 'if __name__ == "__main__":\n    '
SENTENCE = 'put what the script does under `if __name__ == "__main__":`, because workers load its classes from the file'


def run(*arguments: object, **options: object) -> subprocess.CompletedProcess:
    """A Python process, which must end soon."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **options)


@pytest.mark.slow
@pytest.mark.parametrize("command", PLAY)
@pytest.mark.parametrize("how", ["file", "input", "prompt", "module"])
def test_a_script_needs_no_guard(command, how, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"{HEAD}\n{PLAY[command].format(BUILT_IN)}")
    ran = {
        "file": lambda: run(script),
        "input": lambda: run(input=script.read_text()),
        "prompt": lambda: run("-i", "-q", "-c", "", input=script.read_text()),
        "module": lambda: run("-m", "script", cwd=tmp_path),
    }[how]()
    assert ran.stdout == "8\n", ran
    assert ran.returncode == 0
    if how != "prompt":
        assert ran.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "what", [(GAME, "Count(), 'random', 'greedy'"), (SEARCH, "'nim', ludus.Player(First(), compiled=False), 'greedy'")]
)
@pytest.mark.parametrize("command", PLAY)
def test_a_script_that_plays_what_it_defines_is_told_to_guard_it(what, command, tmp_path):
    script, (classes, players) = tmp_path / "script.py", what
    script.write_text(f"{HEAD}{classes}\n{PLAY[command].format(players)}")
    ran = run(script)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.splitlines()[-1].startswith(
        f"ludus.common.errors.SpecError: {script} does not load: LudusError: {SENTENCE}"
    )
    assert ran.stderr.count("Traceback") == 1
    assert len(ran.stderr.splitlines()) < 30
    script.write_text(f"{HEAD}{classes}\n{GUARD}{PLAY[command].format(players)}")
    guarded = run(script)
    assert guarded.stdout == "8\n", guarded


@pytest.mark.slow
def test_a_class_without_a_file_is_one_sentence(tmp_path):
    script = f"import ludus\n{GAME}\n{PLAY['rank'].format('Count(), `random`, `greedy`')}".replace("`", "'")
    for ran in (run("-c", script), run(input=script)):
        assert ran.returncode == 1
        assert "must be moved to a file, or be played with workers=1." in ran.stderr.splitlines()[-1]
        assert len(ran.stderr.splitlines()) < 30
    assert run("-c", script.replace("workers=2", "workers=1")).stdout == "8\n"


@pytest.mark.slow
def test_main_is_there_again():
    """The module itself, and all that is in it."""
    script = (
        "import sys, ludus\nmain, names = sys.modules['__main__'], dict(vars(sys.modules['__main__']))\n"
        f"ludus.rank({BUILT_IN}, games=2, compiled=False, workers=2)\n"
        "print(sys.modules['__main__'] is main, all(vars(main)[name] is names[name] for name in names))\n"
    )
    assert run("-c", script).stdout == "True True\n"
