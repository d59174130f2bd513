"""The progress of all commands: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

import click

REDRAW = 0.25
"""Seconds between two drawings of the lines above a bar: they are costly."""
SILENCE = 10.0
"""Seconds after which a line is written where there is no terminal, so that nobody takes a long run for a dead one."""


class Progress:
    """A bar on standard error for whatever takes longer than `patience` seconds; a line every ten seconds where that is
    no terminal.

    Call `update` as often as you like. Without a total it only counts. A second thread begins the bar, so that it is
    there although something takes long before the first `update`: mostly compiling.
    """

    running: ClassVar[Progress | None] = None
    """The progress of the command that is running, if it shows any."""

    def __init__(self, total: float | None = None, patience: float = 2.0) -> None:
        self.total, self.patience = total, patience
        self.started, self.drawn = time.monotonic(), 0.0
        self.bar: Any = None
        self.words, self.over, self.drawing = "working", threading.Event(), threading.Lock()

    def __enter__(self) -> Progress:
        self.outer, Progress.running = Progress.running, self
        accompany = partial(self._speak, sys.stderr) if not sys.stderr.isatty() else self._begin
        threading.Thread(target=accompany, daemon=True).start()
        return self

    def _begin(self) -> None:
        """Show the bar when the patience is over, unless all is."""
        if self.patience and not self.over.wait(self.patience):
            self._drawn()

    def _speak(self, stream: Any) -> None:
        """Say now and then how far it is, until it is over."""
        while not self.over.wait(SILENCE):
            with suppress(OSError, ValueError):  # nobody listens any more
                click.echo(f"... {self.words} ({time.monotonic() - self.started:.0f} s)", file=stream)

    def update(
        self,
        done: float,
        words: str = "",
        total: float | None = None,
        above: Callable[[int], list[str]] | None = None,
    ) -> None:
        """Show how much of the total is done, with words beside the bar. The total may change.

        `above(width)` makes lines to show above the bar.
        """
        now = time.monotonic()
        self.words = words or self.words
        if now - self.started < self.patience or not sys.stderr.isatty():
            return
        self._drawn()
        if self.bar is None:
            return  # all is over
        task = self.bar.task_ids[0]
        if total is not None and total != self.total:
            self.total = total
            self.bar.reset(task, total=total)  # or the time left would follow from the pace of something else
        self.bar.update(task, completed=done, description=words)
        if above is not None and now - self.drawn >= REDRAW:
            self.drawn = now
            self.bar.above = above(self.bar.console.width)

    def doing(self, words: str) -> None:
        """Say beside the bar what is being done, until the next update."""
        self.words = words
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], description=words)

    def say(self, words: str) -> None:
        """A line on standard error, above the bar."""
        if self.bar is None:
            click.echo(words, err=True)
        else:
            self.bar.console.print(words, highlight=False, markup=False)

    def _drawn(self) -> None:
        """Begin the bar, if it has not begun."""
        with self.drawing:
            if self.bar is None and not self.over.is_set():
                self.bar = self._start()

    def _start(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress
        from rich.text import Text

        class Bar(RichProgress):
            above: Sequence[str] = ()

            def get_renderables(self) -> Iterator[Any]:
                if self.above:
                    yield Text("\n".join(self.above), no_wrap=True)
                yield self.make_tasks_table(self.tasks)

        columns = [BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), TimeRemainingColumn()]
        bar = Bar(*columns, console=Console(stderr=True), transient=True)
        bar.start()
        bar.add_task(self.words, total=self.total)
        return bar

    def __exit__(self, *_: Any) -> None:
        Progress.running = self.outer
        self.over.set()
        with self.drawing:
            if self.bar is not None:
                self.bar.stop()


def announce(words: str) -> None:
    """Say what is being done that takes a moment: beside the bar, or on a terminal without one on a line of its own."""
    if Progress.running:
        Progress.running.doing(words)
    elif sys.stderr.isatty():
        click.echo(f"{words} ...", err=True)
