"""[11.0] Fire Combat, CAAT Ammo, Sniper Attacks, Fired and Pinned."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.games.phantomfury.rules.r11_shots import Shot, fire_modifiers
from tests.games.phantomfury.board import Board


def facing(**marks: object) -> Board:
    board = Board()
    board.set(phase=2)
    board.ours("3")
    board.zone("14", "15", "16")
    board.squad(1, "3-R", **marks)  # type: ignore[arg-type]
    return board


def test_11_1_fire_comes_from_zones_under_control_into_zones_without_marines() -> None:
    """[11.1: control, clear] [11.0] A squad in a Zone of the insurgents does not fire out (ruling C-47), and nobody fires at
    one's own.
    """
    board = facing()
    board.squad(7, "14-C")
    board.enemy("15-1")
    board.enemy("14-1")
    with pytest.raises(Illegal, match=r"not under USMC Control.*11\.1"):
        board.do("fire", "unit=7", "target=15-1")
    with pytest.raises(Illegal, match=r"Squad 7 is in Zone 14.*11\.1"):
        board.do("fire", "unit=1", "target=14-1")


def test_11_1_only_zones_around() -> None:
    """[11.1: around] Zone 24 is two streets away."""
    board = facing()
    board.enemy("24-1")
    board.enemy("15-1")
    with pytest.raises(Illegal, match="neither Adjacent nor Neighbouring"):
        board.do("fire", "unit=1", "target=24-1")


def test_4_1_2_1_a_line_of_fire_reaches_further() -> None:
    """[4.1.2.1: only] A target symbol names a Zone that counts as Neighbouring for Fire; the Sniper counts the target (C-5)."""
    board = Board({"zone:3": "C-1-2-R; door C; roof R; adjacent 2 4; streets n s t; fire 24; black"})
    board.set(phase=2)
    board.ours("3")
    board.zone("24")
    board.squad(1, "3-R")
    board.enemy("24-1")
    board.do("fire", "unit=1", "target=24-1", dice=[5, 0, 1])

    assert board.says("1, hits on 0-1: HIT")
    assert board.mark(1, "pinned")


def test_11_1_1_no_unit_fires_within_a_zone() -> None:
    """[11.1.1: zone] Not even at what came in by the roof."""
    board = facing()
    board.enemy("3-1")
    board.enemy("15-1")
    with pytest.raises(Illegal, match=r"within its own Zone.*11\.1\.1"):
        board.do("fire", "unit=1", "target=3-1")


@pytest.mark.parametrize(("place", "offered"), [("3-R", True), ("3-C", True), ("3-2", False)])
def test_11_1_2_ammo_from_outside_only(place: str, offered: bool) -> None:
    """[11.1.2: where] [11.1.2.1, 5.1.4.2] From OG, C or R, if the player likes: 2 more CF, one shot less."""
    board = facing(caat=True)
    board.squad(1, place, caat=True)
    board.enemy("15-1", "G1/M1")
    board.do("fire", "unit=1", "target=15-1", accept=True, dice=[7])

    assert ("caat" in board.asked_for()) == offered
    assert (board.enemies("15") == []) == offered
    assert board.mark(1, "ammo") == (3 if offered else 4)


def test_11_1_2_1_the_last_shot_takes_the_marker_off() -> None:
    """[11.1.2: ammo] [11.1.2.1: last] After four shots the Ammo marker goes; the CAAT stays while it has Explosives."""
    board = facing(caat=True, ammo=1)
    board.enemy("15-1", "G1/M1")
    board.do("fire", "unit=1", "target=15-1", "caat=yes", dice=[8])
    assert board.mark(1, "ammo") is None
    assert board.mark(1, "caat")


def tank() -> Board:
    board = facing()
    board.change("m1a1", place="street s")
    return board


def test_11_1_3_an_m1a1_fires_from_streets_and_not_at_roofs() -> None:
    """[11.1: street] [11.1.3: roof, ground] CF 8 at the Zones beside its Section; not at R, not from Open Ground."""
    board = tank()
    board.enemy("15-R")
    board.enemy("15-1", "G1/M1")
    with pytest.raises(Illegal, match=r"Rooftop.*11\.1\.3"):
        board.do("fire", "unit=m1", "target=15-R")
    board.do("fire", "unit=m1", "target=15-1", dice=[7])
    assert board.says("(7+1 = 8, CF 8): HIT")
    board = tank()
    board.change("m1a1", place="16-OG")
    board.enemy("15-1")
    with pytest.raises(Illegal, match=r"Open Ground.*11\.1\.3"):
        board.do("fire", "unit=m1", "target=15-1")


def test_4_3_1_2_a_section_has_lines_of_fire() -> None:
    """[4.3.1.2: only] [12.5.2: attack] Zones named by a Section's target symbol are Adjacent to it for Fire and crossing."""
    board = Board({"section:s": "2 3 14 15; next n t; fire 24"})
    board.set(phase=2)
    board.ours("3")
    board.zone("14", "24")
    board.change("m1a1", place="street s")
    board.squad(7, "3-C")
    board.enemy("24-1", "G1/M1")
    board.do("move", "unit=7", "to=14-C", dice=[9])
    assert board.asked_for("roll") == ["units"]
    board.set(phase=2)
    board.do("fire", "unit=m1", "target=24-1", dice=[1])
    assert board.enemies("24") == []


