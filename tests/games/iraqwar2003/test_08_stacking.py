"""[8.0] Stacking."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.iraqwar2003.field import operations, place, reduce, said, war


def stacked(side: str, unit: str, others: str, **kw):  # type: ignore[no-untyped-def]
    table = operations(side)
    table.do("move", f"units={unit}", "way=plain", f"stacked={others}", "attack=none", accept=True, **kw)
    return table


def test_8_1_three_units_are_allowed_and_a_fourth_is_not() -> None:
    """[8.1, 8.2(1)] At the end of the movement; the message names the rule."""
    # Clauses: [8.1: three] [8.2(1): movement]
    stacked("coalition", "1/3ID", "2/3ID, 3/3ID")
    with pytest.raises(Illegal) as fault:
        stacked("coalition", "1/3ID", "2/3ID, 3/3ID, DivArty")
    assert fault.value.rule == "8.1"
    assert "4 units in a hex" in fault.value.message


def test_8_2_penalty_the_owner_removes_what_is_too_much() -> None:
    """[8.2 Penalty] Where the board says that it is so, the owner chooses who goes."""
    # Clauses: [8.2 Penalty: owner]
    table = operations()
    table.do(
        "move", "units=1/3ID", "way=plain", "stacked=2/3ID, 3/3ID, DivArty", "excess=DivArty", "attack=none", accept=True,
        anyway=True,
    )  # fmt: skip
    assert place(table, "DivArty") == "removed"


def test_8_2_penalty_goes_on_until_the_limits_are_met() -> None:
    """[8.2 Penalty] Five units: the owner is asked again while there are more than three."""
    # Clauses: [8.2 Penalty: until]
    table = operations(facts={"unit:4/3ID": "us 4/3ID 6-5-8/3-3-8 div:3ID"})
    table.do(
        "move", "units=1/3ID", "way=plain", "stacked=2/3ID, 3/3ID, 4/3ID, DivArty", "excess=DivArty", "excess=4/3ID",
        "attack=none", accept=True, anyway=True,
    )  # fmt: skip
    assert (place(table, "DivArty"), place(table, "4/3ID"), place(table, "1/3ID")) == ("removed", "removed", "map")


def test_8_1_1_divisions_do_not_mix_but_independent_units_do() -> None:
    """[8.1(1), 2.2.2.1] 3ID with 1MED is refused; the 173 may join either."""
    # Clauses: [8.1(1): division, free]
    with pytest.raises(Illegal) as fault:
        stacked("coalition", "1/3ID", "RCT1")
    assert fault.value.rule == "8.1(1)"
    stacked("coalition", "1/3ID", "173, 11Av")


def test_8_1_2_iraqi_divisions_count_double() -> None:
    """[8.1(2), 2.2.4] Two divisions are four; a division and a brigade are three."""
    # Clauses: [8.1(2): double]
    with pytest.raises(Illegal) as fault:
        stacked("iraq", "11D", "51M")
    assert fault.value.rule == "8.1"
    stacked("iraq", "11D", "SRG1")


def test_8_1_3_nationalities_do_not_stack() -> None:
    """[8.1(3)] An American with a British unit."""
    # Clauses: [8.1(3): nations]
    with pytest.raises(Illegal) as fault:
        stacked("coalition", "173", "KDP1")
    assert fault.value.rule == "8.1(3)"


def test_8_2_3_reduced_units_count_in_full() -> None:
    """[8.2(3), 8.2(4)] Three reduced units fill a hex; markers do not count."""
    # Clauses: [8.2(3): reduced] [8.2(4): markers]
    table = operations()
    reduce(table, "1/3ID", "2/3ID", "3/3ID")
    with pytest.raises(Illegal):
        table.do("move", "units=1/3ID", "way=plain", "stacked=2/3ID, 3/3ID, 173", "attack=none")


def test_8_2_2_nothing_is_checked_on_the_way() -> None:
    """[8.2(2)] Only where the movement ends is anybody asked who is there; a unit that stays is not asked."""
    # Clauses: [8.2(2): way]
    table = operations()
    table.do("move", "units=1/3ID", "way=plain, plain, plain", "stacked=none", "attack=none")
    table.do("move", "units=2/3ID", "way=stay", "attack=none")


def test_8_1_the_look_up() -> None:
    """[8.1] `stack` says whether some units fit, and changes nothing."""
    table = war()
    before = table.position
    table.do("stack", "units=1/3ID, 2/3ID, 173")
    assert said(table, "1/3ID, 2/3ID, 173 may stack: 3 of 3. [8.1]")
    table.do("stack", "units=1/3ID, RCT1, SRG1, 11D")
    assert said(table, "Not allowed")
    assert table.position == before


def test_8_1_3_the_two_kurdish_armies_are_two() -> None:
    """[8.1(3), 2.2.11] KDP and PUK do not stack; two units of the KDP do."""
    # Clauses: [8.1(3): nations]
    table = operations(facts={"unit:KDP2": "kdp KDP2 2-2-4"})
    with pytest.raises(Illegal) as fault:
        table.do("move", "units=KDP1", "way=plain", "stacked=PUK1", "attack=none")
    assert fault.value.rule == "8.1(3)"
    table.do("move", "units=KDP1", "way=plain", "stacked=KDP2", "attack=none")
