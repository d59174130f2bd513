"""The games of a stored run for other programs and for people: CSV, words, and the game's own notation."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from ludus.arena.play.openings import Opening
from ludus.arena.store.rows import PLACE, PLAYED, SEATS
from ludus.arena.store.store import Store
from ludus.common.errors import LudusError
from ludus.common.files import whole_file
from ludus.common.numbers import counted
from ludus.model import registry
from ludus.model.game import Game
from ludus.model.playable import LONGEST_GAME, PlayableGame, Repetitions
from ludus.model.spec import Spec

ENDINGS = {"csv": "csv", "text": "txt"}
"""The endings of files by format. The ending of a game's own notation is the notation's name."""

COLUMNS = [*PLACE, "first", "second", *PLAYED, "result", *SEATS]


class Numbers(Game):
    """Stands for a game whose file is missing or was changed: its moves are named by their numbers."""

    def move_names(self, moves: Sequence[int], state: Any = None) -> list[str]:
        return [str(move) for move in moves]


class Rules:
    """The games of a run's specs. A file is run only if somebody named it, or if this user has played the run here.

    Reading somebody's results must run nobody's code: both a run and each of its games may name any file.
    """

    def __init__(self, store: Store, run: Mapping[str, Any], named: str | None = None) -> None:
        """`named` is the spec of a game whose class is taken for all games, as `path/to/file.py:Class`."""
        self.store, self.run, self.named = store, run, named
        if named is not None:
            registry.games().find(Spec.parse(named).name)
        self._made: tuple[str, PlayableGame | Exception] = "", Numbers()

    def game(self, spec: str) -> PlayableGame:
        """The game of this spec, made once for successive games that have the same; raises if it cannot be made."""
        if self._made[0] != spec:
            try:
                self._made = spec, self._make(spec)
            except (Exception, SystemExit) as error:
                self._made = spec, LudusError(str(error))
        if isinstance(self._made[1], Exception):
            raise self._made[1]
        return self._made[1]

    def _make(self, text: str) -> PlayableGame:
        spec = Spec.parse(text)
        if self.named is not None:
            return registry.games().find(Spec.parse(self.named).name).from_arguments(spec.arguments)
        if not self.store.may_build(self.run["number"], text):
            why = "it is not known who made this run"
            raise LudusError(f"{spec.name} was not run, because {why}: name it with `game`.")
        return registry.games().make(spec)

    @property
    def formats(self) -> dict[str, str]:
        """The formats that the run can be written in, with the ending of each."""
        try:
            own = self.game(self.run["game"]).notation
        except Exception:
            own = ""
        known = own.isalnum() and own not in ENDINGS.values()
        return ENDINGS | ({own: own} if known else {})


def cell(value: Any) -> Any:
    """A value for a CSV file: text that a spreadsheet would take for a formula begins with an apostrophe there.

    Some spreadsheets skip blanks and line ends before a formula.
    """
    risky = isinstance(value, str) and (value.lstrip()[:1] in FORMULA or value[:1] in LEADING)
    return f"'{value}" if risky and not NUMBERS.fullmatch(value) else value


FORMULA = tuple("=+-@")
LEADING = tuple("\t\r\n")
NUMBERS = re.compile(r"[-+0-9.e ]*")


class Export:
    """Writes the games of a run into a file for each format; afterwards `warning` says what could not be written."""

    def __init__(
        self, store: Store, run: Mapping[str, Any], files: Mapping[str, Path], rules: Rules | None = None
    ) -> None:
        self.store, self.run, self.files, self.rules = store, run, files, rules or Rules(store, run)
        self.games = self.unreadable = 0
        self.reason = ""

    @property
    def warning(self) -> str:
        damaged = self.store.unreadable
        lost = [f"{counted(damaged, 'row')} of the database cannot be read."] if damaged else []
        if self.unreadable:
            some = "all games" if self.unreadable == self.games else f"{self.unreadable} of the {self.games} games"
            left_out = "".join(f" and left out of {self.files[name]}" for name in self.files.keys() - ENDINGS)
            numbers = f"the moves of {some} are given as numbers{left_out}, because they cannot be read"
            lost.append(f"{numbers} any more: {self.reason}")
        return " ".join(lost)

    def write(self, progress: Callable[[int], None] | None = None) -> None:
        """Write all files; each appears, or replaces an older one, only when it is complete."""
        text = {"encoding": "utf-8", "newline": "", "errors": "backslashreplace"}
        with ExitStack() as stack:
            opened = {name: stack.enter_context(whole_file(path, **text)) for name, path in self.files.items()}
            table = csv.DictWriter(opened["csv"], COLUMNS, lineterminator="\n") if "csv" in opened else None
            if table is not None:
                table.writeheader()
            players = dict(enumerate(self.run["players"]))
            for row in self.store.games(self.run["number"]):
                self.games += 1
                one, other = players.get(row["one"], "?"), players.get(row["other"], "?")
                row |= {"first": other if row["game"] else one, "second": one if row["game"] else other}
                row["fault"] = str(row["fault"] or "")
                if table is not None:
                    table.writerow({name: cell(value) for name, value in row.items()})
                if self.files.keys() - {"csv"}:
                    self._tell(row, opened)
                if progress is not None:
                    progress(self.games)

    def _tell(self, row: Mapping[str, Any], opened: Mapping[str, IO[Any]]) -> None:
        where = f"{row['one']}-{row['other']}.{row['opening']}.{row['game']}"
        about = {"game": row["spec"], "run": str(self.run["number"]), "round": where, "date": self.run["created"]}
        about |= {"fault": row["fault"]} if row["fault"] else {}
        opening, moves = ([int(move) for move in row[name].split()] for name in ("opening_moves", "moves"))
        told = (row["first"], row["second"]), opening, moves, row["score"], about
        try:
            game = self.rules.game(row["spec"])
            _check(game, opening, moves, row)
            words = Game.game_text(game, *told) if game.notation else game.game_text(*told)
            own = game.game_text(*told) if game.notation in opened else ""
        except Exception as error:
            words, own = Game.game_text(Numbers(), *told), ""
            self.unreadable += 1
            self.reason = self.reason or str(error)
        if "text" in opened:
            opened["text"].write(f"{words}\n\n")
        for name in opened.keys() - ENDINGS:
            opened[name].write(f"{own}\n" if own else "")


def _check(game: PlayableGame, opening: Sequence[int], moves: Sequence[int], row: Mapping[str, Any]) -> None:
    """An error if the moves no longer lead to the stored result: the rules have changed, and names would mislead."""
    states, history = Opening(game, (*opening, *moves)).states, Repetitions(game)
    repeated = [history.add(state) for state in states][-1]
    if not row["fault"]:
        turns = game.decisions(moves, states[len(opening)])
        score = row["score"] if turns % 2 == 0 else -row["score"]
        over = not game.legal(states[-1])
        end = game.result(states[-1]) if over else 0.0
        if not (over or repeated or len(moves) >= LONGEST_GAME) or not math.isclose(end, score, rel_tol=1e-9):
            raise LudusError(f"the rules of {game.title} have changed.")
