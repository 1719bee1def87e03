"""The planner for Iraq values its decisions in victory points, and acts or proposes."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.procedures import ProcedureRun
from companion.core.rollouts import RolloutDecision
from companion.games.iraqwar2003.ai.planner_iraq import order_candidates, propose_order
from companion.games.iraqwar2003.ai.valuation import (
    Choice,
    LossModel,
    Threat,
    Valuation,
    candidate,
    loss_chance,
    turns_left,
    with_slips,
)
from companion.games.iraqwar2003.state import COALITION, IRAQ
from tests.games.iraqwar2003.field import FRONT, attack, mark, operations, put, reduce, said, send, unit, war
from tests.games.iraqwar2003.test_players import FACTS
from tests.support.table import Table, game_of


def front(**options: str) -> Table:
    """A game on a known map with all units in known hexes."""
    return war(FRONT, **options)


OUTLOOK = game_of("iraqwar2003").tables.bot["outlook"]


def valuation_of(table: Table) -> Valuation:
    """The prospects of the position."""
    tables = table.game.tables
    return Valuation(table.position, tables.charts, tables.bot, table.options)


def asked_of_iraq(table: Table) -> list[str]:
    return [
        request.key
        for request in table.asked
        if request.key in ("intercept", "target", "counter", "source") and request.forced_reply() is None
    ]


def test_5_2_2_it_acts_without_being_asked() -> None:
    """[5.2(2), 7.1, 11.1] With opponent=acts no question is put for Iraq; with proposes each is, the same answer suggested."""
    for opponent, count in (("acts", 0), ("proposes", 1)):
        table = war(iraq="bot", opponent=opponent)
        table.do("facility", "target=radio 1", "group=B-52", "target=done", dice=[6] * 3, accept=True)
        assert asked_of_iraq(table)[2:] == ["intercept"] * count
        assert next(request.suggest for request in table.asked if request.key == "intercept") == "1 MiG-23"
        table.do("supply", accept=True)
        table.do("end")
        table.seed = "1"
        table.do("bomb", accept=True)
        assert bool([key for key in asked_of_iraq(table) if key == "target"]) == bool(count)
        table.do("supply", accept=True)
        assert asked_of_iraq(table) == ["source"] * count


def test_5_4_a_bomber_of_the_coalition_is_two_points() -> None:
    """[15.2, 5.5(6)] Against an unarmed bomber on an AA Fire box of no great worth the interceptor kills with 1/2 * 1/2, and 1/9
    less than the fire of the site would have: about 0.4 VP of the -2, and it flies.
    """
    table = war(iraq="bot")
    table.do("facility", "target=north aa", "group=B-52", "target=done", dice=[6] * 3, accept=True)
    line = next(
        line for event in table.events for line in getattr(event, "because", ()) if line.startswith("MiG-23 meets group 1 (B-52)")
    )
    assert 2 * (1 / 4 - 1 / 2 / 9) < float(line.split()[5]) < 2 * (1 / 4 - 1 / 2 / 9) + 0.4
    ship = war(iraq="bot")
    ship.do("facility", "target=north aa", "group=DDG-1", "target=done", dice=[6], accept=True)
    assert "intercept" not in [request.key for request in ship.asked]


def test_13_4_1_its_losses_are_its_own() -> None:
    """[13.4.1] Without a question: the People's Army, 1-2-2 of one strength step, before a division that would lose 3 and 2."""
    table = war()
    pieces = [unit(table, name) for name in ("Med", "PA1", "SRG1")]
    planner = table.game.new_referee(table.position, table.options).planner
    assert planner.loss(pieces).name == "PA1"
    assert planner.loss([pieces[0], pieces[2]]).name == "Med"
    table = operations(iraq="bot")
    attack(table, "1/3ID, 2/3ID", "Med, PA1", "with=all", "counter=none", dice=[6])
    assert "loss" not in [request.key for request in table.asked]


def test_13_6_1_it_advances_for_what_counts() -> None:
    """[13.6(1), 15.2] All advance into Basra but the last unit of a VP place; into a hex without VP no Iraqi does."""
    table = front(iraq="bot")
    game = table.game.new_referee(table.position, table.options)
    send(table, "3136", "51M", "SF1")
    able = [unit(table, "51M"), unit(table, "SF1")]
    assert game.planner.advancing(able, "3135") == able
    assert game.planner.advancing(able, "3137") == []
    send(table, "3135", "51M", "SF1")
    able = [unit(table, "51M"), unit(table, "SF1")]
    assert game.planner.advancing(able, "3139") == able[1:]


