"""What is shown after facts were told: how they were understood, and how the running session changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.core.game import Game
from companion.session.store import Archive
from companion.views.lines import Line

_MAX_LINES = 24


def understood_texts(game: Game, facts: Mapping[str, str]) -> list[str]:
    """Each fact as it was understood; an empty one was withdrawn."""
    return [
        game.fact_in_words(key, value) or f"{key} = {value}" if value else f"Forgotten: {key}" for key, value in facts.items()
    ]


def understood_lines(game: Game, facts: Mapping[str, str]) -> list[Line]:
    """The first of these texts as lines, and a count of the others."""
    lines = [Line(text) for text in understood_texts(game, facts)]
    rest = Line(f"and {len(lines) - _MAX_LINES} more: companion map {game.id}", "dim")
    return [*lines[:_MAX_LINES], rest] if len(lines) > _MAX_LINES else lines


def update_lines(
    archive: Archive, game: Game, facts: Mapping[str, str], new: Collection[str] | None = None, session: str = ""
) -> list[Line]:
    """Update a session by facts that were told, and return the lines that report it.

    Args:
        archive: The archive of the session.
        game: The game of the facts.
        facts: What was told.
        new: Those of the facts that were not known before; None: all.
        session: The session's name; "" for the one in use.
    """
    from companion.session.controller import update_session
    from companion.views.result import result_lines

    update = update_session(archive, game, facts, new, session)
    if update is None:
        return []
    if update.result is None:
        return [Line(update.fault, "reminder", "", "* ")]
    return [Line(f"Session {update.session.info.name} is updated:", "dim"), *result_lines(update.session, update.result)]
