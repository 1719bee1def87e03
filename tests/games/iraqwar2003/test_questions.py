"""What is asked and what is not: what has one answer is said, what is known is not asked, what is offered can be given."""

from __future__ import annotations

import pytest

from companion.core.board_fix import board_fix
from companion.core.errors import Ambiguous, Illegal, Impossible, Unreadable
from companion.core.requests import Request
from companion.games.iraqwar2003.notation import RADAR_SITE
from tests.games.iraqwar2003.field import FACTS, asked, attack, mark, operations, put, said, send, unit, vp, war
from tests.games.iraqwar2003.test_bot import propose, suggested
from tests.support.table import Table

AIR_FIELDS = ("base airfield 1", "base airfield 2", "base airfield 3")


def question(table: Table, key: str) -> Request[object]:
    return next(request for request in table.asked if request.key == key)


def offered(table: Table, key: str) -> list[str]:
    return [choice.value for choice in question(table, key).legal_choices()]


def obstacle(table: Table, action: str) -> str:
    reason = next(item for item in table.game.actions if item.id == action).obstacle(table.position)
    return f"{reason.text} [{reason.rule}]" if reason else ""


# -- [15.2] control --------------------------------------------------------------------------------------------------------


def test_15_2_a_city_is_held_by_who_moved_there() -> None:
    """[15.2] Kurds hold what they take, so that it counts at the end of turn 2; the holder is not asked for."""
    table = operations()
    table.do("move", "units=KDP1", "way=city", "stacked=none", "taken=Kirkuk", "attack=none")
    assert table.position.flag("control:Kirkuk") == "kdp"
    assert "holder" not in asked(table)
    assert set(offered(table, "taken")).isdisjoint({"Irbil", "Sulaymaniya"})


def test_15_2_every_hex_that_counts_is_asked_for_at_once() -> None:
    """[15.2] Both hexes of Baghdad on one way: 10 VP; a port by the word for it."""
    table = operations()
    before = vp(table)
    words = ("stacked=none", "attack=none")
    table.do("move", "units=1/3ID", "way=road city, road city", "taken=Baghdad 1321, Baghdad 1421", *words)
    assert vp(table) == before + 10
    table.do("move", "units=7Arm", "way=road, road port", "taken=Umm Qasr", *words)
    assert offered(table, "taken") == ["Umm Qasr", "Al Faw"]
    table.do("move", "units=173", "way=road, road", *words)
    assert "taken" not in asked(table)


def test_16_10_8_the_turkish_unit_takes_nothing() -> None:
    """[16.10(8)] What it has taken is not asked."""
    # Clauses: [16.10(8): neutral]
    table = operations("iraq", {"unit:TRK": "turkey TRK 4-4-4"}, turkey="on")
    table.do("move", "units=TRK", "way=city", "stacked=none", "attack=none")
    assert "taken" not in asked(table)


def test_15_2_an_advance_into_no_city_takes_none() -> None:
    """[13.6, 15.2] Plain ground is no city, and mega city is Baghdad."""
    table = operations()
    attack(table, "1/3ID, 2/3ID", "SF1", "with=all", "retreat=all", "advance=all", dice=[1])
    assert "taken" not in asked(table)
    assert said(table, "If the hex is a port that counts, say so: control.")
    table = operations()
    words = ("with=all", "terrain=mega_city", "ignore=no", "retreat=all", "advance=all", "taken=Baghdad 1321")
    attack(table, "1/3ID, 2/3ID", "SF1", *words, dice=[3])
    assert offered(table, "taken") == ["Baghdad 1321", "Baghdad 1421"]


def test_13_5_8_a_city_just_entered_is_known() -> None:
    """[13.5(8)] The attackers' hex was named a city: it is not asked again."""
    # Clauses: [13.5(8): attacker]
    table = operations()
    words = ("way=plain city", "stacked=none", "taken=none", "attack=Med", "river=none", "terrain=plain", "ignore=yes")
    table.do("move", "units=RCT1", *words, "support=none", "counter=none", dice=[2], accept=True)
    assert "attacker_city" not in asked(table)
    assert "ignore" in asked(table)


