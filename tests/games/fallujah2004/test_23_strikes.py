"""[23.0] Fire Support strikes and Collateral Damage."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field

WON = (3, 3)


def supported(
    *strikes: str,
    commit: str = "all",
    dice: tuple[int, ...],
    to: str = "3-11",
    scenario: str = "vigilant_resolve",
    answers: tuple[str, ...] = (),
    opfor: str = HARMLESS,
    force: str = "3/1",
    **options: str,
) -> Field:
    """A battle with strikes in the Available box."""
    field = Field(scenario, **options)
    field.node("3-8", "abandoned_position")
    field.node("4-8", "abandoned_position")
    field.put("available", *strikes)
    field.put("3-9", force)
    field.set(morale=0, ops=65)
    field.j3(force, to, f"strikes={commit}", *answers, draws=[opfor], dice=dice)
    return field


def test_23_2_any_number_may_be_committed() -> None:
    """[23.0] [16.1(3a): any] [16.1(3d): used] [23.2: free] Some, all or none of those available, at no further OP."""
    field = supported(
        "Air Strike (3)", "Artillery Strike (2)", commit="air", dice=(6, 1, 6, 3, *WON), to="3-10", answers=("move_on=no",)
    )

    assert field.ops == 64
    assert field.kia == 1
    assert field.names_at("available") == ["Artillery Strike (2)"]


def test_23_2_two_of_a_kind() -> None:
    """[23.2] Like strikes are named by number."""
    field = supported(
        "Air Strike (3)", "Air Strike (3)", commit="2 air", dice=(6, 1, 6, 6, 3, *WON), to="3-10", answers=("move_on=no",)
    )

    assert field.kia == 1


@pytest.mark.parametrize(
    ("strike", "face", "hit"), [("Artillery Strike (2)", 2, 1), ("Artillery Strike (2)", 3, 0), ("SOA Airstrike (4)", 4, 1)]
)
def test_23_2_strikes_fire_like_units(strike: str, face: int, hit: int) -> None:
    """[23.2, 16.2, 23.4] A die at or under the printed firepower."""
    answers = ("move_on=no",) if hit else ("continue=withdraw", "withdraw=all", "refuge=north base")
    field = supported(strike, dice=(6, 1, 6, face, *(WON if hit else (6,))), to="3-10", answers=answers)

    assert field.kia == hit


def test_23_3_strikes_cannot_be_hit() -> None:
    """[23.3: never] Hits go to units only: with one unit in the force there is no question."""
    field = supported(
        "Air Strike (3)", dice=(1, 6, 6, 6, 6), opfor=DEADLY, answers=("continue=withdraw", "withdraw=all", "refuge=north base")
    )

    assert field.face("3/1") == "reduced"
    assert "hit" not in field.asked_for()


def test_23_1_strikes_are_spent_even_if_no_unit_is_left_to_support() -> None:
    """[16.1(5)] [23.1: wasted] OPFOR has the Edge and eliminates the force: the strikes do not fire, and are spent (C-58)."""
    field = supported("Air Strike (3)", dice=(1, 6, 6), opfor=DEADLY, force="SS")

    assert "fire" not in field.asked_for()
    assert field.went("Air Strike (3)") == [("available", "recruit", "23.1")]


def test_23_1_a_strike_is_bought_anew() -> None:
    """[23.1: round] After its round it is in Recruit, where it can be bought again."""
    field = supported("SOA Airstrike (4)", dice=(6, 1, 1, 6, *WON), to="3-10", answers=("move_on=no",))
    field.do("j1", "buy=soa")

    assert field.names_at("available") == ["SOA Airstrike (4)"]


def test_23_0_no_strike_on_its_own() -> None:
    """[23.0: alone] There is no action by which strikes attack alone, but for the option 33.0."""
    field = Field()
    field.put("available", "Air Strike (3)")
    interdict = next(action for action in field.game.actions if action.id == "interdict")

    assert interdict.obstacle(field.position) is not None


def test_23_4_a_soa_costs_more() -> None:
    """[23.4(a)] 1 OP against 1/2."""
    chart = Field().game.tables.charts["strike_cost"]

    assert (chart.text("soa", "cost"), chart.text("air", "cost")) == ("1", "1/2")


@pytest.mark.parametrize(
    ("scenario", "space", "lost"),
    [
        ("vigilant_resolve", "3-10", 0),
        ("vigilant_resolve", "3-11", 1),
        ("vigilant_resolve", "4-8", 1),
        ("vigilant_resolve", "3-8", 1),
        ("phantom_fury", "3-10", 0),
        ("phantom_fury", "3-11", 0),
        ("phantom_fury", "4-8", 1),
        ("phantom_fury", "3-8", 1),
    ],
)
def test_23_5_where_a_6_costs_an_op(scenario: str, space: str, lost: int) -> None:
    """[23.5: where] Scenario 1: Mosque, Objective and Urban; scenario 2: Mosque and Objective; never in the open."""
    path = "4-9 4-8" if space == "4-8" else "3-10 3-11" if space == "3-11" else space
    answers = () if space in ("3-8", "4-8") else ("move_on=no",)
    field = supported("Air Strike (3)", dice=(6, 1, 1, 6, *WON), to=path, scenario=scenario, answers=answers)

    assert field.ops == 64 - lost


def test_23_5_each_6_counts() -> None:
    """[23.5: where] Two dice of 6, two OPs."""
    field = supported("Air Strike (3)", "Artillery Strike (2)", dice=(6, 1, 1, 6, 6, *WON), to="3-8")

    assert field.moved("ops") == [(-1, "8.1"), (-2, "23.5")]


def test_23_5_only_strikes_do_it() -> None:
    """[14.5: civilians] [23.5: strikes] A unit's 6 is a miss and no more."""
    field = supported("Air Strike (3)", dice=(6, 1, 6, 1, *WON), to="3-8")

    assert field.ops == 64


