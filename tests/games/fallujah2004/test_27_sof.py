"""[27.0] SOF: infiltration."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.fallujah2004.field import Field


def infiltrated(force: str, *draws: str, dice: tuple[int, ...], path: str = "3-8 3-9", answers: tuple[str, ...] = ()) -> Field:
    field = Field()
    field.set(morale=0)
    field.put("2-8", *force.split(", "))
    field.j3(force, path, *answers, draws=draws, dice=dice)
    return field


@pytest.mark.parametrize("face", [1, 4])
def test_27_1_at_or_under_the_contact_passes(face: int) -> None:
    """[27.0] [27.1: equal] Contact 4: a 4 slips through, without a reaction in that space."""
    field = infiltrated("1 FR", "C2", "Deception", dice=(face,))

    assert field.place("1 FR") == "3-9"
    assert field.asked_for("draw", "roll") == ["node", "infiltrate", "pick"]


def test_27_1_over_the_contact_stops() -> None:
    """[14.1(2)] [27.1: equal] A 5 against contact 4: the force stops in the Node's space and meets the reaction."""
    field = infiltrated("1 FR", "C2", "Deception", dice=(5,))

    assert field.place("1 FR") == "3-8"
    assert field.names_at("captured") == ["C2"]


def test_27_1_the_node_is_revealed_the_moment_they_enter() -> None:
    """[20.2(c): enter] [27.1: reveal] Whether they pass or not; a Node passed has no effect (C-11)."""
    field = infiltrated("1 FR", "IED Factory", "Deception", dice=(2,))

    assert field.names_at("3-8") == ["IED Factory"]
    assert ("node cup", "3-8", "20.2(c)") in field.went("IED Factory")
    assert field.face("1 FR") == "front"


def test_27_1_a_failed_infiltration_is_an_ordinary_entry() -> None:
    """[20.1] [27.1: fails] What the Node does on reveal happens then (ruling C-11)."""
    field = infiltrated("1 FR", "IED Factory", dice=(6, 6))

    assert field.place("1 FR") == "eliminated"
    assert field.ops == 64


def test_27_1_a_node_passed_does_nothing_later_either() -> None:
    """[20.1] [27.1: reveal] Its effect on reveal is lost for good (ruling C-11)."""
    field = infiltrated("1 FR", "IED Factory", "Deception", dice=(2,))
    field.put("2-8", "3/1")
    field.j3("3/1", "3-8", draws=["Deception"])

    assert field.asked_for("roll") == []


def test_27_1_the_lowest_contact_of_the_force() -> None:
    """[27.1] One roll for the force (C-39): with contacts 4 and 3 a 4 is too much."""
    field = infiltrated("1 FR, 2 FR", "C2", "Deception", dice=(4,))

    assert (field.place("1 FR"), field.place("2 FR")) == ("3-8", "3-8")


def test_27_1_sof_alone() -> None:
    """[13.1] [27.1: alone] With others in the force there is no infiltration; they stop."""
    field = infiltrated("1 FR, SS", "C2", "Deception", dice=())

    assert field.place("1 FR") == "3-8"
    assert "infiltrate" not in field.asked_for()


def test_27_1_one_roll_a_node() -> None:
    """[27.1: each] Two Node spaces, two rolls."""
    field = Field()
    field.set(morale=0)
    field.put("2-8", "1 FR")
    field.j3("1 FR", "3-8 4-8 4-9", draws=["C2", "Strongpoint", "Deception"], dice=[1, 4])

    assert field.place("1 FR") == "4-9"


def test_27_1_points_to_leave_are_needed() -> None:
    """[27.1: points] No points to go on: no infiltration, the space is where the move ends."""
    field = infiltrated("1 FR", "C2", "Deception", dice=(), path="3-8")
    assert field.asked_for("roll") == []
    with pytest.raises(Illegal):
        infiltrated("1 FR", dice=(), path="2-9 3-9 3-8 4-8")


def test_27_1_a_space_without_room_cannot_be_infiltrated() -> None:
    """[27.1, 8.2] A Node under two companies: SOF that were noticed there would be a third (ruling C-74); under one of them
    they may try.
    """
    # [27.1: room]
    field = Field()
    field.set(morale=0)
    field.node("3-8", "c2")
    field.put("3-8", "A Tank", "B Tank")
    field.put("2-8", "1 FR")
    with pytest.raises(Illegal, match="3 companies and platoons, limit 2"):
        field.j3("1 FR", "3-8 3-9")
    field.put("3-12", "B Tank")
    field.j3("1 FR", "3-8 3-9", draws=["Deception"], dice=[4])

    assert field.place("1 FR") == "3-9"


def test_27_1_with_others_the_way_ends_at_the_node_and_so_does_stacking() -> None:
    """[27.1: alone] SOF with a battalion stop at the Node, so a full space behind it keeps them from nothing; SOF alone might
    come through, and are refused.
    """
    field = Field()
    field.set(morale=0)
    field.put("3-9", "A Tank", "B Tank")
    field.put("2-8", "1 FR", "3/1")
    with pytest.raises(Illegal, match="3 companies and platoons, limit 2"):
        field.j3("1 FR", "3-8 3-9")
    field.j3("1 FR, 3/1", "3-8 3-9", draws=["Abandoned Position", "Deception"])

    assert field.place("1 FR") == "3-8"


def test_27_1_not_by_air() -> None:
    """[24.5] [27.1: air] Airmobile movement cannot infiltrate: SOF that land on a Node have arrived."""
    field = Field()
    field.set(morale=0)
    field.put("north base", "HS 1", "1 FR")
    field.j3("HS 1, 1 FR", "3-8", draws=["C2", "Deception"])

    assert field.asked_for("roll") == []
    assert field.names_at("captured") == ["C2"]


def test_27_1_a_node_revealed_before_is_slipped_past_too() -> None:
    """[27.1] Nothing to turn up, the roll all the same."""
    field = Field()
    field.set(morale=0)
    field.node("3-8", "c2")
    field.put("2-8", "1 FR")
    field.j3("1 FR", "3-8 3-9", draws=["Deception"], dice=[4])

    assert field.place("1 FR") == "3-9"
