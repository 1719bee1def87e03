"""[15.0, 16.0] Combat: the sequence, the Tactical Edge, fire, hits, continuation, withdrawal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.core.errors import Illegal, Unreadable
from companion.core.events import PieceFlipped
from companion.games.fallujah2004.rules.r16_battle import Fighter, least_loss
from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field

WON = (3, 3)
"""Dice for a leader check without a leader."""


def fought(
    field: Field | None,
    force: str,
    opfor: Sequence[str],
    *answers: str,
    dice: Sequence[int],
    to: str = "3-11",
    start: str = "3-10",
) -> Field:
    """A battle at ``to`` (default: urban 3-11): as many picks as OPFOR units; the force does not move on."""
    field = field or Field()
    field.put(start, *force.split(", "))
    field.set(morale=len(opfor) - 1)
    field.j3(force, to, *answers, draws=opfor, dice=dice)
    return field


# -- the sequence ------------------------------------------------------------------------------------------------


def test_16_1_1_everything_is_face_up() -> None:
    """[16.0, 16.1, 16.1(1)] [10.1(3): there] The battle names both sides, with what is printed on OPFOR's counters."""
    field = fought(None, "3/1, 3/5", ["Militia 1(1)", HARMLESS], "move_on=no", dice=[6, 1, 1, 1, *WON])

    assert field.says("Battle at 3-11 (urban): USMC 3/1, USMC 3/5 against Militia 1(1), Militia 0(0).", "16.1(1)")


def test_16_1_3_the_order_of_a_round() -> None:
    """[16.1(3), 16.1(3a)] NetWar before the Edge, strikes after it (C-52), then the Edge side's fire, then the other's."""
    field = Field()
    field.put("available", "NetWar", "Air Strike (3)")
    fought(
        field, "3/1", [HARMLESS], "netwar=no", "strikes=none", "continue=withdraw", "withdraw=all", "refuge=north base",
        dice=[1, 6, 6, 6],
    )  # fmt: skip

    order = [key for key in field.asked_for() if key in ("netwar", "edge", "strikes", "fire", "opfor_fire", "continue")]
    assert order == ["netwar", "edge", "strikes", "opfor_fire", "fire", "continue"]


def test_16_1_3b_the_edge_side_fires_first() -> None:
    """[16.1(3b), 16.1(3c), 16.2] Losses of the first volley come before the other side fires: no unit fires back."""
    # [16.1(3b): first] [16.1(3c): surviving] [16.1(4a): gone] [16.2: before]
    field = fought(None, "3/1", [DEADLY], "move_on=no", dice=[6, 1, 1, *WON])
    assert (field.kia, field.asked_for("roll")) == (1, ["edge", "fire", "leader_check"])

    field = fought(None, "SS", [DEADLY], dice=[1, 6, 6])
    assert (field.place("SS"), field.kia, field.asked_for("roll")) == ("eliminated", -1, ["edge", "opfor_fire"])


def test_16_1_3c_reduced_units_fire_back_reduced() -> None:
    """[16.1(3c), 16.3] A unit that lost a strength step fires with its other side: 3 no longer hits."""
    # [16.1(3c): surviving] [16.2: before]
    field = fought(None, "3/1", [DEADLY], "continue=withdraw", "withdraw=all", "refuge=north base", dice=[1, 6, 1, 3])

    assert (field.face("3/1"), field.kia) == ("reduced", -1)


def test_16_1_3d_used_support_goes_back() -> None:
    """[16.1(3d), 23.1, 12.2] Strikes and NetWar of the round are in Recruit when it is over, so later rounds lack them."""
    # [16.1(3d): used] [23.1: round]
    field = Field()
    field.put("available", "NetWar", "Air Strike (3)")
    fought(
        field, "3/1", [HARMLESS], "netwar=yes", "strikes=air", "continue=continue", "move_on=no",
        dice=[6, 1, 6, 6, 6, 6, 1, 1, *WON],
    )  # fmt: skip

    assert field.names_at("available") == []
    assert field.went("Air Strike (3)") == [("available", "recruit", "23.1")]
    assert field.asked_for().count("strikes") == 1


def test_16_1_4a_one_side_gone() -> None:
    """[16.1(6): alone] [9.3(2): both] [16.1(4a): gone] Who alone is left has won; the chart is not looked at."""
    field = fought(None, "3/1", [HARMLESS], "move_on=no", dice=[6, 1, 1, *WON])

    assert field.says("WON. No OPFOR unit is left.", "16.1(6)")
    assert "stand:low:urban" not in field.asked_for()


