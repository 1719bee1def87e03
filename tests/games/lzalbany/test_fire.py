"""[7.3, 7.4] Ranged fire of infantry and mortars."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Impossible
from companion.games.lzalbany.rules.r07_melee import Force, fire_pools, unit_dice
from tests.games.lzalbany.field import Field


def test_fire_from_one_area_at_an_adjacent_one() -> None:
    """[7.3, 7.3(1), 7.3(2)] All activated infantry of the area; mortars apart."""
    # [7.3: adjacent] [7.3(1): activated] [7.3(5): may]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "mtr/A/2-7")
    field.put("e2", "1/1/1/33")

    field.fire("ab27", "combat=d2", "target=e2", "return=no", "combat=done", dice=[1, 1, 1, 1])

    assert field.says("The US fires from d2 at e2 with 4 dice.")
    with pytest.raises(Illegal, match=r"c1 is not next to d2 \[7.3\]"):
        field.put("c1", "2/1/1/33")
        field.fire("ab27", "combat=d2", "target=c1")


def test_7_3_areas_do_not_fire_together() -> None:
    """[7.3, 7.3(1)] Two areas next to one target make two combats; each is answered for itself."""
    # [7.3: apart]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e3", "3/A/2-7")
    field.put("e2", "1/1/1/33")
    first, second = ("combat=d2", "target=e2", "return=yes"), ("combat=e3", "target=e2", "return=no")

    field.fire("ab27", *first, *second, dice=[1] * 8)

    assert field.says("The US fires from d2 at e2 with 4 dice.") and field.says("The US fires from e3 at e2 with 2 dice.")
    assert field.says("The NVA fires from e2 at d2 with 2 dice.")


def test_7_3_2_officers_of_the_group_help_an_attack_and_any_officer_an_answer() -> None:
    """[7.3(2), 7.3(5), 10.3] Another group's officer is not activated; in return fire each officer there adds a die."""
    # [7.3(2): officers] [7.3(5): officers]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "co/C/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")

    field.fire("ab27", "combat=d2", "target=e2", "return=no", dice=[1] * 4)
    assert field.says("The US fires from d2 at e2 with 4 dice.")
    field.fire("33", "combat=e2", "target=d2", "return=yes", dice=[1] * 9)
    assert field.says("The US fires from d2 at e2 with 5 dice.")


def test_jungle_costs_each_unit_a_die() -> None:
    """[7.3(3)] Into jungle; none below zero."""
    # [7.3(3): jungle]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("d3", "1/1/1/33")

    field.fire("ab27", "combat=d2", "target=d3", "return=yes", dice=[1, 1, 1, 1])

    assert field.says("The US fires from d2 at d3 with 2 dice.")
    assert field.says("The NVA fires from d3 at d2 with 2 dice.")
    assert [pool.dice for pool in fire_pools(field.referee.dice_rules, Force((1, 1)), [(1, True, False)], ())] == [0]


def test_the_dice_are_divided_over_several_areas() -> None:
    """[7.3(2), 7.3(3)] Six dice, four at the open, the rest into jungle: one unit, one die less."""
    # [7.3(2): divided] [7.3(3): jungle]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7")
    field.put("e2", "1/1/1/33")
    field.put("d3", "2/1/1/33")

    with pytest.raises(Illegal, match=r"7 dice at e2, and there are 6 \[7.3\(2\)\]"):
        field.fire("ab27", "combat=d2", "target=e2, d3", "dice=7")
    field.fire("ab27", "combat=d2", "target=e2, d3", "dice=4", "return=no", "return=no", dice=[6, 6, 1, 1, 6])
    assert (field.hits("1/1/1/33"), field.hits("2/1/1/33")) == (2, 1)


def test_the_firer_places_the_first_hit_in_the_primary_area_only() -> None:
    """[7.3(4)] All others are the owner's."""
    # [7.3(4): first]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.put("d1", "3/1/1/33", "1/HQ/1/33")

    field.fire(
        "ab27",
        "combat=d2",
        "target=e2, d1",
        "dice=3",
        "first_hit=1/1/1",
        "hit=2/1/1",
        "hit=1/HQ",
        "return=no",
        "return=no",
        dice=[6, 6, 1, 6, 1, 1],
    )

    assert [field.hits(name) for name in ("1/1/1/33", "2/1/1/33", "3/1/1/33", "1/HQ/1/33")] == [1, 1, 0, 1]


