"""[29.0] Leaders."""

from __future__ import annotations

import pytest

from companion.core.board_fix import board_fix
from companion.views.board import place_lines
from companion.views.lines import plain_text
from companion.views.log import event_lines
from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field


def won(dice: tuple[int, int], *answers: str, field: Field | None = None, force: str = "3/1") -> Field:
    """A battle won, with these dice for the leader check."""
    field = field or Field()
    field.put("3-9", *force.split(", "))
    field.set(morale=0)
    shots = [1] * len(force.split(", "))
    field.j3(force, "3-10", *answers, "move_on=no", draws=[HARMLESS], dice=[6, 1, *shots, *dice])
    return field


@pytest.mark.parametrize("dice", [(1, 1), (6, 6)])
def test_29_1_2_and_12_bring_a_leader(dice: tuple[int, int]) -> None:
    """[29.0] [29.1: dice] One of those in Recruit, of the player's choice, with a unit of the winning force."""
    field = won(dice, "which_leader=Leader B")

    assert field.place("Leader B") == "leading"
    assert field.find("Leader B").marks == {"with": field.find("3/1").id}


@pytest.mark.parametrize("total", range(3, 12))
def test_29_1_3_to_11_do_not(total: int) -> None:
    """[29.1: dice] Nothing, said so."""
    field = won((total // 2, total - total // 2))

    assert field.says(f"{total}. No leader.", "29.1")
    assert field.place("Leader A") == "recruit"


def test_29_1_the_player_names_the_unit() -> None:
    """[29.1: winner] Among several winners."""
    field = won((1, 1), "which_leader=Leader A", "leader=3/5", force="3/1, 3/5")

    assert field.find("Leader A").marks == {"with": field.find("3/5").id}


def test_29_1_no_unit_left() -> None:
    """[29.1] With no leader in Recruit nothing happens (ruling C-40)."""
    field = Field()
    field.put("aside", "Leader A", "Leader B")
    won((1, 1), field=field)

    assert field.says("no leader is left", "29.1")


def test_29_1_only_a_battle_won_is_checked() -> None:
    """[29.1] [17.0: leader] Not without a battle, not after a lost one."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Deception"])
    assert "leader_check" not in field.asked_for()
    field.put("3-9", "SS")
    field.j3("SS", "3-11", draws=[DEADLY], dice=[1, 6, 6])
    assert "leader_check" not in field.asked_for()


def test_29_1_he_falls_with_his_unit_and_may_come_again() -> None:
    """[29.1: fate] Eliminated with it, then in Recruit; he counts for no KIA of his own."""
    field = Field()
    field.put("3-10", "SS")
    field.lead("Leader A", "SS")
    field.set(morale=0)
    field.j3("SS", "3-11", draws=[DEADLY], dice=[1, 6, 6])

    assert (field.place("Leader A"), field.find("Leader A").marks, field.kia) == ("recruit", {}, -1)


def test_29_1_a_reduced_unit_keeps_him() -> None:
    """[29.1: fate] He is not affected otherwise."""
    field = Field()
    field.put("3-10", "3/1")
    field.lead("Leader A", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-11", "continue=withdraw", "withdraw=all", "refuge=north base", draws=[DEADLY], dice=[1, 6, 6, 6])

    assert (field.place("Leader A"), field.face("3/1")) == ("leading", "reduced")


def test_29_1_an_ied_kills_him_too() -> None:
    """[29.1, 20.1] Whatever eliminates the unit."""
    field = Field()
    field.put("3-9", "SS")
    field.lead("Leader A", "SS")
    field.set(morale=0)
    field.j3("SS", "3-8", draws=["IED Factory"], dice=[6])

    assert field.place("Leader A") == "recruit"


def test_29_1_he_takes_no_room() -> None:
    """[8.2] [29.1: room] Two battalions with a leader each are two battalions."""
    field = Field()
    field.put("3-9", "3/1", "3/5")
    field.lead("Leader A", "3/1")
    field.lead("Leader B", "3/5")
    field.set(morale=0)
    field.j3("3/1, 3/5", "3-10", draws=["Deception"])

    assert field.place("3/5") == "3-10"


def test_29_1_he_takes_no_seat() -> None:
    """[24.6] [29.1: room] A transport carries one unit with its leader, as it carries it without."""
    field = Field()
    field.put("3-9", "HT 1", "3/1")
    field.lead("Leader A", "3/1")
    field.set(morale=0)
    field.j3("HT 1, 3/1", "3-10", draws=["Deception"])

    assert (field.place("3/1"), field.find("Leader A").marks) == ("3-10", {"with": field.find("3/1").id})


def test_29_1_a_leader_moves_with_the_unit() -> None:
    """[29.1: stays] The unit moves, fights and withdraws without the others, and the leader stays with it."""
    field = Field()
    field.put("3-10", "3/1", "3/5")
    field.lead("Leader A", "3/1")
    field.set(morale=0)
    field.j3(
        "3/1, 3/5", "3-11", "continue=withdraw", "withdraw=3/1", "refuge=north base", "move_on=no",
        draws=[HARMLESS], dice=[6, 1, 6, 6, 6, 6, 1, 1, 3, 3],
    )  # fmt: skip

    assert (field.place("3/1"), field.place("3/5")) == ("north base", "3-11")
    assert (field.place("Leader A"), field.find("Leader A").marks) == ("leading", {"with": field.find("3/1").id})


def test_29_2_one_more_on_the_edge() -> None:
    """[16.1(2b): leader] [29.2: more] In the force that fights; a leader elsewhere adds nothing."""
    field = Field()
    field.lead("Leader A", "3/1")
    assert won((3, 3), field=field).says("3+1 leader+6", "16.1(2)")

    field = Field()
    field.put("3-12", "1/8")
    field.lead("Leader A", "1/8")
    assert won((3, 3), field=field).says("Coalition 3+6 = 9", "16.1(2)")


def test_29_1_his_unit_is_named_wherever_he_is_shown() -> None:
    """[29.1] In the lines of play, on the table and in the board-fix list, never by an id of ours."""
    field = won((1, 1), "which_leader=Leader A")
    away = {**field.position.pieces, **{p.id: p._replace(marks={}) for p in field.position.at("leading")}}
    fix = board_fix(field.position.changed(pieces=away), field.position, field.game)
    shown = plain_text(place_lines(field.game, field.position, ["leading"]))
    played = plain_text(event_lines(field.game, field.events, dict(field.position.pieces)))

    assert fix == ["Leader A is with USMC 3/1"]
    assert "Leader A (with USMC 3/1)" in shown
    assert "Leader A is with USMC 3/1" in played
    assert "#" not in played
