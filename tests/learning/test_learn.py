"""`ludus learn`: known weights are found, standard errors are true, what was saved is there again, TD converges."""

import functools
import json
import pickle

import numpy as np
import pytest

import ludus
from ludus import Game, LudusError, SpecError
from ludus.kernel.random import seed_for
from ludus.learning.by_differences import Course, step_lengths
from ludus.learning.chunks import gather
from ludus.learning.examples import Examples, staged
from ludus.learning.features import Descriptions, features_of
from ludus.learning.lesson import LearnSettings, Lesson
from ludus.learning.random_positions import CHUNK, RandomChunks
from ludus.learning.selfplay import SelfPlayChunks
from ludus.learning.weighing import least_squares, logistic
from ludus.library.evaluators.learned import learned
from ludus.model import identity
from tests.support.commands import run


@pytest.fixture(autouse=True)
def own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path))


class Known(Game):
    """Each player adds 1 or 2 to his account, or takes as much from the other's; after ten moves the difference counts.

    A random move brings the mover 1.5 on average, to whichever account. With an even number of moves left these cancel
    out, so the expected margin is the difference of the accounts; with an odd number it is 1.5 more.
    """

    max_moves, max_features = 4, 3
    feature_names = ("mine", "theirs", "odd")

    def initial(self):
        return (0, 0, 10)

    def moves(self, state, out):
        for move in range(4):
            out[move] = move
        return 4 if state[2] > 0 else 0

    def play(self, state, move):
        mine, theirs, left = state
        if move < 2:
            return (theirs, mine + move + 1, left - 1)
        return (theirs - move + 1, mine, left - 1)

    def score(self, state):
        return state[0] - state[1]

    def phase(self, state):
        return 1 - state[2] / 10

    def features(self, state, out):
        out[0], out[1], out[2] = state[0], state[1], state[2] % 2
        return 3


class Suited(Known):
    """Says how it is learnt best."""

    lesson = {"rate": 0.01, "games": 5_000}


@pytest.mark.slow
def test_a_game_says_how_it_is_learnt_best():
    settings = {}
    for game in (Known, Suited):
        for given in ({}, {"features": "features"}, {"games": 20}):
            found = ludus.learn(game, **{"name": "suited", "compiled": False} | given)
            settings[game, *given] = (
                found.about["settings"]["rate"],
                found.about["settings"]["games"],
                found.about["games"],
            )
    assert settings[Known,] == settings[Known, "features"] == settings[Suited, "features"] == (0.1, 10_000, 200)
    assert settings[Suited,] == (0.01, 5_000, 100)
    assert settings[Suited, "games"] == (0.01, 20, 50)
    Suited.lesson = {"rates": 1}
    with pytest.raises(LudusError, match=r"unknown setting in the lesson of Suited 'rates'; did you mean rate"):
        ludus.learn(Suited, compiled=False)


WEIGHTS = np.array([1.0, -1.0, 1.5, 0.0])
"""The expected margin of `Known`, as derived above."""


