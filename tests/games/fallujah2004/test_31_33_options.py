"""[31.0, 32.0, 33.0] Joint operations, networked operations, interdiction."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from tests.games.fallujah2004.field import HARMLESS, Field

WON = (3, 3)


# -- joint operations --------------------------------------------------------------------------------------------


def test_31_0_iraqis_operate_apart() -> None:
    """[31.0] In Vigilant Resolve an Iraqi unit is in no force with others; off, or in Phantom Fury, it may be."""
    # [31.0: apart, second]
    for scenario, joint, allowed in (
        ("vigilant_resolve", "on", False),
        ("vigilant_resolve", "off", True),
        ("phantom_fury", "on", True),
    ):
        field = Field(scenario, joint=joint)
        field.set(morale=0)
        field.put("3-9", "3/1", "1 IG")
        if allowed:
            field.j3("3/1, 1 IG", "3-10", draws=["Deception"])
            assert field.place("1 IG") == "3-10"
        else:
            with pytest.raises(Illegal, match="Iraqi"):
                field.j3("3/1, 1 IG", "3-10")


def test_31_0_us_and_british_operate_together() -> None:
    """[31.0: apart] Only Iraqi units are apart."""
    field = Field(joint="on")
    field.set(morale=0)
    field.put("3-9", "3/1", "1 BW")
    field.j3("3/1, 1 BW", "3-10", draws=["Deception"])

    assert field.place("1 BW") == "3-10"


def test_31_0_all_may_stack() -> None:
    """[8.2] [31.0: apart] They may stand in one space."""
    field = Field(joint="on")
    field.put("3-9", "3/1")
    field.put("3-10", "1 IG")
    field.j3("3/1", "3-10")

    assert field.place("3/1") == "3-10"


@pytest.mark.parametrize(("joint", "asked"), [("on", False), ("off", True)])
def test_31_0_no_support_for_iraqis(joint: str, asked: bool) -> None:
    """[31.0: support] Neither Fire Support nor NetWar where Iraqi units fight."""
    field = Field(joint=joint)
    field.put("available", "Air Strike (3)", "NetWar")
    field.put("3-10", "1 IG")
    field.set(morale=0)
    answers = ["netwar=no", "strikes=none"] if asked else []
    field.j3("1 IG", "3-11", *answers, "move_on=no", draws=[HARMLESS], dice=[6, 1, 1, *WON])

    assert ("strikes" in field.asked_for()) is asked


def test_31_0_no_support_beside_iraqis_either() -> None:
    """[31.0: support] The text speaks of spaces: Iraqi units that stand there without fighting bar it too."""
    field = Field(joint="on")
    field.put("available", "Air Strike (3)", "NetWar")
    field.put("3-10", "1 IG")
    field.node("3-10", "abandoned_position")
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", draws=[HARMLESS], dice=[6, 1, 1, *WON])

    assert "strikes" not in field.asked_for()


@pytest.mark.parametrize(("scenario", "asked"), [("vigilant_resolve", False), ("phantom_fury", True)])
def test_31_0_iraqis_have_support_in_phantom_fury(scenario: str, asked: bool) -> None:
    """[31.0: second] With the option on."""
    field = Field(scenario, joint="on")
    field.put("available", "Air Strike (3)", "NetWar")
    field.put("3-10", "1 IG")
    field.set(morale=0)
    answers = ["netwar=no", "strikes=none"] if asked else []
    field.j3("1 IG", "3-11", *answers, "move_on=no", draws=[HARMLESS], dice=[6, 1, 1, *WON])

    assert ("strikes" in field.asked_for(), "netwar" in field.asked_for()) == (asked, asked)


# -- networked operations ----------------------------------------------------------------------------------------


def network(**options: str) -> Field:
    field = Field(networked="on", **options)
    field.put("available", "NetWar", "NetWar")
    field.put("3-9", "3/1")
    field.put("3-11", "3/5")
    field.set(morale=0)
    return field


def test_32_0_several_forces_into_one_space() -> None:
    """[32.0, 32.0(1), 32.0(3)] [10.2: networked] [32.0(2): one] One OP and one NetWar marker, which goes to Recruit (C-32); one
    reaction, and all fight together.
    """
    field = network()
    field.do(
        "networked", "force=3/1", "to=3-10", "more=yes", "force=3/5", "to=3-10", "more=no", "netwar=no",
        draws=[HARMLESS], dice=[6, 1, 1, 1, *WON],
    )  # fmt: skip

    assert (field.place("3/1"), field.place("3/5"), field.ops) == ("3-10", "3-10", 64)
    assert field.names_at("available") == ["NetWar"]
    assert field.went("NetWar") == [("available", "recruit", "32.0(1)")]
    assert field.says("USMC 3/1, USMC 3/5 against", "16.1(1)")


def test_32_0_not_unless_it_is_in_use() -> None:
    """[32.0] [10.2: networked] The option must be on."""
    action = next(action for action in Field().game.actions if action.id == "networked")
    field = Field()
    field.put("3-9", "3/1", "NetWar")
    field.put("available", "NetWar")

    obstacle = action.obstacle(field.position)
    assert obstacle is not None
    assert "is played without" in obstacle.text
    assert action.obstacle(network().position) is None


def test_32_0_a_marker_is_needed() -> None:
    """[32.0(1): marker] Refused without one, at no cost."""
    field = Field(networked="on")
    field.put("3-9", "3/1")
    with pytest.raises(Illegal, match="no NetWar marker"):
        field.do("networked")
    assert field.ops == 65


def test_32_0_iraqis_take_no_part() -> None:
    """[32.0: iraqi] Coalition forces, but not Iraqi ones."""
    field = network()
    field.put("3-9", "1 IG")
    with pytest.raises(Illegal, match="Iraqi"):
        field.do("networked", "force=1 IG", "to=3-10")


def test_32_0_one_space_for_all() -> None:
    """[32.0(3): same] Every force ends where the first did, and every one moves."""
    with pytest.raises(Illegal, match="every force ends in 3-10"):
        network().do("networked", "force=3/1", "to=3-10", "more=yes", "force=3/5", "to=3-12")
    with pytest.raises(Illegal, match="moves"):
        network().do("networked", "force=3/1", "to=3-9")


def test_32_0_the_second_force_is_offered_where_it_can_go() -> None:
    """[32.0(3), 8.2, 13.4] One space and the units that can end there: no Iraqis, none that stacking or the base excludes."""
    field = network()
    field.put("3-9", "3/5", "1/8", "1 IG")
    field.put("west base", "SS", "1 FR")
    field.put("north base", "C Tank", "2-7 Cav")
    field.do("networked", "force=3/1, 3/5", "to=4-9", "more=yes", "force=C Tank", "to=4-9", draws=["Deception"])
    forces = [request for request in field.asked if request.key == "force"]
    ways = [request for request in field.asked if request.key == "to"]

    assert [choice.value for choice in forces[1].choices] == ["USMC C Tank"]
    assert [choice.value for choice in ways[1].legal_choices()] == ["4-9"]


def test_32_0_the_one_space_is_not_offered_where_no_route_leads_there() -> None:
    """[13.0] [32.0(3): offered] Its name alone would be refused; a way around is typed."""
    field = network()
    field.facts["route:3-9/4-9"] = "none"
    field.put("4-10", "3/1")
    field.put("3-9", "3/5")
    with pytest.raises(Illegal, match="no route joins 3-9 and 4-9"):
        field.do("networked", "force=3/1", "to=4-9", "more=yes", "force=3/5", "to=4-9", draws=["Deception"])
    (_, to) = [request for request in field.asked if request.key == "to"]
    assert not to.legal_choices()


def test_32_0_no_unit_moves_twice() -> None:
    """[32.0(3): same] Units that have moved are not offered again."""
    field = network()
    field.do("networked", "force=3/1", "to=3-10", "more=yes", "force=3/5", "to=3-10", "more=no", draws=["Deception"])
    second = [request for request in field.asked if request.key == "force"][1]

    assert [choice.value for choice in second.choices] == ["USMC 3/5"]


def test_32_0_stacking_holds() -> None:
    """[32.0(3), 8.2] Three battalions are too many."""
    field = network()
    field.put("3-9", "1/8")
    with pytest.raises(Illegal, match="battalions"):
        field.do("networked", "force=3/1, 1/8", "to=3-10", "more=yes", "force=3/5", "to=3-10")


def test_32_0_a_failed_infiltration_keeps_its_effects() -> None:
    """[32.0, 27.1] What the Node does on reveal is done when all forces have arrived."""
    field = network()
    field.put("2-8", "1 FR")
    field.do(
        "networked", "force=1 FR", "to=3-8 3-9", "more=no",
        draws=["IED Factory", "Deception"], dice=[6, 1],
    )  # fmt: skip

    assert field.asked_for("roll") == ["infiltrate", "ied"]


def test_32_0_no_force_moves_on() -> None:
    """[32.0, 14.1] All end in one space, and there the operation ends (ruling C-63)."""
    field = network()
    field.do("networked", "force=3/1", "to=3-10", "more=no", "netwar=no", draws=[HARMLESS], dice=[6, 1, 1, *WON])

    assert "move_on" not in field.asked_for()


# -- interdiction ------------------------------------------------------------------------------------------------


def interdicted(
    *strikes: str,
    dice: tuple[int, ...],
    kind: str = "c2",
    space: str = "3-8",
    commit: str = "all",
    scenario: str = "vigilant_resolve",
) -> Field:
    field = Field(scenario, interdiction="on")
    field.set(ops=65)
    field.node(space, kind)
    field.put("available", *strikes)
    field.do("interdict", f"strikes={commit}", dice=dice)
    return field


def test_33_0_a_hit_eliminates_the_node() -> None:
    """[33.0: nothing, spent] For 1 OP, without OPs, VP or KIA (ruling C-54); the strikes are spent."""
    field = interdicted("Air Strike (3)", dice=(3,))

    assert field.count("3-8", "node") == 0
    assert (field.ops, field.kia, field.names_at("captured")) == (64, 0, [])
    assert field.went("Air Strike (3)") == [("available", "recruit", "23.1")]
    assert field.game.score(field.position, field.options).total == -19


def test_33_0_an_interdiction_without_a_strike_is_not_suggested() -> None:
    """[33.0] One strike at the least: Enter does not spend the OP for nothing."""
    field = interdicted("Air Strike (3)", "SOA Airstrike (4)", dice=(4, 5))
    (request,) = [request for request in field.asked if request.key == "strikes"]

    assert (request.low, request.suggest) == (1, None)  # type: ignore[attr-defined]


def test_33_0_a_miss_does_nothing() -> None:
    """[33.0: round] One round and no more: no reaction, no Edge, no return fire."""
    field = interdicted("Air Strike (3)", dice=(4,))

    assert field.count("3-8", "node") == 1
    assert field.asked_for("roll", "draw") == ["fire"]


def test_33_0_a_miss_spends_the_strike_too() -> None:
    """[23.1] [33.0: spent] It is in Recruit; one that was not used is still there."""
    field = interdicted("Air Strike (3)", "SOA Airstrike (4)", commit="air", dice=(4,))

    assert field.names_at("available") == ["SOA Airstrike (4)"]
    assert field.went("Air Strike (3)") == [("available", "recruit", "23.1")]


def test_33_0_any_number_of_air_strikes_soa_too_but_no_artillery() -> None:
    """[33.0: air] Special operations air is air (ruling C-35); artillery is not offered."""
    field = interdicted("Air Strike (3)", "SOA Airstrike (4)", "Artillery Strike (2)", dice=(6, 4))

    assert field.count("3-8", "node") == 0
    assert field.names_at("available") == ["Artillery Strike (2)"]


@pytest.mark.parametrize(
    ("scenario", "space", "strike", "lost"),
    [
        ("vigilant_resolve", "3-8", "Air Strike (3)", 1),
        ("vigilant_resolve", "3-9", "Air Strike (3)", 1),
        ("phantom_fury", "3-9", "Air Strike (3)", 0),
        ("phantom_fury", "3-8", "Air Strike (3)", 1),
        ("vigilant_resolve", "3-10", "Air Strike (3)", 0),
        ("vigilant_resolve", "3-8", "SOA Airstrike (4)", 0),
    ],
)
def test_33_0_collateral_damage_as_usual(scenario: str, space: str, strike: str, lost: int) -> None:
    """[33.0, 23.5] Each 6 of an ordinary air strike, by terrain and scenario (ruling C-35)."""
    assert interdicted(strike, dice=(6,), space=space, scenario=scenario).ops == 64 - lost


def test_33_0_only_revealed_nodes() -> None:
    """[33.0: revealed] A concealed one is no target, and without a target or a strike no OP is spent."""
    field = Field(interdiction="on")
    field.put("available", "Air Strike (3)")
    with pytest.raises(Illegal, match="no revealed Node"):
        field.do("interdict")
    field.put("recruit", "Air Strike (3)")
    field.node("3-8", "c2")
    field.node("4-8", "c2")
    with pytest.raises(Illegal, match="no air strike"):
        field.do("interdict")
    assert field.ops == 65


def test_33_0_the_player_names_the_node() -> None:
    """[33.0] Among several spaces, and where a helicopter lies with another Node, among both."""
    field = Field(interdiction="on")
    field.node("3-8", "c2")
    field.node("4-8", "strongpoint")
    field.put("3-8", "Downed Helicopter")
    field.put("available", "Air Strike (3)")
    field.do("interdict", "at=3-8", "node=Downed Helicopter", "strikes=all", dice=[1])

    assert field.place("Downed Helicopter") == "out"
    assert field.count("3-8", "node") == 1


def test_33_0_a_strongpoint_gives_no_shelter() -> None:
    """[33.0] It spares units, not itself."""
    assert interdicted("Air Strike (3)", dice=(1,), kind="strongpoint").count("3-8", "node") == 0


def test_33_0_the_way_is_free_then() -> None:
    """[33.0, 13.1] An eliminated Node stops no force."""
    field = interdicted("Air Strike (3)", dice=(1,))
    field.put("2-8", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-8 3-9", draws=["Deception"])

    assert field.place("3/1") == "3-9"


def test_33_0_with_joint_operations_not_beside_iraqis() -> None:
    """[33.0] [31.0: support] Fire support is not used in a space with Iraqi units."""
    field = Field(interdiction="on", joint="on")
    field.node("3-8", "c2")
    field.put("3-8", "1 IG")
    field.put("available", "Air Strike (3)")
    with pytest.raises(Illegal, match="Iraqi"):
        field.do("interdict")


def test_33_0_collateral_may_end_the_game() -> None:
    """[33.0, 8.1(a)] The last but one OP."""
    field = Field(interdiction="on")
    field.node("3-8", "c2")
    field.put("available", "Air Strike (3)")
    field.set(ops=2)
    field.do("interdict", "strikes=all", "msr=no", "held=0", dice=[6])

    assert field.game.over(field.position)


def test_32_0_a_force_noticed_on_the_way_has_a_separate_reaction() -> None:
    """[32.0(3), 27.1, 14.1] 3/1 is at 3-9, 1 FR is stopped at 4-8: the Node there hits 1 FR alone, each space has its reaction,
    and no other way had to be named (ruling C-71).
    """
    # [32.0(3): noticed]
    field = network()
    field.put("5-9", "1 FR")
    field.put("3-10", "3/1")
    field.do(
        "networked", "force=3/1", "to=3-9", "more=yes", "force=1 FR", "to=4-8 3-9", "more=no",
        draws=["IED Factory", "Deception", "Deception"], dice=[6, 5],
    )  # fmt: skip
    assert field.asked_for("roll", "draw") == ["node", "infiltrate", "ied", "pick", "pick"]
    assert (field.place("3/1"), field.face("3/1"), field.place("1 FR")) == ("3-9", "front", "4-8")
    assert field.names_at("captured") == ["IED Factory"]
    assert not any("IED against USMC 3/1" in line for line in field.said)


@pytest.mark.parametrize(("switch", "more"), [("apart", 2), ("ends", 1)])
def test_32_0_whether_others_still_go(switch: str, more: int) -> None:
    """[32.0(3), 27.1] A failed infiltration elsewhere stops that force alone, or by the switch all movement (ruling C-71)."""
    # [32.0(3): noticed]
    field = network(noticed=switch)
    field.put("5-9", "1 FR")
    field.put("3-10", "3/1")
    field.do(
        "networked", "force=3/1", "to=3-9", "more=yes", "force=1 FR", "to=4-8 3-9", *(["more=no"] if more == 2 else []),
        draws=["C2", "Deception", "Deception"], dice=[6],
    )  # fmt: skip

    assert field.asked_for().count("more") == more


def test_32_0_the_node_affects_units_already_there() -> None:
    """[20.1, 27.1, 32.0] 1 FR is noticed at 3-8 by an IED Factory: it rolls at once, alone, before an engineer or others join."""
    # [20.1: instant]
    for second, name in (("1 CE", "1 CE"), ("3/1", "3/1")):
        field = network()
        field.put("2-8", "1 FR")
        field.put("3-9", name)
        field.do(
            "networked", "force=1 FR", "to=3-8 4-8", "more=yes", f"force={second}", "to=3-8", "more=no",
            draws=["IED Factory", "Deception"], dice=[6, 5],
        )  # fmt: skip
        assert field.says("IED against USMC 1 FR: 5, miss.", "20.1")
        assert field.asked_for("roll") == ["infiltrate", "ied"]
        assert field.face(name) == "front"


def test_32_0_a_way_that_a_node_cuts_short_is_refused() -> None:
    """[13.1] [32.0(3): same] All end in one space: who must stop before it has named no such way."""
    field = network()
    field.put("2-8", "3/5")
    with pytest.raises(Illegal, match="every force ends in 3-10"):
        field.do("networked", "force=3/1", "to=3-10", "more=yes", "force=3/5", "to=3-8 3-10")


def test_33_0_insisting_does_not_bomb_iraqis() -> None:
    """[33.0, 31.0] Beside Iraqi units no strike may be used: nothing to insist on, and no OP is spent for nothing."""
    field = Field(interdiction="on", joint="on")
    field.node("3-8", "c2")
    field.put("3-8", "1 IG")
    field.put("available", "Air Strike (3)")
    with pytest.raises(Illegal, match="Iraqi"):
        field.do("interdict", anyway=True)
    assert field.ops == 65


def test_31_0_no_netwar_looks_at_a_space_with_iraqi_units() -> None:
    """[12.1] [31.0: support] NetWar is not used there, by J-2 either; in Phantom Fury it is."""
    for scenario, allowed in (("vigilant_resolve", False), ("phantom_fury", True)):
        field = Field(scenario, joint="on")
        field.put("available", "NetWar")
        field.put("3-8", "1 IG")
        if allowed:
            field.do("j2", "nodes=3-8", dice=[1])
            continue
        with pytest.raises(Illegal, match="no NetWar is used there"):
            field.do("j2", "nodes=3-8", dice=[1])
