"""[14.1, 15.2, 16.0] What else follows from where units stand: Kuwait, roads, drops, rails, reinforcements, the minister."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.iraqwar2003.field import asked, place, put, said
from tests.games.iraqwar2003.ground import placed

TRACK = "track_kuwait"


def test_15_2_whether_iraqis_stand_in_kuwait_is_known() -> None:
    """[15.2] It is asked only if a unit has no known hex."""
    table = placed("iraq", stand={"SF1": "3140"})
    table.do("end", accept=True)
    assert table.track("kuwait") == 1 and "kuwait" not in asked(table) and said(table, "SF1 is in Kuwait")
    table = placed("iraq")
    table.do("end", accept=True)
    assert table.track("kuwait") == 0 and "kuwait" not in asked(table)
    table = placed("iraq", stand={"SF1": "?"})
    table.do("end", "kuwait=yes", accept=True)
    assert table.track("kuwait") == 1


def test_14_1_a_unit_works_on_the_roads_of_its_hex() -> None:
    table = placed(stand={"1/3ID": "2230"})
    table.do("road", "unit=1/3ID")
    assert said(table, "The roads of 2230") and asked(table) == ["unit"]


def test_16_2_2_a_drop_starts_in_kuwait_city_and_lands_in_its_hex() -> None:
    """[16.2(2), 16.2(4)]"""
    # Clauses: [16.2(2): kuwait] [16.2(4): occupied]
    table = placed(stand={"SF1": "2230"}, paratroops="on")
    table.do("drop", "unit=173", "hex=2332", "escort=none", "intercept=none", accept=True)
    assert place(table, "173") == "2332" and table.position.flag("control:Nasiriyah") == "coalition"
    with pytest.raises(Illegal, match=r"16\.2\(4\)"):
        placed(stand={"SF1": "2230"}, paratroops="on").do("drop", "unit=173", "hex=2230")
    with pytest.raises(Illegal, match=r"16\.2\(2\)"):
        placed(stand={"173": "2230"}, paratroops="on").do("drop", "unit=173", "hex=2332")


def test_16_7_4_by_rail_neither_from_nor_into_a_zone() -> None:
    """[16.7(4), 16.7(5)]"""
    table = placed("iraq", stand={}, railway="on")
    table.do("rail", "unit=51M", "to=2029", accept=True)
    assert place(table, "51M") == "2029"
    with pytest.raises(Illegal, match=r"16\.7\(4\)"):
        placed("iraq", stand={"1/3ID": "2230"}, railway="on").do("rail", "unit=51M", "to=2229")
    held = placed("iraq", stand={}, railway="on")
    put(held, **{"flag_held:2029": "coalition"})
    with pytest.raises(Illegal, match=r"16\.7\(5\)"):
        held.do("rail", "unit=51M", "to=2029")


def test_16_8_2_reinforcements_arrive_in_a_hex() -> None:
    """[16.8(2), 16.8(3)] In Kuwait City, where a Coalition unit is placed, or beside it."""
    # Clauses: [16.8(2): place]
    table = placed(facts={"unit:4ID": "us 4ID 7-6-8/4-3-8 div:4ID turn:1"}, reinforcements="on", stand={})
    assert place(table, "4ID") == "3241" and "held" not in asked(table)


def test_16_1_6_whether_americans_are_in_baghdad_is_known() -> None:
    for stand, times in (({"1/3ID": "1321", "SRG1": "1320", "SRG2": "1320"}, 0), ({}, 1)):
        table = placed(stand=stand, palace="on")

        async def speak(game: object) -> None:
            from companion.games.iraqwar2003.rules.r16_options import _minister

            await _minister(game)  # type: ignore[arg-type]

        table.play(speak)
        assert table.track("sahaf") == times and not table.asked
