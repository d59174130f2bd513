"""Run the command line: in this process, which is fast, or in a real one."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import warnings
from dataclasses import dataclass
from typing import Any

PATIENCE = 300
"""Seconds after which a process that has not done what it should is taken to hang; many, for machines may be busy."""


@dataclass
class Ran:
    """What a command did."""

    status: int
    out: str
    err: str
    """Without the lines that a long run writes now and then where there is no terminal."""
    progress: tuple[str, ...] = ()
    """Those lines."""

    @classmethod
    def of(cls, status: int, out: str, err: str) -> Ran:
        lines = err.splitlines(keepends=True)
        said = tuple(line for line in lines if line.startswith("... "))
        return cls(status, out, "".join(line for line in lines if line not in said), said)

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object that must be all of standard output."""
        assert self.out.count("\n") == 1, self.out
        value = json.loads(self.out, parse_constant=lambda word: 1 / 0)  # no NaN, no Infinity
        assert isinstance(value, dict)
        return value


def run(*arguments: object) -> Ran:
    """`ludus ARGUMENTS` in this process; warnings are shown as on the command line."""
    from ludus.cli import main

    out, err, status = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = stop.code
    assert isinstance(status, int), "main did not exit with a status"
    return Ran.of(status, out.getvalue(), err.getvalue())


def without_progress(err: str) -> str:
    """What a process wrote to standard error, but for the lines of a long run."""
    return Ran.of(0, "", err).err


def start(*arguments: object, **options: Any) -> subprocess.Popen:
    """`ludus ARGUMENTS` in a process of its own."""
    command = [sys.executable, "-m", "ludus", *map(str, arguments)]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=os.environ | {"PYTHONWARNINGS": "default"}, **pipes, **options)


def run_process(*arguments: object, **options: Any) -> Ran:
    """`ludus ARGUMENTS` in a process of its own, to its end."""
    process = start(*arguments, **options)
    out, err = process.communicate(timeout=PATIENCE)
    return Ran.of(process.returncode, out, err)


def assert_refused(ran: Ran, *words: str) -> None:
    """Bad input: one sentence on standard error, status 2, nothing else; and these words in it."""
    assert ran.status == 2, ran
    assert ran.out == "", ran.out
    assert ran.err.startswith("ludus: "), ran.err
    assert ran.err.count("\n") == 1, ran.err
    assert "Traceback" not in ran.err
    for word in words:
        assert word in ran.err, ran.err
