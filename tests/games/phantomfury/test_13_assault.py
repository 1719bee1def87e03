"""[13.0, 5.0] Assaults, Events, IEDs, Flooding, retreats, Isolation, explosives, Heroes."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.odds import distribution
from companion.games.phantomfury.rules.r13_combat import Scene, Stage, assault_type, lose_step
from companion.games.phantomfury.state import Fighter
from tests.games.phantomfury.board import ZONES, Board


def ready(number: int = 7, where: str = "14-C", **marks: object) -> Board:
    """One squad in Zone 14, the start Zones and the other Zones around Activated."""
    board = Board()
    board.set(phase=4)
    board.ours("2", "3", "4")
    board.zone("13", "14", "15", "16", "23", "24", "25", "26")
    board.squad(number, where, **marks)  # type: ignore[arg-type]
    return board


@pytest.mark.parametrize(
    ("start", "target", "kind"),
    [
        ("14-R", "14-2", "top-down"),
        ("14-2'", "14-1", "top-down"),
        ("14-1", "14-2", "bottom-up"),
        ("14-2", "14-R", "bottom-up"),
        ("14-1", "14-R", "normal"),
        ("14-C", "14-1", "normal"),
        ("14-R", "15-R", "normal"),
    ],
)
def test_13_1_to_13_3_the_type_of_an_assault(start: str, target: str, kind: str) -> None:
    """[13.3: borders] [13.2: ways] [13.1: ways] By the two Locations; between two Zones it is always Normal."""
    assert assault_type(start, target) == kind


def test_13_0_only_occupied_adjacent_locations_are_targets() -> None:
    """[13.0: adjacent] An empty Location is refused, and one that is not Adjacent [4.2.2]."""
    board = ready()
    with pytest.raises(Illegal, match=r"no enemy is Adjacent.*4\.2\.2"):
        board.do("assault", "squad=7")
    board.enemy("14-1")
    board.enemy("14-R")
    with pytest.raises(Illegal, match=r"empty.*13\.0"):
        board.do("assault", "squad=7", "target=14-2")


def test_13_0_once_a_turn() -> None:
    """[13.0: once] A squad that has made its Assault makes no other one."""
    board = ready()
    board.enemy("14-1", "G3/M2", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[9, 9])
    with pytest.raises(Illegal, match="has made its Assault"):
        board.do("assault", "squad=7", accept=True)


def test_13_0_no_unit_assaults_out_of_a_street() -> None:
    """[13.0: street] [4.3.1.1] Not even through a door of the Street Section (ruling C-80); from within the Zone he does."""
    board = ready(where="street s")
    board.enemy("14-C", "G3/M2", martyrs=True)
    with pytest.raises(Illegal, match=r"in no Location.*13\.0"):
        board.do("assault", "squad=7", accept=True, dice=[9, 9])
    board.squad(7, "14-1")
    board.do("assault", "squad=7", "target=14-C", dice=[9, 9])
    assert board.says("Assaults Martyrs CF 2 at 14-C")


def test_12_1_2_no_assault_out_of_a_cleared_zone() -> None:
    """[12.1.2: assault] A squad in a Zone of the insurgents without enemies Assaults no enemy in the next Zone."""
    board = ready(where="14-R")
    board.enemy("15-R")
    with pytest.raises(Illegal, match=r"12\.1\.2"):
        board.do("assault", "squad=7", "target=15-R")


def test_13_4_2_both_results_count_at_once() -> None:
    """[5.1.1.1: first] [13.4.2: once] [13.4.7.2: enters] [13.4, 5.2.1, 7.2.1] Both hit: the Guerillas go back to their cup for 1
    VP, the squad is reduced for 2.
    """
    board = ready()
    unit = board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[5, 3])
    assert board.at(unit) == "insurgents cup"
    assert board.position.pieces["squad-7"].face == "reduced"
    assert board.track("vp") == -1
    assert board.at("squad-7") == "14-1"


@pytest.mark.parametrize(
    ("zone", "martyrs", "text"),
    [("14", True, "(5+1 = 6, CF 5)"), ("strong", False, "(5+1 = 6, CF 5)"), ("strong", True, "(5+1 = 6, CF 5)")],
)
def test_13_4_4_modifiers_of_the_squad(zone: str, martyrs: bool, text: str) -> None:
    """[13.4.4: martyrs, fortified] +1 against Martyrs anywhere, +1 against Guerillas in a Fortified Zone."""
    board = ready()
    if zone == "strong":
        board.position.at("box 14")
        board.change(board.position.at("box 14")[0].id, name="Activated Strong Point")
    board.enemy("14-1", "G3/M2", martyrs=martyrs)
    board.do("assault", "squad=7", accept=True, dice=[5, 9], draws=[] if martyrs else ["1/2/R"])
    assert board.says(text)


def test_13_4_4_phantom_fury_and_fanaticism() -> None:
    """[13.4.3.3: stay] [13.4.4: events] [13.4.7.1: fanaticism] [13.6.1: fanaticism] [13.4.3.2] -1 for the squads near the one, -1
    for the Insurgents under the other; and no retreat.
    """
    board = ready()
    board.marker("Phantom Fury", "15")
    board.marker("Fanaticism", "14")
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[9, 4])
    assert board.says("9-1 = 8") and board.says("(4-1 = 3, CF 3): HIT")
    assert board.enemies("14") == ["1 guerillas 3"]


def test_13_4_5_the_insurgents_modifier_comes_after() -> None:
    """[13.4.5: survivor] [13.4.6: survivor] Top-Down and Bottom-Up count for the Insurgents only if they were not eliminated."""
    board = ready(where="14-R")
    board.enemy("14-2", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[5, 5])
    assert board.says("5, hits on 0-5 (") and board.says("5, hit on 0-4: miss")
    board = ready(where="14-1")
    board.enemy("14-2", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[4, 4])
    assert board.says("(4+1 = 5, CF 4): miss")


@pytest.mark.parametrize(("where", "target", "ours", "theirs"), [("14-R", "14-2", -1, -1), ("14-1", "14-2", 1, 1)])
def test_13_4_5_the_squads_die_and_a_survivors(where: str, target: str, ours: int, theirs: int) -> None:
    """[13.4.5: squad] [13.4.6: squad] -1 from above, +1 from below, for the squad and then for the unit that it missed."""
    board = ready(where=where)
    board.marker("Fanaticism", "14")
    board.enemy(target, "G3/M4")
    board.do("assault", "squad=7", accept=True, dice=[8, 4])
    assert board.says(f"(8{ours:+d} = {8 + ours}, CF 5): miss")
    assert board.says(f"= {3 + theirs}, CF 3): {'HIT' if 3 + theirs <= 3 else 'miss'}")


# -- Events ------------------------------------------------------------------------------------------------------------


def test_13_4_3_1_two_zeros_are_no_event() -> None:
    """[13.4.3.1: both] Both sides hit, and nothing else happens."""
    board = ready()
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[0, 0])
    assert board.says("no Event")
    assert board.track("vp") == -1


def test_13_4_3_1_insurgents_events_are_nullified_by_the_marker() -> None:
    """[13.4.3.1: marker] [13.6.4: events] No Insurgents Event: their 0 only hits."""
    board = ready(where="14-1")
    board.element(7, "14-C")
    board.marker("No Insurgents Event", "14")
    board.enemy("14-2", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[9, 0])
    assert board.says("nullified")
    assert board.position.pieces["squad-7"].face == "reduced"


def test_13_4_3_2_phantom_fury_is_placed() -> None:
    """[13.4.3] [13.4.3.2: placed] In the defender's Zone, on its 0015 side (ruling C-39)."""
    board = ready()
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[0, 9, 1])
    assert [(piece.name, piece.face) for piece in board.position.at("box 14") if piece.kind == "marker"] == [
        ("Phantom Fury", "front")
    ]


