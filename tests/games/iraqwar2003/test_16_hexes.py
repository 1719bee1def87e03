"""[16.2, 16.7, 16.8, 15.2] What is on record of hexes decides where units arrive, jump, go by rail, and who holds a place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.core.errors import Illegal
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r12_movement import destroy_roads
from tests.games.iraqwar2003.field import asked, mark, operations, place, put, said, unit, vp, war
from tests.games.iraqwar2003.ground import FAR, GROUND, placed
from tests.support.table import Table

CITY, AROUND = "3241", ("3141", "3142", "3240", "3242", "3341", "3342")
LATE = {"unit:2ACR": "us 2ACR 4-3-9 turn:1"}


def refusal(table: Table, *words: str, **more: object) -> Illegal:
    """The refusal of an action by the rules."""
    with pytest.raises(Illegal) as fault:
        table.do(*words, **more)  # type: ignore[arg-type]
    return fault.value


# -- [16.8] reinforcements -------------------------------------------------------------------------------------------------


def arriving(stand: Mapping[str, str] = {}, facts: Mapping[str, str] = {}, **options: str) -> Table:
    """Turn 1 before the Supply Check, with a reinforcement due and no Coalition unit near Kuwait City but 11Av in it."""
    far = {**FAR, "11Av": CITY, "2/3ID": "2940", "3/3ID": "2940", "1/3ID": "2940", "DivArty": "3040", "RCT1": "3040"}
    at = {f"at:{name}": number for name, number in {**far, "173": "3039", "7Arm": "3139", **stand}.items()}
    return war({**GROUND, **LATE, **at, **facts}, reinforcements="on", **options)


def offered(table: Table) -> list[str]:
    """The hexes offered for the arrival."""
    return [choice.value for choice in next(request for request in table.asked if request.key == "where").legal_choices()]


def test_16_8_2_reinforcements_arrive_in_no_hex_that_is_closed() -> None:
    """[16.8(2), 12.1(4), 12.2(5)] Not in one with an enemy, not in the sea, not where Iraq took control (ruling C-56)."""
    table = arriving({"SF1": "3240"}, {"hex:3342": "sea"})
    put(table, **{"flag_held:3242": "iraq"})
    table.do("supply", accept=True)
    assert set(offered(table)) == {CITY, "3141", "3341"}
    assert place(table, "2ACR") == CITY
    for number, rule in (("3240", "12.1(4)"), ("3342", "12.2(5)"), ("3242", "16.8(2)")):
        again = arriving({"SF1": "3240"}, {"hex:3342": "sea"})
        put(again, **{"flag_held:3242": "iraq"})
        assert refusal(again, "supply", f"where={number}", accept=True).rule == rule


def test_16_8_3_an_iraqi_unit_in_kuwait_city_means_that_iraq_holds_it() -> None:
    """[16.8(3)] Not asked: the reinforcements are lost; so they are if Iraq was the last to enter the empty city."""
    for table in (arriving({"SF1": CITY, "11Av": "3140"}), arriving({"11Av": "3140"})):
        if place(table, "SF1") != CITY:
            put(table, **{f"flag_held:{CITY}": "iraq"})
        table.do("supply", accept=True)
        assert "held" not in asked(table)
        assert place(table, "2ACR") == "off" and said(table, "2ACR cannot arrive: lost")
        assert vp(table) == 2


def test_16_8_3_the_city_is_asked_about_only_while_an_iraqi_unit_has_no_hex() -> None:
    """[16.8(3)] What is on record is suggested."""
    table = arriving({"11Av": "3140"})
    table.do("supply", accept=True)
    assert "held" not in asked(table) and place(table, "2ACR") in (CITY, *AROUND)
    at = {f"at:{name}": number for name, number in {**FAR, "RCT1": "3040"}.items() if name != "SF1"}
    table = war({**GROUND, **LATE, **at, "at:11Av": "3040", "at:173": "3040"}, reinforcements="on")
    table.do("supply", accept=True)
    assert "held" in asked(table)


# -- [16.2] paratroops -----------------------------------------------------------------------------------------------------


def test_16_2_4_paratroops_jump_only_where_they_may_be() -> None:
    """[16.2(4), 12.2(5), 16.10(4)] Neither into the sea nor into the zone of control of the Turkish unit."""
    facts = {"unit:TRK": "turkey TRK 4-4-4", "at:TRK": "2230", "hex:2129": "sea"}
    words = ("drop", "unit=173", "escort=none", "intercept=none", "taken=none")
    for number, rule in (("2129", "12.2(5)"), ("2231", "16.10(4)"), ("2230", "16.2(4)")):
        table = placed(facts=facts, paratroops="on", turkey="on")
        assert refusal(table, *words, f"hex={number}", accept=True).rule == rule
    table = placed(facts=facts, paratroops="on", turkey="on")
    table.do(*words, "hex=2432", accept=True)
    assert place(table, "173") == "2432"


# -- [16.7] the railroad ---------------------------------------------------------------------------------------------------

RAILS = {f"rail:{pair}": "yes" for pair in ("2130-2230", "2230-2331", "2331-2332", "2332-2432")}


def railway(stand: Mapping[str, str] = {}, facts: Mapping[str, str] = {}) -> Table:
    """The Iraqi Operation Phase, the 11D at one end of a railroad of four hexsides."""
    return placed("iraq", {**RAILS, **facts}, {"11D": "2130", **stand}, railway="on")


def test_16_7_3_a_unit_goes_along_the_railroad_that_was_entered() -> None:
    """[16.7(3), 15.2] The way is found and said, its hexes are Iraq's, and the question names a hex within reach."""
    # Clauses: [16.7(3): line]
    table = railway()
    table.do("rail", "unit=11D", "to=2432", accept=True)
    assert said(table, "By rail: 2130 2230 2331 2332 2432. [16.7(3)]")
    assert place(table, "11D") == "2432" and table.track("cp") == 5
    assert next(request for request in table.asked if request.key == "to").example == "2432"


