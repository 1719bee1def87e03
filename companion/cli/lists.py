"""What the look-up commands find."""

from __future__ import annotations

from typing import Any

from companion.cli.place import load_game, open_archive
from companion.core.charts import Chart
from companion.core.dice import faces_text, read_dice, total_odds
from companion.core.errors import Unreadable
from companion.core.game import Game, Rule
from companion.core.words import one_of
from companion.games import GAMES
from companion.views import catalog
from companion.views.lines import BLANK, Line, table
from companion.views.odds import percent


def one_game(db: str, name: str) -> tuple[Game, dict[str, int]]:
    """A game, and how much of each printed fact is still to be copied."""
    game = load_game(name)
    return game, catalog.missing_counts(game, open_archive(db).printed(game.id))


def games_data() -> dict[str, Any]:
    """Every game with its scenarios."""
    loaded = [load_game(name) for name in GAMES]
    return {"games": [{"id": game.id, "title": game.title, "scenarios": list(game.scenarios)} for game in loaded]}


def games_lines() -> list[Line]:
    """Every game, one a line, with its scenarios."""
    rows = [(item["id"], f"{item['title']}: {', '.join(item['scenarios'])}") for item in games_data()["games"]]
    return [*table(rows), BLANK, Line("More of one: companion games GAME", "dim")]


def charts_data(game: Game) -> dict[str, Any]:
    """Every chart of a game, whole."""
    return {"charts": [catalog.chart_data(chart) for chart in game.tables.charts.values()]}


def charts_lines(game: Game) -> list[Line]:
    """Every chart of a game, one a line."""
    return table([(item.id, f"{item.title} [{item.rule}]") for item in game.tables.charts.values()])


def find_chart(game: Game, name: str) -> Chart:
    """A chart by unique prefix.

    Raises:
        Unreadable: the game has no such chart.
    """
    return game.tables.charts[one_of(name, list(game.tables.charts), "chart")]


def throw(many: int, sides: int) -> list[int]:
    """Faces from 1 that nobody can foresee: for rolls outside of any session."""
    from secrets import randbelow

    return [randbelow(sides) + 1 for _ in range(many)]


def chart_result(chart: Chart, on: str) -> tuple[str, str]:
    """The number or row that is looked up, and the words for it: named by the player, or rolled.

    Raises:
        Unreadable: the chart has no such row, or no die.
    """
    if on:
        return on, chart.row(on)
    if chart.dice is None:
        raise Unreadable(f"the {chart.title} is not rolled on", rule=chart.rule, cure="Look a row up: --on ROW")
    faces = throw(chart.dice.many, chart.dice.sides)
    total = sum(faces) + chart.dice.plus
    return str(total), f"rolled {faces_text(faces)}" + (f" = {total}" if len(faces) > 1 or chart.dice.plus else "")


def roll_data(text: str) -> dict[str, Any]:
    """A roll with its total and the chance of at least that much.

    Raises:
        Unreadable: the text is no dice.
    """
    dice = read_dice(text)
    faces = throw(dice.many, dice.sides)
    total = sum(faces) + dice.plus
    ways = total_odds(dice)
    least = sum(count for value, count in ways.items() if value >= total) / sum(ways.values())
    return {"dice": str(dice), "faces": faces, "total": total, "chance_of_at_least": least}


def roll_lines(data: dict[str, Any]) -> list[Line]:
    """The faces, the total, and how lucky that was."""
    text = f"{data['dice']}: {faces_text(data['faces'])} = {data['total']}"
    return [Line(text, "title"), Line(f"{data['total']} or more: {percent(data['chance_of_at_least'])}", "dim")]


def rule_lines(game: Game, rules: list[Rule], text: str) -> list[Line]:
    """One rule whole and its cases below it; a search or the register as a list."""
    if not text or rules[0].number != text.strip():
        return [*catalog.rule_lines(game, rules[0])] if text and len(rules) == 1 else catalog.rules_list(rules)
    lines = catalog.rule_lines(game, rules[0])
    return [*lines, BLANK, *catalog.rules_list(rules[1:])] if rules[1:] else lines
