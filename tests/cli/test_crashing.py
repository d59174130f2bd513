"""What is said when the process itself crashes."""

import os
import subprocess
import sys

import pytest

import ludus
from ludus.cli.crashing import message

REPORT = """Fatal Python error: Segmentation fault

Thread 0x00007f (most recent call first):
  File "{}", line 7 in play
  File "/somewhere/main.py", line 1 in <module>
"""


def test_the_place_in_a_file_of_the_user_is_named_and_one_of_ours_is_not():
    assert "(Segmentation fault in play, /home/me/game.py, line 7)" in message(REPORT.format("/home/me/game.py"), [])
    assert "(Segmentation fault). If" in message(REPORT.format(ludus.__file__), [])
    assert message("garbage", ["search", "my game.py:A"]).endswith("ludus search 'my game.py:A'\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be forked")
@pytest.mark.parametrize("how", ["ctypes.string_at(0)", "os.abort()"])
def test_a_crash_is_one_sentence_and_an_end_without_one_is_silent(how):
    script = "import ctypes, os\nfrom ludus.cli.crashing import tell_of_crashes\ntell_of_crashes(['check', 'x'])\n"
    ran = subprocess.run([sys.executable, "-c", script + how], capture_output=True, text=True, timeout=60)
    assert ran.returncode < 0
    assert ran.stderr.startswith("ludus: crashed (")
    assert ran.stderr.endswith("ludus check x\n")
    quiet = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")
