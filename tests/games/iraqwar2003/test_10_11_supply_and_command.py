"""[10.0, 11.0] Supply and command points."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.iraqwar2003.field import attack, mark, operations, put, said, unit, war
from tests.support.table import Table


def test_10_0_units_out_of_supply_are_marked() -> None:
    """[10.0(1), 10.0(2), 10.0(5), 4.1(3)] Those named get the marker, all others lose it."""
    # Clauses: [10.0(5): cut, open]
    table = war()
    mark(table, "oos", True, "2/3ID")
    table.do("supply", "oos=1/3ID")
    assert unit(table, "1/3ID").mark("oos") is True
    assert unit(table, "2/3ID").mark("oos") is None
    assert said(table, "Kurd (PUK): Sulaymaniya (1810)")


def test_10_0_enter_leaves_the_markers_unchanged() -> None:
    """[10.0(5)] The suggestion is what is marked already."""
    table = war()
    mark(table, "oos", True, "2/3ID")
    table.do("supply", accept=True)
    assert unit(table, "2/3ID").mark("oos") is True


def test_10_0_6_out_of_supply_halves_attack_and_movement() -> None:
    """[10.0(6), 13.3(6)] 5 attacks with 2, 8 moves 4; defence is not affected."""
    # Clauses: [10.0(6): attack, movement, defence] [13.3(6): oos]
    table = operations()
    mark(table, "oos", True, "RCT1", "51M")
    attack(table, "RCT1", "51M", dice=[6])
    assert said(table, "Attack 2 (of 5) = 2 against 4 is 1-2; no shift: column 1-2. [13.3]")
    table = operations()
    mark(table, "oos", True, "1/3ID")
    with pytest.raises(Illegal) as fault:
        table.do("move", "units=1/3ID", "way=plain, plain, plain, plain, plain")
    assert fault.value.rule == "12.1(2)"


@pytest.mark.parametrize(("lost", "points"), [(0, 4), (1, 3), (4, 0)])
def test_11_1_1_by_radio(lost: int, points: int) -> None:
    """[11.1, 11.1(1), 6.4(3), 6.1.1(3)] As many as undestroyed Radio boxes; those lost on an earlier turn are missed."""
    # Clauses: [11.1(1): undestroyed] [6.1.1(3): point]
    table = war()
    mark(table, "damaged", 0, *(f"comm radio {number}" for number in range(1, lost + 1)))
    table.do("supply", accept=True)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    assert table.track("cp") == points


@pytest.mark.parametrize(("option", "points"), [("next_turn", 4), ("at_once", 3)])
def test_6_4_3_a_radio_lost_this_turn(option: str, points: int) -> None:
    """[6.4(3)] Counts until the next turn by the letter of the rule, or not, by the switch of ruling C-2."""
    # Clauses: [6.4(3): next]
    table = war(radio_loss=option)
    mark(table, "damaged", 1, "comm radio 1")
    table.do("supply", accept=True)
    table.do("end")
    table.do("supply", "source=radio", accept=True)
    assert table.track("cp") == points


def test_11_1_2_by_the_die() -> None:
    """[11.1(2)] As many as the die shows; chosen before it is rolled, since the choice is asked for first."""
    # Clauses: [11.1: before] [11.1(2): die]
    table = operations()
    table.do("end")
    table.do("supply", "source=die", dice=[5], accept=True)
    assert table.track("cp") == 5
    assert [request.key for request in table.asked][-2:] == ["source", "cp"]


def test_11_1_radio_and_die_stand_beside_numbers() -> None:
    """[11.1] How many points the boxes give is a word more, no name: 1 is the radio, 2 the die."""
    table = operations()
    table.do("end")
    table.do("supply", "source=2", dice=[5], accept=True)
    source = next(request for request in table.asked if request.key == "source")
    assert source.labels() == ("1", "2")
    assert table.track("cp") == 5


def test_11_2_what_costs_a_point() -> None:
    """[11.2(1), 11.2(2), 11.2(3), 11.2(4), 11.3] Moving with fighting 1 a unit, recovery 1, roads 1 a hex; never below 0."""
    # Clauses: [11.2(3): hex] [11.2(4): hex] [11.3: lacking] [14.1: pays] [14.4: pays]
    table = operations("iraq")
    mark(table, "disrupted", True, "SRG3")
    attack(table, "SRG1", "1/3ID", dice=[6])
    assert table.track("cp") == 5
    table.do("move", "units=51M", "way=plain, plain", "stacked=none", "attack=none")
    assert table.track("cp") == 4
    table.do("recover", "units=SRG3")
    assert table.track("cp") == 3
    table.do("road", "unit=11D", "hex=2332", "work=destroy")
    assert table.track("cp") == 2
    table.do("road", "unit=PA1", "hex=2332", "work=repair")
    assert table.track("cp") == 1
    table.do("move", "units=PA2", "way=stay", "attack=none")
    with pytest.raises(Illegal) as fault:
        table.do("move", "units=SF1", "way=stay", "attack=none")
    assert fault.value.rule == "11.3"
    table.do("move", "units=SF1", "way=stay", "attack=none", anyway=True)
    assert table.track("cp") == 0


def test_11_2_1_a_stack_costs_one_a_unit() -> None:
    """[11.2(1), 4.2(3)] Two units, two points (ruling C-29)."""
    # Clauses: [11.2(1): each]
    table = operations("iraq")
    table.do("move", "units=SRG1, SRG2", "way=stay", "attack=none", accept=True)
    assert table.track("cp") == 4


def test_11_3_unspent_points_are_lost() -> None:
    """[11.3] At the end of the Iraqi player turn."""
    # Clauses: [11.3: lost]
    table = operations("iraq")
    table.do("end", "kuwait=no")
    assert table.track("cp") == 0
    assert said(table, "Iraq loses 6 CP that it has not spent. [11.3]")


def test_11_the_coalition_pays_nothing() -> None:
    """[11.2(1)] Only Iraqi units need points."""
    # Clauses: [11.2(1): iraq]
    table = operations()
    table.do("move", "units=1/3ID", "way=road", "stacked=none", "attack=none")
    assert table.track("cp") == 0


def test_11_1_unknown_sources_are_refused() -> None:
    """[11.1] Neither radio nor die."""
    table = operations()
    table.do("end")
    with pytest.raises(Unreadable):
        table.do("supply", "source=telephone", accept=True)


def test_10_0_1_each_player_checks_his_own_units() -> None:
    """[10.0(1), 4.1(3)] An enemy unit is refused, and the marker of one stays as it lies."""
    # Clauses: [4.1(3): own] [10.0(1): own]
    table = war()
    mark(table, "oos", True, "SRG1")
    with pytest.raises(Illegal) as fault:
        table.do("supply", "oos=SRG2")
    assert fault.value.rule == "10.0(1)"
    table.do("supply", "oos=none")
    assert unit(table, "SRG1").mark("oos") is True


def test_11_2_2_each_unit_that_recovers_costs_a_point() -> None:
    """[11.2(2)] Two units, two points; with one left the second is refused."""
    # Clauses: [11.2(2): each]
    table = operations("iraq")
    mark(table, "disrupted", True, "SRG1", "SRG2", "SRG3", "11D")
    table.do("recover", "units=SRG1, SRG2")
    assert table.track("cp") == 4
    put(table, track_cp=1)
    with pytest.raises(Illegal) as fault:
        table.do("recover", "units=SRG3, 11D")
    assert fault.value.rule == "11.3"
    table.do("recover", "units=11D")


def test_11_3_points_are_never_added_up() -> None:
    """[11.3] Three points lying on the track from before are gone when two come."""
    # Clauses: [11.3: anew]
    table = operations()
    table.do("end")
    put(table, track_cp=3)
    table.do("supply", "source=die", dice=[2], accept=True)
    assert table.track("cp") == 2


# -- [10.0] where the units stand ----------------------------------------------------------------------------------------

MAP_TOLD = {
    "orientation:low": "1421",
    "area:kuwait": "3139 3140 3141 3142 3239 3240 3241 3242",
    "area:kdp": "1006 1007 1106 1107",
    "area:puk": "1809 1810 1811",
}
COALITION_AT = {"1/3ID": "3240", "2/3ID": "3240", "3/3ID": "3139", "DivArty": "3240", "RCT1": "3141", "11Av": "3241"}
COALITION_AT |= {"173": "3241", "7Arm": "3139", "KDP1": "1107", "PUK1": "1810"}
IRAQ_AT = {"11D": "2332", "51M": "3135", "Med": "1421", "SRG1": "1321", "SRG2": "1321", "SRG3": "1421", "SRGAA": "1321"}
IRAQ_AT |= {"PA1": "0607", "PA2": "2332", "SF1": "0607"}
EVERYBODY = {f"at:{name}": place for name, place in (COALITION_AT | IRAQ_AT).items()}


def placed(**moved: str) -> Table:
    """A game with known areas and hexes of all units, at the Supply Check Phase."""
    at = {f"at:{name.replace('_', '/')}": place for name, place in moved.items()}
    return war({**MAP_TOLD, **EVERYBODY, **at})


def supply_questions(table: Table) -> list[str]:
    return [request.key for request in table.asked if request.key in ("oos", "line")]


def test_10_0_2_lines_known_to_be_open_are_not_asked() -> None:
    """[10.0(2), 10.0(3)] Kuwait is the Coalition's, the Kurds stand on their sources, and Iraq in Iraq."""
    # Clauses: [10.0(2): source]
    table = placed()
    mark(table, "oos", True, "1/3ID")
    table.do("supply")
    assert unit(table, "1/3ID").mark("oos") is None
    assert supply_questions(table) == []
    table.do("end")
    table.do("supply", "source=radio")
    assert supply_questions(table) == []


