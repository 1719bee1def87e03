"""[6.0] Victory: the count, and what it makes of a game."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.procedures import ProcedureRun
from companion.games.fallujah2004.rules import r06_scenarios
from companion.testing.player import RandomPlayer
from tests.games.fallujah2004.field import Field
from tests.support.players import seat


def items(field: Field) -> dict[str, int]:
    """The items of the count that are not zero."""
    return {label: points for label, points, _ in field.game.score(field.position, field.options).items if points}


def total(field: Field) -> int:
    return field.game.score(field.position, field.options).total


def test_6_0_the_count_alone_decides() -> None:
    """[6.0] The total of all items is the result, and the verdict follows from it."""
    field = Field()
    field.put("available", "Air Strike (3)")
    score = field.game.score(field.position, field.options)

    assert score.total == sum(points for _, points, _ in score.items)
    assert (score.total, score.verdict) == (-20, "Debacle")


def test_6_1_a_held_holy_space_is_1_point() -> None:
    """[6.1: held] One point for each Objective or Mosque space with a ground unit in it, whatever the number of units."""
    field = Field()
    field.put("3-8", "3/1", "3/5")
    field.put("4-8", "1/8")
    field.put("3-9", "1 BW")

    assert items(field)["Objective and Mosque spaces occupied"] == 2


def test_6_1_helicopters_hold_nothing() -> None:
    """[24.7] [6.1: held] A helicopter over a Mosque is worth nothing (ruling C-9)."""
    field = Field()
    field.put("3-8", "HG 1")

    assert "Objective and Mosque spaces occupied" not in items(field)


def test_6_1_an_opfor_unit_denies_the_space() -> None:
    """[5.0, 6.2] Control takes a space without OPFOR units, for a Mosque or Objective as for the MSR."""
    field = Field()
    field.put("3-8", "3/1")
    field.put("1-6", "3/5")
    assert items(field)["Objective and Mosque spaces occupied"] == 1
    assert "1-6" not in r06_scenarios.empty_msr(field.position)
    militia = next(piece.name for piece in field.position.of_kind("opfor"))
    field.put("3-8", militia)
    field.put("1-6", militia)
    assert "1-6" in r06_scenarios.empty_msr(field.position)
    field.put("3-8", militia)
    assert "Objective and Mosque spaces occupied" not in items(field)


@pytest.mark.parametrize(("switch", "points"), [("no", 1), ("yes", 0)])
def test_6_1_whether_a_node_denies_the_space_is_a_switch(switch: str, points: int) -> None:
    """[6.1, 20.0] Ruling C-10: a Node is no unit and denies no control, unless switched."""
    field = Field(node_denies_control=switch)
    field.put("3-8", "3/1")
    field.put("4-12", "3/5")
    field.put("4-11", "1/8")
    field.put("5-10", "HG 1")
    field.put("3-9", "1 BW")
    field.clear("4-12", "4-11", "5-10")

    assert items(field)["Objective and Mosque spaces occupied"] == 2 + points


def test_6_1_captured_nodes_count_by_the_node_table() -> None:
    """[6.1, 20.3] Each captured Node counts what the table says: 0, 6, 2, 4, 2, 1, 0."""
    worth = {
        "abandoned_position": 0,
        "al_qaeda": 6,
        "arms_cache": 2,
        "c2": 4,
        "hostage_house": 2,
        "ied_factory": 1,
        "strongpoint": 0,
    }
    for kind, points in worth.items():
        field = Field()
        before = total(field)
        field.node("captured", kind)
        assert total(field) == before + points, kind


def test_6_1_several_nodes_of_a_kind_are_one_line() -> None:
    """[6.1] The count is itemised: two C2 are 8 points."""
    field = Field()
    field.node("captured", "c2")
    field.node("captured", "c2")

    assert items(field)["2 x C2 captured"] == 8


@pytest.mark.parametrize("kia", [7, -4])
def test_6_1_the_kia_index_counts_with_its_sign(kia: int) -> None:
    """[21.2] [6.1: kia] KIA is added when positive and taken off when negative."""
    field = Field()
    field.set(kia=kia)

    assert items(field)["KIA index"] == kia


def test_6_1_each_hvt_counts_its_contact() -> None:
    """[6.1: hvt] An eliminated HVT is worth its contact, other OPFOR units nothing."""
    field = Field()
    field.put("hvt box", "HVT 2(3)", "HVT 3(4)")

    assert (items(field)["HVT 2(3) eliminated"], items(field)["HVT 3(4) eliminated"]) == (3, 4)


def test_6_1_only_hvt_are_worth_points() -> None:
    """[6.1: hvt] Of an HVT and a Militia that fall in one battle the HVT alone is an item of the count; both are KIA."""
    field = Field()
    before = total(field)
    field.battle("3-9", "3/1, 3/5", ["HVT 2(3)", "Militia 1(1)"], "move_on=no", dice=[6, 1, 1, 1, 3, 3], start="3-10")

    assert items(field)["HVT 2(3) eliminated"] == 3
    assert not any("Militia" in label for label in items(field))
    assert total(field) - before == 3 + 2


def test_6_1_a_node_left_on_the_map_costs_a_point() -> None:
    """[6.1] Concealed, revealed or never visited: each Node on the map is -1; captured ones and the cup's are not."""
    # [6.1: remaining]
    field = Field()
    assert items(field)["Nodes left on the map"] == -20
    field.node("3-8", "c2")
    assert items(field)["Nodes left on the map"] == -20
    field.conceal("3-9")
    assert items(field)["Nodes left on the map"] == -21
    field.clear("3-8")
    assert items(field)["Nodes left on the map"] == -20


