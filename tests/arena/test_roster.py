"""Who takes part in a ranking: contenders, all searches, those of a family, named players, and several of these."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludus
from ludus import Budget, Game, LudusError
from ludus.arena.roster import WITH_LEARNT, Roster, default_budget
from ludus.common.errors import SpecError
from ludus.model import registry
from tests.support import SUPPORT
from tests.support.commands import assert_refused, run

FAMILIES = ("best-first", "full-width", "sampling")
SEARCHES = registry.searches().classes
FAULTY = SUPPORT / "faulty.py"


def names(*specs: str, game: str = "tictactoe", **options) -> list[str]:
    return [player.search.title for player in Roster.of(ludus.game(game), specs, **options).players]


@pytest.mark.slow
def test_by_default_the_contenders_take_part():
    assert names() == [name for name, kind in SEARCHES.items() if kind.contender]
    assert {"random", "greedy"} < set(names())  # the ground on which the others are measured
    assert {SEARCHES[name].family for name in names()} == {"", *FAMILIES}
    assert Roster.of(ludus.game("nim"), ()).named == 0


@pytest.mark.slow
def test_a_contender_may_name_its_setting(monkeypatch):
    monkeypatch.setattr(SEARCHES["bfmm"], "contender", "reuse=true")
    found = {player.search.name: str(player.search) for player in Roster.of(ludus.game("tictactoe"), ()).players}
    assert found["bfmm"] == "bfmm(reuse=true)"
    assert found["alphabeta"] == "alphabeta"
    assert names(all=True) == list(SEARCHES)  # as they are by default
    assert str(Roster.of(ludus.game("tictactoe"), (), family="best-first").players[0].search) == "bfmm"


def test_a_search_is_a_contender_only_if_it_says_so(monkeypatch):
    assert ludus.Search.contender is False
    monkeypatch.setattr(SEARCHES["lcf"], "contender", False)
    assert "lcf" not in names()
    assert names(all=True) == list(SEARCHES)
    assert "lcf" in names(family="best-first")
    assert names("lcf", "bfmm") == ["lcf", "bfmm"]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_a_folder(family):
    found = names(family=family)
    folder = Path(ludus.__file__).parent / "library" / "searches" / family.replace("-", "_")
    for name, kind in SEARCHES.items():
        inside = Path(folder, f"{kind.__module__.rpartition('.')[2]}.py").exists()
        assert (name in found) == inside
    assert len(found) >= 2


def test_a_search_from_elsewhere_says_which_family_is_its_own(monkeypatch):
    monkeypatch.setitem(SEARCHES, "mine", type("Mine", (SEARCHES["bfmm"],), {"name": "mine", "__module__": "mine"}))
    assert "mine" in names(family="best-first")


def test_named_players_join_those_that_are_asked_for():
    roster = Roster.of(ludus.game("tictactoe"), ("sampler(nodes=7)", "uct"), family="sampling")
    unnamed = [name for name, kind in SEARCHES.items() if kind.family == "sampling" and name != "uct"]
    assert [str(player) for player in roster.players] == [
        "sampler(eval=open-lines, nodes=7)",
        "uct(eval=open-lines, nodes=2000)",
        *(f"{name}(eval=open-lines, nodes=2000)" for name in unnamed),
    ]
    assert roster.named == 2
    assert names(f"{FAULTY}:Raises", all=True)[1:] == list(SEARCHES)


def test_who_cannot_have_such_a_budget_is_left_out_unless_named():
    budget, able = Budget(depth="auto"), [name for name, kind in SEARCHES.items() if kind.chooses_depth]
    assert names("random(depth=2)", all=True, budget=budget) == ["random", *able]
    with pytest.raises(SpecError, match="random cannot choose a depth"):
        names("random", all=True, budget=budget)


def test_bad_values_are_one_sentence():
    with pytest.raises(SpecError, match=r"`family` must be one of best-first, full-width, sampling, not 'widest'\.$"):
        names(family="widest")
    with pytest.raises(SpecError, match=r"give `all` or `family`, not both\.$"):
        names(family="sampling", all=True)


# In a ranking.


@pytest.mark.slow
def test_who_cannot_play_is_left_out_but_a_named_one_is_an_error():
    """Few searches play games of chance; `lcf` is not among them."""
    options = {"games": 2, "workers": 1, "compiled": False, "budget": "nodes=20"}
    ranking = ludus.rank("pig(target=10)", "greedy", all=True, **options)
    able = {name for name, kind in SEARCHES.items() if kind.handles_chance}
    assert {player.search.name for player in ranking.players} == able
    assert {who.partition("(")[0] for who in ranking.excluded} == SEARCHES.keys() - able
    assert {why.kind for why in ranking.excluded.values()} == {"unable"}
    with pytest.raises(LudusError, match=r"^lcf\(.*\) cannot play pig\(target=10\): lcf cannot play pig, where chance"):
        ludus.rank("pig(target=10)", "lcf", all=True, **options)


@pytest.mark.slow
def test_the_command_has_the_same_choices(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    common = ("--no-compile", "--workers", 1, "--games", 2, "--budget", "nodes=20", "--json")

    def ranked(*arguments: object) -> list[str]:
        found = run("rank", "nim", *arguments, *common).json
        return sorted(row["player"].partition("(")[0] for row in found["players"] + found["excluded"])

    assert ranked("--no-learn") == sorted(names())
    assert ranked() == sorted([*names(), *WITH_LEARNT])  # Nim has no evaluator, so one is learnt
    assert ranked("--all") == sorted(SEARCHES)
    assert ranked("--family", "sampling") == sorted(names(family="sampling"))
    assert ranked("--family", "sampling", "random") == sorted(["random", *names(family="sampling")])
    assert_refused(
        run("rank", "nim", "--family", "widest"), "--family must be one of best-first, full-width, sampling,"
    )
    assert_refused(run("rank", "nim", "--family", "sampling", "--all"), "give --all or --family, not both.")


def test_without_an_evaluator_the_budget_is_that_of_ten_expansions():
    """Of a game with 49 moves and 40 plies; with an evaluator, or if the game is small, 2000 nodes are enough."""

    class Wide(Game):
        max_moves = length = 49

        def initial(self):
            return (0, 0)

        def moves(self, state, out):
            n = 0 if state[1] == 40 else 49
            for i in range(n):
                out[i] = i
            return n

        def play(self, state, move):
            return (state[0] ^ move, state[1] + 1)

        def score(self, state):
            return 1 - state[0] % 3

    assert default_budget(Wide()) == Budget(nodes=100_000)  # of 10 * 49 * (1 + 4 * 40) = 78,890
    assert default_budget(ludus.game("nim")) == default_budget(ludus.game("amazons")) == Budget(nodes=2000)
