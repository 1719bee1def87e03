"""The planner's values: losses by the turns to go, hope, standoffs, streets, entries; each number of a rule follows that rule."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from companion.games import make_game
from companion.games.phantomfury.ai.features import Features, costs_to
from companion.games.phantomfury.ai.planner import (
    Move,
    assault_candidates,
    best,
    fire_candidates,
    forward_candidates,
    gain_of_moving,
    post_candidates,
    reinforcement_candidates,
    tank_goal,
    tank_value,
)
from companion.games.phantomfury.ai.valuation import Constants, Valuation, plain_features, read_valuation_constants
from companion.games.phantomfury.rules.r11_shots import Street
from companion.games.phantomfury.state import Fighter
from companion.session.tables import load
from tests.games.phantomfury.board import ZONES, Board


def new_valuation() -> Valuation:
    """A valuation with empty caches."""
    return Valuation(constants())


def constants() -> Constants:
    return read_valuation_constants(load("phantomfury").bot)


def seen_on(board: Board) -> Features:
    return Features(make_game("phantomfury", load("phantomfury")).new_referee(board.position, board.options), new_valuation())


def first_of(candidates: Iterable[Move]) -> Move:
    """The best candidate."""
    ranked = best(candidates)
    assert ranked is not None
    return ranked.best


def test_a_game_that_cannot_be_won_is_worth_no_losses() -> None:
    """[7.1, 14.1.1] Eight Zones a turn are hoped for; more than there are squads to take them are not."""
    hope, price = new_valuation().hope, new_valuation().price
    assert hope(45, 14) == hope(12, 1) == 1.0 and price(45, 14) > 5
    assert hope(30, 1) == 0.0 and price(30, 1) == 0.0
    assert price(4, 1) > price(4, 8)


def test_the_battalion_comes_while_victory_is_hoped_for() -> None:
    """[10.3, 7.2.1] Each of its squads costs 2 VP: with fifteen Zones in two turns they come, with sixty they do not."""
    board = Board(turn=15)
    board.ours("2", "3", "4")
    board.change(board.named("Squad 6").id, place="battalion box")
    named = [candidate.name for candidate in reinforcement_candidates(seen_on(board))]
    board.flag(zones=tuple(str(number) for number in range(1, 61)))
    late = [candidate.name for candidate in reinforcement_candidates(seen_on(board))]
    assert any(name.startswith("Squad 6") for name in named) and not any(name.startswith("Squad 6") for name in late)


def test_a_lost_game_is_played_for_its_zones() -> None:
    """[7.1] With one Zone less left to the insurgents it is worth more, even if a squad was eliminated for it [7.2.1]."""
    board = Board(turn=16)
    board.flag(over="the last turn is over", winner="insurgents")
    board.ours("2", "3")
    board.set(vp=0)
    few, value = board.position, new_valuation().position
    board.ours("4")
    board.set(vp=-2)
    assert value(board.position) > value(few) and value(few) < constants().game_lost


def test_features_count_what_lies_on_the_table() -> None:
    """[4.1.4, 5.2] Zones left, turns to go, squads by their state, enemies by their kind."""
    board = Board(turn=12)
    board.ours("2", "3")
    board.zone("14")
    board.squad(1, "2-C", face="reduced")
    board.squad(4, "3-C", pinned=True)
    board.squad(8, "14-C", caat=True)
    for where, name in (("14-1", "G2/M3"), ("14-2", ""), ("14-R", "")):
        board.enemy(where, name)
    board.enemy("14-2'", "G3/M2", martyrs=True)
    board.set(vp=-2, uav=2, fa18=1)
    found = plain_features(board.position)
    expected = {"turns": 5, "left": 13, "pace": 2.6, "squads": 3, "reduced": 1, "pinned": 1, "inside": 1, "suspects": 2}
    expected |= {"guerillas": 1, "martyrs": 1, "vp": -2, "missions": 3, "ammo": 1, "company": 3}
    assert {name: found[name] for name in expected} == expected


def test_a_loss_weighs_more_the_more_turns_are_to_go() -> None:
    """[7.2.1] A squad that crosses a street with two units beside it: 2 VP with 3 of 10, and what it would have done."""
    early, late = (seen_on(Board(turn=turn)) for turn in (2, 16))
    crossed = early.valuation.crossing(early.referee, Fighter(5), Street(2, 0))
    assert crossed.cost == pytest.approx(0.3 * 2)
    assert crossed.force == pytest.approx(0.3 * constants().squad_reduction)
    assert early.toll(crossed) - late.toll(crossed) == pytest.approx(
        14 * constants().squad_force * 0.3 * constants().squad_reduction
    )


def test_pinned_in_a_street_costs_more_than_in_a_house() -> None:
    """[14.3.4] It regroups with +2, and no other squad passes [12.2.3.2]."""
    seen = seen_on(Board())
    cost = seen.valuation.crossing(seen.referee, Fighter(5), Street(0, 4)).cost
    assert cost == pytest.approx(0.5 * constants().squad_stuck)


def test_a_squad_among_insurgents_does_not_stand_and_wait() -> None:
    """[11.1, 12.4.3] Nobody can help it and it cannot leave: it Assaults Martyrs that it would leave alone from next door."""
    board = Board(turn=4)
    board.set(phase=4)
    board.ours("14")
    board.zone("15")
    board.enemy("15-1", "G2/M3", martyrs=True)
    board.enemy("15-2", "G3/M4", martyrs=True)
    board.squad(8, "15-C")
    inside = first_of(assault_candidates(seen_on(board)))
    assert inside.decision.answers == {"squad": "8", "target": "15-1"} and inside.value > 0
    board.set(turn=16)
    board.flag(zones=tuple(str(number) for number in range(1, 61)))  # too many: points are saved
    assert first_of(assault_candidates(seen_on(board))).value < 0


def test_squads_come_in_where_a_way_leads_to_the_insurgents() -> None:
    """[10.1, 12.1.2] Zone 12 is next to the insurgents, but past Zone 22 with a squad in it no way leads on."""
    board = Board(turn=2)
    board.ours("12", "3")
    board.zone("14", "15", "22")
    for where in ("14-1", "15-1", "22-1", "22-2"):
        board.enemy(where)
    board.squad(8, "22-C")
    board.squad(4, "3-C")
    seen = seen_on(board)
    first = first_of(candidate for candidate in reinforcement_candidates(seen) if "zone" in candidate.decision.answers)
    assert first.decision.answers["zone"] == "3"
    assert costs_to(seen.referee.town, "32", seen.ours).get("12-C") is None
    assert costs_to(seen.referee.town, "22", seen.ours)["12-C"] == 2


def test_an_m1a1_goes_where_squads_cross() -> None:
    """[11.4.2.2] Street s has two squads and four Suspects at its sides, street u none: there it does most."""
    board = Board(turn=3)
    board.set(phase=3)
    board.ours("2", "3", "4")
    board.zone("14", "15")
    for where in ("14-1", "14-2", "15-1", "15-2"):
        board.enemy(where)
    board.squad(1, "2-C")
    board.squad(4, "3-C")
    board.change("m1a1", place="street n")
    seen = seen_on(board)
    tank = seen.referee.tanks()[0]
    assert gain_of_moving(seen, tank) > 1 and tank_value(seen, "n", tank) == 0
    assert tank_goal(seen, tank, ["n", "t", "s"]) == "s"


def test_an_m1a1_comes_from_afar_and_squads_gather_at_the_mosque() -> None:
    """[11.1.3, 5.1.6.1] Only Zone 26 is left: units with nothing to do elsewhere come to fire at it."""
    board = Board(turn=9)
    board.set(phase=3)
    board.ours(*(zone for zone in ZONES if zone != "26"))
    board.strong("26")
    board.enemy("26-1", "G3/M4", martyrs=True)
    board.squad(1, "3-C")
    board.change("m1a1", place="street n")
    board.flag(**{"section:t": "3 4 16; next n s x", "section:x": "16 26; next t"})
    seen = seen_on(board)
    tank = seen.referee.tanks()[0]
    assert tank_goal(seen, tank, ["s", "t"]) == "t" and tank_goal(seen, tank, ["s", "t", "x"]) == "x"
    first = first_of(post_candidates(seen, seen.squads[0]))
    assert first.value > 0.08 and first.decision.answers["to"].startswith(("16-", "street"))


def test_a_squad_leaves_when_another_can_come_in_its_place() -> None:
    """[14.4] Alone it holds its Zone against those beside it; with a squad behind it that nothing holds it goes on."""
    values = []
    for relief in ("beside the map", "3-1"):
        board = Board(turn=5)
        board.set(phase=3)
        board.ours("2", "3", "4", "14")
        board.zone("15", "24")
        board.enemy("24-1")
        board.enemy("24-2")
        board.squad(1, "14-R")
        board.squad(4, relief)
        options = {
            candidate.decision.answers["to"]: candidate.value
            for candidate in forward_candidates(seen_on(board), seen_on(board).squads[0])
        }
        values.append(options["15-R"])
    assert values[0] < 0 < values[1]


def test_enemies_on_the_route_are_fired_at_first() -> None:
    """[11.2, 12.7] A hit at a Suspect counts double while another squad can still enter its Zone in the same turn."""
    values = []
    for pinned in (False, True):
        board = Board(turn=3)
        board.set(phase=2)
        board.ours("3")
        board.zone("14", "15")
        for where in ("14-1", "14-2", "15-1", "15-2"):
            board.enemy(where)
        board.squad(1, "3-R")
        board.squad(4, "3-C", pinned=pinned or None)
        values.append(
            next(candidate.value for candidate in fire_candidates(seen_on(board)) if candidate.decision.answers["unit"] == "1")
        )
    assert values[0] == pytest.approx(constants().combat_followed * values[1])
