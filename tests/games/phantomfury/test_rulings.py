"""Where two readings were fair, or the rulebook is silent: each switch in every position, and facts that are entered late."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.games.phantomfury.rules.r03_basics import free_location
from companion.games.phantomfury.rules.r13_assault import descents, flooding_targets, targets_odds, targets_of, zone_flood_odds
from tests.games.phantomfury.board import Board
from tests.games.phantomfury.test_09_10_support import facing, react

# -- 9.4, 10.4: the Iraqi squads ---------------------------------------------------------------------------------------


def iraqis(turn: int = 4, **options: str) -> Board:
    """Zone 16, next to Zone 26, came under USMC Control in turn 3; three IIF squads wait."""
    board = Board(turn=turn, **options)
    board.flag(**{"mosque reached": 3})
    board.ours("3", "16")
    board.add("iif-3", "iif", "IIF 3", "iraqi box", values={"number": 3, "cf": 4})
    return board


@pytest.mark.parametrize(("option", "places"), [("together", ["3-C"] * 3), ("apart", ["3-C", "iraqi box", "iraqi box"])])
def test_10_4_the_iif_squads_enter_on_the_same_turn(option: str, places: list[str]) -> None:
    """[10.4: together] With one of them the others come in too (ruling C-69); by the switch it comes alone."""
    board = iraqis(iif=option)
    board.do("reinforce", "units=i1")
    assert [board.at(f"iif-{number}") for number in (1, 2, 3)] == places
    assert board.says("The IIF squads enter on the same turn: IIF 2, IIF 3 too.") == (option == "together")


def test_10_4_other_reinforcements_bring_no_iif_squad_along() -> None:
    """[10.4: together] [10.1] A Company squad comes in alone."""
    board = iraqis()
    board.do("reinforce", "units=12")
    assert [board.at(f"iif-{number}") for number in (1, 2, 3)] == ["iraqi box"] * 3


def test_10_4_a_street_entered_at_contact_counts_for_the_turn_of_the_taking() -> None:
    """[10.4: later] [14.1.1, 14.2] Street x, which joins 16 and 26, is entered only when the Zones around 16 are Activated."""
    board = Board(turn=3)
    board.position = board.position.changed(flags={k: v for k, v in board.position.flags.items() if k != "section:x"})
    board.set(phase=4)
    board.ours("3", "4", "15")
    board.zone("16", "26", "2", "14")
    board.squad(7, "16-R")
    board.do("end", "section:x=16 26", accept=True)
    assert board.position.flag("mosque reached") == 3
    board.do("reinforce", "units=i1", accept=True)
    assert board.at("iif-1").startswith("3-") or board.at("iif-1").startswith("4-")


@pytest.mark.parametrize("late", [True, False])
def test_10_4_a_street_entered_later_still_has_had_its_effect(late: bool) -> None:
    """[10.4: later] Zone 16 is under Control and street x is entered afterwards: they may come; lost again after it
    was noted, too.
    """
    board = iraqis()
    board.flag(**{"mosque reached": None if late else 3})
    if not late:
        board.zone("16")
    board.do("reinforce", "units=i1")
    assert board.at("iif-1") == "3-C"


def test_9_4_counter_attack_in_the_mosque_on_a_reachable_squad() -> None:
    """[9.4: reach] [5.1.6.1] The first IIF squad is out of their reach, the second is Adjacent (ruling C-71)."""
    board = facing()
    board.zone("26")
    board.flag(**{"zone:26": "OG-C-1-2 1-1'; door C; streets x; egress exit"})
    board.change("iif-1", place="26-OG")
    board.change("iif-2", place="26-1'")
    board.enemy("26-1", "G2/M2")
    board.enemy("26-C")
    react(board, 7, dice=(9, 9))
    assert board.says("Guerillas CF 2 at 26-1 Assault IIF 2 at 26-1'")


def test_9_4_counter_attack_on_one_of_several_at_random() -> None:
    """[9.4: reach] [5.1.6.1] Both IIF squads are Adjacent: the player draws, or Companion does (ruling C-71)."""
    board = facing()
    board.zone("26")
    board.change("iif-1", place="26-C")
    board.change("iif-2", place="26-2")
    board.enemy("26-1", "G2/M2")
    react(board, 7, dice=(9, 9), draws=("IIF 2 at 26-2",))
    assert board.says("Guerillas CF 2 at 26-1 Assault IIF 2 at 26-2")


# -- 4.1.2.1, 13.4.3.3: what one Zone says of another ------------------------------------------------------------------


def test_4_1_2_1_a_line_of_fire_lies_between_two_zones() -> None:
    """[4.1.2.1: between] [11.1] Only Zone 12 has the symbol: 12 fires at 16, and 16 at 12 (ruling C-72); 3 does neither."""
    for place, target in (("12-R", "16-1"), ("16-R", "12-1")):
        board = Board({"zone:12": "C-1-2-R; door C; streets y; fire 16; egress 22; black"})
        board.set(phase=2)
        board.ours(place.partition("-")[0])
        board.squad(7, place)
        board.enemy(target, "G1/M1")
        board.do("fire", "unit=7", f"target={target}", dice=[0])
        assert board.says("HIT")
        board.ours("3")
        board.squad(8, "3-R")
        board.enemy(target, "G1/M1")
        if target == "12-1":
            with pytest.raises(Illegal, match=r"11\.1"):
                board.do("fire", "unit=8", f"target={target}")


def test_13_4_3_3_the_zones_of_the_block_are_asked_for() -> None:
    """[13.4.3.3: block] [4.4] Zones 15 and 16 are not entered when Fanaticism breaks out in 14: asked, and
    marked; 27 never.
    """
    zones = {number: Board().position.flag(f"zone:{number}") for number in ("15", "16")}
    board = Board({"zone:14": "C-1-2-R 2-2'; door C; roof R; adjacent 15; streets s v; egress 24 25"})
    board.position = board.position.changed(
        flags={k: v for k, v in board.position.flags.items() if k not in ("zone:15", "zone:16")}
    )
    board.set(phase=4)
    board.zone("14")
    board.squad(7, "14-C")
    board.enemy("14-1", "G1/M1")
    board.do("assault", "squad=7", f"zone:15={zones['15']}", f"zone:16={zones['16']}", dice=[9, 0, 0])
    marked = [
        zone for zone in ("14", "15", "16") if any(piece.name == "Fanaticism" for piece in board.position.at(f"box {zone}"))
    ]
    assert marked == ["14", "15", "16"]


# -- 13.4.8.1: Flooding from next to the target ------------------------------------------------------------------------


def roof(zone: str, *enemies: str) -> Board:
    """Squad 1 (CF 6) on the roof of Zone 14; Martyrs CF 1 in these Locations of it."""
    board = Board({"zone:14": f"{zone}; door C; roof R; streets s v; egress 24 25"})
    board.set(phase=4)
    board.ours("3")
    board.zone("14", "24", "25")
    board.squad(1, "14-R")
    for where in enemies:
        board.enemy(f"14-{where}", "G1/M1", martyrs=where != "2")
    return board


def test_13_4_8_1_the_next_target_is_one_that_the_squad_can_get_next_to() -> None:
    """[13.4.8.1: adjacent] [13.4.8] Between 2 and 1 lies 1', which is held: it comes first (ruling C-70)."""
    board = roof("C-1-1'-2-R", "2", "1", "1'")
    board.do("assault", "squad=1", "target=14-2", dice=[1, 8, 1, 8, 1, 8])
    order = [line.partition(" at ")[2][:5] for line in board.said if line.startswith("Flooding: Martyrs")]
    assert order == ["14-1'", "14-1."]
    assert board.at("squad-1") == "14-1"


