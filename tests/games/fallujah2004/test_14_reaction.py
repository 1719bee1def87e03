"""[14.0] OPFOR reaction: when there is one, and the order of carrying it out."""

from __future__ import annotations

import pytest

from tests.games.fallujah2004.field import HARMLESS, Field


def test_14_1_1_boots_on_the_ground() -> None:
    """[10.1(2)] [14.1(1): others] Other ground units there: no reaction, and the operation is over."""
    field = Field()
    field.put("3-9", "3/1")
    field.put("3-10", "3/5")
    field.j3("3/1", "3-10")

    assert field.says("OPFOR does not react", "14.1(1)")
    assert field.asked_for("draw", "roll", "confirm") == []


def test_14_1_1_an_fob_is_boots_on_the_ground() -> None:
    """[28.0] [14.1(1): others] A Forward Operations Base is a ground unit."""
    field = Field()
    field.put("3-9", "3/1")
    field.put("3-10", "FOB 1")
    field.j3("3/1", "3-10")

    assert field.asked_for("draw") == []


def test_14_1_1_a_helicopter_is_not() -> None:
    """[24.7] [14.1(1): air] A helicopter alone does not prevent the reaction (ruling C-8)."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.put("3-10", "HG 1")
    field.j3("3/1", "3-10", draws=["Deception"])

    assert field.says("does not prevent the reaction", "24.7")


def test_14_1_2_a_node_is_revealed_before_the_picks() -> None:
    """[20.2(a)] [14.1(2): concealed] First the Node and what it does, then the picks by morale."""
    field = Field()
    field.put("3-9", "3/1")
    field.set(morale=1)
    field.j3("3/1", "3-8", draws=["Strongpoint", "Deception", "Intel"])

    assert field.asked_for("draw") == ["node", "pick", "pick"]
    assert field.says("is revealed: Strongpoint.", "16.8")


def test_14_1_2_al_qaeda_checks_before_the_picks() -> None:
    """[20.1] [14.1(2): concealed] The morale that the check leaves is the one that picks."""
    field = Field()
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-8", "holy_spaces=1", draws=["Al Qaeda", "Deception", "Intel"], dice=[1, 1, 2])

    assert field.morale == "medium"
    assert field.asked_for("roll", "draw") == ["node", "morale", "pick", "pick"]


def test_14_1_2_a_revealed_node_draws_as_well() -> None:
    """[14.1(2): seen] Revealed before: nothing to turn up, picks all the same; standing effects hold (C-11)."""
    field = Field()
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.node("3-8", "arms_cache")
    field.j3("3/1", "3-8", draws=["Deception", "Intel"])

    assert field.asked_for("draw") == ["pick", "pick"]


def test_14_1_2_a_node_under_coalition_units() -> None:
    """[14.1(2), 14.1(1)] The Node goes before the boots: entering it brings the reaction (ruling C-15), and only the
    force that entered fights; who stood there before does not.
    """
    # [14.1(1): under] [15.0: same]
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.put("3-10", "3/5")
    field.node("3-10", "c2")
    field.j3("3/1", "3-10", draws=["Heavy Weapons 6(1)"], dice=[6, 1, 1, 3, 3])

    assert field.says("A Node lies under your units", "14.1(2)")
    assert field.names_at("captured") == ["C2"]
    assert not any("3/5" in line for line in field.said)


def test_14_1_3_neither() -> None:
    """[14.1(3): neither] No Node and no unit there: picks by morale."""
    field = Field()
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Deception", "Intel"])

    assert field.says("medium morale, 2 counters", "14.1(3)")


def test_14_1_only_where_the_move_ends() -> None:
    """[14.1: end] No picks for the spaces on the way."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10 3-11 3-12", draws=["Deception"])

    assert field.asked_for("draw") == ["pick"]


