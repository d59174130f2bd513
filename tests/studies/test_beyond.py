"""The study of all searches: its tables of settings are whole, and what it concludes from rankings is what they say."""

from __future__ import annotations

import pytest

import ludus
from ludus.model import registry
from ludus.studies import beyond as study


def test_every_search_has_its_settings_and_each_can_be_made():
    assert study.SETTINGS.keys() == registry.searches().classes.keys()
    for search, settings in study.SETTINGS.items():
        for setting in ("", *settings):
            made = ludus.player(study.with_nodes(study.spec(search, setting), 100))
            assert type(made.search).name == search
            assert study.setting_of(str(made)).startswith(search)
    assert study.SETTINGS.keys() >= study.BLIND
    for better, worse, _ in study.EXPECTED.values():
        assert {*better, *worse} <= study.SETTINGS.keys()
        assert not {*better} & {*worse}


def test_every_setting_of_an_evaluator_can_be_made():
    for game, evaluators in study.BOARDS.values():
        for each in evaluators:
            assert ludus.game(game).position().value(each) is not None


@pytest.mark.parametrize(
    ("player", "setting"),
    [
        ("lcf(nodes=100)", "lcf"),
        ("lcf(eval=sum, nodes=100)", "lcf(eval=sum)"),
        (
            "alphabeta(razor=true, eval=mobility(corner=5.0), nodes=2000)",
            "alphabeta(razor=true, eval=mobility(corner=5.0))",
        ),
    ],
)
def test_a_setting_is_a_player_without_its_budget(player, setting):
    assert study.setting_of(player) == setting
    assert study.spec(study.name_of(setting), study.settings_in(setting)) == setting
    nodes = int(player.split("nodes=")[1].rstrip(")"))
    assert study.with_nodes(setting, nodes) == player


def cell(*players: tuple[str, float], separated: bool = False, excluded: tuple[str, ...] = ()) -> dict:
    rows = [
        {"player": f"{name}(nodes=100)", "rating": value, "low": value - 20, "high": value + 20, "games": 10}
        for name, value in players
    ]
    left = [{"player": f"{name}(nodes=100)", "reason": "costly"} for name in excluded]
    names = [row["player"] for row in rows]
    return {"players": rows, "best": names[0], "unbeaten": names[:2], "separated": separated, "excluded": left}


def test_who_goes_on_is_the_best_and_alphabeta_and_who_could_not_play_yet():
    found = cell(("lcf", 50), ("bfmm", 40), ("uct", 0), ("alphabeta", -90), excluded=("sss",))
    assert study.survivors(found, 2) == {"lcf", "bfmm", "alphabeta", "sss"}


def test_a_contradiction_is_the_clearest_of_its_kind():
    found = {
        "Othello": {100: cell(("lcf", 100), ("alphabeta", 0)), 1000: cell(("lcf", 300), ("alphabeta", 0))},
        "random trees": {100: cell(("lcf", 500), ("alphabeta", 0))},
    }
    (gap, words, *where), *others = study.contradictions(found)
    assert words.startswith("No search that grows its tree a leaf at a time plays a real game better than alpha-beta")
    assert (gap, *where) == (260, "Othello", 1000, "lcf", "alphabeta")
    assert all(each[0] < 0 for each in others), "nothing else is contradicted"


def test_a_table_says_who_is_known_to_be_best():
    assert study.told(cell(("lcf", 50), separated=True)) == "lcf* +50 (+30 … +70)"
    assert study.hold(cell(("lcf", 50), ("bfmm", 40))) == "leads; not beaten: bfmm"
    assert study.curves({100: cell(("lcf", 50), ("alphabeta", 10))}) == {"lcf": [(100, 40, 20, 60)]}


def test_a_command_plays_the_same_match_again():
    line = study.command_line("nim", "random", "greedy(nodes=9)", games=4, seed=2)
    assert line == 'ludus match "nim" "random" "greedy(nodes=9)" --games 4 --seed 2'
