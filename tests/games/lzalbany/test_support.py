"""[5.4, 7.5, 7.6, 7.7] Artillery, gunships, Skyraider."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.games.lzalbany.rules.r07_support import GunshipStrength, batteries, bombard, drop_bombs, drop_napalm, strafe
from companion.games.lzalbany.rules.r08_hits import chosen_by
from tests.games.lzalbany.field import Field


def guns(**more: str) -> Field:
    """One battery, an officer in d2, the enemy in e2."""
    field = Field(**more)
    field.put("columbus", "1/Art")
    field.put("d2", "co/A/2-7", "1/A/2-7")
    field.put("e2", "1/1/1/33")
    return field


@pytest.mark.parametrize(
    ("count", "faces"),
    [(2, [0, 0, 0, 1, 1, 1]), (3, [0, 0, 1, 1, 2, 2]), (6, [0, 1, 2, 3, 4, 5]), (4, [0, 1, 2, 3]), (5, [0, 1, 2, 3, 4])],
)
def test_the_die_that_picks_one_of_several(count: int, faces: list[int]) -> None:
    """[7.5(4)] Of two 1-3 and 4-6, of three 1-2, 3-4, 5-6 (the dossier's T6)."""
    # [7.5(4): one]
    assert [chosen_by(face, count) for face in range(1, len(faces) + 1)] == faces


def test_artillery_on_target() -> None:
    """[7.5, 7.5(1), 7.5(2), 7.5(3), 5.4] From 2 on; its strength in dice, an NVA unit may be eliminated."""
    # [7.5(2): one] [7.5(4): us]
    field = guns()

    field.chit("Artillery", "target=e2", dice=[2, 6, 6, 6, 6])

    assert field.at("1/1/1/33") == "eliminated"
    assert field.track("us_vp") == 3
    assert field.at("Artillery") == "box artillery"


def test_artillery_off_target() -> None:
    """[7.5(2), 7.5(4)] A 1 shifts it to an adjacent area, also with US units; a US unit gets no third hit."""
    # [7.5(2): one, friends] [7.5(4): us]
    field = guns()

    field.chit("Artillery", "target=e2", dice=[1, 4, 6, 6, 6, 1, 5])

    assert field.says("1, OFF TARGET.") and field.says("The fire shifts to d2.")
    assert field.said.index("Artillery at e2: 1, OFF TARGET. [7.5(2)]") < field.said.index("Die 4: it falls on d2. [7.5(2)]")
    assert field.hits("1/A/2-7") == 2
    assert field.says("1 hit too many: no counter is left to take more.")
    assert field.says("Officer check for co/A/2-7: 5, a casualty on 6. Safe. [7.5(5)]")


def test_one_random_unit_takes_all_hits_and_each_officer_is_checked() -> None:
    """[7.5(4), 7.5(5)] Wounded markers are not chosen (ruling C-53)."""
    # [7.5(4): one] [7.5(5): each]
    field = guns()
    field.put("e2", "2/1/1/33", "co/1/1/33", "Man")
    field.wounded("e2")

    field.chit("Artillery", "target=e2", dice=[3, 6, 6, 1, 1, 5, 6, 2])

    assert (field.hits("1/1/1/33"), field.hits("2/1/1/33")) == (0, 2)
    assert (field.piece("co/1/1/33").face, field.piece("Man").face) == ("wounded", "front")


def test_hit_artillery_does_not_fire() -> None:
    """[5.4A]"""
    # [5.4A: hits]
    field = guns()
    field.put("columbus", "1/Art", hits=2)
    field.put("columbus", "2/Art", hits=1)

    assert [gun.name for gun in batteries(field.referee)] == ["2/Art"]
    field.chit("Artillery", "target=none")
    assert field.says("Two hits or more keep 1/Art from firing. [5.4A]")


def test_5_4_each_platoon_attacks_once_and_alone() -> None:
    """[5.4, 7.5] Three platoons, three attacks, each with its own accuracy die, at the same area or another."""
    # [5.4: each] [7.5: alone]
    field = guns()
    field.put("columbus", "2/Art", "3/Art")
    field.put("d1", "2/1/1/33")

    field.chit("Artillery", "target=e2", "target=e2", "target=d1", dice=[2, 6, 1, 1, 1, 2, 6, 1, 1, 1, 2, 1, 1, 1, 6])

    assert field.asked_for().count("accuracy") == 3
    assert (field.hits("1/1/1/33"), field.hits("2/1/1/33")) == (2, 1)


def test_7_5_3_jungle_and_officers_change_nothing_for_artillery() -> None:
    """[7.5(3), 7.3(3)] Four dice into jungle too, and with an officer at the guns."""
    # [7.3(3): others] [7.5(3): unchanged]
    field = guns()
    field.put("columbus", "co/A/1-5")
    field.put("d3", "2/1/1/33")

    field.chit("Artillery", "target=d3", dice=[2, 1, 1, 1, 1])

    assert field.says("1/Art fires at d3: 1 1 1 1, hits on 6. No hit.")


def test_7_5_5_without_a_hit_no_officer_is_checked() -> None:
    """[7.5(5)] Each is, after one."""
    # [7.5(5): each]
    for die, checks in ((5, 0), (6, 2)):
        field = guns()
        field.put("e2", "co/1/1/33", "Man")
        field.chit("Artillery", "target=e2", dice=[2, die, 1, 1, 1, *[1] * checks])
        assert field.asked_for().count("casualty") == checks


def test_artillery_under_attack() -> None:
    """[5.4B, 7.2B] Silent unless 2-7 or 1-5 are with it (ruling C-39)."""
    # [5.4B: guards] [7.2B: alone]
    field = guns()
    field.put("columbus", "2/1/1/33")

    field.chit("Artillery")
    assert field.says("it does not fire. [5.4B]")
    field.put("columbus", "1/A/1-5")
    field.chit("Artillery", "target=none")
    assert not field.says("[5.4B]")


def test_artillery_targets() -> None:
    """[7.5(1), 7.8] Undisputed and in sight."""
    # [7.5: sight] [7.5(1): undisputed]
    field = guns()
    field.put("b5", "2/1/1/33")
    field.put("e3", "3/1/1/33", "1/C/2-7")

    with pytest.raises(Illegal, match=r"e3 is disputed.*\[7.5\(1\)\]"):
        field.chit("Artillery", "target=e3")
    with pytest.raises(Illegal, match=r"no US officer sees b5 \[7.8\]"):
        field.chit("Artillery", "target=b5")


def test_a_massed_target_of_artillery() -> None:
    """[6.1, 7.5(3)] Ruling C-38: nothing, unless switched."""
    # [7.5(3): unchanged]
    for massed, dice in (("most", 4), ("all", 5)):
        field = guns(massed=massed)
        field.put("e2", "2/1/1/33", "3/1/1/33", "1/HQ/1/33")
        gun = field.piece("1/Art")
        field.play(lambda game, gun=gun: bombard(game, gun, "e2"), dice=[1] * dice)  # type: ignore[misc]


def test_a_gunship() -> None:
    """[7.6, 7.6(1), 7.6(3), 5.5A] All hits on the one unit."""
    # [5.5A: one]
    field = guns()

    field.chit("Gunships", "target=1/1/1", dice=[5, 6, 6, 6, 1])

    assert field.hits("1/1/1/33") == 3
    assert [chit.name for chit in field.position.at("box gunships")] == ["Gunships"]


def test_gunship_damage_comes_first() -> None:
    """[7.6(2), 4.1B] A 6 of any infantry there: reduced strength, two points; mortars do not fire."""
    # [4.1B: air]
    field = guns()
    field.put("e2", "2/1/1/33", "1/Mtr/1/33")

    field.chit("Gunships", "target=1/1/1", dice=[6, 6, 1, 1])

    assert field.says("The gunship fires at 1/1/1/33: 1 1, hits on 6. No hit.")
    assert field.track("nva_vp") == 2


def test_7_6_2_mortars_do_not_shoot_at_a_gunship_and_one_damage_is_all() -> None:
    """[7.6(2), 4.1B] Alone in their area they roll nothing; two 6s of infantry are one damage; the next gunship is whole."""
    # [7.6(2): infantry, once]
    field = guns()
    field.put("d1", "1/Mtr/1/33")
    field.chit("Gunships", "target=1/Mtr", dice=[1, 1, 1, 1])
    assert "damage" not in field.asked_for()
    field.put("e2", "2/1/1/33")
    field.chit("Gunships", "target=1/1/1", dice=[6, 6, 1, 1])
    assert field.track("nva_vp") == 2
    field.chit("Gunships", "target=1/1/1", dice=[1, 1, 6, 6, 6, 6])
    assert field.at("1/1/1/33") == "eliminated"


def test_7_6_3_only_the_target_takes_hits_of_a_gunship() -> None:
    """[7.6(3), 7.6(4)] What the target cannot take is lost; into jungle it has all its dice; no hit, no officer check."""
    # [7.3(3): others] [7.6(3): target] [7.6(4): scored]
    field = guns()
    field.put("d3", "2/1/1/33", "co/1/1/33")
    field.put("d3", "3/1/1/33", hits=3)
    field.chit("Gunships", "target=3/1/1", dice=[1, 1, 6, 6, 1, 1, 1])
    assert (field.at("3/1/1/33"), field.hits("2/1/1/33")) == ("eliminated", 0)
    assert field.says("1 hit too many: no counter is left to take more.")
    field.chit("Gunships", "target=2/1/1", dice=[1, 1, 1, 1, 1])
    assert "casualty" not in field.asked_for()


def test_gunship_damage_without_points() -> None:
    """[4.1B] Ruling C-19 switched."""
    # [4.1B: air]
    field = guns(air_casualty="never")
    field.chit("Gunships", "target=1/1/1", dice=[6, 1, 1])

    assert field.track("nva_vp") == 0


def test_gunship_targets() -> None:
    """[7.6(1), 7.8] A unit, in a disputed area, next to the US or in sight; an officer is not one."""
    # [7.2A: into] [7.6(1): where, unit]
    field = guns()
    field.put("b5", "2/1/1/33", "co/1/1/33")
    field.put("f3", "3/1/1/33", "1/C/2-7")

    with pytest.raises(Illegal, match=r"b5 is not next to a US unit and no US officer sees it \[7.6\(1\)\]"):
        field.chit("Gunships", "target=2/1/1")
    with pytest.raises(Illegal, match=r"co/1/1/33 is an officer"):
        field.chit("Gunships", "target=co/1/1")
    field.chit("Gunships", "target=3/1/1", dice=[1, 1, 1, 1, 1])


def test_an_officer_under_a_gunship() -> None:
    """[7.6(4)] One of the NVA's, chosen at random."""
    # [7.6(4): scored]
    field = guns()
    field.put("e2", "co/1/1/33", "Man")
    target = field.piece("1/1/1/33")

    field.play(lambda game: strafe(game, target, GunshipStrength(4, 2)), dice=[1, 6, 1, 1, 1, 6, 6])

    assert (field.piece("co/1/1/33").face, field.piece("Man").face) in (("front", "wounded"), ("wounded", "front"))


def test_bombs() -> None:
    """[7.7, 7.7A, 7.7A(1), 7.7A(2), 5.5B] Six dice, the NVA places the hits, one officer."""
    # [7.7A(1): owner] [7.7A(2): scored] [5.5B: one]
    field = guns()
    field.put("e2", "2/1/1/33", "co/1/1/33")

    field.chit("Skyraider", "target=e2", "weapon=bombs", "hit=1/1/1", "hit=2/1/1", dice=[6, 6, 1, 1, 1, 1, 6, 1])

    assert (field.hits("1/1/1/33"), field.hits("2/1/1/33")) == (1, 1)
    assert field.piece("co/1/1/33").face == "wounded"
    assert field.at("Skyraider") == "box skyraider"


def test_collateral_damage_of_bombs() -> None:
    """[7.7A(3)] A random adjacent area, a random unit, a 6 hits once (ruling C-14)."""
    # [7.7A(3): one]
    field = guns()

    field.play(lambda game: drop_bombs(game, "e2"), dice=[1, 1, 1, 1, 1, 1, 4, 6])

    assert field.hits("1/A/2-7") == 1


def test_7_7_a_bombs_hit_units_only_and_one_area_next_door() -> None:
    """[7.7A(1), 7.7A(2), 7.7A(3)] Six dice into jungle too; officers take none of the hits; without a hit no officer is checked;
    an empty area next door takes nothing.
    """
    # [7.3(3): others] [7.7A(1): owner] [7.7A(2): scored] [7.7A(3): one]
    field = guns()
    field.put("d3", "2/1/1/33", "co/1/1/33")
    field.chit("Skyraider", "target=d3", "weapon=bombs", dice=[6, 6, 6, 6, 6, 1, 1, 4])
    assert field.at("2/1/1/33") == "eliminated"
    assert field.piece("co/1/1/33").face == "front"
    assert field.says("1 hit too many: no counter is left to take more.")
    assert field.says("Nobody is in") and "collateral_hit" not in field.asked_for()
    field = guns()
    field.put("e2", "co/1/1/33")
    field.chit("Skyraider", "target=e2", "weapon=bombs", dice=[1, 1, 1, 1, 1, 1, 4, 1])
    assert "casualty" not in field.asked_for()
    assert field.hits("1/A/2-7") == 0


def test_napalm() -> None:
    """[7.7B, 7.7B(1), 7.7B(2)] Up to two hits; wounded markers are gone; each officer."""
    # [7.7B(1): two, markers] [7.7B(2): each]
    field = guns()
    field.put("e2", "2/1/1/33", hits=1)
    field.put("e2", "3/1/1/33", hits=3)
    field.put("e2", "co/1/1/33", "Man")
    marker = field.wounded("e2")

    field.play(lambda game: drop_napalm(game, "e2"), dice=[6, 6, 1])

    assert [field.hits(name) for name in ("1/1/1/33", "2/1/1/33", "3/1/1/33")] == [2, 2, 3]
    assert field.at(marker) == "dead"
    assert [field.piece(name).face for name in ("co/1/1/33", "Man")] == ["wounded", "wounded"]


def test_collateral_damage_of_napalm() -> None:
    """[7.7B(3)] A die for each adjacent occupied area; wounded markers are among the units there."""
    # [7.7B(3): occupied, markers]
    field = guns()
    marker = field.wounded("d2")
    field.put("f2", "1/C/2-7")

    field.play(lambda game: drop_napalm(game, "e2"), dice=[6, 6, 5])
    assert field.at(marker) == "dead"
    field.play(lambda game: drop_napalm(game, "e2"), dice=[6, 6])

    assert (field.hits("1/A/2-7"), field.hits("1/C/2-7")) == (2, 2)


@pytest.mark.parametrize(("before", "after"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_7_7_b_3_never_a_third_hit(before: int, after: int) -> None:
    """[7.7B(3), 7.7B(1)] Next door as where it falls: up to two hits, no more; on less than a 6 nothing."""
    # [7.7B(1): two] [7.7B(3): third]
    field = guns()
    field.put("d2", "1/A/2-7", hits=before)
    field.play(lambda game: drop_napalm(game, "e2"), dice=[5])
    assert field.hits("1/A/2-7") == before
    field.play(lambda game: drop_napalm(game, "e2"), dice=[6])
    assert (field.hits("1/A/2-7"), field.track("nva_vp")) == (after, 0)
    field.put("e2", "1/1/1/33", hits=before)
    field.play(lambda game: drop_napalm(game, "e2"), dice=[1])
    assert (field.hits("1/1/1/33"), field.track("us_vp")) == (after, 0)


def test_skyraider_targets() -> None:
    """[7.7] Undisputed."""
    # [7.7: undisputed]
    field = guns()
    field.put("e2", "1/C/2-7")
    field.put("d1", "2/1/1/33")

    with pytest.raises(Illegal, match=r"e2 is disputed \[7.7\]"):
        field.chit("Skyraider", "target=e2")


def test_7_7_next_to_a_us_unit_or_in_an_officers_sight() -> None:
    """[7.7] Either is enough; with neither it is refused."""
    # [7.7: where]
    field = Field()
    field.put("d2", "1/A/2-7")
    field.put("d1", "1/1/1/33")
    field.put("f2", "2/1/1/33")
    with pytest.raises(Illegal, match=r"f2 is not next to a US unit and no US officer sees it \[7.7\]"):
        field.chit("Skyraider", "target=f2")
    field.chit("Skyraider", "target=d1", "weapon=bombs", dice=[1] * 6 + [2], accept=True)
    field.put("d2", "co/A/2-7")
    field.chit("Skyraider", "target=f2", "weapon=bombs", dice=[1] * 6 + [1], accept=True)
    assert field.says("1 1 1 1 1 1, hits on 6. No hit.")


def test_unseen_units_are_not_attacked_by_air() -> None:
    """[7.8] At most three areas with the target; jungle may be entered and not crossed."""
    # [7.8: three, jungle]
    field = Field()
    seen = field.referee.map

    assert seen.sight("d2", "f2") is True
    assert seen.sight("d2", "d4") is False
    assert seen.sight("albany", "d4") is True
    assert seen.sight("b3", "g3") is False
    assert seen.sight("b2", "d3") is True
    assert seen.sight("a2", "c2") is False
