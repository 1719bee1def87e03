"""[14.5, 14.7] The fourteen events, one by one."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.games.fallujah2004.facts import EVENT_KINDS
from tests.games.fallujah2004.field import DEADLY, HARMLESS, Field


def drawn(*names: str, dice: tuple[int, ...] = (), answers: tuple[str, ...] = (), field: Field | None = None) -> Field:
    """A force goes from 3-9 to 3-10 and these counters come up; each Ambush and Martyrs picks the one after all others."""
    field = field or Field()
    extra = sum(name in ("Ambush", "Martyrs") for name in names)
    field.set(morale=len(names) - extra - 1)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", *answers, draws=names, dice=dice)
    return field


def test_there_are_fourteen() -> None:
    """[14.5] Every kind has a row in the table of events, and all but Deception, which has no effect, have a procedure."""
    from companion.games.fallujah2004.rules.r14_reaction import _EVENTS

    assert {*_EVENTS, "deception"} == set(EVENT_KINDS) == set(Field().game.tables.charts["events"].rows)


def test_14_5_ambush() -> None:
    """[14.5, 16.1(2c)] Ambush picks one more and adds 1 to OPFOR's Edge in the first round only (C-20); it returns."""
    # [14.5: ambush] [16.1(2c): event]
    field = Field()
    field.put("3-10", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-11", "continue=continue", "move_on=no", draws=["Ambush", "Jihadists 3(2)"],
             dice=[2, 3, 6, 6, 3, 3, 1, 3, 3])  # fmt: skip

    assert field.says("OPFOR 2+1 event+3 = 6", "16.1(2)")
    assert field.says("OPFOR 2+3 = 5. Coalition fires first", "16.1(2)")
    assert field.names_at("reaction cup").count("Ambush") == 2


def test_14_5_two_ambushes_add_1() -> None:
    """[14.5: ambush] [16.1(2c): event] At most 1 from events (ruling C-19)."""
    field = drawn("Ambush", "Ambush", HARMLESS, dice=(4, 1, 1, 3, 3), answers=("move_on=no",))

    assert field.says("OPFOR 0+1 event+1 = 2", "16.1(2)")


def test_14_7_blow_bridges() -> None:
    """[14.7, 14.5] A die for each bridge: 5 and 6 blow it, 1 to 4 do not (C-3); the marker goes; the event is removed."""
    # [14.5: remove] [14.7: each]
    field = drawn("Blow Bridges", dice=(5, 4))

    assert [piece.place for piece in field.position.of_kind("marker")].count("1-7") == 1
    assert field.says("Main Bridge: 4, needs 5-6. It holds", "14.7")
    assert field.place("Blow Bridges") == "out"


def test_14_7_both_bridges_may_go() -> None:
    """[14.7: occupied, each] Each takes its own marker; a bridge that is blown already has no die."""
    field = drawn("Blow Bridges", dice=(5, 6))
    assert sorted(piece.place for piece in field.position.of_kind("marker")) == ["1-6", "1-7"]

    field.put("reaction cup", "Blow Bridges")
    drawn("Blow Bridges", field=field)
    assert field.asked_for("roll") == []
    assert field.says("blown already", "14.7")


def test_14_7_an_occupied_bridge_has_no_die() -> None:
    """[14.7: occupied] With any Coalition unit on it, a helicopter included, a bridge is safe (ruling C-3)."""
    field = Field()
    field.put("1-7", "HG 1")
    field.put("1-6", "3/5")
    drawn("Blow Bridges", field=field)

    assert field.asked_for("roll") == []
    assert field.says("Joint HG 1 hold it, no die", "14.7")


def test_14_7_the_main_bridge_is_printed_on_the_map() -> None:
    """[14.7] Where it lies is asked once; the Brooklyn Bridge is named in the rules, and is no Main Bridge."""
    field = Field(facts={"space:1-6": "urban msr water"})
    del field.facts["bridge:main"]
    with pytest.raises(Illegal, match="1-7 is the Brooklyn Bridge"):
        drawn("Blow Bridges", dice=(1, 1), answers=("bridge:main=1-7",), field=field)
    drawn("Blow Bridges", dice=(1, 1), answers=("bridge:main=1-6",), field=field)

    assert field.facts["bridge:main"] == "1-6"