def test_5_1_5_heroes() -> None:
    """[5.1.5.1: until] [5.1.5.2: second] [13.4.3: hero] [5.1.5.3] A Silver Star is +1, then the Medal of Honor +2; with the
    squad it goes.
    """
    board = ready()
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[0, 9, 2])
    assert board.mark(7, "hero") == "Silver Star"
    assert board.referee.cf(board.position.pieces["squad-7"]) == 6
    board.flag(assaulted=None)
    board.enemy("14-2", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[0, 9, 4])
    assert board.mark(7, "hero") == "Medal of Honor"
    assert board.referee.cf(board.position.pieces["squad-7"]) == 7
    board.squad(7, "14-1", "reduced", hero="Medal of Honor")
    board.enemy("14-2", "G3/M4", martyrs=True)
    board.flag(assaulted=None)
    board.do("assault", "squad=7", accept=True, dice=[9, 2])
    assert board.at("squad-7") == "out of the game" and board.mark(7, "hero") is None


@pytest.mark.parametrize(("counter", "left"), [("G2/M2", []), ("G1/M1", [])])
def test_13_4_3_usmc_sniper(counter: str, left: list[str]) -> None:
    """[13.4.3: sniper] The CF is one less first; with CF 1 the unit is eliminated at once, and its die counts for
    nothing (C-14).
    """
    board = ready()
    board.enemy("14-1", counter)
    board.do("assault", "squad=7", accept=True, dice=[0, 1, 5])
    assert board.enemies("14") == left
    assert board.track("vp") == (1 if counter == "G1/M1" else -1)