def test_7_3_5_the_side_that_returns_fire_places_the_first_hit_only() -> None:
    """[7.3(5)] The firer places hits of return fire; each target area returns fire separately."""
    # [7.3(5): first]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.put("d1", "3/1/1/33")
    answers = ("return=yes", "first_hit=1/A", "hit=3/A", "return=yes", "first_hit=2/A")

    field.fire("ab27", "combat=d2", "target=e2, d1", "dice=3", *answers, dice=[1] * 6 + [6, 6, 1, 1] + [6, 1])

    assert [field.hits(f"{number}/A/2-7") for number in (1, 2, 3)] == [1, 1, 1]


def test_officers_are_aimed_at_on_turn_one_only() -> None:
    """[7.3(4), 10.4]"""
    # [7.3(4): officers]
    for turn, offered in ((1, True), (2, False)):
        field = Field(turn=turn, fire_casualties="off")
        field.put("d2", "1/1/1/33")
        field.put("e2", "1/A/2-7", "2/A/2-7", "co/A/2-7")
        field.fire("33", "combat=d2", "target=e2", "return=no", dice=[6, 1], accept=True)
        names = [choice.value for request in field.asked if request.key == "first_hit" for choice in request.legal_choices()]
        assert ("co/A/2-7" in names) == offered


def test_7_3_4_an_officer_alone_is_a_target_on_turn_one_only() -> None:
    """[7.3(1), 7.3(4)] Fire is at opposing units; alone in an area he can be aimed at on turn 1, and later is no target."""
    # [7.3(4): officers]
    field = Field(turn=1)
    field.put("d2", "1/1/1/33")
    field.put("e2", "co/A/2-7")
    field.fire("33", "combat=d2", "target=e2", "advance=none", dice=[6, 1, 1])
    assert field.piece("co/A/2-7").face == "wounded"

    field = Field(turn=2)
    field.put("d2", "1/1/1/33")
    field.put("e2", "co/A/2-7")
    field.fire("33")
    assert "combat" not in field.asked_for()
    field.put("e3", "1/A/2-7")
    with pytest.raises(Illegal, match=r"only officers are in e2; they are aimed at on turn 1 \[7.3\(4\)\]"):
        field.fire("33", "combat=d2", "target=e2", dice=[6, 6])
    field.fire("33", "combat=d2", "target=e2", "advance=none", anyway=True, dice=[6, 6, 5])
    assert field.says("2 hits too many: no counter is left to take more.")


def test_7_3_4_an_officer_alone_in_a_further_area_takes_the_hits_that_his_owner_places() -> None:
    """[7.3(4)] On turn 1, if no other counter can take them (ruling C-58); later he takes none."""
    for turn, face in ((1, "wounded"), (2, "front")):
        field = Field(turn=turn, fire_casualties="off", answer_fire="always")
        field.put("d2", "1/1/1/33")
        field.put("e2", "1/A/2-7")
        field.put("e3", "co/A/2-7")
        field.fire("33", "combat=d2", "target=e2, e3", "dice=1", dice=[1, 6, 1, 1], accept=True, anyway=turn > 1)
        assert field.piece("co/A/2-7").face == face


def test_7_3_1_an_area_with_own_platoons_is_no_target() -> None:
    """[7.2A] Refused with an enemy officer there too; without the platoon, and with an enemy one, it is a target."""
    field = Field(turn=1)
    field.put("d2", "1/1/1/33")
    field.put("d1", "1/A/2-7")
    field.put("e2", "2/1/1/33", "co/A/2-7")
    with pytest.raises(Illegal, match=r"the NVA itself has units in e2 \[7.3\(1\)\]"):
        field.fire("33", "combat=d2", "target=e2")
    field.put("e3", "2/1/1/33")
    field.fire("33", "combat=d2", "target=e2", "advance=none", "combat=done", dice=[1, 1])
    assert field.says("NVA fires from d2 at e2")


