"""[20.0] OPFOR Node markers: revealing them, and what each does."""

from __future__ import annotations

import pytest

from companion.core.board_fix import board_fix
from companion.games.fallujah2004.facts import NODE_KINDS
from companion.views.lines import plain_text
from companion.views.log import event_lines
from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field

WON = (3, 3)


def entered(kind: str, *draws: str, force: str = "3/1", dice: tuple[int, ...] = (), answers: tuple[str, ...] = ()) -> Field:
    """A force enters Jolan, whose concealed Node turns out to be of a kind."""
    field = Field()
    title = field.game.tables.charts["nodes"].text(kind, "title")
    field.set(morale=0)
    field.put("3-9", *force.split(", "))
    field.j3(force, "3-8", *answers, draws=[title, *draws], dice=dice)
    return field


def test_20_0_seven_kinds_and_the_helicopter() -> None:
    """[20.0, 20.1] The Node table has them all."""
    assert set(Field().game.tables.charts["nodes"].rows) == {*NODE_KINDS, "downed_helicopter"}


@pytest.mark.parametrize("kind", NODE_KINDS)
def test_20_2_a_entering_reveals(kind: str) -> None:
    """[20.2] [20.2(a): occupies] A unit that ends its move there turns the Node up, whatever it is, and its effect is shown."""
    answers = ("holy_spaces=1",) if kind == "al_qaeda" else ()
    dice = (1, 1, 1) if kind == "al_qaeda" else (1,) if kind == "ied_factory" else ()
    draws = ("Deception",) * (2 if kind in ("arms_cache", "al_qaeda") else 1)
    field = entered(kind, *draws, answers=answers, dice=dice)
    chart = field.game.tables.charts["nodes"]

    assert field.says(f"is revealed: {chart.text(kind, 'title')}. {chart.text(kind, 'effect')}", chart.cite(kind))


def test_20_1_abandoned_position() -> None:
    """[20.1] Nothing."""
    assert entered("abandoned_position", "Deception").ops == 64


def test_20_1_al_qaeda_adds_to_the_edge_in_every_round() -> None:
    """[9.2] [20.1: rounds] A morale check on reveal, and 1 on OPFOR's Edge in all rounds."""
    field = entered(
        "al_qaeda", HARMLESS, dice=(1, 1, 1, 6, 1, 6, 6, 6, 1, 1, *WON),
        answers=("holy_spaces=3", "continue=continue"),
    )  # fmt: skip

    assert sum("0+1 Node+1 = 2" in line for line in field.said) == 2


def test_20_1_arms_cache_picks_one_more() -> None:
    """[20.1] One pick by morale and one for the cache."""
    field = entered("arms_cache", "Deception", "Intel")

    assert field.says("1 counter, Arms Cache 1 more", "14.1(2)")


def test_20_1_c2() -> None:
    """[20.1: present, rounds] 1 on OPFOR's Edge in all rounds, no morale check."""
    field = entered("c2", HARMLESS, dice=(6, 1, 6, 6, 6, 1, 1, *WON), answers=("continue=continue",))

    assert sum("0+1 Node+1 = 2" in line for line in field.said) == 2


@pytest.mark.parametrize(("force", "ops"), [("3/1", 0), ("1 FR", 2), ("3/1, 1 FR", 2), ("36 Cdo", 2)])
def test_27_2_hostage_house(force: str, ops: int) -> None:
    """[20.1] [27.2: hostages] 2 OPs where SOF are in the force that captures it."""
    assert entered("hostage_house", "Deception", force=force).ops == 64 + ops


def test_27_2_eliminated_sof_free_no_hostages() -> None:
    """[20.3] [27.2: hostages] Only SOF that are still with the force when it captures."""
    field = entered("hostage_house", DEADLY, force="3/1, 1 FR", dice=(1, 6, 6, 1, *WON), answers=("hit=1 FR",))

    assert field.names_at("captured") == ["Hostage House"]
    assert field.ops == 64


def test_20_1_ied_factory() -> None:
    """[20.1, 21.1(a), 21.1(c)] A die for each ground unit the moment it is revealed: a 6 is a hit, before the picks."""
    # [20.1: instant]
    field = entered("ied_factory", "Deception", force="3/1, SS, A Tank", dice=(6, 6, 5))

    assert (field.face("3/1"), field.place("SS"), field.place("A Tank")) == ("reduced", "eliminated", "3-8")
    assert field.kia == -2
    assert field.asked_for("roll", "draw") == ["node", "ied", "pick"]


