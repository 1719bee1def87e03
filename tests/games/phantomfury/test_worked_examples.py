"""The worked examples of the rulebook, each played whole."""

from __future__ import annotations

import pytest

from companion.games.phantomfury.facts import contradictions
from companion.games.phantomfury.notation import read_section, read_zone
from companion.games.phantomfury.rules.r11_shots import Shot, fire_modifiers
from companion.games.phantomfury.state import priorities
from tests.games.phantomfury.board import SECTIONS, ZONES, Board


def added(shot: Shot) -> int:
    return sum(value for _, value in fire_modifiers(Board().referee, shot))


def test_11_2_1_martyrs_inside_a_normal_zone_are_two_harder_to_hit() -> None:
    """[11.2.1: martyrs] Example 1."""
    assert added(Shot(6, "martyrs", roof=False, strong=False)) == 2


def test_11_2_1_a_suspect_is_one_harder_to_hit_anywhere() -> None:
    """[11.2.1: suspect] Example 2: modifiers for Insurgents units do not apply to a Suspect."""
    assert added(Shot(6, "suspect", roof=False, strong=True)) == 1


@pytest.mark.parametrize("kind", ["guerillas", "martyrs"])
def test_11_2_1_units_in_the_mosque_are_three_harder_to_hit(kind: str) -> None:
    """[11.2.1: fortified] [4.1.5] Zone 26 is Fortified and has no roof."""
    assert added(Shot(8, kind, roof=False, strong=True)) == 3


def street_example() -> Board:
    """Two squads opposite Zone 15, before the fire."""
    board = Board()
    board.set(phase=2)
    board.ours("2", "3")
    board.zone("14", "15")
    board.squad(4, "2-C")
    board.squad(1, "3-C")
    for where in ("15-R", "15-2", "14-1", "14-2"):
        board.enemy(where)
    return board


def fired_and_crossed() -> Board:
    board = street_example()
    board.do("fire", "unit=4", "target=15-R", dice=[5, 6], draws=["G2/M2"])
    board.do("move", "unit=1", "to=15-C+,1", dice=[3, 4, 2, 4])
    return board


def test_11_2_example_a_suspect_on_a_roof_is_hit_and_turns_out_to_be_guerillas() -> None:
    """[11.2.2: kind] [5.3.3] 5 and 1 for the Suspect are 6, no more than CF 6; 6 draws Guerillas; the squad has Fired [11.3]."""
    board = street_example()
    board.do("fire", "unit=4", "target=15-R", dice=[5, 6], draws=["G2/M2"])

    assert board.says("(5+1 = 6, CF 6): HIT")
    assert board.enemies("15") == ["2 suspect", "R guerillas 2"]
    assert board.mark(4, "fired")
    assert "caat" not in board.asked_for()


def test_12_5_example_of_a_street_crossing() -> None:
    """[12.7: order] [12.7.3: above] [12.5.2: attack] [11.4.2.1, 12.3.2.1, 12.7.2] One unit and three Suspects look on;
    four Movement Points are spent.
    """
    board = fired_and_crossed()

    assert board.says("1 unit 3, miss; 3 Suspects 4, miss")
    assert board.at("squad-1") == "15-1"
    assert board.position.pieces["squad-1"].face == "front" and not board.mark(1, "pinned")
    assert board.says("2+1 = 3. No effect")
    assert board.says("4, quiet on 0-5. It keeps quiet")
    assert board.says("leaves its Security Element at 15-C: CF 5")
    assert board.asked_for("roll") == ["units", "suspects", "defence", "wakes"]


def test_13_example_of_an_assault() -> None:
    """[13.4.4: suspect] [13.4.6: survivor] [13.2, 13.4.7.1] Bottom-Up at a Suspect that turns out to be Martyrs: nobody is hurt,
    all stay.
    """
    board = fired_and_crossed()
    board.do("assault", "squad=1", "target=15-2", dice=[9, 4, 1], draws=["G1/M1"])

    assert board.says("(4+1+1+1 = 7, CF 5): miss")
    assert board.says("(1+1 = 2, CF 1): miss")
    assert board.at("squad-1") == "15-1"
    assert board.enemies("15") == ["2 martyrs 1", "R guerillas 2"]
    assert board.track("vp") == 0