def test_11_2_a_nine_never_hits() -> None:
    """[11.2.4: nine] Even where CF 8 would be enough without it; the firer has Fired all the same [11.3]."""
    board = facing(caat=True)
    board.marker("Phantom Fury", "3")
    board.enemy("15-R")
    board.do("fire", "unit=1", "target=15-R", "caat=yes", dice=[9])

    assert board.says("a 9 always misses")
    assert board.enemies("15") == ["R suspect"]
    assert board.mark(1, "fired")


def test_11_2_3_a_miss_changes_nothing() -> None:
    """[11.2.3, 11.2.1] 6 and 1 are 7, more than CF 6."""
    board = facing()
    board.enemy("15-1", "G2/M2")
    board.do("fire", "unit=1", "target=15-1", dice=[6])
    assert board.says("(6+1 = 7, CF 6): miss")
    assert board.enemies("15") == ["1 guerillas 2"]


def test_13_4_3_2_phantom_fury_helps_squads_around_it() -> None:
    """[13.4.3.2: around, several] [11.2.1] -1 in the Zone of the marker and those around; two markers are no more than one."""
    board = facing()
    board.marker("Phantom Fury", "3")
    board.marker("Phantom Fury", "14")
    board.enemy("15-1", "G2/M2")
    board.do("fire", "unit=1", "target=15-1", dice=[6])
    assert board.says("(6+1-1 = 6, CF 6): HIT")


def test_11_3_a_unit_that_fired_neither_moves_nor_attacks() -> None:
    """[11.3: fired] [12.1.1: held] Nor fires again."""
    board = facing(fired=True)
    board.enemy("15-1")
    board.enemy("3-2")
    for action in ("fire", "move", "assault"):
        with pytest.raises(Illegal, match=r"has Fired.*11\.3"):
            board.do(action, "unit=1" if action != "assault" else "squad=1")


def test_11_4_1_a_tank_is_not_shot_at() -> None:
    """[11.4.1: tank] [5.3.3] IED/Sniper after the fire of an M1A1 only takes the marker off (ruling C-44)."""
    board = tank()
    board.enemy("15-1")
    board.do("fire", "unit=m1", "target=15-1", dice=[5, 0])
    assert board.enemies("15") == []
    assert board.says("No Sniper Attack")


def test_11_4_1_2_a_zero_costs_a_step_too() -> None:
    """[5.1.1.2: choice] [5.1.4.3: hit, markers] [11.1.2: wish] [11.4.1.2: zero] [5.1.1.1] Squad or CAAT, as the player decides;
    the CAAT costs 2 VP and the squad is whole.
    """
    board = facing(caat=True)
    board.enemy("15-1")
    board.do("fire", "unit=1", "target=15-1", "caat=no", "loss=caat", dice=[4, 0, 0])
    assert board.mark(1, "pinned")
    assert not board.mark(1, "caat") and board.mark(1, "ammo") is None
    assert board.position.pieces["squad-1"].face == "front"
    assert board.track("vp") == -2


def test_11_4_2_3_both_results_of_a_crossing() -> None:
    """[11.4.2.1: each] [11.4.2.3: both] [11.4.2, 12.5.3] A Step Loss and Pinned: back to where it came from, and Pinned (ruling
    C-7).
    """
    board = facing()
    board.enemy("15-1", "G1/M1")
    board.enemy("14-1")
    board.squad(7, "3-C")
    board.do("move", "unit=7", "to=14-C", dice=[1, 1])
    assert board.at("squad-7") == "3-C"
    assert board.position.pieces["squad-7"].face == "reduced"
    assert board.mark(7, "pinned")


def test_11_4_2_2_an_m1a1_in_the_street() -> None:
    """[11.4.2.2: suspects, loss] Suspects are ignored, and a Step Loss is only Pinned: the squad stays in the street."""
    board = tank()
    board.enemy("15-1", "G1/M1")
    board.enemy("14-1")
    board.squad(7, "3-C")
    board.do("move", "unit=7", "to=14-C", dice=[1])
    assert board.at("squad-7") == "street s"
    assert board.mark(7, "pinned") and board.position.pieces["squad-7"].face == "front"


