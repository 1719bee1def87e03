"""Commands that look things up: games, chart, roll, rule, odds."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.options import PLAIN, Db, GameName, Json, Session, Words
from companion.cli.output import show
from companion.cli.place import load_game
from companion.core.errors import Unreadable
from companion.views import catalog

SETTINGS = {"odds": PLAIN, "chart": PLAIN}


def games(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game by unique prefix; all of them otherwise.")] = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """What there is to play: scenarios, options, actions, charts, and what is still to be copied from your set.

    Example: companion games
    """
    from companion.cli.lists import games_data, games_lines, one_game

    if game:
        found, missing = one_game(db, game)
        show(json, lambda: catalog.game_data(found, missing), lambda: catalog.game_lines(found, missing))
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
    from companion.cli.lists import chart_result, charts_data, charts_lines, find_chart

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
            lambda: catalog.result_lines(found, key, rolled),
        )
    else:
        show(json, lambda: catalog.chart_data(found), lambda: catalog.chart_lines(found))


def roll(
    dice: Annotated[str, typer.Argument(metavar="2d6+1", help="How many dice of how many sides, and what is added.")],
    json: Json = False,
) -> None:
    """Roll dice, outside of any session.

    Example: companion roll 2d6+1
    """
    from companion.cli.lists import roll_data, roll_lines

    data = roll_data(dice)
    show(json, lambda: data, lambda: roll_lines(data))


def rule(
    game: GameName,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[NUMBER | WORDS]", help="A rule number, or words to look for.")
    ] = None,
    json: Json = False,
) -> None:
    """A rule in our own words, how it is handled, its errata and rulings.

    Example: companion rule GAME 16.8
    """
    from companion.cli.lists import rule_lines

    loaded = load_game(game)
    text = " ".join(words or [])
    found = catalog.find_rules(loaded, text) if text else list(loaded.tables.rules.values())
    show(
        json,
        lambda: {"rules": [catalog.rule_data(loaded, item) for item in found]},
        lambda: rule_lines(loaded, found, text),
    )


def odds(
    game: GameName,
    situation: Annotated[str, typer.Argument(metavar="[SITUATION]", help="Of what; see: companion games GAME")] = "",
    words: Words = None,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Exact chances, worked out by the rules themselves. What is suggested is taken where nothing is given.

    Where it matters what lies on the table (a cup, a deck), the session in use is looked at.

    Example: companion odds GAME SITUATION KEY=VALUE
    """
    from companion.cli.inquiry import show_odds
    from companion.cli.words import plain_words

    if not situation:
        names = ", ".join(item.id for item in load_game(game).situations)
        raise Unreadable("odds of what?", cure=f"There is: {names}")
    raise typer.Exit(show_odds(db, session, load_game(game), situation, plain_words(words), json))