def test_16_1_4b_break_off() -> None:
    """[16.1(4): after] [16.1(4b): off] [16.1(4c): only] OPFOR breaks off: back in its cup, no KIA, and the battle won."""
    field = fought(Field(facts={"stand:low:urban": "break-off"}), "3/1", [HARMLESS], "move_on=no", dice=[6, 1, 6, 6, *WON])

    assert field.says("OPFOR breaks off. WON.", "16.1(4b)")
    assert (field.kia, field.names_at("reaction cup").count(HARMLESS)) == (0, 4)
    assert "leader_check" in field.asked_for()


def test_16_1_4c_continue_goes_back_to_the_edge() -> None:
    """[16.1(4c): only] [16.1(5): until] Another round begins with a new Tactical Edge."""
    field = fought(
        None, "3/1", [HARMLESS], "continue=continue", "continue=continue", "move_on=no",
        dice=[6, 1, 6, 6, 6, 1, 6, 6, 6, 1, 1, *WON],
    )  # fmt: skip

    assert field.asked_for().count("edge") == 3


# -- the Tactical Edge -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("space", "first"), [("3-11", "opfor_fire"), ("3-10", "fire"), ("3-8", "opfor_fire"), ("4-8", "opfor_fire")]
)
def test_16_1_2_ties_go_by_terrain(space: str, first: str) -> None:
    """[16.5] [16.1(2): tie] Equal totals (3+1 and 0+4): the Coalition's in the open, OPFOR's in urban, mosque and objective."""
    field = Field(facts={f"stand:low:{word}": "break-off" for word in ("open", "urban", "mosque", "objective")})
    field.clear("3-8", "4-8")
    fought(field, "3/1", [HARMLESS], "move_on=no", dice=[1, 4, 6, 6, *WON], to=space, start="3-9")

    assert field.asked_for("roll")[:2] == ["edge", first]
    assert field.says(", a tie in ", "16.1(2)")


@pytest.mark.parametrize(("dice", "first"), [((2, 4), "fire"), ((1, 5), "opfor_fire")])
def test_16_1_2_the_higher_total(dice: tuple[int, int], first: str) -> None:
    """[16.1(2d): die] [16.1(2): higher] 3+2 against 0+4 is the Coalition's, 3+1 against 0+5 is OPFOR's."""
    field = Field(facts={"stand:low:urban": "break-off"})
    fought(field, "3/1", [HARMLESS], "move_on=no", dice=[*dice, 6, 6, *WON])

    assert field.asked_for("roll")[1] == first


def test_16_1_2a_the_lead_units() -> None:
    """[16.1(2a): one] The Coalition leads with the highest contact of the force, OPFOR with its own highest."""
    field = fought(None, "3/5, SS", ["HVT 2(3)", "Militia 1(1)"], "move_on=no", dice=[6, 1, 1, 1, *WON])

    assert field.says("Coalition 4+6 = 10, OPFOR 3+1 = 4", "16.1(2)")


def test_16_1_2b_leader_and_node() -> None:
    """[16.1(2b): leader] [29.2: more] A leader adds 1, two leaders no more; a C2 adds 1 for OPFOR."""
    field = Field()
    field.put("3-9", "3/1", "3/5")
    field.lead("Leader A", "3/1")
    field.lead("Leader B", "3/5")
    field.node("3-8", "c2")
    fought(field, "3/1, 3/5", [HARMLESS], dice=[1, 1, 1, 1, *WON], to="3-8", start="3-9")

    assert field.says("Coalition 3+1 leader+1 = 5, OPFOR 0+1 Node+1 = 2", "16.1(2)")


def test_16_1_2b_two_nodes_add_1() -> None:
    """[16.1(2b): node] At most 1 from Nodes (ruling C-19)."""
    field = Field()
    field.node("3-10", "c2")
    field.node("3-10", "al_qaeda")
    fought(field, "3/1", [HARMLESS], dice=[1, 1, 1, *WON], to="3-10", start="3-9")

    assert field.says("OPFOR 0+1 Node+1 = 2", "16.1(2)")


@pytest.mark.parametrize(("switch", "asked"), [("per_round", 2), ("per_battle", 1)])
def test_16_1_2c_netwar_by_round_or_by_battle(switch: str, asked: int) -> None:
    """[16.1(2c)] [12.3: one] Ruling C-21: one marker each round, or one in the whole battle."""
    field = Field(netwar=switch)
    field.put("available", "NetWar", "NetWar", "NetWar")
    answers = ["netwar=yes", "continue=continue", *(["netwar=yes"] if switch == "per_round" else []), "move_on=no"]
    fought(field, "3/1", [HARMLESS], *answers, dice=[6, 1, 6, 6, 6, 1, 1, *WON])

    assert field.asked_for().count("netwar") == asked
    assert field.count("available", "strike") == 3 - asked


