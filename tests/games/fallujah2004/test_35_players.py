"""[35.0] Several players."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field

WON = (3, 3)


def two() -> Field:
    field = Field(players="Anna, Ben")
    field.set(morale=0)
    return field


def test_35_0_a_single_player_is_not_asked() -> None:
    """[35.0: alone] One player: no question whose operation it is."""
    for players in ("", "Anna"):
        field = Field(players=players)
        field.put("north base", "3/1")
        field.j3("3/1", "south base")
        assert "player" not in field.asked_for()


def test_35_0_players_alternate_by_default() -> None:
    """[35.0: turns] Proposed is the next in turn, and after the last the first; the players may do otherwise."""
    field = two()
    field.put("north base", "3/1")
    proposed = []
    for answer in ("Anna", "Ben", "Ben", "Anna"):
        field.j3("3/1", "south base" if field.place("3/1") == "north base" else "north base", f"player={answer}")
        proposed.append(next(request.suggest for request in field.asked if request.key == "player"))

    assert proposed == ["Anna", "Ben", "Anna", "Anna"]


def test_35_0_three_take_turns_in_their_order() -> None:
    """[35.0] Anna, Ben, Carla, and Anna again."""
    field = Field(players="Anna, Ben, Carla")
    field.put("north base", "3/1")
    proposed = []
    for answer in ("Anna", "Ben", "Carla", "Anna"):
        field.j3("3/1", "south base" if field.place("3/1") == "north base" else "north base", f"player={answer}")
        proposed.append(next(request.suggest for request in field.asked if request.key == "player"))

    assert proposed == ["Anna", "Ben", "Carla", "Anna"]


def test_35_0_somebody_else_has_no_operation() -> None:
    """[35.0] Only the players of the session."""
    field = two()
    field.put("north base", "3/1")
    with pytest.raises(Unreadable):
        field.j3("3/1", "south base", "player=Carla")


def test_35_0_nodes_and_kia_by_player() -> None:
    """[35.0: share] Who captured how many Nodes, and the KIA of each one's operations, in the final count."""
    field = two()
    field.node("3-8", "c2")
    field.put("3-9", "3/1")
    field.j3("3/1", "3-8", "player=Anna", draws=[HARMLESS], dice=[6, 1, 1, *WON])
    field.put("3-9", "SS")
    field.j3("SS", "3-10", "player=Ben", draws=[DEADLY], dice=[1, 6, 6])
    field.clear_map()
    field.do("end", "msr=no", "held=0")

    assert field.says("Anna: Nodes captured 1, KIA 1", "35.0")
    assert field.says("Ben: Nodes captured 0, KIA -1", "35.0")


def test_35_0_a_player_without_points_has_zero() -> None:
    """[35.0] A player with KIA and no Node, or the other way round."""
    field = two()
    field.put("3-9", "SS")
    field.j3("SS", "3-10", "player=Ben", draws=[DEADLY], dice=[1, 6, 6])
    field.node("3-8", "c2")
    field.put("3-9", "3/1")
    field.j3("3/1", "3-8", "player=Anna", draws=["Deception"])

    notes = field.game.score(field.position, field.options).notes
    assert notes[-2:] == ("Anna: Nodes captured 1, KIA 0", "Ben: Nodes captured 0, KIA -1")


def test_35_0_every_operation_asks() -> None:
    """[35.0] J-1 to J-5 alike."""
    field = two()
    field.do("j1", "player=Anna", "buy=netwar")
    field.do("j5", "player=Ben", "markers=1", dice=[2])

    assert field.position.flag("player") == "Ben"