# -- air -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hex_name", "value"), [("1421", 2), ("3135", 2), ("0607", 2), ("1722", 4)])
def test_5_7_3_the_hexes_of_the_three_cities_are_known(hex_name: str, value: int) -> None:
    """[5.7(3)] A road is bombed at half the value there, and the place of the hex is not asked."""
    # Clauses: [5.7(3): roads]
    table = war()
    table.do("bomb", f"target=road {hex_name} by B-52", "target=done", "intercept=none", dice=[4])
    assert "where" not in asked(table)
    assert said(table, f"B-52 bombs the roads of {hex_name}: 4, hits on 1-{value}")


def test_5_8_2_without_air_fields_iraq_is_not_asked() -> None:
    """[5.8.2(2), 5.8.1(3)] No interception, no support, and the sector of a hex does not matter."""
    # Clauses: [5.8.2(2): all]
    table = war()
    mark(table, "damaged", 1, *AIR_FIELDS, "south radar 1", "south radar 2")
    table.do("bomb", "target=11D by B-1", "where=open", "target=done", dice=[6])
    assert not {"intercept", "sector"} & set(asked(table))
    table.do("supply", accept=True)
    table.do(
        "move", "units=1/3ID", "way=stay", "attack=11D", "river=none", "terrain=plain", "support=A-10", dice=[3], accept=True
    )
    assert "counter" not in asked(table)


def test_5_4_1_1_a_stealth_group_asks_neither_for_the_sector_nor_for_the_anti_air_unit() -> None:
    """[5.4.1(1), 5.6.1(1), 16.4] It is neither intercepted nor fired at."""
    table = war(anti_air_unit="on")
    mark(table, "damaged", 1, "south radar 1", "south radar 2")
    table.do("bomb", "target=11D by B-2", "where=open", "target=done", dice=[6])
    assert not {"aa_unit", "sector", "intercept"} & set(asked(table))


def test_16_4_2_the_anti_air_unit_is_in_its_own_hex() -> None:
    """[16.4(2), 16.4(5)] Bombed, attacked or attacking it is near, unasked, and fires."""
    # Clauses: [16.4(2): own]
    table = war(anti_air_unit="on")
    table.do("bomb", "target=SRGAA by B-52", "where=Baghdad", "target=done", "intercept=none", dice=[6, 1])
    assert "aa_unit" not in asked(table)
    assert said(table, "Anti-air fire at B-52: 6, hits on 1-2")
    table = operations(anti_air_unit="on")
    attack(table, "1/3ID", "SRG1, SRGAA", "support=A-10", dice=[6, 4])
    assert "aa_unit" not in asked(table)
    assert said(table, "Anti-air fire at A-10: 6, hits on 1-2")


@pytest.mark.parametrize(("who", "air"), [("7Arm", {"Tornado"}), ("KDP1", set())])
def test_16_5_only_units_that_may_support_are_offered(who: str, air: set[str]) -> None:
    """[16.5(1), 16.5(2)] British aircraft support the British, none the Kurds: only escorts may come there."""
    # Clauses: [16.5(1): british] [16.5(2): kurdish]
    table = operations(nationality="on")
    attack(table, who, "11D", dice=[6])
    assert {name for name in offered(table, "support") if not name.startswith("escort ")} == {"none", *air}


def test_16_5_2_a_question_with_one_answer_is_not_asked() -> None:
    """[16.5(2)] Without Iraqi aircraft an escort has nothing to do over a Kurdish combat either."""
    table = operations(nationality="on")
    mark(table, "damaged", 1, *AIR_FIELDS)
    table.do("move", "units=KDP1", "way=stay", "attack=11D", "river=none", "terrain=plain", dice=[6])
    assert not {"support", "counter"} & set(asked(table))


def test_16_10_5_no_support_against_the_turkish_unit() -> None:
    """[16.10(5)] The refusal gives the reason."""
    # Clauses: [16.10(5): support]
    table = operations("coalition", {"unit:TRK": "turkey TRK 4-4-4"}, turkey="on")
    mark(table, "damaged", 1, *AIR_FIELDS)
    with pytest.raises(Impossible, match=r"16\.10\(5\)"):
        table.do("move", "units=KDP1", "way=stay", "attack=TRK", "river=none", "terrain=plain", "support=F-18", dice=[6])


def test_16_6_3_grounded_units_are_not_offered() -> None:
    """[16.6(3), 2.5.4(1)] Grounded by the storm: no target is asked for hexes, and ships alone bomb facilities."""
    table = war(sand_storms="on", seed="1")
    put(table, flag_storm=True)
    table.do("facility", "target=radio 1", "group=DDG-1", "target=done", dice=[5, 6], accept=True)
    assert offered(table, "group") == ["none", "DDG-1", "DDG-2", "SSN-1"]
    table.do("bomb", dice=[5])
    assert asked(table) == ["visibility"]


