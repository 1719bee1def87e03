"""The areas: how they are told, what of them cannot be, and how they are drawn."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.geography import Geography, lines_of
from companion.core.map import LEARNT, PRINTED, TOLD
from companion.core.position import Position
from companion.games.lzalbany.words.areas import Map
from companion.games.lzalbany.words.telling import told_flags
from tests.games.lzalbany.field import Field

GAME = Field().game
EMPTY = Position()


def geography() -> Geography:
    found = GAME.geography
    assert found is not None
    return found


def told(text: str) -> dict[str, str]:
    facts: dict[str, str] = {}
    for _, line in lines_of(text):
        facts |= geography().read(line, facts)
    return facts


# -- told ----------------------------------------------------------------------------------------------------------------


def test_2_2_a_line_tells_terrain_edge_neighbours_and_sight() -> None:
    assert told("B3 jungle edge; next b2, c4, LZ Albany; sight d4, e3 no") == {
        "area:b3": "jungle edge",
        "next:b3": "b2, c4, albany",
        "los:b3 d4": "yes",
        "los:b3 e3": "no",
    }
    assert told("b3,b4 saw | b5 jungle east; start nva2") == {
        "area:b3": "sawgrass",
        "area:b4": "sawgrass",
        "area:b5": "jungle east",
        "start:b5": "nva2",
    }


def test_2_2_lz_albany_has_neighbours_and_no_ground_to_tell() -> None:
    facts = told("LZ Albany next b3, c4")
    assert facts == {"next:albany": "b3, c4"}
    assert geography().line("albany", facts) == "albany next b3, c4"
    assert told("albany next b3, c4") == facts


@pytest.mark.parametrize(
    "line", ["b3", "b3 swamp", "b3 jungle; next b2, b3", "b3 jungle; colour red", "pool jungle", "b3 jungle; start us2"]
)
def test_2_2_what_tells_nothing_is_refused(line: str) -> None:
    with pytest.raises(Unreadable):
        told(line)


def test_2_2_what_is_told_reads_back_as_it_was_told() -> None:
    facts = told("b3 jungle edge; next b2, c4, albany; sight d4; range f5 no; start nva1 | albany next b3 | c4 saw; beside d4")
    lines = [geography().line(name, facts) for name in geography().names(facts)]
    assert told("\n".join(line for line in lines if line)) == facts
    assert geography().names(facts) == ["albany", "b2", "b3", "c4", "d4", "f5"]


# -- what cannot be ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"next:b3": "b3, c4"}, "b3 is no neighbour of itself [2.2]: b3 next c4"),
        ({"next:b3": "c4", "next:c4": "d5"}, "b3 has c4 next to it, and c4 not b3 [6.2]: c4 next d5, b3"),
        ({"next:c4": "d5, b3", "next:b3": "a3"}, "c4 has b3 next to it, and b3 not c4 [6.2]: b3 next a3, c4, or c4 next d5"),
        ({"next:b3": "c4, columbus"}, "LZ Columbus is next to none, and b3 names it [6.5]"),
        ({"next:transition": "g3"}, "Transition Area is next to none"),
        ({"area:albany": "jungle"}, "LZ Albany is as the rules say"),
        ({"los:b3": "yes"}, "los:b3 must name two areas [7.8]"),
        ({"los:b3 b3": "yes"}, "los:b3 b3 must name two areas [7.8]"),
        ({"area:b3": "jungle", "next:c4": "b-3"}, "b-3 and b3 look like one area under two names [2.2]"),
        ({"area:b3": "jungle", "area:b03": "sawgrass"}, "b03 and b3 look like one area"),
        ({"next:b3": "c4", "los:b3 c4": "no"}, "los:b3 c4 is told as no, against the way of 1"),
        ({"next:b3": "c4", "next:c4": "b3", "los:b3 f5": "yes"}, "los:b3 f5 is told as yes, against neighbours"),
        ({"next:b3": "c4", "next:c4": "b3, d5", "range:b3 d5": "no"}, "range:b3 d5 is told as no, against the way of 2"),
        ({"next:b3": "c4", "next:c4": "b3", "range:b3 f5": "yes"}, "neighbours by which it is more than 6 [7.4]"),
        ({"next:b3": "c4", "beside:b3 d5": "yes"}, "beside:b3 d5 is told as yes, against who is told next to whom [6.2]"),
    ],
)
def test_2_2_what_cannot_be_true_together_is_named_with_its_cure(facts: dict[str, str], says: str) -> None:
    (found,) = GAME.contradictions(facts)
    assert says in found


def test_2_2_a_map_that_agrees_has_no_contradiction() -> None:
    assert (
        GAME.contradictions(told("b3 jungle; next c4, albany; sight d4 | c4 saw; next b3, d4 | albany next b3; sight c4")) == []
    )


def test_2_2_a_sight_of_one_area_lays_no_session_low() -> None:
    """What an owner told askew before is left out; it is named where the map is told."""
    field = Field(map="own", facts={"los:b3": "yes", "area:B4": "jungle"})
    assert field.referee.map.terrain("b4") == "jungle"


# -- what follows --------------------------------------------------------------------------------------------------------


def known(text: str) -> Map:
    return Map(Position(flags=told_flags(told(text))))


def test_6_5_lz_columbus_is_next_to_none_whatever_a_list_names() -> None:
    where = Map(Position(flags=told_flags({"next:g3": "f3, columbus, transition"})))
    assert where.next_to("g3") == ("f3",) and where.adjacent("g3", "columbus") is False


def test_6_2_an_area_that_another_ones_list_names_has_a_neighbour() -> None:
    where = known("b3 jungle; next c4, albany")
    assert where.beside("c4") == ("b3",) and where.next_to("c4") is None
    assert where.distance("c4", "albany") == 2 and where.adjacent("c4", "albany") is None


def test_6_2_two_areas_told_as_neighbours_are_so_with_no_list() -> None:
    where = known("b3 jungle; beside c4, d5 no")
    assert where.adjacent("c4", "b3") is True and where.adjacent("b3", "d5") is False and where.adjacent("b3", "e5") is None
    assert where.beside("b3") == ("c4",)


def test_7_8_an_area_beyond_three_is_out_of_sight_where_all_lists_on_the_way_are_told() -> None:
    where = known("a1 jungle; next a2 | a2 jungle; next a1, a3 | a3 jungle; next a2, a4 | a4 jungle; beside a5")
    assert where.sight("a1", "a5") is False and where.sight("a1", "a4") is None and where.sight("a1", "a2") is True
    assert known("a1 jungle; next a2 | a2 jungle; beside a3").sight("a1", "a5") is None


# -- drawn ---------------------------------------------------------------------------------------------------------------


def test_2_2_the_practice_map_is_drawn_without_a_session_and_without_facts() -> None:
    drawn = geography().map(EMPTY, {"map": "practice"}, {})
    assert drawn.spaces["b3"].at == (1, 2) and drawn.spaces["b3"].ground == "sawgrass" and drawn.spaces["g1"].sign == "J>"
    assert drawn.spaces["albany"].at == (2, 2) and drawn.spaces["albany"].source == PRINTED
    assert set(drawn.next["albany"]) == {"b2", "b3", "c2", "c4", "d2", "d3"}
    assert drawn.notes and "made-up" in drawn.notes[0]


def test_2_2_who_stands_where_is_drawn_by_side_and_letter() -> None:
    field = Field()
    field.put("d2", "1/A/2-7", "co/A/2-7")
    field.put("d1", "1/1/1/33")
    field.wounded("d2")
    drawn = geography().map(field.position, field.options, {})
    assert [(one.side, one.letter, one.names) for one in drawn.spaces["d2"].stacks] == [
        ("US", "U", ("1/A/2-7",)),
        ("US", "u", ("co/A/2-7",)),
        ("US", "W", ("W:1/C/2-7",)),
    ]
    assert [one.letter for one in drawn.spaces["d1"].stacks] == ["N"]


def test_2_2_areas_lie_by_their_names_where_all_have_a_letter_and_a_number() -> None:
    facts = told("b3 jungle; next c4, albany | c4 saw; beside d3")
    drawn = geography().map(EMPTY, {}, facts, ["beside:c4 d3"])
    assert drawn.spaces["b3"].at == (0, 0) and drawn.spaces["c4"].at == (1, 1)
    assert {(link.one, link.other): link.source for link in drawn.links if link.source != PRINTED} == {
        ("b3", "c4"): TOLD,
        ("albany", "b3"): TOLD,
        ("c4", "d3"): LEARNT,
    }
    assert drawn.spaces["d3"].source == LEARNT
    other = geography().map(EMPTY, {}, {**facts, "area:hill": "jungle"})
    assert all(space.at is None for space in other.spaces.values())


def test_7_8_what_is_told_to_be_in_sight_is_a_feature() -> None:
    drawn = geography().map(EMPTY, {}, told("b3 jungle east; sight d4, e3 no, albany; start nva1"))
    assert drawn.spaces["b3"].features == ("east edge", "circle nva1", "sees d4, LZ Albany", "does not see e3")
    assert ("b3", "transition") in {(link.one, link.other) for link in drawn.links}
