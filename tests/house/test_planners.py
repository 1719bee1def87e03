"""Planners state no rule: they read no chart, contain no figure of one, and take probabilities from the rules and the odds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import PACKAGE, tree_of

PLANNERS = sorted((PACKAGE / "games").glob("*/ai/*.py"))

PASSED_ON = "gives the chart to a pure function of rules/, which reads it"
CHARTS = {
    "fallujah2004/ai/features.py: mob_attack": PASSED_ON,
    "fallujah2004/ai/features.py: nodes": PASSED_ON,
    "fallujah2004/ai/operations.py: nodes": PASSED_ON,
    "fallujahcards/ai/solver.py: types": "builds the table of hands that the solver searches, from the same columns as the rules",
    "fallujahcards/ai/valuation.py: types": "builds the card model of the solver, from the same columns as the rules",
    "iraqwar2003/ai/features.py: movement": PASSED_ON,
    "iraqwar2003/ai/planner_iraq.py: places": "the names of the places only",
}
"""Charts that a module of ai/ names, with the reason."""
POWERS = {
    "fallujah2004/ai/operations.py: cost ** constants.buy_price": "an exponent of the valuation",
    "fallujahcards/ai/planner.py: (max(squares / count - mean * mean, 0.0) / (count - 1)) ** 0.5": "the error of a mean",
    "iraqwar2003/ai/planner_coalition.py: points ** power": "an exponent of the valuation",
    "iraqwar2003/ai/planner_iraq.py: later ** (1 / pace)": "a discount for time",
    "iraqwar2003/ai/planner_iraq.py: fade ** cost": "a discount for distance",
    "iraqwar2003/ai/policies.py: goals[number] ** power": "weights of the random policy",
    "iraqwar2003/ai/valuation.py: outlook['miss'] ** tries": "a guess at the share of misses, from ai.toml",
    "phantomfury/ai/valuation.py: (1 - 1 / max(turns, 1)) ** tasks": "a guess at the share of tasks done in time",
    "phantomfury/ai/valuation.py: self.constants.zone_soft_enemy ** soft": "a factor of the valuation for each enemy",
    "phantomfury/ai/valuation.py: self.constants.zone_firm_enemy ** firm": "a factor of the valuation for each enemy",
    "phantomfury/ai/valuation.py: each ** firm": "a factor of the valuation for each enemy",
    "phantomfury/ai/valuation.py: c.zone_distant_soft_enemy ** soft": "a factor of the valuation for each enemy",
}
"""Powers, which are how a probability of several tries would be computed, with the reason why each is none of the rules."""
DECIMALS = {0.5: "a half, for medians and square roots", 1e-9: "the tolerance of a comparison", 0.05: "less than a figure shows"}
"""Decimals that may stand in ai/; constants of the valuation stand in ai.toml."""


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE / "games").as_posix()


def charts_named(tree: ast.AST) -> Iterator[str]:
    """The charts that code names: ``referee.chart("crt")``, ``tables.charts["crt"]``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "chart" and node.args:
            yield ast.unparse(node.args[0]).strip("'")
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("charts"):
            yield ast.unparse(node.slice).strip("'")


def decimals(tree: ast.AST) -> Iterator[float]:
    """Numbers with a fraction that stand in code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and not node.value.is_integer():
            yield node.value


def chance_arithmetic(tree: ast.AST) -> Iterator[str]:
    """Powers, and fractions of a die or of two: how a probability would be computed."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.BinOp):
            continue
        of_a_die = isinstance(node.right, ast.Constant) and node.right.value in (6, 10, 36, 216)
        if isinstance(node.op, ast.Pow) or (isinstance(node.op, ast.Div) and of_a_die):
            yield ast.unparse(node)


def test_planners_name_no_chart() -> None:
    named = {f"{name_of(path)}: {chart}" for path in PLANNERS for chart in charts_named(tree_of(path))}

    assert named == set(CHARTS), "a pure function of rules/ reads the chart"


def test_planners_compute_no_probability() -> None:
    found = {f"{name_of(path)}: {text}" for path in PLANNERS for text in chance_arithmetic(tree_of(path))}

    assert found == set(POWERS), "take it from odds or rules/"


def test_constants_of_the_valuation_are_in_the_tables() -> None:
    found = {f"{name_of(path)}: {value}" for path in PLANNERS for value in decimals(tree_of(path)) if value not in DECIMALS}

    assert sorted(found) == [], "put it into tables/GAME/ai.toml"


@pytest.mark.parametrize(
    ("source", "check", "expected"),
    [
        ('referee.chart("crt").cell(1, 2)', charts_named, ["crt"]),
        ('self.tables.charts["crt"]', charts_named, ["crt"]),
        ("1 - (5 / 6) ** dice", chance_arithmetic, ["(5 / 6) ** dice", "5 / 6"]),
        ("value + 0.35", decimals, [0.35]),
    ],
)
def test_forbidden_code_is_found(source: str, check: object, expected: list[object]) -> None:
    assert callable(check)
    assert list(check(ast.parse(source))) == expected
