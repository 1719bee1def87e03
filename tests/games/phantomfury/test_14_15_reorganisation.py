"""[14.0] The Reorganisation Phase in its printed order, and [15.0] the Historical Variant."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.phantomfury.field import Field


def told(table: Field) -> str:
    return " ".join(table.said)


def element(table: Field, squad: str, place: str) -> str:
    """The Security Element of a squad, detached."""
    owner = next(piece for piece in table.position.pieces.values() if piece.id == squad)
    return table.add("element", f"Security Element of {owner.name}", place, squad=squad).id


# -- control and contact -----------------------------------------------------------------------------------------------


def test_14_1_1_a_zone_with_only_a_squad_is_taken() -> None:
    """[14.0, 14.1, 14.1.1, 13.4.3.3] Also by a Pinned squad (C-25); Fanaticism ends; an enemy left denies it."""
    table = Field()
    table.activated("13", "14", "15", "16", "23", "24", "25", "26", "22")
    table.squad(8, "14-1", pinned=True)
    table.marker("14", "Fanaticism")
    table.squad(4, "13-1")
    table.suspect("13-2")
    table.do("end", dice=[0])

    assert (table.controlled("14"), table.controlled("13")) == (True, False)
    assert "Fanaticism" not in table.names_at("box 14")
    assert "Zone 13: Squad 4, not under Control: Suspect at 13-2" in told(table)


def test_14_1_2_a_security_element_alone_takes_nothing() -> None:
    """[14.1.2, 14.3.2] Its squad is eliminated: no Control, and it leaves the map."""
    table = Field()
    table.activated("14")
    squad = table.squad(8, "out of the game")
    there = element(table, squad, "14-C")
    table.do("end")

    assert not table.controlled("14")
    assert table.position.pieces[there].place == "beside the map"


def test_14_2_contact_activates_all_around() -> None:
    """[14.2, 5.3.2, 5.3.2.1] Two Suspects a Zone, three in Zone 26; each Zone once; after all Control is taken (C-26)."""
    table = Field()
    table.control("2", "3", "4", "12")
    table.activated("16", "14", "25")
    table.squad(8, "15-1")
    draws = ["Activated Zone", "2/1/R", "1/2/R"]
    table.do("end", draws=[*draws, "2/1/R", "1/2/R", "R/2/1"])

    assert table.controlled("15")
    assert table.kinds_at("24-2") == table.kinds_at("24-1") == ["suspect"]
    assert [table.kinds_at(f"26-{one}") for one in ("2", "1", "1'")] == [["suspect"]] * 3
    assert table.names_at("box 26") == ["Activated Strong Point"]


# -- regrouping --------------------------------------------------------------------------------------------------------


def test_14_3_1_elements_come_back_under_control() -> None:
    """[14.3, 14.3.1, 12.3.2.3, 13.6.4] In the Zone just taken it does, and the No Insurgents Event marker goes; elsewhere
    it stays.
    """
    table = Field()
    table.activated("13", "14", "15", "16", "22", "23", "24", "25", "26")
    one, other = table.squad(8, "14-1"), table.squad(4, "13-1")
    back, stays = element(table, one, "14-C"), element(table, other, "13-C")
    table.marker("14", "No Insurgents Event")
    table.suspect("13-2")
    table.do("end")

    assert table.position.pieces[back].place == "beside the map"
    assert table.position.pieces[stays].place == "13-C"
    assert "No Insurgents Event" not in table.names_at("box 14")


def test_14_3_3_fired_units_are_ready_again() -> None:
    """[14.3.3] Squads and M1A1s (ruling C-27)."""
    table = Field()
    table.control("2", "3")
    squad, tank = table.squad(8, "2-C", fired=True), table.tank("street b")
    table.change(tank, marks={"fired": True})
    table.do("end")

    assert not table.position.pieces[squad].mark("fired")
    assert not table.position.pieces[tank].mark("fired")


@pytest.mark.parametrize(
    ("place", "tank", "last_good"),
    [("2-1", "", 5), ("2-C", "", 4), ("street b", "", 3), ("street b", "street b", 5), ("25-OG", "", 3)],
)
@pytest.mark.parametrize("off", [0, 1])
def test_14_3_4_pinned_squads(place: str, tank: str, last_good: int, off: int) -> None:
    """[14.3.4] Up to the CF; +1 in a Courtyard, +2 in Open Ground or a street without an M1A1."""
    table = Field()
    table.control("2", "3", *(["25"] if place == "25-OG" else []))
    squad = table.squad(8, place, 5, pinned=True)
    table.squad(4, "3-C", 6)
    if tank:
        table.tank(tank)
    table.activated("14", "24")
    table.suspect("14-2", "24-1")
    table.do("end", dice=[last_good + off])

    assert bool(table.position.pieces[squad].mark("pinned")) == bool(off)


def test_14_3_4_nobody_around() -> None:
    """[14.3.4] Without an enemy around no die is rolled."""
    table = Field()
    table.control("2", "3")
    squad = table.squad(8, "2-C", pinned=True)
    table.do("end")

    assert not table.position.pieces[squad].mark("pinned")


def test_14_3_5_a_spent_caat_leaves_without_loss() -> None:
    """[14.3.5, 5.1.4.3] Neither Ammo nor Explosives; one with either stays (ruling C-51)."""
    table = Field()
    table.control("2", "3")
    spent = table.squad(8, "2-C", caat=True, ammo=None, explosives=None)
    other = table.squad(4, "3-C", caat=True, ammo=None)
    table.do("end")

    assert not table.position.pieces[spent].mark("caat")
    assert table.position.pieces[other].mark("caat")
    assert table.track("vp") == 0


# -- infiltration ------------------------------------------------------------------------------------------------------


def quiet(table: Field) -> None:
    """All Zones Activated, none with an enemy, all but 13 and 14 the insurgents'."""
    table.activated(*table.position.members("zones"))
    table.control("13", "14")


