"""The map as text."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.errors import Ambiguous, Unreadable
from companion.core.map import AREAS, GRID, HEXES, LEARNT, SHAPES, Link, Map, Space, Stack
from companion.views.lines import ansi_text, plain_text
from companion.views.map_text import find_space, map_lines

_CODES = re.compile(r"\x1b\[[0-9;]*m")


def grid(links: tuple[Link, ...] = ()) -> Map:
    """A map of two columns and two rows, with one unknown space."""
    spaces = (
        Space("1-1", "Souk", "urban", ("bridge",), "told", (0, 0), "u", (Stack("us", "I", ("Alpha", "Bravo")),)),
        Space("2-1", "", "open", (), "told", (1, 0), "o"),
        Space("1-2", cell=(0, 1)),
        Space("2-2", "", "open", (), LEARNT, (1, 1), "o", (Stack("op", "N", ("Node",)),)),
    )
    return Map("A Town", GRID, spaces, links, {"us": "Coalition", "op": "OPFOR"}, {"N": "Nodes", "u": "urban", "o": "open"})


def hexes(columns: int, rows: int) -> Map:
    """A map of unknown hexes 0101 to ..., even columns half a hex lower."""
    return Map(
        "A Country",
        HEXES,
        (Space(f"{x:02}{y:02}", cell=(x, 2 * y + (x % 2 == 0))) for x in range(1, columns + 1) for y in range(1, rows + 1)),
    )


def shown(map: Map, place: str = "", width: int = 80, height: int = 23) -> list[str]:
    return plain_text(map_lines(map, place, width, height), width).splitlines()


def test_grid_with_pieces() -> None:
    assert shown(grid()) == [
        "A Town   Coalition: I   OPFOR: N Nodes   u urban   o open   . unknown",
        "1-1 u Souk                2-1 o",
        " I2",
        "",
        "1-2 .                     2-2 o",
        "                           N",
    ]


def test_sides_have_tones_and_unknown_spaces_are_dim() -> None:
    text = ansi_text(map_lines(grid()))

    assert "\x1b[1;94mI2\x1b[0m" in text
    assert "\x1b[1;91mN\x1b[0m" in text
    assert "\x1b[2m1-2\x1b[0m \x1b[2m.\x1b[0m" in text
    assert _CODES.sub("", text) == plain_text(map_lines(grid()))


def test_sides_with_equal_letters_differ_without_colours() -> None:
    spaces = (Space("a", stacks=(Stack("us", "I", ("A",)), Stack("op", "I", ("B", "C")))),)
    result = shown(Map("A Town", AREAS, spaces, (), {"us": "Coalition", "op": "OPFOR"}))

    assert result[0] == "A Town   Coalition: I   OPFOR: *I   . unknown"
    assert " I *I2" in result


def test_letter_that_ends_in_a_digit() -> None:
    result = shown(Map("A Town", AREAS, (Space("a", stacks=(Stack("us", "3", ("3 ID", "3 MEF")),)),), (), {"us": "US"}))

    assert " 3x2" in result


def test_roads_run_between_the_spaces_of_a_grid() -> None:
    links = (Link("1-1", "2-1", "road"), Link("1-1", "1-2"), Link("2-1", "1-2"), Link("2-2", "2-1", "river"))

    assert shown(grid(links)) == [
        "A Town   Coalition: I   OPFOR: N Nodes   u urban   o open   . unknown   = road",
        "- way   ~ river",
        "1-1 u Souk ============== 2-1 o",
        " I2",
        "|            /            ~",
        "1-2 .                     2-2 o",
        "                           N",
    ]


def test_link_is_drawn_with_the_sign_of_the_game() -> None:
    map = Map("A Town", GRID, grid().spaces.values(), (Link("1-1", "2-1", "river"), Link("1-2", "2-2")), {}, {"%": "river"})

    assert "1-1 u Souk %%%%%%%%%%%%%% 2-1 o" in shown(map)


def test_even_hex_columns_are_half_a_hex_lower() -> None:
    map = hexes(3, 2)
    map.links = (Link("0101", "0201"), Link("0201", "0302"), Link("0302", "0301", "river"))

    assert shown(map) == [
        "A Country   . unknown   - way   = river",
        "0101 .                    0301 .",
        r"            \0201 .       =",
        r"0102 .                   \0302 .",
        "             0202 .",
    ]


def test_areas_are_placed_beside_their_neighbours() -> None:
    names = ("wood", "hill", "ford", "mill")
    links = (Link("wood", "hill"), Link("hill", "ford"), Link("ford", "mill"), Link("mill", "wood"), Link("wood", "ford"))
    result = shown(Map("A Valley", AREAS, (Space(name, source="told") for name in names), links))

    assert result == [
        "A Valley",
        "wood -------------------- hill",
        "",
        r"|            \            |",
        "mill -------------------- ford",
    ]


def test_large_map_shows_the_part_around_a_space() -> None:
    result = shown(hexes(30, 40), "1520")

    assert result[0].startswith("A Country, a part of it")
    assert any("[1520]" in row for row in result)
    assert not any("0101" in row or "3040" in row for row in result)
    assert len(result) <= 23
    assert "  beside it  1519, 1619, 1620, 1521, 1420, 1419" in result


def test_spaces_outside_the_part_are_named() -> None:
    map = hexes(30, 40)
    map.spaces["0101"] = map.spaces["0101"]._replace(title="Mosul")
    map.spaces["3040"] = map.spaces["3040"]._replace(stacks=(Stack("us", "I", ("A",)),))

    assert "Name another to see it: 3040, 0101 Mosul" in shown(map, "1520")
    assert "Name another to see it: 0101 Mosul" in shown(map)


def test_unknown_hexes_are_drawn_between_known_ones() -> None:
    map = Map(
        "A Country", HEXES, (Space(name, source="told", cell=index) for name, index in {"0101": (1, 2), "0303": (3, 6)}.items())
    )

    assert shown(map) == [
        "A Country   . unknown",
        "0101                      .",
        "             .",
        ".                         .",
        "             .",
        ".                         0303",
    ]


def test_columns_shrink_to_their_contents() -> None:
    """Names are kept whole if possible; the terrain sign is dropped first."""
    spaces = [Space(f"{x}.{y}", ground="open", source="told", cell=(x, y)) for x in range(9) for y in range(9)]
    spaces[40] = spaces[40]._replace(name="Headquarters", stacks=(Stack("us", "I", ("A", "B")),))
    result = "\n".join(shown(Map("A Town", GRID, spaces)))

    assert result.startswith("A Town ") and all(space.name in result for space in spaces)
    assert "[Headquarters] o" in "\n".join(shown(Map("A Town", GRID, spaces), "Headquarters"))


def test_default_part_is_the_busiest() -> None:
    map = hexes(30, 40)
    map.spaces["2535"] = map.spaces["2535"]._replace(stacks=(Stack("us", "I", ("A",)),))

    assert any(" I" in row for row in shown(map))


def test_space_with_all_known_details() -> None:
    links = (Link("1-1", "2-1", "road"), Link("2-2", "1-1", "river", LEARNT))

    assert shown(grid(links), "1-1")[-4:] == [
        "1-1 Souk: urban; bridge (told)",
        "  joined to  2-1 road, 2-2 river (learnt)",
        "  beside it  1-2",
        "  Coalition  Alpha, Bravo",
    ]
    assert shown(grid(), "1-2")[-2:] == ["1-2: nothing is known of it", "  beside it  1-1, 2-2"]


def test_space_is_found_by_its_title() -> None:
    assert find_space(grid(), "souk") == "1-1"
    with pytest.raises(Ambiguous):
        find_space(grid(), "1")
    with pytest.raises(Unreadable, match="no space on the map '9-9'"):
        find_space(grid(), "9-9")


def test_map_without_known_spaces() -> None:
    assert shown(Map("A Town", AREAS, (), notes=("It is made up",))) == ["A Town", "Nothing is known of it yet", "It is made up"]


def test_unknown_areas_are_only_named() -> None:
    spaces = (Space("a", source="told"), Space("b"), Space("c"))

    assert shown(Map("A Town", AREAS, spaces))[-1] == "Nothing known of: b, c"


def test_pieces_beside_the_map_are_listed_below() -> None:
    spaces = (*grid().spaces.values(), Space("north", "North Base", stacks=(Stack("us", "I", ("A", "B")),)))

    assert shown(Map("A Town", GRID, spaces, (), {"us": "Coalition"}))[-1] == "North Base: I2"


_NAMES = st.text(min_size=1, max_size=4)
_STACKS = st.lists(
    st.builds(Stack, st.sampled_from(("us", "op", "?")), st.sampled_from(("I", "[red]")), st.just(("x",))), max_size=3
)


@st.composite
def any_maps(draw: st.DrawFn) -> Map:
    shape = draw(st.sampled_from(SHAPES))
    names = draw(st.lists(_NAMES, unique=True, max_size=8))
    spaces = [
        Space(name, title, title, (), source, (place * 5 % 12, place), "", tuple(stacks))
        for place, name in enumerate(names)
        for title, source, stacks in [draw(st.tuples(_NAMES, st.sampled_from(("", "told")), _STACKS))]
    ]
    if shape == AREAS:
        spaces = [space._replace(cell=space.cell if place % 3 else None) for place, space in enumerate(spaces)]
    ends = st.sampled_from(names) if names else st.nothing()
    links = draw(st.lists(st.builds(Link, ends, ends, st.sampled_from(("", "road", "\x1b[31m"))), max_size=8)) if names else []
    return Map("A \x1b[1mTown & <b>", shape, spaces, links, {"us": "US", "op": "OPFOR"})


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(any_maps(), st.integers(40, 120), st.integers(10, 50))
def test_any_map_fits_the_screen_without_control_characters(map: Map, width: int, height: int) -> None:
    text = plain_text(map_lines(map, next(iter(map.spaces), ""), width, height), width)

    assert all(char.isprintable() for char in text.replace("\n", ""))
    assert _CODES.sub("", ansi_text(map_lines(map, "", width, height), width)) == plain_text(
        map_lines(map, "", width, height), width
    )


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(SHAPES), st.integers(1, 6), st.integers(1, 6), st.integers(60, 120))
def test_every_space_is_drawn_exactly_once(shape: str, columns: int, rows: int, width: int) -> None:
    unit = 2 if shape == HEXES else 1
    spaces = [
        Space(f"<{x}.{y}>", source="told", cell=None if shape == AREAS else (x, unit * y))
        for x in range(columns)
        for y in range(rows)
    ]
    drawn = shown(Map("A Town", shape, spaces), "", width, 60)
    text = "\n".join(drawn)

    assert "a part" in text or [name for name in (space.name for space in spaces) if text.count(name) != 1] == []
    assert all(len(row) <= width for row in drawn)


def test_many_kinds_of_links_are_grouped_by_first_word() -> None:
    spaces = (Space(f"{x}-{y}", source="told", cell=(x, y)) for x in range(4) for y in range(3))
    links = [Link(f"{x}-{y}", f"{x + 1}-{y}", f"street {x}{y}") for x in range(3) for y in range(3)]
    map = Map("A Town", GRID, spaces, [*links, Link("0-0", "0-1")])

    assert shown(map)[0] == "A Town   = street   - way"
    assert shown(map, "1-1")[-2:] == ["  joined to  0-1 street 01, 2-1 street 11", "  beside it  1-0, 1-2"]
