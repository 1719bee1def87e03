"""Manual corrections: Zone Control, counters by their names, and values that actions depend on."""

from __future__ import annotations

import pytest

from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.events import Said
from companion.core.position import Piece
from companion.core.resolver import Answers
from companion.games.phantomfury.state import is_controlled, marker_of, zone_marker
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.phantomfury.board import Practice


@pytest.fixture
def session(archive: Archive) -> SessionController:
    session = SessionController.create(
        archive, "phantomfury", scenario="practice_small", seed="g", dice="physical", answers=Answers(accept=True)
    )
    session.do("end", Answers(accept=True))
    return session


def test_4_1_4_control_of_a_zone_in_words(session: SessionController) -> None:
    markers = {zone: marker_of(session.position, zone) for zone in session.position.members("zones")}
    zone = next(zone for zone, marker in markers.items() if marker and not is_controlled(session.position, zone))
    other = next(zone for zone, marker in markers.items() if marker is None)
    for subject in (f"control {zone}", f"zone {zone}", f"zone {zone} control", f"control {other}"):
        session.adjust([(subject, "usmc")], "seen")
        assert is_controlled(session.position, subject.split()[1])
        session.adjust([(subject, "insurgents")], "seen")
        assert not is_controlled(session.position, subject.split()[1])
        session.undo(2)
    with pytest.raises(Unreadable, match="holder of a Zone"):
        session.adjust([(f"control {zone}", "nobody at all")], "x")


def test_4_1_a_map_has_zones_and_occupied_streets(session: SessionController) -> None:
    """Without them nothing could be chosen or done any more."""
    zones = session.position.members("zones")
    squad = next(piece for piece in session.position.of_kind("squad") if "-" in piece.place)
    left = [zone for zone in zones if zone != squad.place.partition("-")[0]]
    for value, why in (("none", "which the map would not have"), (",".join(left), "which the map would not have")):
        with pytest.raises(Illegal, match=why):
            session.adjust([("flag:zones", value)], "seen")
    session.adjust([("flag:zones", ",".join([*zones, "61"]))], "seen")
    assert session.position.members("zones")[-1] == "61"


def enemy(session: SessionController) -> Piece:
    return next(piece for piece in session.position.of_kind("insurgent") if "-" in piece.place)


def test_5_2_1_an_insurgents_unit_by_its_name_on_the_screen(session: SessionController) -> None:
    session.adjust([("new:insurgent:Guerillas 2", "14-R")], "seen")
    unit = enemy(session)
    session.adjust([("Guerillas@14-R", "martyrs")], "turned over")
    assert session.position.pieces[unit.id].face == "martyrs"
    session.adjust([(f"{unit.id}.face", "guerillas")], "turned back")
    assert session.position.pieces[unit.id].face == "front"
    with pytest.raises(Unreadable, match="It has: front, martyrs"):
        session.adjust([(f"{unit.id}.face", "reduced")], "x")


def test_12_2_1_2_no_squad_is_put_onto_an_enemy(session: SessionController) -> None:
    """[12.2.1.2: squad] Nor by a correction."""
    squad = next(piece for piece in session.position.of_kind("squad") if "-" in piece.place)
    with pytest.raises(Illegal, match="no squad and enemy are in one Location") as caught:
        session.adjust([("new:suspect", squad.place)], "seen")
    assert "adjust" in caught.value.cure


def test_4_2_a_place_that_the_map_has_not(session: SessionController) -> None:
    for place, fault in (("99-C", "99"), ("60-C", "this map has no Zone 60"), ("14-OG", "Zone 14 has no OG")):
        with pytest.raises(Unreadable, match=fault):
            session.adjust([("new:suspect", f'"{place}"')], "seen")


@pytest.mark.parametrize("marker", ["Rubble", "Phantom Fury", "Fanaticism", "No Insurgents Event"])
def test_4_1_6_a_marker_of_a_zone_counts_wherever_in_the_zone_it_is_told_to_lie(session: SessionController, marker: str) -> None:
    """[4.1.6, 14.5, 13.4.3.3, 13.6.4] By the number of the Zone, a Location, or its Control box."""
    for text in ("3", "3-C", "3-2", "zone 3", "box 3", '"3-C"'):
        session.adjust([(f"new:marker:{marker}", text)], "seen")
        assert zone_marker(session.position, "3", marker), text
        session.adjust([(marker, "2-C")], "moved")
        assert zone_marker(session.position, "2", marker) and not zone_marker(session.position, "3", marker)
        session.undo(2)