def test_14_7_a_known_bridge_space_is_not_asked_for() -> None:
    """[14.7] 1-6 was entered as the Main Bridge."""
    field = Field()
    del field.facts["bridge:main"]
    drawn("Blow Bridges", dice=(1, 6), field=field)

    assert any(marker.place == "1-6" for marker in field.position.of_kind("marker"))


def test_20_2_a_raid_under_the_own_force_is_part_of_this_reaction() -> None:
    """[14.7, 20.2(a)] The Node revealed there is captured at once; no message says to wait for another force."""
    field = Field()
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", draws=["Rear Area Raid", "Hostage House"], dice=[3, 5, 5])

    assert field.says("so the Node is revealed; this reaction goes on", "20.2(a)")
    assert field.names_at("captured") == ["Hostage House"]


def test_14_5_civilians() -> None:
    """[14.5: civilians] [23.5: strikes] Under Civilians the dice of units do Collateral Damage on a 6 as well; it returns."""
    field = Field()
    field.put("3-10", "3/1", "3/5")
    field.set(morale=1)
    field.j3(
        "3/1, 3/5",
        "3-11",
        "continue=continue",
        "move_on=no",
        draws=["Civilians", HARMLESS],
        dice=[6, 1, 6, 6, 6, 6, 1, 1, 1, 3, 3],
    )

    assert field.moved("ops") == [(-1, "8.1"), (-2, "23.5")]
    assert field.place("Civilians") == "reaction cup"


@pytest.mark.parametrize(("switch", "lost"), [("by_terrain", 0), ("any_terrain", 1)])
def test_14_5_civilians_in_the_open_is_a_switch(switch: str, lost: int) -> None:
    """[14.5, 23.5] Ruling C-27: terrain decides as usual, or it costs in any terrain."""
    field = Field(civilians=switch)
    field.put("3-9", "3/1", "3/5")
    field.set(morale=1)
    field.j3("3/1, 3/5", "3-10", "move_on=no", draws=["Civilians", HARMLESS], dice=[6, 1, 1, 6, 3, 3])

    assert field.ops == 64 - lost


def test_14_3_1_deception() -> None:
    """[14.5] [14.3(1): after] Nothing, said so; it returns."""
    field = drawn("Deception")

    assert field.says("no effect", "14.3(1)")
    assert field.went("Deception")[-1] == ("battle", "reaction cup", "14.3(1)")


def test_14_7_downed_helicopter() -> None:
    """[14.7, 14.5] It goes to a random space and is a Node there."""
    field = drawn("Downed Helicopter", dice=(3, 5, 6))

    assert field.place("Downed Helicopter") == "3-11"
    assert field.place("3/1") == "3-10"


def test_14_7_downed_helicopter_on_a_node_is_one_node() -> None:
    """[14.7, 7.2] It is not rolled again when it meets a Node; both are one for the reaction and are captured together,
    each with its OPs (ruling C-16).
    """
    # [7.2: helicopter] [14.7: node]
    field = Field()
    field.node("3-8", "c2")
    drawn("Downed Helicopter", dice=(3, 4, 4), field=field)
    field.set(morale=0)
    ops = field.ops
    field.put("3-9", "3/1")
    field.j3("3/1", "3-8", draws=["Deception"])

    assert field.asked_for("draw") == ["pick"]
    assert field.names_at("captured") == ["C2", "Downed Helicopter"]
    assert field.ops == ops - 1 + 3 + 1


