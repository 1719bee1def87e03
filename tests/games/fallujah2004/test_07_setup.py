"""[7.0] Set-up, random placement, and the course of play [8.0]."""

from __future__ import annotations

from functools import partial

import pytest

from companion.core.errors import Illegal
from companion.core.position import Position
from companion.games.fallujah2004.rules.r14_reaction import random_space
from companion.games.fallujah2004.state import SPACES
from tests.games.fallujah2004.field import EVENTS, HARMLESS, NODES, Field


@pytest.mark.parametrize(("scenario", "ops", "morale"), [("vigilant_resolve", 65, "medium"), ("phantom_fury", 90, "high")])
def test_7_1_the_indexes(scenario: str, ops: int, morale: str) -> None:
    """[7.0, 7.1, 7.1(2), 9.1] [7.1(1): morale] The scenario sets OPs and morale; KIA is 0 in both."""
    field = Field(scenario)

    assert (field.ops, field.morale, field.kia) == (ops, morale, 0)


def test_7_1_1_both_cups_are_filled() -> None:
    """[7.1(1), 14.0] Every OPFOR unit and event is in the Reaction cup, every Node in the Node cup; none is drawn."""
    field = Field()

    assert field.count("reaction cup", "event") == sum(EVENTS.values())
    assert field.count("reaction cup", "opfor") == 2 + 4 + 4 + 12 + 10
    assert field.count("node cup", "node") == sum(NODES.values())


def test_7_1_1_twenty_concealed_nodes() -> None:
    """[20.0] [7.1(1): holy] One for each Objective and Mosque space, 20 in all, the rest in the pile for raids; those whose
    space the owner has told are there by name.
    """
    field = Field()
    concealed = [piece.place for piece in field.position.of_kind("concealed")]

    assert concealed.count("node pile") == sum(NODES.values()) - 20
    assert {"3-8", "4-8", "5-8", "5-10", "4-11", "4-12"} < set(concealed)
    assert concealed.count("unopened") == 14


def test_7_1_1_a_space_first_visited_has_its_node() -> None:
    """[7.1(1): holy] An Objective or Mosque space that is entered only when a force goes there holds its Node from the set-up."""
    field = Field()
    field.put("2-9", "3/1")
    field.j3("3/1", "2-8 2-5", "space:2-5=mosque", draws=["Abandoned Position", "Deception", "Deception"])

    assert field.count("unopened", "concealed") == 13
    assert field.names_at("captured") == ["Abandoned Position"]


def test_7_1_1_a_space_has_one_node_from_the_set_up_and_no_second() -> None:
    """[7.1(1): once] Once its Node is captured, coming back finds none, and the others still wait for their spaces."""
    field = Field()
    field.set(morale=0)
    field.put("2-9", "3/1")
    field.j3("3/1", "2-5", "space:2-5=mosque", draws=["Abandoned Position", "Deception"])
    field.put("2-9", "3/1")
    field.j3("3/1", "2-5", draws=["Deception"])

    assert field.asked_for("draw") == ["pick"]
    assert field.count("unopened", "concealed") == 13


def test_8_4_a_concealed_node_has_no_identity() -> None:
    """[8.4: look] Nobody can look: a concealed Node is one of all Nodes not yet seen until a rule turns it up."""
    field = Field()
    field.put("available", "NetWar", "NetWar")
    field.do("j2", "nodes=3-8, 4-8", dice=[3, 3], draws=["C2", "Arms Cache"])

    assert [piece.name for piece in field.position.at("3-8")] == ["C2"]
    assert field.count("node cup", "node") == sum(NODES.values()) - 2


def test_7_1_2_all_coalition_counters_wait_in_recruit() -> None:
    """[7.1(2)] Units, strikes, NetWar and leaders start in the Recruit box."""
    field = Field()

    assert {piece.place for piece in field.position.pieces.values() if piece.kind in ("unit", "strike", "leader")} == {"recruit"}


