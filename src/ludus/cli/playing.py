"""`ludus play`: a person against a player, or players against each other, in the terminal."""

from __future__ import annotations

import click

import ludus
from ludus.cli import common
from ludus.cli.searching import budget_option
from ludus.core.budget import Budget
from ludus.core.errors import LudusError
from ludus.core.player import Player
from ludus.core.position import Position
from ludus.core.spec import parse_arguments

PERSON = "person"
HELP = """  a move      play it
  moves       the legal moves
  hint        what the other player would do in your place
  opinion     what it thinks of each of your moves
  undo        take back your last move, and the reply to it
  state       the position as text, for --state
  quit        leave"""


@click.command()
@click.argument("game")
@click.option("--first", default=PERSON, show_default=True, help="Who moves first: person, or a SPEC.")
@click.option("--second", default="alphabeta", show_default=True, help="Who moves second: person, or a SPEC.")
@common.options(common.state_option, budget_option, common.seed_option, common.compile_option)
@click.pass_context
def play(
    context: click.Context,
    game: str,
    first: str,
    second: str,
    state_text: str | None,
    budget_text: str,
    seed: int,
    compiled: bool | None,
) -> None:
    """Play in the terminal: a person against a search, two people, or two searches."""
    made = ludus.game(game)
    default = Budget.of(parse_arguments(budget_text))
    seats: list[Player | None] = [
        None if spec == PERSON else ludus.player(spec, default, compiled=compiled, announce=common.announce).on(made)
        for spec in (first, second)
    ]
    adviser = next((player for player in seats if player is not None), None)
    if adviser is None:
        adviser = ludus.player("alphabeta", default, compiled=compiled, announce=common.announce)
    table = Table(made.position(state_text), seats, adviser, seed)
    context.exit(table.play())


class Table:
    """A game between people and players; `history` holds every position so far."""

    def __init__(self, start: Position, seats: list[Player | None], adviser: Player, seed: int) -> None:
        self.history, self.seats, self.adviser, self.seed = [start], seats, adviser, seed

    @property
    def position(self) -> Position:
        return self.history[-1]

    @property
    def player(self) -> Player | None:
        return self.seats[(len(self.history) - 1) % 2]

    def play(self) -> int:
        """To the end; returns the exit status."""
        names = [str(player) if player else PERSON for player in self.seats]
        click.echo(
            f"First: {names[0]}. Second: {names[1]}. Seed {self.seed}." + (" Type help." if None in self.seats else "")
        )
        while not self.position.is_over:
            click.echo(f"\n{self.position}\n")
            if self.player is not None:
                if self._reply(self.player) == "interrupted":
                    return 130
            elif not self._ask():
                return 0
        click.echo(f"\n{self.position}\n")
        self._announce()
        return 0

    def _announce(self) -> None:
        score, mover = self.position.score, (len(self.history) - 1) % 2
        winner = ("First", "Second")[mover if score > 0 else 1 - mover]
        points = f" by {abs(score):g}" if abs(score) != 1 else ""
        click.echo("The game is over: a draw." if score == 0 else f"The game is over: {winner} wins{points}.")

    def _reply(self, player: Player) -> str:
        ply = len(self.history) - 1
        result = player.choose(self.position.game, self.position, seed=self.seed + ply, ply=ply)
        value = "" if result.value != result.value else f", value {common.number(result.value)}"
        click.echo(f"{player.search.title} plays {result.move_name}{value}")
        self.history.append(self.position.play(result.move))
        return result.stopped

    def _ask(self) -> bool:
        """One line from the person; False to leave."""
        try:
            words = click.prompt("your move", prompt_suffix="> ", default="", show_default=False).strip()
        except (EOFError, click.Abort):
            click.echo()
            return False
        try:
            return self._obey(words)
        except LudusError as error:
            click.echo(f"  {error}")
            return True

    def _obey(self, words: str) -> bool:
        if words in ("quit", "exit", "q"):
            return False
        if words in ("help", "?", ""):
            click.echo(HELP)
        elif words == "moves":
            click.echo("  " + " ".join(self.position.moves))
        elif words == "state":
            click.echo(f"  {self.position.text}")
        elif words == "undo":
            self._undo()
        elif words in ("hint", "opinion"):
            self._advise(words)
        else:
            self.history.append(self.position.play(words))
        return True

    def _undo(self) -> None:
        back = 2 if None in self.seats and self.seats.count(None) == 1 else 1
        if len(self.history) <= back:
            raise LudusError("there is nothing to take back.")
        del self.history[-back:]
        click.echo(f"\n{self.position}\n")

    def _advise(self, words: str) -> None:
        result = self.adviser.choose(self.position.game, self.position, seed=self.seed)
        if words == "hint":
            click.echo(f"  {self.adviser.search.title} would play {result.move_name}")
            return
        known = [child for child in result.children if child.value == child.value]
        for child in sorted(known, key=lambda child: -child.value):
            more = " ".join(f"{k} {v}" for k, v in child.opinion.items())
            click.echo(f"  {child.name:<8} {common.number(child.value):>10}  {more}")


COMMANDS = (play,)