def test_15_2_what_a_position_may_come_to() -> None:
    """[15.2] More for the Coalition where a city stands empty before it, less where it is held, or a unit stands in Kuwait; the
    score itself once the game is over.
    """
    table = front()
    put(table, flag_turns=2)
    send(table, "3136", "51M", "SRG1", "SRG2")
    empty = valuation_of(table).coalition_value()
    send(table, "3135", "SRG1", "SRG2")
    held = valuation_of(table).coalition_value()
    assert held < empty - 0.1
    mark(table, "disrupted", True, "SRG1", "SRG2")
    assert held < valuation_of(table).coalition_value() < empty
    mark(table, "disrupted", None, "SRG1", "SRG2")
    send(table, "3139", "SF1")
    put(table, flag_side=IRAQ)
    assert [piece.name for piece in valuation_of(table).in_kuwait()] == ["SF1"]
    assert valuation_of(table).coalition_value() < held - 1.5
    put(table, flag_over="done")
    assert valuation_of(table).coalition_value() == table.game.score(table.position, table.options).total


def test_4_3_how_many_turns_are_left() -> None:
    """[4.3, 2.1.5(1)] Eight turns by default; the number entered at the end of the first; none when the game is over."""
    table = operations("iraq")
    assert turns_left(table.position, COALITION, OUTLOOK) == 7
    assert turns_left(table.position, IRAQ, OUTLOOK) == 8
    table.do("end", accept=True)
    assert (turns_left(table.position, COALITION, OUTLOOK), turns_left(table.position, IRAQ, OUTLOOK)) == (2, 2)
    put(table, flag_over="done")
    assert turns_left(table.position, IRAQ, OUTLOOK) == 0


@pytest.mark.parametrize("weaker", [(6, 1, 1), (8, 1, 1), (8, 2, 2)])
def test_15_2_more_defence_more_strength_and_better_ground_hold_longer(weaker: tuple[int, int, int]) -> None:
    """[13.3(5), 13.4.1] The estimate of ours goes the right way in each of the three, and is a chance."""
    defence, steps, left = weaker
    model = LossModel(*[OUTLOOK[name] for name in LossModel._fields])
    threat = Threat(14, 2, 6)
    chance = loss_chance(model, threat, defence, steps, left)
    assert 0 <= chance <= 1
    assert loss_chance(model, threat, defence + 4, steps, left) < chance
    assert loss_chance(model, threat, defence, steps + 1, left) < chance
    assert loss_chance(model, threat, defence, steps, left + 1) < chance
    assert loss_chance(model, Threat(14, 3, 6), defence, steps, left) > chance


def test_15_2_reduced_units_hold_less() -> None:
    """[2.2.12] By the side that is up."""
    table = front()
    send(table, "3135", "SRG1", "Med")
    ahead = valuation_of(table)
    whole = ahead.risk("3135", [unit(table, "Med")])
    reduce(table, "Med")
    assert ahead.risk("3135", [unit(table, "Med")]) > whole
    assert not said(table, "solo")


def first_order(**options: str):  # type: ignore[no-untyped-def]
    """What playing on is asked of for Iraq's first order, a way into Kuwait being open; and what it may do."""
    table = operations("iraq", FACTS, **options)
    send(table, "3038", "SF5")
    game = table.game.new_referee(table.position, table.options)
    found: list[RolloutDecision] = []

    def books(effect: Any) -> Any:
        if isinstance(effect, RolloutDecision):
            found.append(effect)
            return [0]
        return effect.resolve(table.facts).value

    run = ProcedureRun(game, order_candidates(game), books)
    options_there = run.result or []
    ProcedureRun(game, propose_order(game), books)
    return found, {option.name: option for option in options_there}


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_an_easy_one_forgets_kuwait_and_slips_to_what_is_worst(level: str) -> None:
    """[15.2] It does not think of going into Kuwait, and where it slips it does what is worth least; an adviser does neither."""
    thoughts, found = first_order(iraq="bot", opponent="acts", level=level)
    assert any("Kuwait" in str(one.reasons) for one in found.values()) == (level == "normal")
    assert len(thoughts) == (level == "easy")
    for thought in thoughts:
        rest = sorted(one.value for one in found.values() if one.name != thought.names[0])
        assert [found[name].value for name in thought.names[1:]] == rest[:2]
    advised, there = first_order(opponent="acts", level=level)
    assert any("Kuwait" in str(one.reasons) for one in there.values()) and not advised


@pytest.mark.parametrize(("level", "side", "asked"), [("easy", IRAQ, 1), ("normal", IRAQ, 0), ("easy", COALITION, 0)])
def test_an_easy_one_slips_in_the_air_too(level: str, side: str, asked: int) -> None:
    """[5.1, 5.2(2)] The worst of what it could do, and it says what it holds best; no decision of another side."""
    game = operations("iraq", FRONT, iraq="bot", opponent="acts", level=level)
    table = game.game.new_referee(game.position, game.options)
    best, worst = candidate("good", "good", 2.0), candidate("bad", "bad", -1.0)
    choice, names = Choice(best, ("good: +2.00 VP",)), []

    def books(effect: Any) -> Any:
        names.append(effect.names)
        return [1]

    found = ProcedureRun(
        table, with_slips(table, "support", "5.1", side, choice, [best, candidate("middle", "middle"), worst]), books
    ).result
    assert names == [("good", "bad")] * asked
    if asked:
        assert found == Choice(worst, ("a mistake of the easy level; better is good", "good: +2.00 VP"))
    else:
        assert found is choice