def test_return_fire_is_by_the_survivors() -> None:
    """[7.3(5)] After the hits on them; a reduced unit answers with its reduced strength."""
    # [7.3(5): survivors]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7")
    field.put("e2", "1/1/1/33", hits=2)

    field.fire("ab27", "combat=d2", "target=e2", "return=yes", "first_hit=1/A", dice=[6, 1, 1, 1, 1, 1, 6])

    assert field.hits("1/1/1/33") == 3
    assert field.says("The NVA fires from e2 at d2 with 1 die.")
    assert field.hits("1/A/2-7") == 1


def test_7_3_5_no_return_fire_at_an_area_whose_last_platoon_has_gone() -> None:
    """[7.3(5), 7.3(4)] The second target area does not fire at an officer who is left alone, except on turn 1."""
    # [7.3(5): alone]
    for turn, answers, dice in ((3, 1, [1, 1, 6, 1, 1, 1, 1]), (1, 2, [1, 1, 6, 1, 1, 1, 1, 1, 1, 1, 1])):
        field = Field(turn=turn)
        field.put("b3", "co/A/2-7")
        field.put("b3", "1/A/2-7", hits=3)
        field.put("b4", "1/6/8/66", "2/6/8/66")
        field.put("c4", "1/7/8/66", "2/7/8/66")

        more = ["first_hit=1/A/2-7"] if turn == 1 else []
        field.fire("ab27", "combat=b3", "target=b4, c4", "dice=1", *["return=yes"] * answers, *more, dice=dice)

        assert sum(line.startswith("The NVA fires from") for line in field.said) == answers


def test_an_empty_primary_area_may_be_entered() -> None:
    """[7.3(6)] By firing units; it is no movement."""
    # [7.3(6): may]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33", hits=3)

    field.fire("ab27", "combat=d2", "target=e2", "advance=1/A", dice=[6, 1, 1, 1])

    assert field.at("1/1/1/33") == "eliminated"
    assert [field.at("1/A/2-7"), field.at("2/A/2-7")] == ["e2", "d2"]


def test_7_3_6_only_the_primary_area_is_entered_and_only_when_it_is_empty() -> None:
    """[7.3(6)] Not while a platoon is left there, nor another target area that was cleared; wounded markers do not bar it."""
    # [7.3(6): empty]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7")
    field.put("e2", "1/1/1/33")
    field.put("d1", "2/1/1/33", hits=3)
    field.fire("ab27", "combat=d2", "target=e2, d1", "dice=2", "return=no", dice=[1, 1, 6, 1])
    assert field.at("2/1/1/33") == "eliminated"
    assert "advance" not in field.asked_for()
    field = Field()
    field.put("e2", "1/1/1/33", "2/1/1/33")
    field.put("d2", "1/A/2-7", hits=3)
    field.fire("33", "combat=e2", "target=d2", "advance=1/1/1 2/1/1", dice=[6, 1, 1, 1])
    assert field.at("W:1/A/2-7") == "d2"
    assert {field.at("1/1/1/33"), field.at("2/1/1/33")} == {"d2"}


def test_over_stacking_in_fire() -> None:
    """[6.1] Of four two fire; at four a die more; mortars and infantry of an area share the number."""
    # [6.1: fewer]
    field = Field()
    field.put("d2", "1/A/2-7", "2/A/2-7", "3/A/2-7", "mtr/A/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33", "3/1/1/33", "1/6/8/66", "co/A/2-7")
    field.change("co/A/2-7", place="d2")

    field.fire("ab27", "combat=d2", "target=e2", "return=no", "combat=done", dice=[1] * 6)

    assert field.says("The US fires from d2 at e2 with 6 dice.")
    with pytest.raises(Impossible, match="no die is left for the mortars in d2"):
        field.fire("ab27", "combat=d2", "target=e2", "return=no", "combat=mortar d2", dice=[1] * 6)


def test_units_fire_in_order_of_strength() -> None:
    """[6.1, 10.3] Ruling D-7: the strongest first, officers with them."""
    dice, because = unit_dice(Field().referee.dice_rules, Force((1, 3, 2, 2), 1, 4))

    assert dice == [4, 2]
    assert because == ["strengths 3 + 2 [2.4]", "only 2 of 4 may fire from a stack of 4 [6.1]", "+1 for officers [10.3]"]


