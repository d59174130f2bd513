"""The games of a stored run for other programs and for people: CSV, words, and the game's own notation."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from ludus.arena.openings import Opening
from ludus.arena.store import PLACE, PLAYED, SEATS, Store
from ludus.core import registry
from ludus.core.errors import LudusError
from ludus.core.game import LONGEST_GAME, Game, Repetitions

ENDINGS = {"csv": "csv", "text": "txt"}
"""The endings of files by format. The ending of a game's own notation is the notation's name."""

COLUMNS = [*PLACE, "first", "second", *PLAYED, "result", *SEATS]


class Numbers(Game):
    """Stands for a game whose file is missing or was changed: its moves are named by their numbers."""

    def move_names(self, moves: Sequence[int], state: Any = None) -> list[str]:
        return [str(move) for move in moves]


def formats(run: Mapping[str, Any]) -> dict[str, str]:
    """The formats that a run can be written in, with the ending of each."""
    try:
        own = registry.games().make(run["game"]).notation
    except Exception:  # of a user's file, which may do anything
        own = ""
    return ENDINGS | ({own: own} if own and own not in ENDINGS.values() else {})


class Export:
    """Writes the games of a run into a file for each format; afterwards `warning` says what could not be written."""

    def __init__(self, store: Store, run: Mapping[str, Any], files: Mapping[str, Path]) -> None:
        self.store, self.run, self.files = store, run, files
        self.games = self.unreadable = 0
        self.reason = ""
        self._made: tuple[str, Game | Exception] = "", Numbers()

    @property
    def warning(self) -> str:
        if not self.unreadable:
            return ""
        some = "all games" if self.unreadable == self.games else f"{self.unreadable} of the {self.games} games"
        left_out = "".join(f" and left out of {self.files[name]}" for name in self.files.keys() - ENDINGS)
        return (
            f"the moves of {some} are given as numbers{left_out}, because they cannot be read any more: {self.reason}"
        )

    def write(self, progress: Callable[[int], None] | None = None) -> None:
        """Write all files; each appears, or replaces an older one, only when it is complete."""
        with ExitStack() as stack:
            opened = {name: stack.enter_context(_whole_file(path)) for name, path in self.files.items()}
            table = csv.DictWriter(opened["csv"], COLUMNS, lineterminator="\n") if "csv" in opened else None
            if table is not None:
                table.writeheader()
            for row in self.store.games(self.run["number"]):
                self.games += 1
                one, other = self.run["players"][row["one"]], self.run["players"][row["other"]]
                row |= {"first": other if row["game"] else one, "second": one if row["game"] else other}
                if table is not None:
                    table.writerow(row)
                if self.files.keys() - {"csv"}:
                    self._tell(row, opened)
                if progress is not None:
                    progress(self.games)

    def _tell(self, row: Mapping[str, Any], opened: Mapping[str, TextIO]) -> None:
        where = f"{row['one']}-{row['other']}.{row['opening']}.{row['game']}"
        about = {"game": row["spec"], "run": str(self.run["number"]), "round": where, "date": self.run["created"]}
        about |= {"fault": row["fault"]} if row["fault"] else {}
        opening, moves = ([int(move) for move in row[name].split()] for name in ("opening_moves", "moves"))
        told = (row["first"], row["second"]), opening, moves, row["score"], about
        try:
            game = self._game(row["spec"])
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

    def _game(self, spec: str) -> Game:
        """The game of this spec, made once for successive games that have the same; raises if it cannot be made."""
        if self._made[0] != spec:
            try:
                self._made = spec, registry.games().make(spec)
            except Exception as error:
                self._made = spec, error
        if isinstance(self._made[1], Exception):
            raise self._made[1]
        return self._made[1]


def _check(game: Game, opening: Sequence[int], moves: Sequence[int], row: Mapping[str, Any]) -> None:
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


@contextmanager
def _whole_file(path: Path) -> Iterator[TextIO]:
    """A file to write that appears under its name only when it was closed without an error."""
    part = path.with_name(f"{path.name}.part")
    try:
        with open(part, "w", encoding="utf-8", newline="") as file:
            yield file
        os.replace(part, path)
    except OSError as error:
        raise LudusError(f"{str(path)!r} cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            part.unlink()
