"""[12.0] Ways: which street is crossed, where taking cover ends, who may stop together, and the ways of M1A1s."""

from __future__ import annotations

import pytest

from companion.cli.shell.arguments import parse_line
from companion.core.errors import Illegal, Impossible, Unreadable
from companion.games import make_game
from companion.games.phantomfury.rules.r12_paths import open_to, reachable, shortest
from companion.games.phantomfury.state import short
from companion.session.store import Archive
from companion.session.tables import load
from companion.testing.table import session_at
from tests.games.phantomfury.board import Board, Practice

TWO_DOORS = "OG-1-C 1-2-R; door OG C; roof R; adjacent 15; streets s v; egress 24 25"
"""Zone 14 with an entry symbol on its Open Ground as well as on its Courtyard."""


def held(facts: dict[str, str] | None = None, face: str = "front", where: str = "14-C") -> Board:
    """Squad 7 in Zone 14 of the insurgents, with a Suspect in it; Zones 3, 4 and 15 are under USMC Control."""
    board = Board(facts)
    board.set(phase=3)
    board.ours("3", "4", "15")
    board.zone("14", "16")
    board.squad(7, where, face)
    board.enemy("14-2")
    return board


# -- which street ------------------------------------------------------------------------------------------------------


def across(way: str, dice: list[int]) -> Practice:
    """Squad 12 crosses from Zone 12 to Zone 13 by street a or h, with two Suspects in each of 13, 22 and 23."""
    field = Practice()
    field.set(phase=3)
    field.ours("12")
    field.zone("13", "22", "23")
    for place in ("13-1", "13-2", "22-1", "22-2", "23-1", "23-2"):
        field.enemy(place)
    field.squad(12, "12-C", cf=5)
    field.change(field.named("M1A1 1").id, place="street h")
    field.do("move", "unit=12", f"to={way}", dice=dice)
    return field


def test_12_5_1_the_way_with_the_least_risk_is_taken_unless_a_street_is_named() -> None:
    """[12.5.1, 11.4.2.2] With an M1A1 in street h no squad is shot at in it; street a, by name, is watched by two Suspects."""
    assert across("13-C", [0, 0]).says("crosses street h: no Sniper Attack (an M1A1 covers it)")
    assert across("a 13-C", [9, 0, 0]).says("crosses street a under fire: 2 Suspects 9, miss")
    assert across("street a,13-C", [9, 0, 0]).says("crosses street a under fire: 2 Suspects 9, miss")
    assert across("street h 13-C", [0, 0]).says("crosses street h")


def test_12_5_1_the_list_shows_the_street_and_its_risk() -> None:
    """[12.5.1, 12.5.2] Beside each place across a street: by which one, and the chance to come through unharmed."""
    board = Board()
    board.set(phase=3)
    board.ours("3")
    board.zone("14")
    board.enemy("14-1")
    board.squad(7, "3-C")
    board.do("move", "unit=7", "to=14-C", dice=[9, 0])
    hints = {choice.value: choice.hint() for choice in board.asked[1].legal_choices()}  # type: ignore[operator]
    assert hints["14-C"] == "by street s, 80% unharmed; Defensive Fire: Suspect at 14-1"


def test_12_5_1_a_longer_way_is_not_taken_for_its_safety() -> None:
    """[12.3.1, 12.5.1] The fewest Movement Points come first."""
    board = held(where="3-C")
    board.change("squad-7", place="3-C")
    assert shortest(board.referee, board.named("Squad 7"), "3-C", "15-C") == ["street s", "15-C"]