def test_16_7_3_no_railroad_no_transport() -> None:
    """[16.7(3)] A hex off the line is refused, and so is a unit that stands beside it; a part entered later opens it."""
    fault = refusal(railway(), "rail", "unit=11D", "to=2231", accept=True)
    assert fault.rule == "16.7(3)" and fault.cure.endswith('companion map iraqwar2003 tell "rail 2130 2230"')
    assert refusal(railway({"11D": "2129"}), "rail", "unit=11D", "to=2432", accept=True).rule == "16.7(3)"
    railway(facts={"rail:2432-2433": "yes"}).do("rail", "unit=11D", "to=2433", accept=True)


@pytest.mark.parametrize(
    ("stand", "flags", "rule"),
    [
        ({"1/3ID": "2232"}, {}, "16.7(4)"),
        ({"1/3ID": "2331"}, {}, "12.1(4)"),
        ({}, {"held:2331": "coalition"}, "16.7(5)"),
        ({}, {"roads": "2331"}, "16.7.1(1)"),
    ],
)
def test_16_7_4_and_16_7_5_what_closes_the_railroad(stand: dict[str, str], flags: dict[str, str], rule: str) -> None:
    """[16.7(4), 16.7(5), 16.7.1(1)] An enemy, his zone or his control in a hex of the way, or its destroyed roads."""
    # Clauses: [16.7(4): zone] [16.7(5): control] [16.7.1(1): roads]
    table = railway(stand)
    if rule == "12.1(4)":
        mark(table, "disrupted", True, "1/3ID")
    if number := flags.get("roads"):
        _destroy(table, number)
    else:
        put(table, **{f"flag_{name}": value for name, value in flags.items()})
    assert refusal(table, "rail", "unit=11D", "to=2432", accept=True).rule == rule
    assert place(table, "11D") == "2130" and table.track("cp") == 6


def _destroy(table: Table, number: str) -> None:
    async def change(referee: IraqWarReferee) -> None:
        destroy_roads(referee, number, "7.4")

    table.play(change)


def test_16_7_where_no_railroad_was_entered_the_player_judges() -> None:
    """[16.7(4)] The reminders come, and any hex of land that is not closed is taken; the sea is not."""
    table = placed("iraq", {"hex:2530": "sea"}, {"11D": "2130"}, railway="on")
    assert refusal(table, "rail", "unit=11D", "to=2530", accept=True).rule == "12.2(5)"
    table.do("rail", "unit=11D", "to=2234", accept=True)
    assert said(table, "No hex that the enemy controls.") and place(table, "11D") == "2234"


