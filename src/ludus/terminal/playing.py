"""A game in the terminal: a person against a player, two people, or two players."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ludus.arena.play.opponents import last_winner, opponent
from ludus.arena.roster import default_budget
from ludus.common.errors import LudusError, SpecError, StateError, listed
from ludus.common.texttable import number
from ludus.kernel.chance import Dice
from ludus.kernel.random import seed_for
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.game import GameLike
from ludus.model.playable import LONGEST_GAME, Repetitions
from ludus.model.position import Position
from ludus.runtime.player import Player, PlayerLike
from ludus.terminal.calibrating import able
from ludus.terminal.progress import announce

PERSON, BEST = "person", "best"
LIKE_PERSON = ("human", "me", "you", "user", "player")
PROMPT = "your move> "
NAMES = ("First", "Second")
HELP = """  a move      play it
  moves       the legal moves
  hint        what the other player would do in your place
  opinion     what it thinks of each of your moves
  undo        take back your last move, and the reply to it
  state       the position as text
  quit        leave"""


def play(
    game: GameLike,
    first: PlayerLike = "person",
    second: PlayerLike = "",
    *,
    state: Any = None,
    budget: Budget | str | None = None,
    seed: int = 0,
    compiled: bool | None = None,
    db: str | Path = "ludus.db",
) -> Position:
    """Play in the terminal, or at a notebook's prompt: a person against a player, two people, or two players.

    first and second: `"person"`, a player, or `"best"`, the winner of the last ranking of this game in the database
    `db`; second by default a player that can play the game at this budget; state: where to begin; budget: for players
    that name none. Gives the last position.

    `ludus.play("othello", second="uct")` asks you for moves and lets `uct` reply.
    """
    conducted = prepare(game, (first, second), state, budget, seed, compiled, db)
    conducted.play()
    return conducted.position


def prepare(
    game: GameLike,
    players: tuple[PlayerLike, PlayerLike],
    state: Any,
    budget: Budget | str | None,
    seed: int,
    compiled: bool | None,
    db: str | Path,
) -> TerminalGame:
    """A game that has not begun, between those who are named; against a person who names nobody, somebody able."""
    made = registry.games().of(game)
    start = made.position(state)
    allowed = default_budget(made) if budget is None else Budget.of(budget)

    def seat(given: PlayerLike) -> Player | None:
        if given == PERSON:
            return None
        if given == "":
            return opponent(made, allowed, compiled, announce)
        if given in LIKE_PERSON:
            raise SpecError(f"{given!r} is no player: a person who plays is called {PERSON}.")
        spec = last_winner(made, db) if given == BEST else given
        return able(Player.of(spec, allowed, compiled=compiled, announce=announce), made).on(made)

    seats = [seat(given) for given in players]
    adviser = seats[0] or seats[1] or opponent(made, allowed, compiled, announce)
    # Asked for advice, a player must not spend its own budget nor lose its own thread: so another of its kind.
    return TerminalGame(start, seats, adviser.on(made), seed)


class TerminalGame:
    """A game between people and players; `history` holds every position so far, `moves` what led to them."""

    def __init__(self, start: Position, seats: list[Player | None], adviser: Player, seed: int) -> None:
        self.history, self.seats, self.adviser, self.seed = [start], seats, adviser, seed
        self.as_json = False
        """Whether standard output is for a JSON object."""
        self.moves: list[str] = []
        self.dice = Dice(seed_for(seed, 1))

    @property
    def turns(self) -> int:
        """How many moves were decided by a player."""
        if not self.position.game.has_chance:
            return len(self.moves)
        return sum(not position.odds for position in self.history[:-1])

    @property
    def position(self) -> Position:
        return self.history[-1]

    @property
    def player(self) -> Player | None:
        return self.seats[self.turns % 2]

    @property
    def names(self) -> list[str]:
        return [str(player) if player else PERSON for player in self.seats]

    @property
    def is_repeated(self) -> bool:
        """Whether the position has come so often that the game is a draw."""
        if not type(self.position.game).repetition:
            return False
        seen = Repetitions(self.position.game)
        return [seen.add(position.state) for position in self.history][-1]

    @property
    def is_endless(self) -> bool:
        """Whether the game is a draw because it is long and no person plays in it."""
        return None not in self.seats and len(self.moves) >= LONGEST_GAME

    @property
    def score(self) -> float | None:
        """The score to the player to move; None if the game is not over."""
        if self.position.is_over:
            return float(self.position.score)
        return 0.0 if self.is_repeated or self.is_endless else None

    @property
    def winner(self) -> str | None:
        """`first` or `second`; None if the game is a draw or not over."""
        if not self.score:
            return None
        return ("first", "second")[(self.turns + (self.score < 0)) % 2]

    def say(self, words: str) -> None:
        """Print words: to standard error if standard output is for a JSON object."""
        click.echo(words, err=self.as_json)

    def play(self) -> int:
        """Play to the end; returns the exit status."""
        first, second = self.names
        self.say(f"First: {first}. Second: {second}. Seed {self.seed}." + (" Type help." if None in self.seats else ""))
        shown = None
        while (score := self.score) is None:
            if self.position is not shown:
                self.say(f"\n{self.position}\n")
                shown = self.position
            passing = self._again
            if odds := self.position.odds:
                name = list(odds)[self.dice.roll(list(odds.values()))]
                self.say(f"chance brings {name}")
                self._make(self.position.game.parse_move(self.position.state, name))
            elif self.player is not None:
                if self._reply(self.player) == "interrupted":
                    return 130
            elif len(self.position.moves) == 1:
                self._force()
            elif not self._ask():
                return 0
            shown = self.position if passing else shown  # a pass leaves the board as it was
        self.say(f"\n{self.position}\n")
        points = f" by {abs(score):g}" if abs(score) != 1 else ""
        why = (
            "" if self.position.is_over else " by repetition" if self.is_repeated else f" after {LONGEST_GAME:,} plies"
        )
        result = f"{self.winner.capitalize()} wins{points}" if self.winner else f"a draw{why}"
        self.say(f"The game is over: {result}.")
        return 0

    def to_dict(self) -> dict[str, Any]:
        """The game as it stands; the score is to the player to move."""
        return {
            "game": str(self.position.game),
            "players": self.names,
            "start": self.history[0].text,
            "moves": self.moves,
            "state": self.position.text,
            "over": self.score is not None,
            "score": self.score,
            "winner": self.winner,
            "seed": self.seed,
        }

    @property
    def _again(self) -> str:
        """Where the library puts in a pass: who moves again, in words; elsewhere nothing."""
        passing = self.position.game.must_pass(self.position.state)
        return f"{NAMES[(self.turns + 1) % 2]} moves again" if passing else ""

    def _make(self, move: int) -> None:
        after = self.position.play(move)
        self.moves.append(self.position.game.move_name(self.position.state, move))
        self.history.append(after)

    def _reply(self, player: Player) -> str:
        ply = self.turns
        result = player.choose(self.position.game, self.position, seed=self.seed + ply, ply=ply)
        value = "" if result.value != result.value else f", value {result.words(result.value)}"
        self.say(self._again or f"{player.search.title} plays {result.move_name}{value}")
        self._make(result.move)
        return result.stopped

    def _force(self) -> None:
        """Play the only move of a person."""
        [name] = self.position.moves
        self.say(self._again or f"you have only one move: {name}")
        self._make(self._parse(name))

    def _ask(self) -> bool:
        """Read a line from the person and obey it; False if the person leaves."""
        words = self._read()
        if words is None:
            self.say("")
            return False
        try:
            return self._obey(words.strip())
        except LudusError as error:
            self.say(f"  {error}")
            return True

    def _read(self) -> str | None:
        """A line of standard input; None at its end."""
        if not self.as_json:
            try:
                return input(PROMPT)
            except EOFError:
                return None
        click.echo(PROMPT, err=True, nl=False)
        return sys.stdin.readline() or None

    def _obey(self, words: str) -> bool:
        if words in ("quit", "exit", "q"):
            return False
        if words in ("help", "?", ""):
            self.say(HELP)
        elif words == "moves":
            self.say("  " + " ".join(self.position.moves))
        elif words == "state":
            self.say(f"  {self.position.text}")
        elif words == "undo":
            self._undo()
        elif words in ("hint", "opinion"):
            self._advise(words)
        else:
            self._make(self._parse(words))
        return True

    def _parse(self, words: str) -> int:
        """The legal move that the words mean; whatever a user's own game raises is told in one sentence."""
        try:
            return self.position.game.parse_move(self.position.state, words)
        except LudusError:
            raise
        except Exception as error:
            legal = listed(self.position.moves)
            raise StateError(f"{words!r} is not a move ({error}); legal moves are {legal}.") from error

    def _undo(self) -> None:
        """Back to where a person had a choice."""
        choices, turns = [], 0
        for ply, position in enumerate(self.history[:-1]):
            if not position.odds:
                if self.seats[turns % 2] is None and len(position.moves) > 1:
                    choices.append(ply)
                turns += 1
        if not choices:
            raise LudusError("there is nothing to take back.")
        del self.history[choices[-1] + 1 :], self.moves[choices[-1] :]

    def _advise(self, words: str) -> None:
        self.adviser.new_game()
        result = self.adviser.choose(self.position.game, self.position, seed=self.seed, ply=self.turns)
        if words == "hint":
            self.say(f"  {self.adviser.search.title} would play {result.move_name}")
            return
        known = [child for child in result.children if child.value == child.value]
        for child in sorted(known, key=lambda child: -child.value):
            more = " ".join(f"{k} {number(v)}" for k, v in child.known.more.items())
            self.say(f"  {child.name:<8} {child.say(result.words):>10}  {more}".rstrip())
        if not known:
            self.say(f"  {self.adviser.search.title} has no opinion")
