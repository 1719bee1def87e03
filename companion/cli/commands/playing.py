"""To sit down at the table of a session that there is."""

from __future__ import annotations

from companion.cli.repl.terminal import at_terminal
from companion.cli.shell.archives import shown
from companion.session.controller import SessionController
from companion.session.facts import is_practice
from companion.session.store import Archive


def play_on(archive: Archive, session: str, greet: bool = True) -> int:
    """Play a session until the player leaves; always 0, since everything is saved.

    Args:
        archive: where it is.
        session: by unique prefix; "" for the last.
        greet: begin with where play is; not where that was just shown.
    """
    info = archive.session(session)
    archive.use(info)
    desk = SessionController.open(archive, info)
    try:
        at_terminal(desk).play(greet, "companion practice" if is_practice(archive) else "companion play")
    finally:
        shown(desk)
    return 0
