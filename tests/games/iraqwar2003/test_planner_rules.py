"""The planner and the rules: a changed chart cell, printed value or ruling changes the planner's number as well."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from companion.games.iraqwar2003.ai.features import Features
from companion.games.iraqwar2003.ai.planner_coalition import support_columns
from companion.games.iraqwar2003.ai.valuation import coalition_air_value, step_value, terrain_columns
from companion.games.iraqwar2003.rules.r13_results import Attack, attack_value, ladder_index, ladder_position
from companion.games.iraqwar2003.state import COALITION, IRAQ
from tests.games.iraqwar2003.field import operations, put, reduce, said, unit
from tests.games.iraqwar2003.test_one_text import change  # noqa: F401  a fixture
from tests.games.iraqwar2003.test_orders import iraq
from tests.support.table import Table

AI = Path(__file__).parents[3] / "companion" / "games" / "iraqwar2003" / "ai"


def features_of(table: Table, side: str = IRAQ) -> Features:
    """The features of the position, with the terrain as far as it is known."""
    known = {key.partition(":")[2]: value for key, value in table.facts.items() if key.startswith("terrain:")}
    referee = table.game.new_referee(table.position, table.options)
    return Features(referee, side, terrain_columns(table.game.tables.bot, known))


@pytest.mark.parametrize(
    ("swamp", "switch", "left"), [("1", "swamp_too", 2), ("0", "swamp_too", 1), ("2", "swamp_too", 3), ("1", "one", 1)]
)
def test_16_9_an_attack_on_mountains_is_valued_with_their_columns(swamp: str, switch: str, left: int) -> None:
    """[16.9, 13.3(5)] The fact and ruling C-51 change the planner of either side as they change the combat."""
    options = {"mountains": "on", "mountain_columns": switch}
    table = iraq("51M@1907", "KDP1@1908", **options)
    table.facts["terrain:swamp"] = swamp
    put(table, **{"flag_hex:1908": "plain", "flag_hex:1907": "plain", "flag_side:1907-1908": "none"})
    features = features_of(table)
    attack = next(item for item in features.attacks([unit(table, "51M")]) if (item.base, item.target) == ("1907", "1908"))
    assert (attack.attack.terrain, attack.attack.left) == ("mountain", left)
    table.do("move", "units=51M > stay > 1908", dice=[3], accept=True)
    assert said(table, f"Mountain takes {left} column{'s' if left > 1 else ''} off the attack. [16.9]")


def test_13_3_4_a_river_halves_the_same_units() -> None:
    """[13.3(4)] A minor river, a large one, none."""
    for water, count in (("none", 0), ("minor", 1), ("large", 1)):
        table = iraq("Med@2433", "DivArty@2434")
        put(table, **{"flag_side:2433-2434": water})
        possible = features_of(table).attacks([unit(table, "Med")])
        attack = next(item.attack for item in possible if (item.base, item.target) == ("2433", "2434"))
        assert len(attack.river) == count


def test_12_4_roads_cost_what_the_chart_says(change) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    """[12.4] Distances are sums of the chart's costs."""
    for cost in (1, 2):
        table = iraq("51M@3135", "7Arm@3239")
        assert features_of(table).travel("3135")["3137"] == 2 * cost
        if cost == 1:
            note = '"roads all the way and no enemy zone of control; else 1, terrain ignored"'
            change("movement", f'road = ["1/2", {note}]', f'road = ["1", {note}]')


def test_15_2_losses_count_as_the_chart_says(change) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    """[15.2] A fresh western unit of two steps loses all its points by two steps, a reduced one the rest by one."""
    for removed in (4, 6):
        table = iraq("1/3ID@3135", "51M@2635")
        referee = table.game.new_referee(table.position, table.options)
        assert step_value(referee, [unit(table, "1/3ID")]) == removed / 2
        reduce(table, "1/3ID")
        referee = table.game.new_referee(table.position, table.options)
        assert step_value(referee, [unit(table, "1/3ID")]) == removed - 2
        if removed == 4:
            what = '"each American or British ground unit removed, in all"'
            change("victory", f"removed = [-4, {what}]", f"removed = [-6, {what}]")


def test_15_2_an_air_unit_counts_as_the_chart_says(change) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    """[15.2] What an interception is worth follows the points of an air unit; ships count nothing."""
    for points in (2, 3):
        table = iraq("1/3ID@3135")
        referee = table.game.new_referee(table.position, table.options)
        later = table.game.tables.bot["vp"]["enemy_air_unit"]
        assert coalition_air_value(referee, unit(table, "B-52")) == pytest.approx(points + later)
        assert coalition_air_value(referee, unit(table, "DDG-1")) == 0
        if points == 2:
            change("victory", 'air = [-2, "each American or British air unit removed"]', 'air = [-3, "each air unit"]')


def test_2_3_support_is_what_the_counter_says() -> None:
    """[2.3, 13.3(2)] The columns of the strongest unit; none of the Coalition's for Kurds with the option [16.5(2)]."""
    for values, columns in (("0-3-1", 3), ("0-5-1", 5)):
        table = operations(facts={"air:A-10": values})
        features = features_of(table, COALITION)
        attack = features_attack(table, features)
        assert support_columns(features.referee, attack) == columns


def features_attack(table: Table, features: Features):  # type: ignore[no-untyped-def]
    """An attack of 1/3ID on 51M."""
    return Attack((unit(table, "1/3ID").id,), (unit(table, "51M").id,))


@pytest.mark.parametrize(("attack", "defence"), [(9, 2), (2, 3), (1, 1), (7, 7), (1, 4), (12, 5), (3, 10)])
def test_13_3_1_positions_between_the_columns_agree_with_the_ladder(attack: int, defence: int) -> None:
    """[13.3(1)] Fractions are dropped in the defender's favour."""
    assert ladder_index(attack, defence) <= ladder_position(attack, defence) < ladder_index(attack, defence) + 1


def test_13_3_6_threats_are_halved_as_attacks_are() -> None:
    """[13.3(6)] The same halvings, not rounded."""
    value = attack_value("1/3ID", 7, True, True)
    assert (value.counts, value.exact) == (1, 1.75)


ALLOWED = {("features.py", "movement"): "passed to the movement rules, which read it"}
"""Charts that a module of ai/ names, and why."""


def test_no_planner_reads_a_chart() -> None:
    """Numbers of the charts come from functions of rules/."""
    read = set()
    for path in AI.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "chart":
                read.add((path.name, ast.literal_eval(node.args[0])))
            if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("charts"):
                read.add((path.name, ast.unparse(node.slice)))
    # where units without a map act, the player names VP places: planner_iraq lists their names only
    assert read - ALLOWED.keys() == {("planner_iraq.py", "places")}


def test_no_planner_states_a_constant() -> None:
    """Decimal numbers except 0 and 1 are in the table of constants, not in the planners."""
    constants = [
        (path.name, node.lineno, node.value)
        for path in AI.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in (0.0, 1.0)
    ]
    assert constants == []