def test_14_1_after_a_win_the_force_may_go_on() -> None:
    """[14.1: onward] With movement left, a force that has won moves on in the same OP, and draws anew where it stops next
    (ruling C-37).
    """
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3(
        "3/1", "3-10", "move_on=yes", "to=3-11", "move_on=no",
        draws=[HARMLESS, HARMLESS], dice=[6, 1, 1, 3, 3, 6, 1, 1, 3, 3],
    )  # fmt: skip

    assert (field.place("3/1"), field.ops, field.kia) == ("3-11", 64, 2)


def test_14_1_going_on_has_what_is_left_and_no_more() -> None:
    """[13.0] [14.1: onward] One space entered, two left."""
    from companion.core.errors import Illegal

    field = Field()
    field.set(morale=0)
    field.put("2-9", "3/1")
    with pytest.raises(Illegal, match="USMC 3/1 moves 2"):
        field.j3("3/1", "3-9", "move_on=yes", "to=3-10 3-11 3-12", draws=[HARMLESS], dice=[6, 1, 1, 3, 3])


@pytest.mark.parametrize(("path", "end", "offered"), [("2-6", "2-6", True), ("2-6 3-6", "3-6", False)])
def test_14_1_a_base_is_offered_to_forces_that_can_reach_it(path: str, end: str, offered: bool) -> None:
    """[14.1: onward] [13.2: base] Movement 2: with a point left a force may go on into a base; with that of the MSR alone it may
    not, and no base is offered to it.
    """
    field = Field()
    field.set(morale=0)
    field.put("1-6", "3/5")
    field.j3("3/5", path, "move_on=yes", f"to={end}", draws=[HARMLESS], dice=[6, 1, 1, 3, 3])
    to = [request for request in field.asked if request.key == "to"][-1]

    assert ("south base" in [choice.value for choice in to.legal_choices()]) is offered


@pytest.mark.parametrize("case", ["no battle", "no points", "node"])
def test_14_1_when_a_force_may_not_go_on(case: str) -> None:
    """[10.1(4): further] [14.1: onward] Not without a battle won, not without points, not after a capture (ruling C-37)."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    if case == "no battle":
        field.j3("3/1", "3-10", draws=["Deception"])
    elif case == "no points":
        field.j3("3/1", "3-10 3-11 3-12", draws=[HARMLESS], dice=[6, 1, 1, 3, 3])
    else:
        field.j3("3/1", "3-8", draws=["Abandoned Position", HARMLESS], dice=[6, 1, 1, 3, 3])

    assert "move_on" not in field.asked_for()


def test_14_1_leaving_a_base_and_going_on() -> None:
    """[14.1, 13.4] A force out of a Base that has won may go on with what it has left (ruling C-68)."""
    field = Field()
    field.set(morale=0)
    field.put("north base", "3/1")
    field.j3("3/1", "3-12", "move_on=yes", "to=3-11 3-10", draws=[HARMLESS, "Deception"], dice=[6, 1, 1, 3, 3])

    assert field.place("3/1") == "3-10"


def test_14_2_a_force_that_does_not_move_draws_nothing() -> None:
    """[14.2: still] A force that stays where it is meets no reaction."""
    field = Field()
    field.put("3-9", "3/1")
    field.j3("3/1", "3-9")

    assert field.asked_for("draw") == []


def test_14_3_all_picks_come_first() -> None:
    """[14.3: all] Every counter is picked before any is carried out."""
    field = Field()
    field.set(morale=2)
    field.put("3-9", "3/1")
    field.j3(
        "3/1", "3-10", "holy_spaces=0", "move_on=no",
        draws=["Morale Check", "Media Wars", HARMLESS], dice=[1, 1, 1, 1, 6, 1, 1, 3, 3],
    )  # fmt: skip

    assert field.asked_for("draw", "roll")[:5] == ["pick", "pick", "pick", "morale", "media"]


def test_14_3_2_events_in_the_order_picked() -> None:
    """[14.3(2): order] Media Wars first or Morale Check first, as they came out of the cup."""
    for order in (["Morale Check", "Media Wars"], ["Media Wars", "Morale Check"]):
        field = Field()
        field.put("3-9", "3/1")
        field.j3("3/1", "3-10", "holy_spaces=0", draws=order, dice=[1, 1, 1, 1])
        rolled = [key for key in field.asked_for("roll") if key in ("morale", "media")]
        assert rolled == (["morale", "media"] if order[0] == "Morale Check" else ["media", "morale"])


def test_14_3_3_units_are_deployed_after_the_events() -> None:
    """[15.0] [14.3(3): after] OPFOR units picked before an event still wait for it, then stand in the force's space."""
    field = Field()
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", "move_on=no", draws=[HARMLESS, "Media Wars"], dice=[1, 6, 1, 1, 3, 3])
    texts = field.said
    media = next(number for number, line in enumerate(texts) if "Media Wars" in line)
    fight = next(number for number, line in enumerate(texts) if "Battle at" in line)

    assert media < fight
    assert field.went(HARMLESS)[:2] == [("reaction cup", "battle", "14.1"), ("battle", "3-10", "14.3(3)")]