class TestRegression:
    def test_known_weights_and_their_errors(self):
        found = ludus.learn(Known, method="regression", target="margin", positions=1000, playouts=2, compiled=False)
        rows = found.to_dict()["weights"]
        assert [row["feature"] for row in rows] == ["mine", "theirs", "odd", "constant"]
        errors = np.array([row["se"] for row in rows])
        assert (np.abs([row["weight"] for row in rows] - WEIGHTS) < 4 * errors).all()
        assert errors.max() < 0.1
        assert rows[0]["p"] < 1e-6 < 1e-4 < rows[3]["p"]
        fit = found.about["fit"]
        assert fit["held_out_r2"] == pytest.approx(fit["r2"], abs=0.05)

    def test_standard_errors_are_the_spread_of_many_fits(self):
        """Noise whose size depends on the column, where the textbook formula errs; 300 fits tell the truth."""
        from scipy.sparse import csr_array

        random, fits = np.random.default_rng(1), []
        for _ in range(300):
            x = random.normal(size=(200, 2))
            fits.append(least_squares(csr_array(x), x @ [1.0, -2.0] + random.normal(size=200) * np.abs(x[:, 0])))
        spread = np.std([fit.weights for fit in fits], axis=0)
        told = np.mean([fit.errors for fit in fits], axis=0)
        assert told == pytest.approx(spread, rel=0.15)  # the error of a spread of 300 is 4 %
        assert np.mean([fit.weights for fit in fits], axis=0) == pytest.approx([1.0, -2.0], abs=5 * spread.max() / 17)

    def test_exact_where_there_is_no_noise_and_a_sparse_fit_leaves_out_what_does_not_matter(self):
        from scipy.sparse import csr_array

        random = np.random.default_rng(2)
        x = random.normal(size=(400, 30))
        weights = np.zeros(30)
        weights[[3, 7]] = 2.0, -1.0
        assert least_squares(csr_array(x), x @ weights).weights == pytest.approx(weights, abs=1e-9)
        noisy = x @ weights + random.normal(size=400)
        chosen = least_squares(csr_array(x), noisy, select=True)
        assert chosen.weights[[3, 7]] == pytest.approx([2.0, -1.0], abs=0.3)
        assert 2 <= np.count_nonzero(chosen.weights) <= 8
        assert chosen.fit["chosen"] == np.count_nonzero(chosen.weights)

    @pytest.mark.slow
    def test_selective_sampling_chooses_moves_by_their_standing(self):
        """Each move with a probability proportional to exp(value / temperature): compared with the definition."""
        game, features, heat = ludus.game(Known), features_of(Known()), 1.0
        guide = features.evaluator.weighing(WEIGHTS[None])
        judge = guide.on(game)

        @functools.cache
        def margin(state):
            if state[2] == 0:
                return float(game.score(state))
            after = [game.play(state, move) for move in range(4)]
            values = np.array([-(judge.final if end[2] == 0 else judge.evaluate)(game, end) for end in after])
            chances = np.exp((values - values.max()) / heat)
            return -float(chances @ [margin(end) for end in after]) / float(chances.sum())

        chunk = RandomChunks(features, 3, "uniform", 9, 20, False, guide=guide, temperature=heat).make(0)
        mine, theirs = (np.array(chunk["values"]).reshape(CHUNK, 4)[:, k].astype(int) for k in (0, 1))
        left = np.round(10 * (1 - chunk["far"])).astype(int)
        exact = np.array([margin(state) for state in zip(mine.tolist(), theirs.tolist(), left.tolist(), strict=True)])
        rest = chunk["results"][:, 3] / 20 - exact
        assert abs(rest.mean()) < 4 * rest.std() / np.sqrt(CHUNK)
        assert rest.std() < 0.6  # ten plies with a standard deviation of at most one half, 20 games
        plain = np.array([mine - theirs + 1.5 * (left % 2)])[0]
        assert (exact - plain)[left % 2 == 1].mean() > 0.2, "choosing by standing is not random play"

    @pytest.mark.slow
    def test_a_later_order_learns_from_better_games(self):
        found = [
            ludus.learn(Known, method="regression", target="margin", positions=500, playouts=4, compiled=False, order=k)
            for k in (0, 1)
        ]
        (plain, se), (chosen, more) = (
            [each.to_dict()["weights"][2][key] for key in ("weight", "se")] for each in found
        )
        assert chosen - plain > 3 * np.hypot(se, more), "the mover of an odd number of moves left gains more"
        assert found[1].about["fit"]["order"] == found[1].about["settings"]["order"] == 1

    def test_depths_of_the_positions(self):
        """`middle`: the mean of two even draws, so the middle is the likeliest depth; `uniform`: all alike."""
        seen = {}
        for depths in ("middle", "uniform"):
            chunk = RandomChunks(features_of(Known()), 3, depths, 9, 1, compiled=False)
            many = np.concatenate([chunk.make(k)["far"] for k in range(4)])
            seen[depths] = np.bincount(np.round(10 * many).astype(int), minlength=10) / (4 * CHUNK)
        assert seen["uniform"] == pytest.approx(np.full(10, 0.1), abs=5 * np.sqrt(0.09 / 1000))
        assert seen["middle"][4:6].sum() > 3 * seen["middle"][[0, 9]].sum()


