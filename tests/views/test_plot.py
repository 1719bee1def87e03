"""Plots as SVG and as text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from companion.views.lines import line_texts
from companion.views.plot import Plot, PlotSeries, frame, plot_lines, plot_svg, sparkline, ticks

SVG = "{http://www.w3.org/2000/svg}"
STAIRS = PlotSeries("Supply", ((0, 8), (1, 6), (2, 6), (3, 9)))
PLOT = Plot("Supply & <b>", "turn", (STAIRS,), low=0, high=20)


def drawn(plot: Plot) -> ET.Element:
    return ET.fromstring(plot_svg(plot))


def paths(root: ET.Element, kind: str) -> list[str]:
    return [item.attrib["d"] for item in root.iter(f"{SVG}path") if item.attrib["class"].startswith(kind)]


def test_step_line_holds_until_the_next_value() -> None:
    (line,) = paths(drawn(PLOT), "pl")
    wide = 640 - 14 - 30
    x = [30 + wide * way / 3 for way in (1, 2, 3)]
    y = [240 - 44 - (240 - 42 - 44) * value / 20 for value in (8, 6, 9)]

    moves = [f"H{x[0]:.1f}V{y[1]:.1f}", f"H{x[1]:.1f}", f"H{x[2]:.1f}V{y[2]:.1f}"]
    assert line.replace(".0", "") == f"M30 {y[0]:.1f}{''.join(moves)}".replace(".0", "")


def test_plot_has_bounds_title_and_grid_values() -> None:
    root = drawn(PLOT)
    words = [item.text for item in root.iter(f"{SVG}text")]

    assert len(paths(root, "pb")) == 2 and len(paths(root, "pg")) == 5
    assert words[0] == root.findtext(f"{SVG}title") == "Supply & <b>"
    assert {"0", "5", "20", "3", "turn"} <= set(words)
    assert root.attrib["role"] == "img"


def test_small_plot_is_small_and_deterministic() -> None:
    count = Plot("x", "turn", (PlotSeries("x", tuple((place, place % 7) for place in range(41))),))
    text = plot_svg(count)

    assert text == plot_svg(count) and len(text) < 3_000
    assert "prefers-color-scheme: dark" in text and "<script" not in text and "http://www.w3.org/2000/svg" in text


def test_several_series_have_names_and_colours() -> None:
    root = drawn(Plot("VP", "turn", (PlotSeries("US", ((0, 0), (2, 4))), PlotSeries("NVA", ((0, 1), (2, 3))))))

    assert [path[:1] for path in paths(root, "pl p0") + paths(root, "pl p1")] == ["M", "M"]
    assert [item.text for item in root.iter(f"{SVG}text") if item.attrib["class"].startswith("q")] == ["US", "NVA"]


def test_named_values_are_labelled() -> None:
    mood = Plot("Mood", "turn", (PlotSeries("Mood", ((0, 0), (1, 2))),), 0, 2, names=("low", "middling", "high"))

    assert {"low", "middling", "high"} <= {item.text for item in drawn(mood).iter(f"{SVG}text")}
    assert plot_lines(mood, 40)[1].lead.startswith("high |")


def test_plot_without_points() -> None:
    empty = Plot("Nothing", "", (PlotSeries("x", ()),))

    assert paths(drawn(empty), "pl") == [] and frame(empty).high > frame(empty).low
    assert plot_lines(empty, 40)[0].text == "Nothing"


def test_text_plot_shows_the_value_of_every_column() -> None:
    lines = line_texts(plot_lines(Plot("Supply", "turn", (STAIRS,), 0, 9), 40, 4))

    assert lines[0] == "Supply" and max(map(len, lines)) <= 40
    assert lines[1].startswith("9 |") and lines[4].startswith("0 |")
    assert lines[1].count("*") + lines[2].count("*") == 37 and lines[3:5] == ["  |", "0 |"]
    assert lines[5].startswith("   0") and lines[5].endswith("turn 3")
    assert sparkline([1, 2, 3]) == "▁▅█" and ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1]
