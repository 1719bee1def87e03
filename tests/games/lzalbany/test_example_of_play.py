"""The printed example that the rulebook's text has kept: the third chit of a turn [7.3, 7.4]."""

from __future__ import annotations

from tests.games.lzalbany.field import Field


def third_chit() -> Field:
    field = Field(turn=2)
    field.put("d2", "2/A/2-7", "3/A/2-7", "co/A/2-7", "co/C/2-7")
    field.put("albany", "mtr/A/2-7")
    field.put("e2", "3/1/1/33")
    return field


def test_the_third_chit_from_mortars_to_the_officer_check() -> None:
    """[7.4(3), 7.3(2), 7.3(4), 7.3(5), 10.4] One mortar die of 3; five dice 2 4 6 1 6; two in return, 2 and 6; casualty die 3."""
    field = third_chit()

    field.fire(
        "ab27",
        "combat=mortar albany",
        "target=e2",
        "combat=d2",
        "target=e2",
        "return=yes",
        "first_hit=2/A/2-7",
        dice=[3, 2, 4, 6, 1, 6, 2, 6, 5, 3],
    )

    assert field.says("3, hits on 6. No hit on ")
    assert field.says("The US fires from d2 at e2 with 5 dice. [7.3(2)]")
    assert field.hits("3/1/1/33") == 2
    assert field.says("The NVA fires from e2 at d2 with 2 dice. [7.3(2)]")
    assert field.hits("2/A/2-7") == 1
    assert field.hits("3/A/2-7") == 0
    assert field.says("Die 5: it falls on co/C/2-7.")
    assert field.says("Officer check for co/C/2-7: 3, a casualty on 6. Safe.")
    assert field.piece("co/C/2-7").face == "front"


def test_mortars_are_not_answered() -> None:
    """[7.4] The example: no return fire is possible."""
    # [7.4: answer]
    field = third_chit()

    field.fire("ab27", "combat=mortar albany", "target=e2", "combat=done", dice=[6])

    assert field.hits("3/1/1/33") == 1
    assert not [question for question in field.asked if question.key == "return"]


def test_officers_are_not_checked_where_the_ruling_is_switched_off() -> None:
    """[7.3(4)] Ruling C-11."""
    field = Field(turn=2, fire_casualties="off")
    field.put("d2", "2/A/2-7", "co/A/2-7")
    field.put("e2", "3/1/1/33")

    field.fire("ab27", "combat=d2", "target=e2", "return=yes", dice=[1, 1, 1, 6, 6])

    assert field.hits("2/A/2-7") == 2
    assert field.piece("co/A/2-7").face == "front"