@pytest.mark.parametrize(
    ("way", "error", "why"),
    [
        ("street s", Unreadable, r"no squad may choose to end its movement in a street.*12\.2\.3\.1"),
        ("14-C,s", Unreadable, r"12\.2\.3\.1"),
        ("x9 14-C", Impossible, r"no Zone entered lies at street x9.*4\.3\.1\.1"),
        ("street y 14-C", Illegal, r"no way leads from 3-C to street y.*12\.4\.1"),
        ("s t 4-C", Illegal, r"no way leads|12\.5\.4"),
    ],
)
def test_12_5_4_a_named_street_lies_on_the_way(way: str, error: type[Exception], why: str) -> None:
    """[12.5.4: two] [12.2.3.1, 12.5.1] It is next to the squad, it is crossed alone, and no squad stops in it."""
    board = held(where="3-C")
    with pytest.raises(error, match=why):
        board.do("move", "unit=7", f"to={way}", dice=[9, 9])


def test_12_4_3_a_named_street_is_no_way_out_of_a_zone_of_the_insurgents() -> None:
    """[12.4.3] A full squad does not leave by way of the street's name; a reduced one may."""
    with pytest.raises(Illegal, match=r"only a reduced squad.*12\.4\.3"):
        held().do("move", "unit=7", "to=s 3-C", dice=[9])
    board = held(face="reduced")
    board.do("move", "unit=7", "to=s 3-C", dice=[9])
    assert board.at("squad-7") == "3-C"


# -- taking cover ------------------------------------------------------------------------------------------------------


def test_12_4_3_cover_is_next_to_the_zone_that_is_left() -> None:
    """[12.4.3: where] Zone 4 is under USMC Control but neither Adjacent to Zone 14 nor Neighbouring it; Zone 3 is."""
    with pytest.raises(Illegal, match=r"next to it.*12\.4\.3"):
        held(face="reduced").do("move", "unit=7", "to=4-C", dice=[9])
    with pytest.raises(Illegal, match=r"next to it.*12\.4\.3"):
        held(face="reduced").do("move", "unit=7", "to=3-C,4-C", dice=[9])
    board = held(face="reduced")
    board.do("move", "unit=7", "to=3-C,1", dice=[9])
    assert board.at("squad-7") == "3-1"


def test_12_4_3_a_named_place_opens_no_other_zone_of_the_insurgents() -> None:
    """[12.4.3: where] From Zone 14 over Zone 15 of the USMC into Zone 16 of the insurgents: refused as it is without the stop."""
    for way in ("16-R", "15-R,16-R"):
        with pytest.raises(Illegal, match=r"only a reduced squad.*12\.4\.3"):
            held(face="reduced", where="14-R").do("move", "unit=7", f"to={way}")


@pytest.mark.parametrize("face", ["front", "reduced"])
@pytest.mark.parametrize("beside", ["15", ""])
def test_12_4_3_no_unit_leaves_a_zone_to_come_back_into_it(face: str, beside: str) -> None:
    """[12.4.3: back] [12.5.1] Neither by the street nor through the Zone next door; inside, a Suspect bars the way."""
    board = held({"zone:14": TWO_DOORS, "section:s": f"2 3 14 {beside}; next n t"}, face)
    board.enemy("14-1")
    with pytest.raises(Illegal, match=r"no way leads from 14-C to 14-OG.*12\.4\.3|occupied"):
        board.do("move", "unit=7", "to=OG", dice=[9])
    with pytest.raises(Illegal, match=r"12\.4\.3"):
        board.do("move", "unit=7", "to=15-C,14-OG", dice=[9])


def test_12_5_1_a_street_leads_to_a_neighbouring_zone_only() -> None:
    """[12.5.1: neighbour] Not from the Courtyard out and into the Open Ground of the same Zone, which is under
    USMC Control here.
    """
    board = held({"zone:3": "OG-1-C; door OG C; adjacent none; streets s; black"}, where="3-C")
    board.enemy("3-1")
    with pytest.raises(Illegal, match=r"12\.3\.1|12\.4\.1"):
        board.do("move", "unit=7", "to=OG", dice=[9])


def start_zone() -> Board:
    """Squad 7, reduced, in start Zone 12 of the insurgents, with nothing under USMC Control around it."""
    board = Board()
    board.set(phase=3)
    board.zone("12")
    board.squad(7, "12-1", "reduced")
    return board


