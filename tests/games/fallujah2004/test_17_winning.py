"""[17.0] After a battle, and capturing Nodes [20.3]."""

from __future__ import annotations

import pytest

from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field

WON = (3, 3)


def captured(kind: str, *draws: str, force: str = "3/1", dice: tuple[int, ...] = ()) -> Field:
    """A force enters a space with a revealed Node; morale picks as many counters as are named."""
    field = Field()
    field.put("3-9", *force.split(", "))
    field.node("3-8", kind)
    extra = kind == "arms_cache"
    field.set(morale=len(draws) - 1 - extra)
    field.j3(force, "3-8", draws=draws, dice=dice)
    return field


@pytest.mark.parametrize(
    ("kind", "ops"),
    [("abandoned_position", 0), ("al_qaeda", 2), ("c2", 3), ("hostage_house", 0), ("ied_factory", 2), ("strongpoint", 0)],
)
def test_20_3_a_capture_brings_its_ops(kind: str, ops: int) -> None:
    """[20.3] [10.1(4): won] [17.0: won] A battle won captures the Node, with the OPs of the table."""
    field = captured(kind, HARMLESS, force="3/1, 3/5", dice=(6, 1, 1, 1, *WON))

    assert field.count("captured", "node") == 1
    assert field.count("3-8", "node") == 0
    assert field.ops == 64 + ops
    assert field.kia == 1


def test_20_3_an_arms_cache_brings_1() -> None:
    """[20.3, 20.1] 1 OP; its extra pick came before."""
    assert captured("arms_cache", "Deception", "Deception").ops == 64 + 1


def test_10_1_4_an_undefended_node_is_captured_without_a_battle() -> None:
    """[17.0] [10.1(4): unopposed] With no OPFOR unit among the picks the Node falls, with its OPs, but without a leader check
    (ruling C-1).
    """
    field = captured("c2", "Deception")

    assert (field.names_at("captured"), field.ops) == (["C2"], 67)
    assert "leader_check" not in field.asked_for()
    assert field.says("you capture it without a battle", "10.1(4)")


def test_17_0_break_off_is_a_win() -> None:
    """[17.0: won] OPFOR that breaks off leaves the Node behind."""
    field = Field(facts={"stand:low:mosque": "break-off"})
    field.put("3-9", "3/1")
    field.node("3-8", "c2")
    field.set(morale=0)
    field.j3("3/1", "3-8", draws=[HARMLESS], dice=[6, 1, 6, 6, *WON])

    assert field.names_at("captured") == ["C2"]


@pytest.mark.parametrize(
    ("kind", "ops"),
    [("abandoned_position", 0), ("al_qaeda", 2), ("c2", 3), ("hostage_house", 0), ("ied_factory", 2), ("strongpoint", 0)],
)
def test_17_0_a_lost_battle_costs_its_ops(kind: str, ops: int) -> None:
    """[17.0, 20.3] The Node stays, face up, and the OPs of the table are lost; a Hostage House costs nothing (C-41)."""
    # [10.1(4): won] [17.0: lost] [20.3: won]
    field = captured(kind, DEADLY, force="SS", dice=(1, 6, 6))

    assert field.names_at("captured") == []
    assert field.count("3-8", "node") == 1
    assert field.ops == 64 - ops
    assert field.names_at("reaction cup").count(DEADLY) == 8


def test_17_0_an_arms_cache_costs_1() -> None:
    """[17.0] 1 OP for a battle lost there."""
    assert captured("arms_cache", DEADLY, "Deception", force="SS", dice=(1, 6, 6)).ops == 64 - 1


def test_17_0_every_lost_battle_counts_withdrawal_too() -> None:
    """[16.7] [17.0: lost] Each time, withdrawing included (ruling C-42)."""
    field = Field()
    field.put("3-9", "3/1")
    field.node("3-8", "c2")
    field.set(morale=0)
    for _ in range(2):
        field.j3("3/1", "3-8", "continue=withdraw", "withdraw=all", "refuge=north base", draws=[HARMLESS], dice=[6, 1, 6, 6])
        field.put("3-9", "3/1")

    assert field.ops == 65 - 2 - 6
    assert field.kia == 0


def test_17_0_ops_lost_may_end_the_game() -> None:
    """[17.0, 8.1(a)] A lost battle that takes OPs to zero ends the game when the operation is complete."""
    field = Field()
    field.put("3-9", "SS")
    field.node("3-8", "c2")
    field.set(morale=0, ops=3)
    field.j3("SS", "3-8", "msr=no", "held=0", draws=[DEADLY], dice=[1, 6, 6])

    assert field.ops == -1
    assert field.game.over(field.position)


def test_10_1_4_no_further_movement_after_a_capture() -> None:
    """[10.1(4): further] The force has points left, but captured a Node (ruling C-37)."""
    field = captured("abandoned_position", HARMLESS, dice=(6, 1, 1, *WON))

    assert "move_on" not in field.asked_for()


def test_17_0_the_leader_check_comes_after_the_capture() -> None:
    """[29.1] [17.0: leader] First the Node, then the check."""
    field = captured("c2", HARMLESS, dice=(6, 1, 1, *WON))
    lines = field.said

    assert lines.index(next(line for line in lines if "Leader check" in line)) == len(lines) - 1
    assert [rule for _, rule in field.moved("ops")] == ["8.1", "20.3"]


def test_20_3_helicopters_capture_too() -> None:
    """[20.3: won] A Coalition unit in the space and a battle won: a gunship will do."""
    field = Field()
    field.put("north base", "HG 1")
    field.node("3-8", "c2")
    field.set(morale=0)
    field.j3("HG 1", "3-8", draws=[HARMLESS], dice=[6, 1, 1, *WON])

    assert field.names_at("captured") == ["C2"]


def test_20_3_all_nodes_of_the_space_are_captured() -> None:
    """[20.3] [17.0: won] Two Nodes in one space go together."""
    field = Field()
    field.put("3-9", "3/1")
    field.node("3-10", "c2")
    field.node("3-10", "ied_factory")
    field.set(morale=0)
    field.j3("3/1", "3-10", draws=["Deception"])

    assert field.names_at("captured") == ["C2", "IED Factory"]
    assert field.ops == 64 + 3 + 2
