"""The games of OpenSpiel that fit: two players, zero sum, perfect information, one move at a time.

The rules are OpenSpiel's own, so they run interpreted. There a player may have several turns running; here the other
one passes in between. A position is the moves that led to it: OpenSpiel's numbers of actions, and `pass`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ludus.common.errors import LudusError, SpecError, StateError, unknown
from ludus.model.game import Game


class SpielState:
    """A state of OpenSpiel, never changed; who is to move, 0 or 1; and the moves that led here, passes included."""

    __slots__ = ("path", "state", "turn")

    def __init__(self, state: Any, turn: int, path: tuple[int, ...]) -> None:
        self.state, self.turn, self.path = state, turn, path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielState) and self.path == other.path

    def __hash__(self) -> int:
        return hash(self.path)

    def __repr__(self) -> str:
        return f"<{' '.join(map(str, self.path))}>"

    def __deepcopy__(self, memo: Any) -> SpielState:
        return SpielState(self.state.clone(), self.turn, self.path)

    def __reduce__(self) -> tuple[Any, ...]:
        text = load_pyspiel().serialize_game_and_state(self.state.get_game(), self.state)
        return _restore_state, (text, self.turn, self.path)


def _restore_state(text: str, turn: int, path: tuple[int, ...]) -> SpielState:
    return SpielState(load_pyspiel().deserialize_game_and_state(text)[1], turn, path)


class OpenSpiel(Game):
    """A game of OpenSpiel by its name there: `name=breakthrough(rows=6,columns=6)`; it runs interpreted."""

    name = "openspiel"

    def __init__(self, name: str = "tic_tac_toe") -> None:
        self.spiel = load_game(name)
        outcomes = max(self.spiel.num_distinct_actions(), self.spiel.max_chance_outcomes())
        self.max_moves = max(outcomes, 1)
        self.uncertain = self.spiel.get_type().chance_mode != load_pyspiel().GameType.ChanceMode.DETERMINISTIC
        self.skip = outcomes  # the number of the pass

    def initial(self):
        return self.adopt(self.spiel.new_initial_state())

    def adopt(self, state: Any) -> SpielState:
        """A state of OpenSpiel as a state here; whoever has the turn there is to move."""
        path: list[int] = []
        history = [(item.player, item.action) for item in state.full_history()]
        turn = max(history[0][0] if history else state.current_player(), 0)
        for player, action in [*history, (state.current_player(), None)]:
            if player == 1 - turn:
                path.append(self.skip)
                turn = player
            if action is not None:
                path.append(action)
                turn = 1 - turn if player >= 0 else turn
        return SpielState(state.clone(), turn, tuple(path))

    def moves(self, state, out):
        actions = self._actions(state)
        out[: len(actions)] = actions
        return len(actions)

    def _actions(self, state: SpielState) -> list[int]:
        inner = state.state
        if inner.is_chance_node():
            return [action for action, _ in inner.chance_outcomes()]
        if inner.is_terminal() or inner.current_player() == state.turn:
            return inner.legal_actions()
        return [self.skip]

    def play(self, state, move):
        path = (*state.path, int(move))
        if move == self.skip:
            return SpielState(state.state, 1 - state.turn, path)
        turn = state.turn if state.state.is_chance_node() else 1 - state.turn
        return SpielState(state.state.child(move), turn, path)

    @property
    def has_chance(self):
        return self.uncertain

    def chance(self, state, probabilities):
        """How many outcomes chance has here, 0 where a player moves; their probabilities, in the order of `moves`."""
        if not state.state.is_chance_node():
            return 0
        outcomes = state.state.chance_outcomes()
        probabilities[: len(outcomes)] = [probability for _, probability in outcomes]
        return len(outcomes)

    def over(self, state):
        return state.state.is_terminal()

    def score(self, state):
        return state.state.returns()[state.turn]

    # For people.

    def mover(self, state):
        return state.turn

    def winner(self, state):
        first, second = state.state.returns()
        return None if first == second else 0 if first > second else 1

    def state_text(self, state):
        """The moves from the start: numbers of actions, and `pass`; `start` if there are none."""
        return " ".join("pass" if move == self.skip else str(move) for move in state.path) or "start"

    def parse_state(self, text):
        state = self.initial()
        for word in text.split() if text.strip() != "start" else []:
            legal = self._actions(state)
            move = self.skip if word == "pass" else int(word) if word.isdecimal() else -1
            if move not in legal:
                here = f"{word!r} is not a legal move after {self.state_text(state)!r}"
                allowed = " ".join("pass" if move == self.skip else str(move) for move in legal)
                raise StateError(f"{here}: {f'there one may play {allowed}' if legal else 'the game is over'}.")
            state = self.play(state, move)
        return state

    def move_name(self, state, move):
        return "pass" if move == self.skip else state.state.action_to_string(state.state.current_player(), move)

    def render(self, state):
        return str(state.state)


def load_pyspiel() -> Any:
    """OpenSpiel's Python module, imported when it is needed."""
    try:
        import pyspiel
    except ImportError:
        raise LudusError("games of OpenSpiel need the extra openspiel: pip install 'ludus[openspiel]'.") from None
    return pyspiel


def load_game(name: str) -> Any:
    """The game of that name, if it is one that can be played here."""
    pyspiel, name = load_pyspiel(), name.replace(", ", ",")  # it knows no spaces
    known = pyspiel.registered_names()
    if name.partition("(")[0] not in known:
        raise unknown("game of OpenSpiel", name.partition("(")[0], known)
    try:
        with _silence():
            game = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise SpecError(f"OpenSpiel cannot make {name!r}: {str(error).rstrip('.')}.") from error
    kind, of = game.get_type(), pyspiel.GameType
    wrong = {
        f"it has {game.num_players()} player{'s' if game.num_players() > 1 else ''}": game.num_players() != 2,
        "it is not zero-sum": kind.utility != of.Utility.ZERO_SUM,
        "it hides information": kind.information != of.Information.PERFECT_INFORMATION,
        "players move at the same time": kind.dynamics != of.Dynamics.SEQUENTIAL,
        "it does not say the odds of its chance": kind.chance_mode == of.ChanceMode.SAMPLED_STOCHASTIC,
    }
    if any(wrong.values()):
        reasons = "; ".join(reason for reason, holds in wrong.items() if holds)
        fits = "two players, zero sum, perfect information and one move at a time"
        raise SpecError(f"{name} does not fit, a game here has {fits}: {reasons}.")
    return game


@contextmanager
def _silence() -> Iterator[None]:
    """OpenSpiel prints what is wrong before it raises it; one sentence is enough."""
    sys.stderr.flush()
    saved = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
