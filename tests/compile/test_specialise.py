"""`specialise`: compiled code is right, is found again, and is never stale, in this process and the next."""

from types import SimpleNamespace

import numpy as np
import pytest
from numba.core import event

import ludus
from ludus import Budget, Game, RuleError
from ludus.model import registry
from ludus.runtime.session import Session
from tests.compile import processes
from tests.compile.piles import Base
from tests.support.conformance.subjects import CALIBRATION

WARM_START = 5
"""CPU time of a process from its start to the first move, if everything is in the cache; imports take 1."""

PILE = """
from helper import least

MOST = 3


class Pile(Game):
    max_moves = 9

    def __init__(self, stones: int = 7):
        self.stones = stones

    def initial(self):
        return (self.stones,)

    def moves(self, state, out):
        n = min(state[0], MOST)
        for i in range(n):
            out[i] = i + least(state[0])
        return n

    def play(self, state, move):
        return (max(state[0] - move, 0),)

    def score(self, state):
        return 1
"""

HELPER = """
def least(stones):
    return 1
"""

MAIN = """

if __name__ == "__main__":
    import json

    from tests.compile.processes import report, report_from_worker

    stones = 8
    game = Pile(stones)
    print(json.dumps([report("greedy", game), report_from_worker("greedy", game)]))
"""


@pytest.fixture
def user(tmp_path):
    """A user's game in one file with a helper in another, and a way to run it in a process of its own."""
    game, helper = tmp_path / "pile.py", tmp_path / "helper.py"
    game.write_text("from ludus import Game\n" + PILE + MAIN)
    helper.write_text(HELPER)

    def run(*jobs, **options):
        return processes.run(*jobs, cache=tmp_path / "cache", cwd=tmp_path, **options)

    return SimpleNamespace(game=game, helper=helper, run=run)


def moves_of(found):
    return [int(child["move"]) for child in found.result["children"]]


def assert_cold(found):
    assert found.result == found.interpreted
    assert (found.hits, found.misses) == (0, 1)
    counts = found.signatures
    assert 1 in counts.values()
    assert counts.get("store", 0) <= 2, "states are stored in a tree, and in a table, whose columns lie side by side"
    assert {count for name, count in counts.items() if name != "store"} <= {0, 1}, "at most one signature a function"


def assert_warm(found):
    assert found.result == found.interpreted
    assert (found.hits, found.misses) == (1, 0)
    assert found.compilations == 0


# The life of an entry in the cache.


@pytest.mark.slow
def test_edits_are_noticed_in_every_file_and_can_be_undone(user):
    job = ["greedy", "pile.py:Pile"]
    [cold] = user.run(job)
    assert_cold(cold)
    assert moves_of(cold) == [1, 2, 3]

    user.game.write_text("# a comment, and all lines shifted\n" + user.game.read_text())
    [warm] = user.run(job)
    assert_warm(warm)
    assert warm.result == cold.result
    assert warm.kernel == cold.kernel

    original = user.game.read_text()
    user.game.write_text(original.replace("MOST = 3", "MOST = 2"))
    [edited] = user.run(job)
    assert_cold(edited)
    assert moves_of(edited) == [1, 2]

    user.helper.write_text(HELPER.replace("return 1", "return 2"))
    [helper_edited] = user.run(job)
    assert_cold(helper_edited)
    assert moves_of(helper_edited) == [2, 3]

    user.game.write_text(original)
    user.helper.write_text(HELPER)
    [undone] = user.run(job)
    assert_warm(undone)
    assert undone.result == cold.result


@pytest.mark.slow
def test_a_file_that_runs_as_main_shares_its_code_with_the_same_file_given_by_path_and_with_workers(user):
    main, main_worker = user.run(script=user.game)
    path, path_worker = user.run(["greedy", "pile.py:Pile"], ["greedy", "pile.py:Pile(stones=8)", "in a worker"])
    assert_cold(main)
    for found in (main_worker, path, path_worker):
        assert_warm(found)
        assert found.kernel == main.kernel
        assert moves_of(found) == [1, 2, 3]
    assert main.game == main_worker.game == path_worker.game == "pile.py:Pile(stones=8)"
    assert main_worker.returned
    assert path_worker.returned


@pytest.mark.slow
def test_one_search_on_two_games_in_one_process_and_in_the_next_and_a_warm_start_is_quick(tmp_path):
    options = {"cache": tmp_path / "cache", "cwd": tmp_path}
    nim, tictactoe = ["bfmm(nodes=200)", "nim"], ["bfmm(nodes=200)", "tictactoe"]
    [first] = processes.run(nim, **options)
    other, again = processes.run(tictactoe, nim, **options)
    assert_cold(first)
    assert_cold(other)
    assert_warm(again)
    assert first.kernel == again.kernel != other.kernel
    [found] = processes.run(tictactoe, **options)
    assert_warm(found)
    assert found.cpu < WARM_START * found.imports