def test_12_1_2_no_unit_is_withdrawn_from_a_zone_that_is_clear() -> None:
    """[12.4.3: clear] [12.1.2] Without enemies it stays, and takes the Zone (ruling C-8); with one it may go."""
    board = start_zone()
    with pytest.raises(Illegal, match=r"clear of enemies.*12\.1\.2"):
        board.do("move", "unit=7", "to=withdraw")
    board.enemy("12-2")
    board.do("move", "unit=7", "to=withdraw")
    assert board.at("squad-7") == "out of the game"


def test_12_3_2_2_no_unit_is_withdrawn_without_the_security_element() -> None:
    """[12.3.2.2: stays] [12.4.3] A squad does not leave the Zone while its Security Element is out, off the map neither."""
    board = start_zone()
    board.enemy("12-2")
    board.element(7, "12-C")
    with pytest.raises(Illegal, match=r"Security Element.*12\.3\.2\.2"):
        board.do("move", "unit=7", "to=withdraw")


# -- together in one Location ------------------------------------------------------------------------------------------


def brought_back() -> Board:
    """Squad 7 is brought back to 3-C, where Squad 1 stands by then."""
    board = Board()
    board.set(phase=3)
    board.ours("3", "4")
    board.zone("14", "15", "16")
    board.squad(7, "3-C")
    board.squad(1, "3-C")
    board.enemy("15-1", "G1/M1")
    board.do("move", "unit=7", "to=14-C", dice=[1])
    return board


def test_12_2_2_casualties_are_brought_back_to_an_occupied_location() -> None:
    """[12.2.2: street] [12.5.3] The printed exception: they may share it, though the other squad could still move on."""
    board = brought_back()
    assert board.at("squad-7") == "3-C"
    board.do("end", accept=True)
    assert board.says("stay together in 3-C: one came back with casualties. [12.5.3]")
    assert not board.position.members("brought back")


def test_12_2_2_the_exception_is_for_a_squad_brought_back() -> None:
    """[12.2.2: street] A third squad in the Location must go on; in the next turn the two must part."""
    board = brought_back()
    board.squad(4, "3-C")
    with pytest.raises(Illegal, match=r"a Location holds one squad.*12\.2\.2"):
        board.do("end", accept=True)
    board.change("squad-4", place="company box")
    board.do("end", accept=True)
    with pytest.raises(Illegal, match=r"a Location holds one squad.*12\.2\.2"):
        board.do("end", accept=True)


def test_12_2_2_no_unit_makes_room_beside_a_squad_brought_back() -> None:
    """Squad 4 could be alone at 3-C only once Squad 1 has left it, and not then either, beside Squad 7:
    so nothing is asked of either, and each may do what it can.
    """
    board = brought_back()
    board.squad(4, "3-R")
    for number, where in ((8, "3-R"), (12, "3-1"), (6, "3-2")):
        board.squad(number, where)
    board.zone("2", "4")
    for where in ("2-R", "4-R", "2-C", "4-C"):
        board.enemy(where)
    board.flag(moved=("7", "8", "12", "6"))
    referee = make_game("phantomfury", load("phantomfury")).new_referee(board.position, board.options)
    squads = {short(squad): squad for squad in referee.squads()}
    assert open_to(referee, squads["4"], reachable(referee, squads["4"])) == []
    assert "14-C" in open_to(referee, squads["1"], reachable(referee, squads["1"]))
    board.do("end", accept=True)
    assert board.says("stay together in 3-R: none of them can make room any more. [12.2.2]")


@pytest.mark.parametrize(("ammo", "face", "taken"), [(2, "front", "squad"), (None, "front", "caat"), (2, "reduced", "caat")])
def test_5_1_1_2_the_lesser_loss_is_suggested(ammo: int | None, face: str, taken: str) -> None:
    """[5.1.1.2, 5.1.4.3] The CAAT where it has spent everything, or where the squad would be eliminated; else the squad."""
    board = Board()
    board.set(phase=3)
    board.ours("3")
    board.zone("14")
    board.enemy("14-1", "G3/M4")
    board.squad(7, "3-C", face, caat=True, ammo=ammo, explosives=None)
    board.do("move", "unit=7", "to=14-C", dice=[1], accept=True)
    assert bool(board.mark(7, "caat")) == (taken == "squad")