def test_13_4_8_1_flooding_ends_where_no_way_leads_on() -> None:
    """[13.4.8.1: adjacent] [4.2.2] No arrow joins 1 and 2: nothing is Assaulted from afar, and the odds do not call the Zone
    cleared.
    """
    board = roof("C-1 2-R", "2", "1")
    squad, game = board.named("Squad 1"), board.referee
    able = targets_of(game, squad)
    assert [len(met) for met in descents(game, squad, able).values()] == [1]
    assert len(targets_odds(game, squad, able, descents(game, squad, able)).sections) == 1
    board.do("assault", "squad=1", "target=14-2", dice=[1, 8])
    assert board.says("No Flooding: Squad 1 gets next to no enemy. [13.4.8.1]")
    assert board.at("squad-1") == "14-2" and board.enemies("14") == ["1 martyrs 1"]


def test_13_4_8_1_odds_of_flooding_that_leaves_somebody_behind() -> None:
    """[13.4.8.1] 2' can be got to and 1 cannot: Flooding ends after 2', and the Zone is not cleared."""
    board = roof("C-1 2-R 2-2'", "2", "2'", "1")
    board.do("assault", "squad=1", "target=14-2", dice=[1, 8, 1, 8])
    assert board.says("Flooding ends: the squad gets next to no other enemy.")
    board = roof("C-1 2-R 2-2'", "2'", "1")
    board.squad(1, "14-2")
    game, squad = board.referee, board.named("Squad 1")
    (zone, _) = zone_flood_odds(game, squad, flooding_targets(game, squad)).sections
    assert dict(zone[1]).get("cleared", 0.0) == 0.0


def test_13_4_8_location_2_comes_where_2_prime_would() -> None:
    """[13.4.8] Down into 2', the squad floods 2 before 1 (ruling C-19)."""
    board = roof("C-1-2-2'-R", "1")
    board.enemy("14-2'", "G1/M1")
    board.enemy("14-2", "G1/M1", martyrs=True)
    board.do("assault", "squad=1", "target=14-2'", dice=[1, 8, 1, 8, 1, 8])
    order = [line.partition(" at ")[2][:4] for line in board.said if line.startswith("Flooding: Martyrs")]
    assert order == ["14-2", "14-1"]