def test_16_1_2c_a_marker_not_committed_does_not_use_up_the_battles_one() -> None:
    """[16.1(2c): may] Under the switch the battle's one marker may still be committed in a later round."""
    field = Field(netwar="per_battle")
    field.put("available", "NetWar")
    fought(
        field, "3/1", [HARMLESS], "netwar=no", "continue=continue", "netwar=yes", "move_on=no",
        dice=[6, 1, 6, 6, 6, 1, 1, *WON],
    )  # fmt: skip

    assert field.names_at("available") == []


# -- fire and hits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "hits"), [(2, 1), (3, 1), (4, 0)])
def test_16_2_a_die_at_or_under_the_firepower_hits(face: int, hits: int) -> None:
    """[16.2: equal] Each unit rolls one die against its firepower (C-51): 3 hits at 3, not at 4."""
    field = Field(facts={"stand:low:urban": "break-off"})
    fought(field, "3/1", [HARMLESS], "move_on=no", dice=[6, 1, face, *([6] if not hits else []), *WON])

    assert field.kia == hits


def test_16_2_all_dice_fall_before_any_hit_is_placed() -> None:
    """[16.2: all] Two OPFOR units fire together, then both hits are placed."""
    field = fought(
        None, "3/1, 3/5", [DEADLY, DEADLY], "hit=3/1", "hit=3/5", "continue=withdraw", "withdraw=all", "refuge=north base",
        dice=[1, 6, 6, 6, 6, 6],
    )  # fmt: skip

    assert field.asked_for()[field.asked_for().index("opfor_fire") + 1 :][:3] == ["hit", "hit", "fire"]
    assert (field.face("3/1"), field.face("3/5")) == ("reduced", "reduced")


def test_16_3_the_player_places_hits_as_he_likes() -> None:
    """[16.3: own] Both on one unit, or spread."""
    field = fought(
        None, "3/1, 3/5", [DEADLY, DEADLY], "hit=3/1", "hit=3/1", "continue=withdraw", "withdraw=all", "refuge=north base",
        dice=[1, 6, 6, 6, 6],
    )  # fmt: skip

    assert (field.place("3/1"), field.face("3/5"), field.kia) == ("eliminated", "front", -2)


def test_16_3_the_proposed_unit_is_the_least_loss() -> None:
    """[16.3] Proposed is the strength step that costs the least firepower, then the least contact; a unit with a leader
    and an engineer last, where it would be eliminated.
    """
    plain, led, two_step = Fighter(3, 3), Fighter(3, 3, leader=True), Fighter(4, 3, 2, 2, 3)
    assert least_loss([plain, two_step], 1) == (1,)
    assert least_loss([led, plain], 1) == (1,)
    assert least_loss([Fighter(2, 2, engineer=True), Fighter(2, 3)], 1) == (1,)
    assert least_loss([Fighter(3, 3), Fighter(3, 2)], 1) == (1,)
    assert least_loss([Fighter(2, 3, 2, 1, 1, leader=True), Fighter(1, 0, engineer=True)], 1) == (0,)
    assert least_loss([Fighter(2, 1), Fighter(4, 3, 2, 2, 2)], 1) == (1,), "what is reduced can be refitted [18.3]"


def test_16_3_opfor_loses_its_weakest_first() -> None:
    """[16.3: weakest] By firepower (ruling C-26)."""
    field = Field(facts={"stand:high:urban": "break-off"})
    fought(field, "3/1, 3/5", [DEADLY, "Militia 1(1)", "Fedayeen 2(2)"], "move_on=no", "hit=3/1",
           dice=[6, 1, 1, 1, 6, *WON])  # fmt: skip

    assert field.eliminated == ["Militia 1(1)", "Fedayeen 2(2)"]


def test_16_3_among_equals_the_player_chooses() -> None:
    """[16.3: weakest] An HVT of 2 and a Fedayeen of 2: asked (ruling C-26)."""
    for chosen, lost in (("HVT 2(3)", ["HVT 2(3)"]), ("Fedayeen 2(2)", ["Fedayeen 2(2)"])):
        field = Field(facts={"stand:medium:urban": "break-off"})
        fought(field, "3/1", ["HVT 2(3)", "Fedayeen 2(2)"], f"opfor_loss={chosen}", "move_on=no", dice=[6, 1, 1, 6, *WON])
        assert field.eliminated == lost


