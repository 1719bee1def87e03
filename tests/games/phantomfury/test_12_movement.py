"""[12.0] Movement within Zones, over roofs, across streets; Security Elements; M1A1s; Defensive Fire."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Impossible, Unreadable
from companion.core.events import PieceMoved
from tests.games.phantomfury.board import Board


def ready() -> Board:
    board = Board()
    board.set(phase=3)
    board.ours("3", "4")
    board.zone("14", "15", "16")
    board.squad(7, "3-C")
    return board


def test_12_1_1_one_unit_at_a_time_once_a_turn() -> None:
    """[12.1.1: once] [12.0] A unit that has moved is refused."""
    board = ready()
    board.do("move", "unit=7", "to=1")
    assert board.at("squad-7") == "3-1"
    with pytest.raises(Illegal, match=r"has moved.*12\.1\.1"):
        board.do("move", "unit=7", "to=2")


@pytest.mark.parametrize(("to", "why"), [("15-1'", r"no Location 1'.*4\.2\.1"), ("14-OG", r"4\.2\.1"), ("26-C", r"4\.2|12\.4")])
def test_4_2_1_a_location_that_the_zone_does_not_have(to: str, why: str) -> None:
    """[4.2.1: missing] [4.2] Every Zone has its own Locations."""
    board = ready()
    with pytest.raises(Illegal, match=why):
        board.do("move", "unit=7", f"to={to}")


def test_4_1_a_zone_that_does_not_exist() -> None:
    """[4.1] Zones go from 1 to 61."""
    board = ready()
    with pytest.raises(Unreadable, match=r"no Zone '62'.*4\.1"):
        board.do("move", "unit=7", "to=62-C")


def test_12_3_1_four_movement_points_of_a_location_each() -> None:
    """[12.3.1: points] [12.3, 5.1.1] C to R is three; across to the next roof and down is too far."""
    board = ready()
    board.do("move", "unit=7", "to=R")
    assert board.at("squad-7") == "3-R"
    board = ready()
    board.ours("2")
    board.squad(7, "3-1")
    with pytest.raises(Illegal, match=r"5 Movement Points away, 4 are left.*12\.3\.1"):
        board.do("move", "unit=7", "to=2-2'")


def test_12_3_1_not_into_an_occupied_location() -> None:
    """[12.2.1.2: squad] [12.3.1: enemy] A Suspect bars the way, also to what is behind it."""
    board = ready()
    board.zone("2")
    board.squad(7, "2-C")
    board.enemy("2-1")
    with pytest.raises(Illegal, match=r"occupied by the enemy.*12\.3\.1"):
        board.do("move", "unit=7", "to=1")
    with pytest.raises(Illegal):
        board.do("move", "unit=7", "to=2")


def test_4_2_2_like_symbols_join_adjacent_zones() -> None:
    """[4.2.2: symbols] [12.4.1: adjacent] Roof to roof and door to door, one Movement Point each; a floor has no way across."""
    board = ready()
    board.do("move", "unit=7", "to=4-C")
    assert board.at("squad-7") == "4-C"
    board = ready()
    board.squad(7, "3-R")
    board.do("move", "unit=7", "to=4-R")
    assert board.at("squad-7") == "4-R"
    assert "street" not in str(board.events)


def test_12_1_2_a_cleared_zone_holds_the_squad() -> None:
    """[12.1.2: stays] In a Zone of the insurgents without enemies the squad remains; it may go about inside."""
    board = ready()
    board.squad(7, "14-C")
    with pytest.raises(Illegal, match=r"must remain there.*12\.1\.2"):
        board.do("move", "unit=7", "to=3-C")
    board.do("move", "unit=7", "to=R")
    assert board.at("squad-7") == "14-R"


def test_12_2_1_1_one_squad_in_a_zone_of_the_insurgents() -> None:
    """[12.2.1.1: one] A second one is refused."""
    board = ready()
    board.squad(1, "14-R")
    board.enemy("14-1")
    with pytest.raises(Illegal, match=r"a Zone of the insurgents holds one squad.*12\.2\.1\.1"):
        board.do("move", "unit=7", "to=14-C")


def test_12_2_2_one_squad_a_location_at_the_end_of_movement() -> None:
    """[12.2.2: one, end] They may pass through each other, and be together as long as one of them can move on."""
    board = ready()
    board.squad(1, "3-1")
    board.enemy("14-1")
    board.do("move", "unit=7", "to=2")
    assert board.at("squad-7") == "3-2"
    board.squad(4, "4-C")
    board.do("move", "unit=4", "to=3-C,1")
    assert board.at("squad-4") == "3-1"
    with pytest.raises(Illegal, match=r"a Location holds one squad.*12\.2\.2"):
        board.do("end")
    board.do("move", "unit=1", "to=C")
    board.do("end", accept=True)
    assert board.track("turn") == 4


def test_12_2_2_no_unit_ends_where_another_stays_for_good() -> None:
    """[12.2.2: end] Once the squad there has moved, or is Pinned, no order for another leads there; passing by is allowed."""
    board = ready()
    board.squad(1, "3-1", pinned=True)
    board.squad(4, "4-C")
    with pytest.raises(Illegal, match=r"Squad 1 is at 3-1 and moves no more this turn.*12\.2\.2"):
        board.do("move", "unit=4", "to=3-C,1")
    board.do("move", "unit=4", "to=3-C,1,2")
    with pytest.raises(Illegal, match=r"Squad 4 is at 3-2 and moves no more this turn.*12\.2\.2"):
        board.do("move", "unit=7", "to=3-C,2")


def test_12_2_2_where_no_unit_can_move_any_more_play_goes_on() -> None:
    """[12.2.2: stuck] Two Pinned squads in one Location: nothing can be done about it (ruling C-67)."""
    board = ready()
    board.squad(1, "3-1", pinned=True)
    board.squad(4, "3-1", pinned=True)
    board.set(phase=3)
    board.do("end", accept=True)

    assert board.says("Squad 1, Squad 4 stay together in 3-1: none of them can make room any more.")
    assert board.track("turn") == 4


def test_12_2_2_squads_that_are_hemmed_in_stay_together() -> None:
    """[12.2.2: stuck] Two squads in the Courtyard, all other Locations and the street taken by Pinned ones: they have not
    moved, and yet cannot make room (ruling C-67).
    """
    board = penned()
    board.squad(4, "12-C")
    board.squad(6, "12-1", pinned=True)
    board.squad(7, "12-2", pinned=True)
    board.squad(12, "12-R", pinned=True)

    board.do("end", accept=True)

    assert board.says("Squad 1, Squad 4 stay together in 12-C: none of them can make room any more.")
    assert board.track("turn") == 4


def test_12_2_2_the_last_free_location_is_kept_for_a_crowded_squad() -> None:
    """[12.2.2: room] Squad 8 may not go to the one place that is left for Squad 1 or Squad 4; the refusal says who can
    make room, and so does the end of the Phase.
    """
    board = penned()
    board.squad(8, "street y")
    board.squad(4, "12-C")
    board.squad(6, "12-1", pinned=True)
    board.squad(12, "12-R", pinned=True)

    with pytest.raises(
        Illegal, match=r"with Squad 8 at 12-2, Squad [14] could.*12\.2\.2.*First make room with Squad [14]"
    ) as refused:
        board.do("move", "unit=8", "to=12-2")
    number = str(refused.value).partition("with Squad ")[2].partition("with Squad ")[2][0]
    with pytest.raises(
        Illegal, match=rf"Squad 1, Squad 4 end .* a Location holds one squad.*12\.2\.2.*Move on: move Squad {number}"
    ):
        board.do("end")
    board.do("move", f"unit={number}", "to=2")
    board.do("end", accept=True)

    assert board.track("turn") == 4


def test_12_2_2_no_fire_that_keeps_two_squads_together() -> None:
    """[12.2.2: room] [11.3] Of two squads in a Location one may Fire, and the other must be able to move on."""
    board = ready()
    board.set(phase=2)
    board.squad(1, "3-R")
    board.squad(4, "3-R")
    board.enemy("14-R")

    board.do("fire", "unit=1", "target=14-R", dice=[9])
    with pytest.raises(Illegal, match=r"with Squad 4 at 3-R, Squad 1 could not be alone.*12\.2\.2"):
        board.do("fire", "unit=4", "target=14-R")
    board.do("move", "unit=4", "to=3-2")
    board.do("end", accept=True)

    assert board.track("turn") == 4


def penned() -> Board:
    """Zone 12 under USMC Control, its street shut by a Pinned squad; Squad 1 in the Courtyard. Movement has begun."""
    board = Board()
    board.set(phase=3)
    board.ours("12")
    board.zone("22")
    board.squad(8, "street y", pinned=True)
    board.squad(1, "12-C")
    return board


def test_12_2_2_a_squad_with_every_location_taken_is_not_asked_for() -> None:
    """[12.2.2, 12.2.1.1] Zone 12 is full of squads that cannot move, and another is across the street: no squad can move."""
    board = Board()
    board.set(phase=3)
    board.ours("12")
    board.zone("22")
    for number, where in ((1, "12-C"), (4, "12-1"), (6, "12-2"), (8, "22-C")):
        board.squad(number, where, pinned=True)
    board.squad(7, "12-R")

    with pytest.raises(Illegal, match=r"no unit can do that: .*"):
        board.do("move")
    with pytest.raises(Illegal, match=r"Squad 7 at 12-R can go nowhere"):
        board.do("move", "unit=7", "to=12-1")


def test_12_2_3_streets_are_no_place_to_stay() -> None:
    """[12.2.3.1: stop] [12.2.3.2: squad] [12.5.4] Nobody stops there by choice; a Pinned squad bars the Section for others."""
    board = ready()
    with pytest.raises(Unreadable):
        board.do("move", "unit=7", "to=street s")
    board.squad(1, "street s", pinned=True)
    board.squad(7, "3-C")
    board.set(phase=3)
    with pytest.raises(Illegal, match=r"in street s already.*12\.2\.3\.2"):
        board.do("move", "unit=7", "to=14-C")


def test_12_5_4_from_a_street_straight_into_a_zone() -> None:
    """[12.5.4: start] [12.5.1] A squad that begins in a street enters a Zone beside it; the next Section is out of its reach."""
    board = ready()
    board.squad(7, "street s")
    with pytest.raises(Illegal):
        board.do("move", "unit=7", "to=24-C")
    with pytest.raises(Unreadable, match=r"starts in a street does not move to another Street Section.*12\.5\.4") as caught:
        board.do("move", "unit=7", "to=c")
    assert "14-C" in caught.value.cure
    board.do("move", "unit=7", "to=14-C")
    assert board.at("squad-7") == "14-C"


@pytest.mark.parametrize(("place", "legal"), [("14-C+", True), ("14-C,1+", False)])
def test_12_3_2_1_where_an_element_is_detached(place: str, legal: bool) -> None:
    """[12.3.2.1: where] [12.3.2.2: cf] [12.3.2, 5.1.2.1] In C or R for one Movement Point; the squad's CF is one less."""
    board = ready()
    if not legal:
        with pytest.raises(Illegal, match=r"12\.3\.2\.1"):
            board.do("move", "unit=7", f"to={place}")
        return
    board.do("move", "unit=7", f"to={place}")
    assert board.referee.cf(board.position.pieces["squad-7"]) == 4
    assert [piece.kind for piece in board.position.at("14-C") if piece.kind == "element"] == ["element"]


