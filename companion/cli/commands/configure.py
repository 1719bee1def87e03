"""The command for what a player wants in every game."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Json
from companion.cli.shell import preferences
from companion.cli.shell.output import show
from companion.core.text import pick_name
from companion.core.values import JsonDict
from companion.session.config import SETTINGS, Config, checked, read_config, write_config
from companion.session.files import config_file
from companion.views.lines import BLANK, Line, table_lines
from companion.views.theme import MEANINGS


def config(
    key: Annotated[str, typer.Argument(metavar="[KEY]", help="A setting by unique prefix; all of them otherwise.")] = "",
    value: Annotated[str, typer.Argument(metavar="[VALUE]", help="What it is to be from now on.")] = "",
    json: Json = False,
) -> None:
    """What you want in every game: colours, who rolls and draws, how the opponent and the menus behave.

    Example: companion config theme light
    """
    path = config_file()
    before = read_config(path)
    if key:
        key = checked(key, value)[0] if value else pick_name(key, tuple(SETTINGS), "setting")
    if value:
        write_config(path, *checked(key, value))
        preferences.forget()
    found = read_config(path)
    show(json, lambda: _data(path, found), lambda: _one(key, before, found) if key else _all(path, found))


def _data(path: str, found: Config) -> JsonDict:
    """The settings as plain data."""
    settings = {
        key: {"value": found.value(key), "chosen": key in found.chosen, "values": list(one.values), "title": one.title}
        for key, one in SETTINGS.items()
    }
    return {"file": path, "fault": found.fault, "settings": settings}


def _all(path: str, found: Config) -> list[Line]:
    """Every setting with its value, and where they are kept."""
    rows = [(key, found.value(key), one.title) for key, one in SETTINGS.items()]
    wrong = [Line(found.fault, "warning", "", "! ")] if found.fault else []
    return [*wrong, *table_lines(rows), BLANK, Line(f"Change one: companion config theme light. Kept in {path}", "dim")]


def _one(key: str, before: Config, found: Config) -> list[Line]:
    """A setting, what it was, and what it changes."""
    was, now = before.value(key), found.value(key)
    lines = [Line(f"{key} {was} -> {now}" if was != now else f"{key} {now}", "title")]
    lines.append(Line(f"{SETTINGS[key].title}: {', '.join(SETTINGS[key].values)}"))
    return [*lines, BLANK, *_sample()] if key == "theme" else lines


def _sample() -> list[Line]:
    """Every meaning as the theme shows it."""
    return [Line(f"{tone:<9} {meaning}", tone, "", "  ") for tone, meaning in MEANINGS.items() if tone]
