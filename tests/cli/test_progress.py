"""Progress where there is no terminal: a line now and then, so that nobody takes a long run for a dead one."""

from __future__ import annotations

import contextlib
import io
import time

from ludus.terminal import progress
from tests.support.commands import PATIENCE


def test_a_piped_run_is_never_silent_for_long(monkeypatch):
    monkeypatch.setattr(progress, "SILENCE", 0.02)
    err = io.StringIO()
    with contextlib.redirect_stderr(err), progress.Progress(10) as bar:
        until = time.monotonic() + PATIENCE
        bar.update(1, "1 game")
        while err.getvalue().count("\n") < 2 and time.monotonic() < until:
            time.sleep(0.01)
        bar.update(2, "2 games")
        while "2 games" not in err.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    said = err.getvalue().splitlines()
    assert said[0] == "... 1 game (0 s)"
    assert said[-1].startswith("... 2 games (")
    time.sleep(0.1)
    assert len(err.getvalue().splitlines()) <= len(said) + 1  # it is over; one may have been on its way


def test_a_short_run_says_nothing():
    err = io.StringIO()
    with contextlib.redirect_stderr(err), progress.Progress() as bar:
        bar.update(1, "1 game")
    assert err.getvalue() == ""
    assert progress.SILENCE <= 10


def test_what_is_compiled_is_told_while_it_takes_long(monkeypatch):
    monkeypatch.setattr(progress, "SILENCE", 0.02)
    err = io.StringIO()
    with contextlib.redirect_stderr(err), progress.Progress(10) as bar:
        bar.update(10, "10 games")
        progress.announce("compiling bfmm for nim")
        until = time.monotonic() + PATIENCE
        while "bfmm" not in err.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    assert "... compiling bfmm for nim (0 s)" in err.getvalue()
    with contextlib.redirect_stderr(err := io.StringIO()):
        progress.announce("compiling bfmm for nim")
    assert err.getvalue() == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_on_a_terminal_the_bar_says_what_is_compiled():
    err = Terminal()
    with contextlib.redirect_stderr(err), progress.Progress(10, patience=0) as bar:
        bar.update(10, "10 games")
        progress.announce("compiling bfmm for nim")
    alone = [line for line in err.getvalue().replace("\r", "\n").splitlines() if "bfmm" in line]
    assert alone
    assert all("games" not in line for line in alone)
    with contextlib.redirect_stderr(err := Terminal()):
        progress.announce("compiling bfmm for nim")
    assert err.getvalue() == "compiling bfmm for nim ...\n"


def test_on_a_terminal_the_bar_begins_before_the_first_update():
    """The first thing that takes long is mostly compiling, which tells nothing of how far it is."""
    err = Terminal()
    with contextlib.redirect_stderr(err), progress.Progress(10, patience=0.02):
        progress.announce("compiling bfmm for nim")
        until = time.monotonic() + PATIENCE
        while "compiling bfmm for nim" not in err.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    assert "compiling bfmm for nim" in err.getvalue()


def test_what_is_over_at_once_draws_no_bar_on_a_terminal():
    with contextlib.redirect_stderr(err := Terminal()), progress.Progress(10, patience=PATIENCE) as bar:
        progress.announce("compiling bfmm for nim")
        bar.update(1, "1 game")
    assert err.getvalue() == ""


def test_an_update_that_comes_too_late_does_nothing():
    with contextlib.redirect_stderr(err := Terminal()):
        with progress.Progress(10, patience=0) as bar:
            pass
        bar.update(1, "1 game")
    assert err.getvalue() == ""