def test_12_3_2_2_the_squad_stays_with_its_element() -> None:
    """[12.3.2.2: stays] It may not leave the Zone, even reduced and towards cover."""
    board = ready()
    board.squad(7, "14-1", "reduced")
    board.element(7, "14-C")
    board.enemy("14-2")
    with pytest.raises(Illegal, match=r"Security Element.*12\.3\.2\.2"):
        board.do("move", "unit=7", "to=3-C")


def test_12_3_2_3_all_points_to_pick_the_element_up() -> None:
    """[12.3.2.3: points] [13.6.4: until] In a Zone of the insurgents; the No Insurgents Event marker goes with it."""
    board = ready()
    board.squad(7, "14-1")
    board.element(7, "14-C")
    board.enemy("14-2")
    board.marker("No Insurgents Event", "14")
    board.do("move", "unit=7", "to=recover")
    assert board.at("element-7") == "beside the map"
    assert board.at("squad-7") == "14-1"
    assert not [piece for piece in board.position.at("box 14") if piece.kind == "marker"]


def test_12_3_2_3_no_element_is_picked_up_from_another_zone() -> None:
    """[12.3.2.3: apart] [12.3.2.2] A correction has left it in Zone 15: each refusal names that Zone."""
    board = ready()
    board.squad(7, "14-C")
    board.zone("14", "15")
    board.enemy("14-2")
    board.element(7, "15-C")
    with pytest.raises(Illegal, match=r"Security Element of Squad 7 is in Zone 15 .12\.3\.2\.2"):
        board.do("move", "unit=7", "to=3-C")
    with pytest.raises(Impossible, match=r'is in Zone 15 .12\.3\.2\.3.*adjust "Security Element of Squad 7" "14-C"'):
        board.do("move", "unit=7", "to=recover")
    assert board.at("squad-7") == "14-C"