def test_14_7_any_force_may_draw_the_helicopter() -> None:
    """[14.7] A force of helicopters brings it on the map as well (ruling C-50)."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "HG 1")
    field.j3("HG 1", "3-10", draws=["Downed Helicopter"], dice=[3, 5, 6])

    assert field.place("Downed Helicopter") == "3-11"


def test_14_7_downed_helicopter_lost_battle() -> None:
    """[17.0] [14.7: node] A battle lost in its space costs 1 OP."""
    field = Field()
    field.put("3-10", "Downed Helicopter")
    field.put("3-9", "SS")
    field.set(morale=0)
    field.j3("SS", "3-10", draws=[DEADLY], dice=[1, 6, 6])

    assert field.moved("ops") == [(-1, "8.1"), (-1, "17.0")]
    assert field.place("Downed Helicopter") == "3-10"


def test_14_5_intel() -> None:
    """[22.0] [14.5: intel] Kept in Available as a NetWar marker; when it is spent it returns to its cup."""
    field = drawn("Intel")
    assert field.names_at("available") == ["Intel"]

    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", "netwar=yes", "move_on=no", draws=[HARMLESS], dice=[1, 1, 1, 3, 3])
    assert field.names_at("available") == []
    assert field.went("Intel") == [("available", "reaction cup", "14.5")]


@pytest.mark.parametrize(("face", "place"), [(4, "3-12"), (5, "out")])
def test_14_5_iraqis_balk(face: int, place: str) -> None:
    """[14.5] A die for each Iraqi infantry unit on the map or in a Base (C-44): 5 and 6 desert, out of play and without
    KIA; SOF and what is in Recruit have no die; the event is removed.
    """
    # [14.5: remove, balk]
    field = Field()
    field.put("3-12", "1 IG", "36 Cdo")
    drawn("Iraqis Balk", dice=(face,), field=field)

    assert (field.place("1 IG"), field.place("36 Cdo"), field.place("2 IG")) == (place, "3-12", "recruit")
    assert (field.kia, field.place("Iraqis Balk")) == (0, "out")


def test_14_5_iraqis_balk_without_iraqis_in_play() -> None:
    """[14.5: balk] No Iraqi infantry: no effect, said so."""
    assert drawn("Iraqis Balk").says("no effect", "14.5")


def test_14_5_a_deserter_takes_his_leader_along() -> None:
    """[14.5, 29.1] The leader is lost with the unit and may be recruited again (ruling C-62)."""
    field = Field()
    field.put("3-12", "1 IG")
    field.lead("Leader A", "1 IG")
    drawn("Iraqis Balk", dice=(6,), field=field)

    assert (field.place("Leader A"), field.find("Leader A").marks) == ("recruit", {})


def test_14_5_martyrs() -> None:
    """[16.1(4b)] [14.5: martyrs] One more pick, and OPFOR stands in this battle whatever the chart says; it returns."""
    field = Field(facts={"stand:low:open": "break-off"})
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-10", "continue=continue", "move_on=no", draws=["Martyrs", HARMLESS], dice=[6, 1, 6, 6, 6, 1, 1, 3, 3])

    assert field.says("Martyrs: OPFOR stands", "16.1(4b)")
    assert "stand:low:open" not in field.asked_for()


@pytest.mark.parametrize(("face", "ops"), [(1, 1), (2, -2), (3, 3), (4, -4), (5, 5), (6, -6)])
def test_14_5_media_wars(face: int, ops: int) -> None:
    """[10.4] [14.5: media] Odd gains, even loses the number rolled; it returns."""
    field = drawn("Media Wars", dice=(face,))

    assert field.ops == 64 + ops
    assert field.place("Media Wars") == "reaction cup"


def test_10_4_a_marker_that_takes_the_last_op_ends_the_game() -> None:
    """[10.4: once] At zero or less the game is over at once: what was picked is not carried out any more, no counter stays on
    the map or in the battle display, and victory is counted.
    """
    field = Field()
    field.set(ops=5, morale=3)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", "msr=no", "held=0", draws=["Mob Attack", "Media Wars", HARMLESS, "Ambush"], dice=[4])

    assert field.ops == 0
    assert field.game.over(field.position).startswith("Media Wars")
    assert field.names_at("battle") == []
    assert field.names_at("3-10") == ["USMC 3/1"]
    assert field.asked_for("roll") == ["media"]
    assert field.says("Victory points", "6.3")


def test_10_4_a_gain_ends_nothing() -> None:
    """[10.4: once] The last OP paid the operation; Media Wars brings three, and play goes on (ruling C-4)."""
    field = Field()
    field.set(ops=1)
    drawn("Media Wars", dice=(3,), field=field)

    assert (field.ops, field.game.over(field.position)) == (3, "")


def test_14_5_mob_attack() -> None:
    """[16.2] [14.5: mob] Contact 0, a strength rolled anew each round, hit as a unit, 1 KIA; it returns (ruling C-25)."""
    field = Field()
    field.put("3-10", "3/1")
    field.set(morale=0)
    field.j3(
        "3/1", "3-11", "continue=continue", "move_on=no",
        draws=["Mob Attack"], dice=[4, 6, 1, 6, 4, 2, 6, 1, 1, 3, 3],
    )  # fmt: skip

    assert field.says("Mob Attack rolls 4: it hits on 1-4 in this round", "14.5")
    assert field.says("Mob Attack rolls 2: it hits on 1-2 in this round", "14.5")
    assert field.face("3/1") == "reduced"
    assert field.kia == -1 + 1
    assert field.place("Mob Attack") == "reaction cup"


def test_14_5_a_mob_of_6_has_no_strength() -> None:
    """[14.5: mob] A 6 counts as zero, so that not even a 1 hits."""
    field = Field()
    field.put("3-10", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-11", "continue=withdraw", "withdraw=all", "refuge=north base", draws=["Mob Attack"], dice=[6, 6, 1, 6, 1])

    assert field.says("it cannot hit in this round", "14.5")
    assert field.face("3/1") == "front"


def test_14_5_a_mob_is_ranked_by_what_it_rolled() -> None:
    """[14.5, 16.3] Weakest first goes by this round's strength: a mob of 3 outlives a Militia of 1, one of 0 does not."""
    for rolled, weakest in ((3, "Militia 1(1)"), (6, "Mob Attack")):
        field = Field(facts={"stand:medium:urban": "break-off"})
        field.put("3-10", "3/1")
        field.set(morale=1)
        field.j3("3/1", "3-11", "move_on=no", draws=["Mob Attack", "Militia 1(1)"], dice=[rolled, 6, 1, 1, 6, 3, 3])
        assert field.eliminated == [weakest]