def test_11_5_pinned_units_do_nothing_and_cannot_be_pinned_twice() -> None:
    """[11.5: barred, again] [12.1.1: held] No Fire, no movement, no Assault; a second Pinned result changes nothing."""
    board = facing(pinned=True)
    board.enemy("15-1")
    board.enemy("3-2")
    for action in ("fire", "move", "assault"):
        with pytest.raises(Illegal, match=r"Pinned.*11\.5"):
            board.do(action, "unit=1" if action != "assault" else "squad=1")
    board.squad(1, "14-C", pinned=True)
    board.set(phase=0)
    board.do("mission", "mission=uav", "zones=15 16", dice=[9, 6, 1])
    assert board.says("Pinned already")


# -- conditions and exceptions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shot", "added"),
    [
        (Shot(6, "guerillas", roof=True, strong=False), 0),
        (Shot(6, "guerillas", roof=False, strong=False), 1),
        (Shot(6, "guerillas", roof=True, strong=True), 2),
        (Shot(6, "martyrs", roof=True, strong=False), 1),
        (Shot(6, "martyrs", roof=True, strong=True), 2),
        (Shot(6, "suspect", roof=False, strong=True), 1),
        (Shot(6, "guerillas", roof=True, strong=False, fury=True), -1),
    ],
)
def test_11_2_1_each_modifier_where_it_belongs(shot: Shot, added: int) -> None:
    """[11.2.1: roof, fortified, martyrs] Units only, not on R; Fortified; Martyrs in Normal Zones only."""
    assert sum(value for _, value in fire_modifiers(Board().referee, shot)) == added


@pytest.mark.parametrize(("face", "left", "pinned"), [(0, [], False), (7, ["1 martyrs 3"], False), (8, [], True), (9, [], True)])
def test_5_3_4_fire_at_a_suspect_in_a_fortified_zone(face: int, left: list[str], pinned: bool) -> None:
    """[5.3.4: martyrs, sniper] [5.3.5: all] 0 a Dummy, 1 to 7 Martyrs, 8 and 9 a Sniper; the marker goes back each time."""
    board = facing()
    board.strong("15")
    board.enemy("15-1")
    board.do("fire", "unit=1", "target=15-1", dice=[1, face, *([1] if pinned else [])], draws=["G2/M3"] if left else [])

    assert board.enemies("15") == left
    assert bool(board.mark(1, "pinned")) == pinned
    assert len(board.position.at("suspects cup")) == 24


def test_11_4_1_1_a_sniper_needs_an_enemy_within_his_number() -> None:
    """[5.3.3: sniper] [11.4.1.1: number] Two enemies in the Zones around, the target among them: 2 Pins, 3 does not; those
    further off do not count.
    """
    for face, pinned in ((2, True), (3, False)):
        board = facing()
        for where in ("15-1", "16-1", "24-1"):
            board.enemy(where)
        board.do("fire", "unit=1", "target=15-1", dice=[1, 0, face])
        assert bool(board.mark(1, "pinned")) == pinned


@pytest.mark.parametrize(("face", "hit"), [(7, True), (8, False)])
def test_5_1_3_an_m1a1_fires_with_cf_8(face: int, hit: bool) -> None:
    """[5.1.3: fire] At Guerillas inside a house, which adds 1: a 7 still hits."""
    board = facing()
    board.change("m1a1", place="street s")
    board.enemy("15-1", "G3/M2")
    board.do("fire", "unit=m1", "target=15-1", dice=[face])
    assert (board.enemies("15") == []) is hit


def test_5_1_4_1_a_caat_fires_moves_and_is_pinned_with_its_squad() -> None:
    """[5.1.4.1: shared] It goes where the squad goes; a squad that has Fired or is Pinned fires no CAAT Ammo."""
    board = facing(caat=True)
    board.enemy("15-1", "G3/M2")
    board.do("fire", "unit=1", "target=15-1", "caat=yes", dice=[9])
    assert (board.mark(1, "fired"), board.mark(1, "ammo")) == (True, 3)
    with pytest.raises(Illegal, match=r"Squad 1 has Fired.*11\.3"):
        board.do("fire", "unit=1", "target=15-1", "caat=yes")
    board.squad(1, "3-R", caat=True, pinned=True)
    with pytest.raises(Illegal, match=r"Squad 1 is Pinned.*11\.5"):
        board.do("fire", "unit=1", "target=15-1", "caat=yes")
    board.squad(1, "3-R", caat=True)
    board.do("move", "unit=1", "to=2")
    assert board.at("squad-1") == "3-2"
    assert (board.mark(1, "caat"), board.mark(1, "ammo"), board.mark(1, "explosives")) == (True, 4, True)
