"""[14.0, 7.0, 8.0] Control, contact, regrouping, infiltration, markers; the end of the turn and of the game."""

from __future__ import annotations

import pytest

from tests.games.phantomfury.board import Board, Practice


def quiet() -> Board:
    """Everything is Activated, so that no contact draws anything."""
    board = Board()
    board.set(phase=4)
    board.ours("2", "3", "4")
    board.zone("13", "14", "15", "16", "23", "24", "25", "26")
    return board


def test_14_1_1_a_zone_with_only_a_squad_is_taken() -> None:
    """[13.4.3.3: ends] [14.1.1: only, fanaticism] [14.0, 14.1] Also by a Pinned squad (C-25); its Fanaticism marker goes; an
    enemy left denies it.
    """
    board = quiet()
    board.squad(7, "14-C", pinned=True)
    board.squad(1, "15-C")
    board.enemy("15-R")
    board.marker("Fanaticism", "14")
    board.do("end", dice=[0])
    assert board.controlled("14") and not board.controlled("15")
    assert board.says("Zone 15: Squad 1, not under Control: Suspect at 15-R")
    assert not [piece for piece in board.position.at("box 14") if piece.name == "Fanaticism"]


def test_14_1_2_an_element_alone_takes_nothing() -> None:
    """[14.1.2: alone] [14.3.2: gone] Nor does an M1A1; the Element of a lost squad goes."""
    board = quiet()
    board.squad(7, "out of the game")
    board.element(7, "14-C")
    board.change("m1a1", place="16-OG")
    board.do("end")
    assert not board.controlled("14") and not board.controlled("16")
    assert board.at("element-7") == "beside the map"


def test_14_2_contact_all_round() -> None:
    """[5.3.2.1: mosque] [14.2: new] [4.1.3] Adjacent and Neighbouring Zones that are not Activated yet, with two
    Suspects each.
    """
    board = Board()
    board.set(phase=4)
    board.zone("22")
    board.squad(7, "22-C")
    zones = ["Activated Zone", "2/1/R", "1/2/R"]
    board.do("end", draws=["Activated Strong Point", *zones[1:], *zones])
    assert board.controlled("22")
    assert len(board.enemies("12")) == 2 and len(board.enemies("32")) == 2
    assert board.enemies("41") == []
    assert {board.position.at("box 12")[0].name, board.position.at("box 32")[0].name} == {
        "Activated Strong Point",
        "Activated Zone",
    }


def test_14_2_contact_with_the_mosque() -> None:
    """[4.1.3: circle] [4.1.5: mosque] [5.3.2.1: mosque] [5.3.2.3: none] [14.2, 5.3.2] Zone 26 is Fortified without a draw, and
    gets three Suspects; each Zone once.
    """
    board = quiet()
    board.change(board.position.at("box 26")[0].id, place="zones cup")
    board.squad(7, "16-C")
    board.do("end", draws=["2/1/R", "1/2/R", "R/2/1"])
    assert board.names_at("box 26") == ["Activated Strong Point"]
    assert board.enemies("26") == ["1 suspect", "2 suspect"]
    assert board.says("no free Location")


def test_14_3_1_elements_come_back_and_fired_units_turn() -> None:
    """[12.3.2.3: control] [13.6.4: until] [14.3.1: control] [14.3.3: turn] [14.3] In a Zone under USMC Control, not
    elsewhere; M1A1s too (ruling C-27).
    """
    board = quiet()
    board.squad(1, "13-1")
    board.element(1, "13-C")
    board.enemy("13-2")
    board.marker("No Insurgents Event", "14")
    board.squad(7, "14-1", fired=True)
    board.element(7, "14-C")
    board.change("m1a1", place="street s", marks={"fired": True})
    board.do("end")
    assert board.at("element-7") == "beside the map"
    assert board.at("element-1") == "13-C"
    assert "No Insurgents Event" not in board.names_at("box 14")
    assert not board.mark(7, "fired")
    assert not board.position.pieces["m1a1"].marks.get("fired")


@pytest.mark.parametrize(
    ("place", "face", "free"),
    [("3-1", 5, True), ("3-1", 6, False), ("3-C", 4, True), ("3-C", 5, False), ("16-OG", 3, True), ("16-OG", 4, False)],
)
def test_14_3_4_the_die_of_a_pinned_squad(place: str, face: int, free: bool) -> None:
    """[14.3.4: place] CF 5: 1 is added in a Courtyard, 2 in Open Ground."""
    board = quiet()
    board.squad(7, place, pinned=True)
    board.squad(12, "2-C")
    board.enemy("15-R")
    board.do("end", dice=[face])
    assert bool(board.mark(7, "pinned")) == (not free)


@pytest.mark.parametrize(("tank", "face", "free"), [(False, 3, True), (False, 4, False), (True, 5, True), (True, 6, False)])
def test_14_3_4_in_a_street(tank: bool, face: int, free: bool) -> None:
    """[14.3.4: street] 2 is added in a street without an M1A1, nothing with one."""
    board = quiet()
    board.squad(7, "street s", pinned=True)
    board.squad(12, "2-C")
    board.enemy("15-R")
    if tank:
        board.change("m1a1", place="street s")
    board.do("end", dice=[face])
    assert bool(board.mark(7, "pinned")) == (not free)