def test_14_5_morale_check() -> None:
    """[14.5, 9.2] The event checks morale and returns."""
    field = drawn("Morale Check", dice=(6, 6, 6), answers=("holy_spaces=3",))

    assert (field.morale, field.place("Morale Check")) == ("medium", "reaction cup")


def test_14_5_negotiations_in_scenario_1() -> None:
    """[14.5: negotiations] A die of OPs, taken when the J-3 is over: after captures, not before; it is removed."""
    field = Field()
    field.node("3-8", "c2")
    field.put("3-9", "3/1")
    field.set(morale=0)
    field.j3("3/1", "3-8", draws=["Negotiations"], dice=[4])

    assert field.moved("ops") == [(-1, "8.1"), (3, "20.3"), (-4, "14.5")]
    assert field.names_at("out") == ["Negotiations"]


def test_14_5_negotiations_may_end_the_game_only_at_the_end_of_the_j3() -> None:
    """[14.5, 8.1(a)] [10.4: negotiations] The battle is fought first; then the OPs are at zero (ruling C-4)."""
    field = Field()
    field.set(ops=4, morale=1)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", "move_on=no", "msr=no", "held=0", draws=["Negotiations", HARMLESS], dice=[6, 6, 1, 1, 3, 3])

    assert (field.kia, field.ops) == (1, -3)
    assert field.game.over(field.position)