def test_logistic_regression_finds_the_logit():
    from scipy.sparse import csr_array

    random = np.random.default_rng(4)
    x = random.normal(size=(8000, 3))
    won = (random.random(8000) < 1 / (1 + np.exp(-x @ [1.0, -0.5, 0.0]))).astype(float)
    found = logistic(csr_array(x), won, np.arange(8000) // 10)
    assert found.weights == pytest.approx([1.0, -0.5, 0.0], abs=0.15)
    assert found.fit["held_out_log_loss"] < found.fit["base_log_loss"]


class Chain(Game):
    """A walk on 0 to 6 from 3 on, a step either way with the coin; at 6 the player to move first wins, at 0 he loses.

    The players have no say: a move is one of two equal ones, and then the coin decides. So at place p the first player
    wins with probability p / 6, which is worth p / 3 - 1 to him (Sutton 1988, the random walk).
    """

    max_moves, max_features = 2, 7

    def initial(self):
        return (3, 0, 0)

    def moves(self, state, out):
        out[0], out[1] = 0, 1
        return 0 if state[0] in (0, 6) else 2

    def chance(self, state, probabilities):
        probabilities[0] = probabilities[1] = 0.5
        return 2 if state[2] else 0

    def play(self, state, move):
        place, turn, rolling = state
        if rolling:
            return (place + 2 * move - 1, turn, 0)
        return (place, 1 - turn, 1)

    def score(self, state):
        return (1 if state[0] == 6 else -1) * (1 - 2 * state[1])

    def features(self, state, out):
        for k in range(7):
            out[k] = (k == state[0]) * (1 - 2 * state[1])
        return 7


@pytest.mark.slow
@pytest.mark.parametrize("trace", [0.0, 0.8])
def test_td_converges_to_the_values_of_a_chain(trace):
    """With a rate that falls, to the analytic values; each place has a weight of its own."""
    features = features_of(Chain())
    start = features.evaluator.weighing(np.zeros((1, len(features))))
    learner = SelfPlayChunks(features, start, 5, 0.0, rate=1.0, trace=trace)
    learner.work.tree.arrays["steps"][-1] = 0.0  # no constant
    for number in range(1600):
        learner.work.tree.arrays["steps"][:-1] = 0.3 / (1 + number / 8)
        learner.play(number)
    values = np.tanh(learner.evaluator.weights[0, 1:6])
    assert values == pytest.approx(np.arange(1, 6) / 3 - 1, abs=0.06)


@pytest.mark.slow
def test_a_rare_pattern_takes_no_longer_steps():
    """However seldom a pattern is seen, it takes at most its even share of the step of a position that has it.

    Nor does one that was not seen at all: it once took steps of up to a million shares.
    """
    features = features_of(ludus.game("connect4"), "tuples")
    still = SelfPlayChunks(features, features.evaluator.weighing(np.zeros((1, len(features)))), 1, compiled=False)
    matrix = Examples.joined([still.make(0)], len(features)).matrix
    shares = step_lengths(still, len(features)) * np.diff(matrix.indptr).mean()
    rare = np.asarray((matrix != 0).mean(axis=0)).ravel() < 0.01
    unseen = np.asarray((matrix != 0).sum(axis=0)).ravel() == 0
    assert rare.sum() > 20
    assert unseen.sum() > 20
    assert 0.0 < shares.min() <= shares.max() <= 1.0 + 1e-9


@pytest.mark.slow
def test_a_rare_declared_feature_takes_longer_steps_beside_patterns():
    """The rarer the longer, up to the whole step; patterns take their even share."""
    features = features_of(ludus.game("othello(size=4)"), "both")
    still = SelfPlayChunks(features, features.evaluator.weighing(np.zeros((1, len(features)))), 1, compiled=False)
    matrix = Examples.joined([still.make(0)], len(features)).matrix
    at_once, seen = np.diff(matrix.indptr).mean(), np.asarray((matrix != 0).mean(axis=0)).ravel()
    squares = np.asarray(matrix.multiply(matrix).mean(axis=0)).ravel()
    shares = step_lengths(still, len(features)) * np.where(seen > 0, squares / np.maximum(seen, 1e-9), 1.0)
    own = len(ludus.game("othello").feature_names)
    assert shares[own:] == pytest.approx(1 / at_once)
    assert shares[:own] == pytest.approx(np.minimum(1.0, 1 / np.maximum(seen[:own] * at_once, 1e-9)))
    assert shares[features.names.index("wipe-out")] > 5 * shares[features.names.index("parity")]


@pytest.mark.slow
def test_the_mean_of_the_last_weights():
    """`average=0.5`: the weights are the mean of those after each chunk of the second half."""
    options = {"compiled": False, "stages": 1, "seed": 3}
    found = ludus.learn(Known, games=200, average=0.5, name="mean", **options)
    seen = []
    lesson = Lesson(ludus.game(Known), LearnSettings(stages=1, seed=3))
    still = SelfPlayChunks(lesson.features, lesson.features.evaluator, seed_for(3, 5), 0.0, False)
    start = lesson.features.evaluator.weighing(np.zeros((1, len(lesson.features))))
    learner = SelfPlayChunks(lesson.features, start, seed_for(3, 4), 0.1, False, rate=0.1, trace=0.7)
    steps = step_lengths(still, len(lesson.features))
    for number in range(4):
        learner.work.tree.arrays["steps"][:] = (1 - 0.9 * number / 4) * steps
        learner.play(number)
        seen.append(learner.evaluator.weights.copy())
    assert found.evaluator.weights == pytest.approx((seen[2] + seen[3]) / 2, rel=1e-12)
    assert found.about["settings"]["average"] == 0.5
    assert "average" not in ludus.learn(Known, games=50, name="last", **options).about["settings"]


@pytest.mark.slow
def test_what_is_tried_before_compiling_changes_no_weights():
    """Else the first run, which compiles, would learn something else than the next."""
    weights = [
        SelfPlayChunks(features_of(game), features_of(game).evaluator, 5, 0.0, True, rate=1.0).evaluator.weights
        for game in (Chain(), Chain())
    ]
    assert (weights[0] == 0.0).all()
    assert (weights[1] == 0.0).all()


SELECTIVE = {"method": "regression", "positions": 600, "order": 1}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), [("tictactoe", {"games": 100}), ("kalah", SELECTIVE)])
def test_compiled_and_interpreted_learn_the_same(game, options):
    """To the last bit, with the same fingerprint of the game."""
    fast, slow = (
        ludus.learn(game, name=f"by-{compiled}", compiled=compiled, seed=3, **options) for compiled in (True, False)
    )
    assert fast.evaluator.weights.tolist() == slow.evaluator.weights.tolist()
    for fact in ("fingerprint", "fit", "positions"):
        assert fast.about[fact] == slow.about[fact]


