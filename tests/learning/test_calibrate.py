"""Calibration: what is known is found, what is said of held-out positions is true, what was saved is there again."""

import json
import pickle

import numpy as np
import pytest

import ludus
from ludus import Evaluator, LudusError, Player, SpecError
from ludus.arena.roster import run_fingerprint
from ludus.kernel import rules
from ludus.learning import automatic_calibration
from ludus.learning.automatic_calibration import with_calibration
from ludus.learning.calibrate import calibrate, deepest
from ludus.learning.fitting import reliability
from ludus.learning.model import Model
from ludus.learning.sampling import Games, sample
from ludus.library.games.nim import Nim
from ludus.model.calibration import LEVEL, Calibration, bucket, directory, interval_high, interval_low, win_probability

TREE = "interval-tree(branching=1, depth=20, width=1000000000)"
"""With a single move each, what errs is the evaluator alone."""


@pytest.fixture(autouse=True)
def own_data(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_DATA", str(tmp_path))


NIM = "nim(stones=20)"


def quick(game=NIM, evaluator="random", positions=100, **options):
    return calibrate(game, evaluator, positions=positions, **{"compiled": False} | options)


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_DATA", str(tmp_path_factory.mktemp("data")))
        return quick(TREE, "interval-truth(noise=1000, decay=0.9)", 2000)


class TestAKnownDistribution:
    """Normal errors of the static value at ply p have the deviation 1000 * 0.9^p, independently. So the value one ply
    deeper minus the static one is normal as well: the variances at the two plies add up, and the mean is 0."""

    @pytest.mark.slow
    def test_errors_by_phase(self, known):
        for row in known.facts["phases"]:
            plies = np.arange(round(20 * row["from"]), round(20 * row["to"]))
            below = np.where(plies < 19, 1e6 * 0.81 ** (plies + 1), 0.0)  # the last ply is a finished game
            expected = np.sqrt(np.mean(1e6 * 0.81**plies + below))
            assert row["sd"] == pytest.approx(expected, rel=0.15)
            assert abs(row["mean"]) < 5 * expected / np.sqrt(row["positions"])
            deep = np.sqrt(np.mean(1e6 * 0.81**plies + np.where(plies < 16, 1e6 * 0.81 ** (plies + 4), 0.0)))
            assert row["deep_sd"] == pytest.approx(deep, rel=0.3)

    @pytest.mark.slow
    def test_the_intervals_hold_fresh_positions(self, known):
        """Of other games, with another seed; static values of a game's plies err independently."""
        evaluator = known.evaluator
        games = Games(ludus.game(TREE), evaluator.on(ludus.game(TREE)), seed=99, compiled=False)
        inside = []
        for number in range(150):
            played = games.play(number)
            for ply in range(number % 4, 16, 4):
                ends = interval_low, interval_high
                low, high = (end(evaluator.calibration, played.phase[ply], played.static[ply]) for end in ends)
                inside.append(low <= played.static[ply + 4] <= high)  # the same player is to move there
        assert np.mean(inside) == pytest.approx(LEVEL, abs=5 * np.sqrt(LEVEL * (1 - LEVEL) / len(inside)) + 0.02)
        told = known.facts["coverage"]
        assert told["held"] == pytest.approx(LEVEL, abs=5 * np.sqrt(0.09 / told["positions"]) + 0.02)

    def test_lines_and_win_curve(self, known):
        for line in known.facts["probcut"]:
            assert line["slope"] == pytest.approx(1.0, abs=0.001)
        assert known.facts["win"]["brier"] < 0.1 < known.facts["win"]["base"]  # the value is the result, nearly


def test_a_search_reads_the_bucket_that_was_fitted():
    """`bucket`, which kernels call, and the fit sort positions alike."""
    game = ludus.game("tictactoe")
    games = Games(game, ludus.evaluator("open-lines").on(game), seed=3, compiled=False)
    found = sample(games, 300, 10**9, 1)
    model = Model(found, {1: np.full(300, np.nan), 2: np.full(300, np.nan)}, games.evaluator)
    columns = found.phase, found.before, found.earlier, found.static
    read = [bucket(model.calibration, *(column[i] for column in columns)) for i in range(300)]
    assert read == model.rows.tolist()
    assert len(set(read)) > 5


@pytest.mark.slow
@pytest.mark.parametrize(("game", "positions", "compiled"), [("connect4", 6000, True), ("othello(size=6)", 300, False)])
def test_real_games(game, positions, compiled):
    found = quick(game, None, positions, compiled=compiled)
    facts, told = found.facts, found.facts["coverage"]
    assert facts["positions"] == positions
    assert facts["win"]["brier"] < facts["win"]["base"]
    assert facts["win"]["slope"] > 0
    assert facts["error"]["sd"] < 500  # a finished game does not count as 2^20
    assert told["held"] == pytest.approx(LEVEL, abs=5 * np.sqrt(0.09 / told["positions"]))
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


def test_a_game_of_chance():
    facts = quick("pig(target=20)", None, 200).facts
    assert facts["error"]["sd"] < 100
    assert facts["depth"] == 4


@pytest.mark.slow
@pytest.mark.parametrize("game", ["othello", "kalah", "connect4"])
def test_the_win_curve_is_reliable_on_fresh_games(game):
    """Of another seed, in ten bins of like predictions: nowhere far off, and not overconfident at the ends."""
    found = quick(game, None, 20_000, compiled=True)
    games = Games(ludus.game(game), found.evaluator.on(ludus.game(game)), seed=777, compiled=True)
    fresh = sample(games, 30_000, 10**9, 0)
    told = fresh.by_opinion
    predicted = np.array([win_probability(found.calibration, value) for value in fresh.static[told]])
    rows = reliability(predicted, fresh.result[told], fresh.game[told])
    for row in rows:
        assert row["won"] == pytest.approx(row["predicted"], abs=0.03 + 3 * row["se"])
    lowest, highest = rows[0], rows[-1]
    assert lowest["won"] - lowest["predicted"] < 2 * lowest["se"]
    assert highest["predicted"] - highest["won"] < 2 * highest["se"]
    assert found.facts["win"]["games"] > 1_000  # of three quarters of all games, those that the evaluator decided
    assert 0 < found.facts["win"]["slope_se"] < found.facts["win"]["slope"] / 5


class Broken(Evaluator):
    """Never a finite number."""

    def __init__(self, value: float = float("inf")) -> None:
        self.value = value

    def evaluate(self, game, state):
        return self.value


class TestOddEvaluators:
    def test_one_without_opinion(self):
        found = quick(NIM, "zero")
        assert found.calibration.kinds == ("error", "win", "interval", "probcut")
        assert all(np.isfinite(array).all() for array in found.calibration[1:])
        assert (found.calibration.error[:, 1] > 0).all()
        assert found.facts["win"]["slope"] == 0.0

    def test_one_that_plays(self):
        assert quick("nim(stones=5)", None).facts["eval"] == "sampler"  # nim names none

    def test_one_whose_values_are_no_numbers(self):
        with pytest.raises(LudusError, match="Broken cannot be calibrated on nim: it has no finite value"):
            quick("nim", Broken())
        with pytest.raises(LudusError, match="evaluate must give a number, not nan"):
            quick("nim", Broken(float("nan")))

    def test_very_few_positions(self):
        found = quick("nim(stones=1)", "random", 1)
        assert found.facts["positions"] == 1
        assert all(np.isfinite(array).all() for array in found.calibration[1:])
        assert "?" in str(found)
        assert "<table>" in found._repr_html_()


class TestSaved:
    def test_the_second_time_it_is_there(self):
        first, second = quick(), quick()
        assert (first.was_saved, second.was_saved) == (False, True)
        assert first.facts == second.facts
        assert all(np.array_equal(a, b) for a, b in zip(first.calibration, second.calibration, strict=True))
        assert str(ludus.evaluator(second.facts["calibrated"])) == str(first.evaluator)
        assert not quick(again=True).was_saved

    @pytest.mark.slow
    def test_the_same_seed_gives_the_same(self, monkeypatch, tmp_path):
        first = quick()
        monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "other"))
        assert quick().facts == first.facts
        assert quick(seed=1).facts["calibration"] != first.facts["calibration"]
        assert not quick("nim(stones=21)").was_saved
        assert not quick(NIM, "random(seed=1)").was_saved
        assert not quick(positions=99).was_saved

    @pytest.mark.slow
    def test_synthetic_games_share_one(self):
        first = quick("interval-tree(depth=4, seed=1)", None)
        assert quick("interval-tree(depth=4, seed=2)", None).was_saved
        assert not quick("interval-tree(depth=5, seed=1)", None).was_saved
        assert first.facts["positions"] == 100

    @pytest.mark.slow
    def test_a_damaged_one_is_fitted_again(self):
        found = quick()
        (directory() / f"{found.calibration.hash}.json").write_text("{}")
        assert not quick().was_saved
        (report,) = directory().glob("report-*.json")
        for damaged in ("[]", "null", '{"calibration": 3}'):
            report.write_text(damaged)
            assert not quick().was_saved

    def test_a_folder_that_cannot_be_written_to_is_refused_before_the_work(self, monkeypatch, tmp_path):
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("LUDUS_DATA", str(tmp_path / "file"))
        told = []
        with pytest.raises(ludus.LudusError, match=r"calibrations cannot be written to .* LUDUS_DATA"):
            quick(progress=lambda done, words: told.append(words))
        assert told == []

    @pytest.mark.parametrize("when", [0.0, 0.9])
    def test_an_interruption_leaves_nothing(self, when):
        def interrupt(done, words):
            if done >= when:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            quick(progress=interrupt)
        assert list(directory().iterdir()) == []

    def test_progress_goes_on(self):
        told = []
        quick(progress=lambda done, words: told.append((done, words)))
        parts = [done for done, _ in told]
        assert parts == sorted(parts)
        assert parts[0] == 0.0
        assert parts[-1] == pytest.approx(1.0)
        assert "calibrating random: 20 positions" in [words for _, words in told]


