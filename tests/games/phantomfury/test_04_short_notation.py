"""The short notation of the map: symbols after Locations, parts known from other Zones, inferred Street Sections."""

from __future__ import annotations

import pytest

from companion.core.errors import CompanionError, Unreadable
from companion.games.phantomfury.facts import contradictions, read_line
from companion.games.phantomfury.notation import read_zone
from companion.games.phantomfury.town import Town, build_town, map_facts
from tests.games.phantomfury.board import Board
from tests.games.phantomfury.test_04_map_entry import Blank

BLOCK = ("2 c.12r^ a3 e14", "3 c.12r^ a2 4 e15 14", "4 =3 n15 e16", "14 c.12r^ a15 n13 e24", "15 =14 a14 16 x")
"""Zones 2, 3 and 4 with 14, 15 and 16 across the street, 13 across another one, and 24 beyond."""


def entered(*lines: str, **facts: str) -> dict[str, str]:
    flags = dict(facts)
    for line in lines:
        key, value = read_line(line, flags)
        flags[key] = value
    return flags


def town(*lines: str) -> Town:
    return build_town(*map_facts(entered(*lines)))


def faults(facts: dict[str, str]) -> list[str]:
    return [f"{text} [{rule}]" for text, rule in contradictions(*map_facts(facts))]


# -- a Zone ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("c.12r^ a15 16 n3 e24 25", "C-1-2-R; door C; roof R; adjacent 15 16; near 3; egress 24 25"),
        ("c.-1-2-R: 1-1'", "C-1-1' 1-2-R; door C; roof R"),
        ("o.c.11' x", "OG-C-1-1'; door OG C; egress exit"),
        ("c.1 n13-15/24 no f46", "C-1; door C; near 13 14 15/north 24; fire 46"),
        ("c.1 n3 no bla", "C-1; door C; near 3; black; north"),
        ("? a15", "?; adjacent 15"),
        ("C-1-2-R 1-1'; door C 1; streets b c; egress 24", "C-1-1' 1-2-R; door C 1; streets b c; egress 24"),
    ],
)
def test_4_1_a_zone_in_short(short: str, whole: str) -> None:
    """[4.1, 4.2.2] Symbols after Locations, abbreviated words; the long notation still works; both read back to the same."""
    assert str(read_zone(short)) == whole
    assert read_zone(whole) == read_zone(short)


def test_4_1_a_line_keeps_facts_that_it_leaves_out() -> None:
    """[4.1] Parts in any order, some left out; ``none`` removes a part, ``=`` has the Locations of another Zone."""
    facts = entered("14 e24", "14 c.12r^ 22'", "14 f46", "15 =14 a14")
    assert facts["zone:14"] == "C-1-2-2' 2-R; door C; roof R; near egress; fire 46; egress 24"
    assert facts["zone:15"] == "C-1-2-2' 2-R; door C; roof R; adjacent 14"
    assert entered("14 fire none", "14 c1", **facts)["zone:14"] == "C-1; door C; near egress; fire none; egress 24"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("14 a14", "Zone 14 cannot name itself: adjacent"),
        ("14 c1 n14 15", "Zone 14 cannot name itself: near"),
        ("14 c1 e14", "Zone 14 cannot name itself: egress"),
        ("14", "nothing is entered of Zone 14"),
        ("62 c1", "no Zone '62'"),
        ("14 c12x", "not a Location|neither a Location"),
        ("14 =40", "Locations of Zone 40 are not entered"),
        ("14 c1; garden 3", "part of a Zone"),
        ("2/14", "nothing is entered of Section 2/14"),
        ("* c1", "neither a Zone nor a Street Section"),
    ],
)
def test_4_1_lines_that_cannot_be(line: str, message: str) -> None:
    """[4.1, 4.1.1] Each fault has its own message."""
    with pytest.raises(CompanionError, match=message):
        entered("2 c1 n14", line)


# -- what follows ------------------------------------------------------------------------------------------------------


