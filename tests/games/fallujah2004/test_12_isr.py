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
    """[12.0] [12.1: reveal] [20.2(b): success] 1 and 2: no effect, said so."""
    field = ready()
    field.do("j2", "nodes=3-8", dice=[face])

    assert field.says(f"{face}, the Node stays concealed", "12.1")
    assert field.count("3-8", "concealed") == 1


@pytest.mark.parametrize("face", [3, 4, 5, 6])
def test_12_1_high_dice_reveal(face: int) -> None:
    """[20.2] [12.1: reveal] [20.2(b): success] A die of 3 to 6 reveals the Node, which is drawn or entered and stays revealed."""
    field = ready()
    field.do("j2", "nodes=3-8", dice=[face], draws=["Hostage House"])

    assert field.count("3-8", "concealed") == 0
    assert field.names_at("3-8") == ["Hostage House"]


def test_12_1_several_markers_on_one_node() -> None:
    """[12.1: several] One die a marker; what is revealed by the first is not revealed again."""
    field = ready()
    field.do("j2", "nodes=3-8, 3-8, 4-8", dice=[1, 5, 2], draws=["C2"])

    assert (field.count("3-8", "concealed"), field.count("4-8", "concealed")) == (0, 1)
    field = ready()
    field.do("j2", "nodes=3-8, 3-8", dice=[5, 5], draws=["C2"])
    assert field.says("nothing is concealed there any more", "12.1")


def test_12_2_markers_go_to_recruit_whatever_the_die() -> None:
    """[22.0] [12.2: whatever] Spent either way."""
    field = ready()
    field.do("j2", "nodes=3-8, 4-8", dice=[1, 6], draws=["C2"])

    assert field.count("available", "strike") == 1
    assert field.went("NetWar") == [("available", "recruit", "12.2")] * 2


def test_12_1_no_more_markers_than_there_are() -> None:
    """[12.1: all] One marker a die."""
    with pytest.raises(Unreadable, match="2 markers placed, 1 available"):
        ready("NetWar").do("j2", "nodes=3-8, 4-8")


def test_22_0_without_a_marker_there_is_no_isr() -> None:
    """[12.0, 22.0] Refused before an OP is spent."""
    field = Field()
    with pytest.raises(Illegal, match="no NetWar marker"):
        field.do("j2", "nodes=3-8")
    assert field.ops == 65


def test_12_1_only_where_a_node_lies() -> None:
    """[12.1: node] A space without a Node is no target."""
    with pytest.raises(Illegal, match="no Node lies at 3-9"):
        ready().do("j2", "nodes=3-9")


def test_14_4_isr_draws_no_reaction_and_no_effects_on_reveal() -> None:
    """[14.4, 20.1] A Node revealed by ISR does nothing: no picks, no morale check, no IED, then or later (C-11)."""
    # [14.4: wait] [20.2(b): success]
    field = ready()
    field.put("4-9", "3/1")
    field.do("j2", "nodes=3-8, 4-8", dice=[3, 3], draws=["Al Qaeda", "IED Factory"])
    assert field.asked_for("roll", "draw") == ["isr", "node", "node"]

    field.set(morale=0)
    field.j3("3/1", "4-8", draws=["Deception"])
    assert field.asked_for("roll") == []
    assert "IED Factory" in field.names_at("captured")


@pytest.mark.parametrize(("intel", "left"), [("yes", ["NetWar"]), ("no", ["Intel"])])
def test_22_0_which_marker_is_spent_is_asked_where_both_kinds_are_there(intel: str, left: list[str]) -> None:
    """[12.2, 14.5] [22.0: kinds] An Intel marker serves as NetWar; used, it is in the Reaction cup again."""
    field = ready("Intel", "NetWar")
    field.do("j2", "nodes=3-8", f"intel={intel}", dice=[1])

    assert field.names_at("available") == left
    gone = field.went("Intel") + field.went("NetWar")
    assert gone == [("available", *(("reaction cup", "14.5") if intel == "yes" else ("recruit", "12.2")))]


@pytest.mark.parametrize(("markers", "asked"), [(("Intel",), False), (("NetWar", "NetWar"), False), (("NetWar", "Intel"), True)])
def test_22_0_which_marker_is_not_asked_where_there_is_one_kind(markers: tuple[str, ...], asked: bool) -> None:
    """[22.0: kinds] In a battle, too."""
    field = ready(*markers)
    answers = ["intel=yes", "move_on=no"] if asked else ["move_on=no"]
    field.battle("3-9", "3/1", ["Militia 0(0)"], "netwar=yes", *answers, dice=[6, 1, 1, 3, 3], start="3-10")

    assert ("intel" in field.asked_for()) == asked
    assert "Intel" not in field.names_at("available")


def test_22_0_of_several_markers_so_many_are_intel() -> None:
    """[19.0, 22.0] With three of four committed at least one is a NetWar marker, and the player says how many."""
    field = ready("Intel", "Intel", "NetWar", "NetWar")
    field.do("j5", "markers=3", "intel=1", dice=[2, 2, 2])
    (request,) = [request for request in field.asked if request.key == "intel"]

    assert (request.low, request.high, request.suggest) == (1, 2, 2)  # type: ignore[attr-defined]
    assert field.names_at("available") == ["Intel"]
    assert field.names_at("aside") == ["NetWar", "NetWar"]


def test_12_1_a_revealed_node_needs_no_isr() -> None:
    """[12.1: node] Said before the marker and the OP are gone."""
    field = ready()
    field.node("3-8", "c2")
    with pytest.raises(Illegal, match="the Node at 3-8 Jolan lies face up already"):
        field.do("j2", "nodes=3-8")
    field.clear_map()
    with pytest.raises(Illegal, match="no concealed Node is on the map"):
        field.do("j2")


def test_12_1_the_chances_of_each_number_of_markers_stand_at_the_question() -> None:
    """[12.1] So many dice, of which one sees with 3 to 6."""
    field = ready()
    field.do("j2", "nodes=3-8", dice=[1])
    (request,) = [request for request in field.asked if request.key == "nodes"]
    assert request.odds is not None
    ((_, rows),) = request.odds().sections

    assert [label for label, _ in rows] == ["with 1 marker", "with 2 markers", "with 3 markers"]
    assert [chance for _, chance in rows] == pytest.approx([1 - (1 / 3) ** count for count in (1, 2, 3)])


def test_12_3_one_netwar_in_combat() -> None:
    """[12.3: one] [16.1(2c): may] One marker, and no more, adds 1 to the Edge, and is spent: 3+1+1 = 5 beats 0+4."""
    field = ready()
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", "netwar=yes", "move_on=no", draws=["Militia 0(0)"], dice=[1, 4, 1, 3, 3])

    assert field.says("3+1 NetWar+1 = 5", "16.1(2)")
    assert field.asked_for().count("netwar") == 1
    assert field.count("available", "strike") == 2


def test_12_3_it_costs_no_op_of_its_own() -> None:
    """[12.3: action] The J-3 is the only OP that is paid."""
    field = ready()
    field.battle("3-9", "3/1", ["Militia 0(0)"], "netwar=yes", "move_on=no", dice=[6, 1, 1, 3, 3], start="3-10")

    assert field.moved("ops") == [(-1, "8.1")]