def flooding_example() -> Board:
    board = Board()
    board.set(phase=3)
    board.ours("3", "4")
    board.zone("2", "14", "15", "16", "13")
    board.squad(1, "3-2")
    board.enemy("2-2", "G2/M2")
    board.enemy("2-2'")
    board.enemy("2-1")
    board.do("move", "unit=1", "to=2-R")
    return board


def test_13_4_8_example_of_flooding() -> None:
    """[13.4.5: survivor] [13.4.8.1: clear] [12.4.1, 13.1] Over the roofs into Zone 2, three Assaults, and the Zone is taken
    [14.1.1].
    """
    board = flooding_example()
    assert board.at("squad-1") == "2-R"
    assert board.says("2 of 4 Movement Points") or board.position.pieces["squad-1"].place == "2-R"

    board.do("assault", "squad=1", accept=True, dice=[5, 3, 2, 7, 6, 8], draws=["G1/M1"])

    assert board.says("(5-1 = 4, CF 6): HIT")
    assert board.says("(6+1-1 = 6, CF 6): HIT")
    assert board.at("squad-1") == "2-1"
    assert board.enemies("2") == []
    assert board.track("vp") == 2
    board.do("end")
    assert board.controlled("2")


def test_13_6_example_of_a_retreat() -> None:
    """[5.3.2.2: next] [5.3.2.3: taken] [12.2.1.2: one] [13.4.2: nine] [13.4.7.1: retreat] [13.6.2.1: marker] A 9 never hits,
    whatever is taken off it; the Guerillas go where the marker says.
    """
    board = Board()
    board.set(phase=4)
    board.ours("3")
    board.zone("2", "14")
    board.squad(1, "2-2")
    unit = board.enemy("2-1", "G1/M1")
    board.enemy("14-2")
    board.do("assault", "squad=1", "target=2-1", dice=[9, 4], draws=["2/1/R"])

    assert board.says("an unmodified 9 never hits") or board.says("(9-1 = 8, CF 6): miss")
    assert board.says("(4-1 = 3, CF 1): miss")
    assert board.at(unit) == "14-2'"
    assert board.at("squad-1") == "2-1"
    assert len(board.position.at("suspects cup")) == 23


def test_9_example_of_the_support_phase() -> None:
    """[9.3, 5.3.3] The UAV looks into 32 and 41; the AH-1W clears 22; then the street is crossed [12.5]."""
    board = Board(turn=5)
    board.ours("12")
    board.zone("22")
    board.squad(8, "12-C")
    board.enemy("22-1")
    board.enemy("22-2")
    board.do(
        "mission",
        "mission=uav",
        "zones=32 41",
        dice=[6, 3, 5, 9, 7],
        draws=["Activated Zone", "1/2/R", "2/1/R", "Activated Zone", "R/2/1", "2/1/R", "G2/M3", "G1/M1"],
    )
    assert board.enemies("32") == []
    assert len(board.enemies("41")) == 2
    assert {enemy.partition(" ")[0] for enemy in board.enemies("41")} == {"2", "R"}
    board.do("mission", "mission=ah1w", "zones=22", "remove=all", dice=[3])
    assert board.enemies("22") == []
    assert (board.track("uav"), board.track("ah1w")) == (1, 1)
    board.do("move", "unit=8", "to=22-C", accept=True)
    assert board.at("squad-8") == "22-C"
    assert board.asked_for("roll") == []


def test_5_3_2_2_a_marker_is_read_from_left_to_right_with_its_primes() -> None:
    """[5.3.2.2: next] 2/1/R goes to 2, 2', 1, 1', 1'', R."""
    assert priorities("2/1/R") == ("2", "2'", "1", "1'", "1''", "R")


def test_12_6_1_the_movement_capacity_of_an_m1a1() -> None:
    """[12.6.1] 4, 3, 2 and 1 by the die."""
    chart = Board().referee.chart("m1a1")

    assert [chart.number(face, "mc") for face in range(10)] == [4, 4, 3, 3, 3, 3, 2, 2, 2, 1]


