"""Open the archive, session or game that a command names."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.cli.shell.bar import BAR
from companion.cli.shell.process import CLEANUP, PROCESS, setting
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.game import Game
from companion.core.hints import TYPE_CHECKING
from companion.core.text import matching_names, pick_name
from companion.games import GAMES
from companion.session import state
from companion.session.database import archive_exists, archive_path, practice_path
from companion.session.state import SessionState
from companion.session.store import Archive

if TYPE_CHECKING:
    from companion.core.procedures import Progress, ProgressCallback
    from companion.core.resolver import Answers
    from companion.session.controller import SessionController


def open_archive(db: str) -> Archive:
    """Open or create the archive at a path; "" means COMPANION_DB or the usual place. It is closed when the command ends."""
    return _open(db, Archive.open)


def existing_archive(db: str) -> Archive:
    """Open an archive that exists. Raises Unreadable: there is none."""
    return _open(db, Archive.open_existing)


def existing_or_empty_archive(db: str) -> Archive:
    """Open an archive that exists, or else an empty one in memory."""
    return _open(db, Archive.open_existing_or_empty)


def _open(db: str, open_: Callable[[str | None, ProgressCallback], Archive]) -> Archive:
    cache = PROCESS.cache
    if cache and (cached := cache.archive(archive_path(db or None))):
        return cached
    archive = open_(db or None, _show_migration)
    if not (cache and cache.keep(archive)):
        CLEANUP.append(archive.close)
    return archive


def _show_migration(progress: Progress) -> None:
    BAR.show(progress, "Updating the archive")


def session_archives(db: str) -> list[Archive]:
    """Open the archives in which sessions are looked for: the given one; without one, also that of the practice games.

    A client of a server names the archive that it means.
    """
    practice = "" if db or PROCESS.cache else practice_path("")
    if not practice or practice == archive_path(None) or not archive_exists(practice):
        return [existing_archive(db)]
    return [*([existing_archive("")] if archive_exists(archive_path(None)) else []), existing_archive(practice)]


def session_archive(db: str, name: str = "") -> Archive:
    """Open the archive of a session: of the one that is named, else of the one last played.

    Raises BadData: the archive cannot be used.
    """
    own, *others = session_archives(db)
    if not others:
        return own
    if name:
        holding = [archive for archive in (own, *others) if matching_names(name, [item.name for item in archive.sessions()])]
        return holding[0] if holding else own
    return max((own, *others), key=Archive.last_played)


def open_session(db: str, name: str) -> SessionController:
    """Open a session by unique prefix of its name; "" means the one in use.

    Raises:
        Unreadable: There is no such session, or none at all.
        BadData: The archive cannot be used.
    """
    return session_of(session_archive(db, name), name)


def session_of(archive: Archive, name: str) -> SessionController:
    """Open a session of an archive that is open already."""
    from companion.session.controller import SessionController

    session = PROCESS.cache.session(archive, name) if PROCESS.cache else SessionController.open(archive, name)
    session.watch, session.jobs = BAR.show, thinking_cores
    return session


def thinking_cores() -> int:
    """The number of cores that an opponent and the adviser think on, by the player's setting."""
    from companion.session.worker_pool import cores

    return cores() if setting("cores") == "all" else 1


def view_session(db: str, name: str) -> SessionState:
    """Open a session for reading only, without importing what plays. Raises as `open_session`."""
    archive = session_archive(db, name)
    return PROCESS.cache.session(archive, name) if PROCESS.cache else SessionState.open(archive, name)


def seat_of(session: SessionState, name: str) -> str:
    """Return a seat of the session's game by unique prefix; "" for none named. Raises Unreadable: there is no such seat."""
    return name and pick_name(name, list(session.game.seats), "seat")


def seen_by(session: SessionState, name: str) -> SessionState:
    """Return a session as a seat sees it, given by unique prefix; the session itself if none is named. Raises as `seat_of`."""
    seat = seat_of(session, name)
    if not seat:
        return session
    from companion.session.seat_view import seat_view

    return seat_view(session, seat)


