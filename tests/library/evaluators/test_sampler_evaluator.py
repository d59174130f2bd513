"""The sampler as an evaluator: an opinion that depends on the state and the seed alone, is fair, and is paid for."""

import itertools
import math
import pickle

import numpy as np
import pytest
from scipy import stats

import ludus
from ludus import Budget, Game, Meter
from ludus.kernel.playout import SETTINGS, longest_playout
from ludus.kernel.random import mix
from ludus.kernel.rules import digest
from ludus.library.evaluators.sampler import Sampler
from ludus.model import registry
from ludus.model.evaluator import WIN
from ludus.runtime.runner import Runner
from ludus.runtime.session import Session
from tests.support import oracles
from tests.support.reference_sampling import settled_after, slow_playout

POSITIONS = ["--------- X", "X---O---- X", "XOX-O---- X", "XOXXO-O-- X", "XO-OX---- X"]


def position(text):
    return ludus.game("tictactoe").position(text)


@pytest.mark.parametrize("setting", ["quick", "weak", "strong"])
@pytest.mark.parametrize("text", POSITIONS)
def test_it_is_the_slow_sampler_seeded_by_the_state(setting, text):
    where, named = position(text), SETTINGS[setting]
    for seed in (0, 5):
        with np.errstate(over="ignore"):
            source = np.array([mix(digest(where.state) ^ mix(np.uint64(seed)))], np.uint64)
        results = []
        while (settled := settled_after(results, named.first, named.most, named.tolerances, named.draws)) is None:
            score, _ = slow_playout(where.game, where.state, source)
            results.append(int(np.sign(score)))
        assert where.value(Sampler(setting, seed=seed)) == pytest.approx(float(settled[1]), abs=1e-12)


def test_the_same_state_has_the_same_value_whenever_it_is_asked_for_and_by_whom():
    places = [position(text) for text in POSITIONS]
    once = [place.value("sampler") for place in places]
    shared = Sampler()
    assert [place.value(shared) for place in reversed(places)] == once[::-1]
    assert [place.value(pickle.loads(pickle.dumps(shared))) for place in places] == once
    assert [place.value("sampler(seed=1)") for place in places] != once
    assert len(set(once)) > 1


class Thing:
    """A state without a text of its own: two that are equal print differently."""

    def __init__(self, stones):
        self.stones = stones


class Things(Game):
    """Nim whose states are objects."""

    max_moves = 3

    def initial(self):
        return Thing(9)

    def moves(self, state, out):
        out[:3] = 1, 2, 3
        return min(state.stones, 3)

    def play(self, state, move):
        return Thing(state.stones - move)

    def score(self, state):
        return 1


def test_states_that_are_objects_are_known_by_their_fields():
    with np.errstate(over="ignore"):
        assert digest(Thing(5)) == digest(Thing(5)) != digest(Thing(6))
    results = [ludus.player("bfmm(nodes=200)", compiled=False).choose(Things()) for _ in range(2)]
    assert results[0].to_dict()["children"] == results[1].to_dict()["children"]


@pytest.mark.slow
@pytest.mark.parametrize("text", POSITIONS)
def test_it_is_fair(text):
    """Over many seeds the mean is the exact expected outcome, and the spread that of four independent games."""
    where, runs = position(text), 500
    chance = oracles.chances(where.game, where.state)
    mean = float(oracles.expected_outcome(chance))
    variance = (float(chance.win + chance.loss) - mean**2) / 4
    found = np.array([where.value(Sampler(seed=seed)) for seed in range(runs)])
    assert set(found) <= {k / 4 for k in range(-4, 5)}
    assert abs(found.mean() - mean) < 3.9 * math.sqrt(variance / runs)
    squares = (found - mean) ** 2
    assert abs(squares.mean() - variance) < 3.9 * math.sqrt(squares.var() / runs)


def test_neighbouring_states_and_seeds_are_independent():
    """Values of 400 positions of nim under two seeds do not go together once the expected outcome is taken away."""
    game, known = ludus.game("nim", stones=400), {}
    deviations = []
    for seed in (0, 1):
        evaluator = Sampler(seed=seed)
        deviations.append(
            [
                game.position(str(n)).value(evaluator)
                - float(oracles.expected_outcome(oracles.chances(game, (n,), known)))
                for n in range(40, 140)
            ]
        )
    one, other = deviations
    for a, b in ((one, other), (one[1:], one[:-1]), (other[1:], other[:-1])):
        assert stats.pearsonr(a, b).pvalue > 1e-3