def test_7_1_2_the_first_order_of_battle_is_no_operation() -> None:
    """[7.1(2): boxes] Buying before play costs only the prices (ruling C-7): 1 + 1/2 + 1/2 = 2, and no operation is counted."""
    field = Field()
    field.do("buy", "buy=3/1, air strike (3), netwar", "at=south base")

    assert (field.ops, field.track("operations")) == (63, 0)
    assert field.place("3/1") == "south base"
    assert field.names_at("available") == ["Air Strike (3)", "NetWar"]


def test_7_1_2_fractions_add_up_over_several_purchases() -> None:
    """[7.1(2), 11.1] One order of battle, however many lines it is typed in: 1/2, then 1/2, is 1 OP (C-43)."""
    field = Field()
    field.do("buy", "buy=netwar")
    assert field.ops == 64
    field.do("buy", "buy=netwar")
    assert field.ops == 64
    field.do("buy", "buy=artillery")
    assert field.ops == 63


def test_7_1_2_buying_is_over_with_the_first_operation() -> None:
    """[8.1] [7.1(2): before] After the first operation the order of battle is closed."""
    field = Field()
    buy = next(action for action in field.game.actions if action.id == "buy")
    assert buy.obstacle(field.position) is None
    field.do("buy", "buy=3/1", "at=north base")
    field.do("j3", "force=3/1", "to=south base")

    assert field.says("play begins", "8.1")
    assert buy.obstacle(field.position) is not None


def test_7_2_dice_name_the_space() -> None:
    """[7.2(1): route] [7.2(2): line] [7.2] 1d6 is the route, 2d6 the phase line: 3 and 4+5 is 3-9."""
    field = Field()
    field.set(morale=0)
    field.put("2-12", "3/1")
    field.j3("3/1", "3-12", draws=["Downed Helicopter"], dice=[3, 4, 5])

    assert field.place("Downed Helicopter") == "3-9"


def test_7_2_no_such_space_rolls_again() -> None:
    """[7.2] Ruling C-14: a crossing without a space is rolled again; the owner is asked once what is there."""
    field = Field()
    field.set(morale=0)
    field.put("2-12", "3/1")
    field.j3("3/1", "3-12", "space:6-2=none", draws=["Downed Helicopter"], dice=[2, 3, 4, 6, 1, 1, 3, 4, 5])

    assert field.says("There is no space 2-7", "7.2")
    assert field.says("There is no space 6-2", "7.2")
    assert field.place("Downed Helicopter") == "3-9"


def test_7_2_a_node_on_a_node_rolls_again() -> None:
    """[7.2: node] A raid's Node that meets a Node, concealed or revealed, goes elsewhere."""
    field = Field()
    field.set(morale=0)
    field.put("2-12", "3/1")
    field.node("4-8", "c2")
    field.j3("3/1", "3-12", draws=["Rear Area Raid"], dice=[3, 4, 4, 4, 4, 4, 3, 4, 5])

    assert field.count("3-9", "concealed") == 1
    assert field.count("3-8", "concealed") == 1


def test_7_2_a_map_full_of_nodes_has_no_room() -> None:
    """[7.2: full] On a map with a Node in every space a Raid has no effect, and nothing is rolled (ruling C-76); one space
    that is free is rolled for.
    """
    field = Field()
    for space in SPACES - {"3-9", "3-10"}:
        field.flag(f"space:{space}", "none")
    field.conceal("3-9")
    field.set(morale=0)
    field.put("south base", "3/1")

    field.play(partial(random_space, what="Rear Area Raid", again_on_node=True), dice=(3, 4, 5, 3, 4, 6))
    assert field.says("Rear Area Raid: 3 and 4+6 = 3-10", "7.2")
    field.conceal("3-10")
    field.play(partial(random_space, what="Rear Area Raid", again_on_node=True))
    assert field.says("Rear Area Raid: no space is left for it on the map", "7.2") and field.asked_for("roll") == []
    field.play(partial(random_space, what="Downed Helicopter", again_on_node=False), dice=(3, 4, 5))
    assert field.asked_for("roll") == ["location"]


