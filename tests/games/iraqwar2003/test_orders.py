"""On a known map the planner for Iraq proposes its moves: what it takes, keeps, attacks and ignores."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.core.candidates import Candidate
from companion.games.iraqwar2003.ai.kept import KeptCandidates
from companion.games.iraqwar2003.ai.planner_iraq import IraqiFeatures, order_candidates, propose_order
from companion.games.iraqwar2003.referee import IraqWarReferee
from tests.games.iraqwar2003.field import FRONT, SET, mark, operations, put, said, send, unit
from tests.support.table import Table

IRAQIS = ("11D", "51M", "Med", "SRG1", "SRG2", "SRG3", "SRGAA", "PA1", "PA2", "SF1")
COALITION = ("1/3ID", "2/3ID", "3/3ID", "DivArty", "RCT1", "11Av", "173", "7Arm", "KDP1", "PUK1")
ROADS = {key: value for key, value in FRONT.items() if not key.startswith("at:")}


def iraq(*units: str, held: str = "", **options: str) -> Table:
    """The Iraqi Operation Phase on the made-up front with only these units on the map, each with its hex; no air unit flies.

    Args:
        held: Changes of control, as typed.
    """
    table = operations("iraq", ROADS, iraq="bot", **options)
    places = dict(unit.split("@") for unit in units)
    send(table, "removed", *(name for name in (*IRAQIS, *COALITION) if name not in places))
    for name, place in places.items():
        send(table, place, name)
    planes = [piece.name for side in ("iraq", "coalition") for piece in table.position.at(f"{side} available")]
    send(table, "off", *planes)
    if held:
        table.do("control", f"control={held}")
    put(table, track_turn=2, flag_turns=3)
    return table


def proposed(table: Table) -> str:
    """The order that the planner proposes next; the position does not change."""
    referee = table.game.new_referee(table.position, table.options)
    order = table.ask(referee, propose_order, (), (), (), False, True)
    table.events = referee.events
    return str(order)


def options_of(table: Table) -> dict[str, Candidate[str]]:
    """All candidates of the planner, by what is typed for them."""
    referee = table.game.new_referee(table.position, table.options)
    candidates = table.ask(referee, order_candidates, (), (), (), False, True)
    return {candidate.decision: candidate for candidate in candidates}


def test_candidates_are_kept_for_equal_positions_with_the_same_columns() -> None:
    """[13.4] Of the Combat Results Chart only the columns count that were looked up."""
    kept, computed = KeptCandidates(), list[str]()

    def candidates(table: Table, columns: dict[str, str], terrain: str = "city") -> str:
        def compute(facts: Mapping[str, str]) -> list[Candidate[str]]:
            computed.append(facts.get("3-1", "unknown"))
            return [Candidate(computed[-1], computed[-1])]

        referee = table.game.new_referee(table.position, table.options)
        assert isinstance(referee, IraqWarReferee)
        return kept.of(referee, "iraq", {terrain: "2"}, columns, compute)[0].decision

    first, same = iraq("51M@3136", "7Arm@2736"), iraq("51M@3136", "7Arm@2736")
    assert candidates(first, {}) == candidates(same, {"4-1": "D1"}) == "unknown" and len(computed) == 1
    assert candidates(same, {"3-1": "D2"}) == candidates(first, {"3-1": "D2", "4-1": "D1"}) == "D2" and len(computed) == 2
    assert candidates(first, {}) == "unknown" and len(computed) == 2
    assert candidates(first, {}, "swamp") == "unknown" and len(computed) == 3
    put(same, track_turn=3)
    assert candidates(same, {}) == "unknown" and len(computed) == 4


def test_15_2_it_retakes_an_empty_city() -> None:
    """[15.2, 12.1] Basra, 2 VP, was taken and left; the 51st is next to it. Gain and alternatives are explained."""
    table = iraq("51M@3136", "PA1@3141", "7Arm@2736", held="Basra coalition")
    assert proposed(table) == "51M > 3135 > none"
    assert said(table, "Iraq decides to move 51M to 3135 (next of 6 CP). [11.2]")
    assert said(table, "out: ")


def test_15_2_it_goes_into_kuwait() -> None:
    """[15.2] At the end of each turn 2 VP for one unit there; another adds nothing."""
    table = iraq("SF1@3138", "1/3ID@2635")
    order = proposed(table)
    assert order.startswith("SF1 > ") and order.split(" > ")[1].split()[-1] in FRONT["area:kuwait"].split()
    table = iraq("SF1@3138", "PA1@3139", "1/3ID@2635")
    assert all(not answer.startswith("SF1 > ") or candidate.value < 1 for answer, candidate in options_of(table).items())


def test_15_2_it_does_not_leave_a_vp_place_empty() -> None:
    """[15.2] The only unit in Basra stays there while a brigade is near."""
    table = iraq("51M@3135", "1/3ID@3138", "2/3ID@3138")
    assert not proposed(table).startswith("51M > 3")


@pytest.mark.parametrize(("water", "lost", "own", "cleared"), [("none", 4, 0, 5), ("minor", 2, 3, 3)])
def test_13_0_an_attack_is_weighed_by_exact_odds(water: str, lost: int, own: int, cleared: int) -> None:
    """[13.3, 13.4, 15.2] The Medina, 5, at artillery alone, defence 1 and one strength step, 4 VP if it is lost. On dry ground
    5-1 of the made-up chart: - DR D1R D1R D2R D3R; across a river 2 against 1: A1R A1 "A1 D1" - DR D1R.
    """
    table = iraq("Med@2433", "DivArty@2434")
    put(table, **{"flag_side:2433-2434": water})
    strike = options_of(table)["Med > stay > 2434"]
    assert strike.value == pytest.approx((4 * lost + 0.2 * cleared - 0.3 * own) / 6)
    assert proposed(table) == "Med > stay > 2434"


def test_7_3_3_it_recovers_the_defender_of_a_city() -> None:
    """[7.3.3, 11.2(2)] A disrupted division alone in Basra with two brigades beside it."""
    table = iraq("51M@3135", "1/3ID@3136", "2/3ID@3136")
    mark(table, "disrupted", True, "51M")
    assert proposed(table) == "recover 51M"


def test_14_1_it_destroys_roads_before_the_enemy() -> None:
    """[14.1, 11.2(3)] With nothing better to do, on the road of the enemy's advance, and not twice."""
    table = iraq("11D@2635", "1/3ID@2937")
    options = options_of(table)
    assert 0 < options["road 11D"].value < 0.3
    table.do("road", "unit=11D", accept=True)
    assert "road 11D" not in options_of(table)


