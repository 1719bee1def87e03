"""[19.0] J-5 InfoWar, and NetWar markers [22.0]."""

from __future__ import annotations

from itertools import product

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.fallujah2004.field import Field
from tests.support.commands import companion


def ready(*markers: str, ops: int = 65) -> Field:
    field = Field()
    field.put("available", *markers)
    field.set(ops=ops)
    return field


@pytest.mark.parametrize(("face", "ops"), [(1, -1), (2, 0), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_19_0_the_table(face: int, ops: int) -> None:
    """[19.0] One die a marker, by the InfoWar column."""
    field = ready("NetWar")
    field.do("j5", "markers=1", dice=[face])

    assert field.ops == 64 + ops


def test_19_0_the_odds_of_each_number_of_markers_are_shown_at_the_question() -> None:
    """[19.0, 8.1] The mean is one and a half OPs a marker, less the OP of the operation."""
    field = ready("NetWar", "NetWar", "NetWar")
    field.do("j5", "markers=1", dice=[2])
    (request,) = [request for request in field.asked if request.key == "markers"]
    assert request.odds is not None
    odds = request.odds()
    gains = (-1, 0, 1, 2, 3, 4)
    pays = [sum(sum(dice) > 1 for dice in product(gains, repeat=count)) / 6**count for count in (1, 2, 3)]

    assert [chance for _, chance in odds.sections[0][1]] == pytest.approx(pays)
    assert [value for _, value in odds.means] == pytest.approx([0.5, 2.0, 3.5])


def test_19_0_all_dice_together_and_the_sum_counts() -> None:
    """[19.0: together] One roll for all markers; gains and losses are added up."""
    field = ready("NetWar", "NetWar", "NetWar")
    field.do("j5", "markers=3", dice=[1, 1, 4])

    assert field.asked_for("roll") == ["infowar"]
    assert field.moved("ops") == [(-1, "8.1")]
    assert field.says("OPs +0", "19.0")


def test_19_0_used_markers_are_out_for_the_scenario() -> None:
    """[19.0: aside] [22.0: infowar] They are set aside, not sent to Recruit (ruling C-31); those not committed stay."""
    field = ready("NetWar", "NetWar", "NetWar")
    field.do("j5", "markers=2", dice=[2, 2])

    assert (field.names_at("aside"), field.names_at("available")) == (["NetWar"] * 2, ["NetWar"])
    with pytest.raises(Unreadable, match="6 x NetWar asked for, 5 there"):
        field.do("j1", "buy=6 netwar")


def test_22_0_intel_returns_to_its_cup() -> None:
    """[22.0] [14.5: intel] An Intel marker used for InfoWar is in the Reaction cup again."""
    field = ready("Intel")
    field.do("j5", "markers=1", dice=[6])

    assert field.names_at("reaction cup").count("Intel") == 2


def test_19_0_it_may_end_the_game() -> None:
    """[19.0, 8.1(a)] Two dice of 1 with the last but one OP."""
    field = ready("NetWar", "NetWar", ops=2)
    field.do("j5", "markers=2", "msr=no", "held=0", dice=[1, 1])

    assert field.ops == -1
    assert field.game.over(field.position)


def test_19_0_without_markers() -> None:
    """[19.0, 22.0] Refused without cost."""
    field = Field()
    with pytest.raises(Illegal, match="no NetWar"):
        field.do("j5")
    with pytest.raises(Unreadable):
        ready("NetWar").do("j5", "markers=2")
    assert field.ops == 65


def test_22_0_markers_that_cannot_be_spent_are_not_offered() -> None:
    """[22.0] Without a NetWar marker there is nothing to record: the refusal names no way to insist."""
    companion("new", "fallujah2004")
    companion("do", "buy", "buy=3/1", "at=north")
    refused = companion("do", "j5")

    assert refused.code == 1
    assert "no NetWar marker" in refused.err
    assert "--anyway" not in refused.err
    assert companion("do", "j5", "--anyway").code == 1


@pytest.mark.parametrize(("switch", "box"), [("returns", "reaction cup"), ("aside", "aside")])
def test_19_0_where_intel_goes_after_infowar(switch: str, box: str) -> None:
    """[19.0, 14.5] [22.0: infowar] Back into its cup as its event says, or by the switch aside like NetWar (ruling C-73)."""
    field = Field(intel_infowar=switch)
    field.put("available", "Intel", "NetWar")
    field.do("j5", "markers=2", dice=[2, 2])

    assert [field.went(name)[-1][1] for name in ("Intel", "NetWar")] == [box, "aside"]
