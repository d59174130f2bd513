"""Benchmarks against other programs in the same run (extra `bench`)."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import ludus
from benchmarks.best_first import cost_of_expansions, trees
from benchmarks.measure import Row, benchmark, nodes_per_second
from benchmarks.plain_lcf import PlainLcf
from ludus.kernel.bits import popcount
from ludus.kernel.limits import EXPANDED, RUNNING, spent
from ludus.kernel.random import below
from ludus.kernel.rules import load, moves, play
from ludus.library.games.othello.game import legal_squares
from ludus.model import registry
from ludus.model.budget import Budget
from ludus.model.evaluator import Evaluator
from ludus.model.program import NoEvaluator, Program
from ludus.runtime.player import Player
from ludus.runtime.runner import Runner
from ludus.runtime.session import Session


class RandomGames(Program):
    """Random games from the root to the end, one after another."""

    registers = {"games": "i8"}

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
            tree.register[0].games += 1


def random_games_per_second(game: ludus.Game, seconds: float) -> float:
    work = Runner(RandomGames(), game, compiled=True)
    work.run(game.start, Budget(seconds=seconds))
    return int(work.tree.record.register[0].games) / work.seconds


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


def openspiel_simulations_per_second(name: str, seconds: float) -> float:
    """OpenSpiel's MCTS in C++ from the first position, each simulation one random game to its end."""
    import pyspiel

    game, done, started = pyspiel.load_game(name), 0, time.perf_counter()
    while (taken := time.perf_counter() - started) < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 200, 1000, False, 1, False)  # 200 simulations a move
        bot.step(game.new_initial_state())
        done += 200
    return done / taken


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
    theirs = openspiel_simulations_per_second("othello", seconds)
    yield Row("othello random games", "games/s", ours, theirs, "OpenSpiel's MCTS", "ratio at least 40")
    depth = 4 if quick else 6
    player = Player(
        registry.searches().of("alphabeta", order=False), MoverMobility(), Budget(depth=depth), compiled=True
    )
    results = [player.choose(game) for _ in range(50)]
    value, leaves, seconds = openspiel_alphabeta("othello", depth)
    assert (results[0].value, results[0].meter.evaluated) == (value, leaves), "not the same tree"
    nodes = results[0].meter.generated
    ours, theirs = nodes / min(result.meter.seconds for result in results), nodes / seconds
    yield Row("othello alpha-beta", "nodes/s", ours, theirs, "OpenSpiel's in Python, same tree", "ratio at least 100")


def python_chess_positions_per_second(depth: int) -> float:
    """Perft by python-chess, which plays every move, as we do."""
    import chess

    def count(board: chess.Board, left: int) -> int:
        if left == 0:
            return 1
        leaves = 0
        for move in board.legal_moves:
            board.push(move)
            leaves += count(board, left - 1)
            board.pop()
        return leaves

    started = time.perf_counter()
    leaves = count(chess.Board(), depth)
    return leaves / (time.perf_counter() - started)


@benchmark
def chess(quick: bool) -> Iterator[Row]:
    """Chess against python-chess and OpenSpiel, each the better of some runs."""
    game, times, seconds = ludus.game("chess"), 2 if quick else 5, 0.2 if quick else 2.0
    ludus.perft(game, 1, compiled=True)  # compiles
    found = [ludus.perft(game, 4 if quick else 6, compiled=True) for _ in range(times)]
    ours = max(count.leaves / count.seconds for count in found)
    theirs = max(python_chess_positions_per_second(3 if quick else 4) for _ in range(times))
    yield Row("chess perft", "positions/s", ours, theirs, "python-chess", "ratio at least 20")
    random_games_per_second(game, 0.01)
    ours = max(random_games_per_second(game, seconds) for _ in range(times))
    theirs = max(openspiel_random_games_per_second("chess", seconds) for _ in range(times))
    yield Row("chess random games", "games/s", ours, theirs, "OpenSpiel from Python", "ratio at least 5")
    theirs = max(openspiel_simulations_per_second("chess", seconds) for _ in range(times))
    yield Row("chess random games", "games/s", ours, theirs, "simulations of OpenSpiel's MCTS", "ratio at least 4")


