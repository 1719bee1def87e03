"""A look at the map, with what stands on it in the session in use."""

from __future__ import annotations

from companion.cli.shell.opening import facts_archive
from companion.cli.shell.output import show, width
from companion.core.game import Game
from companion.core.position import Position
from companion.core.words import one_of
from companion.session.standing import Standing
from companion.session.store import Archive
from companion.views.map import find_space, map_lines, map_of

FORMS = ("text", "json")


def drawn(game: Game, place: str, form: str, session: str, db: str) -> int:
    """Show the map, or what is around a space.

    Args:
        game: whose map.
        place: the space; "" for none.
        form: one of FORMS, by unique prefix.
        session: by unique prefix; "" for the one in use, if it is of the game.
        db: the archive.
    """
    archive = facts_archive(db)
    position, options = _table(archive, game, session)
    map = map_of(game, position, options, archive.printed(game.id), archive.learnt(game.id))
    space = find_space(map, place, game) if place else ""
    as_json = one_of(form, FORMS, "form") == "json"
    show(as_json, lambda: {"game": game.id, "spaces": list(map.spaces)}, lambda: map_lines(map, space, width()))
    return 0


def _table(archive: Archive, game: Game, session: str) -> tuple[Position, dict[str, str]]:
    """What lies on the table, and the options of the session; nothing without one of the game."""
    found = archive.session(session) if session else archive.last()
    if found is None or found.game != game.id:
        return Position(), {}
    standing = Standing.open(archive, found)
    return standing.position, dict(standing.options)
