"""The benchmarks: one function each."""

from __future__ import annotations

from collections.abc import Iterator

import ludus
from benchmarks.boards import ArrayBoard, TupleBoard
from benchmarks.measure import Row, benchmark, nodes_per_second, process_seconds, readme_game


@benchmark
def compiled(quick: bool) -> Iterator[Row]:
    """The same source compiled and interpreted, on the game of the README."""
    game, many, few = readme_game(), *((20_000, 2_000) if quick else (400_000, 20_000))
    for search in ("bfmm(eval=random, nodes={})", "minimax(eval=zero, nodes={})"):
        ours = nodes_per_second(game, search.format(many), compiled=True)
        theirs = nodes_per_second(game, search.format(few), compiled=False)
        name = f"{search.split('(')[0]} on the README's game"
        yield Row(name, "nodes/s", ours, theirs, "interpreted", "ratio at least 50")


@benchmark
def boards(quick: bool) -> Iterator[Row]:
    """The same game with its board in an array, in a tuple and in bits, each compiled and interpreted."""
    many, few = (20_000, 2_000) if quick else (400_000, 10_000)
    games = (ArrayBoard(), "20"), (TupleBoard(), "50"), (ludus.game("tictactoe"), "50")
    for search in ("minimax(eval=zero, nodes={})", "uct(eval=sampler, nodes={})"):
        for game, times in games:
            ours = nodes_per_second(game, search.format(many), compiled=True)
            theirs = nodes_per_second(game, search.format(few), compiled=False)
            name = f"{search.split('(')[0]} on {game.name or type(game).__name__}"
            yield Row(name, "nodes/s", ours, theirs, "interpreted", f"ratio at least {times}")


@benchmark
def start(quick: bool) -> Iterator[Row]:
    """How long a new process takes to be of use."""
    times = 2 if quick else 7
    bare = process_seconds("-c", "pass", times=times)
    for name, arguments, goal in (
        ("import ludus", ("-c", "import ludus"), "below 0.4"),
        ("ludus games", ("-m", "ludus", "games"), "below 0.6"),
    ):
        yield Row(name, "s", process_seconds(*arguments, times=times), bare, "python -c pass", goal)


@benchmark
def perft(quick: bool) -> Iterator[Row]:
    """Positions counted in a second, compiled and interpreted."""
    for spec, deep, shallow in (("tictactoe(size=4)", 6 - quick, 3), ("nim(stones=60)", 15 - 4 * quick, 7)):
        game = ludus.game(spec)
        positions_per_second(game, 1, compiled=True)  # compiles
        ours, theirs = (
            max(positions_per_second(game, depth, compiled=how) for _ in range(3))
            for depth, how in ((deep, True), (shallow, False))
        )
        yield Row(f"perft {spec} {deep}", "positions/s", ours, theirs, "interpreted")


def positions_per_second(game: ludus.Game, depth: int, compiled: bool) -> float:
    found = ludus.perft(game, depth, compiled=compiled)
    return found.leaves / found.seconds
