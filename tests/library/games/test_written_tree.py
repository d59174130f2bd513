"""A tree that somebody has written down: what is read, what is refused, and whose values they are."""

from __future__ import annotations

import pytest

import ludus
from ludus import SpecError, StateError
from tests.support.commands import run

NAMED = """
A=1[            # Max
  B=3[C=7 D=-4], E=2.5
  [F=.5 +6]
]
"""


def test_a_textbook_tree():
    result = ludus.player("minimax(depth=2)", compiled=False).choose(ludus.game("tree"))
    assert (result.value, result.move_name, result.line_names) == (3, "1", ["1", "1.1"])
    assert [child.value for child in result.children] == [3, 2, 2]


def test_names_values_and_whose_they_are():
    tree = ludus.game("tree", of=NAMED)
    position = tree.position()
    assert position.text == "A"
    assert list(position.moves) == ["B", "E", "A.3"]
    assert position.value("written") == 1
    after = position.play("B")
    assert after.value("written") == -3  # to Min, who moves there
    assert list(after.moves) == ["C", "D"]
    assert after.play("D").score == -4
    assert position.play("E").score == -2.5
    assert list(position.play("A.3").moves) == ["F", "A.3.2"]
    assert tree.position("A.3.2").score == 6
    assert str(position) == "A=1[B=3[C=7 D=-4] E=2.5 A.3=0[F=0.5 A.3.2=6]]"
    assert (tree.max_moves, tree.length) == (3, 2)
    assert ludus.player("solve", compiled=False).choose(tree).value == 2.5


def test_what_is_drawn_can_be_read_again():
    tree = ludus.game("tree", of="A[B[1 2] C=3]")
    again = ludus.game("tree", of=str(tree.position()).replace(".", "_"))
    assert [child.value for child in ludus.player("minimax(depth=2)", compiled=False).choose(again).children] == [1, 3]


def test_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.tree").write_text(NAMED)
    found = run("search", "tree(file=mine.tree)", "minimax(depth=3)", "--no-compile", "--json").json
    assert (found["game"], found["move"], found["value"]) == ("tree(file=mine.tree)", "E", 2.5)
    spec = 'tree(of="[[3 4]\n 5]")'  # with the end of a line in it, as a shell puts a file there
    assert run("search", spec, "minimax(depth=3)", "--no-compile", "--json").json["value"] == 5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no single node"),
        ("3", "no single node"),
        ("[1 2] [3 4]", "no single node"),
        ("[1 []]", "nothing in it"),
        ("[1 [2 3]", "not closed"),
        ("[1 2]]", "makes no sense from ']'"),
        ("A[B C=1]", "the leaf B has no value"),
        ("[1 2.3.4]", "makes no sense from '2.3.4]'"),
        ("[1 A=]", "makes no sense from 'A=]'"),
        ("[1 nan]", "the leaf nan has no value"),
        ("[A=1 A=2]", "called A"),
        ("[1 1" + 300 * "0" + "]", "between"),
        (300 * "[" + "1" + 300 * "]", "deeper than 200"),
    ],
)
def test_what_is_no_tree_gets_one_sentence(text, why):
    with pytest.raises(SpecError, match=r"^[^\n]*\.$") as raised:
        ludus.game("tree", of=text)
    assert why in str(raised.value)


def test_a_file_that_is_not_there_and_a_node_that_is_not():
    with pytest.raises(SpecError, match="cannot be read: No such file"):
        ludus.game("tree(file=none.tree)")
    with pytest.raises(StateError, match="unknown node '4'"):
        ludus.game("tree").position("4")
