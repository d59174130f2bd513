"""Benchmarks against other programs in the same run (extra `bench`)."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np

import ludus
from benchmarks.measure import Row, benchmark
from benchmarks.plain_lcf import PlainLcf
from ludus.core.bits import popcount
from ludus.core.budget import EXPANDED, RUNNING, Budget, spent
from ludus.core.evaluator import Evaluator
from ludus.core.perft import NoEvaluator
from ludus.core.player import Player
from ludus.core.random import below
from ludus.core.rules import load, moves, play
from ludus.core.search import Search, Session
from ludus.games.othello import legal_squares

GAMES = 0  # register


class RandomGames(Search):
    """Random games from the root to the end, one after another."""

    def step(self, game, evaluator, tree, limits):
        while True:
            status = spent(game.meter, limits, False)
            if status != RUNNING:
                return status
            state = load(tree.state, 0)
            n = moves(game, state, tree.out)
            while n > 0:
                state = play(game, state, tree.out[below(tree.random, n)])
                n = moves(game, state, tree.out)
            tree.register[GAMES] += 1


def random_games_per_second(game: ludus.Game, seconds: float) -> float:
    session = Session(RandomGames(), game, NoEvaluator(), compiled=True)
    session.run(game.start, Budget(seconds=seconds))
    return int(session.tree.record.register[GAMES]) / session.seconds


def openspiel_random_games_per_second(name: str, seconds: float) -> float:
    import pyspiel

    game, dice, played = pyspiel.load_game(name), random.Random(1), 0
    started = time.perf_counter()
    while (taken := time.perf_counter() - started) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
        played += 1
    return played / taken


def openspiel_positions_per_second(name: str, depth: int) -> float:
    """Perft, driven from Python."""
    import pyspiel

    def count(state, left: int) -> int:
        if left == 0:
            return 1
        return sum(count(state.child(action), left - 1) for action in state.legal_actions())

    started = time.perf_counter()
    leaves = count(pyspiel.load_game(name).new_initial_state(), depth)
    return leaves / (time.perf_counter() - started)


class MoverMobility(Evaluator):
    """The number of moves of the player to move, as OpenSpiel's users would write it."""

    def evaluate(self, game, state):
        return popcount(legal_squares(state[0], state[1], game.board, game.inner))