def test_12_4_2_forbidden_zones() -> None:
    """[12.4.2: mosque, closed] [4.1.4] No Marine squad enters Zone 26, and no unit Zone 27."""
    board = ready()
    board.ours("16")
    board.squad(7, "16-C")
    with pytest.raises(Illegal, match=r"Zone 26.*12\.4\.2"):
        board.do("move", "unit=7", "to=26-C")
    with pytest.raises(Illegal, match=r"no unit may enter Zone 27.*12\.4\.2"):
        board.do("move", "unit=7", "to=27-C")


def test_5_1_6_1_iraqis_enter_the_mosque_and_no_other_zone_of_the_insurgents() -> None:
    """[5.1.6.1: closed, location] [12.4.2: iif] And several of them, one a Location."""
    board = ready()
    board.ours("16")
    board.zone("26")
    board.change("iif-1", place="16-C")
    board.do("move", "unit=i1", "to=26-C")
    assert board.at("iif-1") == "26-C"
    board.change("iif-2", place="16-C")
    with pytest.raises(Illegal, match=r"5\.1\.6\.1"):
        board.do("move", "unit=i2", "to=26-C")
    with pytest.raises(Illegal, match=r"IIF squads do not enter Zone 15.*5\.1\.6\.1"):
        board.do("move", "unit=i2", "to=15-C")