@pytest.mark.parametrize(("option", "value"), [("positions", 0), ("positions", "many"), ("seed", 0.5)])
def test_bad_options_are_one_sentence(option, value):
    with pytest.raises(SpecError, match=f"`{option}` must be a whole number"):
        calibrate("nim", **{option: value})


class TestSupplied:
    """Players whose search needs a calibration get one."""

    SPEC = "alphabeta(probcut=0.9, eval=random, depth=4)"

    def test_once_with_a_sentence(self):
        told = []
        game, player = ludus.game(NIM), Player.of(self.SPEC, compiled=False)
        assert player.lacks(game) == ["probcut"]
        ready = with_calibration(player, game, lambda done, words: told.append((done, words)))
        sentence = (
            "alphabeta(probcut=0.9) needs the ProbCut line of random on nim(stones=20): it is fitted now, and kept"
        )
        assert [words for done, words in told if done == 0.0] == [sentence]
        assert f"calibration={ready.evaluator.calibration.hash}" in str(ready)
        assert ready.choose(game).stopped == "depth"
        told.clear()
        assert str(with_calibration(player, game, lambda done, words: told.append(words))) == str(ready)
        assert told == []
        assert pickle.loads(pickle.dumps(ready)).evaluator.calibration.hash == ready.evaluator.calibration.hash

    def test_who_needs_none_is_left_alone(self):
        ready = with_calibration(Player.of("alphabeta", compiled=False), ludus.game("tictactoe"))
        assert str(ready) == "alphabeta(eval=open-lines, nodes=2000)"
        assert not directory().exists()

    def test_a_calibration_that_somebody_chose_is_not_replaced(self):
        given = ludus.evaluator("open-lines").calibrated(Calibration(win=np.array([0.0, 1.0])))
        ready = with_calibration(Player("alphabeta(probcut=0.9)", given, compiled=False), ludus.game("tictactoe"))
        with pytest.raises(SpecError, match=r"needs the ProbCut line of open-lines.*, which has not been fitted"):
            ready.choose("tictactoe")

    def test_in_matches_and_rankings(self):
        told = []
        options = {"compiled": False, "games": 2, "calibrating": lambda done, words: told.append(done)}
        match = ludus.match(NIM, self.SPEC, "random", **options)
        assert told.count(0.0) == 1
        assert "calibration=c" in match.players[0]
        ranking = ludus.rank(NIM, self.SPEC, "random", workers=1, **options)
        swept = ludus.sweep(NIM, "nodes=20", self.SPEC, "random", workers=1, **options)
        assert told.count(0.0) == 1  # the others found it
        names = {str(player) for player in (*ranking.players, *swept.cells[0].ranking.players)}
        assert match.players[0] in names