def test_13_4_3_flight() -> None:
    """[13.4.3: flight] Guerillas of CF 1 are unchanged; Martyrs are not concerned."""
    board = ready()
    board.enemy("14-1", "G1/M1")
    board.do("assault", "squad=7", accept=True, dice=[0, 1, 8])
    assert board.track("vp") == -1
    board = ready()
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[0, 4, 9])
    assert board.says("on 0-4: HIT")


def test_13_4_3_3_fanaticism_in_the_block() -> None:
    """[13.4.3.3: control] [4.4] A marker in every Zone of the Block under insurgent Control, one each; the Guerillas stay."""
    board = ready()
    board.change(board.position.at("box 16")[0].id, face="usmc")
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[8, 0, 0])
    marked = [
        zone for zone in ("14", "15", "16") if any(piece.name == "Fanaticism" for piece in board.position.at(f"box {zone}"))
    ]
    assert marked == ["14", "15"]
    assert board.enemies("14") == ["1 guerillas 3"]
    assert board.position.pieces["squad-7"].face == "reduced"


def test_13_4_3_confusion() -> None:
    """[13.4.3: confusion] The Assault is cancelled, without losses or retreat (ruling C-15)."""
    board = ready()
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[1, 0, 2])
    assert board.enemies("14") == ["1 guerillas 3"] and board.track("vp") == 0
    assert board.at("squad-7") == "14-C"


def test_13_4_3_a_suicide_bomber_among_guerillas_is_nothing() -> None:
    """[13.4.3: bomber] Only Martyrs blow themselves up (ruling C-16)."""
    board = ready()
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[1, 0, 4])
    assert board.track("vp") == -1
    assert board.at("squad-7") == "14-1"


def mosque(board: Board) -> None:
    board.change("iif-1", place="26-C")
    board.change(board.position.at("box 26")[0].id, name="Activated Strong Point")


@pytest.mark.parametrize(("event", "cf"), [(1, 6), (3, 5)])
def test_13_4_3_4_events_of_the_iraqis(event: int, cf: int) -> None:
    """[5.1.6.2: table] [13.4.3.4: mosque] [4.1.5] In Zone 26 both sides use one table: 2 or 1 more CF for this Assault."""
    board = ready()
    mosque(board)
    board.enemy("26-1", "G3/M2")
    board.do("assault", "squad=i1", accept=True, dice=[0, 9, event])
    assert board.says(f", CF {cf})")
    assert board.enemies("26") == []


def test_13_4_7_1_guerillas_in_the_mosque_stay() -> None:
    """[7.2.1: iif] [13.4.7.1: mosque] [13.6.1: mosque] No Retreat Movement from Zone 26; an IIF squad that is reduced costs
    nothing [7.2.1].
    """
    board = ready()
    mosque(board)
    board.enemy("26-1", "G3/M2")
    board.do("assault", "squad=i1", accept=True, dice=[8, 3])
    assert board.enemies("26") == ["1 guerillas 3"]
    assert board.position.pieces["iif-1"].face == "reduced"
    assert board.track("vp") == 0


# -- IED, explosives, CAAT ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "pinned", "place"), [(5, True, "14-C"), (6, False, "14-1")])
def test_13_5_ied(face: int, pinned: bool, place: str) -> None:
    """[5.3.3: ied] [5.3.5: all] [13.5: result] [13.4.1] Up to the CF Pinned where it is; above it a Step Loss, and it enters
    (ruling C-20).
    """
    board = ready()
    board.enemy("14-1")
    board.do("assault", "squad=7", accept=True, dice=[0, face])
    assert bool(board.mark(7, "pinned")) == pinned
    assert board.at("squad-7") == place
    assert board.enemies("14") == []


