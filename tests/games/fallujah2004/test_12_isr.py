"""[12.0] J-2 ISR."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Unreadable
from tests.games.fallujah2004.field import Field


def ready(*markers: str) -> Field:
    field = Field()
    field.put("available", *(markers or ("NetWar", "NetWar", "NetWar")))
    return field


@pytest.mark.parametrize("face", [1, 2])
def test_12_1_low_dice_see_nothing(face: int) -> None:
    """[12.0, 12.1] 1 and 2: no effect, said so."""
    field = ready()
    field.do("j2", "nodes=3-8", dice=[face])

    assert field.says(f"{face}, no effect", "12.1")
    assert field.count("3-8", "concealed") == 1


@pytest.mark.parametrize("face", [3, 4, 5, 6])
def test_12_1_high_dice_reveal(face: int) -> None:
    """[12.1, 20.2, 20.2(b)] 3 to 6 turns the Node up; what it is, is drawn or told; it stays revealed."""
    field = ready()
    field.do("j2", "nodes=3-8", dice=[face], draws=["Hostage House"])

    assert field.count("3-8", "concealed") == 0
    assert field.names_at("3-8") == ["Hostage House"]


def test_12_1_several_markers_on_one_node() -> None:
    """[12.1] One die a marker; what is revealed by the first is not revealed again."""
    field = ready()
    field.do("j2", "nodes=3-8, 3-8, 4-8", dice=[1, 5, 2], draws=["C2"])

    assert (field.count("3-8", "concealed"), field.count("4-8", "concealed")) == (0, 1)
    field = ready()
    field.do("j2", "nodes=3-8, 3-8", dice=[5, 5], draws=["C2"])
    assert field.says("nothing is concealed there any more", "12.1")


def test_12_2_markers_go_to_recruit_whatever_the_die() -> None:
    """[12.2, 22.0] Spent either way."""
    field = ready()
    field.do("j2", "nodes=3-8, 4-8", dice=[1, 6], draws=["C2"])

    assert field.count("available", "strike") == 1
    assert field.went("NetWar") == [("available", "recruit", "12.2")] * 2


def test_12_1_no_more_markers_than_there_are() -> None:
    """[12.1] One marker a die."""
    with pytest.raises(Unreadable, match="2 markers placed, 1 available"):
        ready("NetWar").do("j2", "nodes=3-8, 4-8")


def test_22_0_without_a_marker_there_is_no_isr() -> None:
    """[12.0, 22.0] Refused before an OP is spent."""
    field = Field()
    with pytest.raises(Illegal, match="no NetWar marker"):
        field.do("j2", "nodes=3-8")
    assert field.ops == 65


def test_12_1_only_where_a_node_lies() -> None:
    """[12.1] A space without a Node is no target."""
    with pytest.raises(Illegal, match="no Node lies at 3-9"):
        ready().do("j2", "nodes=3-9")


def test_14_4_isr_draws_no_reaction_and_no_effects_on_reveal() -> None:
    """[14.4, 20.1] A Node revealed by ISR does nothing: no picks, no morale check, no IED, then or later (C-11)."""
    field = ready()
    field.put("4-9", "3/1")
    field.do("j2", "nodes=3-8, 4-8", dice=[3, 3], draws=["Al Qaeda", "IED Factory"])
    assert field.asked_for("roll", "draw") == ["isr", "node", "node"]

    field.set(morale=0)
    field.j3("3/1", "4-8", draws=["Deception"])
    assert field.asked_for("roll") == []
    assert "IED Factory" in field.names_at("captured")


def test_22_0_intel_is_spent_first_and_returns_to_its_cup() -> None:
    """[12.2, 22.0, 14.5] An Intel marker serves as NetWar; used, it is in the Reaction cup again."""
    field = ready("Intel", "NetWar")
    field.do("j2", "nodes=3-8", dice=[1])

    assert field.names_at("available") == ["NetWar"]
    assert field.went("Intel") == [("available", "reaction cup", "12.2")]


def test_12_3_one_netwar_in_combat() -> None:
    """[12.3, 16.1(2c)] One marker, and no more, adds 1 to the Edge, and is spent: 3+1+1 = 5 beats 0+4."""
    field = ready()
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", "netwar=yes", "move_on=no", draws=["Militia 0(0)"], dice=[1, 4, 1, 3, 3])

    assert field.says("3+1 NetWar+1 = 5", "16.1(2)")
    assert field.asked_for().count("netwar") == 1
    assert field.count("available", "strike") == 2
