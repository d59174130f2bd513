"""Give odd input to the program, and see that it answers: no traceback, no hang, exit status 2 with one sentence."""

from __future__ import annotations

import io
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludus.cli.uci import Engine
from ludus.compile.sealed import SealedFile
from tests.fuzz.odd import Odd
from tests.support.commands import Ran, run
from tests.support.databases import play_run
from tests.support.game_sources import count

SECONDS = 20
"""Of the clock, after which a case hangs; each takes milliseconds on an idle machine."""


class Hangs(BaseException):
    """A case took too long."""


@contextmanager
def limited(what: object) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise Hangs(f"after {SECONDS} s: {what!r}")

    before = signal.signal(signal.SIGUSR1, ring)  # a command has SIGALRM to itself
    timer = threading.Timer(SECONDS, signal.pthread_kill, (threading.get_ident(), signal.SIGUSR1))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGUSR1, before)


def furnish(folder: Path) -> None:
    """What the odd paths find: a game, a file that is none, links in a circle."""
    (folder / "game.py").write_text(count(5).replace("class Count", "class Game_").replace("Game_", "Stones"))
    (folder / "broken.py").write_text("def (")
    (folder / "folder.py").mkdir()
    for name in ("loop", "loop.py"):
        (folder / name).symlink_to(name)


def judge(ran: Ran, what: object) -> None:
    """A command has ended as it should."""
    assert "Traceback" not in ran.err, (what, ran.err)
    assert ran.status in (0, 1, 2), (what, ran)
    assert not {"\x1b", "\u202e"} & set(ran.out + ran.err), (what, ran)
    if ran.status == 2:
        lines = [line for line in ran.err.splitlines() if not line.startswith("ludus: warning: ")]
        assert len(lines) == 1 or "play" in str(what), (what, ran.err)  # with --json it shows the game there
        assert lines[-1].startswith("ludus: "), (what, ran.err)


def command(seed: int) -> None:
    """A command line, in the working directory."""
    line = Odd(seed).command()
    with limited(line):
        judge(run(*line), line)


def database(seed: int, sound: Path) -> None:
    """A damaged copy of a database, read by every command that reads one."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x.db"
        shutil.copyfile(sound, file)
        Odd(seed).damage(file)
        best = ["play", "nim", "--first", "random", "--second", "best", "--no-compile", "--json"]
        for words in (["runs"], ["runs", "--json"], ["export", "last", "-o", folder, "--force"], best):
            with limited((seed, words)):
                judge(run(*words, "--db", file), (seed, words))
        assert not Path("ran").exists(), "a file was run that a database names"


def sound_database(folder: Path) -> Path:
    file = folder / "sound.db"
    for game in ("nim", "tictactoe", "nim(stones=7)"):
        play_run(file, game, 3)
    return file


def engine(seed: int, lines: int = 50) -> None:
    """An engine that hears odd lines; it begins no search."""
    odd, made = Odd(seed), Engine("greedy(eval=zero)", "nodes=10", 0, False, io.StringIO())
    for _ in range(lines):
        line = odd.uci()
        with limited(line):
            made.searching = odd.chance.random() < 0.5
            assert made.obey(line.split()) or "quit" in line, line


def cache(seed: int, folder: Path) -> None:
    """A file of the cache with some bytes changed is what it was, or is not there."""
    chance, sealed = Odd(seed).chance, SealedFile(str(folder), f"step{seed % 7}", "stamp")
    kept = {"code": bytes(chance.randrange(256) for _ in range(50))}
    sealed.save("key", kept)
    for file in folder.glob(f"step{seed % 7}.*"):
        content = bytearray(file.read_bytes())
        for _ in range(chance.randrange(3)):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        file.write_bytes(content[: chance.choice((None, None, chance.randrange(len(content))))])
    assert sealed.load("key") in (None, kept)