def test_no_fire_markers() -> None:
    """[3.5] Neither fire nor return fire (ruling D-2)."""
    # [3.5: markers]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("e2", "1/1/1/33")
    field.change("1/1/1/33", marks={"incident": "no fire"})

    field.fire("ab27", "combat=d2", "target=e2", dice=[1, 1])
    assert "return" not in [question.key for question in field.asked]
    field.fire("33")
    assert field.says("33 (1,Mtr,HQ) does not fire: markers forbid it. [3.5]")


def test_mortars_need_sight_and_range() -> None:
    """[7.4, 7.4(1), 7.8] An officer of their side must see the target."""
    # [7.4: sight]
    field = Field()
    field.put("b4", "1/Mtr/1/33")
    field.put("d2", "1/A/2-7")

    with pytest.raises(Illegal, match=r"no NVA officer sees a target for the mortars in b4 \[7.8\]"):
        field.fire("33", "combat=mortar b4", "target=d2")
    field.put("d1", "co/1/1/33")
    field.fire("33", "officers=none", "combat=mortar b4", "target=d2", dice=[6, 1])
    assert field.hits("1/A/2-7") == 1


def test_7_4_mortars_fire_from_an_undisputed_area_at_six_areas_at_most() -> None:
    """[7.4, 7.4(1)] Seven are too many, although an officer sees the target; and none fire out of a melee."""
    # [7.4: range, undisputed]
    field = Field(map="own")
    for column in range(8):
        field.flag(**{f"next:s{column}": ", ".join(f"s{near}" for near in (column - 1, column + 1) if 0 <= near <= 7)})
    field.put("s0", "1/Mtr/1/33")
    field.put("s5", "co/1/1/33")
    field.put("s6", "1/A/2-7")

    field.fire("33", "combat=mortar s0", "target=s6", dice=[1, 1])
    field.put("s6", "co/1/1/33")
    field.put("s7", "1/A/2-7", "1/C/2-7")
    with pytest.raises(Illegal, match=r"all that NVA officers see is out of range of the mortars in s0 \[7.4\]"):
        field.fire("33", "combat=mortar s0", "target=s7")
    field.put("s0", "1/C/2-7")
    field.put("s5", "1/A/2-7")
    field.fire("33", dice=[1] * 4, accept=True)
    assert field.says("Melee in s0") and not field.says("Mortars")


def test_unknown_sight_is_asked_for_once() -> None:
    """[7.8] One question names the officer's area, for ever."""
    field = Field(map="own")
    field.put("hill", "1/Mtr/1/33")
    field.put("red", "co/1/1/33")
    field.put("blue", "1/A/2-7")

    field.fire("33", "officers=none", "combat=mortar hill", "target=blue", "range:blue hill=yes", "spotter=red", dice=[1, 1])
    assert field.facts == {"los:blue red": "yes", "range:blue hill": "yes"}
    field.fire("33", "officers=none", "combat=mortar hill", "target=blue", dice=[1, 1])


def test_mortars_give_no_third_hit() -> None:
    """[7.4(3)] Hits too many are lost."""
    # [7.4(3): third]
    field = Field()
    field.put("e3", "mtr/D/2-7", "co/D/2-7")
    field.put("e2", "1/1/1/33", hits=1)
    field.put("e2", "2/1/1/33", hits=3)

    field.fire("cd27", "combat=mortar e3", "target=e2", dice=[6, 6])

    assert (field.hits("1/1/1/33"), field.hits("2/1/1/33")) == (2, 3)
    assert field.says("1 hit too many: no counter is left to take more.")


def test_7_4_5_an_officer_is_checked_even_where_no_hit_could_be_applied() -> None:
    """[7.4(3), 7.4(5)] A reduced unit takes none; its officer rolls all the same, and not without a hit."""
    # [7.4(5): scored]
    for die, asked in ((6, True), (5, False)):
        field = Field()
        field.put("e3", "mtr/A/2-7", "co/A/2-7")
        field.put("e2", "1/1/1/33", hits=3)
        field.put("e2", "co/1/1/33")
        field.fire("ab27", "combat=mortar e3", "target=e2", dice=[die, 6] if asked else [die])
        assert (field.hits("1/1/1/33"), field.at("1/1/1/33")) == (3, "e2")
        assert (field.piece("co/1/1/33").face == "wounded") == asked