def test_5_3_4_a_suspect_in_a_fortified_zone() -> None:
    """[5.3.4: martyrs] 7 is Martyrs there; 8 an IED; 0 a Dummy."""
    board = ready()
    board.change(board.position.at("box 14")[0].id, name="Activated Strong Point")
    board.enemy("14-1")
    board.do("assault", "squad=7", accept=True, dice=[7, 9, 9], draws=["G2/M3"])
    assert board.enemies("14") == ["1 martyrs 3"]


def test_13_7_1_explosives_have_cf_8_once() -> None:
    """[13.4.2: explosives] [13.7.1: once, plain] [5.1.4.1] CF 8 without modifiers; the marker goes after it."""
    board = ready(caat=True)
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", "explosives=yes", accept=True, dice=[8, 9])
    assert board.says("Explosives: 8, hits on 0-8: HIT")
    assert board.mark(7, "explosives") is None and board.mark(7, "caat")


@pytest.mark.parametrize(("option", "hit"), [("squad", True), ("both", False)])
def test_13_4_2_explosives_and_the_insurgents_modifiers(option: str, hit: bool) -> None:
    """[13.4.2: explosives] No modifier applies to the squad's roll; whether to the other one is ruling C-13."""
    board = Board(explosives_drm=option)
    board.set(phase=4)
    board.ours("3")
    board.zone("14")
    board.squad(7, "14-C", caat=True)
    board.marker("Fanaticism", "14")
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", "explosives=yes", accept=True, dice=[9, 5])
    assert (board.track("vp") != 0 or bool(board.says("on 0-4: HIT"))) == hit


def test_13_4_2_a_nine_fails_with_explosives_too() -> None:
    """[13.4.2: nine] Ruling C-12."""
    board = ready(caat=True)
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", "explosives=yes", accept=True, dice=[9, 9])
    assert board.enemies("14") == ["1 martyrs 4"]


def test_5_1_4_3_the_caat_goes_with_its_squad() -> None:
    """[5.1.4.3: squad] [5.1.1.1] Not scored separately: only the 5 VP of the squad."""
    board = ready(caat=True)
    board.squad(7, "14-C", "reduced", caat=True)
    board.enemy("14-1", "G3/M4", martyrs=True)
    board.do("assault", "squad=7", "loss=squad", accept=True, dice=[9, 2])
    assert board.track("vp") == -5
    assert board.mark(7, "caat") is None


# -- Flooding ----------------------------------------------------------------------------------------------------------


def test_13_7_2_no_explosives_while_flooding() -> None:
    """[13.7.2: flooding] [13.4.8] They are offered for the first Assault and not for what follows."""
    board = ready(1, "14-R", caat=True)
    board.enemy("14-2", "G1/M1")
    board.enemy("14-2'", "G1/M1")
    board.do("assault", "squad=1", accept=True, dice=[1, 9, 1, 9])
    assert board.asked_for().count("explosives") == 1
    assert board.track("vp") == 2


def test_13_4_7_2_flooding_is_no_choice_at_full_strength() -> None:
    """[13.4.7.2: reduced] [13.4.7] A reduced squad may decline."""
    board = ready(1, "14-R")
    board.squad(1, "14-R", "reduced")
    board.enemy("14-2", "G1/M1")
    board.enemy("14-2'", "G1/M1")
    board.do("assault", "squad=1", "flood=no", accept=True, dice=[1, 9])
    assert board.at("squad-1") == "14-2"
    assert board.enemies("14") == ["2' guerillas 1"]


def test_4_1_5_no_flooding_in_a_fortified_zone() -> None:
    """[4.1.5: flooding] [13.4.7.2: fortified] The squad enters and stops."""
    board = ready(1, "14-R")
    board.change(board.position.at("box 14")[0].id, name="Activated Strong Point")
    board.enemy("14-2", "G1/M1")
    board.enemy("14-2'", "G1/M1")
    board.do("assault", "squad=1", accept=True, dice=[1, 9])
    assert board.says("No Flooding: the Zone is Fortified")
    assert board.at("squad-1") == "14-2"


def test_13_4_8_1_martyrs_stop_the_flood() -> None:
    """[13.4.8.1: held] A unit that is not eliminated and stays ends it."""
    board = ready(1, "14-R")
    board.enemy("14-2", "G1/M1")
    board.enemy("14-2'", "G3/M4", martyrs=True)
    board.enemy("14-1")
    board.do("assault", "squad=1", accept=True, dice=[1, 9, 8, 9])
    assert board.says("still held")
    assert board.enemies("14") == ["1 suspect", "2' martyrs 4"]