def test_a_finished_game_is_worth_more_than_any_opinion():
    won = position("XXXOO---- O")
    assert won.value("sampler") == -WIN
    assert -1 <= position(POSITIONS[0]).value("sampler(setting=strong)") <= 1


def test_score_as_the_payoff():
    start = ludus.game("othello", size=4).position()
    found = [start.value(Sampler(first=16, most=16, payoff="score", seed=seed)) for seed in range(4)]
    assert all(abs(value) <= 16 for value in found)
    assert any(abs(value) > 1 for value in found)


def test_games_without_an_evaluator_get_it():
    assert str(ludus.player("bfmm").on(ludus.game("nim"))) == "bfmm(eval=sampler, nodes=2000)"
    assert str(ludus.player("bfmm(eval=zero)").on(ludus.game("nim"))) == "bfmm(eval=zero, nodes=2000)"


# What it costs.


@pytest.mark.parametrize("name", ["alphabeta", "bfmm", "greedy", "lcf", "minimax", "uct"])
def test_its_plays_count_and_a_step_is_no_longer_than_it_says(monkeypatch, name):
    monkeypatch.setattr(Session, "_slice_looks", lambda self, seconds, most: 1)
    plays = 0

    class Counted(type(ludus.game("tictactoe"))):
        def play(self, state, move):
            nonlocal plays
            plays += 1
            return super().play(state, move)

    game = Counted()
    search = registry.searches().of(name, leaf="eval") if name == "uct" else registry.searches().of(name)
    evaluator = Sampler().on(game)
    session = Session(search, game, evaluator, compiled=False)
    meters = [Meter()]
    session.run(game.start, Budget(nodes=1500), progress=lambda s: meters.append(Meter.read(s.meter, 0.0)))
    meters.append(Meter.read(session.meter, 0.0))
    assert session.meter[0] == plays > 1500 or name == "greedy"
    assert evaluator.plays(game) == 4 * longest_playout(game)
    assert max(b.generated - a.generated for a, b in itertools.pairwise(meters)) <= search.largest_step(game, evaluator)


def test_evaluators_that_do_not_play_say_so():
    game = ludus.game("othello")
    assert ludus.evaluator("mobility").on(game).plays(game) == 0
    assert registry.searches().of("bfmm").largest_step(game, ludus.evaluator("mobility")) == game.max_moves
    assert registry.searches().of("uct").largest_step(game, ludus.evaluator("mobility")) == 1 + 122
    assert registry.searches().of("bfmm").largest_step(game, Sampler()) == 60 * (1 + 4 * 122)


@pytest.mark.slow
def test_compiled_it_gives_the_same_and_allocates_nothing():
    game = ludus.game("nim")
    slow, fast = (ludus.player("bfmm(nodes=1000)", compiled=how) for how in (False, True))
    assert fast.choose(game).to_dict()["children"] == slow.choose(game).to_dict()["children"]
    assert not fast.session(game).kernel.counts


@pytest.mark.slow
def test_what_runs_before_the_first_compilation_is_short(monkeypatch, tmp_path):
    """A strong sampler makes up to 1024 playouts for each of nine moves; the rehearsal one."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    monkeypatch.setattr("ludus.compile.specialise._kernels", {})
    runs = []
    original = Runner.run

    def watched(self, *arguments, **options):
        stopped = original(self, *arguments, **options)
        runs.append((self.kernel is None, int(self.meter[0])))
        return stopped

    monkeypatch.setattr(Runner, "run", watched)
    game = ludus.game("tictactoe")
    Session(registry.searches().of("greedy"), game, Sampler("strong").on(game), compiled=True)
    [(interpreted, generated)] = runs
    assert interpreted
    assert generated <= 9 * (1 + 9)


def test_in_a_game_of_chance_a_finished_game_is_worth_its_payoff():
    """Searches average there; a win worth 2^20 would outrank everything at any odds."""
    pig, tree = ludus.game("pig(target=10)"), ludus.game("chance-tree(depth=4)")
    sampler, by_score = ludus.evaluator("sampler"), ludus.evaluator("sampler(payoff=score)")
    lost, leaf = (3, 10, 0, 0), (np.int64(1), 4, 700, 0)
    assert sampler.on(pig).final(pig, lost) == -1
    assert (sampler.on(pig).lowest, sampler.on(pig).highest) == (-1, 1)
    assert (sampler.on(tree).final(tree, leaf), by_score.on(tree).final(tree, leaf)) == (1, 700)
    assert by_score.on(tree).highest == math.inf
    assert sampler.on(pig).score_of(-1.0) is None
    assert not by_score.on(tree).is_decided(2.0 * WIN)
    assert sampler.on(ludus.game("nim")).highest == math.inf
