"""The planner for the Coalition: its proposals are legal, and it explains what it passes over."""

from __future__ import annotations

import pytest

from companion.core.events import PieceMarked, apply
from companion.core.policies import BOT, PLAIN
from companion.core.procedures import ProcedureRun
from companion.core.rollouts import RolloutDecision
from companion.games.iraqwar2003.ai.features import Features, kuwait_guards
from companion.games.iraqwar2003.ai.planner_coalition import facility_values, free_units, order_candidates, propose_bombing
from companion.games.iraqwar2003.ai.valuation import terrain_columns
from companion.games.iraqwar2003.facts import land_of
from companion.games.iraqwar2003.notation import is_naval
from companion.games.iraqwar2003.referee import units_on_map_of
from companion.games.iraqwar2003.rules.r05_air import AirGroup, PlannedMission
from companion.games.iraqwar2003.state import COALITION, DISRUPTED, FACILITY, IRAQ
from tests.games.iraqwar2003.field import mark, operations, said, send, unit
from tests.games.iraqwar2003.test_players import FACTS, GAME, match


def sight(position):  # type: ignore[no-untyped-def]
    """The features of a position for the Coalition."""
    return Features(GAME.referee(position, {}), COALITION, terrain_columns(GAME.tables.bot))


def test_it_takes_what_counts_and_is_asked_nothing() -> None:
    """[4.1, 15.2] A whole game in which it acts: it is asked nothing, and scores better than without moves."""
    played = match(BOT, PLAIN, "a")
    start = GAME.players.outcome(played.position, played.options).score
    assert played.play()
    story = played.story or []
    chosen = {reply.key for deed in story for reply in deed.replies if reply.source == "scripted"}
    assert not chosen & {"units", "support", "advance"}
    assert any(deed.action == "move" for deed in story)
    assert GAME.players.outcome(played.position, played.options).score > start + 4


def front(**options: str):  # type: ignore[no-untyped-def]
    """The Operation Phase of the Coalition on the made-up front, our opponent its player."""
    return operations("coalition", FACTS, coalition="bot", **options)


def test_an_order_says_what_it_is_worth() -> None:
    """[4.1(4)] The order, its value in victory points, and what was passed over and by how much."""
    table = front(opponent="acts")
    table.do("move", accept=True)
    assert said(table, "The Coalition orders ") and said(table, "VP by exact odds") and said(table, "out: ")


def test_disrupted_units_recover_first() -> None:
    """[7.3.3] It costs the Coalition nothing."""
    table = front(opponent="acts")
    mark(table, DISRUPTED, True, "1/3ID", "11Av")
    table.do("move", accept=True)
    assert said(table, "1/3ID, 11Av recover from disruption") or said(table, "11Av, 1/3ID recover from disruption")
    assert not unit(table, "1/3ID").mark(DISRUPTED)


def test_where_it_only_proposes_the_player_decides() -> None:
    """[4.1(4)] Its order is what Enter takes; another one goes as well."""
    table = front()
    table.do("move", "units=82AD > stay > none")
    assert unit(table, "82AD").mark("moved")
    assert said(table, "The Coalition orders ")


def test_ships_and_stealth_go_for_what_is_defended() -> None:
    """[2.5.4, 5.4.1(1), 5.6.1(1)] On the first turn no unit that can be shot down bombs facilities for less than that
    costs.
    """
    played = match(BOT, PLAIN, "a")
    planes = {piece.name: piece for piece in played.position.of_kind("air")}
    assert played.position.flag("phase") == FACILITY
    played.act()
    away = [piece for piece in played.position.of_kind("air") if piece.place != planes[piece.name].place]
    assert away and all(is_naval(piece) or "stealth" in FACTS[f"air:{piece.name}"] for piece in away)


def test_the_way_to_a_place_is_shorter_by_road() -> None:
    """[12.4] Half a point a hex, a whole one beside the road, and nothing where one is."""
    far = sight(match(PLAIN, PLAIN, "a").position).travel("3135")
    assert far["3135"] == 0 and far["3136"] == 1 and far["3137"] == 2 and far["3036"] == 3