class TestSaved:
    def test_the_file_round_trips(self, tmp_path):
        made = ludus.learn(Known, method="regression", positions=250, stages=3, name="three", compiled=False)
        assert made.evaluator.weights.shape == (3, 4)
        again = ludus.evaluator("learned/three")
        assert (again.weights == made.evaluator.weights).all()
        assert str(again) == "learned/three"
        path = tmp_path / "elsewhere.json"
        path.write_text((learned.directory() / "three.json").read_text())
        moved = ludus.evaluator(str(path))
        assert str(moved) == str(path)
        assert (moved.weights == again.weights).all()
        sent = pickle.loads(pickle.dumps(again))
        assert identity.of_evaluator(sent) == identity.of_evaluator(again)
        other = again.weighing(again.weights + 1e-9)
        assert identity.of_evaluator(other) != identity.of_evaluator(again)

    @pytest.mark.slow
    def test_compiled_interpreted_and_matrix_agree(self):
        """The value is the sum of the terms by their weights, whoever computes it; other weights need no new kernel."""
        game, random = ludus.game("tictactoe"), np.random.default_rng(7)
        features = features_of(game, "pairs")
        states = [game.start, game.after(game.start, 4), game.after(game.after(game.start, 4), 0)]
        kernels = set()
        for _ in range(2):
            evaluator = features.evaluator.weighing(random.normal(size=(2, len(features)))).on(game)
            matrix, far = Descriptions(features, compiled=False).described(states)
            expected = staged(matrix, far, 2) @ evaluator.weights.ravel()
            assert [evaluator.evaluate(game, state) for state in states] == pytest.approx(expected)
            player = ludus.player("alphabeta(depth=1)", eval=evaluator, compiled=True)
            slow = ludus.player("alphabeta(depth=1)", eval=evaluator, compiled=False)
            for state in states:
                assert player.choose(game, state).value == pytest.approx(slow.choose(game, state).value, abs=1e-12)
            kernels.add(player.session(game).kernel.fingerprint)
        assert len(kernels) == 1

    @pytest.mark.slow
    def test_it_is_found_again_unless_something_else_is_asked(self):
        options = {"method": "regression", "positions": 250, "compiled": False}
        first = ludus.learn(Known, **options)
        assert not first.was_saved
        assert ludus.learn(Known, **options).was_saved
        assert not ludus.learn(Known, **options | {"target": "win"}).was_saved
        assert not ludus.learn(Known, **options | {"target": "win"}, again=True).was_saved

    def test_whoever_is_interrupted_goes_on(self, tmp_path):
        made = []

        def make(number):
            made.append(number)
            if len(made) == 3:
                raise KeyboardInterrupt
            return {"n": np.array([number])}

        with pytest.raises(KeyboardInterrupt):
            gather(tmp_path, range(5), [make])
        assert len(list(tmp_path.glob("*.npz"))) == len(made) - 1 >= 2
        found = gather(tmp_path, range(5), [make, make])
        assert [int(chunk["n"][0]) for chunk in found] == list(range(5))
        assert len(made) == 5 + 1  # none twice, but for the one that failed

    @pytest.mark.slow
    def test_td_goes_on_where_it_was(self):
        def stop(done, words):
            if "200 of" in words:
                raise KeyboardInterrupt

        options = {"method": "td", "games": 300, "compiled": False, "stages": 1, "average": 0.5}
        whole = ludus.learn(Known, name="whole", **options)
        ludus.learn(Known, name="other", **options | {"again": True, "seed": 1})
        with pytest.raises(KeyboardInterrupt):
            ludus.learn(Known, name="halved", progress=stop, again=True, **options)
        halved = ludus.learn(Known, name="halved", **options)
        assert (halved.evaluator.weights == whole.evaluator.weights).all()
        assert halved.about["curve"] == whole.about["curve"]
        assert halved.about["curve"][-1]["score"] > 0.5
        assert halved.about["positions"] == whole.about["positions"] > 1000

    @pytest.mark.slow
    def test_td_interrupted_within_a_chunk_gives_the_same_weights(self, monkeypatch):
        """What a part of a chunk has changed is forgotten: that chunk is played from its beginning."""
        play, left = SelfPlayChunks.play, [4]

        def stopped(learner, number):
            many = play(learner, number)
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
            return many

        options = {"method": "td", "games": 300, "compiled": False, "stages": 1, "average": 0.5}
        whole = ludus.learn(Known, name="whole", **options)
        with monkeypatch.context() as patched:
            patched.setattr(SelfPlayChunks, "play", stopped)
            with pytest.raises(KeyboardInterrupt):
                ludus.learn(Known, name="halved", again=True, **options)
        assert (ludus.learn(Known, name="halved", **options).evaluator.weights == whole.evaluator.weights).all()

    @pytest.mark.slow
    def test_td_that_was_killed_goes_on(self, monkeypatch):
        """A process that is killed writes nothing any more, so it must have been written on the way."""
        told = []

        def kill(done, words):
            told.append(words)
            if "200 of" in words:
                monkeypatch.setattr(Course, "keep", lambda course, folder: None)
                raise KeyboardInterrupt

        options = {"method": "td", "games": 300, "compiled": False, "stages": 1}
        whole = ludus.learn(Known, name="whole", **options)
        monkeypatch.setattr("ludus.learning.by_differences.KEEP", 0.0)
        with pytest.raises(KeyboardInterrupt):
            ludus.learn(Known, name="killed", progress=kill, again=True, **options)
        told.clear()
        resumed = ludus.learn(Known, name="killed", progress=lambda done, words: told.append(words), **options)
        assert "200 of 300" in told[0]
        assert (resumed.evaluator.weights == whole.evaluator.weights).all()
        assert resumed.about["curve"] == whole.about["curve"]

    def test_ctrl_c_says_that_it_goes_on(self, monkeypatch):
        def stop(self, number):
            raise KeyboardInterrupt

        monkeypatch.setattr(SelfPlayChunks, "play", stop)
        ran = run("learn", "nim", "--no-compile", "--games", "50")
        assert ran.status == 130
        assert "the same command goes on where it was" in ran.err


