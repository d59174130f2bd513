"""While the command `ludus` is being loaded, which takes a moment, Ctrl-C ends it without a word."""

import os
import signal
import sys
from itertools import pairwise

IS_COMMAND = ("-m", "ludus") in pairwise(sys.orig_argv) or os.path.basename(sys.argv[0] if sys.argv else "") == "ludus"

if IS_COMMAND and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def is_done() -> None:
    """From now on Ctrl-C is an exception again."""
    if IS_COMMAND and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
