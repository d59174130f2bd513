"""Panels of lines, and the labels of logarithmic axes."""

from __future__ import annotations

import pytest

from ludus.pictures.files import power_of_ten, write_figure
from ludus.pictures.lines import lines_figure

GROWTH = [(10.0**k, 10.0**k, None, None) for k in range(2, 6)]


@pytest.mark.parametrize("log", ["x", "xy"])
def test_powers_of_ten_are_written_in_plain_letters(log, tmp_path):
    """Formulas are not read, so that a dollar sign in a name stays one: matplotlib's own labels would show as such."""
    figure = lines_figure({"a $ b": {"one": GROWTH}}, x="nodes", y="taken", log=log)
    write_figure(figure, tmp_path / "lines.svg")
    written = (tmp_path / "lines.svg").read_text(encoding="utf-8")
    labels = [line.strip()[5:-4] for line in written.splitlines() if line.strip().startswith("<!-- ")]
    assert "a $ b" in labels
    assert {"10²", "10³", "10⁴", "10⁵"} <= set(labels)
    assert not any("mathdefault" in label for label in labels)


def test_numbers_at_an_axis():
    assert [power_of_ten(value) for value in (1e-12, 0.5, 1, 5, 100, 2000, 1e6)] == [
        *("10⁻¹²", "0.5", "1", "5", "10²", "2,000", "10⁶")
    ]


def test_a_long_legend_leaves_room_for_the_panel():
    """A single panel keeps its width, however long the names are."""
    widths = []
    for name in ("b=2", "eval=weighted-squares(weights=L1), ties=positive, and more"):
        figure = lines_figure({"": {name: GROWTH}}, x="nodes", y="taken", log="x")
        figure.canvas.draw()
        widths.append(figure.axes[0].get_window_extent().width)
    assert widths[1] > 0.9 * widths[0]
