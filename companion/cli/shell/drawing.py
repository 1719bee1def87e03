"""A look at the map."""

from __future__ import annotations

from companion.cli.shell.opening import facts_archive
from companion.cli.shell.output import show
from companion.core.game import Game
from companion.core.words import one_of
from companion.session import mapping
from companion.views.lines import Line

FORMS = ("text", "json")


def drawn(game: Game, place: str, form: str, session: str, db: str) -> int:
    """Show the map, or what is known of one place."""
    geography, known = mapping.geography_of(game), facts_archive(db).printed(game.id)
    lines = [line for line in mapping.as_lines(geography, known) if " " in line and place in ("", line.partition(" ")[0])]
    as_json = one_of(form, FORMS, "form") == "json"
    show(
        as_json, lambda: {"game": game.id, "map": lines}, lambda: [Line(line) for line in lines or ["Nothing is known of it yet"]]
    )
    return 0