# One signature a function, whatever the search.


def calibrated_evaluator():
    """For searches that need a calibration, in another process."""
    CALIBRATION.save()
    return f"eval=random(calibration={CALIBRATION.hash})"


def groups():
    """The searches of each family, in two halves: one for each of two games with different types of state."""
    families = {kind.family for kind in registry.searches().classes.values()}
    for family in sorted(families):
        names = [name for name, kind in registry.searches().classes.items() if kind.family == family]
        for game, half in (("nim", names[::2]), ("tictactoe", names[1::2])):
            if half:
                yield pytest.param(game, half, id=f"{family}-{game}")


@pytest.mark.slow
@pytest.mark.parametrize(("game", "searches"), list(groups()))
def test_every_search_has_one_signature_a_function_and_no_index_out_of_bounds(game, searches, tmp_path):
    """With Numba's bounds checks, which need a cache of their own, compiled and interpreted alike."""
    budgets = ("nodes=1000", "units=70000", "depth=3, nodes=3000")
    jobs = [[f"{search}({budget}, {calibrated_evaluator()})", game] for search in searches for budget in budgets]
    for found in processes.run(*jobs, cache=tmp_path / "cache", cwd=tmp_path, NUMBA_BOUNDSCHECK="1"):
        assert_cold(found)


@pytest.mark.slow
def test_a_search_is_warm_the_next_time(tmp_path):
    """One of each family."""
    families = {kind.family: name for name, kind in registry.searches().classes.items()}
    jobs = [[f"{name}(nodes=200, {calibrated_evaluator()})", "nim"] for name in families.values()]
    options = {"cwd": tmp_path}
    for cold in processes.run(*jobs, cache=tmp_path / "cache", **options):
        assert_cold(cold)
    for warm in processes.run(*jobs, cache=tmp_path / "cache", **options):
        assert_warm(warm)


def element(state, index):
    return state[index]


def near(x, flag):
    return x + 1 if flag else x


class Literals(Game):
    """Functions called with literals and with variables; a state of different types, which needs literal indices."""

    max_moves = 2

    def initial(self):
        return (3, np.uint64(5), 0.5)

    def moves(self, state, out):
        n = near(near(0, state[0] > 0), state[0] > 1)
        for i in range(n):
            out[i] = near(i, False)
        return n

    def play(self, state, move):
        return (element(state, 0) - 1, element(state, 1), element(state, 2) * near(near(1, True), move > 0))

    def score(self, state):
        return state[2]


@pytest.mark.slow
def test_a_literal_argument_is_no_signature_of_its_own_except_where_it_must_be(private):
    session, _ = both("greedy", Literals())
    several = {name.split("__")[0]: n for name, n in session.kernel.signatures.items() if n > 1}
    assert several == {"element": 3}


# Fields.


class Fields(Base):
    """Fields of every kind that rules may name, and some that they may not and do not."""

    def __init__(self, stones: int = 9, bonus: int = 1, steps: tuple = (1, 2, 3)) -> None:
        self.stones, self.bonus, self.max_moves = stones, bonus, len(steps)
        self.steps = np.array(steps, np.uint8)
        self.pairs = [[1, 2], [3, 4]]
        self.parts = (np.arange(3), np.ones(2))
        self.weight = 0.5
        self.fair = True
        self.notes = {"a dict": "that no rule names"}
        self.value = {"a dict": "with the name of a column of every tree"}
        self._hidden = "nor this"

    def moves(self, state, out):
        n = 0
        for step in self.steps:
            if step <= state[0]:
                out[n] = step
                n += 1
        return n

    def play(self, state, move):
        return (state[0] - move * self.pairs[0][0] * 1.0,)  # a float, where the first state has a whole number

    def score(self, state):
        return self.bonus * self.weight + self.parts[1][0] if self.fair else -self.parts[0][1]


def both(search, game, evaluator="zero", budget=None, seed=0):
    """The compiled session and what it found; interpreted the same comes out."""
    fast, slow = (
        Session(registry.searches().of(search), game, ludus.evaluator(evaluator), compiled)
        for compiled in (True, False)
    )
    found = []
    for session in (fast, slow):
        stopped = session.run(game.start, budget or Budget(nodes=300), seed)
        result = session.result(game.start, stopped).to_dict()
        del result["meter"]["seconds"]
        found.append(result)
    assert found[0] == found[1]
    return fast, found[0]


def counts_references(session):
    """Whether it was compiled with reference counts, without which it runs faster but must not allocate."""
    [counts] = {dispatcher.targetoptions["_nrt"] for dispatcher in session.kernel.dispatchers.values()}
    return counts