def test_14_3_1_deceptions_return_after_all_picks() -> None:
    """[14.3(1): after] A Deception is not in the cup while an Ambush picks; an event that is done is (ruling C-18)."""
    field = Field()
    field.set(morale=2)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Deception", "Media Wars", "Ambush", "Deception"], dice=[1])
    last = [request for request in field.asked if request.key == "pick"][-1]

    assert last.contents["Deception"] == 1
    assert last.contents["Media Wars"] == 1
    assert last.contents["Ambush"] == 1
    assert field.count("reaction cup", "event") == 22


def test_14_3_extra_picks_may_chain_and_draw_again() -> None:
    """[14.3] [14.5: back] Ambush, then Martyrs, then Media Wars a second time: each extra pick is part of its event (C-18)."""
    field = Field()
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Media Wars", "Ambush", "Martyrs", "Media Wars"], dice=[1, 3])

    assert field.ops == 64 + 1 + 3
    assert field.names_at("battle") == []


def test_14_3_returns_after_all_picks_as_a_switch() -> None:
    """[14.3] [14.5: back] Ruling C-18 switched: no event goes back before the last pick."""
    field = Field(returns="after_picks")
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Media Wars", "Ambush", "Intel"], dice=[1])
    last = [request for request in field.asked if request.key == "pick"][-1]

    assert "Media Wars" not in last.contents
    assert {"Media Wars", "Ambush"} <= set(field.names_at("reaction cup"))


def test_14_1_an_empty_cup_ends_the_picks() -> None:
    """[14.1] No more counters, no more picks."""
    field = Field()
    field.put("3-9", "3/1")
    for piece in field.position.at("reaction cup"):
        if piece.name != "Deception":
            field.put("aside", piece.name)
    field.set(morale=3)
    field.j3("3/1", "3-10", draws=["Deception", "Deception"])

    assert field.says("cup is empty", "14.1")


def test_14_3_a_counter_that_our_count_lacks() -> None:
    """[14.3] The board is the truth: a counter drawn from the real cup joins the game."""
    field = Field()
    field.set(morale=0)
    field.put("aside", "Media Wars")
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Media Wars"], dice=[1], anyway=True)

    assert field.ops == 65
    assert "Media Wars" in field.names_at("reaction cup")


def test_15_0_no_combat_without_opfor() -> None:
    """[15.0] [10.1(3): there] Only OPFOR units in the space bring a battle."""
    field = Field()
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Deception", "Intel"])

    assert field.says("No OPFOR combat unit appears", "14.3(3)")
    assert "edge" not in field.asked_for()