class TestTheCommand:
    def test_json(self):
        from tests.support.commands import run

        arguments = ("calibrate", NIM, "--eval", "random", "--positions", 15, "--no-compile")
        found = run(*arguments, "--json").json
        assert {"game", "eval", "positions", "error", "win", "coverage"} <= found.keys()
        assert {"mean", "sd"} <= found["error"].keys()
        assert {"intercept", "slope", "brier", "base"} <= found["win"].keys()
        assert {"level", "held"} <= found["coverage"].keys()
        assert (found["game"], found["eval"], found["positions"]) == (NIM, "random", 15)
        again = run(*arguments, "--json", "--workers", 1, "--again").json
        assert again == found
        later = run(*arguments)
        assert "it was saved before" in later.err
        assert f"eval={found['calibrated']}" in later.out

    def test_a_picture(self, tmp_path):
        from tests.support.commands import run

        path = tmp_path / "calibration.svg"
        ran = run("calibrate", NIM, "--eval", "random", "--no-compile", "-o", path)
        assert ran.status == 0
        assert path.read_text().startswith("<?xml")
        assert run("calibrate", "nim", "-o", "x.txt").status == 2

    def test_search_and_trace_calibrate(self, tmp_path):
        from tests.support.commands import run

        ran = run("search", NIM, TestSupplied.SPEC, "--no-compile", "--json")
        assert "needs the ProbCut line of random on nim(stones=20): it is fitted now, and kept" in ran.err
        player = ran.json["player"]
        assert "calibration=c" in player
        ran = run("trace", NIM, TestSupplied.SPEC, "--no-compile", "--json", "-o", tmp_path / "a.svg")
        assert ran.json["player"] == player
        assert "needs" not in ran.err
        assert run("search", NIM, player, "--no-compile", "--json").json["player"] == player

    def test_play_and_uci_do(self, monkeypatch):
        import io

        from ludus.cli.uci import Engine
        from tests.support.commands import run

        ran = run("play", NIM, "--first", TestSupplied.SPEC, "--second", "random", "--no-compile", "--json")
        assert "calibration=c" in ran.json["players"][0]
        asked, found = [], quick()

        def fake(game, evaluator, **options):
            asked.append(str(game))
            options["progress"](0.0, "")
            return found

        monkeypatch.setattr(automatic_calibration, "calibrate", fake)
        out = io.StringIO()
        engine = Engine("alphabeta(probcut=0.9)", "nodes=10", 0, False, out)
        monkeypatch.setattr(Player, "session", lambda player, game: asked.append(str(player)))
        engine._prepare(engine.player)
        assert asked[0] == "chess"
        assert "calibration=c" in asked[1]
        assert out.getvalue().startswith("info string alphabeta(probcut=0.9) needs the ProbCut line of positional")