# -- 14.3.4, 14.4.2 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "tank", "plus"), [("street", True, 2), ("both", True, 0), ("both", False, 2), ("street", False, 2)]
)
def test_14_3_4_open_ground_with_an_m1a1(option: str, tank: bool, plus: int) -> None:
    """[14.3.4: ground] The M1A1 stands with the Street Section (ruling C-66); by the switch with Open Ground as well."""
    for face, free in ((5 - plus, True), (6 - plus, False)):
        board = Board(regroup_tank=option)
        board.set(phase=4)
        board.ours("3", "4", "16")
        board.zone("15", "2", "14", "26")
        board.squad(7, "16-OG", pinned=True)
        board.squad(12, "3-C")
        board.squad(1, "4-C")
        board.enemy("15-R")
        if tank:
            board.change("m1a1", place="16-OG")
        board.do("end", dice=[face])
        assert bool(board.mark(7, "pinned")) == (not free)
    where = "beside" if tank else "open"
    ((_, turns),) = Board(regroup_tank=option).odds("regroup", "cf=5", f"at={where}").sections
    assert turns[0][1] == pytest.approx((6 - plus) / 10)


@pytest.mark.parametrize("option", ["one", "all"])
@pytest.mark.parametrize("watched", [0, 1, 2])
def test_14_4_2_two_streets_between_two_zones(option: str, watched: int) -> None:
    """[14.4.2: two] Streets y and z join 12 and 22: one that is watched will do (ruling C-68); by the switch both must be."""
    facts = {
        "zone:12": "C-1-2-R; door C; streets y z; egress 22; black",
        "zone:22": "C-1-2-R; door C; roof R; adjacent 32; streets y z; egress 32",
        "section:z": "12 22",
    }
    board = Board(facts, watched=option)
    board.set(phase=4)
    board.ours("12")
    board.zone("22", "32")
    board.enemy("22-1")
    for number, name in enumerate("yz"[:watched]):
        board.add(f"tank-{number}", "tank", f"M1A1 {number + 5}", f"street {name}", values={"number": number + 5, "cf": 8})
    open_to = watched == 0 or (watched == 1 and option == "all")
    board.do("end", draws=["1/2/R"] if open_to else [])
    assert board.controlled("12") == (not open_to)


# -- decided by a ruling without a switch ------------------------------------------------------------------------------


def test_13_7_1_explosives_are_spent_in_an_assault_that_confusion_cancels() -> None:
    """[13.7.1: spent] [13.4.3] Chosen before the dice, they leave after the Assault (ruling C-73)."""
    board = roof("C-1-2-R", "2")
    board.squad(1, "14-R", caat=True)
    board.do("assault", "squad=1", "target=14-2", "explosives=yes", dice=[5, 0, 2])
    assert board.says("Confusion") and not board.mark(1, "explosives") and board.enemies("14") == ["2 guerillas 1"]


@pytest.mark.parametrize("fanatic", [True, False])
def test_13_6_4_fanatics_do_not_retreat_and_are_not_refused(fanatic: bool) -> None:
    """[13.6.4: fanatics] [13.6.1] Beside a Security Element CF 1 less and the marker, but not for those who would stay anyway
    (C-74).
    """
    board = roof("C-1-2-R")
    board.enemy("14-1", "G2/M2")
    board.squad(1, "14-2")
    board.element(1, "14-C")
    if fanatic:
        board.marker("Fanaticism", "14")
    board.do("assault", "squad=1", "target=14-1", dice=[9, 9])
    assert board.enemies("14") == [f"1 guerillas {2 if fanatic else 1}"]
    quiet = any(piece.name == "No Insurgents Event" for piece in board.position.at("box 14"))
    assert quiet == (not fanatic)


@pytest.mark.parametrize("tank", [True, False])
def test_12_2_1_2_an_m1a1_and_an_enemy_share_no_open_ground(tank: bool) -> None:
    """[12.2.1.2, 12.6.2] It does not go where one is, and no Suspect is placed where it stands (ruling C-77)."""
    board = Board()
    board.ours("4")
    board.zone("16")
    marker = board.enemy("16-OG")
    board.change("m1a1", place="street t")
    board.set(phase=3)
    with pytest.raises(Illegal, match=r"is in 16-OG already.*12\.2\.1\.2"):
        board.do("move", "unit=m1", "to=16-OG", dice=[0])
    board.change(marker, place="suspects cup")
    if tank:
        board.change("m1a1", place="16-OG")
    assert free_location(board.referee, "16", "OG/1") == ("16-1" if tank else "16-OG")


def test_12_5_3_casualties_that_come_back_are_not_fired_at() -> None:
    """[12.5.3: back] [12.7.1] Back into the Courtyard of a Zone of the insurgents: it returns and does not enter
    (ruling C-75).
    """
    board = Board()
    board.set(phase=3)
    board.ours("3")
    board.zone("14")
    board.enemy("14-1", "G3/M4")
    board.squad(7, "14-C", "reduced", caat=True)
    board.do("move", "unit=7", "to=3-C", "loss=caat", dice=[1])
    assert board.at("squad-7") == "14-C" and not board.mark(7, "caat")
    assert board.asked_for("roll") == ["units"]
