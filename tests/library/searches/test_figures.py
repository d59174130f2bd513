"""Figures 1 to 4 of Abramson's survey (1989), as `docs/notes/figures.md` rebuilds them: values, cuts and windows."""

from __future__ import annotations

import math
import re

import pytest

import ludus
from ludus.pictures.trees import place_walk
from ludus.runtime.walk import Visit, walk
from tests.support.pages import page

PAGE = page("figures.md")


@pytest.fixture
def tree():
    [text] = re.findall(r"^```text\n(# survey\.tree\n.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.M)
    return ludus.game("tree", of=text)


def visited(game: ludus.Game, spec: str) -> dict[str, Visit]:
    """What a search visits in its last pass, by name."""
    found: dict[str, Visit] = {}
    todo = [walk(game, ludus.player(spec, compiled=False)).root]
    for visit in todo:
        found[visit.move] = visit
        todo += visit.children
    return found


def moves(visit: Visit) -> list[str]:
    return [child.move for child in visit.children]


def to_max(tree: ludus.Game, visit: Visit) -> float:
    """The value of a node as Max sees it."""
    return visit.value * (1 - 2 * tree.mover(tree.parse_state(visit.move)))


def test_figure_1_nim_is_a_win_for_the_player_moving_second():
    game = ludus.game("nim(stones=5)")
    found = walk(game, ludus.player("minimax(eval=zero, depth=5)", compiled=False))
    result = ludus.player("minimax(eval=zero, depth=5)", compiled=False).choose(game)
    assert len(found.root) == 28
    assert found.root.value == result.value < 0
    assert result.stopped == "solved"
    assert all(child.value < 0 for child in result.children)
    leaves = [visit for visit in flat(found.root) if not visit.children]
    assert len(leaves) == 13
    assert all(visit.value > 0 for visit in leaves)  # with no stone left whoever is to move has won


def flat(visit: Visit) -> list[Visit]:
    return [visit, *(below for child in visit.children for below in flat(child))]


def test_figure_2_alpha_beta(tree):
    found = visited(tree, "alphabeta(order=false, depth=5)")
    assert to_max(tree, found["D"]) == to_max(tree, found["C"]) == 4
    assert moves(found["C"]) == ["D"]
    assert to_max(tree, found["F"]) == 5
    assert moves(found["B"]) == ["C"]
    assert found["B"].cut == ["M", "N"]
    assert (found["B"].alpha, found["B"].beta) == (-math.inf, -5)  # to Min, who moves there
    assert found["B"].value == -4
    assert moves(found["E"]) == ["G", "H", "I"]
    assert to_max(tree, found["G"]) == to_max(tree, found["E"]) == 6


def test_figure_3_razoring_leaves_out_e_and_j_for_their_static_values(tree):
    found = visited(tree, "alphabeta(order=false, razor=true, depth=5)")
    left_out = [name for name, visit in found.items() if math.isnan(visit.value)]
    assert left_out == ["E", "J"]
    static = {name: -tree.score(tree.parse_state(name)) for name in left_out}
    assert static == {"E": 3, "J": 2}
    assert to_max(tree, found["F"]) == 5 > max(static.values())
    assert found["B"].cut == ["M", "N"]  # as without razoring
    assert to_max(tree, found["A"]) == 5  # it is worth 6, which razoring misses


def test_the_picture_says_what_was_cut_and_what_was_left_out(tree):
    found = walk(tree, ludus.player("alphabeta(order=false, razor=true, depth=5)", compiled=False))
    labels, todo = [], [place_walk(found)]
    for placed in todo:
        labels += [placed.label] if placed.cut else []
        todo += placed.children
    assert sorted(labels) == ["E\nleft out", "J\nleft out", "M, N cut", "O cut"]


def test_sss_cuts_more_than_alpha_beta_and_its_picture_has_bounds(tree):
    found = walk(tree, ludus.player("sss(order=false, depth=5)", compiled=False))
    labels, todo = {}, [place_walk(found)]
    for placed in todo:
        name, _, words = placed.label.partition("\n")
        labels[name] = words
        todo += placed.children
    assert {name for name in labels if "cut" in name} == {"L cut", "M, N cut", "H, I cut", "T cut", "O cut"}
    assert {name: labels[name] for name in "PAFBEJQUVY"} == {
        **{"P": "≤ 6", "A": "≥ -6", "F": "≤ 5", "B": "≤ 4", "E": "≤ 6", "J": "≤ 3"},
        **{"Q": "8", "U": "-8", "V": "8", "Y": "≤ 7"},
    }
    assert len(found.root) == 28


def test_figure_4_aspiration_prunes_h_and_i_below_the_window(tree):
    found = visited(tree, "alphabeta(order=false, aspiration=3.0, depth=5, nodes=1000)")
    root = found[""]
    assert (root.alpha, root.beta, root.value, root.searches) == (7, 10, 8, 1)
    assert moves(found["E"]) == ["G"]
    assert found["E"].cut == ["H", "I"]
    assert (found["E"].alpha, found["E"].beta) == (-10, -7)
    assert to_max(tree, found["E"]) == 6
    assert found["B"].cut == ["M", "N"]


def test_the_value_of_the_root_is_minimax(tree):
    values = {child.name: child.value for child in choose(tree, "minimax(depth=5)").children}
    assert values == {"P": 6, "Q": 8}
    assert choose(tree, "solve").value == 8


def choose(tree: ludus.Game, spec: str) -> ludus.Result:
    return ludus.player(spec, compiled=False).choose(tree)