def test_4_1_6_a_marker_that_an_earlier_version_recorded_in_a_location_counts(session: SessionController) -> None:
    rubble = Piece("rubble#99", "marker", "Rubble", "3-2")
    referee = session.game.new_referee(session.position.with_piece(rubble), session.options)
    assert referee.ruins() == {"3"} and zone_marker(referee.position, "3", "Rubble")


@pytest.mark.parametrize(
    ("what", "place", "fault"),
    [
        ("new:marker:Rubble", "street a", "lies in a Zone, not in a street"),
        ("new:marker:Rubble", "61", "this map has no Zone 61"),
        ("new:control", "27", "neither side can Control Zone 27"),
        ("new:suspect", "box 3", "lies in a Location, not in the Control box"),
        ("new:suspect", "street a", "lies in a Location of a Zone, not in a street"),
        ("Squad 1", "box 3", "Name its Location: 3-C"),
    ],
)
def test_4_1_4_a_place_where_a_counter_has_no_effect_is_refused(
    session: SessionController, what: str, place: str, fault: str
) -> None:
    with pytest.raises(CompanionError) as caught:
        session.adjust([(what, place)], "seen")
    assert fault in f"{caught.value.message} {caught.value.cure}"


def test_9_2_a_mission_goes_by_its_track_to_its_end(session: SessionController) -> None:
    """Used up while it is on its way: refused, with what to do instead; the track never ends outside its bounds."""
    session.do("mission", Answers([("mission", "ah1w")]))
    with pytest.raises(Illegal, match="has already used AH-1W Missions as it was") as caught:
        session.adjust([("ah1w", "2")], "both were used")
    assert "undo" in caught.value.cure
    session.abort()
    session.adjust([("ah1w", "2")], "both were used")
    with pytest.raises(Illegal, match="has been used up"):
        session.do("mission", Answers([("mission", "ah1w")]))


def test_13_4_an_assault_goes_by_its_target_to_its_end(session: SessionController) -> None:
    """The target cannot walk away in the midst of it."""
    squad = next(piece for piece in session.position.of_kind("squad") if piece.place.endswith("-C"))
    zone = squad.place.partition("-")[0]
    session.adjust([("new:insurgent:G2/M2", f"{zone}-1")], "seen")
    under = session.do("assault", Answers([("squad", squad.name), ("target", f"{zone}-1")]))
    assert under.pending
    before = session.position
    with pytest.raises(Illegal, match="has already used G2/M2 as it was"):
        session.adjust([(f"G2/M2@{zone}-1", f"{zone}-2")], "oops")
    assert session.position == before


def test_4_1_a_zone_that_was_entered_wrongly(archive: Archive) -> None:
    """The session follows, pieces in Locations that no longer exist are named, and it can be undone."""
    archive.record_facts("phantomfury", {"zone:2": "C-1-2-R; door C; roof R; black"})
    session = SessionController.create(archive, "phantomfury", scenario="jolan", seed="g")
    assert session.pending
    session.adjust([("fact:zone:2", "C-1-R; door C; roof R; black")], "misread")
    assert session.position.flag("zone:2") == "C-1-R; door C; roof R; black"
    assert archive.printed("phantomfury")["zone:2"] == "C-1-R; door C; roof R; black"


def test_4_1_3_aliases_of_places_on_the_board(archive: Archive) -> None:
    """[4.1.3, 4.1.4, 5.3.2] ``adjust`` reads the words of the table; repetitions and unknown places are refused."""
    session = SessionController.create(archive, "phantomfury", "practice", seed="g", answers=Answers(accept=True))
    cup = session.position.count("suspects cup")
    session.adjust([("control 23", "usmc")], "seen")
    session.adjust([("suspect", "24-2")], "seen")
    session.adjust([("activate", "24")], "seen")
    position = session.position

    assert session.do("control", Answers([("zone", "22"), ("who", "usmc")])).pending is None and session.position.at("box 22")
    assert [piece.kind for piece in position.at("24-2")] == ["suspect"] and len(position.at("box 24")) == 1
    assert position.at("box 23")[0].face == "usmc" and position.count("suspects cup") == cup - 1
    with pytest.raises(CompanionError, match="not a Location"):
        session.adjust([("suspect", "24-9")], "seen")


def test_4_1_3_words_in_the_loop_draw_by_the_rules() -> None:
    """[4.1.3, 5.3.2.1] ``activate 23`` draws its nature and two Suspects; ``suspect`` and ``control`` place what is named."""
    field = Practice()
    field.seed = "words"
    field.do("set-activated", "zone=23", accept=True)
    assert len(field.position.at("box 23")) == 1 and len(field.enemies("23")) == 2
    with pytest.raises(CompanionError, match="Zone 23 is Activated already"):
        field.do("set-activated", "zone=23")
    field.do("set-suspect", "place=24-2", accept=True)
    field.do("set-control", "zone=24", "who=usmc")
    assert field.enemies("24") == ["2 suspect"] and field.controlled("24")
    with pytest.raises(CompanionError, match="24-2 is occupied"):
        field.do("set-suspect", "place=24-2")
    with pytest.raises(CompanionError, match="has no OG"):
        field.do("set-suspect", "place=24-OG")