@pytest.mark.parametrize(("where", "name", "die"), [("24-1", "", False), ("14-1", "", True), ("14-1", "G1/M1", True)])
def test_14_3_4_no_enemy_around(where: str, name: str, die: bool) -> None:
    """[14.3.4: nobody] Without enemies in the Zones around, no die is rolled; a Suspect is one as well as a unit."""
    board = quiet()
    board.squad(7, "3-C", pinned=True)
    board.enemy(where, name)
    board.do("end", dice=[9] if die else [])
    assert bool(board.mark(7, "pinned")) == die


def test_14_3_5_a_spent_caat_leaves() -> None:
    """[5.1.4.3: spent] [14.3.5: both] Without Ammo and Explosives, and without a loss of VP."""
    board = quiet()
    board.squad(7, "3-C", caat=True, ammo=None, explosives=None)
    board.squad(1, "4-C", caat=True, ammo=None)
    board.do("end")
    assert not board.mark(7, "caat") and board.mark(1, "caat")
    assert board.track("vp") == 0


def test_14_4_1_a_suspect_slips_in_and_no_domino() -> None:
    """[14.4.1: base] [14.4.3: domino] [14.4] From Zone 15 into the empty Zone 3; Zones 2 and 4 behind it are out of its reach."""
    board = quiet()
    board.zone("12", "22")
    board.enemy("13-1", "G2/M2")
    board.do("end", draws=["1/2/R"])
    assert not board.controlled("2")
    assert board.enemies("2") == ["1 suspect"]
    assert board.controlled("3") and board.controlled("4")


@pytest.mark.parametrize("closed", ["tank", "pinned", "squad"])
def test_14_4_2_a_watched_street(closed: str) -> None:
    """[14.4.2: watched] An M1A1 or a Pinned squad in the Section, or a squad in a USMC Zone beside it, bars the way."""
    board = quiet()
    board.enemy("24-1")
    board.ours("14")
    board.zone("15", "16", "13", "23")
    dice = []
    if closed == "tank":
        board.change("m1a1", place="street v")
    elif closed == "pinned":
        board.squad(7, "street v", pinned=True)
        dice = [9]
    else:
        piece = next(marker for marker in board.position.at("box 25") if marker.kind == "control")
        board.change(piece.id, face="usmc")
        board.squad(7, "25-C")
    board.do("end", dice=dice)
    assert board.controlled("14") and board.enemies("14") == []


def test_14_4_1_not_out_of_a_zone_with_marines() -> None:
    """[14.4.1: marines] The base must be clear of USMC units (ruling C-29)."""
    board = quiet()
    board.enemy("13-1")
    board.squad(7, "13-C")
    board.do("end")
    assert board.controlled("2")


def test_14_5_phantom_fury_lasts_to_the_end_of_the_next_turn() -> None:
    """[13.4.3.2: until] [14.5: turns] 0015 turns to 0030, and then goes."""
    board = quiet()
    board.marker("Phantom Fury", "3")
    board.do("end")
    assert [piece.face for piece in board.position.at("box 3") if piece.kind == "marker"] == ["0030"]
    board.do("end")
    assert [piece for piece in board.position.at("box 3") if piece.kind == "marker"] == []


# -- the end -----------------------------------------------------------------------------------------------------------


def test_8_0_phases_do_not_go_back() -> None:
    """[8.0: order] After the Assault Phase has begun, Fire is out of sequence; the new turn begins with Support."""
    board = quiet()
    board.squad(1, "3-C")
    fire = next(action for action in board.game.actions if action.id == "fire")
    obstacle = fire.obstacle(board.position)
    assert obstacle is not None and obstacle.rule == "8.0"
    board.do("end")
    assert board.track("turn") == 4 and board.track("phase") == 0


def test_15_0_the_variant() -> None:
    """[15.0] A second M1A1, thirteen turns; played from the set-up of the practice map, which is made up."""
    plain, variant = Practice(), Practice(variant="on")
    assert len(plain.position.of_kind("tank")) == 1
    assert len(variant.position.of_kind("tank")) == 2
    assert plain.game.tables.game["scenario_data"]["jolan"]["variant_turns"] == 13
    assert int(str(variant.position.flag("turns"))) < int(str(plain.position.flag("turns")))


# -- conditions and exceptions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("held", [True, False])
def test_14_4_1_an_m1a1_keeps_them_out(held: bool) -> None:
    """[14.4.1: empty] A Zone with any USMC unit in it is not infiltrated, not even with an M1A1 alone."""
    board = quiet()
    board.ours("16")
    board.enemy("26-1")
    if held:
        board.change("m1a1", place="16-OG")
    board.do("end", draws=[] if held else ["1/2/R"])
    assert board.controlled("16") == held


def test_14_4_1_no_way_in_without_a_base() -> None:
    """[14.4.1: base] An Activated Zone beside it without an enemy is no base."""
    board = quiet()
    board.do("end")
    assert all(board.controlled(zone) for zone in ("2", "3", "4"))