def test_12_4_3_taking_cover() -> None:
    """[12.4.3: reduced] Only a reduced squad leaves a Zone with enemies, and only for a Zone under USMC Control."""
    board = ready()
    board.enemy("14-1")
    board.squad(7, "14-C")
    with pytest.raises(Illegal, match=r"only a reduced squad.*12\.4\.3"):
        board.do("move", "unit=7", "to=3-C", dice=[9])
    board.squad(7, "14-C", "reduced")
    board.do("move", "unit=7", "to=3-C", dice=[9])
    assert board.at("squad-7") == "3-C"


def test_12_4_3_withdrawn_from_a_start_zone() -> None:
    """[12.4.3: off] [7.2.1] With no Zone under USMC Control around: off the map for 2 VP, not 5."""
    board = Board()
    board.set(phase=3)
    board.zone("12")
    board.squad(7, "12-C", "reduced", caat=True)
    board.enemy("12-1", "G1/M1")
    board.do("move", "unit=7", "to=withdraw")
    assert board.at("squad-7") == "out of the game"
    assert board.track("vp") == -2


def test_12_5_3_casualties_are_brought_back() -> None:
    """[11.4.2.1: each] [12.5.2: nobody] [12.5.3: loss, pinned] [12.5] A Step Loss: back to the Location just left; Pinned alone:
    it stays in the street.
    """
    board = ready()
    board.enemy("15-1", "G1/M1")
    board.do("move", "unit=7", "to=14-C", dice=[1])
    assert board.at("squad-7") == "3-C" and board.position.pieces["squad-7"].face == "reduced"
    board = ready()
    board.enemy("15-1")
    board.do("move", "unit=7", "to=14-C", dice=[1])
    assert board.at("squad-7") == "street s" and board.mark(7, "pinned")


@pytest.mark.parametrize(("face", "far", "near"), [(9, "t", "n"), (6, "n", "t")])
def test_12_6_1_an_m1a1_goes_as_far_as_its_die(face: int, far: str, near: str) -> None:
    """[5.1.3: moves] [12.6.1: die] [12.6.2] One Movement Point a Section: 9 gives one of them, 6 two."""
    board = ready()
    board.change("m1a1", place="street s")
    board.do("move", "unit=m1", f"to={near}", dice=[face])
    assert board.at("m1a1") == f"street {near}"


def test_12_6_2_an_m1a1_in_a_location() -> None:
    """[12.6.2: ground] Only Open Ground; a Courtyard is refused; two steps are too far for a 9 [12.6.1]."""
    board = ready()
    board.ours("16")
    board.change("m1a1", place="street t")
    board.do("move", "unit=m1", "to=16-OG", dice=[5])
    assert board.at("m1a1") == "16-OG"
    board = ready()
    board.change("m1a1", place="street s")
    with pytest.raises(Illegal, match=r"12\.6\.2"):
        board.do("move", "unit=m1", "to=14-C", dice=[0])
    with pytest.raises(Illegal, match=r"not within 1 Movement Points.*12\.6\.2"):
        board.do("move", "unit=m1", "to=16-OG", dice=[9])