def test_10_0_3_a_doubtful_line_is_asked_once() -> None:
    """[10.0(3), 10.0(5)] 2/3ID has gone north, and control of the hexes behind it is unknown."""
    # Clauses: [10.0(3): control]
    table = placed(**{"2_3ID": "2838"})
    table.do("supply", "line=yes")
    assert supply_questions(table) == ["line"]
    assert unit(table, "2/3ID").mark("oos") is None
    assert table.position.flag("held:2938") == "coalition" or table.position.flag("held:2939") == "coalition"
    table.do("end")
    table.do("supply", "source=radio")
    table.do("end", accept=True)
    for _ in range(2):
        table.do({"facility": "facility", "bombing": "bomb"}[str(table.position.flag("phase"))], accept=True)
    table.do("supply")
    assert supply_questions(table) == []


def test_10_0_3_and_10_0_4_an_enemy_on_the_line_cuts_it() -> None:
    """[10.0(3), 10.0(5)] An Iraqi unit in Kuwait City leaves no line at all: said, not asked."""
    # Clauses: [10.0(3): enemy]
    table = placed(**{"11Av": "3242", "173": "3242", "51M": "3241", "2_3ID": "3139"})
    table.do("supply")
    assert supply_questions(table) == []
    assert said(
        table, "1/3ID, 2/3ID, 3/3ID, DivArty, RCT1, 11Av, 173, 7Arm have no supply line: enemies close every way. [10.0(3)]"
    )
    assert {piece.name for piece in table.position.pieces.values() if piece.mark("oos")} >= {"1/3ID", "2/3ID", "RCT1", "7Arm"}
    assert unit(table, "KDP1").mark("oos") is None