def test_2_5_4_1_ships_are_neither_offered_nor_asked_for() -> None:
    """[2.5.4(1)] Not against units, not as interceptors."""
    table = war()
    table.do("bomb", "target=11D", "where=open", "group=B-1", "target=done", "intercept=none", dice=[6])
    assert not {"DDG-1", "SSN-1"} & set(offered(table, "group"))
    table = operations()
    table.do("end")
    send(
        table,
        "coalition used",
        *(unit.name for unit in table.position.at("coalition available") if not unit.name.startswith("DDG")),
    )
    table.do("bomb", "target=1/3ID by Su-20", "where=open", "target=done", dice=[6, 6])
    assert "intercept" not in asked(table)


def test_5_3_1_ships_are_not_escorted() -> None:
    """[5.3(1)] An escort goes with an air unit."""
    # Clauses: [5.3(1): air_unit]
    with pytest.raises(Illegal, match=r"cannot be escorted \[5\.3\(1\)\]"):
        war().do("facility", "target=radio 1 by DDG-1+F-15", "target=done")


@pytest.mark.parametrize(("ships", "asks"), [("white", False), ("as_told", True)])
def test_2_5_3_naval_units_are_white(ships: str, asks: bool) -> None:
    """[2.5.3, 5.4.1(1), 5.6.1(1)] Neither intercepted nor fired at, unless the switch goes by the counter (ruling C-46)."""
    # Clauses: [2.5.3: white] [5.4.1(1): naval] [5.6.1(1): naval]
    table = war(seed="1", ships=ships)
    table.do("facility", "target=radio 1 by DDG-1", "target=done", accept=True)
    assert ("intercept" in asked(table), "aa" in asked(table)) == (asks, asks)


# -- the ground ------------------------------------------------------------------------------------------------------------


def test_11_3_without_command_points_nothing_is_begun() -> None:
    """[11.3] Move, recover and road work are refused at once, with the true reason."""
    # Clauses: [7.3.3: unpaid] [11.3: lacking] [14.1: unpaid]
    table = operations("iraq")
    put(table, track_cp=0)
    for action in ("move", "recover", "road"):
        assert obstacle(table, action) == "no command point is left [11.3]"
    put(table, track_cp=1)
    mark(table, "disrupted", True, "SRG1", "SRG2")
    with pytest.raises(Illegal) as fault:
        table.do("recover", "units=SRG1, SRG2")
    assert fault.value.rule == "11.3"


def test_7_3_3_no_unit_to_recover() -> None:
    """[7.3.3, 16.8(1)] Without disrupted units there is nothing to choose; without reinforcements due none arrive."""
    table = operations(reinforcements="on")
    assert obstacle(table, "recover") == "no unit of the current player is disrupted [7.3.3]"
    assert obstacle(table, "reinforce") == "no reinforcement is due on turn 1 [16.8(1)]"
    mark(table, "disrupted", True, "1/3ID", "2/3ID")
    mark(table, "oos", True, "2/3ID")
    table.do("recover", "units=1/3ID")
    assert offered(table, "units") == ["1/3ID"]


def test_7_3_3_why_no_unit_recovers_is_said_of_each() -> None:
    """[7.3.3, 16.4(6), 12.1(6)] Out of supply, the anti-air unit, or done already; the cure can be typed."""
    table = operations("iraq", anti_air_unit="on")
    mark(table, "disrupted", True, "SRGAA", "11D", "PA1")
    mark(table, "oos", True, "11D")
    mark(table, "moved", True, "PA1")
    reasons = ("11D is out of supply: it cannot recover [7.3.3]", "SRGAA, the anti-air unit, never recovers [16.4(6)]")
    assert all(reason in obstacle(table, "recover") for reason in (*reasons, "PA1 has acted [12.1(6)]"))


def test_12_2_the_ways_that_are_shown_can_be_gone() -> None:
    """[12.1(2), 12.3(3)] Five points for a unit of four are not offered."""
    table = operations()
    table.do("move", "units=173", "way=stay", "attack=none")
    assert "from zoc, plain zoc" not in offered(table, "way")
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    assert "from zoc, plain zoc" in offered(table, "way")