ZONE_26 = ("flag:zones", "2 3 14 15 24 26")
SQUAD_16 = ("new:squad:16", "14-C")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("new:suspect", "14-1"), ("new:insurgent:G1/M1", "14-1")], "Two enemies are in 14-1"),
        ([ZONE_26, ("new:squad:16", "26-C")], "No USMC squad enters Zone 26, and Squad 16 is in it"),
        ([SQUAD_16, ("new:squad:17", "14-C")], "Two squads are in Zone 14, which the insurgents Control"),
        ([("new:iif:1", "14-C")], "IIF 1 is in Zone 14, which the insurgents Control"),
        ([("M1A1 1", "14-C")], "An M1A1 is in no Location but Open Ground, and M1A1 1 is in 14-C"),
        ([("M1A1 1", "street b"), ("new:tank:2 8", "street b")], "Two units of one kind are in Street Section b"),
        ([SQUAD_16, ("new:element:16", "14-1")], "A Security Element is left in C or R, not in 14-1"),
        ([SQUAD_16, ("new:element:16", "24-C")], "Squad 16 is not in Zone 24 with its Security Element"),
        ([SQUAD_16, ("Squad 16.fired", "yes"), ("Squad 16.pinned", "yes")], "Squad 16 is Pinned, which replaces Fired"),
        ([SQUAD_16, ("Squad 16.ammo", "2")], "Squad 16 has munitions and no CAAT"),
        ([("new:iif:1", "3-C"), ("IIF 1.hero", "Silver Star")], "IIF 1 cannot have a Hero or a CAAT"),
        ([("new:squad:16", "company box"), ("Squad 16.pinned", "yes")], "Squad 16 is off the map and has markers"),
        ([("new:suspect", "14-1"), ("control 14", "usmc")], "Zone 14 is under USMC Control with enemies in it"),
        ([("control 14", "usmc"), ("new:marker:Fanaticism", "14")], "Zone 14 is under USMC Control, which ends Fanaticism"),
        ([("new:marker:No Insurgents Event", "14")], "No Security Element is in Zone 14"),
        ([("new:suspect", "24-2"), ("new:marker:Rubble", "24")], "2/1/R: Zone 24 lies in Ruins, and has no 2 or 2' or R"),
    ],
)
def test_12_2_what_the_rules_do_not_allow_is_said(session: SessionController, changes: list[tuple[str, str]], said: str) -> None:
    """[4.1.6, 5.1.4.1, 5.1.6, 11.5, 12.2.1.1, 12.2.1.2, 12.2.3.2, 12.3.2.1, 12.4.2, 12.6.2, 13.6.3] It is recorded."""
    result = session.adjust(changes, "seen")
    warnings = [event.text for event in result.events if isinstance(event, Said) and event.tone == "warning"]
    assert f"{said}. If it does not lie so: companion undo" in warnings


def test_12_2_what_the_rules_allow_is_not_doubted(session: SessionController) -> None:
    """A squad with its Security Element and a CAAT, a Zone that is held, a tank in the street."""
    changes = [SQUAD_16, ("Squad 16.caat", "yes"), ("Squad 16.ammo", "2"), ("new:element:16", "14-C")]
    result = session.adjust([*changes, ("M1A1 1", "street b"), ("new:marker:Fanaticism", "14"), ("control 24", "usmc")], "seen")
    assert [event.text for event in result.events if isinstance(event, Said)] == []


def test_12_3_2_2_a_squad_moved_off_its_security_element_is_remarked(session: SessionController) -> None:
    """Inside its Zone nothing is said; in another Zone the warning names the Element that it cannot leave behind."""
    session.adjust([SQUAD_16, ("new:element:16", "14-C")], "seen")
    inside = session.adjust([("Squad 16", "14-R")], "seen")
    assert [event.text for event in inside.events if isinstance(event, Said)] == []
    outside = session.adjust([("Squad 16", "24-C")], "seen")
    warnings = [event.text for event in outside.events if isinstance(event, Said) and event.tone == "warning"]
    said = "Security Element of Squad 16 is left at 14-C, and Squad 16 is not in that Zone"
    assert f"{said}. If it does not lie so: companion undo" in warnings
