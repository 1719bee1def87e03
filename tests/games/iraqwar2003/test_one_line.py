"""[12.1, 13.2] A move and an attack in one line: units, path, target."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.iraqwar2003.field import asked, operations, place, said
from tests.games.iraqwar2003.ground import placed

NO_AIR = ("support=none", "counter=none")


def test_12_1_units_and_path_in_one_line() -> None:
    table = placed(stand={"1/3ID": "2130", "2/3ID": "2130"})
    table.do("move", "units=1/3ID, 2/3 > 2230 2231")
    assert asked(table) == ["units"] and place(table, "2/3ID") == "2231"
    table = operations()
    table.do("move", "units=1/3 > road, road", "stacked=none", "attack=none")
    assert said(table, "1/3ID: 1 of 8 MP")


@pytest.mark.parametrize("way", ["", "2231"])
def test_13_2_the_target_follows_the_path(way: str) -> None:
    table = placed(stand={"1/3ID": "2231" if not way else "2131", "11D": "2331"})
    table.do("move", f"units=1/3ID > {way} > 2331", *NO_AIR, dice=[4], accept=True)
    assert "attack" not in asked(table) and said(table, "Attack 6 against 4")


def test_13_0_no_enemy_to_attack() -> None:
    table = placed(stand={"1/3ID": "2130", "11D": "2332"})
    with pytest.raises(Illegal, match=r"13\.0"):
        table.do("move", "units=1/3ID > 2230 > 2332")


@pytest.mark.parametrize("text", ["1/3ID > 2230 > 11D > A-10", "1/3ID > 223", "> 2230", "1/3ID > 2230 > Nobody"])
def test_12_1_a_line_that_cannot_be_read_is_refused_with_the_cure(text: str) -> None:
    table = placed(stand={"1/3ID": "2130", "11D": "2332"})
    with pytest.raises(Unreadable) as fault:
        table.do("move", f"units={text}")
    assert fault.value.cure