def test_12_6_3_it_ends_beside_a_zone_under_control() -> None:
    """[12.6.3: street] Elsewhere it may not stop."""
    board = Board()
    board.set(phase=3)
    board.ours("2")
    board.zone("14")
    board.change("m1a1", place="street s")
    with pytest.raises(Illegal, match=r"under USMC Control.*12\.6\.3"):
        board.do("move", "unit=m1", "to=t", dice=[0])


def entering(place: str = "14-C", **kinds: bool) -> Board:
    board = ready()
    unit = board.enemy("14-1", "G3/M2")
    assert unit
    board.squad(7, "3-C")
    board.do("move", "unit=7", f"to={place}", dice=[9, 4])
    return board


def test_12_7_2_modifiers_in_a_courtyard() -> None:
    """[4.1.6: courtyard] [12.3.2.1: before] [12.7.2: element, ruins] [12.7, 12.7.1, 5.1.2.2] Nothing alone; +1 with the Security
    Element; +1 in Ruins, both together (C-43).
    """
    assert entering().says("CF 3: 4. No effect")
    assert entering("14-C+").says("4+1 = 5. No effect")
    board = ready()
    board.marker("Rubble", "14")
    board.enemy("14-1", "G3/M2")
    board.do("move", "unit=7", "to=14-C+", dice=[9, 1])
    assert board.says("1+1+1 = 3. PINNED")


@pytest.mark.parametrize(("on", "dice", "where"), [(("on=14-C",), [], "14-C"), ((), [], "14-1"), (("on=3-C",), [9], "3-C")])
def test_12_7_2_after_a_step_loss_a_squad_goes_on_or_not(on: tuple[str, ...], dice: list[int], where: str) -> None:
    """[12.7.2: goes_on] [12.4.3] It may stop, or go on as ordered, or take cover now that it is reduced."""
    board = ready()
    board.enemy("14-2", "G3/M2")
    board.do("move", "unit=7", "to=14-1", *on, dice=[9, 2, *dice], accept=not on)
    assert board.at("squad-7") == where
    assert board.position.pieces["squad-7"].face == "reduced"


def test_12_7_2_after_a_step_loss_only_what_is_left_of_its_movement() -> None:
    """[12.7.2: goes_on] Two Movement Points do not take it to the third Location; unhurt it is not asked."""
    board = ready()
    board.enemy("14-2'", "G3/M2")
    with pytest.raises(Illegal, match=r"12\.3\.1"):
        board.do("move", "unit=7", "to=14-C", "on=14-R", dice=[9, 2])
    board = ready()
    board.enemy("14-2", "G3/M2")
    board.do("move", "unit=7", "to=14-1", dice=[9, 9])
    assert board.at("squad-7") == "14-1" and board.asked_for("text") == ["to"]


def test_12_7_2_fanaticism() -> None:
    """[12.7.2: fanaticism] [13.4.3.3] -1: 3 becomes 2, a Step Loss from CF 3."""
    board = ready()
    board.marker("Fanaticism", "14")
    board.enemy("14-1", "G3/M2")
    board.do("move", "unit=7", "to=14-C", dice=[9, 3], accept=True)
    assert board.says("3-1 = 2. STEP LOSS")
    assert board.at("squad-7") == "14-C"


@pytest.mark.parametrize(("tank", "text"), [(False, "4-1 = 3. PINNED"), (True, "4+1 = 5. No effect")])
def test_12_7_2_open_ground(tank: bool, text: str) -> None:
    """[12.7.2: alone] [12.6.2] -1 alone in Open Ground, +1 with an M1A1 there."""
    board = ready()
    board.squad(7, "4-C")
    board.enemy("16-1", "G3/M2")
    if tank:
        board.change("m1a1", place="16-OG")
    board.do("move", "unit=7", "to=16-OG", dice=[9, 4])
    assert board.says(text)


def test_12_7_3_a_suspect_wakes_above_the_cf_and_fires_at_once() -> None:
    """[12.7.3: above, fires] [5.3.3] 6 is more than CF 5: Activated; the new unit has its Defensive Fire."""
    board = ready()
    board.enemy("14-1")
    board.do("move", "unit=7", "to=14-C", dice=[9, 6, 7, 1], draws=["G2/M3"], accept=True)
    assert board.enemies("14") == ["1 guerillas 2"]
    assert board.position.pieces["squad-7"].face == "reduced"


