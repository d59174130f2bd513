"""Boards as SVG: well-formed, everything in its place, safe to put into a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import ludus
from ludus.pictures.boards import PIECES, board_svg, side_by_side

SVG = "{http://www.w3.org/2000/svg}"


def places(root: ElementTree.Element, tag: str) -> set[tuple[float, float]]:
    """The centres of all groups that hold such a shape."""
    groups = [group for group in root.findall(f"{SVG}g") if group.find(f"{SVG}{tag}") is not None]
    found = [re.fullmatch(r"translate\((\S+) (\S+)\)", group.get("transform")) for group in groups]
    return {(float(place[1]), float(place[2])) for place in found}


def test_pieces_dots_and_the_last_move_are_where_they_belong():
    root = ElementTree.fromstring(board_svg(5, {(0, 4): "cross"}, dots=[(3, 0)], last=(2, 1), color="#abc"))
    assert places(root, "path") == {(20 + 4.5 * 45, 20 + 0.5 * 45)}  # x, y: on the right, on top
    assert places(root, "circle") == {(20 + 0.5 * 45, 20 + 3.5 * 45)}
    board, last = root.findall(f"{SVG}rect")
    assert board.attrib == {"x": "20", "y": "20", "width": "225", "height": "225", "fill": "#abc"}
    assert (last.get("x"), last.get("y"), last.get("width")) == ("65", "110", "45")
    assert root.get("viewBox") == "0 0 265 265"
    assert root.find(f"{SVG}title") is None


@pytest.mark.parametrize("size", [1, 3, 8, 19])
def test_coordinates_on_all_four_sides(size):
    root = ElementTree.fromstring(board_svg(size, {}))
    labels = [text.text for text in root.findall(f"{SVG}text")]
    letters = list("abcdefghijklmnopqrstuvwxyz"[:size])
    assert sorted(labels) == sorted(2 * (letters + [str(i + 1) for i in range(size)]))
    lines = re.findall(r"[HV]", root.find(f"{SVG}path").get("d"))
    assert len(lines) == 2 * (size + 1)


@pytest.mark.parametrize("piece", PIECES)
def test_every_piece(piece):
    root = ElementTree.fromstring(board_svg(3, {(1, 1): piece}))
    [group] = root.findall(f"{SVG}g")
    assert len(group) == 1


def test_a_board_that_is_not_square_and_names_of_ones_own():
    labels = [str(i) for i in range(1, 8)], ["<"]
    root = ElementTree.fromstring(board_svg((2, 7), {(1, 6): "red"}, labels=labels))
    assert places(root, "circle") == {(20 + 6.5 * 45, 20 + 1.5 * 45)}
    assert root.get("viewBox") == f"0 0 {7 * 45 + 40} {2 * 45 + 40}"
    [board] = root.findall(f"{SVG}rect")
    assert (board.get("width"), board.get("height")) == ("315", "90")
    assert sorted(text.text for text in root.findall(f"{SVG}text")) == sorted(2 * [*"1234567", "<"])
    lines = root.find(f"{SVG}path").get("d")
    assert (lines.count("H335"), lines.count("V110")) == (3, 8)


def test_several_boards_side_by_side():
    boards = [board_svg(2, {(0, 0): piece}) for piece in ("black", "white", "cross")]
    root = ElementTree.fromstring(side_by_side(boards, 130, 130, title="Three"))
    assert (root.get("width"), root.get("height")) == ("390", "130")
    assert root.find(f"{SVG}title").text == "Three"
    assert [group.get("transform") for group in root.findall(f"{SVG}g")] == [
        "translate(0 0)",
        "translate(130 0)",
        "translate(260 0)",
    ]
    assert len(root.findall(f"{SVG}g/{SVG}svg")) == 3


def test_a_title_is_text_and_nothing_else():
    title = 'a<b & "c" </title><script>'
    root = ElementTree.fromstring(board_svg(3, {}, title=title))
    assert root.find(f"{SVG}title").text == title
    assert root.find(f".//{SVG}script") is None


def test_tic_tac_toe():
    position = ludus.game("tictactoe").position("XO--X---- O")
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.find(f"{SVG}title").text == "Tic-tac-toe: XO--X---- O"
    assert places(root, "path") == {(42.5, 42.5), (87.5, 87.5)}
    assert places(root, "circle") == {(87.5, 42.5)}


def test_a_game_without_a_picture():
    assert ludus.game("nim").position()._repr_svg_() is None