def test_10_0_3_a_line_over_hexes_that_iraq_holds_from_the_start_is_not_suggested() -> None:
    """[10.0(3)] 2/3ID in the north has only hexes behind it that Iraq controlled at the start: cut, unless the player knows."""
    table = placed(**{"2_3ID": "2838"})
    table.do("supply", accept=True)
    assert supply_questions(table) == ["line"]
    assert said(table, "2/3ID has no supply line: the enemy controls hexes of every way, on the nearest")
    assert unit(table, "2/3ID").mark("oos") is True
    assert not [flag for flag in table.position.flags if flag.startswith("held:")]


def test_10_0_3_hexes_that_the_enemy_took_are_closed_without_a_question() -> None:
    """[10.0(3)] Irbil, on record as Iraq's, cuts the KDP in its area off from its source; the record can be corrected."""
    table = placed(KDP1="1106")
    table.do("control", "control=Irbil iraq")
    table.do("supply")
    assert supply_questions(table) == []
    assert said(table, 'on the nearest 1107 (if it does not: adjust "control Irbil" kdp). [10.0(3)]')
    assert unit(table, "KDP1").mark("oos") is True


def test_10_0_3_six_closed_hexes_cut_a_unit_without_a_question() -> None:
    """[10.0(3), 10.0(4)] Zones on all sides, no friend beside it: there is no line, wherever other enemies are."""
    facts = {key: value for key, value in EVERYBODY.items() if key != "at:PA1"}
    around = {"at:2/3ID": "3138", "at:51M": "3136", "at:PA2": "3237", "at:SF1": "3037", "at:Med": "3039", "at:SRG1": "3239"}
    table = war({**MAP_TOLD, **facts, **around, "at:3/3ID": "3240", "at:7Arm": "3240"})
    table.do("supply", "oos=none")
    assert unit(table, "2/3ID").mark("oos") is True and unit(table, "1/3ID").mark("oos") is None


def test_10_0_an_enemy_without_a_known_hex_may_cut_every_line() -> None:
    """[10.0(2)] Then the player is asked about all of them."""
    # Clauses: [10.0(2): untold]
    facts = {key: value for key, value in EVERYBODY.items() if key != "at:51M"}
    table = war({**MAP_TOLD, **facts})
    table.do("supply", "oos=RCT1")
    assert supply_questions(table) == ["oos"]
    assert unit(table, "RCT1").mark("oos") is True