def test_12_7_3_a_suspect_may_be_an_ied() -> None:
    """[5.3.3: ied] [12.7.3, 13.5] IED: a die up to the CF Pins."""
    board = ready()
    board.enemy("14-1")
    board.do("move", "unit=7", "to=14-C", dice=[9, 6, 0, 5])
    assert board.mark(7, "pinned")
    assert board.enemies("14") == []


def test_12_7_1_not_in_a_zone_under_control_and_not_inside() -> None:
    """[12.7.1: where] Only C and OG of a Zone of the insurgents are fired at."""
    board = ready()
    board.squad(7, "3-R")
    board.zone("2")
    board.enemy("2-1", "G3/M2")
    board.do("move", "unit=7", "to=2-R")
    assert board.asked_for("roll") == []


def test_12_6_3_an_m1a1_with_nowhere_to_go_is_not_asked_where() -> None:
    """[12.6.3, 12.6.1] Its Movement Capacity is rolled; where nothing within it will do, it stays, and it is said."""
    board = ready()
    board.change("m1a1", place="street y")
    board.do("move", "unit=m1", dice=[0])
    assert board.says("M1A1 1 stays at street y: nowhere within") and board.asked_for("text") == []
    board = ready()
    board.change("m1a1", place="street y")
    board.flag(**{"section:y": "12 22; next untold"})
    board.do("move", "unit=m1", "to=y", dice=[0])
    assert board.asked_for("text") == ["to"]


# -- conditions and exceptions -----------------------------------------------------------------------------------------


def test_12_1_2_a_cleared_zone_that_is_entered_ends_the_way() -> None:
    """[12.1.2: enters] It may go about inside, and not out of it again."""
    board = ready()
    with pytest.raises(Illegal, match=r"must remain there.*12\.1\.2"):
        board.do("move", "unit=7", "to=14-C,3-C")
    board.do("move", "unit=7", "to=14-C,1")
    assert board.at("squad-7") == "14-1"


@pytest.mark.parametrize(("face", "where"), [(3, "14-C"), (6, "3-C")])
def test_12_1_2_a_zone_that_is_cleared_on_the_way_holds_the_squad(face: int, where: str) -> None:
    """[12.1.2: enters] Its last Suspect turns out a Dummy: the squad stays; it turns out a unit: it goes on to take cover."""
    board = ready()
    board.squad(7, "3-C", "reduced")
    board.enemy("14-1")
    unit = face == 6
    dice = [9, 6, face, *([9, 9] if unit else [])]
    board.do("move", "unit=7", "to=14-C,3-C", dice=dice, draws=["G2/M3"] if unit else [])
    assert board.at("squad-7") == where


def test_12_2_1_1_an_m1a1_takes_no_squads_place() -> None:
    """[12.2.1.1: tank] The one squad of a Zone of the insurgents comes in beside it."""
    board = ready()
    board.squad(7, "4-C")
    board.change("m1a1", place="16-OG")
    board.do("move", "unit=7", "to=16-C")
    assert board.at("squad-7") == "16-C"


def test_12_2_3_1_a_street_is_crossed_past_an_m1a1() -> None:
    """[12.2.3.1: tank] [12.5.2: nobody] And with no enemy beside it no die is rolled."""
    board = ready()
    board.change("m1a1", place="street s")
    board.do("move", "unit=7", "to=14-C")
    assert board.at("squad-7") == "14-C" and board.asked_for("roll") == []


def test_12_3_2_1_detaching_costs_a_movement_point() -> None:
    """[12.3.2.1: cost] Street, Courtyard and Element leave one of four."""
    board = ready()
    with pytest.raises(Illegal, match=r"2 Movement Points away, 1 are left"):
        board.do("move", "unit=7", "to=14-C+,2")
    board.do("move", "unit=7", "to=14-C+,1")
    assert board.at("squad-7") == "14-1"


def test_12_4_2_an_m1a1_may_enter_the_mosque() -> None:
    """[12.4.2: tank] Its Open Ground, if it has one."""
    board = Board({"zone:26": "OG-C-1-2; door C; streets x; egress exit"})
    board.set(phase=3)
    board.ours("16")
    board.zone("26")
    board.change("m1a1", place="street x")
    board.do("move", "unit=m1", "to=26-OG", dice=[9])
    assert board.at("m1a1") == "26-OG"