def test_logistic_learns_to_win():
    found = ludus.learn(Known, method="logistic", games=400, compiled=False, name="log")
    mine, theirs, _, _ = found.evaluator.weights[0]
    assert mine > 0 > theirs
    assert found.about["fit"]["held_out_log_loss"] < found.about["fit"]["base_log_loss"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "unknown method 'magic'"),
        ({"target": "luck"}, "unknown target 'luck'"),
        ({"depths": "low"}, "unknown depths 'low'"),
        ({"method": "td", "target": "margin"}, "td learns who wins"),
        ({"method": "td", "order": 1}, "`order` is for regression"),
        ({"method": "logistic", "average": 0.3}, "`average` is for td"),
        ({"method": "td", "average": 1.0}, "`average` must be a part of the games"),
        ({"stages": 0}, "`stages`"),
        ({"name": "a b"}, "named by letters"),
        ({"features": "smell"}, "unknown kind of features"),
        ({"playouts": "many", "method": "regression"}, "weak or strong"),
    ],
)
def test_bad_input_is_one_sentence(options, words):
    with pytest.raises(LudusError, match=words):
        ludus.learn(Known, compiled=False, **options)


def test_what_does_not_fit_is_refused(tmp_path):
    ludus.learn(Known, method="regression", positions=250, name="known", compiled=False)
    with pytest.raises(SpecError, match=r"was learnt for .*Known, not for nim"):
        ludus.player("greedy(eval=learned/known)", compiled=False).choose("nim")
    with pytest.raises(SpecError, match="unknown learnt evaluator 'knwon'; did you mean known"):
        ludus.evaluator("learned/knwon")
    with pytest.raises(SpecError, match="unknown parameter of learned/known"):
        ludus.evaluator("learned/known(x=1)")
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(SpecError, match="holds no learnt evaluator"):
        ludus.evaluator(str(tmp_path / "x.json"))
    record = json.loads((learned.directory() / "known.json").read_text())
    (tmp_path / "x.json").write_text(json.dumps(record | {"weights": "none"}))
    with pytest.raises(SpecError, match="is damaged"):
        ludus.evaluator(str(tmp_path / "x.json"))


