"""The map as SVG and as JSON data."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings

from companion.core.map import AREAS, GRID, HEXES, LEARNT, SHAPES, Link, Map, Space, Stack
from companion.views.data import map_data
from companion.views.map_svg import map_svg
from tests.views.test_map import any_maps, grid, hexes

SVG = "{http://www.w3.org/2000/svg}"


def parsed(map: Map, place: str = "") -> ET.Element:
    return ET.fromstring(map_svg(map, place))


def marks(root: ET.Element, tag: str, kind: str) -> list[ET.Element]:
    """Return the elements with a tag whose first class is `kind`."""
    return [item for item in root.iter(SVG + tag) if item.get("class", "").split()[:1] == [kind]]


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(any_maps())
def test_any_map_is_well_formed_without_scripts(map: Map) -> None:
    text = map_svg(map)
    root = ET.fromstring(text)

    assert all(char.isprintable() for char in text.replace("\n", ""))
    assert {item.tag.removeprefix(SVG) for item in root.iter()} <= {
        "svg",
        "title",
        "style",
        "rect",
        "polygon",
        "text",
        "line",
        "g",
    }
    assert not any(name.startswith("on") or "href" in name for item in root.iter() for name in item.attrib)
    assert "url(" not in text.partition("<style>")[2].partition("</style>")[0]


@pytest.mark.parametrize(("map", "tag"), [(grid(), "rect"), (hexes(3, 2), "polygon")])
def test_each_space_is_drawn_once_in_the_shape_of_the_map(map: Map, tag: str) -> None:
    root = parsed(map)

    assert len(marks(root, tag, "space")) + len(marks(root, tag, "unknown")) == len(map.spaces)
    assert len(marks(root, tag, "unknown")) == sum(not space.source for space in map.spaces.values())
    assert len(list(root.iter(SVG + "g"))) == len(map.spaces)


def test_areas_are_rounded_boxes_with_lines_between() -> None:
    map = Map("A Valley", AREAS, (Space(name, source="told") for name in "abc"), (Link("a", "b"), Link("b", "c", "road")))
    root = parsed(map)

    assert {box.get("rx") for box in marks(root, "rect", "space")} == {"16"}
    assert [line.get("class") for line in marks(root, "line", "link")] == ["link kind0", "link kind1", "link kind1"]
    assert "road" in [text.text for text in root.iter(SVG + "text")]


def test_counters_have_colour_letter_and_count() -> None:
    map = grid()
    root = parsed(map)

    assert [text.text for text in marks(root, "text", "letter")] == ["I2", "N", None, None]
    assert len(marks(root, "rect", "first")) == len(marks(root, "rect", "second")) == 2  # one in a space, one in the key


def test_stacks_that_do_not_fit_are_marked() -> None:
    stacks = tuple(Stack("us", letter, (letter,)) for letter in "ABCDEFG")
    root = parsed(Map("A Town", GRID, (Space("a", cell=(0, 0), stacks=stacks),), (), {"us": "US"}))

    assert "+" in [text.text for text in root.iter(SVG + "text")]
    assert "US: A, B, C, D, E, F, G" in [text.text for text in root.iter(SVG + "text")]


def test_names_are_no_markup() -> None:
    space = Space("<script>", "\x1b[2J&amp;", source="told", cell=(0, 0))
    root = parsed(Map("<b>", GRID, (space,), notes=("</svg>",)))

    assert "<script>" in [text.text for text in root.iter(SVG + "text")]
    assert "</svg>" in [text.text for text in root.iter(SVG + "text")]


def test_space_is_highlighted_and_distant_ones_left_out() -> None:
    root = parsed(hexes(30, 30), "1515")
    chosen = [item for item in root.iter(SVG + "polygon") if "chosen" in item.get("class", "")]

    assert len(chosen) == 1
    assert 60 < len(marks(root, "polygon", "unknown")) <= 9 * 9


@pytest.mark.parametrize("shape", SHAPES)
def test_empty_map_is_well_formed(shape: str) -> None:
    assert parsed(Map("A Town", shape, ())).tag == SVG + "svg"
    assert map_data(Map("A Town", shape, ()))["spaces"] == []


def test_map_as_data() -> None:
    links = (Link("1-1", "2-1", "road"), Link("2-2", "1-1", "river", LEARNT))
    data = json.loads(json.dumps(map_data(grid(links))))

    assert list(data) == ["title", "shape", "place", "sides", "signs", "notes", "spaces"]
    assert data["spaces"][0] == {
        "space": "1-1",
        "title": "Souk",
        "ground": "urban",
        "features": ["bridge"],
        "source": "told",
        "sign": "u",
        "at": [0, 0],
        "cell": [0, 0],
        "neighbours": [
            {"space": "2-1", "how": "road", "source": "told"},
            {"space": "2-2", "how": "river", "source": "learnt"},
            {"space": "1-2", "how": "", "source": ""},
        ],
        "stacks": [{"side": "us", "letter": "I", "names": ["Alpha", "Bravo"]}],
    }
    assert [space["space"] for space in map_data(grid(), "1-1")["spaces"]] == ["1-1", "2-1", "1-2"]


def test_areas_as_data_have_cells() -> None:
    (space,) = map_data(Map("A Town", AREAS, (Space("a", source="told"),)))["spaces"]

    assert (space["at"], space["cell"]) == (None, (0, 0))


def test_neighbours_of_a_hex() -> None:
    assert [space["space"] for space in map_data(hexes(3, 3), "0202")["spaces"]] == [
        *("0102", "0103", "0201", "0202", "0203", "0302", "0303")
    ]
    assert map_data(hexes(1, 1))["shape"] == HEXES