def test_8_1_what_moves_as_one_is_a_stack() -> None:
    """[8.1, 8.1(1), 8.1(3), 13.2(2)] Also where it stays; and only who may stand there too is offered."""
    # Clauses: [8.2(1): stay]
    table = operations()
    for units, rule in (("1/3ID, 7Arm", "8.1(3)"), ("1/3ID, RCT1", "8.1(1)"), ("1/3ID, 2/3ID, 3/3ID, 173", "8.1")):
        with pytest.raises(Illegal) as fault:
            table.do("move", f"units={units}", "way=stay", "attack=none")
        assert fault.value.rule == rule
    table.do("move", "units=1/3ID, 2/3ID", "way=road", "stacked=none", "attack=none")
    assert not {"7Arm", "RCT1", "KDP1"} & set(offered(table, "stacked"))
    assert {"3/3ID", "173"} <= set(offered(table, "stacked"))


def test_12_1_4_an_enemy_is_not_in_the_hex() -> None:
    """[12.1(4)] The refusal says that a unit named in the hex is an enemy."""
    # Clauses: [12.1(4): enemy]
    with pytest.raises(Illegal, match="11D is an enemy"):
        operations().do("move", "units=1/3ID", "way=road", "stacked=11D", "attack=none")


def test_16_7_what_only_the_board_shows_is_a_reminder() -> None:
    """[16.7(4), 16.7(5), 16.7.1(1)] Three questions whose yes was always refused are lines now."""
    table = operations("iraq", railway="on")
    table.do("rail", "unit=11D", "zones=no", "stacked=none")
    assert asked(table) == ["unit", "stacked"]
    assert said(table, "No hex with destroyed roads")


@pytest.mark.parametrize(("broken", "work"), [(False, "destroy"), (True, "repair")])
def test_14_1_what_there_is_to_do_on_a_road_is_known(broken: bool, work: str) -> None:
    """[14.1, 14.3, 14.4] Whole roads are destroyed and destroyed ones repaired."""
    table = operations()
    if broken:
        table.do("road", "unit=1/3ID", "hex=1722")
    table.do("road", "unit=2/3ID", "hex=1722", f"work={work}")
    assert "work" not in asked(table)
    with pytest.raises(Impossible):
        table.do("road", "unit=3/3ID", "hex=1722", f"work={work}")


def test_12_3_points_that_are_left_for_a_zone() -> None:
    """[12.3(1), 12.3(2), 12.5(1)] A hex and a zone cost three points; who flies does not care."""
    # Clauses: [12.3(1): flying]
    table = operations()
    words = ("stacked=none", "attack=none")
    table.do("move", "units=173", "way=plain, plain", *words)
    assert said(table, "173: 2 of 4 MP, 2 left; too few to leave or enter a zone of control")
    table.do("move", "units=11Av", "way=" + ", ".join(["plain"] * 9), *words)
    assert not said(table, "too few")


def test_15_2_after_the_game_nothing_can_be_reached_any_more() -> None:
    """[15.1, 15.2] The count is the count."""
    table = war()
    put(table, flag_over="turn 3 was the last")
    assert table.game.score(table.position, table.options).notes == ()


# -- the opponent ----------------------------------------------------------------------------------------------------------


def test_5_8_2_1_it_proposes_no_more_than_its_air_fields_allow() -> None:
    """[5.8.2(1)] One Air Field, two combats: the second is not even asked for."""
    table = operations(iraq="bot")
    mark(table, "damaged", 1, *AIR_FIELDS[:2])
    table.do(
        "move", "units=1/3ID, 2/3ID", "way=stay", "attack=51M", "with=1/3ID", "river=none", "terrain=plain", "attack=Med",
        "river=none", "terrain=plain", "support=none", "support=none", "counter=Su-20", dice=[6, 3, 3], accept=True,
    )  # fmt: skip
    assert asked(table).count("counter") == 1


def test_15_2_it_does_not_retake_what_it_holds() -> None:
    """[15.2] A place that is not lost is not retaken; the same place counts once."""
    table = operations("iraq", iraq="bot")
    lines = propose(table, "deeds=retake SF1 Najaf, attack Med 10-1")
    assert "Med attacks at 10-1 (next of 6 CP)." in lines
    assert "Iraq does not spend on it: SF1 retakes Najaf; Najaf is not lost." in lines
    table.do("control", "control=Najaf coalition")
    lines = propose(table, "deeds=retake SF1 Najaf, retake SRG1 Najaf, kuwait 51M, kuwait Med")
    spent = [line for line in lines if "next of" in line]
    assert spent[:2] == ["51M goes into Kuwait (next of 6 CP).", "SF1 retakes Najaf (next of 5 CP)."]


