"""A look at the map, with what stands on it in the session in use."""

from __future__ import annotations

from companion.cli.shell.archives import facts_archive
from companion.cli.shell.output import height, put, show, width
from companion.core.game import Game
from companion.core.map import Map
from companion.core.position import Position
from companion.core.text import pick_name
from companion.session.state import SessionState
from companion.session.store import Archive
from companion.views.lines import Line
from companion.views.map_text import SCREEN_ROWS, find_space, known_map, map_lines

FORMS = ("text", "svg", "json")


def drawn(game: Game, place: str, form: str, session: str, db: str) -> int:
    """Show the map, or what is around a space.

    Args:
        game: whose map.
        place: the space; "" for none.
        form: one of FORMS, by unique prefix.
        session: by unique prefix; "" for the one in use, if it is of the game.
        db: the archive.
    """
    form = pick_name(form, FORMS, "form")
    archive = facts_archive(db)
    found = _session(archive, game, session)
    map = _map(archive, game, found)
    space = find_space(map, place, game) if place else ""
    if form == "svg":
        from companion.views.map_svg import map_svg

        put(map_svg(map, space))
        return 0
    show(form == "json", lambda: _data(game, found, map, space), lambda: _lines(game, found, map, space))
    return 0


def _session(archive: Archive, game: Game, session: str) -> SessionState | None:
    """The session that is meant; None where it is of another game."""
    found = archive.session(session) if session else archive.last()
    return SessionState.open(archive, found) if found and found.game == game.id else None


def _map(archive: Archive, game: Game, found: SessionState | None) -> Map:
    options = found.options if found else {name: item.default for name, item in game.options.items()}
    position = found.position if found else Position()
    return known_map(game, position, options, archive.printed(game.id), archive.inferred_facts(game.id))


def _data(game: Game, found: SessionState | None, map: Map, space: str) -> dict[str, object]:
    from companion.views.data import map_data

    return {"game": game.id, "session": found.info.name if found else None, **map_data(map, space)}


def _lines(game: Game, found: SessionState | None, map: Map, space: str) -> list[Line]:
    rows = (height() or SCREEN_ROWS) - (found is None)
    lines = map_lines(map, space, width(), rows)
    return lines if found else [*lines, Line(f"The session in use is not of {game.id}: nothing stands on it", "dim")]