@pytest.mark.parametrize(("face", "result"), [(2, "reduced"), (3, "pinned"), (4, "none")])
def test_12_7_2_a_loss_below_the_cf_pinned_on_it_nothing_above(face: int, result: str) -> None:
    """[12.7.2: result] A unit of CF 3 in the Zone that is entered."""
    board = Board()
    board.set(phase=3)
    board.ours("3")
    board.zone("14")
    board.squad(7, "3-C")
    board.enemy("14-1", "G3/M2")
    board.do("move", "unit=7", "to=14-C", dice=[9, face], accept=True)

    squad = board.position.pieces["squad-7"]
    assert squad.place == "14-C"
    assert squad.face == ("reduced" if result == "reduced" else "front")
    assert bool(squad.marks.get("pinned")) == (result == "pinned")
    assert board.track("vp") == (-2 if result == "reduced" else 0)


def test_7_2_1_reduced_and_then_eliminated_are_seven_points_at_once_are_five() -> None:
    """[5.1.1.1: second] [7.2.1: both] [13.4.3: bomber] A squad that is reduced first costs 2 and 5; one that a Suicide Bomber
    takes costs 5.
    """
    board = Board()
    board.set(phase=4)
    board.zone("14")
    board.squad(7, "14-C")
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[7, 2])
    assert board.track("vp") == -2
    board.flag(assaulted=None)
    board.do("assault", "squad=7", accept=True, dice=[7, 2])
    assert board.track("vp") == -7
    assert board.at("squad-7") == "out of the game"

    board = Board()
    board.set(phase=4)
    board.zone("14")
    board.squad(7, "14-C")
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[7, 0, 4])
    assert board.track("vp") == -5
    assert board.enemies("14") == []


@pytest.mark.parametrize(("points", "level"), [(11, "Major"), (10, "Minor"), (0, "Minor"), (-1, "Bitter")])
def test_7_2_2_the_level_of_victory(points: int, level: str) -> None:
    """[7.2.2: bounds] More than 10, from 0 to 10, less than 0."""
    assert Board().referee.chart("victory").text(points, "level").startswith(level)


def test_4_1_facts_of_the_map_in_the_examples() -> None:
    """[4.1.1, 4.1.2, 4.4] The map of these tests holds what the printed examples say, and contradicts itself nowhere."""
    zones = {number: read_zone(text) for number, text in ZONES.items()}
    assert contradictions(zones, {name: read_section(text) for name, text in SECTIONS.items()}) == []
    town = Board().referee.town

    assert set(town.adjacent("3")) == {"2", "4"}
    assert set(town.near("3")) >= {"14", "15", "16"}
    assert town.block("15") == ("14", "15", "16")
    assert set(town.near("14")) >= {"23", "24", "25"}


@pytest.mark.parametrize(("number", "face", "floods"), [(1, "reduced", True), (7, "reduced", False), (6, "front", False)])
def test_13_4_8_2_which_squads_may_flood(number: int, face: str, floods: bool) -> None:
    """[13.4.8.2: start] CF 6 reduced may; CF 5 reduced and CF 4 may not."""
    board = Board()
    board.set(phase=4)
    board.zone("2")
    board.squad(number, "2-R", face)
    board.enemy("2-2", "G1/M1")
    board.enemy("2-1")
    dice = [1, 9, 2] if floods else [1, 9]
    board.do("assault", f"squad={number}", *(["flood=yes"] if floods else []), accept=True, dice=dice)

    assert board.says("floods Zone 2") == floods
    assert board.says("4 or less") != floods


def test_13_4_8_2_a_detached_element_counts() -> None:
    """[12.3.2.2: cf] [13.4.8.2: start] CF 5 with its Security Element out is 4: it does not flood."""
    board = Board()
    board.set(phase=4)
    board.zone("2")
    board.squad(7, "2-R")
    board.element(7, "2-R")
    board.enemy("2-2", "G1/M1")
    board.enemy("2-1")
    board.do("assault", "squad=7", accept=True, dice=[1, 9])

    assert board.says("No Flooding: the squad's CF is 4, 4 or less")
