"""[7.2] Melee."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.games.lzalbany.rules.r07_melee import Force, melee_pool
from tests.games.lzalbany.field import Field


def test_a_move_into_enemies_is_a_melee_at_once() -> None:
    """[7.2, 7.2(1), 7.2(2), 7.2(3), 7.1] Sums of melee strengths; both roll, whatever is hit."""
    # [7.1: six] [7.2: at_once]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33")

    field.go("ab27", "moves=d2 > e2", "first_hit=1/A", "retreat=none", dice=[6, 6, 6, 6, 1, 1, 6, 1, 1])

    assert field.says("Melee in e2: US 6 dice, NVA 3 dice. [7.2]")
    assert field.at("1/1/1/33") == "eliminated"
    assert field.hits("1/A/2-7") == 1
    assert field.says("The melee in e2 is over.")


def test_officers_add_a_die_to_one_unit_each() -> None:
    """[10.3, 7.2(1)] Two officers and one unit make one die more."""
    # [7.2(1): officers] [7.2(2): all] [10.3: one]
    field = Field()
    field.put("d2", "1/A/2-7", "co/A/2-7", "co/B/2-7")
    field.put("e2", "1/1/1/33", "co/1/1/33")

    field.go("ab27", "moves=d2 > e2", "retreat=none", "retreat=none", dice=[1] * 8)

    assert field.says("Melee in e2: US 4 dice, NVA 4 dice.")


@pytest.mark.parametrize(("strengths", "officers", "helped"), [((3,), 2, 1), ((2, 3, 1), 2, 2), ((2, 3), 2, 2), ((), 1, 0)])
def test_no_more_officers_count_than_there_are_units(strengths: tuple[int, ...], officers: int, helped: int) -> None:
    """[10.3] Each officer adds a die to one unit, in the sum and in its explanation."""
    # [7.2(1): officers] [10.3: one]
    pool = melee_pool(Field().referee.dice_rules, Force(strengths, officers, len(strengths)), 1, False)

    assert pool.dice == sum(strengths) + helped
    assert [line for line in pool.because if "officers" in line] == [f"+{helped} for officers [10.3]"] * (helped > 0)


def test_a_senior_officer_joins_only_on_request() -> None:
    """[5.2D, 10.3]"""
    field = Field()
    field.put("e2", "1/A/2-7", "McDade", "1/1/1/33")

    field.go("ab27", "senior=yes", "retreat=none", "retreat=none", dice=[1] * 7)
    assert field.says("US 4 dice")
    assert field.piece("McDade").marks == {"acts": 1}
    field.go("ab27", "senior=no", "retreat=none", "retreat=none", dice=[1] * 6)
    assert field.says("US 3 dice")


def test_which_side_places_each_hit() -> None:
    """[7.2(3b), 8.1] The enemy the first, officers included; the owner the rest; attackers not activated can be hit."""
    # [7.2(3b): first, unactivated] [8.1: owner]
    field = Field()
    field.put("e2", "1/A/2-7", "1/C/2-7", "1/1/1/33", "2/1/1/33", "co/1/1/33")

    field.go(
        "ab27",
        "first_hit=co/1/1/33",
        "hit=2/1/1",
        "first_hit=1/C",
        "retreat=none",
        "retreat=none",
        dice=[6, 6, 1, 6, 1, 1, 1, 1, 1, 1],
    )

    assert field.piece("co/1/1/33").face == "wounded"
    assert (field.hits("2/1/1/33"), field.hits("1/C/2-7"), field.hits("1/A/2-7")) == (1, 1, 0)


def test_7_2_3_both_sides_roll_before_hits_are_placed() -> None:
    """[7.2(3)] The defender's dice come of the strength before the hits, whether it is reduced or gone."""
    # [7.2(3): at_once]
    field = Field()
    field.put("e2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33", hits=3)

    field.go("ab27", "first_hit=1/A", dice=[6, 1, 1, 1, 1, 1, 6, 6], accept=True)

    assert field.at("1/1/1/33") == "eliminated"
    assert field.says("The NVA: 6 6, hits on 6. 2 HITS.")
    assert field.hits("1/A/2-7") + field.hits("2/A/2-7") == 2


def test_7_2_3_b_officers_take_a_first_hit_on_any_turn() -> None:
    """[7.2(3b)] Of either side, not only on turn 1, and unlike the first hit of fire."""
    # [7.2(3b): officers]
    field = Field(turn=5)
    field.put("e2", "1/A/2-7", "co/A/2-7", "1/1/1/33", "co/1/1/33")

    field.go("ab27", "first_hit=co/1/1/33", "first_hit=co/A", "retreat=none", "retreat=none", dice=[6, 1, 1, 1, 6, 1, 1, 1])

    assert [field.piece(name).face for name in ("co/A/2-7", "co/1/1/33")] == ["wounded", "wounded"]
    with pytest.raises(Illegal, match=r"cannot take this hit|is not there"):
        fire = Field(turn=5)
        fire.put("d2", "1/A/2-7")
        fire.put("e2", "1/1/1/33", "2/1/1/33", "co/1/1/33")
        fire.fire("ab27", "combat=d2", "target=e2", "first_hit=co/1/1/33", dice=[6, 1])