def openspiel_alphabeta(name: str, depth: int) -> tuple[float, int, float]:
    """OpenSpiel's alpha-beta in Python with the same evaluator: the value, the leaves evaluated, the seconds."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    leaves = 0

    def mobility(state) -> float:
        nonlocal leaves
        leaves += 1
        moves = state.legal_actions()
        count = 0 if moves == [64] else len(moves)
        return float(count if state.current_player() == 0 else -count)

    game = pyspiel.load_game(name)
    started = time.perf_counter()
    value, _ = minimax.alpha_beta_search(game, value_function=mobility, maximum_depth=depth, maximizing_player_id=0)
    return value, leaves, time.perf_counter() - started


@benchmark
def othello(quick: bool) -> Iterator[Row]:
    """Othello against OpenSpiel driven from Python."""
    game, seconds = ludus.game("othello"), 0.3 if quick else 3.0
    ludus.perft(game, 1, compiled=True)  # compiles
    found = ludus.perft(game, 7 if quick else 9, compiled=True)
    theirs = openspiel_positions_per_second("othello", 4 if quick else 6)
    ours = found.leaves / found.seconds
    yield Row("othello perft", "positions/s", ours, theirs, "OpenSpiel from Python", "ratio at least 200")
    random_games_per_second(game, 0.01)
    ours, theirs = random_games_per_second(game, seconds), openspiel_random_games_per_second("othello", seconds)
    yield Row("othello random games", "games/s", ours, theirs, "OpenSpiel from Python", "ratio at least 50")
    depth = 4 if quick else 6
    player = Player(ludus.search("alphabeta", order=False), MoverMobility(), Budget(depth=depth), compiled=True)
    results = [player.choose(game) for _ in range(50)]
    value, leaves, seconds = openspiel_alphabeta("othello", depth)
    assert (results[0].value, results[0].meter.evaluated) == (value, leaves), "not the same tree"
    nodes = results[0].meter.generated
    ours, theirs = nodes / min(result.meter.seconds for result in results), nodes / seconds
    yield Row("othello alpha-beta", "nodes/s", ours, theirs, "OpenSpiel's in Python, same tree", "ratio at least 100")


@benchmark
def uct(quick: bool) -> Iterator[Row]:
    """Monte Carlo tree search, a playout a visit, against bare random games and OpenSpiel's search in C++."""
    game, budgets = ludus.game("othello"), (100_000,) if quick else (100_000, 1_000_000, 10_000_000)
    bare = Session(RandomGames(), game, NoEvaluator(), compiled=True)
    tree, flat = (Session(ludus.search(name), game, NoEvaluator(), compiled=True) for name in ("uct", "sampler"))
    for nodes in budgets:
        games, visits, samples = 0.0, 0.0, 0.0
        for seed in range(2 if quick else 5):  # in turns, so that a busy machine hurts all alike
            bare.run(game.start, Budget(nodes=nodes), seed)
            games = max(games, int(bare.tree.record.register[GAMES]) / bare.seconds)
            tree.run(game.start, Budget(nodes=nodes), seed)
            visits = max(visits, float(tree.tree.record.visits[0]) / tree.seconds)
            flat.run(game.start, Budget(nodes=nodes), seed)
            samples = max(samples, int(flat.meter[EXPANDED]) / flat.seconds)
        yield Row(
            f"uct on othello, {nodes:,} nodes", "visits/s", visits, games, "bare random games", "ratio at least 0.8"
        )
        if nodes == budgets[0]:
            yield Row(f"sampler on othello, {nodes:,} nodes", "playouts/s", samples, games, "bare random games")
    theirs = openspiel_mcts_visits_per_second("othello", 300 if quick else 3000)
    yield Row("uct on othello", "visits/s", visits, theirs, "OpenSpiel's MCTS in C++", "ratio at least 10")


def openspiel_mcts_visits_per_second(name: str, visits: int) -> float:
    """OpenSpiel's own Monte Carlo tree search, in C++, with one random playout a visit."""
    import pyspiel

    game = pyspiel.load_game(name)
    judge = pyspiel.RandomRolloutEvaluator(1, 7)
    bot = pyspiel.MCTSBot(game, judge, 1.0, visits, 1000, False, 7, False)
    state = game.new_initial_state()
    started = time.perf_counter()
    bot.step(state)
    return visits / (time.perf_counter() - started)


@benchmark
def lcf(quick: bool) -> Iterator[Row]:
    """Microseconds an expansion: LCF as it is, as Figure 2 of its paper has it (before), and best-first minimax."""
    for branching in (2, 10, 20):
        for nodes in (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000):
            ours, plain, bfmm = (
                microseconds_an_expansion(search, branching, nodes, seeds=1 if quick else 3)
                for search in (ludus.search("lcf"), PlainLcf(), ludus.search("bfmm"))
            )
            name = f"lcf, b = {branching}, {nodes:,} nodes"
            yield Row(name, "us an expansion", ours, plain, "every change sweeps the tree")
            yield Row(name, "us an expansion", ours, bfmm, "bfmm", "ratio at most 3")


def microseconds_an_expansion(search: Search, branching: int, nodes: int, seeds: int) -> float:
    """Over several random trees, the better of two runs on each."""
    total = np.zeros(2)
    for seed in range(seeds):
        game = ludus.game("random-tree", branching=branching, seed=seed)
        session = Session(search, game, ludus.evaluator("sum").on(game), compiled=True)
        best = 9e9
        for _ in range(2):
            session.run(game.start, Budget(nodes=nodes))
            best = min(best, session.seconds)
        total += best, session.meter[2]
    return float(1e6 * total[0] / total[1])