def test_14_5_negotiations_without_ops() -> None:
    """[10.4] [14.5: penniless] With no OPs left it is removed and another counter picked in its stead (ruling C-5)."""
    field = Field()
    field.set(ops=1, morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Negotiations", "Media Wars"], dice=[3])

    assert (field.ops, field.names_at("out")) == (3, ["Negotiations"])


def test_14_5_negotiations_in_scenario_2() -> None:
    """[14.5: remove, negotiations] No effect in Phantom Fury; removed all the same."""
    field = drawn("Negotiations", field=Field("phantom_fury"))

    assert (field.ops, field.names_at("out")) == (89, ["Negotiations"])
    assert field.asked_for("roll") == []


def test_14_7_rear_area_raid() -> None:
    """[20.0] [14.7: empty] A Node from the cup, concealed, to a random space; the event returns."""
    field = drawn("Rear Area Raid", dice=(3, 5, 6))

    assert field.count("3-11", "concealed") == 1
    assert field.count("node pile", "concealed") == 3
    assert field.place("Rear Area Raid") == "reaction cup"


def test_14_7_no_node_left_no_raid() -> None:
    """[14.7: empty] With the cup empty nothing happens, without a die."""
    field = Field()
    field.conceal("2-8", "2-9", "2-10", "2-11")
    drawn("Rear Area Raid", field=field)

    assert field.says("no effect", "14.7")
    assert field.asked_for("roll") == []


def test_14_7_a_raid_on_coalition_units() -> None:
    """[14.7, 20.2(a)] The Node is turned up at once, with no reaction now (C-14)."""
    field = Field()
    field.put("3-11", "3/5")
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Rear Area Raid", "C2"], dice=[3, 5, 6])

    assert field.names_at("3-11") == ["C2", "USMC 3/5"]
    assert field.asked_for("draw") == ["pick", "node"]


def test_14_7_a_raid_on_coalition_units_does_what_the_node_does_on_reveal() -> None:
    """[14.7, 20.1] An IED Factory rolls for the ground units there, and an engineer among them prevents it (C-67)."""
    field = Field()
    field.put("3-11", "3/5", "HG 1")
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Rear Area Raid", "IED Factory"], dice=[3, 5, 6, 6])
    assert (field.face("3/5"), field.kia) == ("reduced", -1)

    field = Field()
    field.put("3-11", "3/5", "1 CE")
    field.set(morale=0)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Rear Area Raid", "IED Factory"], dice=[3, 5, 6])
    assert field.face("3/5") == "front"


def test_14_7_a_raid_on_the_operating_force_itself() -> None:
    """[14.7, 17.0] The Node is there when the battle is fought: it counts for the Edge and is captured with it."""
    field = Field()
    field.set(morale=1)
    field.put("3-9", "3/1")
    field.j3("3/1", "3-10", draws=["Rear Area Raid", HARMLESS, "C2"], dice=[3, 5, 5, 6, 1, 1, 3, 3])

    assert field.says("OPFOR 0+1 Node+1", "16.1(2)")
    assert field.names_at("captured") == ["C2"]


def test_14_7_a_raids_ied_destroys_the_operating_force() -> None:
    """[14.7, 15.0] Nothing is left to fight: no battle (ruling C-61)."""
    field = Field()
    field.set(morale=1)
    field.put("3-9", "SS")
    field.j3("SS", "3-10", draws=["Rear Area Raid", HARMLESS, "IED Factory"], dice=[3, 5, 5, 6])

    assert field.place("SS") == "eliminated"
    assert field.says("no battle", "15.0")
    assert field.names_at("3-10") == ["IED Factory"]


def test_14_5_uprising_elsewhere() -> None:
    """[11.1] [14.5: remains] It stays in play for the rest of the game and doubles the price of units."""
    field = drawn("Uprising Elsewhere")
    assert field.place("Uprising Elsewhere") == "in play"

    ops = field.ops
    field.do("j1", "buy=1/8", "at=north base")
    assert ops - field.ops == 1 + 2


@pytest.mark.parametrize(
    ("space", "dice", "consequence"),
    [("3-12", [3, 6, 6], "the next force to enter triggers the reaction"), ("", [3, 5, 5], "this reaction goes on")],
)
def test_14_7_a_helicopter_falls_onto_coalition_units(space: str, dice: list[int], consequence: str) -> None:
    """[14.7, 14.1(2)] What comes of it is said: in another space nothing yet, in the force's own the reaction goes on (C-15)."""
    field = Field()
    field.set(morale=0)
    field.put("3-9", "3/1")
    if space:
        field.put(space, "3/5")
    field.j3("3/1", "3-10", draws=["Downed Helicopter"], dice=dice)

    assert field.says(f"You hold that space: {consequence}.", "14.7")
