"""[28.0] Forward Operations Bases."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.fallujah2004.field import HARMLESS, Field

WON = (3, 3)


def test_28_1_an_fob_does_not_move() -> None:
    """[28.0] [28.1: never] It is not among the units that can form a force, nor can it be carried."""
    field = Field()
    field.put("3-9", "FOB 1", "HT 1", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", "fob=no", "move_on=no", draws=[HARMLESS], dice=[6, 1, 1, *WON])
    offered = next(request for request in field.asked if request.key == "force")

    assert "Joint FOB 1" not in [choice.value for choice in offered.choices]
    with pytest.raises(Illegal, match=r"an FOB does not move \[28.1\]"):
        field.do("j3", "force=FOB 1")


def test_28_1_with_nothing_but_an_fob_there_is_no_force() -> None:
    """[28.1: never] Nothing can move."""
    field = Field()
    field.put("3-9", "FOB 1")
    with pytest.raises(Illegal, match="no Coalition unit"):
        field.do("j3")


@pytest.mark.parametrize(("near", "total"), [("yes", "3+1 FOB+1 = 5"), ("no", "3+1 = 4")])
def test_28_2_next_to_an_fob(near: str, total: str) -> None:
    """[16.1(2)] [28.2: near] 1 more on the Edge where the FOB is adjacent, which only the board shows (C-22)."""
    field = Field()
    field.put("3-9", "3/1", "FOB 1")
    field.set(morale=0)
    field.j3("3/1", "3-10", f"fob={near}", "move_on=no", draws=[HARMLESS], dice=[1, 1, 1, *WON])

    assert field.says(total, "16.1(2)")


def test_28_2_in_the_space_itself() -> None:
    """[28.2: near] Nobody is asked; several FOBs add no more than 1."""
    field = Field()
    field.put("3-9", "3/1")
    field.put("3-10", "FOB 1")
    field.put("3-11", "FOB 2")
    field.node("3-10", "abandoned_position")
    field.set(morale=0)
    field.j3("3/1", "3-10", draws=[HARMLESS], dice=[1, 1, 1, *WON])

    assert field.says("3+1 FOB+1 = 5", "16.1(2)")


def test_28_2_without_an_fob_there_is_no_question() -> None:
    """[28.2: near] No FOB on the map, no question."""
    field = Field()
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", "move_on=no", draws=[HARMLESS], dice=[1, 1, 1, *WON])

    assert "fob" not in field.asked_for()


def test_28_2_known_neighbours_are_not_asked() -> None:
    """[28.2] A force that came from the FOB in one step is next to it; what was answered of another space is remembered."""
    # [28.2: near]
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1", "FOB 1")
    field.j3("3/1", "3-10", "move_on=no", draws=[HARMLESS], dice=[1, 1, 1, *WON])
    assert field.says("3+1 FOB+1 = 5", "16.1(2)")
    assert [request.forced_reply() for request in field.asked if request.key == "fob"] == [True]

    field.put("3-12", "3/5")
    field.j3("3/5", "3-11", "fob=no", "move_on=no", draws=[HARMLESS], dice=[1, 1, 1, *WON])
    field.put("3-12", "3/5", "1/8")
    field.j3("1/8", "3-11", "move_on=no", draws=[HARMLESS], dice=[1, 1, 1, *WON])
    assert [request.forced_reply() for request in field.asked if request.key == "fob"] == [False]
    assert field.says("3+1 = 4", "16.1(2)")
