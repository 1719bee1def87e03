"""What is said of a running session that follows what was told anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.core.game import Game
from companion.session.store import Archive
from companion.views.lines import Line

_MOST = 24
"""Lines of what was understood that are shown; of more there is a count."""


def echo(game: Game, facts: Mapping[str, str]) -> list[str]:
    """Facts as they were understood; an empty one was withdrawn."""
    return [
        game.fact_in_words(key, value) or f"{key} = {value}" if value else f"Forgotten: {key}" for key, value in facts.items()
    ]


def echo_lines(game: Game, facts: Mapping[str, str]) -> list[Line]:
    """The same as lines, of many only the first."""
    lines = [Line(text) for text in echo(game, facts)]
    more = Line(f"and {len(lines) - _MOST} more: companion map {game.id}", "dim")
    return [*lines[:_MOST], more] if len(lines) > _MOST else lines


def follow_lines(
    archive: Archive, game: Game, facts: Mapping[str, str], new: Collection[str] | None = None, session: str = ""
) -> list[Line]:
    """Let a session follow, the one in use if none is named; the lines that say what came of it.

    Args:
        archive, game: whose facts.
        facts: what was told.
        new: those of them that were not known before; None: all.
        session: its name.
    """
    from companion.session.controller import update_session
    from companion.views.result import result_lines

    followed = update_session(archive, game, facts, new, session)
    if followed is None:
        return []
    if followed.result is None:
        return [Line(followed.fault, "reminder", "", "* ")]
    name = followed.session.info.name
    return [Line(f"Session {name} follows:", "dim"), *result_lines(followed.session, followed.result)]
