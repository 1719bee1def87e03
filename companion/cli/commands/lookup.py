"""Commands that look things up: games, chart, roll, rule."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import PLAIN, Db, GameName, Json
from companion.cli.shell.archives import facts_archive, load_game, load_games
from companion.cli.shell.output import show
from companion.core.charts import Chart
from companion.core.dice import faces_text, parse_dice, total_odds
from companion.core.errors import BadData, Unreadable
from companion.core.game import Game
from companion.core.text import pick_name
from companion.core.values import JsonDict
from companion.games import carried_out_by
from companion.session.files import games_folder
from companion.views import reference
from companion.views.lines import BLANK, Line, table_lines
from companion.views.odds import percent

SETTINGS = {"chart": PLAIN}


def games(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game by unique prefix; all of them otherwise.")] = "",
    path: Annotated[bool, typer.Option("--path", help="The folder for games of your own.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Whether a game can be played, with every fault of its files.")] = False,
    db: Db = "",
    json: Json = False,
) -> None:
    """What there is to play: scenarios, options, actions, charts, and what is still to be copied from your set.

    Example: companion games
    """
    if path:
        folder = games_folder()
        show(json, lambda: {"path": folder}, lambda: [Line(folder)])
    elif check:
        from companion.cli.commands.upkeep import checked

        show(json, lambda: checked(game), lambda: [Line(f"{name}: no fault") for name in checked(game)["games"]])
    elif game:
        found, missing = one_game(db, game)
        show(json, lambda: reference.game_data(found, missing), lambda: reference.game_lines(found, missing))
    else:
        show(json, games_data, games_lines)


def chart(
    game: GameName,
    name: Annotated[str, typer.Argument(metavar="[CHART]", help="A chart by unique prefix; all of them otherwise.")] = "",
    roll: Annotated[bool, typer.Option("--roll", help="Roll on it.")] = False,
    on: Annotated[str, typer.Option("--on", metavar="FACE", help="Look a number or a row up.")] = "",
    json: Json = False,
) -> None:
    """A chart, whole, or what it says for a number or a roll.

    Example: companion chart GAME CHART --on 5
    """
    loaded = load_game(game)
    if not name:
        show(json, lambda: charts_data(loaded), lambda: charts_lines(loaded))
        return
    found = find_chart(loaded, name)
    if roll or on:
        key, rolled = chart_result(found, on)
        cells = dict(zip(found.columns, found.rows[found.row(key)], strict=True))
        show(
            json,
            lambda: {"chart": found.id, "rolled": rolled, "row": found.row(key), "rule": found.cite(key), "result": cells},
            lambda: reference.chart_row_lines(found, key, rolled),
        )
    else:
        show(json, lambda: reference.chart_data(found), lambda: reference.chart_lines(found))


def roll(
    dice: Annotated[str, typer.Argument(metavar="2d6+1", help="How many dice of how many sides, and what is added.")],
    json: Json = False,
) -> None:
    """Roll dice, outside of any session.

    Example: companion roll 2d6+1
    """
    data = roll_data(dice)
    show(json, lambda: data, lambda: roll_lines(data))


def rule(
    game: GameName,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[NUMBER | WORDS]", help="A rule number, or words to look for.")
    ] = None,
    code: Annotated[bool, typer.Option("--code", help="Which functions carry it out (module:function), and its tests.")] = False,
    json: Json = False,
) -> None:
    """A rule in our own words, how it is handled, its errata and rulings.

    Example: companion rule GAME 16.8
    """
    loaded = load_game(game)
    text = " ".join(words or [])
    found = reference.find_rules(loaded, text) if text else list(loaded.tables.rules.values())
    carried = carried_out_by(loaded) if code or json else {}
    show(
        json,
        lambda: {"rules": [{**reference.rule_data(loaded, item), "code": carried.get(item.number, [])} for item in found]},
        lambda: reference.code_lines(found, carried) if code else reference.rule_search_lines(loaded, found, text),
    )


def one_game(db: str, name: str) -> tuple[Game, dict[str, int]]:
    """A game, and how much of each printed fact is still to be copied."""
    game = load_game(name)
    return game, reference.missing_counts(game, facts_archive(db).printed(game.id))


def games_data() -> JsonDict:
    """Every game with its scenarios, and what is wrong with those whose tables cannot be read."""
    loaded, faults = load_games()
    games = [{"id": game.id, "title": game.title, "scenarios": list(game.scenarios)} for game in loaded]
    return {"games": games, "faults": {name: told_fault(fault) for name, fault in faults.items()}}


def told_fault(fault: BadData) -> str:
    """Why a game is not in the list, with its first fault and the cure, in one line."""
    first = f": {fault.faults[0]}" if fault.faults else ""
    return f"{fault.message}{first}. {fault.cure}"


def games_lines() -> list[Line]:
    """Every game, one a line, with its scenarios."""
    data = games_data()
    rows = [(item["id"], f"{item['title']}: {', '.join(item['scenarios'])}") for item in data["games"]]
    bad = [Line(fault, "warning", "", "! ") for fault in data["faults"].values()]
    return [*table_lines(rows), *bad, BLANK, Line("More of one: companion games GAME", "dim")]


def charts_data(game: Game) -> JsonDict:
    """Every chart of a game, whole."""
    return {"charts": [reference.chart_data(chart) for chart in game.tables.charts.values()]}


def charts_lines(game: Game) -> list[Line]:
    """Every chart of a game, one a line."""
    return table_lines([(item.id, f"{item.title} [{item.rule}]") for item in game.tables.charts.values()])


def find_chart(game: Game, name: str) -> Chart:
    """A chart by unique prefix. Raises Unreadable: the game has no such chart."""
    return game.tables.charts[pick_name(name, list(game.tables.charts), "chart")]


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
    faces = throw(chart.dice.number, chart.dice.sides)
    total = sum(faces) + chart.dice.plus
    return str(total), f"rolled {faces_text(faces)}" + (f" = {total}" if len(faces) > 1 or chart.dice.plus else "")


def roll_data(text: str) -> JsonDict:
    """A roll with its total and the chance of at least that much. Raises Unreadable: the text is no dice."""
    dice = parse_dice(text)
    faces = throw(dice.number, dice.sides)
    total = sum(faces) + dice.plus
    ways = total_odds(dice)
    least = sum(count for value, count in ways.items() if value >= total) / sum(ways.values())
    return {"dice": str(dice), "faces": faces, "total": total, "chance_of_at_least": least}


def roll_lines(data: JsonDict) -> list[Line]:
    """The faces, the total, and how lucky that was."""
    text = f"{data['dice']}: {faces_text(data['faces'])} = {data['total']}"
    return [Line(text, "title"), Line(f"{data['total']} or more: {percent(data['chance_of_at_least'])}", "dim")]