def test_16_3_each_question_for_an_equal_unit_says_which_of_how_many() -> None:
    """[16.3: weakest] Two hits on three unlike equals are two questions; a single one has no number."""
    field = Field(facts={"stand:high:urban": "break-off", "opfor:hvt": "2(1) x1, 2(3) x1"})
    chosen = ["opfor_loss=HVT 2(1)", "opfor_loss=Fedayeen", "move_on=no"]
    fought(field, "3/1, 3/5", ["Fedayeen 2(2)", "HVT 2(1)", "HVT 2(3)"], *chosen, dice=[6, 1, 1, 1, 6, *WON])
    prompts = [request.prompt for request in field.asked if request.key == "opfor_loss"]
    assert prompts == [f"Equally weak: which OPFOR unit is lost {number} of 2?" for number in (1, 2)]

    field = Field(facts={"stand:medium:urban": "break-off"})
    fought(field, "3/1", ["HVT 2(3)", "Fedayeen 2(2)"], "opfor_loss=HVT", "move_on=no", dice=[6, 1, 1, 6, *WON])
    assert "Equally weak: which OPFOR unit is lost?" in [request.prompt for request in field.asked]


def test_16_3_of_equals_the_hvt_is_suggested() -> None:
    """[16.3: hvt] [6.1] It brings VP and does not come back, whatever the contact of the other, which returns to the cup."""
    field = Field(facts={"stand:medium:urban": "break-off", "opfor:hvt": "2(1) x1"})
    fought(field, "3/1", ["Fedayeen 2(2)", "HVT 2(1)"], "opfor_loss=HVT", "move_on=no", dice=[6, 1, 1, 6, *WON])
    (asked,) = [request for request in field.asked if request.key == "opfor_loss"]

    assert asked.suggest == field.find("HVT 2(1)").id


def test_16_3_hits_without_a_choice_are_not_asked() -> None:
    """[16.3] Hits enough for all equals, or equals that are alike; with one hit for two unlike ones the player is asked."""
    field = Field(facts={"stand:high:urban": "break-off"})
    trio = ["Militia 1(1)", "HVT 2(3)", "Fedayeen 2(2)"]
    fought(field, "3/1, 3/5", trio, "opfor_loss=HVT", "move_on=no", dice=[6, 1, 1, 1, 6, *WON])
    assert field.eliminated == ["Militia 1(1)", "HVT 2(3)"]

    field = fought(None, "3/1, 3/5, A Tank", trio, "move_on=no", dice=[6, 1, 1, 1, 1, *WON])
    assert "opfor_loss" not in field.asked_for()
    assert field.kia == 3


def test_16_3_the_places_of_eliminated_units() -> None:
    """[16.3: hvt] [16.5: coalition] HVT to their box, other OPFOR units to the cup, Coalition units to Eliminated (C-30)."""
    field = fought(None, "3/1, 3/5", ["HVT 2(3)", "Militia 1(1)"], "move_on=no", dice=[6, 1, 1, 1, *WON])
    assert (field.place("HVT 2(3)"), field.names_at("3-11")) == ("hvt box", ["USMC 3/1", "USMC 3/5"])
    assert field.went("Militia 1(1)")[-1] == ("3-11", "reaction cup", "16.3")

    field = fought(None, "SS", [DEADLY], dice=[1, 6, 6])
    assert field.place("SS") == "eliminated"
    assert field.names_at("3-11") == []


def test_16_3_two_strength_steps() -> None:
    """[4.2: flag] [16.3: steps] The first hit turns the unit to its reduced side, the second eliminates it."""
    field = fought(None, "3/1", [DEADLY], "continue=continue", dice=[1, 6, 6, 6, 1, 6, 6])

    assert (field.place("3/1"), field.face("3/1"), field.kia) == ("eliminated", "reduced", -2)
    assert [event.rule for event in field.events if isinstance(event, PieceFlipped)] == ["16.3"]
    assert field.moved("kia") == [(-1, "21.1(a)"), (-1, "21.1(b)")]


def test_16_4_nodes_neither_fire_nor_fall() -> None:
    """[16.4: fire] Hits beyond the last OPFOR unit do not touch the Node, and it has no die."""
    field = Field()
    field.node("3-8", "abandoned_position")
    fought(field, "3/1, 3/5", [HARMLESS], dice=[6, 1, 1, 1, *WON], to="3-8", start="3-9")

    assert field.kia == 1
    assert field.names_at("captured") == ["Abandoned Position"]