def test_friends_that_are_not_activated_add_nothing() -> None:
    """[7.2(1)] Ruling C-34."""
    # [7.2(1): activated]
    field = Field()
    field.put("e2", "1/A/2-7", "1/C/2-7", "1/1/1/33")

    field.go("ab27", "retreat=none", "retreat=none", dice=[1] * 6)

    assert field.says("Melee in e2: US 3 dice, NVA 3 dice.")


def test_retreats_defender_first() -> None:
    """[7.2(4), 7.2(5)] To adjacent areas without enemies."""
    # [7.2(4): may] [7.2(5): after] [7.2(6): disputed]
    field = Field()
    field.put("e2", "1/A/2-7", "1/1/1/33", "2/1/1/33")
    field.put("e1", "1/C/2-7")

    with pytest.raises(Illegal, match=r"enemies are in e1 \[7.2\(4\)\]"):
        field.go("ab27", "retreat=1/1/1 > e1", dice=[1] * 9)
    with pytest.raises(Illegal, match=r"g3 is not next to e2 \[7.2\(4\)\]"):
        field.go("ab27", "retreat=1/1/1 > g3", dice=[1] * 9)
    field.go("ab27", "retreat=1/1/1 > f1", "retreat=1/A > d2", dice=[1] * 9)
    assert [field.at(name) for name in ("1/1/1/33", "2/1/1/33", "1/A/2-7")] == ["f1", "e2", "d2"]
    assert field.says("The melee in e2 is over.")


def test_7_2_4_survivors_may_stay_or_go_to_several_areas() -> None:
    """[7.2(4), 7.2(5)] Retreat is optional, and survivors may go to different areas."""
    # [7.2(4): may]
    field = Field()
    field.put("e2", "1/A/2-7", "2/A/2-7", "1/1/1/33", "2/1/1/33", "3/1/1/33")

    field.go("33", "retreat=1/A > d2; 2/A > f2", dice=[1] * 15, accept=True)

    assert [field.at("1/A/2-7"), field.at("2/A/2-7")] == ["d2", "f2"]
    assert {field.at(f"{number}/1/1/33") for number in (1, 2, 3)} == {"e2"}


def test_6_2_c_artillery_does_not_retreat() -> None:
    """[6.2C, 7.2(5)] The platoon with it may leave LZ Columbus once the NVA is gone from it."""
    # [6.2C: stays]
    field = Field()
    field.put("columbus", "1/A/1-5", "1/Art")
    field.put("columbus", "1/1/1/33", hits=3)
    won = [6, 1, 1, 1, 1]

    with pytest.raises(Illegal, match=r"1/Art is artillery, which does not leave LZ Columbus \[6.2C\]"):
        field.go("ab15", "first_hit=1/A", "retreat=1/Art > g3", dice=won)
    field.go("ab15", "retreat=columbus > g3", dice=won)
    assert [field.at("1/A/1-5"), field.at("1/Art")] == ["g3", "columbus"]


def test_the_melee_goes_on_when_both_stay() -> None:
    """[7.2(6)] The next time that units there are activated."""
    # [7.2(6): disputed]
    field = Field()
    field.put("e2", "1/A/2-7", "1/1/1/33")

    field.go("ab27", "retreat=none", "retreat=none", dice=[1] * 6)
    assert field.says("e2 stays disputed: the melee goes on when units there are next activated. [7.2(6)]")
    field.fire("33", "combat=melee e2", "retreat=none", "retreat=none", dice=[1] * 6)
    assert field.says("Melee in e2: NVA 3 dice, US 3 dice.")


def test_no_melee_is_left_out_of_a_fire_activation() -> None:
    """[5.2A, 7.2] Ruling D-4."""
    # [5.2A: optional] [7.2: must]
    field = Field()
    field.put("e2", "1/A/2-7", "1/1/1/33")

    field.fire("ab27", "combat=done", "retreat=none", "retreat=none", dice=[1] * 6)

    assert field.says("Melee in e2")


def test_units_in_a_disputed_area_neither_fire_out_nor_walk_out() -> None:
    """[7.2A, 6.2] Ruling C-32."""
    # [7.2A: into] [7.3: undisputed]
    field = Field()
    field.put("e2", "1/A/2-7", "1/1/1/33")
    field.put("d1", "2/1/1/33")
    field.put("d2", "2/A/2-7")

    field.fire(
        "ab27",
        "combat=melee e2",
        "retreat=none",
        "retreat=none",
        "combat=d2",
        "target=e2",
        anyway=True,
        dice=[1] * 6 + [1] * 4,
        accept=True,
    )
    assert field.says("Recorded anyway: e2 is disputed, and nobody fires into it")
    with pytest.raises(Illegal, match=r"e2 is disputed, and nobody fires into it \[7.2A\]"):
        field.fire("ab27", "combat=d2", "target=e2")