def test_15_0_the_whole_force_deserts_before_the_battle() -> None:
    """[14.5] [15.0: left] Iraqis Balk leaves nothing of the force: no battle, OPFOR back in the cup, the Node uncaptured and
    no OPs lost for a battle that was not fought (ruling C-61).
    """
    field = Field()
    field.put("3-9", "1 IG")
    field.node("3-8", "c2")
    field.j3("1 IG", "3-8", draws=["Iraqis Balk", HARMLESS], dice=[6])

    assert field.place("1 IG") == "out"
    assert field.says("no battle", "15.0")
    assert (field.ops, field.names_at("3-8")) == (64, ["C2"])
    assert field.names_at("reaction cup").count(HARMLESS) == 4


def test_15_0_surviving_units_fight_on() -> None:
    """[14.5] [15.0: left] Of a mixed force only the units that stay fight."""
    field = Field()
    field.put("3-9", "1 IG", "3/1")
    field.j3("1 IG, 3/1", "3-10", "move_on=no", draws=["Iraqis Balk", HARMLESS], dice=[6, 6, 1, 1, 3, 3])

    assert not any("1 IG" in line for line in field.said if line.startswith("Battle"))


def test_15_0_where_no_node_lies_none_stays() -> None:
    """[15.0] The whole force deserts in a space without a Node: nothing is said of one (ruling C-61)."""
    field = Field()
    field.put("3-9", "1 IG")
    field.j3("1 IG", "3-10", draws=["Iraqis Balk", HARMLESS], dice=[6])

    assert field.says("Nothing is left of the force: no battle.", "15.0")


WEAK = {"unit:USMC 3/1": "USMC 3/1 inf bn 3(3)3/2(2)1"}
"""A unit that is slow when reduced."""


@pytest.mark.parametrize(("switch", "left"), [("side_up", 0), ("at_start", 2)])
def test_14_1_the_movement_left_to_a_reduced_unit(switch: str, left: int) -> None:
    """[14.1, 8.3, 13.0] Movement 3, reduced 1, one space entered: none left by the side that is up, 2 as it set out (C-70)."""
    # [14.1: reduced]
    field = Field(facts=WEAK, movement_left=switch)
    field.set(morale=0)
    field.put("3-9", "3/1")
    answers = ["move_on=no"] if left else []
    field.j3("3/1", "3-10", *answers, draws=["Heavy Weapons 6(1)"], dice=[1, 6, 6, 1, 3, 3])

    assert field.face("3/1") == "reduced"
    prompts = [request.prompt for request in field.asked if request.key == "move_on"]
    assert [f"{left} movement points left" in prompt for prompt in prompts] == [True] * bool(left)


@pytest.mark.parametrize("switch", ["side_up", "at_start"])
def test_14_1_riders_go_on_at_their_own_speed(switch: str) -> None:
    """[14.1, 13.0, 25.2] The Amtrac (3) falls, 3/5 (2) has entered one space: one point is left, not two (ruling C-70)."""
    # [14.1: reduced]
    field = Field(movement_left=switch)
    field.set(morale=0)
    field.put("3-9", "3/5", "1 AT")
    field.reduce("1 AT")
    field.j3(
        "3/5, 1 AT", "2-9", "hit=1 AT", "move_on=yes", "to=2-8", draws=["Heavy Weapons 6(1)", "Deception"],
        dice=[1, 6, 6, 1, 3, 3],
    )  # fmt: skip

    assert "1 movement point left" in next(request.prompt for request in field.asked if request.key == "move_on")
    assert field.place("3/5") == "2-8"


def test_14_1_losing_a_slow_unit_gains_no_movement() -> None:
    """[13.0] [14.1: reduced] 3/1 (3) and 3/5 (2) entered one space; without 3/5 there is still one point left (ruling C-70)."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1", "3/5")
    field.reduce("3/5")
    field.j3("3/1, 3/5", "3-10", "hit=3/5", "move_on=no", draws=["Heavy Weapons 6(1)"], dice=[1, 6, 6, 1, 3, 3])

    assert field.place("3/5") == "eliminated"
    assert "1 movement point left" in next(request.prompt for request in field.asked if request.key == "move_on")
