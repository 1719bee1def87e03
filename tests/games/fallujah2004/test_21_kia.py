"""[21.0] The KIA index."""

from __future__ import annotations

import pytest

from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field

WON = (3, 3)


def fight(force: str, *opfor: str, dice: tuple[int, ...], answers: tuple[str, ...] = (), reduced: bool = False) -> Field:
    field = Field(facts={"stand:medium:urban": "break-off"})
    field.put("3-10", *force.split(", "))
    if reduced:
        field.reduce(*force.split(", "))
    field.set(morale=len(opfor) - 1)
    field.j3(force, "3-11", *answers, draws=opfor, dice=dice)
    return field


def test_21_1_up_for_each_opfor_unit() -> None:
    """[21.0] [21.1: eliminated] 1 for every unit, HVT and mobs among them."""
    field = fight(
        "3/1, 3/5, A Tank", "HVT 2(3)", "Militia 1(1)", "Mob Attack", dice=(1, 6, 1, 1, 1, 1, *WON), answers=("move_on=no",)
    )

    assert field.kia == 3


def test_21_1_units_that_break_off_are_not_killed() -> None:
    """[21.1: eliminated] Only the unit that fell counts."""
    field = fight("3/1", HARMLESS, HARMLESS, dice=(6, 1, 1, 6, *WON), answers=("move_on=no",))

    assert field.kia == 1


def test_21_1_nodes_do_not_count() -> None:
    """[21.1: nodes] A captured Node leaves the index alone."""
    field = Field()
    field.node("3-8", "c2")
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-8", draws=["Deception"])

    assert field.kia == 0


@pytest.mark.parametrize(
    ("force", "reduced", "rule"), [("3/1", False, "21.1(a)"), ("3/1", True, "21.1(b)"), ("SS", False, "21.1(c)")]
)
def test_21_1_down_for_each_strength_step(force: str, reduced: bool, rule: str) -> None:
    """[21.1(a): one] [21.1(b): one] [21.1(c): one] A unit reduced, a reduced unit eliminated, a unit of one
    strength step eliminated: 1 each.
    """
    # [4.2: flag]
    gone = reduced or force == "SS"
    answers = () if gone else ("continue=withdraw", "withdraw=all", "refuge=north base")
    field = fight(force, DEADLY, dice=(1, 6, 6) if gone else (1, 6, 6, 6), answers=answers, reduced=reduced)

    assert field.moved("kia") == [(-1, rule)]


def test_21_2_below_zero() -> None:
    """[21.2] KIA goes negative, and the banner shows the sign."""
    field = fight("SS", DEADLY, dice=(1, 6, 6))
    shown = {row.label: row.value for row in field.game.banner(field.position, field.options).fields}

    assert (field.kia, shown["KIA"]) == (-1, "-1")


def test_21_1_refit_gives_nothing_back() -> None:
    """[21.1] [18.3: kia] The index stays when a unit is whole again."""
    field = Field()
    field.put("north base", "3/1")
    field.reduce("3/1")
    field.set(kia=-1)
    field.do("j4", "kind=refit")

    assert field.kia == -1