def test_11_2_it_stops_when_nothing_is_worth_a_point() -> None:
    """[11.3] No point, no order; without known hexes it asks the player as before."""
    table = iraq("51M@3135", "7Arm@3239")
    put(table, track_cp=0)
    assert proposed(table) == "done"
    table = operations("iraq", iraq="bot")
    assert proposed(table) == ""
    table.play(table.game.bot, ("deeds=none",))
    assert said(table, "nothing to do that is worth a command point")


def test_it_proposes_a_legal_order_on_the_made_up_front() -> None:
    """[2.1] With the positions of the whole set."""
    table = operations("iraq", FRONT, iraq="bot")
    order = proposed(table)
    assert order and order != "done"
    assert SET["at:51M"]


def test_10_0_3_it_values_cutting_supply_lines() -> None:
    """[10.0(3), 10.0(6), 9.0] A unit beside the only road cuts off the brigade ahead, of attack 6; one away from it does not."""
    table = iraq("SF1@1421", "1/3ID@2433")
    road = ["2433", "2434", "2535", "2635", "2736", "2836", "2937", "3037", "3138"]
    put(table, **{f"flag_held:{number}": "coalition" for number in road})
    features = IraqiFeatures(table.game.new_referee(table.position, table.options), {}, {})
    line = next(iter(features._spearheads.values()))
    assert (line[0], line[-1], features._supplied_attack) == ("2433", "3241", 6)
    assert features.cut_value(unit(table, "SF1"), "0810") == 0
    assert features.cut_value(unit(table, "SF1"), "2836") == pytest.approx(0.02 * 6)