def test_fields_are_run_time_values_that_need_no_new_compilation(private):
    sessions, values = [], set()
    for stones, bonus, steps in ((3, 1, (1, 2, 3)), (5, 7, (2, 5)), (2**40, -(2**40), (1, 5, 9, 200)), (1, 0, (1,))):
        session, found = both("greedy", Fields(stones, bonus, steps))
        sessions.append(session)
        values.add(str(found["children"]))
    assert all(session.kernel is sessions[0].kernel for session in sessions)
    assert len(values) == len(sessions)
    assert set(sessions[0].kernel.signatures.values()) <= {0, 1}
    assert len(list(private.glob("*.nbc"))) == 1
    assert not counts_references(sessions[0])


# Rules that allocate.


class Allocating(Base):
    def moves(self, state, out):
        small = [i + 1 for i in range(min(state[0], self.stones)) if i < self.max_moves]
        for i in range(len(small)):
            out[i] = small[i]
        return len(small)

    def play(self, state, move):
        taken = np.zeros(3, np.int64)
        taken[move - 1] = move
        return (state[0] - taken.sum(),)


@pytest.mark.slow
def test_a_rule_that_allocates_an_array_is_compiled_with_reference_counts(private, monkeypatch):
    session, _ = both("greedy", Allocating())
    assert counts_references(session)
    monkeypatch.setattr("ludus.compile.specialise._kernels", {})
    with event.install_recorder("numba:compile") as compilations:
        again, _ = both("greedy", Allocating())
    assert not compilations.buffer
    assert again.kernel is not session.kernel
    assert again.kernel.fingerprint == session.kernel.fingerprint
    assert again.kernel.cache_hits == 1


# Rules that fail.


class Fragile(Base):
    """Fails as soon as `bad` stones are left; with `many` left, has more moves than it says."""

    def __init__(self, stones: int = 13, bad: int = -1, many: int = -1) -> None:
        self.stones, self.bad, self.many = stones, bad, many

    def moves(self, state, out):
        n = min(state[0], 4 if state[0] == self.many else 3)
        for i in range(n):
            out[i] = i + 1
        return n

    def play(self, state, move):
        after = state[0] - move
        if after == self.bad:
            raise ValueError("there must not be so many stones")
        return (after,)


@pytest.mark.slow
@pytest.mark.parametrize(
    "budget", [{"depth": 6}, {"nodes": 5000}, {"units": 500_000}, {"seconds": 60, "depth": 6}], ids=str
)
def test_a_rule_that_raises_in_compiled_code_is_replayed_to_name_rule_position_and_line(budget, monkeypatch):
    monkeypatch.setattr("ludus.runtime.dry_run.POSITIONS", 0)
    player = ludus.player("minimax", Budget(**budget), compiled=True)
    assert player.choose(Fragile()).meter.generated > 300
    line = Fragile.play.__code__.co_firstlineno + 3
    with pytest.raises(RuleError) as raised:
        player.choose(Fragile(bad=1))
    message = str(raised.value)
    assert "rule play (move 3) of Fragile failed in position '4': ValueError: there must not be so many" in message
    assert f"test_specialise.py, line {line})" in message
    assert raised.value.rule == "play (move 3)"
    assert raised.value.position == "'4'"


@pytest.mark.slow
def test_more_moves_than_max_moves_in_compiled_code_is_an_error():
    player = ludus.player("minimax(depth=6)", compiled=True)
    player.choose(Fragile())
    with pytest.raises(
        RuleError, match=r"rule moves of Fragile failed in position '7': .* 4 moves, but max_moves is 3"
    ):
        player.choose(Fragile(many=7))


class OutOfRange(Base):
    """Reads beyond the end of an array when few stones are left."""

    def __init__(self) -> None:
        self.stones, self.weights = 9, np.ones(4)

    def play(self, state, move):
        return (state[0] - move * int(self.weights[9 - state[0]]),)


def test_before_anything_is_compiled_the_rules_are_rehearsed_where_a_wrong_index_is_an_error(private):
    with pytest.raises(RuleError, match=r"rule play .* of OutOfRange failed in position .*: IndexError"):
        ludus.player("bfmm", compiled=True).choose(OutOfRange())
    assert not list(private.glob("*.nbc"))


@pytest.mark.slow
def test_it_says_what_it_compiles_and_only_then(private, monkeypatch):
    said = []
    for _ in range(2):
        monkeypatch.setattr("ludus.compile.specialise._kernels", {})
        ludus.player("random", announce=said.append).choose(Base())
        ludus.check(Base(), games=10, announce=said.append)
    assert said == ["compiling random for Base", "compiling the rules for Base"]


@pytest.mark.slow
def test_a_run_with_bounds_checks_has_entries_of_its_own(tmp_path):
    options = {"cache": tmp_path / "cache", "cwd": tmp_path}
    job = ["random", "nim"]
    [plain] = processes.run(job, **options)
    [checked] = processes.run(job, **options, NUMBA_BOUNDSCHECK="1")
    [again] = processes.run(job, **options, NUMBA_BOUNDSCHECK="1")
    assert_cold(plain)
    assert_cold(checked)
    assert_warm(again)
    assert plain.kernel != checked.kernel == again.kernel
    assert plain.result == checked.result