def test_8_1_each_operation_costs_one_op() -> None:
    """[10.0] [8.1: paid] Starting an operation takes 1 OP, whichever it is."""
    field = Field()
    field.put("north base", "3/1")
    field.put("available", "NetWar")
    field.do("j3", "force=3/1", "to=south base")
    assert field.ops == 64
    field.do("j2", "nodes=3-8", dice=[1])
    assert field.ops == 63


def test_8_1_no_operation_without_ops() -> None:
    """[8.1: paid] [10.3: paid] An operation that cannot be paid is refused."""
    field = Field()
    field.put("north base", "3/1")
    field.set(ops=0)
    with pytest.raises(Illegal, match="costs 1 OP, and 0 are left"):
        field.do("j3", "force=3/1", "to=south base")


def test_8_1_a_the_last_op_still_pays_a_whole_operation() -> None:
    """[8.1(a): complete] The game is over at zero OPs, once the operation that the last one paid is complete (ruling C-4)."""
    field = Field()
    field.put("3-9", "3/1")
    field.set(ops=1, morale=0)
    field.j3("3/1", "3-10", "move_on=no", "msr=no", "held=0", draws=["Militia 0(0)"], dice=[6, 1, 1, 3, 3])

    assert field.kia == 1
    assert field.game.over(field.position) == "the OPs index is at zero"
    assert field.says("THE GAME ENDS", "8.1(a)")


def test_8_1_a_captured_ops_keep_the_game_alive() -> None:
    """[8.1(a), 20.3] The end is looked at when the operation is complete: OPs that it brings in count (ruling C-4)."""
    # [8.1(a): complete]
    field = Field()
    field.put("3-9", "3/1")
    field.node("3-8", "c2")
    field.set(ops=1, morale=0)
    field.j3("3/1", "3-8", draws=["Deception"])

    assert field.ops == 3
    assert not field.game.over(field.position)


def test_8_1_a_the_game_may_end_if_no_operation_is_possible() -> None:
    """[8.1(a): stranded] One OP and no unit in play buys nothing beside the J-1 that it takes; two buy a strike (ruling C-75)."""
    field = Field()
    field.set(ops=2)
    with pytest.raises(Illegal, match="2 OPs are left"):
        field.do("end")
    field.set(ops=1)
    field.put("available", "NetWar")
    with pytest.raises(Illegal, match="1 OP is left"):
        field.do("end")
    field.put("recruit", "NetWar")
    field.do("end", "held=0")

    assert field.game.over(field.position) == "no operation can be carried out with the 1 OP left"


def test_8_1_a_strikes_without_a_target_do_not_put_the_end_off() -> None:
    """[33.0] [8.1(a): stranded] Only an Interdiction that is possible is an operation left (ruling C-75)."""
    field = Field(interdiction="on")
    field.set(ops=1)
    field.put("available", "Air Strike (3)")
    field.node("3-8", "c2")
    with pytest.raises(Illegal, match="1 OP is left"):
        field.do("end")
    field.clear("3-8")
    field.do("end", "held=0")

    assert field.game.over(field.position) == "no operation can be carried out with the 1 OP left"


def test_8_2_eight_kinds_of_stack() -> None:
    """[8.2: each] Two battalions, two companies or platoons, one FOB and two helicopters, no more, after a move."""
    field = Field()
    field.put("3-9", "3/1", "3/5", "A Tank", "SS", "FOB 1", "HT 1", "HG 1")
    field.put("3-10", "1/8", "B Tank", "HS 1")
    for name, limited in (("1/8", "battalions"), ("B Tank", "companies and platoons")):
        with pytest.raises(Illegal, match=limited):
            field.do("j3", f"force={name}", "to=3-9")
    with pytest.raises(Illegal, match="helicopters"):
        field.do("j3", "force=HS 1", "to=3-9")


def test_8_2_only_the_end_of_the_move_counts() -> None:
    """[8.2: end] Any number may pass through a space on the way."""
    field = Field()
    field.put("3-9", "3/1", "3/5")
    field.put("3-10", "1/8")
    field.set(morale=0)
    field.j3("1/8", "3-9 2-9", draws=["Deception"])

    assert field.place("1/8") == "2-9"