def test_its_goals_are_what_iraq_holds() -> None:
    """[15.2] By their hexes, with their victory points; not what the Kurds hold at the start."""
    position = match(PLAIN, PLAIN, "a").position
    goals = sight(position).iraqi_vp_hexes
    assert sum(goals.values()) == 24 - 2 and goals["1321"] == 5 and "1107" not in goals
    assert all(land_of(position).place(number) for number in goals)


@pytest.mark.parametrize("seat", [COALITION, IRAQ])
def test_a_position_is_worth_to_one_side_what_it_costs_the_other(seat: str) -> None:
    played = match(PLAIN, PLAIN, "a")
    mine = GAME.players.value(played.position, played.options, seat)
    assert mine == -GAME.players.value(played.position, played.options, IRAQ if seat == COALITION else COALITION)


def test_two_units_keep_iraq_out_of_kuwait() -> None:
    """[15.2] One Iraqi unit there costs 2 VP a turn: the slowest stand in the two hexes with the widest way in, and stay."""
    played = match(BOT, PLAIN, "a")
    posts = kuwait_guards(sight(played.position))
    assert sorted(posts.values()) == ["3139", "3239"]
    assert all(not played.position.pieces[unit].values.get("fly") for unit in posts)
    played.play(lambda position: position.track("turn") == 5)
    stand = {piece.place for piece in units_on_map_of(played.position, COALITION)}
    assert {"3139", "3239"} <= stand


def test_the_rear_is_kept_by_the_british() -> None:
    """[10.0(2), 15.2] What Iraq holds near the supply source, and who is left there, before places far away."""
    position = match(PLAIN, PLAIN, "a").position
    features = sight(position)
    near = features.rear_goals()
    assert near["3135"] > near["3237"] and all(features.is_rear(number) for number in near) and "1321" not in near
    assert {number for number in features.field.foes if features.is_rear(number)} <= near.keys()


def boxes_hit(position, *kinds: str):  # type: ignore[no-untyped-def]
    """What the worth of each box is after all of some kinds are destroyed, by its name."""
    for piece in position.of_kind("box"):
        position = apply(position, PieceMarked(piece.id, "damaged", None, 1 if piece.values["box"] in kinds else None))
    game = GAME.referee(position, {})
    plans = [PlannedMission(AirGroup(), "box", piece.id, piece.name) for piece in position.of_kind("box")]
    return {plan.target: worth for plan, worth in facility_values(game, plans).items()}


def test_only_so_many_radios_are_bombed_as_the_die_does_not_make_up_for() -> None:
    """[11.1, 5.8.2(2)] Of five Radio boxes two, since a die brings three and a half; Radar is nothing without Air Fields."""
    played = match(BOT, PLAIN, "a")
    played.act()
    worths = boxes_hit(played.position)
    assert len([name for name in worths if "radio" in name and worths[name]]) == 2  # of 5
    assert all(worths[name] > 0 for name in worths if "radar" in name)
    assert not any(worth for name, worth in boxes_hit(played.position, "airfield").items() if "radar" in name or " aa" in name)


def test_a_guard_is_weak() -> None:
    """[15.2] Units that stay behind in a place are not those that are to break through."""
    played = match(BOT, PLAIN, "a")
    strong = [piece for piece in units_on_map_of(played.position, COALITION) if piece.name in ("1/3ID", "2/3ID", "3/3ID")]
    stack = [piece._replace(place="3135") for piece in strong]
    assert free_units(sight(played.position), stack) == stack


@pytest.mark.parametrize(("policy", "kinds"), [(BOT, set()), ("easy", {"think order"}), ("hard", {"think plan"})])
def test_its_decisions_are_awaited_as_such(policy: str, kinds: set[str]) -> None:
    """[4.1(4)] Slips of the easy level, plans of the hard one; candidate 0 is as usual, and without rollouts it is taken."""
    played = match(policy, PLAIN, "b")
    played.play(lambda position: position.track("turn") == 2)
    thoughts = [reply for deed in played.story or () for reply in deed.replies if reply.kind == RolloutDecision.kind]
    assert {reply.key for reply in thoughts} == kinds and all(reply.value == [0] for reply in thoughts)
    assert units_on_map_of(played.position, COALITION)