@benchmark
def amazons(quick: bool) -> Iterator[Row]:
    """Amazons against OpenSpiel driven from Python, whose players choose amazon, square and stone one after another."""
    seconds = 0.3 if quick else 3.0
    for size in (6, 8, 10):
        game = ludus.game("amazons", size=size)
        random_games_per_second(game, 0.01)
        ours = random_games_per_second(game, seconds)
        theirs = openspiel_random_games_per_second(f"amazons(board_size={size})", seconds)
        name = f"amazons random games, {size}x{size}"
        yield Row(name, "games/s", ours, theirs, "OpenSpiel from Python", "ratio at least 1")
    game = ludus.game("amazons", best=10)
    nodes = 20_000 if quick else 400_000
    ours = nodes_per_second(game, f"bfmm(nodes={nodes})", compiled=True)
    yield Row("amazons bfmm, best = 10", "nodes/s, all valued", ours)


@benchmark
def connect4(quick: bool) -> Iterator[Row]:
    """Connect Four, and Kalah, against OpenSpiel driven from Python and its MCTS in C++; the best of three each."""
    seconds = 0.1 if quick else 1.0
    for ours, theirs in (("connect4", "connect_four"), ("kalah(empty_capture=false)", "mancala")):
        game = ludus.game(ours)
        random_games_per_second(game, 0.01)  # compiles
        rate, python, cpp = (
            max(measure(what, seconds) for _ in range(3))
            for measure, what in (
                (random_games_per_second, game),
                (openspiel_random_games_per_second, theirs),
                (openspiel_simulations_per_second, theirs),
            )
        )
        name, goals = f"{game.name} random games", (50, 15) if game.name == "connect4" else (0, 0)
        for other, against, goal in ((python, "OpenSpiel from Python", goals[0]), (cpp, "OpenSpiel's MCTS", goals[1])):
            yield Row(name, "games/s", rate, other, against, f"ratio at least {goal}" if goal else "")


@benchmark
def uct(quick: bool) -> Iterator[Row]:
    """Monte Carlo tree search, a playout a visit, against bare random games and OpenSpiel's search in C++."""
    game, budgets = ludus.game("othello"), (100_000,) if quick else (100_000, 1_000_000, 10_000_000)
    bare = Runner(RandomGames(), game, compiled=True)
    tree, flat = (
        Session(registry.searches().of(name), game, NoEvaluator(), compiled=True) for name in ("uct", "sampler")
    )
    for nodes in budgets:
        games, visits, samples = 0.0, 0.0, 0.0
        for seed in range(2 if quick else 5):  # in turns, so that a busy machine hurts all alike
            bare.run(game.start, Budget(nodes=nodes), seed)
            games = max(games, int(bare.tree.record.register[0].games) / bare.seconds)
            tree.run(game.start, Budget(nodes=nodes), seed)
            visits = max(visits, float(tree.tree.record.visits[0]) / tree.seconds)
            flat.run(game.start, Budget(nodes=nodes), seed)
            samples = max(samples, int(flat.meter[EXPANDED]) / flat.seconds)
        yield Row(
            f"uct on othello, {nodes:,} nodes", "visits/s", visits, games, "bare random games", "ratio at least 0.8"
        )
        if nodes == budgets[0]:
            yield Row(f"sampler on othello, {nodes:,} nodes", "playouts/s", samples, games, "bare random games")
    theirs = openspiel_simulations_per_second("othello", 0.3 if quick else 3.0)
    yield Row("uct on othello", "visits/s", visits, theirs, "OpenSpiel's MCTS in C++", "ratio at least 10")


@benchmark
def lcf(quick: bool) -> Iterator[Row]:
    """Microseconds an expansion: LCF as it is, as Figure 2 of its paper has it (before), and best-first minimax."""
    for branching in (2, 10, 20):
        for nodes in (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000):
            ours, plain, bfmm = (
                cost_of_expansions(search, trees(branching, seeds=1 if quick else 3), nodes)[0]
                for search in (registry.searches().of("lcf"), PlainLcf(), registry.searches().of("bfmm"))
            )
            name = f"lcf, b = {branching}, {nodes:,} nodes"
            yield Row(name, "us an expansion", ours, plain, "every change sweeps the tree")
            yield Row(name, "us an expansion", ours, bfmm, "bfmm", "ratio at most 3")
