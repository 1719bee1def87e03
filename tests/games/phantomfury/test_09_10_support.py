"""[9.0, 10.0] Missions, the insurgents' Reactions, Reinforcements."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.phantomfury.board import Board

UAV = ("mission=uav", "zones=15 16")
"""A Mission that a 9 postpones."""


def facing() -> Board:
    """Squad 1 holds Zone 3; 14, 15 and 16 are Activated."""
    board = Board()
    board.ours("3")
    board.zone("14", "15", "16")
    board.squad(1, "3-C")
    return board


def react(board: Board, face: int, *answers: str, dice: tuple[int, ...] = (), draws: tuple[str, ...] = ()) -> None:
    """A postponed Mission and the Reaction."""
    board.do("mission", *UAV, *answers, dice=[9, face, *dice], draws=list(draws))


def test_9_1_missions_go_on_until_one_fails() -> None:
    """[9.1: again, over] [9.2: successes] [9.2.1: one] [9.0] A success leaves the phase open and counts; a failure
    counts nothing and ends it.
    """
    board = facing()
    board.do("mission", *UAV, dice=[8])
    assert board.track("uav") == 1 and board.says("8, needs 0-8. It comes.")
    react(board, 0)
    assert board.track("uav") == 1 and board.says("No effect") and board.says("The Support Phase is over")
    with pytest.raises(Illegal, match=r"9\.1"):
        board.do("mission", *UAV, dice=[1])


@pytest.mark.parametrize(("mission", "zone", "last"), [("uav", "15", 8), ("ah1w", "16", 6), ("fa18", "24", 4)])
@pytest.mark.parametrize("over", [0, 1])
def test_9_3_the_die_of_each_mission(mission: str, zone: str, last: int, over: int) -> None:
    """[9.4.1: postponed] [9.2.1: one] [9.1, 9.3] Up to its number a Mission comes and its marker moves; above it the
    insurgents react.
    """
    board = facing()
    board.zone("24")
    board.enemy("16-1", "G1/M1")
    board.do("mission", f"mission={mission}", f"zones={zone}", dice=[last + over, *[0] * over])
    assert board.track(mission) == 1 - over


@pytest.mark.parametrize(("mission", "most"), [("uav", 4), ("ah1w", 2), ("fa18", 1)])
def test_9_2_a_mission_that_is_used_up_is_refused(mission: str, most: int) -> None:
    """[9.2: successes] Four reports, two attacks of the AH-1W, one of the F/A-18."""
    board = facing()
    board.set(**{mission: most})
    with pytest.raises(Illegal, match=r"used up.*9\.2"):
        board.do("mission", f"mission={mission}")
    board.do("mission", f"mission={mission}", "zones=24", dice=[9, 0], anyway=True)
    assert any("Recorded anyway" in line for line in board.said)


def test_9_2_no_mission_is_left() -> None:
    """[9.2] Then nothing is asked."""
    board = facing()
    board.set(uav=4, ah1w=2, fa18=1)
    with pytest.raises(Illegal, match=r"every Mission has been used up.*9\.2"):
        board.do("mission")


def test_9_3_uav_leaves_enemies_that_could_shoot_and_fortified_zones() -> None:
    """[9.3: uav_fortified, uav_sniper] [5.3.4] IED/Sniper keeps its marker; in a Fortified Zone no Suspect is Activated."""
    board = Board()
    board.zone("15")
    board.strong("16")
    board.enemy("15-1")
    board.enemy("16-1")
    board.do("mission", *UAV, dice=[8, 0])

    assert board.enemies("15") == ["1 suspect"]
    assert board.enemies("16") == ["1 suspect"]
    assert board.says("Fortified")


def test_9_3_uav_activates_zones_and_their_suspects() -> None:
    """[9.3, 4.1.3, 5.3.5] A Zone that is not Activated is first; a 0 leaves its Suspect; a Strong Point keeps both."""
    board = Board()
    draws = ["Activated Zone", "2/1/R", "1/2/R", "Activated Strong Point", "2/1/R", "R/2/1"]
    board.do("mission", "mission=uav", "zones=32,41", dice=[8, 0, 3], draws=draws)

    assert board.enemies("32") == ["1 suspect"]
    assert board.enemies("41") == ["2 suspect", "R suspect"]
    assert board.says("Zone 41 is Fortified")


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        (("mission=uav", "zones=3 15"), "under USMC Control"),
        (("mission=uav", "zones=15 23"), "neither Adjacent nor Neighbouring"),
        (("mission=ah1w", "zones=26"), "mosque"),
        (("mission=fa18", "zones=26"), "mosque"),
        (("mission=ah1w", "zones=16"), "no Insurgents unit and no Suspect"),
        (("mission=fa18", "zones=15"), "too close"),
        (("mission=ah1w", "zones=14"), "Squad 7 is in Zone 14"),
    ],
)
def test_9_3_targets_that_are_refused(answers: tuple[str, ...], why: str) -> None:
    """[9.3: uav_zones, ah1w, fa18] Under insurgent Control, without USMC units, next to each other; no aircraft at the mosque."""
    board = facing()
    board.squad(7, "14-C")
    for where in ("14-1", "23-1"):
        board.enemy(where)
    with pytest.raises(Illegal, match=why):
        board.do("mission", *answers)


@pytest.mark.parametrize(("option", "points"), [("fa18", 1), ("both", 1), ("none", 0)])
def test_9_3_fa18_empties_a_zone_and_leaves_ruins(option: str, points: int) -> None:
    """[9.3: ruins] [4.1.6, 4.1.3] Guerillas and Suspects are gone, 2 and R exist no more; a Zone is Activated once."""
    board = Board(air_vp=option)
    board.zone("24")
    board.enemy("24-1", "G2/M2")
    board.enemy("24-2")
    board.do("mission", "mission=fa18", "zones=24", dice=[4])

    assert board.enemies("24") == []
    assert board.track("vp") == points
    assert board.referee.locations("24") == ("C", "1")
    assert "Rubble" in board.names_at("box 24")


def test_9_3_the_ah1w_is_suggested_the_hardest_target() -> None:
    """[9.3] Martyrs, then Guerillas by their CF; Suspects come before those only in a Fortified Zone, as Martyrs to be."""
    for strong, taken in ((False, {"24-2'", "24-2"}), (True, {"24-2'", "24-R"})):
        board = Board()
        (board.strong if strong else board.zone)("24")
        for where, name in (("1", "G1/M1"), ("2", "G3/M2"), ("R", "")):
            board.enemy(f"24-{where}", name)
        board.enemy("24-2'", "G1/M1", martyrs=True)
        before = set(board.enemies("24"))
        board.do("mission", "mission=ah1w", "zones=24", dice=[6], accept=True)
        gone = {f"24-{enemy.partition(' ')[0]}" for enemy in before - set(board.enemies("24"))}
        assert gone == taken


def test_9_3_fa18_activates_its_zone() -> None:
    """[9.3: ruins] [4.1.3] Its marker is drawn and its Suspects are placed, and then they are gone."""
    board = Board()
    board.do("mission", "mission=fa18", "zones=41", dice=[4], draws=["Activated Zone", "2/1/R", "1/2/R"])
    assert board.names_at("box 41") == ["Activated Zone", "Rubble"]
    assert board.enemies("41") == []


@pytest.mark.parametrize("removed", ["24-1", "24-1,24-2"])
@pytest.mark.parametrize(("option", "points"), [("fa18", 0), ("both", 1)])
def test_9_3_ah1w_removes_up_to_two_counters(option: str, points: int, removed: str) -> None:
    """[9.3: ah1w] One or two of three, as the player says; whether they are points is ruling C-2."""
    board = Board(air_vp=option)
    board.zone("24")
    board.enemy("24-1", "G2/M2")
    board.enemy("24-2")
    board.enemy("24-2'")
    board.do("mission", "mission=ah1w", "zones=24", f"remove={removed}", dice=[6])

    assert board.enemies("24") == (["2' suspect"] if "," in removed else ["2 suspect", "2' suspect"])
    assert board.track("vp") == points


def test_9_4_reinforcements_for_every_guerillas_unit() -> None:
    """[9.4: higher] [9.4.2: element] [9.4.1] A higher CF replaces the unit, another goes back; not beside a Security Element."""
    board = facing()
    board.squad(7, "14-1")
    board.element(7, "14-C")
    board.enemy("14-2", "G1/M1")
    board.enemy("15-1", "G1/M1")
    board.enemy("16-1", "G2/M2")
    board.do("mission", "mission=uav", "zones=15 16", dice=[9, 2], draws=["G3/M2", "G2/M3"])

    assert board.enemies("14") == ["2 guerillas 1"]
    assert board.enemies("15") == ["1 guerillas 3"]
    assert board.enemies("16") == ["1 guerillas 2"]
    assert board.says("1 of 3 Guerillas")
    assert "9.4.2" in str(board.events)


def test_9_4_retreat_of_guerillas_beside_squads() -> None:
    """[9.4: beside] [13.4.3.3: stay] [13.6, 13.6.1] Those in a Zone with a squad withdraw; Martyrs, those alone and those with
    Fanaticism stay (C-38).
    """
    board = facing()
    board.squad(4, "13-C")
    board.enemy("13-1", "G1/M1")
    board.marker("Fanaticism", "13")
    board.squad(7, "14-C")
    board.enemy("14-1", "G1/M1")
    board.enemy("14-2", "G2/M2", martyrs=True)
    board.enemy("16-1", "G2/M3")
    react(board, 4, draws=("1/2/R",))

    assert board.enemies("14") == ["2 martyrs 2"]
    assert board.enemies("24") == ["1 guerillas 1"]
    assert board.enemies("16") == ["1 guerillas 2"]
    assert board.enemies("13") == ["1 guerillas 1"]


def test_9_4_guerillas_in_the_mosque_do_not_retreat() -> None:
    """[13.6.1: mosque] [9.4] Beside an IIF squad in Zone 26 they stay where they are."""
    board = facing()
    board.change("iif-1", place="26-2")
    board.enemy("26-1", "G2/M2")
    react(board, 5)
    assert board.enemies("26") == ["1 guerillas 2"]
    assert "they are in Zone 26" in str(board.events)


def test_9_4_eagle_of_fallujah() -> None:
    """[9.4: eagle] [11.4.1.2: zero] [11.4.1.1] Each squad in a Zone of the insurgents; a 0 costs a step too; others are left
    alone.
    """
    board = facing()
    board.squad(7, "14-C")
    board.enemy("15-1")
    board.enemy("15-2")
    board.do("mission", "mission=uav", "zones=15 16", dice=[9, 6, 0])

    assert board.mark(7, "pinned") and board.position.pieces["squad-7"].face == "reduced"
    assert not board.mark(1, "pinned")
    assert board.track("vp") == -2


def test_9_4_eagle_needs_somebody_around() -> None:
    """[11.4.1.1: nobody] With no enemy around there is no attack (ruling C-4)."""
    board = facing()
    board.squad(7, "14-C")
    react(board, 6)
    assert board.says("no Sniper Attack")


def test_9_4_counter_attack_without_modifiers() -> None:
    """[9.4: strongest, plain] Only the strongest Guerillas come Adjacent and Assault; in a Fortified Zone nothing is added
    either.
    """
    board = facing()
    board.strong("24")
    board.squad(7, "24-C")
    board.enemy("24-2", "G3/M4")
    board.enemy("24-2'", "G1/M1")
    react(board, 7, dice=(5, 4))

    assert board.says("5, hits on 0-5: HIT")
    assert board.track("vp") == 1
    assert board.enemies("24") == ["2' guerillas 1"]
    assert board.at("squad-7") == "24-C"


def test_9_4_counter_attack_comes_adjacent() -> None:
    """[9.4: strongest] [9.4.1] From the roof to 1, next to the squad; both hit, and the squad stays (ruling C-18)."""
    board = facing()
    board.squad(7, "14-C")
    board.enemy("14-R", "G3/M4")
    board.enemy("14-2", "G1/M1")
    react(board, 7, dice=(5, 3))

    assert board.says("at 14-1 Assault Squad 7")
    assert board.enemies("14") == ["2 guerillas 1"]
    assert (board.at("squad-7"), board.position.pieces["squad-7"].face) == ("14-C", "reduced")
    assert board.track("vp") == 1 - 2


def test_9_4_counter_attack_not_beside_an_element() -> None:
    """[9.4.2: element] A Security Element keeps them off."""
    board = facing()
    board.squad(7, "14-1")
    board.element(7, "14-C")
    board.enemy("14-2", "G3/M4")
    react(board, 8)
    assert board.enemies("14") == ["2 guerillas 3"]
    assert board.says("Counter-attack in 0 Zones")
    assert "9.4.2" in str(board.events)


@pytest.mark.parametrize(("option", "lost"), [("one", 1), ("each", 2)])
def test_9_4_hbied(option: str, lost: int) -> None:
    """[9.4: hbied, floors] [4.1.6] A house under a squad next to the insurgents becomes Ruins; in 2, 2' and R it
    is eliminated.
    """
    board = Board(hbied=option)
    board.ours("3", "4")
    board.zone("14", "15", "16")
    board.squad(1, "3-2")
    board.squad(4, "4-R")
    draws = ("Squad 1 at 3-2",) if option == "one" else ()
    react(board, 9, draws=draws)

    assert board.at("squad-1") == "out of the game"
    assert (board.at("squad-4") == "out of the game") == (lost == 2)
    assert board.track("vp") == -5 * lost
    assert board.referee.locations("3") == ("C", "1")


def test_9_4_hbied_spares_courtyards_and_quiet_zones() -> None:
    """[9.4: hbied, floors] A squad in C is unharmed; Zone 12 with no insurgent Zone around is no target."""
    board = Board()
    board.ours("3", "12", "22")
    board.squad(1, "3-C")
    board.squad(4, "12-2")
    react(board, 9)

    assert board.at("squad-1") == "3-C" and board.at("squad-4") == "12-2"
    assert board.referee.locations("3") == ("C", "1")


@pytest.mark.parametrize("zone", ["26", "16"])
def test_9_4_hbied_spares_the_mosque_and_ruins(zone: str) -> None:
    """[9.4: hbied] Neither in Zone 26 nor in a Ruins Zone, though both are beside Zones of the insurgents."""
    board = Board()
    board.ours(zone)
    board.zone("15")
    if zone == "26":
        board.change("iif-1", place="26-2")
    else:
        board.squad(8, "16-C")
        board.marker("Rubble", "16")
    before = board.position
    board.do("mission", "mission=uav", "zones=32 41", dice=[9, 9])

    assert board.says("no squad is in a Zone that it could happen in")
    assert (board.position.pieces, board.track("vp")) == (before.pieces, 0)


# -- 10 ----------------------------------------------------------------------------------------------------------------


def test_10_1_company_from_turn_2() -> None:
    """[10.1: turn, zone] [10.0] Not in turn 1; then into a start Zone under USMC Control, at the entry symbol, for nothing."""
    board = Board(turn=1)
    board.ours("3")
    with pytest.raises(Illegal, match=r"turn 2.*10\.1"):
        board.do("reinforce", "units=12")
    board.set(turn=2)
    board.do("reinforce", "units=12")
    assert board.at("squad-12") == "3-C"
    assert board.track("vp") == 0


def test_10_1_only_into_a_start_zone_under_control() -> None:
    """[10.1: zone] Without such a Zone no unit enters."""
    board = Board()
    board.ours("14")
    with pytest.raises(Illegal, match="black circle"):
        board.do("reinforce", "units=12")


def test_10_2_the_m1a1_comes_in_on_the_north_edge() -> None:
    """[10.2: edge] [5.1.3] Into a Street Section of the north edge beside a Zone under USMC Control."""
    board = Board()
    board.ours("3")
    with pytest.raises(Illegal, match=r"north edge.*10\.2"):
        board.do("reinforce", "units=m1", "section=s")
    board.do("reinforce", "units=m1", "section=n")
    assert board.at("m1a1") == "street n"


@pytest.mark.parametrize(("turn", "variant", "points"), [(9, "off", -2), (7, "on", 0)])
def test_10_3_battalion(turn: int, variant: str, points: int) -> None:
    """[10.3: turn, cost] [15.0: battalion] From turn 9 for 2 VP each; in the variant from turn 7 for nothing."""
    board = Board(variant=variant)
    board.flag(**{"battalion turn": turn})
    board.ours("3")
    board.change("squad-7", place="battalion box")
    board.set(turn=turn - 1)
    with pytest.raises(Illegal, match=r"10\.3"):
        board.do("reinforce", "units=7")
    board.set(turn=turn)
    board.do("reinforce", "units=7")
    assert board.track("vp") == points


def test_10_4_iraqis_the_turn_after_the_mosque_is_reached() -> None:
    """[10.4: after] [5.1.6] A Zone next to 26 is taken; from the next turn on they come, and bring no loss."""
    board = Board()
    board.ours("3")
    with pytest.raises(Illegal, match=r"10\.4"):
        board.do("reinforce", "units=i1")
    board.zone("16", "26", "15", "4")
    board.squad(7, "16-C")
    board.do("end")
    assert board.controlled("16") and board.position.flag("mosque reached") == 3
    board.set(turn=3)
    with pytest.raises(Illegal, match="the turn after"):
        board.do("reinforce", "units=i1")
    board.set(turn=4)
    board.do("reinforce", "units=i1")
    assert board.at("iif-1") == "3-C"
    assert board.track("vp") == 0


# -- conditions and exceptions -----------------------------------------------------------------------------------------


def test_9_3_an_f_a_18_leaves_one_rubble_in_ruins() -> None:
    """[4.1.6: again] A Ruins Zone that is struck again is a Ruins Zone as before."""
    board = Board()
    board.zone("24")
    board.marker("Rubble", "24")
    board.enemy("24-1")
    board.do("mission", "mission=fa18", "zones=24", dice=[0])

    assert board.names_at("box 24") == ["Activated Zone", "Rubble"]
    assert board.enemies("24") == []


def test_9_4_2_an_element_is_no_shelter_from_the_eagle() -> None:
    """[9.4.2: others] Only the three Reactions with a dagger pass by a Zone with a Security Element."""
    board = facing()
    board.squad(7, "14-1")
    board.element(7, "14-C")
    board.enemy("15-1")
    react(board, 6, dice=(1,))

    assert board.mark(7, "pinned")


def test_10_2_no_m1a1_in_turn_1() -> None:
    """[10.2: turn] From turn 2 on."""
    board = Board(turn=1)
    board.ours("3")
    with pytest.raises(Illegal, match=r"from turn 2 on.*10\.2"):
        board.do("reinforce", "units=m1", "section=n")
    board.set(turn=2)
    board.do("reinforce", "units=m1", "section=n")
    assert (board.at("m1a1"), board.track("vp")) == ("street n", 0)