def test_a_budget_says_how_deep():
    """Where there are many moves or an evaluation is a playout, the searches are less deep."""
    game = ludus.game("tictactoe")
    deep, dear = (Games(game, ludus.evaluator(e).on(game), 0, compiled=False) for e in ("zero", "sampler(most=64)"))
    found = sample(deep, 100, 10**9, 1)
    assert (deepest(found, deep), deepest(found, dear)) == (4, 2)


class Noting(ludus.Evaluator):
    """Writes into its fields: into those of `__init__` and of `prepare`."""

    def __init__(self):
        self.seen = {}
        self.last = np.zeros(2)

    def prepare(self, game):
        self.room = np.zeros(3)

    def evaluate(self, game, state):
        self.seen[state[0]] = self.last[0] = self.room[0] = state[0]
        return float(state[0] % 4)


class NotingNim(Nim):
    """Rules that write into a field."""

    def __init__(self, stones: int = 15):
        super().__init__(stones)
        self.asked = np.zeros(1, np.int64)

    def moves(self, state, out):
        self.asked[0] += 1
        n = min(state[0], self.most)
        for i in range(n):
            out[i] = i + 1
        return n


def test_fitted_now_or_loaded_it_is_the_same_player():
    """A run is known by this; a difference would start it over."""

    def kind(evaluator):
        game = NotingNim()
        found = calibrate(game, evaluator, positions=60, compiled=False)
        player = ludus.player("mgss", eval=found.evaluator)
        return found.was_saved, str(player), run_fingerprint(game, [player])

    for evaluator in (Noting(), ludus.evaluator("sampler")):
        (was_saved, *fitted), (is_saved, *loaded) = kind(evaluator), kind(evaluator)
        assert (was_saved, is_saved) == (False, True)
        assert fitted == loaded


def test_an_evaluator_at_work_stays_the_same_player():
    game, player = ludus.game("nim"), ludus.player("greedy(eval=sampler, nodes=500)", compiled=False)
    before = run_fingerprint(game, [player.on(game)])
    settled = player.on(game)
    with np.errstate(over="ignore"):
        rules.evaluate(settled.evaluator, game, game.start)
    assert settled.evaluator.tally.any()
    assert run_fingerprint(game, [settled]) == before