def test_7_4_2_jungle_and_officers_change_nothing_for_mortars() -> None:
    """[7.4(2), 7.3(3)] Two NVA mortars with their officer have four dice, into jungle as into the open."""
    # [7.3(3): others] [7.4(2): unchanged]
    for area in ("d3", "e3"):
        field = Field()
        field.put("d2", "1/Mtr/1/33", "2/Mtr/1/33", "co/Mtr/1/33")
        field.put(area, "1/A/2-7")
        field.fire("33", "combat=mortar d2", f"target={area}", dice=[1] * 4)
        assert field.says(f"Mortars fire at {area} with 4 dice (1/Mtr/1/33, 2/Mtr/1/33).")


def test_us_mortars_do_not_fire_into_a_disputed_area() -> None:
    """[7.4(1)]"""
    # [7.4(1): us]
    field = Field()
    field.put("e3", "mtr/D/2-7", "co/D/2-7")
    field.put("e2", "1/1/1/33", "1/C/2-7")

    with pytest.raises(Illegal, match=r"all that US officers see is out of range of the mortars in e3, or in a melee \[7.4\]"):
        field.fire("cd27", "combat=mortar e3", "target=e2", dice=[1] * 9, accept=True)
    field.put("d2", "2/1/1/33")
    with pytest.raises(Illegal, match=r"US mortars do not fire into a disputed area \[7.4\(1\)\]"):
        field.fire("cd27", "combat=mortar e3", "target=e2", dice=[1])


def test_7_4_4_ones_count_in_a_disputed_area_only_and_never_a_third_time() -> None:
    """[7.4(4)] In an undisputed one a 1 is a miss; in a disputed one an NVA unit with two hits takes none."""
    # [7.4(4): ones, third]
    field = Field()
    field.put("b4", "1/Mtr/1/33", "2/Mtr/1/33")
    field.put("e2", "1/C/2-7", "2/C/2-7")
    field.put("e1", "co/1/1/33")

    field.fire("33", "combat=mortar b4", "target=e2", dice=[1, 1, 1, 1])
    assert not field.says("Friendly fire")
    field.put("e2", "1/6/8/66", hits=2)
    field.fire("33", "combat=mortar b4", "target=e2", dice=[1, 1, 1, 1])
    assert field.says("Friendly fire on 1: 4 HITS on the NVA in e2.")
    assert (field.hits("1/6/8/66"), field.at("1/6/8/66")) == (2, "e2")


def test_nva_mortars_hit_their_own_on_a_one() -> None:
    """[7.4(4), 7.4(5)] In a disputed area; then one officer there, of either side, is checked."""
    # [7.2A: into] [7.4(1): us] [7.4(4): ones] [7.4(5): one]
    field = Field()
    field.put("b4", "1/Mtr/1/33", "2/Mtr/1/33")
    field.put("e2", "1/1/1/33", "1/C/2-7", "co/C/2-7", "co/1/1/33")

    field.fire(
        "33",
        "combat=mortar b4",
        "target=e2",
        "combat=melee e2",
        "retreat=none",
        "retreat=none",
        dice=[6, 1, 1, 3, 6, 6] + [1] * 7,
    )

    assert (field.hits("1/C/2-7"), field.hits("1/1/1/33")) == (1, 2)
    assert field.says("Friendly fire on 1: 2 HITS on the NVA in e2. [7.4(4)]")
    assert [field.piece(name).face for name in ("co/C/2-7", "co/1/1/33")] == ["front", "wounded"]


def test_a_massed_target_of_mortars() -> None:
    """[7.4(2), 6.1] Ruling C-38: a die more."""
    field = Field()
    field.put("e3", "mtr/D/2-7", "co/D/2-7")
    field.put("e2", "1/1/1/33", "2/1/1/33", "3/1/1/33", "1/HQ/1/33")

    field.fire("cd27", "combat=mortar e3", "target=e2", dice=[1, 1, 1])

    assert field.says("Mortars fire at e2 with 3 dice (mtr/D/2-7). [7.4(2)]")