def test_8_2_a_withdrawal_is_bound_by_no_limit() -> None:
    """[16.7] [8.2: retreat] A third battalion may withdraw to where it could not have ended its movement."""
    field = Field()
    field.put("3-10", "3/1", "3/5")
    field.put("3-9", "1/8")
    with pytest.raises(Illegal, match="3 battalions, limit 2"):
        field.do("j3", "force=1/8", "to=3-10")
    field.battle("3-11", "1/8", [HARMLESS], "continue=withdraw", "refuge=3-10", dice=[6, 1, 6, 6], start="2-11")

    assert field.names_at("3-10") == ["USMC 1/8", "USMC 3/1", "USMC 3/5"]


def test_8_2_bases_hold_any_number() -> None:
    """[8.2: bases] [13.4: limit] No limit in a Base."""
    field = Field()
    field.put("north base", "3/1", "3/5", "2-7 Cav")
    field.put("south base", "1/8")
    field.j3("1/8", "north base")

    assert field.count("north base", "unit") == 4


def test_8_2_opfor_counters_take_no_room() -> None:
    """[8.2: opfor] Nodes never count against the limit."""
    field = Field()
    field.put("3-9", "3/1", "3/5")
    field.node("3-8", "abandoned_position")
    field.set(morale=0)
    field.j3("3/1, 3/5", "3-8", draws=["Deception"])

    assert field.count("3-8", "unit") == 2


def test_10_3_the_same_units_may_act_again() -> None:
    """[10.3: paid] One force operates as often as OPs are paid."""
    field = Field()
    field.put("north base", "3/1")
    for base in ("south base", "east base", "north base"):
        field.j3("3/1", base)

    assert (field.ops, field.track("operations")) == (62, 3)


def test_10_1_every_operation_is_offered() -> None:
    """[10.1] J-1 to J-5."""
    assert {"j1", "j2", "j3", "j4", "j5"} <= {action.id for action in Field().game.actions}


def test_nothing_bought_is_a_warning() -> None:
    """[7.1(2)] Going into play with nothing is most likely a slip: warned of, not forbidden for ever."""
    field = Field()
    operation = next(action for action in field.game.actions if action.id == "j1")
    assert operation.obstacle(field.position) is not None
    field.do("buy", "buy=netwar")
    assert operation.obstacle(field.position) is None


def test_7_1_1_a_set_with_too_few_nodes_brings_a_warning() -> None:
    """[7.1(1)] 20 Nodes lie on the map: with 14 told, 14 are placed, and the line says it."""
    few = Field(facts={"nodes:al_qaeda": "0", "nodes:arms_cache": "0", "nodes:c2": "0"})
    few.position = Position()
    few.play(few.game.setup)

    assert few.says("Your set has 13 Nodes, and 20 lie on the map", "7.1(1)")
    assert few.says("in each Objective and Mosque space, 13 in all.", "7.1(1)")
    assert few.game.score(few.position, few.options).total == -13


def test_7_1_1_more_spaces_than_nodes_bring_a_warning() -> None:
    """[7.1(1)] The map has 20 Objective and Mosque spaces: of 22 that are entered the last two have none, and are named."""
    field = Field(facts={f"space:{route}-{line}": "mosque" for route in (1, 6) for line in (2, 3, 4, 5, 10, 11, 12, 7)})
    field.position = Position()
    field.play(field.game.setup)

    assert field.says("22 Objective and Mosque spaces are entered, the map has 20: no Node for 6-12, 6-7.", "7.1(1)")


def test_7_1_each_index_by_its_own_rule() -> None:
    """[7.1(1), 7.1(2), 30.2(2), 30.2(3), 30.2(4)] OPs, KIA and morale, in either battle of a campaign."""
    field = Field("campaign")
    field.clear_map()
    field.set(kia=4)
    field.do("end", "msr=no", "held=0")
    field.do("second")

    assert [field.moved(track)[-1][1] for track in ("ops", "kia", "morale")] == ["30.2(3)", "30.2(4)", "30.2(2)"]
