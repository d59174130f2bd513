"""Odd input, from a seed: command lines, databases, lines of the UCI protocol, files of the cache."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

NUMBERS = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "07",
    "1e3",
    "0.5",
    ".5",
    "1e308",
    "1e-320",
    "inf",
    "-inf",
    "nan",
    "1_000",
    "0x10",
    "true",
    "1.",
    "+5",
    "٣",
    "²",
]
NUMBERS += ["", "9" * 400, "9" * 5000, str(2**62), str(2**63), str(2**64), str(-(2**63))]
WORDS = [
    "a",
    "last",
    "person",
    "auto",
    "zero",
    "random",
    "nosuch",
    "~nosuchuser",
    "..",
    "/",
    "//",
    "-",
    "--",
    "=1+1",
    "$x_{$",
    "%s",
    "{}",
    "'",
    '"',
    "\\",
    "*",
    "é…",
]
WORDS += ["", "\x1b[31m", "\u202e", "\udcff", "\n", "a b", "x" * 300, "x" * 5000]
PATHS = [
    "x.db",
    "no/x.db",
    "loop/x.db",
    ".",
    "/dev/null",
    "run.csv",
    "x.html",
    "x.png",
    "x.svg",
    "game.py",
    "game.py:Stones",
    "broken.py:Game",
]
PATHS += ["loop.py", "x.py:", ":", "~nosuchuser/x.py:G", "\udcff.py:G", "x" * 300 + ".py", "folder.py"]
GAMES = [
    "nim",
    "tictactoe",
    "nim(stones=5)",
    "tictactoe(size=2)",
    "random-tree(depth=3,branching=2)",
    "pig(target=5)",
    "game.py",
]
GAMES += ["trap-tree(depth=3)", "kalah(houses=2,seeds=1)", "connect4(columns=3,rows=3,line=3)", "othello(size=4)"]
SEARCHES = [
    "greedy",
    "random",
    "minimax(depth=2)",
    "alphabeta(nodes=20)",
    "bfmm(nodes=20)",
    "lcf(nodes=20)",
    "uct(nodes=20)",
]
SEARCHES += ["sampler(nodes=50)", "pvs(depth=2)"]
KEYS = [
    "nodes",
    "seconds",
    "units",
    "depth",
    "memory",
    "per",
    "eval",
    "traverse",
    "generate",
    "c",
    "order",
    "table",
    "seed",
    "stones",
    "size",
    "branching",
]
KEYS += ["first", "most", "tolerance", "memory_of_table", "aspiration", "nosuch", ""]
LETTERS = ["", "(", ")", "=", ",", "\0", "é", "9", " ", ":"]
FLAGS = ("--json", "--help", "--new", "--all", "--force")


class Odd:
    """A source of odd input; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def one(self, *choices: Callable[[], str] | list[str]) -> str:
        chosen = self.chance.choice(choices)
        return self.chance.choice(chosen) if isinstance(chosen, list) else chosen()

    def value(self) -> str:
        return self.one(NUMBERS, NUMBERS, WORDS, SEARCHES, ["zero", "random", "sampler", "1", "2"])

    def spec(self, names: list[str]) -> str:
        """A spec that is right, or nearly, or not at all."""
        name = self.one(names, names, names, WORDS, PATHS)
        kind = self.chance.randrange(8)
        if kind < 4:
            return name
        if kind == 4:
            return f"{name}({self.value()})"
        if kind == 5:
            return self.mangled(name)
        if kind == 6 and self.chance.random() < 0.1:
            return f"{name}({'a=b(' * self.chance.randrange(600)}"
        some = (f"{self.one(KEYS)}={self.value()}" for _ in range(self.chance.randrange(3)))
        return f"{name.partition('(')[0]}({', '.join(some)})"

    def mangled(self, text: str) -> str:
        """Some characters of a text lost, doubled or replaced."""
        letters = list(text)
        for _ in range(self.chance.randrange(1, 4)):
            at = self.chance.randrange(len(letters) + 1)
            letters[at : at + self.chance.randrange(2)] = self.chance.choice(LETTERS)
        return "".join(letters)

    def options(self, *known: str) -> list[str]:
        found = []
        for _ in range(self.chance.randrange(3)):
            name = self.chance.choice([*known, *known, "--nosuch", "-x", "--json", "--help"])
            found += [name] if name in FLAGS else [name, self.value()]
        return found

    def command(self) -> list[str]:
        """A command line that ends soon: interpreted, with small budgets, in this process."""
        game, first, second = self.spec(GAMES), self.spec(SEARCHES), self.spec(SEARCHES)
        few = ["--games", "2", "--no-compile", "--move-limit", "1"]
        lines: list[list[str]] = [
            ["show", game, *self.options("--state")],
            ["search", game, first, "--no-compile", *self.options("--state", "--seed", "--budget", "--workers")],
            ["perft", game, self.one(["0", "1", "2"], NUMBERS), "--no-compile", *self.options("--state")],
            ["check", game, "--games", "1", "--seconds", "0.1", "--no-compile", *self.options("--seed")],
            ["match", game, first, second, *self.options("--openings", "--seed", "--sprt", "--db"), *few],
            [
                "rank",
                game,
                "nosuch",
                *self.options("--openings", "--seed", "--budget", "--db", "--equal", "--family"),
                *few,
            ],
            ["play", game, "--first", first, "--second", second, "--no-compile", *self.options("--state", "--seed")],
            ["trace", game, first, "-o", self.one(PATHS, WORDS), "--no-compile", *self.options("--most", "--state")],
            ["runs", "--db", self.one(PATHS, WORDS), *self.options()],
            [
                "export",
                self.one(["1", "last"], NUMBERS, WORDS),
                *self.options("--db", "-o", "--format", "--game", "--force"),
            ],
            [self.one(["games", "searches", "evaluators"], WORDS), *self.options()],
        ]
        line = self.chance.choice(lines)
        return [word for word in line if "\0" not in word]  # which no shell can give

    def uci(self) -> str:
        """A line for an engine."""
        numbers = [f"{word} {self.one(NUMBERS)}" for word in ("depth", "nodes", "movetime", "wtime", "btime", "mate")]
        fen = self.mangled("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        option = self.one(["Hash", "Seed", "Search", "Budget", "Move Overhead"], WORDS)
        lines = [
            f"go {' '.join(self.chance.sample(numbers, self.chance.randrange(3)))}",
            f"setoption name {option} value {self.value()}",
            f"setoption name Search value {self.spec(SEARCHES)}",
            f"position fen {fen}",
            f"position startpos moves {self.one(['e2e4', 'e2e5', 'e7e8q'], WORDS)} {self.one(WORDS)}",
            self.mangled(self.one(["uci", "isready", "ucinewgame", "stop", "go infinite", "position startpos"])),
            self.one(WORDS, NUMBERS),
        ]
        return self.chance.choice(lines)

    def damage(self, file: Path) -> None:
        """Change a database: some bytes of the file, or what stands in a row."""
        if self.chance.random() < 0.5:
            content = bytearray(file.read_bytes())
            for _ in range(self.chance.choice((1, 1, 5, 100))):
                content[self.chance.randrange(len(content))] = self.chance.randrange(256)
            if self.chance.random() < 0.2:
                del content[self.chance.randrange(len(content)) :]
            file.write_bytes(content)
            return
        with sqlite3.connect(file) as db:
            db.execute("PRAGMA ignore_check_constraints = 1")
            db.execute("PRAGMA foreign_keys = 0")
            for _ in range(self.chance.randrange(1, 4)):
                table = self.chance.choice(("runs", "players", "games"))
                if self.chance.random() < 0.1:
                    self.change_schema(db, table)
                    break
                names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
                column = self.chance.choice(names)
                texts = ["[", "{}", "game.py:Game", "9" * 30, '{"best": NaN}', '{"best": 1e999}', '{"best": "game.py"}']
                value = self.chance.choice([None, 7, -1, 1e308, float("inf"), b"\xff\x00", *texts, self.value()])
                try:
                    db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid % 3 = 0", (value,))
                except (sqlite3.Error, UnicodeError):
                    continue
        db.close()

    def change_schema(self, db: sqlite3.Connection, table: str) -> None:
        """Put a view that never ends in the place of a table, or a trigger that never ends on it, or drop it."""
        names = ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({table})"))
        endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"
        trigger = f"INSERT INTO measurements {endless} SELECT 1, n, 'x' FROM c"
        for statement in self.chance.choice(
            (
                [f"ALTER TABLE {table} RENAME TO t", f"CREATE VIEW {table} AS {endless} SELECT {names} FROM t, c"],
                [f"CREATE TRIGGER t AFTER UPDATE ON {table} BEGIN {trigger}; END"],
                [f"DROP TABLE {table}"],
            )
        ):
            db.execute(statement)