def test_4_1_1_a_border_entered_on_one_side_is_there_on_the_other() -> None:
    """[4.1.1] Zone 4 is entered without borders: those of 3 count; if both are entered they must agree, in either order."""
    assert town(*BLOCK).adjacent("4") == ("3",)
    for order in (("3 c1 a4", "4 c1 a5"), ("4 c1 a5", "3 c1 a4")):
        assert "Zone 3 names 4 as Adjacent, but 4 does not name 3 [4.1.1]" in faults(entered(*order))
    assert faults(entered("3 c1 a4", "4 c1 a none")) == ["Zone 3 names 4 as Adjacent, but 4 does not name 3 [4.1.1]"]


def test_4_1_2_sections_follow_from_what_lies_across_the_streets() -> None:
    """[4.1.2, 4.3.1.1, 4.2.2] Sections are named after two Zones; lying across a street is mutual."""
    short_town = town(*BLOCK)
    assert {name: section.zones for name, section in short_town.sections.items()} == {
        "2/14": ("2", "3", "14"),
        "3/14": ("3", "14", "15"),
        "3/15": ("3", "4", "15"),
        "4/15": ("4", "15", "16"),
        "13/14": ("13", "14"),
        "14/24": ("14", "24"),
    }
    assert set(short_town.near("3")) == {"14", "15"} and set(short_town.near("14")) == {"2", "3", "13", "24"}
    assert short_town.between("13", "14") == ("13/14",)


def test_4_3_1_1_a_street_goes_on_between_the_same_zones() -> None:
    """[4.3.1.1] Two Sections between 3 and 15 are next to each other; those on the two sides of the Block 14, 15 are not."""
    short_town = town(
        "2 c1 a3 n14 15",
        "3 c1 a2 4 n14-16",
        "4 c1 n15 16",
        "14 c1 a15 n24 25",
        "15 c1 a14 16 n24-26",
        "24 c1 a25",
        "25 c1 a24 26",
    )
    assert {section.zones for section in short_town.sections.values()} == {
        ("2", "3", "14", "15"),
        ("3", "4", "15", "16"),
        ("14", "15", "24", "25"),
        ("15", "25", "26"),
    }
    assert "3/15" in short_town.sections["2/14"].next and "14/24" not in short_town.sections["2/14"].next


def test_4_3_entered_streets_override_derived_ones() -> None:
    """[4.3, 4.3.1.2] Street by street with a slash, or in a line of the Section; parts that it leaves out are unchanged."""
    cut = town("2 c1 a3 n14/14 15", "3 c1 n15")
    assert {section.zones for section in cut.sections.values()} >= {("2", "14"), ("2", "14", "15")}
    facts = entered(*BLOCK, "13/14 fire 46", "4/5", "4/5 north")
    short_town = build_town(*map_facts(facts))
    assert short_town.sections["13/14"].zones == ("13", "14") and short_town.sections["13/14"].fire == ("46",)
    assert short_town.sections["4/5"].zones == ("4", "5") and short_town.sections["4/5"].north
    assert facts["section:13/14"] == "?; fire 46"


def test_4_3_a_section_entered_by_names_is_as_it_was() -> None:
    """[4.3.1.1] With named Sections nothing is inferred."""
    short_town = town("2 C-1; door C; streets b", "14 C-1; streets b v", "b 2 14; next v", "v 14 24; next b")
    assert set(short_town.sections) == {"b", "v"} and short_town.near("14") == ("2", "24")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("14 c1 a15", "15 c1 n14"), "Zone 15 names 14 across a street, and shares a border with it [4.1.2]"),
        (
            ("14 c1; streets b", "b 14 2", "24 c1 n14"),
            "Zone 24 names 14 across a street, but no street of Zone 14 leads there [4.1.2]",
        ),
        (("b 2 14; next c", "c 2 14; next b", "a 2 14; next q", "d 2 14; next q"), "Sections a and d are one and the same"),
        (("b 2 14; next b",), "Section b is next to itself [4.3.1.1]"),
        (("2/14 fire 46 ", "2 c1 n15"), ""),
        (("q fire 46",), "no Zone lies at a Section q"),
        (("26 c1 bla",), "Zone 26 has no black circle [6.2]"),
    ],
)
def test_4_1_contradictions_of_the_short_notation(lines: tuple[str, ...], message: str) -> None:
    """[4.1.2, 4.3, 4.3.1.1, 6.2] They are reported whichever was entered first."""
    for order in (lines, lines[::-1]):
        contradictions = faults(entered(*order))
        assert any(message in fault for fault in contradictions) if message else not contradictions, contradictions