def test_14_4_1_an_empty_zone_is_infiltrated() -> None:
    """[14.4, 14.4.1] From an Adjacent or Neighbouring base; the marker turns back."""
    table = Field()
    quiet(table)
    table.squad(8, "13-1")
    table.suspect("15-1")
    table.do("end", draws=["2/1/R"])

    assert table.kinds_at("14-2") == ["suspect"]
    assert not table.controlled("14")
    assert table.controlled("13")


@pytest.mark.parametrize(
    ("guard", "barred"),
    [("", False), ("tank", True), ("pinned", True), ("squad", True)],
)
def test_14_4_2_watched_streets(guard: str, barred: bool) -> None:
    """[14.4.2] Base 12, Zone 2, one street between: an M1A1 or a Pinned squad in it, or a squad of a USMC Zone beside."""
    table = Field()
    table.activated(*table.position.members("zones"))
    table.control("2", "13")
    table.suspect("12-1")
    if guard == "tank":
        table.tank("street a")
        table.squad(8, "13-1")
    elif guard == "pinned":
        table.squad(4, "street a", pinned=True)
    elif guard == "squad":
        table.squad(8, "13-1")
    dice = [9] if guard == "pinned" else []
    draws = {"": ["2/1/R", "2/1/R"], "pinned": ["2/1/R"]}.get(guard, [])
    table.do("end", dice=dice, draws=draws)

    assert table.controlled("2") == barred


def test_14_4_3_no_dominoes() -> None:
    """[14.4.3] Zone 13 is infiltrated from 12 and is no base against 14 in this Phase."""
    table = Field()
    quiet(table)
    table.suspect("12-1")
    table.do("end", draws=["2/1/R"])

    assert (table.controlled("13"), table.controlled("14")) == (False, True)


def test_14_4_1_a_base_with_a_squad_in_it_is_none() -> None:
    """[14.4.1] The base must be clear of USMC units (ruling C-29)."""
    table = Field()
    quiet(table)
    table.suspect("15-1")
    table.squad(8, "15-C")
    table.do("end")

    assert table.controlled("14")


# -- markers, variant --------------------------------------------------------------------------------------------------


def test_14_5_phantom_fury_lasts_to_the_end_of_the_next_turn() -> None:
    """[14.5, 13.4.3.2] 0015 turns to 0030, which comes off a turn later."""
    table = Field()
    table.control("2")
    table.squad(8, "2-C")
    table.marker("2", "Phantom Fury")
    table.do("end")

    marker = table.named("Phantom Fury")
    assert (marker.place, marker.face) == ("box 2", "0030")
    table.do("end")

    assert table.named("Phantom Fury").place == "beside the map"


@pytest.mark.parametrize(("choice", "points"), [("off", -2), ("on", 0)])
def test_15_battalion_squads_are_free_in_the_variant(choice: str, points: int) -> None:
    """[15.0, 10.3] ``variant``: "on" takes no VP for them."""
    table = Field(turn=5, variant=choice)
    table.control("2")
    squad = table.position.at("battalion box")[0]
    table.do("reinforce", f"units={squad.number('number')}")

    assert table.track("vp") == points
    assert table.position.pieces[squad.id].place == "2-C"


def test_10_4_iif_squads_come_after_a_zone_beside_the_mosque() -> None:
    """[10.4, 14.1.1] Taken in turn 3: refused before, possible in turn 4 (ruling C-33)."""
    table = Field()
    table.control("2", "3")
    table.activated("14", "16", "24", "25", "26")
    table.squad(8, "15-1")
    table.do("end", draws=[])

    assert table.position.flag("mosque reached") == 3
    table.set(turn=3)
    with pytest.raises(Illegal, match="the turn after"):
        table.do("reinforce", "units=i1", "zone=2")
    table.set(turn=4)
    table.do("reinforce", "units=i1", "zone=2")

    assert table.where("IIF 1") == "2-C"


@pytest.mark.parametrize("choice", ["out", "returned"])
def test_13_6_6_exit_ruling_c_23(choice: str) -> None:
    """[13.6.6] ``exit``: out of the game, or "returned" to the cup; no VP."""
    table = Field(exit=choice)
    table.activated("41")
    table.squad(8, "41-C", 4)
    unit = table.enemy("41-1", "g1")
    table.do("assault", "squad=8", "target=41-1", dice=[9, 9])

    assert table.position.pieces[unit].place == ("out of the game" if choice == "out" else "insurgents cup")
    assert table.where("Squad 8") == "41-1"
    assert table.track("vp") == 0
