"""`ludus uci`: any of our searches as a chess engine, for the programs that people play with.

The Universal Chess Interface is a protocol of lines: the other program writes commands to our standard input and reads
answers from our standard output, where nothing else may stand. This thread reads; a second one compiles and searches,
so that `stop` and `isready` are heard at any time.
"""

from __future__ import annotations

import dataclasses
import os
import queue
import sys
import textwrap
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any, TextIO

import click

import ludus
from ludus.cli.common import compile_option, options, seed_option
from ludus.cli.searching import budget_option
from ludus.cli.uci_words import allowed, integer, is_whole, numbers_in, report, tightest
from ludus.common.errors import LudusError, SpecError, StateError
from ludus.kernel.limits import INTERRUPT
from ludus.model.budget import Budget
from ludus.model.result import Result
from ludus.runtime.player import Player
from ludus.runtime.session import Session

INTERVAL = 0.5
"""Seconds between two reports of a running search."""
RANGES = {"seed": (0, 2**63 - 1), "hash": (1, 1_000_000), "move overhead": (0, 10_000)}
"""The least and the largest value of the options that are numbers."""
LONGEST = 500
"""Characters of a complaint: it may quote a line of a megabyte."""
MOST_PLIES = 20_000
"""Of a game: after 17,697 plies at most the rule of seventy-five moves has ended it."""


@click.command()
@click.argument("spec")
@options(budget_option, seed_option, compile_option)
@click.pass_context
def uci(context: click.Context, spec: str, budget_text: str, seed: int, compiled: bool | None) -> None:
    """Speak UCI on standard input and output: a chess program can then play against SPEC."""
    engine = Engine(spec, budget_text, seed, compiled, sys.stdout)
    try:
        engine.serve(sys.stdin)
    except KeyboardInterrupt:
        context.exit(130)  # without a word: the other program reads what is said
    finally:
        if not engine.close():
            os._exit(0)  # nothing else ends a compilation


@dataclasses.dataclass
class Request:
    """A `go`, until `bestmove` answers it."""

    best: str
    """The move to answer: the best so far, at first the first that is legal."""
    stop: threading.Event = dataclasses.field(default_factory=threading.Event)
    answered: bool = False
    lock: Any = dataclasses.field(default_factory=threading.Lock)


