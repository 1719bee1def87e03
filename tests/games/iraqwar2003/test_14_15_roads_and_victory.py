"""[14.0, 15.0] Roads; victory points."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.iraqwar2003.field import asked, attack, mark, operations, put, reduce, said, send, unit, vp, war

PLACES = ("Baghdad 1321", "Baghdad 1421", "Mosul", "Basra", "Irbil", "Sulaymaniya", "Kirkuk", "Tikrit", "Karbala", "Hillah",
          "Najaf", "Nasiriyah", "Umm Qasr", "Al Faw")  # fmt: skip


def test_14_1_destroying_and_14_4_repairing() -> None:
    """[14.1, 14.2, 14.4] At once, by a unit that does nothing else; the Coalition pays nothing."""
    # Clauses: [14.1: once, pays] [14.4: pays]
    table = operations()
    table.do("road", "unit=1/3ID", "hex=1722", accept=True)
    assert table.names_at("roads") == ["roads of 1722"]
    assert unit(table, "1/3ID").mark("moved") is True
    table.do("road", "unit=2/3ID", "hex=1722", accept=True)
    assert table.names_at("roads") == []
    assert said(table, "units that act later may use them. [14.4]")


def test_14_3_nothing_is_destroyed_twice() -> None:
    """[14.3] Refused for a unit, without effect for a bomb."""
    # Clauses: [14.3: twice]
    table = war()
    table.do("bomb", "target=road 1722", "where=open", "group=B-1", "target=road 1722", "group=B-2", "target=done",
             "intercept=none", dice=[1, 1])  # fmt: skip
    assert said(table, "The roads of 1722 are destroyed already: another hit does nothing. [14.3]")
    table.do("supply", accept=True)
    with pytest.raises(Illegal) as fault:
        table.do("road", "unit=1/3ID", "hex=1722", "work=destroy")
    assert fault.value.rule == "14.3"


def test_14_3_a_hex_has_one_number() -> None:
    """[14.3, 5.7(3)] 607 is the hex 0607: bombing is halved there, and its roads are not destroyed twice."""
    table = war()
    table.do("bomb", "target=road 607 by B-1", "target=done", "intercept=none", dice=[2])
    assert said(table, "B-1 bombs the roads of 0607: 2, hits on 1-2. HIT.")
    table.do("supply", accept=True)
    with pytest.raises(Illegal) as fault:
        table.do("road", "unit=1/3ID", "hex=607", "work=destroy")
    assert fault.value.rule == "14.3"


def test_14_4_whole_roads_are_not_repaired() -> None:
    """[14.4] There is nothing to repair."""
    # Clauses: [14.4: broken]
    with pytest.raises(Illegal) as fault:
        operations().do("road", "unit=1/3ID", "hex=1722", "work=repair")
    assert fault.value.rule == "14.4"


def test_14_5_disrupted_units_do_no_work() -> None:
    """[14.5] By the errata."""
    # Clauses: [14.5: disrupted]
    table = operations()
    mark(table, "disrupted", True, "1/3ID")
    with pytest.raises(Illegal) as fault:
        table.do("road", "unit=1/3ID", "hex=1722")
    assert fault.value.rule == "14.5"


# -- victory -----------------------------------------------------------------------------------------------------------------


def all_held(table, side: str = "coalition") -> None:  # type: ignore[no-untyped-def]
    for place in PLACES:
        table.do("control", f"control={place} {side}")


def test_15_2_cities_and_ports() -> None:
    """[15.2] 5 + 5, 2 + 2, eight cities and two ports of 1: 24 without the Kurdish bonus."""
    table = war()
    all_held(table)
    assert vp(table) == 24


@pytest.mark.parametrize(("total", "verdict"), [(19, "Iraq wins"), (20, "the Coalition wins")])
def test_15_1_twenty_points(total: int, verdict: str) -> None:
    """[15.1] 19 are not enough, 20 are."""
    # Clauses: [15.1: twenty]
    table = war()
    all_held(table)
    table.do("control", "control=Najaf iraq, Hillah iraq, Karbala iraq, Tikrit iraq")
    if total == 19:
        table.do("control", "control=Kirkuk iraq")
    assert vp(table) == total
    assert verdict in table.game.score(table.position, table.options).verdict


def test_15_2_losses() -> None:
    """[15.2] Reduced -2, removed -4 in all, an air unit -2; Kurds, Iraqis and ships cost nothing (rulings C-11, C-12)."""
    # Clauses: [15.2: reduced, removed, air]
    table = war()
    reduce(table, "1/3ID", "7Arm", "11D")
    assert vp(table) == 2 - 4
    send(table, "removed", "1/3ID", "KDP1")
    assert vp(table) == 2 - 2 - 4
    send(table, "removed", "F-15", "CV-63", "DDG-1", "MiG-23")
    assert vp(table) == 2 - 2 - 4 - 4


def test_15_2_iraqis_in_kuwait() -> None:
    """[15.2] -2 at the end of each turn."""
    table = operations("iraq")
    table.do("end", "kuwait=yes")
    assert vp(table) == 0
    assert table.track("kuwait") == 1


def to_end_of_turn(table, number: int) -> None:  # type: ignore[no-untyped-def]
    """To the Iraqi Operation Phase of that turn."""
    while True:
        table.do("supply", *(["source=radio"] if table.position.flag("side") == "iraq" else []), accept=True)
        if table.position.flag("side") == "iraq" and table.track("turn") == number:
            return
        table.do("end", accept=True)


def test_15_2_the_kurdish_bonus_of_turn_2() -> None:
    """[15.2] +1 each for Mosul, Kirkuk and Tikrit in Kurdish hands at the end of turn 2, whatever becomes of them."""
    # Clauses: [15.2: end, bonus, also]
    table = war()
    table.do("control", "control=Mosul kdp, Kirkuk puk")
    to_end_of_turn(table, 2)
    table.do("end", accept=True)
    assert "kurds" in asked(table)
    assert vp(table) == 2 + 2 + 1 + 2
    table.do("control", "control=Mosul iraq, Kirkuk iraq")
    assert vp(table) == 2 + 2


def test_15_2_the_maximum_is_27() -> None:
    """[15.2] Everything held, and the bonus; 32 with the palace."""
    for option, most in (("off", 27), ("on", 32)):
        table = war(palace=option)
        note = table.game.score(table.position, table.options).notes[0]
        assert note == f"The most that the Coalition can still reach: {most}"
    table = war()
    all_held(table, "kdp")
    to_end_of_turn(table, 2)
    table.do("end", accept=True)
    assert vp(table) == 27
    send(table, "removed", "1/3ID")
    assert table.game.score(table.position, table.options).notes[0].endswith(" 23")


def test_15_1_the_end_of_the_game() -> None:
    """[15.1, 15.2, 4.3(2)] After the last turn control is looked over once more, then the count is announced."""
    # Clauses: [15.1: end] [15.2: end]
    table = war()
    to_end_of_turn(table, 3)
    table.do("end", "kuwait=no", "control=Basra coalition")
    assert table.game.over(table.position)
    assert said(table, "GAME OVER. 4 of 20 VP: Iraq wins (16 more are needed). [15.1]")


def test_15_2_control_is_typed_by_prefix_and_faults_are_named() -> None:
    """[15.2] Places by their first letters; unknown sides and places are refused."""
    table = war()
    table.do("control", "control=mos kdp, al coal")
    assert table.position.flag("control:Al Faw") == "coalition"
    for text in ("Mosul", "Paris kdp", "Mosul france"):
        with pytest.raises(Unreadable):
            table.do("control", f"control={text}")


def test_losses_entered_by_the_player() -> None:
    """[13.4.1, 15.2] A strength step, a unit, an air unit."""
    table = war()
    table.do("loss", "unit=1/3ID", "what=step")
    assert vp(table) == 0
    table.do("loss", "unit=1/3ID", "what=unit")
    assert vp(table) == -2
    table.do("loss", "unit=F-15")
    assert vp(table) == -4
    put(table, track_kuwait=0)


def test_14_1_units_that_work_on_roads_do_nothing_else() -> None:
    """[14.1, 14.4] A unit that moved neither destroys nor repairs; one that did either does not move."""
    # Clauses: [14.1: whole] [14.4: whole]
    table = operations()
    table.do("move", "units=1/3ID", "way=stay", "attack=none")
    for words in (("road", "unit=1/3ID", "hex=1722"), ("road", "unit=2/3ID", "hex=1722"), ("road", "unit=3/3ID", "hex=1722")):
        if words[1] == "unit=1/3ID":
            with pytest.raises((Illegal, Unreadable)):
                table.do(*words)
            continue
        table.do(*words)
        with pytest.raises((Illegal, Unreadable)):
            table.do("move", f"units={words[1].removeprefix('unit=')}", "way=plain")


def test_14_3_repaired_roads_may_be_destroyed_again() -> None:
    """[14.3] What is forbidden twice is allowed after a repair."""
    # Clauses: [14.3: anew]
    table = operations()
    for who in ("1/3ID", "2/3ID", "3/3ID"):
        table.do("road", f"unit={who}", "hex=1722")
    assert table.names_at("roads") == ["roads of 1722"]


def test_15_2_iraqis_in_kuwait_on_each_turn() -> None:
    """[15.2] Two turns, twice -2; a turn without them costs nothing."""
    # Clauses: [15.2: kuwait]
    table = war()
    for kuwait, points in (("yes", 0), ("no", 0), ("yes", -2)):
        table.do("supply", accept=True)
        table.do("end")
        table.do("supply", "source=radio", accept=True)
        table.do("end", f"kuwait={kuwait}", accept=True)
        assert vp(table) == points


@pytest.mark.parametrize(("terrain", "baghdad"), [("mega_city", True), ("major_city", False)])
def test_15_2_an_advance_takes_what_its_terrain_can_be(terrain: str, baghdad: bool) -> None:
    """[15.2, 13.6] The mega city is Baghdad, and no other city is."""
    # Clauses: [15.2: advance]
    table = operations()
    words = ("with=all", f"terrain={terrain}", "advance=all", "taken=none")
    attack(table, "1/3ID, 2/3ID, 3/3ID", "SF1", *words, dice=[1])
    request = next(request for request in table.asked if request.key == "taken")
    places = {choice.value for choice in request.legal_choices()}
    assert ("Baghdad 1321" in places, "Najaf" in places) == (baghdad, not baghdad)