def test_20_1_ied_spares_helicopters() -> None:
    """[20.1: ground] Ground combat units only: a gunship has no die."""
    field = entered("ied_factory", "Deception", force="HG 1")

    assert field.says("no ground unit", "20.1")
    assert field.asked_for("roll") == []


@pytest.mark.parametrize("engineer", ["1 CE", "9 Arm"])
def test_26_0_an_engineer_prevents_the_ied(engineer: str) -> None:
    """[20.1: engineer] [26.0: negates] An engineer in the force: no dice."""
    field = entered("ied_factory", "Deception", force=f"3/1, {engineer}")

    assert field.says("the engineer cancels it", "20.1")
    assert field.asked_for("roll") == []


def test_20_1_the_ied_destroys_the_whole_force() -> None:
    """[20.1, 14.1] No picks, no battle, no OPs lost; the Node stays face up (ruling C-59)."""
    field = entered("ied_factory", force="SS", dice=(6,))

    assert field.asked_for("draw") == ["node"]
    assert (field.ops, field.kia, field.names_at("3-8")) == (64, -1, ["IED Factory"])


def test_20_1_the_ied_works_once() -> None:
    """[20.1: instant] Only when it is revealed; no die is rolled for units that come later."""
    field = entered("ied_factory", force="SS", dice=(6,))
    field.put("3-9", "3/1")
    field.j3("3/1", "3-8", draws=["Deception"])

    assert field.asked_for("roll") == []
    assert field.names_at("captured") == ["IED Factory"]


def test_20_1_effects_need_units_in_the_space() -> None:
    """[16.1(2b): node] [20.1: present] A C2 next door adds nothing."""
    field = Field()
    field.node("3-8", "c2")
    field.put("3-11", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", "move_on=no", draws=[HARMLESS], dice=[6, 1, 1, *WON])

    assert field.says("OPFOR 0+1 = 1", "16.1(2)")


def test_20_2_a_flying_over_reveals_nothing() -> None:
    """[24.1] [20.2(a): occupies] Only where a helicopter ends its move or fights (ruling C-46)."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "HG 1")
    field.j3("HG 1", "3-8 2-8", draws=["Deception"])

    assert field.count("3-8", "concealed") == 1


def test_20_2_a_counter_that_our_count_lacks() -> None:
    """[20.2] The board is the truth: a Node of a kind that the cup should not hold joins the game."""
    field = Field(facts={"nodes:c2": "0", "nodes:strongpoint": "7"})
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-8", draws=["C2", "Deception"], anyway=True)

    assert (field.names_at("captured"), field.ops) == (["C2"], 67)
    assert "Downed Helicopter" not in next(request for request in field.asked if request.key == "node").others


def test_20_2_a_node_once_revealed_stays_so() -> None:
    """[17.0: lost] [20.2: stays] After a lost battle it lies face up."""
    field = entered("c2", DEADLY, force="SS", dice=(1, 6, 6))
    field.put("3-9", "3/1")
    field.j3("3/1", "3-8", draws=["Deception"])

    assert field.asked_for("draw") == ["pick"]


def test_20_2_undo_lists_changes_on_the_board() -> None:
    """[7.1(1), 20.2] A Node of the set-up lies in its space all along: it is turned, never moved, and our own marks of
    it are not shown.
    """
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    before = field.position
    field.j3("3/1", "3-8", draws=["Abandoned Position", "Deception"])
    back = [line for line in board_fix(field.position, before, field.game) if "Node" in line or "Abandoned" in line]
    forth = [line for line in board_fix(before, field.position, field.game) if "Node" in line or "Abandoned" in line]
    shown = plain_text(event_lines(field.game, field.events, dict(before.pieces)))

    assert sorted(back) == ["A concealed Node lies in 3-8 again", "Turn Abandoned Position face down again (Captured Nodes box)"]
    assert sorted(forth) == ["Place Abandoned Position face up in Captured Nodes box", "Turn up the concealed Node in 3-8"]
    assert "first" not in shown