def test_23_5_a_6_may_hit_as_well() -> None:
    """[16.2] [23.5: hit] With firepower 6 it is both (ruling C-48)."""
    field = supported("Air Strike (6)", dice=(6, 1, 6, 6, *WON), to="3-8")

    assert (field.kia, field.ops) == (1, 63)


def test_23_4_b_soa_is_clean() -> None:
    """[23.4(b): never] Special operations air never causes Collateral Damage, Civilians or not (C-27)."""
    field = supported("SOA Airstrike (4)", dice=(6, 1, 1, 6, *WON), to="3-8")
    assert field.ops == 64

    field = Field()
    field.node("3-8", "abandoned_position")
    field.put("available", "SOA Airstrike (4)")
    field.put("3-9", "3/1")
    field.set(morale=1)
    field.j3("3/1", "3-8", "strikes=all", draws=["Civilians", HARMLESS], dice=[6, 1, 1, 6, *WON])
    assert field.ops == 64


def test_23_5_collateral_may_end_the_game_but_not_the_battle() -> None:
    """[23.5, 8.1(a)] OPs at zero by Collateral Damage: the operation is finished first (ruling C-4)."""
    field = Field()
    field.node("3-8", "abandoned_position")
    field.put("available", "Air Strike (3)")
    field.put("3-9", "3/1")
    field.set(morale=0, ops=2)
    field.j3("3/1", "3-8", "strikes=all", "msr=no", "held=1", draws=[HARMLESS], dice=[6, 1, 1, 6, *WON])

    assert (field.ops, field.kia) == (0, 1)
    assert field.game.over(field.position)


def test_23_2_strikes_that_are_not_available_cannot_be_committed() -> None:
    """[23.1] [16.1(3a): any] [23.2: free] Only strikes in the Available box are offered."""
    with pytest.raises(Unreadable):
        supported("Air Strike (3)", commit="artillery", dice=(6, 1))
