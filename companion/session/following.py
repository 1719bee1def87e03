"""A running session follows what is told anew of the components: as an entry of its own, which undo takes back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.events import FlagSet
from companion.core.game import Game
from companion.session.desk import Result, SessionController
from companion.session.store import Archive

UPDATE_REASON = "entered again"


class FactUpdate(NamedTuple):
    """How the session in use follows.

    Attributes:
        desk: the session.
        result: what came of it; None where it cannot.
        fault: why it cannot, and what to do; "" where it does.
    """

    desk: SessionController
    result: Result | None
    fault: str = ""


def update_session(
    archive: Archive, game: Game, facts: Mapping[str, str], new: Collection[str] | None = None, session: str = ""
) -> FactUpdate | None:
    """Let a session go by printed facts that were told anew; None where it is of another game or goes by nothing of it.

    Args:
        archive: of the session.
        game: whose facts they are.
        facts: what was told, by full key; what was withdrawn ("") is let be.
        new: those of them that were not known before; None: all. The others count where the session goes by another value.
        session: by unique prefix; "" for the one in use.

    Raises:
        Unreadable: there is no such session.
    """
    last = archive.session(session) if session else archive.last()
    return (
        update_open_session(SessionController.open(archive, last), facts, new)
        if last is not None and last.game == game.id
        else None
    )


def update_open_session(
    desk: SessionController, facts: Mapping[str, str], new: Collection[str] | None = None
) -> FactUpdate | None:
    """The same of a session that is open; None where it goes by nothing of it."""
    fresh = facts if new is None else new
    changes = [(f"fact:{key}", value) for key, value in facts.items() if value and _concerns(desk, key, value, key in fresh)]
    if not changes:
        return None
    echoed = {desk.game.understood(key, value) for key, value in facts.items()}
    try:
        result = desk.adjust(changes, UPDATE_REASON)
        return FactUpdate(desk, result._replace(notes=tuple(note for note in result.notes if note not in echoed)))
    except CompanionError as fault:
        what, value = changes[0]
        more = " ..." if len(changes) > 1 else ""
        told = f"Session {desk.info.name} goes by what was entered before, since {fault.message}"
        return FactUpdate(desk, None, f"{told}; there: companion adjust '{what}' '{value}'{more} --why TEXT")


def _concerns(desk: SessionController, key: str, value: str, new: bool) -> bool:
    """Whether the session goes by a fact otherwise, or by a new one of the map that it has not heard of."""
    game = desk.game
    kind, _, name = key.partition(":")
    referee = game.opened(desk.position, desk.options)
    try:
        game.corrections.follow_fact(referee, kind, name, value)
    except CompanionError:
        return True  # it does not fit what the session has been told otherwise: it will say so
    of_map = new and game.geography is not None and bool(game.geography.spaces_of(key))
    return any(of_map or not isinstance(event, FlagSet) or event.was is not None for event in referee.events)
