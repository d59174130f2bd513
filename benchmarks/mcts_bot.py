"""Games between `uct` and OpenSpiel's MCTSBot, in C++: both play random games to the end and have a solver."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import ludus
from benchmarks.measure import Row, benchmark
from ludus.library.searches.sampling.uct import Uct
from ludus.model.budget import Budget
from ludus.model.program import NoEvaluator
from ludus.runtime.session import Session

OPENING = 4
"""Decisions at random at the beginning; each opening is played twice, with sides changed."""

GAMES = {"othello": "othello", "connect4": "connect_four", "kalah(empty_capture=false)": "mancala"}
"""Ours, and the same game there."""

Chooser = Callable[[Any, Any, int], int]
"""From our state, theirs and a seed to our move."""


class CountedUct(Uct):
    """`uct` with playouts that stops after so many of them, as OpenSpiel's does."""

    def __init__(self, simulations: int = 1000) -> None:
        super().__init__(leaf="playout")
        self.simulations = simulations

    def sure(self, tree):
        return tree.visits[0] >= self.simulations

    def unused_parts(self, game):
        return tuple(part for part in super().unused_parts(game) if part != "sure")


def action_of(name: str, move: int, player: int) -> int:
    """What they call a move of ours."""
    return move + (8 if player else 1) if name == "mancala" else move


def counted(game: ludus.Game, simulations: int) -> Chooser:
    """Ours, with so many simulations."""
    session = Session(CountedUct(simulations), game, NoEvaluator(), compiled=True)

    def choose(state: Any, theirs: Any, seed: int) -> int:
        session.run(state, Budget(nodes=10**9), seed)
        return session.choose()

    return choose


def timed(game: ludus.Game, bot: Bot) -> Chooser:
    """Ours, with as many seconds as the bot's last move took or, before it has moved, takes in this position."""
    session = Session(Uct(leaf="playout"), game, NoEvaluator(), compiled=True)
    session.run(game.start, Budget(nodes=1000))

    def choose(state: Any, theirs: Any, seed: int) -> int:
        if bot.seconds == 0.0:
            bot(state, theirs, seed)
        session.run(state, Budget(seconds=bot.seconds), seed)
        return session.choose()

    return choose


class Bot:
    """OpenSpiel's, with so many simulations; it notes how long its last move took."""

    def __init__(self, game: ludus.Game, name: str, simulations: int) -> None:
        import pyspiel

        self.spiel, self.name, self.simulations = pyspiel, name, simulations
        self.game, self.theirs, self.seconds = game, pyspiel.load_game(name), 0.0

    def __call__(self, state: Any, theirs: Any, seed: int) -> int:
        evaluator = self.spiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        bot = self.spiel.MCTSBot(self.theirs, evaluator, 1.0, self.simulations, 1000, True, seed, False)
        started = time.perf_counter()
        action = bot.step(theirs)
        self.seconds = time.perf_counter() - started
        player = theirs.current_player()
        return next(move for move in self.game.legal(state) if action_of(self.name, move, player) == action)


def points(game: ludus.Game, name: str, ours: Chooser, bot: Bot, our_side: int, seed: int) -> float:
    """One game, on both boards at once: our points."""
    dice, state, theirs = random.Random(seed), game.start, bot.theirs.new_initial_state()
    ply = decisions = 0
    while not theirs.is_terminal():
        legal, player = game.legal(state), theirs.current_player()
        if player != ply % 2:  # they let a player move again; here the other one passes
            state, ply = game.after(state, legal[0]), ply + 1
            continue
        if len(legal) == 1:
            move = legal[0]
        elif decisions < OPENING:
            move = dice.choice(legal)
        else:
            move = (ours if player == our_side else bot)(state, theirs, 1000 * seed + ply)
        decisions += 1
        actions = theirs.legal_actions()
        theirs.apply_action(actions[0] if len(actions) == 1 else action_of(name, move, player))
        state, ply = game.after(state, move), ply + 1
    return (1 + theirs.returns()[our_side]) / 2


def match(game: ludus.Game, name: str, ours: Chooser, bot: Bot, pairs: int) -> tuple[float, float]:
    """Our points and theirs."""
    found = 0.0
    for seed in range(pairs):
        for side in (0, 1):
            bot.seconds = 0.0
            found += points(game, name, ours, bot, side, seed)
    return found, 2 * pairs - found


@benchmark
def mcts_bot(quick: bool) -> Iterator[Row]:
    """Points against OpenSpiel's MCTSBot: at equal simulations on three games, at equal time on Othello."""
    for spec, name in GAMES.items():
        game, simulations = ludus.game(spec), 20 if quick else 300
        bot = Bot(game, name, simulations)
        found = match(game, name, counted(game, simulations), bot, 2 if quick else 50)
        against = f"OpenSpiel's MCTSBot, {simulations} simulations each"
        yield Row(f"uct on {game.name}", "points", *found, against, "equal")
    game = ludus.game("othello")
    bot = Bot(game, "othello", 50 if quick else 300)
    found = match(game, "othello", timed(game, bot), bot, 1 if quick else 30)
    yield Row("uct on othello, equal time", "points", *found, "OpenSpiel's MCTSBot", "ratio at least 9")
