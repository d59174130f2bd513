"""The evaluators of synthetic trees: errors of the size asked for, always the same, compiled and interpreted alike."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.stats import kstest

import ludus
from tests.support.tree_statistics import z_score

TRUTHS = {"dbf-truth": "dbf-tree(branching=3)", "win-truth": "recursive-game", "interval-truth": "interval-tree"}
EXACT = {
    "dbf-truth": lambda position: position.value("dbf-truth"),
    "win-truth": lambda position: 1 if position.state[3] else -1,
    "interval-truth": lambda position: position.state[2],
}


@cache
def positions(spec: str, how_many: int) -> list[ludus.Position]:
    """Nodes at depth 2 of many games, unfinished."""
    found, seed = [], 0
    while len(found) < how_many:
        after = ludus.game(spec, seed=seed).position().play(0)
        seed += 1
        if not after.is_over and not (below := after.play(0)).is_over:
            found.append(below)
    return found


@pytest.mark.parametrize("name", TRUTHS)
def test_errors_are_normal_independent_and_of_the_size_asked_for(name):
    for noise, decay, seed in ((0.5, 1.0, 0), (300.0, 0.5, 7)):
        evaluator = ludus.evaluator(f"{name}(noise={noise}, decay={decay}, seed={seed})")
        sample = np.array([p.value(evaluator) - EXACT[name](p) for p in positions(TRUTHS[name], 300)])
        assert kstest(sample, "norm", (0, noise * decay**2)).pvalue > 0.001
        assert abs(np.corrcoef(sample[:-1], sample[1:])[0, 1]) * 300**0.5 < 3.3


@pytest.mark.parametrize("name", TRUTHS)
def test_wrong_signs_are_as_many_as_asked_for(name):
    for flip, decay in ((0.3, 1.0), (0.9, 0.5)):
        evaluator = ludus.evaluator(f"{name}(flip={flip}, decay={decay})")
        found = [(position.value(evaluator), EXACT[name](position)) for position in positions(TRUTHS[name], 300)]
        assert all(abs(value) == abs(exact) for value, exact in found)
        wrong = sum(value != exact for value, exact in found)
        assert abs(z_score(wrong, 300, flip * decay**2)) < 3.3


@pytest.mark.parametrize("name", TRUTHS)
def test_opinions_do_not_change_but_with_the_seed(name):
    [position] = positions(TRUTHS[name], 1)
    opinions = [position.value(f"{name}(noise=1, seed={seed})") for seed in (0, 1, 2, 0)]
    assert opinions[0] == opinions[3]
    assert len(set(opinions)) == 3
    assert position.value(name) == EXACT[name](position)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "evaluator"),
    [
        ('dbf-tree(branching=4, leaves="normal uniform integers binary")', "dbf-truth(noise=0.4, flip=0.2, decay=0.9)"),
        ('dbf-tree(branching=4, leaves="normal uniform integers binary")', "dbf-mean"),
        ("recursive-game", "win-truth(noise=0.4, flip=0.2, decay=0.9)"),
        ("interval-tree", "interval-truth(noise=0.4, flip=0.2, decay=0.9)"),
        ("board-splitting(branching=3, rounds=3)", "ones-share"),
        ("board-splitting(branching=3, rounds=2, p=0.6)", "ones-traps(diagonals=both)"),
    ],
)
def test_compiled_and_interpreted_alike(game, evaluator):
    fast, slow = (ludus.player(f"greedy(eval={evaluator})", compiled=compiled) for compiled in (True, False))
    for seed in range(12):
        made = ludus.game(game, seed=seed)
        state = made.after(made.start, 0) if seed % 2 else made.start
        if not made.legal(state):
            continue
        opinions = [[child.value for child in player.choose(made, state).children] for player in (fast, slow)]
        assert opinions[0] == opinions[1]


@pytest.mark.parametrize("name", ["dbf-tree", "trap-tree", "recursive-game", "interval-tree", "board-splitting"])
def test_a_match_of_other_seeds(name):
    """A pair of games for each seed, with the game's own evaluator."""
    players = [ludus.player(search, compiled=False) for search in ("greedy", "random")]
    result = ludus.match(name, *players, games=10, seed=1)
    assert result.games == 10
    assert result.draws == 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("dbf-truth(noise=-1)", "noise must be from 0 to"),
        ("win-truth(flip=1.5)", "flip must be from 0 to 1"),
        ("interval-truth(decay=2)", "decay must be from 0 to 1"),
        ("win-truth(seed=-1)", "seed must be 0 or above"),
        ("interval(at=2)", "at must be from 0 to 1"),
        ("ones-traps(diagonals=some)", "diagonals of ones-traps must be one of main, both, none"),
    ],
)
def test_parameters_out_of_range(spec, message):
    with pytest.raises(ludus.SpecError, match=message):
        ludus.evaluator(spec)
