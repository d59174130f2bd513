"""How positions, moves and games are written and read if a game does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.common.errors import StateError, unknown


def picture(game: Any, state: Any) -> str:
    """The numbers of a state, each row of a board in a line of its own; or its text, if the game writes one."""
    if not game.own_layout.fixed or game.overrides("state_text"):
        return game.state_text(state)
    return game.own_layout.picture(state)


def state_text(game: Any, state: Any) -> str:
    """The numbers of a state in one line."""
    if not game.own_layout.fixed:
        return str(state)
    return " ".join(game.own_layout.words(game.own_layout.settle(state)))


def parse_state(game: Any, text: str) -> Any:
    """The state that `state_text` wrote."""
    if not game.own_layout.fixed:
        raise StateError(f"{game.title} has no parse_state, so a position cannot be given as text.")
    words, cells = text.split(), game.own_layout.cells
    if len(words) != cells:
        many = f"{cells} number{'s' if cells > 1 else ''}"
        raise StateError(f"a state of {game.title} is {many}, like {example(game)}.")
    try:
        return game.own_layout.parse(words)
    except (ValueError, TypeError, OverflowError):
        raise StateError(f"{text!r} is not a state of {game.title}; one looks like {example(game)}.") from None


def example(game: Any) -> str:
    """The text of the first state, in quotation marks."""
    return repr(game.state_text(game.start))


def parse_move(game: Any, state: Any, text: str) -> int:
    """The legal move of this name."""
    names = {game.move_name(state, move): move for move in game.legal(state)}
    if text not in names:
        raise StateError(str(unknown("move", text, names, say="legal moves are")))
    return names[text]


def game_text(
    game: Any,
    players: Sequence[str],
    opening: Sequence[int],
    moves: Sequence[int],
    score: float,
    about: Mapping[str, str],
) -> str:
    """A whole game in words: see `OptionalRules.game_text`."""
    names = game.move_names([*opening, *moves])
    winner, loser = ("First", "Second") if score > 0 else ("Second", "First")
    points = f" by {abs(score):g}" if abs(score) != 1 else ""
    result = f"{winner} wins{points}" if score else "a draw"
    if about.get("fault"):
        result = f"{winner} wins: {loser} forfeits ({about['fault']})"
    rows = {key: text for key, text in about.items() if key != "fault"}
    rows |= {"first": players[0], "second": players[1], "opening": " ".join(names[: len(opening)])}
    rows |= {"moves": " ".join(names[len(opening) :]), "result": result}
    return "\n".join(f"{key:<8} {' '.join(text.split())}".rstrip() for key, text in rows.items())