def test_12_5_1_streets_are_entered_and_left_by_the_doors() -> None:
    """[4.3.1.1: doors] [12.5.1: doors] From 3-1 to 14-1 the way goes through both Courtyards: four Movement Points; from 3-2 it
    is too far.
    """
    board = ready()
    board.squad(7, "3-1")
    board.do("move", "unit=7", "to=14-1")
    places = [event.now for event in board.events if isinstance(event, PieceMoved)]
    assert places == ["3-C", "street s", "14-C", "14-1"]
    board = ready()
    board.squad(7, "3-2")
    with pytest.raises(Illegal, match=r"5 Movement Points away"):
        board.do("move", "unit=7", "to=14-1")


def test_12_5_3_a_caat_that_is_lost_in_the_street_brings_the_squad_back() -> None:
    """[12.5.3: caat] The squad is whole, but its movement ends where it came from."""
    board = ready()
    board.squad(7, "3-C", caat=True)
    board.enemy("15-1", "G1/M1")
    board.do("move", "unit=7", "to=14-C", "loss=caat", dice=[1])
    assert board.at("squad-7") == "3-C" and not board.mark(7, "caat")
    assert (board.position.pieces["squad-7"].face, board.track("vp")) == ("front", -2)
    with pytest.raises(Illegal, match=r"12\.1\.1"):
        board.do("move", "unit=7", "to=14-C")


@pytest.mark.parametrize(("zone", "may"), [("4", True), ("15", False)])
def test_12_6_3_open_ground_must_neighbour_a_zone_under_control(zone: str, may: bool) -> None:
    """[12.6.3: ground] Across a street: a Zone that shares a border with it is not enough."""
    board = Board()
    board.set(phase=3)
    board.ours(zone)
    board.zone("16", "26")
    board.change("m1a1", place="street x")
    if may:
        board.do("move", "unit=m1", "to=16-OG", dice=[9])
        assert board.at("m1a1") == "16-OG"
    else:
        board.do("move", "unit=m1", dice=[9])
        assert board.says("stays at street x: nowhere within 1 Movement Points can it end")


@pytest.mark.parametrize(("to", "rolls"), [("C", ["defence"]), ("2", [])])
def test_12_7_1_also_from_inside_into_the_courtyard(to: str, rolls: list[str]) -> None:
    """[12.7.1: where] A squad that enters C of a Zone of the insurgents is fired at from any origin; a floor is no target."""
    board = ready()
    board.squad(7, "14-1")
    board.enemy("14-R", "G3/M2")
    board.do("move", "unit=7", f"to={to}", dice=[9] * len(rolls))
    assert board.asked_for("roll") == rolls


@pytest.mark.parametrize(("to", "wakes"), [("14-C", False), ("14-C+", True)])
def test_12_7_3_a_detached_element_makes_the_squad_weaker(to: str, wakes: bool) -> None:
    """[12.7.3: element] 5 is not above CF 5, but above CF 4."""
    board = ready()
    board.enemy("14-1")
    board.do("move", "unit=7", f"to={to}", dice=[9, 5, *([3] if wakes else [])])
    assert board.enemies("14") == ([] if wakes else ["1 suspect"])


def test_12_7_no_unit_fires_at_a_squad_that_is_gone() -> None:
    """[12.7: order] The first unit eliminates it; the second unit and the Suspect have no die."""
    board = ready()
    board.squad(7, "3-C", "reduced")
    board.enemy("14-1", "G3/M2")
    board.enemy("14-2", "G3/M2")
    board.enemy("14-R")
    board.do("move", "unit=7", "to=14-C", dice=[9, 9, 0])
    assert board.at("squad-7") == "out of the game"
    assert board.asked_for("roll") == ["units", "suspects", "defence"]


def test_12_7_1_no_defensive_fire_after_an_assault() -> None:
    """[12.7.1: movement] The squad enters the Courtyard that it has cleared, under the eyes of another unit (ruling C-76)."""
    board = ready()
    board.set(phase=4)
    board.squad(7, "14-1")
    board.enemy("14-C", "G1/M1")
    board.enemy("14-2", "G3/M2")
    board.do("assault", "squad=7", "target=14-C", dice=[1, 9])
    assert board.at("squad-7") == "14-C" and board.asked_for("roll") == ["assault"]