# -- M1A1s -------------------------------------------------------------------------------------------------------------


def test_12_6_2_a_section_between_that_was_not_entered_is_asked_for() -> None:
    """[12.6.2: told] Street s is two away, by a Section not entered yet: it is asked for, and the M1A1 moves."""
    board = Board({"section:n": "2; next m; north", "section:s": "2 3 14 15; next m", "section:t": "3 4 16"})
    board.set(phase=3)
    board.ours("2")
    board.change("m1a1", place="street n")
    board.do("move", "unit=m1", "to=s", "section:m=50; next n s", dice=[0])
    assert board.at("m1a1") == "street s"


def test_12_6_2_open_ground_takes_several_m1a1s_and_a_section_one() -> None:
    """[12.2.3.2: tank] [12.6.2] No rule limits Open Ground; a Section that is taken is refused by its own rule,
    also in passing.
    """
    board = Board()
    board.set(phase=3)
    board.ours("4", "16")
    board.add("second", "tank", "M1A1 2", "street t", values={"number": 2, "cf": 8})
    board.change("m1a1", place="16-OG")
    board.do("move", "unit=m2", "to=16-OG", dice=[0])
    assert board.at("second") == board.at("m1a1") == "16-OG"
    board.change("m1a1", place="street n")
    board.change("second", place="street t")
    board.set(phase=3, turn=4)
    board.flag(moved=())
    with pytest.raises(Illegal, match=r"M1A1 1 is in street n already.*12\.2\.3\.2"):
        board.do("move", "unit=m2", "to=n", dice=[0])


def test_12_4_2_no_m1a1_enters_zone_27() -> None:
    """[12.4.2: closed] [12.6.2] Its Open Ground lies beside a Section within reach, and is closed all the same."""
    board = Board({"zone:27": "OG-C; door C; streets t", "section:t": "3 4 16 27; next n s"})
    board.set(phase=3)
    board.ours("4")
    board.change("m1a1", place="street t")
    with pytest.raises(Impossible, match=r"no unit may enter Zone 27.*12\.4\.2"):
        board.do("move", "unit=m1", "to=27-OG", dice=[0])
    assert "27-OG" not in [choice.value for choice in board.asked[-1].legal_choices()]


@pytest.mark.parametrize(("mission", "zones"), [("uav", "27"), ("uav", "16,27"), ("fa18", "27"), ("ah1w", "27")])
def test_4_1_4_no_mission_goes_to_zone_27(mission: str, zones: str) -> None:
    """[4.1.4: closed] [9.3] Nobody Controls it, so that it is no Zone of the insurgents; nothing is asked of it."""
    board = Board({"section:t": "3 4 16 27; next n s"})
    board.zone("16")
    board.enemy("16-1")
    with pytest.raises(Illegal, match=r"neither side Controls Zone 27.*4\.1\.4"):
        board.do("mission", f"mission={mission}", f"zones={zones}", dice=[0])


@pytest.mark.parametrize("words", ["12; h 13-C", "12; h,13-C", "12; street h 13-C", "12; street h,13-C"])
def test_12_5_1_a_street_is_named_on_one_line(archive: Archive, words: str) -> None:
    """[12.5.1] The whole move in one line, with commas or without."""
    field = Practice()
    field.set(phase=3)
    field.ours("12")
    field.zone("13")
    field.squad(12, "12-C", cf=5)
    session = session_at(archive, "phantomfury", "practice", field.position)
    session.do("move", parse_line(words), partial=True)
    assert session.position.pieces[field.named("Squad 12").id].place == "13-C"