def test_16_5_hits_double_in_the_open() -> None:
    """[16.5: coalition] One hit takes two OPFOR units; each counts for KIA (ruling C-56)."""
    field = fought(None, "3/1", [HARMLESS, HARMLESS], "move_on=no", dice=[6, 1, 1, *WON], to="3-10", start="3-9")

    assert field.kia == 2
    assert field.says("doubled in the open: 2", "16.5")


def test_16_5_a_strongpoint_in_the_open_is_reported_even_if_the_hits_stay_the_same() -> None:
    """[16.5] [16.8] The printed example: of two hits one is taken off and the other doubled, and both are said."""
    field = Field()
    field.node("3-10", "strongpoint")
    fought(field, "3/1, A Tank", [HARMLESS, HARMLESS, HARMLESS], "continue=withdraw", "withdraw=all", "refuge=north base",
        dice=[6, 1, 1, 1, 6], to="3-10", start="3-9",
    )  # fmt: skip

    assert field.kia == 2
    assert field.says("2 hits, the Strongpoint takes 1 off and doubled in the open: 2", "16.5")


def test_16_5_opfor_hits_do_not_double() -> None:
    """[16.5: coalition] OPFOR hits in the open equal the roll."""
    field = fought(
        None, "3/1", [DEADLY], "continue=withdraw", "withdraw=all", "refuge=north base", dice=[1, 6, 6, 6],
        to="3-10", start="3-9",
    )  # fmt: skip

    assert (field.face("3/1"), field.kia) == ("reduced", -1)


def test_16_6_overkill_is_lost() -> None:
    """[16.6: more] Three hits on one unit: one KIA."""
    field = fought(None, "3/1, 3/5, A Tank", [HARMLESS], "move_on=no", dice=[6, 1, 1, 1, 1, *WON])

    assert field.kia == 1


@pytest.mark.parametrize("switch", [1, 3])
def test_16_8_strongpoint_takes_one_hit_off_each_round(switch: int) -> None:
    """[16.8: first] The first hit of every round is lost, so one hit a round never does anything."""
    field = Field(facts={"stand:low:mosque": "stand"})
    field.node("3-8", "strongpoint")
    rounds = [6, 1, 1, 6] * switch
    answers = ["continue=continue"] * (switch - 1) + ["continue=withdraw", "withdraw=all", "refuge=north base"]
    fought(field, "3/1", [HARMLESS], *answers, dice=rounds, to="3-8", start="3-9")

    assert field.kia == 0
    assert field.says("the Strongpoint takes 1 off: 0", "16.8")


@pytest.mark.parametrize("engineer", ["1 CE", "9 Arm"])
def test_16_8_an_engineer_undoes_it(engineer: str) -> None:
    """[16.8: engineer] [26.0: negates] With an engineer, armored ones included (C-28), every hit counts."""
    field = Field()
    field.node("3-8", "strongpoint")
    fought(field, engineer, [HARMLESS], dice=[6, 1, 1, *WON], to="3-8", start="3-9")

    assert field.kia == 1


def test_16_8_a_dead_engineer_undoes_nothing() -> None:
    """[16.2] [16.8: fallen] Only engineers that are still there when the Coalition fires."""
    field = Field()
    field.node("3-8", "strongpoint")
    field.put("3-9", "1 CE")
    field.reduce("1 CE")
    fought(
        field, "3/1, 1 CE", [DEADLY], "hit=1 CE", "continue=withdraw", "withdraw=all", "refuge=north base",
        dice=[1, 6, 6, 1], to="3-8", start="3-9",
    )  # fmt: skip

    assert field.place("1 CE") == "eliminated"
    assert field.kia == -1


# -- withdrawal --------------------------------------------------------------------------------------------------


def withdrawn(field: Field, force: str, *answers: str, to: str = "3-11", start: str = "3-10", rest: Sequence[int] = ()) -> Field:
    """A battle without a hit, after which the force withdraws."""
    shots = [6] * len(force.split(", "))
    return fought(field, force, [HARMLESS], "continue=withdraw", *answers, dice=[6, 1, *shots, 6, *rest], to=to, start=start)