class Engine:
    """What the other program sees; each method named `do_...` is a command of the protocol."""

    def __init__(self, spec: str, budget_text: str, seed: int, compiled: bool | None, out: TextIO) -> None:
        self.out, self.compiled, self.lock = out, compiled, threading.Lock()
        self.game: Any = ludus.game("chess")
        self.settings: dict[str, Any] = {"seed": seed, "hash": None, "move overhead": 50}
        self.set_budget(budget_text)
        self.set_search(spec)
        self.state, self.ply = self.game.start, 0
        self.jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.request: Request | None = None
        self.searching = self.leaving = False
        self.prepared: Player | None = None
        self.worker = threading.Thread(target=self._work, daemon=True)

    def say(self, *lines: str) -> None:
        with self.lock:
            self.out.write("".join(f"{line}\n" for line in lines))
            self.out.flush()

    def complain(self, words: object) -> None:
        self.say(f"info string {textwrap.shorten(str(words), LONGEST, placeholder=' ...')}")

    # Settings.

    def set_search(self, spec: str) -> None:
        """Change the player; the old one stays if the new one cannot play chess."""
        player = Player.of(spec, Budget(), compiled=self.compiled, announce=self.complain)
        if player.budget.per == "game":
            raise SpecError("a budget for a whole game is not for UCI: the other program says how much time there is.")
        player.on(self.game)
        self.player, self.own_budget, self.spec = player, player.budget, spec

    def set_budget(self, text: str) -> None:
        self.budget_text, self.default_budget = text, Budget.of(text)

    # The protocol.

    def serve(self, lines: Iterable[str]) -> None:
        """Read and obey commands until `quit` or the end of the input."""
        self.worker.start()
        for line in lines:
            if not self.obey(line.split()):
                break

    def close(self) -> bool:
        """End the search, if there is one; False if it does not end, because it is being compiled."""
        self.do_stop([])
        self.jobs.put(None)
        self.worker.join(1.0)
        return not self.worker.is_alive()

    def obey(self, words: list[str]) -> bool:
        """Obey the command in a line; False after `quit`. Unknown words are skipped, as the protocol asks."""
        known = next((place for place, word in enumerate(words) if hasattr(self, f"do_{word}")), None)
        if known is not None:
            try:
                getattr(self, f"do_{words[known]}")(words[known + 1 :])
            except LudusError as error:
                self.complain(error)
            except (Exception, RecursionError) as error:  # an engine outlives every line
                self.complain(f"{type(error).__name__}: {error}")
        return not self.leaving

    def do_quit(self, words: list[str]) -> None:
        self.leaving = True

    def do_uci(self, words: list[str]) -> None:
        seed = self.settings["seed"]
        self.say(
            f"id name ludus {ludus.__version__} {self.spec}",
            "id author the ludus developers",
            f"option name Search type string default {self.spec}",
            f"option name Budget type string default {self.budget_text}",
            f"option name Seed type spin default {seed} min 0 max {max(seed, 2**31 - 1)}",
            "option name Hash type spin default 2000 min 1 max 1000000",
            f"option name Move Overhead type spin default {self.settings['move overhead']} min 0 max 10000",
            "uciok",
        )

    def do_isready(self, words: list[str]) -> None:
        """Answer `readyok`: at once, also during a search, but not before the player is compiled."""
        if self.prepared is self.player or self.searching:
            self.say("readyok")
        else:
            player = self.player
            self.jobs.put(lambda: self._prepare(player))
            self.jobs.put(lambda: self.say("readyok"))

    def do_setoption(self, words: list[str]) -> None:
        """Read `name NAME value VALUE`, where both may have spaces."""
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        name = name.lower()
        if name == "search":
            self.set_search(value)
        elif name == "budget":
            self.set_budget(value)
        elif name in self.settings and is_whole(value):
            low, high = RANGES[name]
            self.settings[name] = min(max(integer(value), low), high)

    def do_ucinewgame(self, words: list[str]) -> None:
        self.jobs.put(self.player.new_game)

    def do_position(self, words: list[str]) -> None:
        """Read `startpos` or `fen FEN`, and perhaps `moves MOVE ...`; at a wrong move, the position before it stays."""
        from ludus.library.games.chess.text import read_move

        at = words.index("moves") if "moves" in words else len(words)
        if len(words) - at > MOST_PLIES:
            raise StateError(f"no game of chess has more than {MOST_PLIES:,} moves.")
        if words[:1] == ["fen"]:
            self.state = self.game.read_state(" ".join(words[1:at]))
        elif words[:1] == ["startpos"]:
            self.state = self.game.start
        else:
            return
        self.ply = 0
        for word in words[at + 1 :]:
            self.state = self.game.after(self.state, read_move(self.state, self.game.answers(self.state), word))
            self.ply += 1

    def do_go(self, words: list[str]) -> None:
        if self.searching and not (self.request and self.request.stop.is_set()):
            return
        if self.request is not None:
            self.answer(self.request)  # it was stopped, but may not have heard it yet
        given = numbers_in(words)
        if "searchmoves" in words:
            self.complain("searchmoves is not supported: all moves are searched")
        infinite = "infinite" in words
        limits = allowed(given, int(self.state[6]), self.settings["move overhead"])
        budget = tightest(self.own_budget, limits, Budget(memory=self.settings["hash"]))
        if not budget.bounds_effort and not infinite:
            budget = tightest(budget, self.default_budget)
        answers = self.game.answers(self.state)
        first = self.game.move_name(self.state, answers[0]) if answers else "(none)"
        self.searching, self.request = True, Request(first)
        player, state, seed, request = self.player, self.state, self.settings["seed"] + self.ply, self.request
        self.jobs.put(lambda: self._search(request, player, state, budget, seed, infinite))

    def do_stop(self, words: list[str]) -> None:
        if self.request is not None:
            self.request.stop.set()

    def answer(self, request: Request) -> None:
        """Say `bestmove`, once for each `go`."""
        with request.lock:
            if not request.answered:
                request.answered = True
                if request is self.request:
                    self.searching = False
                self.say(f"bestmove {request.best}")

    # The other thread.

    def _work(self) -> None:
        while (job := self.jobs.get()) is not None:
            try:
                job()
            except BrokenPipeError:  # nobody listens any more
                return
            except LudusError as error:
                self.complain(error)
            except Exception as error:
                traceback.print_exc(file=sys.stderr)
                self.complain(f"{type(error).__name__}: {error}")

    def _prepare(self, player: Player) -> None:
        """Compile the player for chess, and calibrate its evaluator if need be, unless that was done before."""
        if player.lacks(self.game):
            from ludus.learning.automatic_calibration import with_calibration

            told: Callable[[float, str], None] = lambda done, words: None if done else self.complain(words)  # noqa: E731
            player.evaluator = with_calibration(player, self.game, told).evaluator
        player.session(self.game)
        self.prepared = player

    def _search(self, request: Request, player: Player, state: Any, budget: Budget, seed: int, infinite: bool) -> None:
        """Search and answer `bestmove`; after an error it is the first legal move, if there is one."""
        try:
            if request.answered:
                return
            self._prepare(player)
            if not self.game.legal(state):  # fifty moves are over, but the other program goes on
                state = (*state[:5], 0, *state[6:])
            if self.game.legal(state):
                player.budget = budget
                self._choose(request, player, state, seed)
            if infinite:
                request.stop.wait()
        finally:
            self.answer(request)

    def _choose(self, request: Request, player: Player, state: Any, seed: int) -> None:
        shown = time.monotonic()

        def progress(session: Session) -> None:
            nonlocal shown
            if request.stop.is_set():
                session.limits[INTERRUPT] = 1
            elif time.monotonic() - shown > INTERVAL and session.tree.record.count[0] > 0:
                shown, session.seconds = time.monotonic(), session.elapsed
                self._report(request, session.result(state, ""))

        self._report(request, player.choose(self.game, state, seed=seed, progress=progress))

    def _report(self, request: Request, result: Result) -> None:
        """Say what is known, unless the answer has been given."""
        with request.lock:
            request.best = result.move_name
            if not request.answered:
                self.say(report(result))


COMMANDS = (uci,)
