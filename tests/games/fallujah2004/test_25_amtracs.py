"""[25.0] Amtracs and river moves, and SOF on the water [27.3]."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.fallujah2004.field import HARMLESS, Field


def swum(
    force: str, to: str, *, start: str = "1-8", draws: tuple[str, ...] = ("Deception",), dice: tuple[int, ...] = ()
) -> Field:
    field = Field()
    field.set(morale=0)
    field.put(start, *force.split(", "))
    field.j3(force, f"water {to}", draws=draws, dice=dice)
    return field


def test_25_1_from_water_to_water() -> None:
    """[25.0] [13.1: water] [25.1: symbols] Any space with the water symbol to any other, past whatever would stop a move."""
    field = Field()
    field.conceal("1-7")
    field.set(morale=0)
    field.put("1-9", "1 AT")
    field.j3("1 AT", "water 1-6", draws=["Deception"])

    assert field.place("1 AT") == "1-6"


@pytest.mark.parametrize(("start", "to"), [("3-9", "1-9"), ("1-9", "3-9"), ("north base", "1-9")])
def test_25_1_both_ends_are_water(start: str, to: str) -> None:
    """[25.1: symbols] A space without the symbol is neither a beginning nor an end."""
    with pytest.raises(Illegal, match="no water symbol"):
        swum("1 AT", to, start=start)


def test_25_1_the_reaction_is_the_usual_one() -> None:
    """[25.1, 14.1(3)] Where it lands."""
    assert swum("1 AT", "1-9").asked_for("draw") == ["pick"]


def test_25_1_it_is_the_whole_movement() -> None:
    """[25.1: whole] No further movement after a win."""
    field = swum("1 AT", "1-9", draws=(HARMLESS,), dice=(6, 1, 1, 3, 3))

    assert "move_on" not in field.asked_for()


def test_25_1_a_water_move_is_not_the_rest_of_another() -> None:
    """[25.1: whole] A force that moved by ground and won cannot move by water in the same operation."""
    field = Field()
    field.set(morale=0)
    field.put("2-8", "1 AT")
    with pytest.raises(Illegal, match="whole movement"):
        field.j3("1 AT", "1-8", "move_on=yes", "to=water 1-6", draws=[HARMLESS], dice=[6, 1, 1, 3, 3])


def test_25_1_a_river_route_costs_one_point() -> None:
    """[25.1: river] Over the route of a blown bridge and two spaces more is a movement of 3, and no farther."""
    field = Field()
    field.set(morale=0)
    field.put("1-7", "Bridge Blown")
    field.put("1-8", "1 AT")
    with pytest.raises(Illegal, match="4 spaces"):
        field.j3("1 AT", "1-7 1-6 2-6 3-7")
    field.j3("1 AT", "1-7 1-6 2-6", draws=["Deception"])

    assert field.place("1 AT") == "2-6"


def test_25_1_amtracs_move_by_ground_as_well() -> None:
    """[25.1] Like any ground unit, and so they stop at Nodes."""
    field = Field()
    field.set(morale=0)
    field.put("2-8", "1 AT")
    field.j3("1 AT", "3-8 3-9", draws=["Abandoned Position", "Deception"])

    assert field.place("1 AT") == "3-8"


@pytest.mark.parametrize("rider", ["3/1", "SS", "1 CE", "1 FR", "1 IG"])
def test_25_2_an_amtrac_carries_a_light_unit(rider: str) -> None:
    """[25.2: each] One light unit of any size, set down at the end."""
    assert swum(f"1 AT, {rider}", "1-9").place(rider) == "1-9"


def test_25_2_capacity() -> None:
    """[25.2: each] One each, and no heavy unit."""
    with pytest.raises(Illegal, match="2 light units to carry, 1 Amtrac"):
        swum("1 AT, 3/1, SS", "1-9")
    with pytest.raises(Illegal, match="A Tank cannot be carried"):
        swum("1 AT, A Tank", "1-9")
    with pytest.raises(Illegal, match="0 Amtracs"):
        swum("3/1", "1-9")


def test_25_2_by_ground_the_load_moves_as_the_amtrac_does() -> None:
    """[25.2, 13.0] A slow battalion aboard a faster Amtrac covers three spaces; with one Amtrac a second one does not."""
    # [25.2: pace]
    field = Field()
    field.set(morale=0)
    field.put("2-9", "1 AT", "3/5")
    field.j3("1 AT, 3/5", "3-9 3-10 3-11", draws=["Deception"])
    assert field.place("3/5") == "3-11"

    field = Field()
    field.put("2-9", "1 AT", "3/5", "1 IG")
    with pytest.raises(Illegal, match="needs the MSR all the way"):
        field.j3("1 AT, 3/5, 1 IG", "3-9 3-10 3-11")


@pytest.mark.parametrize("kind", ["inf", "eng", "sof", "sniper", "mp"])
def test_25_2_every_light_type_rides_by_ground(kind: str) -> None:
    """[25.2, 4.2] A unit of each light type that is slower than its Amtrac covers as much as the Amtrac does."""
    field = Field(facts={"unit:USMC SS": f"USMC SS {kind} plt 1(4)1/flag"})
    field.set(morale=0)
    field.put("2-9", "1 AT", "SS")
    field.j3("1 AT, SS", "3-9 3-10 3-11", draws=["Deception"])

    assert field.place("SS") == "3-11"


@pytest.mark.parametrize("kind", ["armor", "recon", "mech"])
def test_25_2_no_heavy_type_rides_by_ground(kind: str) -> None:
    """[4.2] [25.2: pace] A heavy unit in the force slows it down."""
    field = Field(facts={"unit:USMC SS": f"USMC SS {kind} plt 1(4)1/flag"})
    field.put("2-9", "1 AT", "SS")
    with pytest.raises(Illegal, match="USMC SS moves 1"):
        field.j3("1 AT, SS", "3-9 3-10")


def test_25_2_rider_and_amtrac_start_together() -> None:
    """[8.3] [25.2: start] In one space."""
    field = Field()
    field.put("1-8", "1 AT")
    field.put("1-9", "3/1")
    with pytest.raises(Illegal, match="one space"):
        field.j3("1 AT, 3/1", "water 1-6")


def test_27_3_sof_swim_alone() -> None:
    """[27.3: carry] SOF make water moves as Amtracs do, but carry no unit."""
    assert swum("1 FR", "1-6").place("1 FR") == "1-6"
    with pytest.raises(Illegal, match="0 Amtracs"):
        swum("1 FR, SS", "1-6")


def test_27_3_sof_cross_a_blown_bridge() -> None:
    """[27.3] [13.3: swimmers] As Amtracs do."""
    field = Field()
    field.set(morale=0)
    field.put("1-7", "Bridge Blown")
    field.put("1-8", "1 FR")
    field.j3("1 FR", "1-7", draws=["Deception"])

    assert "river" not in field.asked_for()