def load_game(name: str) -> Game:
    """Load a game by unique prefix of its id.

    Raises:
        Unreadable: There is no such game.
        BadData: Its tables have faults.
    """
    if name not in GAMES:  # the module that finds games by prefix is expensive to import
        from companion.session.plugins import resolve_game_id

        name = resolve_game_id(name)
    return state.load_game(name)


def named_or_used_game(
    game: str, words: Sequence[str], db: str, session: str, check: Callable[[Game, list[str]], object]
) -> tuple[Game, list[str]]:
    """Load the game that the first word names, or else that of the session in use; return it with the other words.

    Args:
        game: The first word; "" if there is none.
        words: Those after it.
        session: A session by unique prefix; "" for the one in use.
        check: Raises Unreadable if all words together mean nothing in the game of the session.

    Raises:
        Unreadable: There is no such game, and no session in use, or its game does not know the words either.
        BadData: The tables of the game have faults.
    """
    unknown = Unreadable("which game? No session is in use", cure="Name a game; see: companion games")
    if game:
        try:
            return load_game(game), list(words)
        except Unreadable as fault:
            unknown = fault
    archive = existing_or_empty_archive(db)
    used = archive.session(session) if session else archive.last()
    if used is None:
        raise unknown
    loaded, rest = load_game(used.game), [game, *words] if game else []
    try:
        check(loaded, rest)
    except Unreadable:
        raise unknown from None
    return loaded, rest


def load_games(plugins: bool = True) -> tuple[list[Game], dict[str, BadData]]:
    """Load every game, so that one bad file does not hide the others.

    Args:
        plugins: Include games that are not built in.

    Returns:
        The games, and the errors of those that cannot be loaded, by id.
    """
    from companion.session.plugins import find_plugins

    games: list[Game] = []
    names, errors = find_plugins() if plugins else ((), {})
    for name in [*GAMES, *names]:
        try:
            games.append(state.load_game(name))
        except BadData as error:
            errors[name] = error
    return games, errors


def _terminal_name() -> str:
    """The terminal; without one, the process that runs the commands, such as a script."""
    for stream in (0, 1, 2):
        with suppress(OSError, AttributeError):
            return os.ttyname(stream)
    return f"process {os.getppid()}"


def mark_shown(session: SessionState) -> None:
    """Record that this terminal has shown the open question. Errors of the archive are ignored."""
    if PROCESS.cache:
        PROCESS.cache.shown[session.archive.path, session.info.id] = session.question_number
        return
    with suppress(CompanionError):
        if session.pending is not None:
            session.archive.show(session.info.id, _terminal_name(), session.question_number)


def _last_shown(session: SessionState) -> str:
    """The number of the question that this terminal, or the client of this process, has shown last; "" for none."""
    if PROCESS.cache:
        return PROCESS.cache.shown.get((session.archive.path, session.info.id), "")
    return session.archive.shown(session.info.id, _terminal_name())


def check_question_shown(session: SessionState, answers: Answers) -> None:
    """Check that answers are meant for the open question: it is named by its key, or this terminal has shown it.

    A late answer to an earlier question must not be taken for an answer to the next one.

    Raises SessionMoved: another question is open than the one shown; it counts as shown from now on.
    """
    request = session.pending
    if request is None or not (answers.accept or answers.unused()) or any(key == request.key for key, _ in answers.keyed):
        return
    if _last_shown(session) not in ("", session.question_number):
        from companion.session.advance import stale_question

        mark_shown(session)
        raise stale_question(session)


def damage_in_open_archives() -> CompanionError | None:
    """Return what is wrong with an open archive, or None; to explain an error that this may have caused."""
    from companion.session.row_checks import require_sound, require_sound_summaries

    try:
        for archive in (getattr(close, "__self__", None) for close in CLEANUP):
            if isinstance(archive, Archive):
                for session in archive.sessions():
                    require_sound(archive, session)
                require_sound_summaries(archive)
    except CompanionError as damage:
        return damage
    return None