def test_16_10_1_the_turkish_unit_costs_it_nothing() -> None:
    """[16.10(1), 16.10(8)] It moves without a command point, and takes no victory points."""
    table = operations("iraq", {"unit:TRK": "turkey TRK 4-4-4"}, iraq="bot", turkey="on")
    put(table, track_cp=1)
    lines = propose(table, "deeds=retake TRK Irbil, attack SRG1 3-1")
    assert "SRG1 attacks at 3-1 (next of 1 CP)." in lines
    put(table, track_cp=0)
    assert "TRK moves (free of CP)." in propose(table, "deeds=move TRK")


def test_11_2_it_reads_the_names_that_it_is_told() -> None:
    """[11.2] Units and places with a blank in their names."""
    table = operations("iraq", iraq="bot")
    table.do("units", "units=iraq SRG 1 4-4-5, iraq SRG 2 4-4-5")
    table.do("control", "control=Baghdad 1321 coalition")
    lines = propose(table, "deeds=attack SRG 1 3-1, retake SF1 Baghdad 1321")
    assert "SF1 retakes Baghdad 1321 (next of 6 CP)." in lines
    assert "SRG 1 attacks at 3-1 (next of 5 CP)." in lines


def test_5_5_3_it_aims_and_takes_its_losses_itself() -> None:
    """[5.5(3), 13.4.1, 13.5(8)] Its own interceptor's target, the steps that it loses, the city that it keeps."""
    table = war(iraq="bot")
    table.do("bomb", "target=11D by B-1+F-16", "where=open", "target=done", "intercept=MiG-23", dice=[6, 6, 6])
    assert "aim" not in asked(table)
    assert said(table, "MiG-23 fires at B-1: 6, hits on 1-3")
    table = operations(iraq="bot")
    attack(table, "1/3ID, 2/3ID, 3/3ID", "SRG1, SRG2", "with=all", "terrain=minor_city", "counter=none", dice=[6])
    assert not {"loss", "ignore"} & set(asked(table))


def test_13_3_2_1_odds_and_opponent_know_the_support_that_is_declared() -> None:
    """[13.3(2-1)] 3 against 4 is 1-2, with the A-10 3-1; the Su-25 takes two of the three columns away."""
    table = operations(iraq="bot")
    attack(table, "173", "51M", "support=A-10", "counter=none", dice=[3])
    assert suggested(table, "counter") == "Su-25+MiG-23"
    odds = question(table, "counter").odds
    assert odds
    assert dict(odds().sections[0][1])["defender destroyed or retreats"] == pytest.approx(3 / 6)


# -- what is entered, and what is shown ------------------------------------------------------------------------------------


def test_6_1_2_a_radar_site_is_told_by_its_firepowers() -> None:
    """[6.1.2] Numbers alone are the AA Fire boxes; what was understood is shown, and a box that no radar site has refused."""
    # Clauses: [6.1.2: boxes]
    assert RADAR_SITE("2") == RADAR_SITE("aa 2") == "aa 2 radar 2"
    assert RADAR_SITE("3 2 radar 1") == "aa 3 2 radar 1"
    assert RADAR_SITE.describe("aa 3 2 radar 2") == "AA Fire of 3, 2; 2 Radars"
    with pytest.raises(Unreadable, match="no radio box"):
        RADAR_SITE("aa 3 radio 4")
    with pytest.raises(Unreadable, match="belongs to no box"):
        RADAR_SITE("9")


def test_6_2_a_box_is_named_by_the_beginnings_of_its_words() -> None:
    """[6.2] ``rad 1`` is a Radio or a Radar, and says so; ``nor rada 2`` is one box."""
    # Clauses: [6.2: box]
    table = war()
    with pytest.raises(Ambiguous, match="comm radio 1") as refused:
        table.do("facility", "target=rad 1 by B-1")
    assert "south radar 1" in str(refused.value)
    table.do("facility", "target=nor rada 2 by B-1", "target=done", "intercept=none", dice=[6, 1])
    assert unit(table, "north radar 2").mark("damaged") == 1


