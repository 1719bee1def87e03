"""Rolls that are merged by what their rule reads: each merged outcome has the chance of the rolls that it replaces."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from companion.core.charts import Chart
from companion.games.fallujah2004.rules import r09_opfor, r14_reaction
from tests.games.fallujah2004.field import Field


def test_7_2_each_space_has_its_share_of_the_216_rolls() -> None:
    """[7.2] One die for the route and two for the phase line."""
    expected = Counter(f"{route}-{one + two}" for route, one, two in product(range(1, 7), repeat=3))
    merged = r14_reaction.location_outcomes(frozenset())

    assert {f"{roll.faces[0]}-{roll.faces[1] + roll.faces[2]}": roll.weight for roll in merged} == expected
    assert len(merged) == len(expected) == 66


def test_7_2_rolls_for_spaces_that_the_map_lacks_are_one_outcome() -> None:
    """[7.2] All of them are rolled again: 1-2 by one roll in 216, and 3-7 by six."""
    merged = r14_reaction.location_outcomes(frozenset({"1-2", "3-7", "9-9"}))

    weights = {f"{roll.faces[0]}-{roll.faces[1] + roll.faces[2]}": roll.weight for roll in merged}
    assert len(weights) == len(merged) == 65
    assert weights["1-2"] == 1 + 6
    assert sum(weights.values()) == 216


@pytest.mark.parametrize("units", [1, 2, 4])
def test_20_1_every_set_of_units_hit_has_its_share(units: int) -> None:
    """[20.1] A die for each unit: what counts is which of them are hit."""
    chart: Chart = Field().game.tables.charts["ied_factory"]

    def hit(faces: tuple[int, ...]) -> tuple[bool, ...]:
        return tuple(chart.text(face, "result") == "hit" for face in faces)

    expected = Counter(hit(faces) for faces in product(range(1, 7), repeat=units))
    merged = r09_opfor.ied_outcomes(chart, units)

    assert {hit(roll.faces): roll.weight for roll in merged} == expected
    assert len(merged) == 2**units