@pytest.mark.parametrize(("unit", "refuge"), [("1/8", "2-11"), ("HG 1", "2-11"), ("FOB 1", "2-11"), ("", "north base")])
def test_16_7_to_coalition_units_or_a_base(unit: str, refuge: str) -> None:
    """[16.7: refuge] One space back, to a space with another Coalition combat unit (a helicopter will do) or to a Base; the
    battle is lost (C-24).
    """
    field = Field()
    if unit:
        field.put("2-11", unit)
    near = ["fob=yes"] if unit.startswith("FOB") else []
    withdrawn(field, "3/1", *near, "withdraw=all", f"refuge={refuge}")

    assert field.place("3/1") == refuge
    assert field.says("LOST. The whole force has withdrawn.", "16.7")
    assert "leader_check" not in field.asked_for()
    assert field.names_at("reaction cup").count(HARMLESS) == 4


def test_16_7_not_to_an_empty_space() -> None:
    """[16.7: refuge] A space without Coalition units is no refuge, nor is the space of the battle."""
    with pytest.raises(Illegal, match="no Coalition unit in 2-11"):
        withdrawn(Field(), "3/1", "withdraw=all", "refuge=2-11")
    with pytest.raises(Illegal, match="there already"):
        withdrawn(Field(), "3/1", "withdraw=all", "refuge=3-11")


def test_16_7_the_west_base_is_no_refuge_everywhere() -> None:
    """[13.4] [16.7: west] It is joined to 1-8 and not to 1-9."""
    field = withdrawn(Field(), "3/1", "refuge=west base", to="1-8", start="2-8")
    assert field.place("3/1") == "west base"
    with pytest.raises(Illegal, match="West Base opens on phase lines 6, 8, 10, 11, 12, not on 9"):
        withdrawn(Field(), "3/1", "refuge=west base", to="1-9", start="2-9")
    field = withdrawn(Field(), "3/1", "refuge=north base", to="1-9", start="2-9")
    (refuge,) = [request for request in field.asked if request.key == "refuge"]

    assert "west base" not in [choice.value for choice in refuge.legal_choices()]


def test_16_7_with_no_refuge_they_stay_and_fight() -> None:
    """[16.7: none] Only the board shows what is adjacent: with nothing there is no withdrawal, and the battle goes on."""
    field = withdrawn(Field(), "3/1", "withdraw=all", "refuge=none", "move_on=no", rest=[6, 1, 1, *WON])

    assert (field.place("3/1"), field.kia) == ("3-11", 1)


def test_16_7_withdrawal_is_optional() -> None:
    """[16.7: part] Some, none or all: none is as good as continuing."""
    field = withdrawn(Field(), "3/1", "withdraw=none", "move_on=no", rest=[6, 1, 1, *WON])

    assert field.kia == 1


def test_16_7_a_part_withdraws_and_the_rest_wins() -> None:
    """[16.1(4c), 17.0] [16.7: part] Units that stay fight on, and the battle is lost only when no unit is left (ruling C-23)."""
    field = withdrawn(Field(), "3/1, 3/5", "withdraw=3/5", "refuge=north base", "move_on=no", rest=[6, 1, 1, *WON])

    assert (field.place("3/5"), field.place("3/1")) == ("north base", "3-11")
    assert field.says("WON. No OPFOR unit is left.", "16.1(6)")
    assert field.asked_for("roll").count("fire") == 2


def test_16_7_a_part_withdraws_and_the_rest_falls() -> None:
    """[17.0] [16.7: part] Nobody left in the space: lost, though others are safe."""
    field = Field()
    fought(
        field, "SS, 3/5", [DEADLY], "hit=3/5", "continue=withdraw", "withdraw=3/5", "refuge=north base",
        dice=[6, 1, 6, 6, 6, 1, 6, 6],
    )  # fmt: skip

    assert (field.place("SS"), field.place("3/5"), field.face("3/5")) == ("eliminated", "north base", "reduced")
    assert field.says("LOST. No unit of the force is left.", "16.1(6)")


def test_16_7_the_odds_of_continuing_can_be_asked_for() -> None:
    """[16.1(4c)] Before the player decides he may see what continuing leads to, beside what withdrawing costs."""
    field = Field()
    field.node("3-8", "c2")
    withdrawn(field, "3/1", "withdraw=all", "refuge=north base", to="3-8", start="3-9")
    request = next(request for request in field.asked if request.key == "continue")
    assert request.odds is not None
    odds = request.odds()

    assert "3 OPs" in odds.notes[0]
    assert dict(odds.sections[0][1])["Coalition wins"] == pytest.approx(1.0)
    assert dict(odds.sections[-2][1]) == {"0": pytest.approx(1.0)}  # an OPFOR unit of firepower 0 cannot hit
    assert dict(odds.sections[-1][1]) == {"0": pytest.approx(1 / 2), "1": pytest.approx(1 / 2)}  # 3/1 hits on 1 to 3