@pytest.mark.parametrize(("place", "points"), [("captured", 2), ("3-9", -2), ("battle", 0), ("out", -2)])
def test_6_1_the_downed_helicopter(place: str, points: int) -> None:
    """[6.1, 14.7] +2 captured, -2 not captured (and not -1 as a Node besides: C-17), nothing if never picked; one that
    was destroyed from the air is not captured either (C-66).
    """
    # [6.1: helicopter]
    field = Field()
    before = total(field)
    field.put(place, "Downed Helicopter")

    assert total(field) == before + points


def test_6_2_the_msr_is_5_points_and_only_the_board_knows() -> None:
    """[6.2] Cleared from the Main Bridge to the Cloverleaf: 5 points; asked at the end."""
    for said, points in (("yes", 5), ("no", 0)):
        field = Field()
        field.clear_map()
        field.do("end", f"msr={said}", "held=0")
        assert total(field) == points
        assert next(request.rule for request in field.asked if request.key == "msr") == "6.2"


def test_6_2_the_msr_is_asked_once() -> None:
    """[6.2] An answer about the MSR is not asked for again."""
    field = Field()
    field.clear_map()
    field.flag("msr cleared", True)
    field.do("end", "held=0")

    assert total(field) == 5


def test_6_1_unknown_spaces_are_asked_for_at_the_end() -> None:
    """[6.1] Companion proposes its own count of held spaces; what the player sees goes."""
    field = Field()
    field.clear_map()
    field.put("3-8", "3/1")
    field.do("end", "msr=no", "held=4")

    assert next(request.suggest for request in field.asked if request.key == "held") == 1
    assert items(field)["Objective and Mosque spaces occupied"] == 4


@pytest.mark.parametrize(
    ("kia", "degree"),
    [
        (-3, "Debacle"),
        (0, "Debacle"),
        (1, "Tactical Defeat"),
        (25, "Tactical Defeat"),
        (26, "Stalemate"),
        (50, "Stalemate"),
        (51, "Tactical Victory"),
        (75, "Tactical Victory"),
        (76, "Operational Victory"),
        (100, "Operational Victory"),
        (101, "Decisive Victory"),
        (500, "Decisive Victory"),
    ],
)
def test_6_3_degrees(kia: int, degree: str) -> None:
    """[6.3] The degree by the total, at both edges of each row."""
    field = Field()
    field.clear_map()
    field.set(kia=kia)

    assert total(field) == kia
    assert field.game.score(field.position, field.options).verdict == degree


def test_6_3_the_end_names_total_and_degree() -> None:
    """[6.3] The announcement holds the points, the degree, and below them each item with its rule."""
    field = Field()
    field.clear_map()
    field.set(kia=30)
    field.do("end", "msr=yes", "held=3")

    assert field.says("Victory points: 38, Stalemate.", "6.3")
    assert any("KIA index: +30 [21.0]" in getattr(event, "because", ()) for event in field.events)


def test_8_1_the_end_is_declared_only_with_no_node_left() -> None:
    """[8.1(b): last] Nodes on the map: no early end, unless the player insists."""
    field = Field()
    with pytest.raises(Illegal, match="20 Nodes"):
        field.do("end")
    field.do("end", "msr=no", "held=0", anyway=True)

    assert field.game.over(field.position)


def test_8_1_a_downed_helicopter_puts_the_end_off() -> None:
    """[8.1(b): last] It counts as a Node for the early end (ruling C-17)."""
    field = Field()
    field.clear_map()
    field.put("3-9", "Downed Helicopter")
    with pytest.raises(Illegal, match="1 Node"):
        field.do("end")


def test_8_1_a_reminder_says_that_the_game_may_end() -> None:
    """[8.1(b): may] With the last Node gone the choice is the player's: the game goes on until he declares the end."""
    field = Field()
    field.clear_map()
    field.put("available", "NetWar")
    field.do("j5", "markers=1", dice=[2])

    assert field.says("end the game (end), or play on", "8.1(b)")
    assert not field.game.over(field.position)


