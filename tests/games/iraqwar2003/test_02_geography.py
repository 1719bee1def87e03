"""[2.1] The map entered in lines and chains, checked for contradictions, and drawn."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.map import HEXES
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.facts import GIVEN
from companion.games.iraqwar2003.map import IraqWarMap
from companion.games.iraqwar2003.notation import read_unit, unit_values
from companion.games.iraqwar2003.state import MAP, UNIT
from tests.support.table import game_of

LOWER = {"orientation:low": "1421"}


def read(line: str, facts: dict[str, str] | None = None) -> dict[str, str]:
    geography = game_of("iraqwar2003").map
    assert geography
    return geography.read_line(line, facts or {})


def wrong(facts: dict[str, str]) -> list[str]:
    return game_of("iraqwar2003").contradictions(facts)


def test_2_1_a_line_tells_a_hex_or_several_and_what_lies_around() -> None:
    assert read("2231,2330 swamp") == {"hex:2231": "swamp", "hex:2330": "swamp"}
    assert read("2331 maj, Hillah; water 2231 large, 2332; roads 2230") == {
        "hex:2331": "major city, Hillah",
        "side:2231-2331": "large",
        "side:2331-2332": "minor",
        "road:2230-2331": "yes",
    }
    assert read("mosul mega city") == {"hex:0607": "mega city"}


def test_12_4_and_12_2_roads_and_rivers_are_told_as_chains() -> None:
    assert read("road 2231 2331 2432") == {"road:2231-2331": "yes", "road:2331-2432": "yes"}
    assert read("large 2231 2332 2232 2332") == {"side:2231-2332": "large", "side:2232-2332": "large"}
    assert read("rails 2231-2331") == {"rail:2231-2331": "yes"}


def test_2_1_areas_borders_and_the_lie_of_the_numbers_are_told_as_a_whole() -> None:
    assert read("kuwait 3241 3140-3142") == {"area:kuwait": "3241 3140 3141 3142"}
    assert read("north/central 0114 3516") == {"border:north/central": "0114 3516"}
    assert read("lower 1421") == LOWER


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("road 2231 2331 2332 2231", "a cycle"),
        ("road 2231 2231", "cannot be its own neighbour"),
        ("road 2231", "a chain of 1"),
        ("road 2231 2431", "2231 and 2431 are not neighbours"),
        ("2231 swamp; roads 2331, 2432", "2231 and 2432 are not neighbours"),
        ("223 swamp", "four digits"),
        ("2231 plain; roads 2231", "be its own neighbour"),
        ("2231 plain; roads 231", "four digits"),
        ("2231 swmp", "swamp"),
        ("kuwait 3241; roads 3240", "kuwait has no roads"),
        ("hill 2231", "four digits"),
    ],
)
def test_2_1_a_line_that_cannot_be_is_refused_with_the_cure(line: str, words: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(line)
    assert words in f"{caught.value} {caught.value.cure}"
    assert caught.value.cure


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"road:2231-2431": "yes"}, "are not: name two that touch"),
        ({**LOWER, "road:2231-2330": "yes"}, "are not while 1421 lies lower"),
        ({"side:2231-2231": "minor"}, "own neighbour"),
        ({"road:2331-2231": "yes"}, "its hexes in the wrong order: road:2231-2331"),
        ({"hex:223": "plain"}, "four digits"),
        ({"hex:3339": "sea", "at:51M": "3339"}, "51M was entered to begin in 3339"),
        ({"road:231-2331": "yes"}, "four digits"),
        ({"area:syria": "0101"}, "no area 'syria'"),
        ({"hex:1824": "major city, Najaf", "hex:1825": "Najaf"}, "Najaf was entered in 1824 and in 1825"),
        ({"hex:1824": "major city, Mosul"}, "Mosul was entered in 0607 and in 1824"),
        ({"hex:0607": "major city, Erbil"}, "0607 has two names, Mosul by the rulebook and Erbil"),
        ({"hex:1321": "plain"}, "1321 was entered as plain"),
        ({"hex:1107": "minor city"}, "Irbil as a major city"),
        ({"hex:1824": "swamp, Najaf"}, "1824 was entered as swamp"),
        ({"side:2231-2331": "sea", "road:2231-2331": "yes"}, "nothing but water"),
        ({"hex:2231": "sea", "rail:2231-2331": "yes"}, "nothing but water"),
        ({"area:kuwait": "3240"}, "kuwait was entered without 3241, Kuwait City"),
        ({"area:kdp": "1107 1106", "area:puk": "1810 1106"}, "1106 was entered in kdp and in puk"),
        ({"area:kuwait": "3241 3135"}, "3135, Basra, was entered in kuwait"),
        ({"border:north/central": "0114 3514", "border:central/south": "0114 3530"}, "in column 01"),
    ],
)
def test_2_1_contradictions_of_the_map_are_found(facts: dict[str, str], words: str) -> None:
    found = wrong(facts)
    assert len(found) == 1
    assert words in found[0]


def test_2_1_what_the_rulebook_says_contradicts_nothing() -> None:
    assert wrong({f"hex:{number}": value for number, value in GIVEN.items()}) == []
    assert wrong({**LOWER, "hex:1321": "mega city", "hex:0607": "minor city", "road:1321-1421": "yes"}) == []


def test_2_1_what_is_told_can_be_told_again_as_it_is_shown() -> None:
    game = game_of("iraqwar2003")
    assert game.map
    facts = {**read("2231 swamp; water 2232 large; roads 2332"), **read("kuwait 3241 3140"), **LOWER}
    again: dict[str, str] = {}
    for name in game.map.form_spaces(facts):
        if line := game.map.line(name, facts):
            again |= game.map.read_line(line, {})
    assert again == facts


def test_2_1_the_map_is_drawn_with_who_stands_where() -> None:
    game = game_of("iraqwar2003")
    units = [
        ("us 1/3ID 6-5-8/3-3-8", "2231"),
        ("kdp KDP1 2-2-4", "1107"),
        ("turkey TRK 4-4-4", "0801"),
        ("iraq 11D 3-4-3 big", "2332"),
    ]
    units += [("iraq 6A 3-4-3 big", MAP)]
    pieces = {text: Piece(text, UNIT, read_unit(text).name, at, values=unit_values(read_unit(text))) for text, at in units}
    facts = {**LOWER, "hex:2231": "swamp", "road:2231-2332": "yes", "side:2231-2332": "large", "road:2130-2231": "no"}
    drawn = IraqWarMap(game).build(Position({}, pieces, facts), {}, {}, ["hex:2231"])
    assert drawn.shape == HEXES
    assert {name for name, space in drawn.spaces.items() if space.cell} == {*GIVEN, "2231", "2332", "0801", "2130"}
    swamp, city = drawn.spaces["2231"], drawn.spaces["2332"]
    assert (swamp.ground, swamp.source, swamp.symbol, swamp.cell) == ("swamp", "learnt", "sw", (22, 63))
    assert (city.title, city.source) == ("Nasiriyah", "printed")
    assert [stack.side for name in ("2231", "1107", "0801", "2332") for stack in drawn.spaces[name].stacks] == [
        "coalition",
        "kurds",
        "turkey",
        "iraq",
    ]
    assert [(link.one, link.other, link.how) for link in drawn.links] == [("2231", "2332", "road, large river")]
    assert "6A" in drawn.notes[0]