def test_13_4_8_an_ied_ends_it() -> None:
    """[13.5, 11.5] A Pinned squad does not attack (ruling C-56)."""
    board = ready(1, "14-R")
    board.enemy("14-2", "G1/M1")
    board.enemy("14-2'")
    board.enemy("14-1")
    board.do("assault", "squad=1", accept=True, dice=[1, 9, 0, 3])
    assert board.mark(1, "pinned") and board.at("squad-1") == "14-2"
    assert board.enemies("14") == ["1 suspect"]


# -- retreat -----------------------------------------------------------------------------------------------------------


def withdraw(board: Board, *draws: str) -> None:
    """Guerillas of CF 3 in 14-1 survive an Assault out of the Courtyard."""
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[8, 8], draws=list(draws))


def test_13_6_2_the_second_route_when_the_first_is_full() -> None:
    """[12.2.1.2: one] [13.6.2.2: full] [13.6, 13.6.2] Zone 24 holds an enemy in every Location: to 25."""
    board = ready()
    for location in ("C", "1", "2", "2'", "R"):
        board.enemy(f"24-{location}")
    withdraw(board, "1/2/R")
    assert board.enemies("25") == ["1 guerillas 3"]
    assert board.at("squad-7") == "14-1"
    assert "Egress Route 1" in str(board.events)


def test_13_6_2_3_and_the_third() -> None:
    """[4.1.7: order] [13.6.2.3: second] Three routes are tried in their order."""
    board = ready()
    board.flag(**{"zone:14": "C-1-2-R 2-2'; door C; roof R; adjacent 15; streets s v; egress 24 25 23"})
    for location in ("C", "1", "2", "2'", "R"):
        board.enemy(f"24-{location}")
    for location in ("C", "1", "2", "R"):
        board.enemy(f"25-{location}", "G1/M1") if location in ("C", "1", "2") else board.enemy(f"25-{location}")
    withdraw(board, "1/2/R")
    assert board.enemies("23") == ["1 guerillas 3"]


def test_13_6_2_4_nowhere_to_go() -> None:
    """[13.4.7.2: enters] [13.6.2.2: isolated] [13.6.2.4: none] [13.6.5: tank] Both routes cross street v, which an M1A1 closes:
    the unit stays, and so does the squad.
    """
    board = ready()
    board.change("m1a1", place="street v")
    withdraw(board)
    assert board.enemies("14") == ["1 guerillas 3"]
    assert board.at("squad-7") == "14-C"
    assert "Isolated" in str(board.events)


def test_13_6_5_a_squad_beside_the_street_closes_it_a_pinned_one_in_it_does_not() -> None:
    """[13.6.5: squad] A Zone under USMC Control with a squad in it, beside the Section."""
    board = ready()
    board.change(board.position.at("box 23")[0].id, face="usmc")
    board.squad(1, "23-C")
    withdraw(board)
    assert board.enemies("14") == ["1 guerillas 3"]
    board = ready()
    board.squad(1, "street v", pinned=True)
    withdraw(board, "1/2/R")
    assert board.enemies("24") == ["1 guerillas 3"]


def test_13_6_3_into_a_zone_under_control() -> None:
    """[13.6.3: empty] [5.2.2] With a squad it is closed; without one it is the insurgents' again."""
    board = ready()
    board.change(board.position.at("box 24")[0].id, face="usmc")
    withdraw(board, "1/2/R")
    assert board.enemies("24") == ["1 guerillas 3"]
    assert not board.controlled("24")


def test_13_6_4_a_security_element_holds_them() -> None:
    """[13.6.4: stays] [5.1.2.2] CF one less instead, to no less than 1, and no more Insurgents Events in this Zone."""
    board = ready(where="14-C")
    board.element(7, "14-C")
    withdraw(board)
    assert board.enemies("14") == ["1 guerillas 2"]
    assert [piece.name for piece in board.position.at("box 14") if piece.kind == "marker"] == ["No Insurgents Event"]