def test_8_1_an_army_that_took_every_op_ends_the_game() -> None:
    """[8.1(a)] With no OPs left after the first purchases no operation can begin; the end may be declared."""
    field = Field()
    field.set(ops=1)
    field.do("buy", "buy=3/1", "at=north base")
    with pytest.raises(Illegal):
        field.do("j3")
    field.do("end", "msr=no", "held=0")

    assert field.says("OPs index is at zero", "8.1(a)")


def test_6_1_6_2_known_spaces_are_not_asked_for_at_the_end() -> None:
    """[6.1] [6.2: every] Every space with a unit is entered, and the Main Bridge's is empty: no question."""
    field = Field()
    field.put("3-8", "3/1")
    field.clear_map()
    field.do("end")

    assert {request.key: request.forced_reply() for request in field.asked} == {"msr": False, "held": 1}
    assert ("Objective and Mosque spaces occupied", 1, "6.1") in field.game.score(field.position, field.options).items


def test_6_2_the_msr_is_asked_for_if_all_its_known_spaces_are_held() -> None:
    """[6.2: every] Other spaces of it may not have been told."""
    field = Field()
    for space, unit in zip(("1-6", "2-6", "3-6", "4-6", "5-6"), ("3/1", "3/5", "1/8", "1 CE", "1 BW"), strict=True):
        field.put(space, unit)
    field.clear_map()
    field.do("end", "msr=yes")

    assert ("MSR cleared", 5, "6.2") in field.game.score(field.position, field.options).items


def test_6_1_a_downed_helicopter_denies_the_space_as_a_node_does() -> None:
    """[6.1, 6.2, 14.7] It counts as a Node (ruling C-10 switched): no point for its space, and the MSR is not cleared there."""
    for switch, points, msr in (("no", 1, None), ("yes", 0, False)):
        field = Field(node_denies_control=switch)
        field.clear_map()
        field.put("3-8", "3/1", "Downed Helicopter")
        assert items(field).get("Objective and Mosque spaces occupied", 0) == points
        field.put("4-6", "Downed Helicopter")
        for space, unit in (("1-6", "3/5"), ("2-6", "1/8"), ("3-6", "SS"), ("4-6", "A Tank"), ("5-6", "B Tank")):
            field.put(space, unit)
        field.do("end", "msr=no", anyway=True)
        asked = {request.key: request for request in field.asked}
        assert asked["msr"].forced_reply() == msr


def test_6_1_the_question_at_the_end_speaks_of_nodes_where_they_deny() -> None:
    """[6.1, 6.2] The suggested number leaves those spaces out, and the question says so (ruling C-10)."""
    for switch, named in (("no", False), ("yes", True)):
        field = Field(node_denies_control=switch)
        field.clear_map()
        field.do("end", "msr=no", "held=0")
        prompts = [request.prompt for request in field.asked if request.key in ("msr", "held")]
        assert [("no Node" in prompt) for prompt in prompts] == [named, named]


def test_6_2_a_helicopter_clears_no_space() -> None:
    """[6.2: ground] With a gunship alone over one space of it the MSR is not cleared; beside infantry it does no harm."""
    for unit, certain in (("HG 1", False), ("1 BW", None)):
        field = Field()
        for space, placed in zip(("1-6", "2-6", "3-6", "4-6", "5-6"), ("3/1", "3/5", "1/8", "1 CE", unit), strict=True):
            field.put(space, placed)
        field.put("1-6", "HG 1" if unit != "HG 1" else "3/1")
        field.clear_map()
        field.do("end", *([] if certain is False else ["msr=yes"]))
        assert [request.forced_reply() for request in field.asked if request.key == "msr"] == [certain]


def test_6_2_an_empty_main_bridge_is_not_asked_about() -> None:
    """[6.2] The MSR runs from the Main Bridge: with no unit there it is not cleared, though the space has not been entered."""
    field = Field(facts={"bridge:main": "2-3"})
    field.clear_map()
    for space, unit in (("1-6", "3/5"), ("2-6", "1/8"), ("3-6", "SS"), ("4-6", "A Tank"), ("5-6", "B Tank")):
        field.put(space, unit)
    field.do("end")

    assert [request.forced_reply() for request in field.asked if request.key == "msr"] == [False]


def counted_now(player: RandomPlayer) -> int:
    """The victory points of a game that ends at the position of a player; what the position implies is not asked."""
    referee = player.game.new_referee(player.position, player.options)
    run = ProcedureRun(referee, r06_scenarios.final_count(referee), lambda effect: effect.resolve(player.facts).value)
    while run.request is not None:
        implied = run.request.forced_reply()
        suggested = run.request.suggest
        run.send(implied if implied is not None else suggested if suggested is not None else False)
    return player.game.score(run.referee.position, player.options).total


@pytest.mark.parametrize("seed", range(4))
def test_6_1_the_running_score_is_the_score_if_the_game_ended_now(seed: int) -> None:
    """At every position of random games."""
    player = seat("fallujah2004", seed)
    for _ in range(25):
        player.turn()
        if player.game.over(player.position):
            break
        assert player.game.score(player.position, player.options).total == counted_now(player)