def test_4_1_2_a_missing_entry_of_the_other_side_is_no_contradiction() -> None:
    """[4.1.2] By the examples Zone 2 lies across from 14 and 15; 15 may be entered later, and must agree then."""
    game = Board().game
    facts = entered("2 c.12r^ 22' a3 e14")
    assert game.contradictions(facts) == []
    facts = entered("15 c.12r^ a14 16 e16", **facts)
    assert [fault for fault in game.contradictions(facts) if "Zone 2, near: the rulebook's examples say 14 15" in fault]


# -- in play -----------------------------------------------------------------------------------------------------------


def unknown(zone: str, text: str) -> Board:
    """The board of the examples, with one Zone entered differently."""
    return Board({f"zone:{zone}": text})


def test_4_1_2_zones_across_the_streets_are_asked_for_when_a_rule_needs_them() -> None:
    """[4.1.2, 14.2] Zone 50 was entered without streets; when it is taken they are asked for, and the Zones around Activated."""
    board = Board({"zones": ("50", "51", "52"), "zone:50": "C-1; door C", "zone:51": "C-1; door C; near 50; egress exit"}, "late")
    board.zone("50")
    board.squad(7, "50-C")
    board.do("end", "zone:50=n52", "zone:52=c.1 x", accept=True)

    assert board.controlled("50") and len(board.position.at("box 52")) == 1
    assert board.facts["zone:50"] == "C-1; door C; near 52"
    assert set(board.referee.town.near("50")) == {"51", "52"}


def test_14_2_a_zone_entered_later_is_activated_as_the_turn_ends() -> None:
    """[14.2: later] It turns out to lie beside a Zone taken before; its nature and two Suspects are drawn as for any other."""
    board = Board({"zones": ("50", "51"), "zone:50": "C-1; door C; near 2"}, "late")
    board.zone("50", ours=True)
    game = board.referee
    board.game.corrections.apply_fact(game, "zone", "51", "C-1-2; door C; near 50; egress exit")
    assert game.members("late") == ("51",) and "it is Activated as the turn ends" in str(game.events[-1])
    board.position = game.position
    board.do("end", accept=True)

    assert len(board.position.at("box 51")) == 1 and board.enemies("51") == ["1 suspect", "2 suspect"]
    assert not board.position.members("late")


def test_4_1_the_prompt_for_a_zone_repeats_facts_of_other_zones() -> None:
    """[4.1, 4.1.1] The prompt shows the known parts as defaults; a Zone without Locations is asked for again."""
    board = Board({"zones": ("2", "50", "51"), "zone:50": "C-1; door C; adjacent 51; near 2; egress 2"})
    board.zone("50", ours=True)
    board.squad(7, "50-C")
    with pytest.raises(Unreadable, match="nothing is said of Zone 51, its Locations"):
        board.do("move", "unit=7", "to=51-C", "zone:51=x", accept=True)
    board.do("move", "unit=7", "to=51-C", "zone:51=c.1 x", accept=True)

    assert board.at("squad-7") == "51-C"
    assert board.referee.town.adjacent("51") == ("50",)


def test_4_1_the_form_accepts_zones_across_the_streets() -> None:
    """[4.1.2] The form accepts Zones across the streets, and then asks for no street names."""
    table = Blank("phantomfury", "jolan")
    table.do("zone", "zone=3", "locations=C-1-2-R", "door=C", "roof=R", "near=14 15", "egress=14 15", accept=True)

    assert table.facts["zone:3"] == "C-1-2-R; door C; roof R; adjacent 2 4; near 14 15; egress 14 15"
    assert not [key for key in table.facts if key.startswith("section:")]


def test_6_2_a_black_circle_that_is_not_among_the_nine() -> None:
    """[6.2] The nine Zones are named, and this one is not among them."""
    game = Board().game
    assert game.contradictions({"start": "1 2 3 4 5 6 7 8 9", "zone:40": "C-1; black"}) == [
        "Zone 40 has a black circle, and is not among the nine: 1, 2, 3, 4, 5, 6, 7, 8, 9 [6.2]"
    ]