@pytest.mark.parametrize(("option", "where"), [("out", "out of the game"), ("returned", "insurgents cup")])
def test_13_6_6_off_the_map(option: str, where: str) -> None:
    """[4.1.7: exit] [13.6.6: points] By an EXIT, for no VP; out of the game, or back in the cup by ruling C-23."""
    board = Board(exit=option)
    board.set(phase=4)
    board.zone("23")
    board.squad(7, "23-C")
    unit = board.enemy("23-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[8, 8])
    assert board.at(unit) == where
    assert board.track("vp") == 0
    assert board.at("squad-7") == "23-1"


def test_13_6_1_martyrs_never_retreat() -> None:
    """[13.4.7.1: martyrs] [13.6.1: martyrs] They stay where they are."""
    board = ready()
    board.enemy("14-1", "G3/M2", martyrs=True)
    board.do("assault", "squad=7", accept=True, dice=[8, 8])
    assert board.enemies("14") == ["1 martyrs 2"]


def test_13_4_7_2_no_assault_where_no_unit_could_enter() -> None:
    """[12.2.1.1: one] [12.3.2.2: stays] [13.4.7.2] Another squad in that Zone, or an Element left behind (rulings C-21, C-52)."""
    board = ready(where="3-R")
    board.squad(1, "2-1")
    board.change(board.position.at("box 2")[0].id, face="front")
    board.enemy("2-R")
    with pytest.raises(Illegal, match=r"12\.2\.1\.1"):
        board.do("assault", "squad=7", "target=2-R")
    board = ready(where="3-R")
    board.element(7, "3-C")
    board.change(board.position.at("box 2")[0].id, face="front")
    board.enemy("2-R")
    with pytest.raises(Illegal, match=r"12\.3\.2\.2"):
        board.do("assault", "squad=7", "target=2-R")


def test_4_1_3_empty_cups() -> None:
    """[4.1.3, 5.3.3] Without a marker in the cup a Zone is Normal; without a counter a Suspect is a Dummy."""
    board = Board()
    for piece in [*board.position.at("zones cup"), *board.position.at("insurgents cup")]:
        board.change(piece.id, place="beside the map")
    board.do("mission", "mission=uav", "zones=15 16", dice=[1, 6, 9, 1, 1], draws=["2/1/R", "1/2/R"] * 2)
    assert [piece.name for piece in board.position.at("box 15")] == ["Activated Zone"]
    assert board.enemies("15") == board.enemies("16") == []


def test_6_1_foreign_counters_in_a_cup_are_not_drawn() -> None:
    """[6.1.1, 6.1.3] A counter put into the wrong cup by a correction stays in it."""
    board = Board()
    board.change("2/1/R-0", place="insurgents cup")
    assert set(board.referee.cup("insurgents cup")) == {"G1/M1", "G2/M2", "G2/M3", "G3/M2", "G3/M4"}


def test_4_1_facts_that_contradict_each_other_or_the_rulebook() -> None:
    """[4.1.1, 4.2.1, 4.4] Each contradiction once, with its rule; what the rulebook leaves open is free."""
    game = Board().game
    contradictions = game.contradictions({"zone:14": "C-1-2-R 2-2'; adjacent 15; egress 24", "zone:15": "C-1-2-R; adjacent 16"})
    assert any("does not name 14 [4.1.1]" in line for line in contradictions)
    assert not any("say -" in line for line in contradictions)
    assert game.contradictions({f"zone:{zone}": text for zone, text in ZONES.items() if zone in ("22", "41")}) == []


def test_13_6_2_1_no_marker_is_left_to_place_by() -> None:
    """[13.6.2.1, 13.6.2.4] Then no route can be taken, and the unit stays."""
    board = ready()
    for piece in board.position.at("suspects cup"):
        board.change(piece.id, place="beside the map")
    withdraw(board)
    assert board.enemies("14") == ["1 guerillas 3"]


@pytest.mark.parametrize(
    ("steps", "who", "left"),
    [(2, "squad", (1, True)), (2, "caat", (2, False)), (1, "caat", (1, False)), (1, "squad", (0, False))],
)
def test_5_1_4_3_a_caat_does_not_outlive_its_squad(steps: int, who: str, left: tuple[int, bool]) -> None:
    """[5.1.1.2: choice] [5.1.4.3] A Step Loss falls on the squad or on its CAAT; with the squad's last Strength step the CAAT
    goes too.
    """
    scene = Scene(Fighter(5, steps, caat=True), ())
    (after,) = distribution(lambda: lose_step(scene, Stage(), "13.5", "IED"), lambda request: who)

    assert (after.squad.steps, after.squad.caat) == left


# -- conditions and exceptions -----------------------------------------------------------------------------------------


def test_13_4_3_drugged_fighters_of_cf_1_stay_as_they_are() -> None:
    """[13.4.3: drugged] Hit, they are not eliminated and bring no point; not weakened either, they retreat."""
    board = ready()
    unit = board.enemy("14-1", "G1/M1")
    board.do("assault", "squad=7", dice=[1, 0, 6], draws=["1/2/R"])
    assert board.at(unit) == "24-1"
    assert board.track("vp") == -2


def test_13_4_3_1_the_marker_counts_in_the_mosque_too() -> None:
    """[13.4.3.1: marker] A 0 of the Insurgents brings no Event there either; one of the IIF squad does."""
    for dice, text in (([9, 0], "nullified"), ([0, 9, 3], "Fallujah!")):
        board = ready()
        mosque(board)
        board.marker("No Insurgents Event", "26")
        board.enemy("26-1", "G3/M2", martyrs=True)
        board.do("assault", "squad=i1", dice=dice)
        assert board.says(text)


def test_13_4_3_2_phantom_fury_reaches_no_further() -> None:
    """[13.4.3.2: around] The marker lies two streets away from Zone 3."""
    board = ready(where="3-C")
    board.marker("Phantom Fury", "24")
    board.set(phase=2)
    board.enemy("15-1", "G2/M2")
    board.do("fire", "unit=7", "target=15-1", dice=[5])
    assert board.says("(5+1 = 6, CF 5): miss")


def test_13_4_3_2_a_second_event_renews_the_marker() -> None:
    """[13.4.3.2: several] Two Events in a Zone are one marker, on its first side again."""
    board = ready()
    board.marker("Phantom Fury", "14", "0030")
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", accept=True, dice=[0, 9, 1])
    assert [(piece.name, piece.face) for piece in board.position.at("box 14") if piece.kind == "marker"] == [
        ("Phantom Fury", "front")
    ]


def test_13_4_3_3_one_fanaticism_a_zone() -> None:
    """[13.4.3.3: one] Zone 15 has its marker already."""
    board = ready()
    board.marker("Fanaticism", "15")
    board.enemy("14-1", "G3/M2")
    board.do("assault", "squad=7", dice=[8, 0, 0])
    assert [board.names_at(f"box {zone}").count("Fanaticism") for zone in ("14", "15", "16")] == [1, 1, 1]


def test_13_4_7_2_at_full_strength_it_must_flood() -> None:
    """[13.4.7.2: full] [13.4.8.1: clear] Nobody is asked: the second unit is Assaulted as well."""
    board = ready(1, "14-R")
    board.enemy("14-2", "G1/M1")
    board.enemy("14-2'", "G1/M1")
    board.do("assault", "squad=1", dice=[1, 9, 1, 9])
    assert "flood" not in board.asked_for()
    assert (board.enemies("14"), board.at("squad-1"), board.track("vp")) == ([], "14-2'", 2)


def test_13_4_7_2_only_from_the_roof_it_floods() -> None:
    """[13.4.7.2: roof] Down from 2 is Top-Down too, but no way into Flooding."""
    board = ready(1, "14-2")
    board.enemy("14-1", "G1/M1")
    board.enemy("14-2'", "G1/M1")
    board.do("assault", "squad=1", "target=14-1", dice=[1, 9])
    assert (board.enemies("14"), board.at("squad-1")) == (["2' guerillas 1"], "14-1")


def test_13_4_8_the_order_of_flooding() -> None:
    """[13.4.8: order] 2', 1, 1', each Top-Down."""
    board = ready(1, "14-R")
    board.flag(**{"zone:14": "C-1-2-R 2-2' 2-1' 1-1'; door C; roof R; adjacent 15; streets s v; egress 24 25"})
    for where, name in (("14-1'", "G2/M2"), ("14-1", "G1/M1"), ("14-2'", "G1/M1"), ("14-2", "G1/M1")):
        board.enemy(where, name, martyrs=name == "G2/M2")
    board.do("assault", "squad=1", dice=[1, 9] * 4)
    targets = [line.split(" at ")[1].partition(".")[0] for line in board.said if line.startswith("Flooding: ")]
    assert targets == ["14-2'", "14-1", "14-1'"]
    assert board.says("(1+1-1 = 1, CF 6): HIT")


def test_13_4_8_1_flooding_ends_with_the_squad() -> None:
    """[13.4.7.2: reduced] [13.4.8.1: eliminated] Eliminated, it leaves the others where they are."""
    board = ready(1, "14-R")
    board.squad(1, "14-R", "reduced")
    board.enemy("14-2", "G1/M1")
    board.enemy("14-2'", "G3/M4", martyrs=True)
    board.enemy("14-1")
    board.do("assault", "squad=1", "flood=yes", dice=[1, 9, 8, 2])
    assert board.at("squad-1") == "out of the game"
    assert board.enemies("14") == ["1 suspect", "2' martyrs 4"]


def test_13_4_8_2_a_loss_may_end_flooding() -> None:
    """[13.4.8.2: goes_on] CF 5 reduced on the way is 4: the last Suspect is left alone, and the squad stays where it was."""
    board = ready(7, "14-R")
    board.enemy("14-2", "G1/M1")
    board.enemy("14-2'", "G2/M2")
    board.enemy("14-1")
    board.do("assault", "squad=7", dice=[1, 9, 1, 2])
    assert board.says("Flooding ends: the squad's CF is 4, 4 or less")
    assert (board.enemies("14"), board.at("squad-7")) == (["1 suspect"], "14-2")


def test_13_6_2_2_the_second_route_when_the_first_is_held() -> None:
    """[13.6.2.2: held] [13.6.3: held] A squad in Zone 24, which is under USMC Control."""
    board = ready()
    board.change(board.position.at("box 24")[0].id, face="usmc")
    board.squad(1, "24-C")
    board.flag(**{"zone:14": "C-1-2-R 2-2'; door C; roof R; adjacent 15; streets s v; egress 24 15"})
    withdraw(board, "1/2/R")
    assert board.enemies("15") == ["1 guerillas 3"]
    assert "under USMC Control with a squad in it" in str(board.events)


def test_13_6_4_guerillas_of_cf_1_are_held_as_they_are() -> None:
    """[13.6.4: least] Nothing is taken off 1, but the marker is placed."""
    board = ready()
    board.element(7, "14-C")
    board.enemy("14-1", "G1/M1")
    board.do("assault", "squad=7", dice=[8, 8])
    assert board.enemies("14") == ["1 guerillas 1"]
    assert "No Insurgents Event" in board.names_at("box 14")


@pytest.mark.parametrize(("other", "isolated"), [("s", True), ("w", False)])
def test_13_6_5_an_m1a1_in_the_next_street_closes_it(other: str, isolated: bool) -> None:
    """[13.6.5: tank] Beside street v it does; two streets on it does not."""
    board = ready()
    board.flag(**{"section:v": "14 23 24 25; next s; south", "section:s": "2 3 14 15; next n t v w", "section:w": "41; next s"})
    board.change("m1a1", place=f"street {other}")
    withdraw(board, *([] if isolated else ["1/2/R"]))
    assert board.enemies("14") == (["1 guerillas 3"] if isolated else [])


def test_13_6_5_each_street_between_must_be_covered() -> None:
    """[13.6.5: each] Zones 14 and 24 lie at two Sections, and no unit watches the second."""
    board = ready()
    board.flag(
        **{
            "zone:14": "C-1-2-R 2-2'; door C; roof R; adjacent 15; streets s v w; egress 24",
            "zone:24": "C-1-2-R 2-2'; door C; streets v w; egress exit",
            "section:w": "14 24",
        }
    )
    board.change("m1a1", place="street v")
    withdraw(board, "1/2/R")
    assert board.enemies("24") == ["1 guerillas 3"]


@pytest.mark.parametrize("closed", ["element", "tank"])
def test_13_6_6_no_exit_past_an_element_or_an_m1a1(closed: str) -> None:
    """[13.6.6: element, isolated] A Security Element, or an M1A1 in the street of the south edge, keeps them in the Zone."""
    board = Board()
    board.set(phase=4)
    board.zone("23")
    board.squad(7, "23-C")
    board.enemy("23-1", "G3/M2")
    if closed == "element":
        board.element(7, "23-C")
    else:
        board.change("m1a1", place="street v")
    board.do("assault", "squad=7", accept=True, dice=[8, 8])
    assert board.enemies("23") == (["1 guerillas 2"] if closed == "element" else ["1 guerillas 3"])
    assert board.at("squad-7") == "23-C"
