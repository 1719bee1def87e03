"""[24.0] Helicopters."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field

WON = (3, 3)


def flown(
    force: str,
    to: str,
    *answers: str,
    start: str = "north base",
    draws: tuple[str, ...] = ("Deception",),
    dice: tuple[int, ...] = (),
) -> Field:
    field = Field()
    field.set(morale=0)
    field.put(start, *force.split(", "))
    field.j3(force, to, *answers, draws=draws, dice=dice)
    return field


def test_24_1_any_distance_over_anything() -> None:
    """[24.0] [13.1: water] [24.1: stop] From a Base to the far side of the map, over Nodes, without a stop."""
    assert flown("HG 1", "3-6").place("HG 1") == "3-6"


def test_24_1_landing_draws_the_reaction() -> None:
    """[24.1, 24.7] A Node is revealed, counters are picked; staying in the air does not avoid it (ruling C-69)."""
    # [24.1: stop] [24.7: control]
    field = flown("HG 1", "3-8", draws=("C2", "Deception"))

    assert field.asked_for("draw") == ["node", "pick"]
    assert field.names_at("captured") == ["C2"]


def test_24_2_on_station() -> None:
    """[24.2] It stays over a space as long as the player likes: later operations leave it there."""
    field = flown("HG 1", "3-10")
    field.put("south base", "3/1")
    field.j3("3/1", "north base")

    assert field.place("HG 1") == "3-10"


def test_24_3_not_with_units_on_the_ground() -> None:
    """[24.3: apart] A gunship and infantry are no force; nor are two units with one transport."""
    with pytest.raises(Illegal, match="cannot move by air"):
        flown("HG 1, 3/1", "3-10")
    with pytest.raises(Illegal, match="room for 1"):
        flown("HT 1, 3/1, 1/8", "3-10")


def test_24_4_helicopters_fight_and_fall() -> None:
    """[24.4] They roll a die, and hits eliminate them."""
    field = flown("HG 1", "3-11", draws=(DEADLY,), dice=(1, 6, 6))
    assert (field.place("HG 1"), field.kia) == ("eliminated", -1)

    field = flown("HG 1", "3-11", "move_on=no", draws=(HARMLESS,), dice=(6, 1, 3, *WON))
    assert field.kia == 1


@pytest.mark.parametrize("rider", ["3/1", "SS", "1 CE", "4 MP", "1 FR", "1 BW"])
def test_24_5_transports_carry_light_units(rider: str) -> None:
    """[24.5, 4.2] Infantry, snipers, engineers, military police, SOF, of any Coalition nation but Iraq; they get off."""
    # [24.5: light]
    field = flown(f"HT 1, {rider}", "3-10")

    assert (field.place("HT 1"), field.place(rider)) == ("3-10", "3-10")


@pytest.mark.parametrize(
    ("rider", "why"),
    [("A Tank", "heavy"), ("2-7 Cav", "heavy"), ("1 AT", "heavy"), ("9 Arm", "heavy"), ("1 IG", "Iraqi"), ("36 Cdo", "Iraqi")],
)
def test_24_5_the_units_that_cannot_be_carried(rider: str, why: str) -> None:
    """[4.2] [24.5: light] Heavy units and Iraqi ones; armored engineers are heavy (ruling C-28)."""
    with pytest.raises(Illegal, match=why):
        flown(f"HT 1, {rider}", "3-10")


def test_24_5_riders_and_helicopter_start_together() -> None:
    """[8.3] [24.5: start] It picks them up where it begins."""
    field = Field()
    field.put("north base", "HT 1")
    field.put("south base", "3/1")
    with pytest.raises(Illegal, match="one space"):
        field.j3("HT 1, 3/1", "3-10")


def test_24_5_airmobile_movement_is_the_whole_movement() -> None:
    """[24.5: whole] A battle won does not let riders or helicopter go on."""
    field = flown("HT 1, 3/1", "3-10", draws=(HARMLESS,), dice=(6, 1, 1, 1, *WON))

    assert "move_on" not in field.asked_for()


def test_24_1_helicopters_alone_may_fly_on_after_a_win() -> None:
    """[24.1, 14.1] [24.5: whole] Their movement has no end (ruling C-64); where they land next they are met again."""
    field = flown(
        "HG 1", "3-10", "move_on=yes", "to=5-9", "move_on=no", draws=(HARMLESS, HARMLESS),
        dice=(6, 1, 1, *WON, 6, 1, 1, *WON),
    )  # fmt: skip

    assert (field.place("HG 1"), field.ops, field.kia) == ("5-9", 64, 2)


@pytest.mark.parametrize(
    ("force", "fits"),
    [
        ("HT 1, 3/1", True),
        ("HT 1, HT 2, 3/1, 1/8", True),
        ("HS 1, 1 FR", True),
        ("HS 1, 3/1", False),
        ("HS 1, 1 FR, 2 FR", False),
        ("HT 1, HS 1, 3/1, 1 FR", True),
        ("HT 1, HS 1, 1 FR, 2 FR", True),
        ("HT 1, HS 1, 3/1, 1/8", False),
        ("HT 1, HG 1, 3/1", True),
    ],
)
def test_24_6_capacity(force: str, fits: bool) -> None:
    """[24.5: stack] [24.6: each] A transport lifts one light unit of any size, a special operations helicopter one SOF unit."""
    if fits:
        assert flown(force, "3-10").place(force.rpartition(", ")[2]) == "3-10"
    else:
        with pytest.raises(Illegal, match="to carry"):
            flown(force, "3-10")


def test_24_5_stacking_limits_hold() -> None:
    """[8.2] [24.5: stack] Three helicopters do not land together."""
    with pytest.raises(Illegal, match="helicopters"):
        flown("HT 1, HT 2, HG 1", "3-10")


def test_24_7_no_control_from_the_air() -> None:
    """[24.7: control] Neither the space nor the MSR: only ground units hold (the count of 6.1 shows it)."""
    field = flown("HG 1", "3-8", draws=("Abandoned Position", "Deception"))

    items = {label: points for label, points, _ in field.game.score(field.position, field.options).items}

    assert items["Objective and Mosque spaces occupied"] == 0


def test_24_5_from_base_to_base_by_air() -> None:
    """[24.5] [13.4: transfer] No reaction in a Base."""
    field = flown("HT 1, 3/1", "west base", draws=())

    assert field.place("3/1") == "west base"