def test_2_5_the_next_ship_has_the_same_values() -> None:
    """[2.4.4, 2.5.4] Of its own kind, by one word, and never by itself."""
    without = {key: value for key, value in FACTS.items() if key not in ("air:CV-64", "air:DDG-2", "air:F-16")}
    table = Table("iraqwar2003", "war", without)
    words = ("target=radio 1 by DDG-2", "target=radio 2 by CV-64", "target=radio 3 by F-16", "target=done", "intercept=none")
    table.do("facility", *words, "air:DDG-2=same", "air:CV-64=s", "air:F-16=4-2-2", dice=[6] * 5)
    assert (table.facts["air:DDG-2"], table.facts["air:CV-64"]) == ("0-0-4 stealth", "4-2-3")
    assert "same: 4-2-3, as CVN-75" in question(table, "air:CV-64").prompt
    assert "same" not in question(table, "air:F-16").prompt
    with pytest.raises(Unreadable):
        question(table, "air:F-16").read("same")


def test_15_2_no_winner_while_the_game_goes_on() -> None:
    """[15.1] The count says what would be; after the last turn there is no further one."""
    # Clauses: [15.1: end]
    table = war()
    assert "Iraq wins if the game ended now (18 more" in table.game.score(table.position, table.options).verdict
    assert table.game.banner(table.position, table.options).stage.startswith("Turn 1")
    put(table, flag_over="turn 3 was the last")
    assert table.game.score(table.position, table.options).verdict.startswith("2 of 20 VP: Iraq wins (")
    assert table.game.banner(table.position, table.options).stage == "After the last turn"


def test_6_4_a_damaged_marker_is_shown_with_its_turn() -> None:
    """[6.4] The number behind the mark is a turn."""
    table = war()
    before = table.position
    mark(table, "damaged", 1, "south radar 1")
    assert board_fix(before, table.position, table.game) == ["south radar 1 gets a damaged marker (turn 1)"]


def test_8_1_defenders_that_cannot_be_in_one_hex() -> None:
    """[8.1(2), 13.2(1)] Two divisions count four: a remark, since the board is the truth."""
    table = operations(facts={"unit:7A": "iraq 7A 3-4-4/2-2-4 big", "unit:8A": "iraq 8A 3-4-4/2-2-4 big"})
    attack(table, "1/3ID", "7A, 8A", dice=[3])
    assert said(table, "These may not all be in one hex: 4 units in a hex (7A 2, 8A 2), and 3 is the limit")
    attack(table, "2/3ID", "7A", dice=[3])
    assert not said(table, "These may not all")


def test_13_5_1_and_13_6_are_heard() -> None:
    """[13.5(1), 13.6(2), 13.6(3), 13.6(4)] What a retreat and an advance cost, and what does not hinder them."""
    table = operations()
    attack(table, "1/3ID, 2/3ID", "SF1", "with=all", "retreat=all", "advance=all", dice=[1])
    assert said(table, "[13.5(1)]")
    assert said(table, "[13.6(3)]")
    assert said(table, "[13.6(4)]")


def test_12_1_2_a_way_that_costs_too_much_says_where_the_points_end() -> None:
    """[12.1(2), 12.3(4)] Three plain hexes and a river for a unit that moves 4."""
    table = operations()
    with pytest.raises(Illegal) as fault:
        table.do("move", "units=173", "way=plain, river, river", "attack=none")
    assert fault.value.message == "173 has 4 movement points and the way costs 5; the points end before hex 3 (river)"


def test_11_3_the_turkish_unit_that_has_acted_is_named() -> None:
    """[11.3, 16.10(1)] Without a command point nobody acts any more, and TRK needed none."""
    table = operations("iraq", {"unit:TRK": "turkey TRK 4-4-4"}, turkey="on")
    put(table, track_cp=0)
    assert obstacle(table, "road") == ""
    mark(table, "moved", True, "TRK")
    assert obstacle(table, "road") == "no command point is left, and TRK, which needs none, has acted [11.3]"


def test_2_2_the_example_of_a_counter_is_not_in_the_game() -> None:
    """[2.2] What the question for counters shows can be typed as it stands."""
    table = operations()
    example = next(iter(_asked_units(table)))
    assert example.split()[1] not in {piece.name for piece in table.position.pieces.values()}
    table.do("units", f"units={example}")


def _asked_units(table: Table) -> list[str]:
    table.do("units", "units=us 77/3ID 6-5-8")
    return [request.example for request in table.asked if request.key == "units"]