@pytest.mark.slow
def test_the_command(tmp_path):
    ran = run("learn", "nim", "--games", "100", "--no-compile", "--name", "n", "--json", "-o", str(tmp_path / "n.svg"))
    assert ran.status == 0, ran.err
    told = ran.json
    assert {"game", "name", "method", "positions", "weights", "fit"} <= told.keys()
    assert told["weights"][0].keys() >= {"feature", "weight", "se", "p"}
    assert (tmp_path / "n.svg").stat().st_size > 1000
    shown = run("learn", "--show", "n")
    assert "use it   eval=learned/n" in shown.out
    assert "learned/n" in run("evaluators").out
    assert "learned/n" in run("show", "nim").out
    assert run("search", "nim", "greedy(eval=learned/n)", "--no-compile").status == 0
    assert run("learn").status == 2


def test_examples_of_threads_are_those_of_one(tmp_path):
    makers = [RandomChunks(features_of(Known()), 3, "middle", 9, 2, compiled=False) for _ in range(2)]
    one = gather(tmp_path / "one", range(3), [makers[0].make])
    two = gather(tmp_path / "two", range(3), [maker.make for maker in makers])
    alike = [Examples.joined(chunks, 4) for chunks in (one, two)]
    assert (alike[0].matrix != alike[1].matrix).nnz == 0
    assert (alike[0].results == alike[1].results).all()