def test_16_7_1_2_a_hex_with_only_a_railroad_is_destroyed_and_repaired_like_a_road() -> None:
    """[16.7.1(1), 16.7.1(2)] 2332-2432 has no road: the hex at its end is destroyed by a unit in it, and repaired."""
    # Clauses: [16.7.1(2): both]
    table = railway({"SF1": "2432"})
    table.do("road", "unit=SF1", accept=True)
    mark(table, "moved", None, "SF1")
    assert refusal(table, "rail", "unit=11D", "to=2432", accept=True).rule == "16.7.1(1)"
    table.do("road", "unit=SF1", accept=True)
    mark(table, "moved", None, "SF1")
    table.do("rail", "unit=11D", "to=2432", accept=True)


def test_16_7_1_3_a_railroad_is_no_road() -> None:
    """[16.7.1(3)] Along it a unit pays for the ground."""
    # Clauses: [16.7.1(3): ground]
    table = railway({"11D": "2332"})
    table.do("move", "units=11D", "way=2432", "attack=none", accept=True)
    assert said(table, "11D: 2 of 3 MP, 1 left")  # a minor river, into the swamp


# -- [12.5, 15.2] control: ruling C-55 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "by_air", "on_foot"),
    [("ground", "iraq", "coalition"), ("stopping", "iraq", "iraq"), ("passing", "coalition", "coalition")],
)
def test_15_2_who_passes_through_a_place(option: str, by_air: str, on_foot: str) -> None:
    """[10.0(3), 12.5, 15.2] Over or through Nasiriyah, and into the hex behind it (ruling C-55)."""
    for name, holder in (("11Av", by_air), ("1/3ID", on_foot)):
        table = placed(stand={name: "2331"}, hex_control=option)
        table.do("move", f"units={name}", "way=2332 2333", "stacked=none", "attack=none", accept=True)
        assert str(table.position.flag("control:Nasiriyah") or "iraq") == holder, name
        assert table.position.flag("held:2333") == "coalition"


def test_15_2_a_flying_unit_takes_the_place_where_it_lands() -> None:
    """[15.2] By the default of ruling C-55."""
    table = placed(stand={"11Av": "2331"})
    table.do("move", "units=11Av", "way=2332", "stacked=none", "attack=none", accept=True)
    assert table.position.flag("control:Nasiriyah") == "coalition"
    assert said(table, "The Coalition takes Nasiriyah (1 VP). [15.2]")


def test_15_2_what_iraq_takes_back_is_lost_to_the_coalition() -> None:
    """[15.2] Iraq scores nothing."""
    table = placed("iraq", stand={"11D": "2331"})
    put(table, **{"flag_control:Nasiriyah": "coalition"})
    table.do("move", "units=11D", "way=2332", "stacked=none", "attack=none", accept=True)
    assert said(table, "Iraq takes Nasiriyah (the Coalition loses 1 VP). [15.2]")


# -- [12.2(5)] Bubiyan -----------------------------------------------------------------------------------------------------


def test_12_2_5_of_bubiyan_only_3339_is_open_on_the_ground() -> None:
    """[12.2(5)] Another hex that bears its name is cut off as by the sea, and only flying units enter it."""
    # Clauses: [12.2(5): bubiyan]
    facts = {"hex:3439": "plain, Bubiyan", "hex:3339": "plain, Bubiyan", "side:3339-3439": "none", "road:3339-3439": "no"}
    table = operations(facts={**GROUND, **facts, **{f"at:{name}": number for name, number in FAR.items()}, "at:1/3ID": "3339",
                              "at:11Av": "3339"})  # fmt: skip
    words = ("stacked=none", "attack=none", "taken=none")
    assert refusal(table, "move", "units=1/3ID", "way=3439", *words, accept=True).rule == "12.2(5)"
    table.do("move", "units=11Av", "way=3439", *words[:2], accept=True)
    assert place(table, "11Av") == "3439"
    assert table.game.contradictions(facts) == []


def test_the_turkish_unit_is_suggested_out_of_supply() -> None:
    """[16.10(7), 16.10(8)] It controls no hex, so that only the border with Turkey supplies it."""
    table = placed("iraq", {"unit:TRK": "turkey TRK 4-4-4", "at:TRK": "1506"}, turkey="on")
    table.do("end", accept=True)
    for action in ("facility", "bomb", "supply", "end"):
        table.do(action, accept=True)
    table.do("supply", "source=die", dice=[3], accept=True)
    assert unit(table, "TRK").mark("oos") is True and said(table, "TRK controls no hex")