def test_7_2_a_units_in_a_melee_do_not_fire_elsewhere() -> None:
    """[7.2A, 6.2] Neither infantry nor mortars; the same units fire once the area is undisputed. Nor do they walk out."""
    # [7.2: must] [7.2A: out] [7.3: undisputed]
    field = Field()
    field.put("e2", "1/A/2-7", "mtr/A/2-7", "co/A/2-7", "1/1/1/33")
    field.put("d1", "2/1/1/33")

    field.fire("ab27", "retreat=none", "retreat=none", dice=[1] * 8, accept=True)
    assert "combat" not in field.asked_for()
    with pytest.raises(Illegal, match=r"they are in melees and fight first \[7.2\]"):
        field.go("ab27", "moves=1/A > e3", dice=[1] * 8, accept=True)
    field.change("1/1/1/33", place="a5")
    field.fire("ab27", "combat=e2", "target=d1", "return=no", "combat=mortar e2", "target=d1", dice=[1] * 4)
    assert field.says("The US fires from e2 at d1 with 3 dice.")


def test_over_stacking_in_melee() -> None:
    """[6.1, 7.2(1)] Of four units two fight, the strongest; and the enemy has one die more."""
    # [6.1: fewer, massed]
    field = Field()
    field.put("e2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "4/A/2-7", "1/1/1/33")

    field.go("ab27", "retreat=none", "retreat=none", dice=[1] * 10)

    assert field.says("Melee in e2: US 6 dice, NVA 4 dice.")


@pytest.mark.parametrize(("stack", "firing", "extra"), [(3, 3, 0), (4, 2, 1), (5, 1, 2), (6, 0, 3), (7, 0, 4)])
def test_the_stacking_chart(stack: int, firing: int, extra: int) -> None:
    """[6.1] The dossier's T1, and the dice of a massed target."""
    # [6.1: fewer, massed]
    rules = Field().referee.dice_rules

    assert (rules.may_fire(stack), rules.massed_dice(stack)) == (firing, extra)


def test_over_stacking_by_the_letter() -> None:
    """[6.1] Ruling C-1 switched: one die less for each unit over three."""
    # [6.1: fewer]
    field = Field(over_stacking="dice")
    field.put("e2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "4/A/2-7", "1/1/1/33")

    field.go("ab27", "retreat=none", "retreat=none", dice=[1] * 14)

    assert field.says("Melee in e2: US 10 dice, NVA 4 dice.")


def test_artillery_alone_in_lz_columbus_does_not_answer() -> None:
    """[7.2B, 4.1B] And the first melee there scores two."""
    # [4.1B: columbus] [7.2B: alone]
    field = Field()
    field.put("columbus", "1/Art", "2/Art")
    field.put("transition", "1/1/1/33")

    field.go("33", "moves=1/1/1 > columbus", "retreat=none", "retreat=none", dice=[1, 1, 1])

    assert field.says("Melee in LZ Columbus: NVA 3 dice, US 0 dice.")
    assert field.track("nva_vp") == 2
    field.go("33", "retreat=none", "retreat=none", dice=[1, 1, 1])
    assert field.track("nva_vp") == 2


def test_7_2_b_artillery_with_infantry_answers() -> None:
    """[7.2B] With a platoon of 1-5 beside them the guns fight as all defenders do."""
    # [7.2(2): all] [7.2B: alone]
    field = Field()
    field.put("columbus", "1/Art", "1/A/1-5")
    field.put("transition", "1/1/1/33")

    field.go("33", "moves=1/1/1 > columbus", "retreat=none", dice=[1] * 7)

    assert field.says("Melee in LZ Columbus: NVA 3 dice, US 4 dice.")


def test_4_1_b_a_melee_that_the_us_begins_in_lz_columbus_scores_nothing() -> None:
    """[4.1B] The NVA scores when it begins the first one itself."""
    # [4.1B: columbus]
    field = Field()
    field.put("columbus", "1/A/1-5", "1/1/1/33")

    field.go("ab15", "retreat=none", dice=[1] * 6)
    assert field.track("nva_vp") == 0
    field.go("33", "retreat=none", dice=[1] * 6)
    assert field.track("nva_vp") == 2


def test_the_wounded_take_hits_only_with_others() -> None:
    """[8.2] A fifth hit destroys them (ruling D-9)."""
    field = Field()
    field.put("e2", "1/A/2-7", "1/1/1/33")
    marker = field.wounded("e2")

    field.go("33", f"first_hit={marker}", "retreat=none", "retreat=none", dice=[6, 1, 1, 1, 1, 1])

    assert field.at(marker) == "dead"
    assert field.track("nva_vp") == 2