def test_16_9_a_transport_takes_one_light_unit_to_a_base() -> None:
    """[24.6] [16.9: one] It flies one unit out while the others go one space back."""
    field = Field()
    field.put("2-11", "1/8")
    field.put("3-11", "HT 1")
    fought(
        field, "3/1, 3/5", [HARMLESS], "continue=withdraw", "withdraw=all", "refuge=2-11", "evacuate=3/1", "base=east base",
        dice=[6, 1, 6, 6, 6],
    )  # fmt: skip

    assert [field.place(name) for name in ("3/1", "HT 1", "3/5")] == ["east base", "east base", "2-11"]


def airlift(*names: str) -> Field:
    """A force that came by air into 3-11 and withdraws."""
    field = Field()
    field.put("2-11", "1/8")
    return withdrawn(field, ", ".join(names), "withdraw=all", "refuge=2-11", "evacuate=none")


def test_16_9_a_helicopter_that_fights_may_evacuate_when_it_withdraws() -> None:
    """[16.9: stacked] One that is part of the force: it takes its rider to a Base."""
    field = Field()
    field.put("2-11", "1/8")
    withdrawn(field, "3/1, HT 1", "withdraw=all", "refuge=2-11", "evacuate=3/1", "base=west base")

    assert (field.place("3/1"), field.place("HT 1")) == ("west base", "west base")


def test_16_9_evacuation_is_optional() -> None:
    """[16.9: may] It may: the helicopter goes back with the rest otherwise."""
    field = airlift("3/1", "HT 1")

    assert (field.place("3/1"), field.place("HT 1")) == ("2-11", "2-11")


def test_16_9_the_units_that_can_be_lifted() -> None:
    """[24.5, 24.6] [16.9: fit] Light units that are not Iraqi, by a transport; by the switch a special operations helicopter
    lifts SOF too (ruling C-72).
    """
    lifts = {"Joint HT 1": ["USMC 3/1", "USMC 1 FR"]}
    for switch, carried in (("transport", {}), ("any_lift", {"Joint HS 1": ["USMC 1 FR"]})):
        field = Field(evacuation=switch)
        field.put("2-11", "1/8")
        field.put("3-11", "HT 1", "HS 1")
        fought(
            field, "3/1, 1 IG, A Tank, 1 FR", [HARMLESS], "continue=withdraw", "withdraw=all", "refuge=2-11",
            *["evacuate=none"] * (1 + len(carried)), dice=[6, 1, 6, 6, 6, 6, 6],
        )  # fmt: skip
        offered = {
            request.prompt.partition(" may")[0]: [choice.value for choice in request.choices]
            for request in field.asked
            if request.key == "evacuate"
        }
        assert offered == {**lifts, **carried}


def test_16_9_a_helicopter_that_fights_on_lifts_no_unit() -> None:
    """[16.9: stacked] A helicopter of the force that stays in the battle is not stacked with the units that leave it."""
    field = Field()
    field.put("2-11", "1/8")
    fought(
        field, "3/1, HT 1", [HARMLESS], "continue=withdraw", "withdraw=3/1", "refuge=2-11",
        dice=[6, 1, 6, 6, 6, 6, 1, 1, *WON],
    )  # fmt: skip

    assert "evacuate" not in field.asked_for()
    assert (field.place("3/1"), field.place("HT 1")) == ("2-11", "3-11")


# -- a battle that is only described -----------------------------------------------------------------------------


def test_16_0_a_described_battle() -> None:
    """[16.0] A force with contact 5 and firepowers 4,3,3 against 2(1),1(1), without a session's set-up."""
    field = Field()
    field.do(
        "battle", "contact=5", "firepower=4,3,3", "opfor=2(1),1(1)", "terrain=urban", "with=nothing",
        dice=[3, 3, 4, 3, 6],
    )  # fmt: skip

    assert field.says("Coalition 5+3 = 8, OPFOR 1+3 = 4", "16.1(2)")
    assert (field.kia, field.ops) == (2, 65)


def test_16_0_a_described_battle_with_everything() -> None:
    """[16.0] Two-step units, a mob, an engineer in a Strongpoint, strikes and their Collateral Damage."""
    field = Field()
    field.do(
        "battle", "contact=3", "firepower=3/2", "opfor=mob,4(1)", "terrain=mosque",
        "with=strongpoint, engineer, leader, air 3", "strikes=all", "morale=stand", "continue=continue", "morale=break-off",
        dice=[6, 1, 1, 3, 6, 4, 5, 5, 6, 6],
    )  # fmt: skip

    assert field.ops == 64
    assert field.kia == 1 - 1


