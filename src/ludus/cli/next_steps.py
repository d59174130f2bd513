"""What to type after a ranking: commands for the shell that can be copied as they are."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ludus.cli import common
from ludus.common.files import escape_control_characters
from ludus.common.texttable import wrap

if TYPE_CHECKING:
    from ludus.arena.ranking import Ranking

CONTINUED = " \\"
"""What ends a line of a command that goes on in the next."""
SPECIAL = set("\"$`\\!'")
"""What a shell does not leave alone between double quotes, or what ends other quotes."""


def next_steps(ranking: Ranking, db: str, width: int) -> list[str]:
    """How to play against the leader, and how to match it with the next player."""
    first, second, *_ = ranking.standings
    game = quoted(str(ranking.game))
    against = f"play against {first.name} ({first.effort.microseconds:,.0f} µs a move)"
    match = f"match it with {second.name} ({second.effort.microseconds:,.0f} µs a move)"
    specs = " ".join(quoted(ranking.names[row.number]) for row in (first, second))
    if ranking.run is None:
        return [*wrap(f"Next: {match}:", width), *command(f"ludus match {game} {specs}", width)]
    lines = [*wrap(f"Next: {against}, or {match}:", width)]
    lines += command(f"ludus play {game} --second best{common.elsewhere(db)}", width)
    return lines + command(f"ludus match {game} {specs}", width)


def quoted(word: str) -> str:
    """A word for the shell, in double quotes if it needs any and they will do."""
    word = escape_control_characters(word)
    return f'"{word}"' if shlex.quote(word) != word and not SPECIAL & set(word) else shlex.quote(word)


def command(words: str, width: int) -> list[str]:
    """A command, indented, in lines that a shell takes for one; between single quotes no line can be broken."""
    pieces = [words] if "'" in words else wrap(words, width - 2 - len(CONTINUED))
    return [f"  {piece}{CONTINUED if k < len(pieces) - 1 else ''}" for k, piece in enumerate(pieces)]