def test_a_unit_without_a_hex_has_no_neighbours() -> None:
    """[2.1.1(1)] The simple Coalition plays on from a table without hexes."""
    assert land_of(match(BOT, PLAIN, "a").position).neighbours("map") == ()


def ordered(table, *acted: str):  # type: ignore[no-untyped-def]
    """What it may order next, the best first, when some units have acted."""
    mark(table, "moved", True, *acted)
    game = table.game.new_referee(table.position, table.options)
    run = ProcedureRun(game, order_candidates(game), lambda effect: effect.resolve(table.facts).value)
    assert run.request is None
    return sorted(run.result or [], key=lambda order: -order.value)


def kurds(**options: str):  # type: ignore[no-untyped-def]
    """Its Operation Phase, with Kurds beside an Iraqi division as the only ones who have not acted."""
    table = front(**options)
    others = [piece.name for piece in units_on_map_of(table.position, COALITION) if piece.name != "KDP5"]
    return ordered(table, *others)


def test_16_5_2_kurds_expect_no_air_support_where_they_get_none() -> None:
    """[16.5(2)] Alone against a division they stay away then, and else reckon with what the strongest plane brings."""
    assert any("3 columns" in str(order.reasons) for order in kurds() if " > 1208" in order.decision)
    restricted = [order for order in kurds(nationality="on") if order.decision.endswith(" > 1208")]
    assert restricted and all("0 columns" in str(order.reasons) for order in restricted)


def test_10_0_2_kurds_leave_no_source_of_supply_empty_and_gather() -> None:
    """[10.0(2), 13.2(2)] The first of two goes, to where others of them stand; the second stays."""
    table = front()
    others = [piece.name for piece in units_on_map_of(table.position, COALITION) if piece.name not in ("KDP1", "KDP2")]
    best = ordered(table, *others)[0]
    there = {unit(table, name).place for name in ("KDP3", "KDP4", "KDP5")}
    assert best.decision.startswith("KDP2 > ") and best.decision.split(" > ")[1].split()[-1] in there
    send(table, unit(table, "KDP4").place, "KDP2")
    assert ordered(table, "KDP2")[0].decision.startswith("KDP1 > stay")


@pytest.mark.parametrize(("switch", "silenced"), [("on", True), ("off", False)])
def test_16_4_6_the_anti_air_unit_is_bombed_from_afar(switch: str, silenced: bool) -> None:
    """[16.4(6)] Disrupted, it never fires again: by stealth, though no unit is near it; else an ordinary unit."""
    table = operations("coalition", FACTS, coalition="bot", anti_air_unit=switch)
    game = table.game.new_referee(table.position, table.options)
    unit_there = unit(table, "SRGAA")
    ready = [piece for piece in table.position.of_kind("air") if piece.name in ("B-2", "F-117")]
    assert len(ready) == 2
    plan = PlannedMission(AirGroup(), "unit", unit_there.id, unit_there.name, city=True)
    run = ProcedureRun(game, propose_bombing(game, [plan], ready), lambda effect: effect.resolve(table.facts).value)
    assert ("SRGAA by B-2" in run.result) == silenced


EVERY = ("recommended", "sand_storms", "reinforcements", "palace", "railway", "same_division", "turkey", "mountains")
"""Options under which more is decided."""


@pytest.mark.parametrize("options", [(), ("recommended",), EVERY])
def test_of_the_player_only_the_board_is_asked_where_our_opponents_act(options: tuple[str, ...]) -> None:
    """[4.1, 10.0(3), 13.2(3), 15.2, 16.3(4), 16.8(2)] Open lines and control, as far as unknown; no decision of
    either side, artillery, reinforcements and storms included.
    """
    switched = {name: "on" for name in options if name in GAME.options} | ({"storm_die": "attackers"} if options == EVERY else {})
    played = match(BOT, BOT, "a", **switched)
    assert played.play(lambda position: position.track("turn") == 7)
    asked = {reply.key for deed in played.story or () for reply in deed.replies if reply.source == "scripted"}
    assert asked <= {"oos", "line", "kurds", "control", "held"}