@pytest.mark.parametrize("bad", ["firepower=x", "firepower=4,,99", "opfor=3", "with=dragon", "with=air"])
def test_16_0_a_description_that_cannot_be_read(bad: str) -> None:
    """[16.0] An unreadable answer is refused with its notation."""
    answers = {"contact": "3", "firepower": "3", "opfor": "1(1)", "terrain": "urban", "with": "nothing"}
    key, _, value = bad.partition("=")
    answers[key] = value
    with pytest.raises(Unreadable):
        Field().do("battle", *(f"{name}={text}" for name, text in answers.items()))


def test_16_3_several_hits_in_one_answer() -> None:
    """[16.3: own] Both named at once, on two units or on one; the list says what a hit leaves of each."""
    rest = ["continue=withdraw", "withdraw=all", "refuge=north base"]
    spread = fought(None, "3/1, 3/5", [DEADLY, DEADLY], "hit=3/1, 3/5", *rest, dice=[1, 6, 6, 6, 6, 6])
    assert (spread.face("3/1"), spread.face("3/5")) == ("reduced", "reduced")
    (hit,) = [request for request in spread.asked if request.key == "hit"]
    rows = zip(hit.labels(), hit.legal_choices(), strict=True)
    assert [(label, choice.label, choice.hint_text) for label, choice in rows] == [
        ("1", "USMC 3/1", "fire 3, contact 3; reduced to fire 2, contact 2"),
        ("2", "USMC 3/5", "fire 4, contact 2; reduced to fire 2, contact 2"),
    ]
    assert not hit.has_quick_odds
    assert len(hit.odds().sections[0][1]) == 3  # two hits: both on one unit, both on the other, or one each

    twice = fought(None, "3/1, 3/5", [DEADLY, DEADLY], "hit=2 x 3/1", *rest, dice=[1, 6, 6, 6, 6])
    assert (twice.place("3/1"), twice.face("3/5"), twice.kia) == ("eliminated", "front", -2)


def test_16_7_a_single_unit_is_not_asked_which_units_withdraw() -> None:
    """[16.7] A single unit withdraws when the player chooses to withdraw."""
    field = withdrawn(Field(), "3/1", "refuge=north base")

    assert field.place("3/1") == "north base"
    assert [request.forced_reply() for request in field.asked if request.key == "withdraw"] == [["USMC 3/1"]]


def test_16_7_no_ground_unit_withdraws_over_a_river() -> None:
    """[13.3] [16.7: river] Over a blown bridge, which is asked as in a move, ground units do not go back; helicopters do."""
    for force, dry in (("3/1", True), ("HG 1", False)):
        field = Field(facts={"route:1-6/west base": ""})
        field.set(morale=0)
        field.put("1-6", "Bridge Blown")
        field.put("2-6", force)
        back = ["continue=withdraw", "refuge=west base", *(["river=yes", "refuge=none", "move_on=no"] if dry else [])]
        dice = [6, 1, 6, 6, *([6, 1, 1, *WON] if dry else [])]
        field.j3(force, "1-6", *(["river=no"] if dry else []), *back, draws=[HARMLESS], dice=dice)

        assert field.place(force) == ("1-6" if dry else "west base")
        assert field.asked_for().count("river") == (2 if dry else 0)


def test_16_7_places_out_of_reach_are_not_offered() -> None:
    """[16.7] Occupied spaces that lie side by side or are known to be joined, and the bases there; others can be named, and are
    asked about.
    """
    # [16.7: adjacent]
    field = Field(facts={"route:3-11/north base": "", "route:3-11/south base": "none"})
    field.put("2-11", "1/8")
    field.put("5-9", "1 CE")
    withdrawn(field, "3/1", "refuge=5-9", "joined=no", "refuge=2-11")
    first, _ = [request for request in field.asked if request.key == "refuge"]

    assert [choice.value for choice in first.legal_choices()] == ["2-11", "east base", "west base", "none"]
    assert (field.place("3/1"), field.facts["route:3-11/5-9"]) == ("2-11", "none")


def test_16_3_one_hit_is_offered_once_for_each_unit() -> None:
    """[16.3] A unit of two steps cannot take one hit twice."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1", "1/8")
    field.j3("3/1, 1/8", "3-10", "hit=3/1", "move_on=no", draws=["Heavy Weapons 6(1)"], dice=[1, 6, 6, 1, 1, 3, 3])
    (hit,) = [request for request in field.asked if request.key == "hit"]
    assert [choice.value for choice in hit.choices] == ["USMC 3/1", "USMC 1/8"]
