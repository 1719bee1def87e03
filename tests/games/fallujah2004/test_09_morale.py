"""[9.0] OPFOR morale."""

from __future__ import annotations

import pytest

from tests.games.fallujah2004.field import HARMLESS, Field


def checked(level: int, held: int, dice: list[int]) -> Field:
    """A morale check by the event, at a level of 0 to 3, with so many spaces said to be held."""
    field = Field()
    field.set(morale=level)
    field.put("3-9", "3/1")
    picks = ["Deception", "Deception", "Blow Bridges"][:level]
    bridges = [1, 1] if level == 3 else []
    field.j3("3/1", "3-10", f"holy_spaces={held}", draws=["Morale Check", *picks], dice=[*dice, *bridges])
    return field


@pytest.mark.parametrize(
    ("level", "dice", "after"),
    [
        (2, [4, 3, 3], "medium"),  # 10 against 10: lowered
        (1, [4, 4, 3], "high"),  # 11 against 10: raised
        (1, [4, 3, 3], "low"),
        (2, [4, 4, 3], "fanatic"),
    ],
)
def test_9_2_ten_held(level: int, dice: list[int], after: str) -> None:
    """[9.0, 9.1] [9.2: equal] Three dice against 10 held spaces: 10 or less lowers morale a level, 11 or more raises it."""
    assert checked(level, 10, dice).morale == after


def test_9_2_never_below_low() -> None:
    """[9.1: levels] [9.2: ends] Low is the floor, and it is said that nothing changes."""
    field = checked(0, 10, [1, 1, 1])

    assert field.morale == "low"
    assert field.says("OPFOR morale stays low", "9.2")


def test_9_2_never_above_fanatic() -> None:
    """[9.1: levels] [9.2: ends] Fanatic is the ceiling."""
    field = checked(3, 10, [6, 6, 6])

    assert field.morale == "fanatic"
    assert field.says("OPFOR morale stays fanatic", "9.2")


def test_9_2_companion_counts_any_unit_in_a_holy_space() -> None:
    """[9.2: held] Proposed is the number of Mosque and Objective spaces with any Coalition unit, helicopters too (C-9)."""
    field = Field()
    field.set(morale=0)
    field.put("3-8", "3/1", "3/5")
    field.put("4-8", "HG 1")
    field.put("3-9", "1/8")
    field.j3("1/8", "3-10", "holy_spaces=2", draws=["Morale Check"], dice=[1, 1, 1])

    assert next(request.suggest for request in field.asked if request.key == "holy_spaces") == 2


def test_9_2_the_space_just_entered_counts() -> None:
    """[20.1] [9.2: held] Al Qaeda is checked with the force in its space, which counts if it is a Mosque (ruling C-55)."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-8", "holy_spaces=1", draws=["Al Qaeda", "Deception", "Deception"], dice=[6, 6, 6])

    assert next(request.suggest for request in field.asked if request.key == "holy_spaces") == 1
    assert field.morale == "medium"


def test_9_2_the_checks_own_spaces_may_be_more_than_companion_knows() -> None:
    """[9.2] The player's number goes: with 18 held spaces every roll lowers morale."""
    assert checked(1, 18, [6, 6, 6]).morale == "low"


@pytest.mark.parametrize(("level", "picks"), [(0, 1), (1, 2), (2, 3), (3, 4)])
def test_9_3_1_picks(level: int, picks: int) -> None:
    """[9.3(1), 14.1] [14.1(3): neither] Low 1, Medium 2, High 3, Fanatic 4 picks."""
    field = Field()
    field.set(morale=level)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Deception", "Deception", "Intel", "Intel"][:picks])

    assert field.asked_for("draw") == ["pick"] * picks


@pytest.mark.parametrize(("answer", "rounds"), [("stand", 2), ("break-off", 1)])
def test_9_3_2_the_printed_chart_decides(answer: str, rounds: int) -> None:
    """[9.3(2): both] [16.1(4b): stand] Stand or Break-off by the level and the terrain, as the owner's chart prints it."""
    field = Field(facts={"stand:low:urban": answer})
    more = ["continue=continue"] if answer == "stand" else []
    again = [6, 1, 3] if answer == "stand" else []
    field.battle("3-11", "3/1", [HARMLESS], *more, "move_on=no", dice=[6, 1, 4, 6, *again, 3, 3], start="3-10")

    assert field.asked_for().count("edge") == rounds
    assert field.kia == (1 if answer == "stand" else 0)


def test_9_3_2_an_unknown_cell_of_the_chart_is_asked_once() -> None:
    """[9.3(2)] Where the chart has not been told it is asked, with level and terrain, and kept."""
    field = Field(facts={"stand:low:urban": ""})
    del field.facts["stand:low:urban"]
    field.battle("3-11", "3/1", [HARMLESS], "stand:low:urban=break-off", "move_on=no", dice=[6, 1, 4, 6, 3, 3], start="3-10")

    assert field.facts["stand:low:urban"] == "break-off"


def test_9_2_morale_changed_by_an_event_rules_the_battle_that_follows() -> None:
    """[9.2, 14.3] Events come before combat: the new level is the one that stands or breaks off, the picks stay."""
    # [9.3(2): both]
    field = Field(facts={"stand:medium:urban": "break-off", "stand:high:urban": "stand"})
    field.set(morale=1)
    field.put("3-10", "3/1")
    field.j3(
        "3/1", "3-11", "holy_spaces=0", "continue=continue", "move_on=no",
        draws=["Morale Check", HARMLESS], dice=[1, 1, 1, 6, 1, 4, 6, 6, 1, 3, 3, 3],
    )  # fmt: skip

    assert field.morale == "high"
    assert field.says("Morale high, urban: OPFOR stands", "16.1(4b)") or field.kia == 1
