"""Commands that mend: undo, redo, amend, adjust, audit. Each ends with what to do on the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from companion.cli.commands.finishing import finish
from companion.cli.commands.options import PLAIN, Anyway, Brief, Db, Json, Session
from companion.cli.repl.audit import AUDITED, ask_differences, audit_lines, differences
from companion.cli.shell.archives import open_desk
from companion.cli.shell.arguments import amendments, pairs, plain_words
from companion.cli.shell.output import on_terminal, show, write
from companion.core.errors import Unreadable
from companion.session.adjust import parse_changes
from companion.session.controller import SessionController
from companion.views.board import setup_lines
from companion.views.data import session_data
from companion.views.lines import Line

SETTINGS = {"amend": PLAIN, "adjust": PLAIN, "audit": PLAIN}


def undo(
    count: Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many actions.")] = 1,
    to: Annotated[int, typer.Option("--to", metavar="ACTION", min=0, help="Everything after this action.")] = 0,
    reply: Annotated[bool, typer.Option("--reply", help="Only the last answer that was given by hand.")] = False,
    brief: Brief = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Take back entries, or one reply. Nothing is deleted: redo brings it back, log --undone shows it.

    Example: companion undo 2
    """
    if to and reply:
        raise Unreadable("--to and --reply do not go together", cure="Use one of them")
    desk = open_desk(db, session)
    result = desk.undo_reply() if reply else desk.undo_to(to) if to else desk.undo(count)
    raise typer.Exit(finish(desk, result, json, bool(session), asks=False, brief=brief))


def redo(brief: Brief = False, session: Session = "", db: Db = "", json: Json = False) -> None:
    """Bring back what the last undo took.

    Example: companion redo
    """
    desk = open_desk(db, session)
    raise typer.Exit(finish(desk, desk.redo(), json, bool(session), asks=False, brief=brief))


def amend(
    reply: Annotated[str, typer.Argument(metavar="ACTION.ANSWER", help="As the log numbers it: 12.3")],
    value: Annotated[list[str], typer.Argument(metavar="VALUE", help="What it should have been.")],
    anyway: Anyway = False,
    brief: Brief = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Change an old reply, or several, and play the later ones again as far as they still fit.

    Example: companion amend 12.3 5
    Two named in the wrong order: companion amend 12.3 rocket, 12.4 mortars
    """
    desk = open_desk(db, session)
    (at, text), *also = amendments(reply, " ".join(plain_words(value)))
    result = desk.amend(*at, text, anyway, dict(also))
    raise typer.Exit(finish(desk, result, json, bool(session), asks=False, brief=brief))


def adjust(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WHAT VALUE...", help="A track, a piece, PIECE.face, PIECE.MARK, flag:NAME or new:KIND:NAME, and its value."
        ),
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason; it goes to the log.")] = "",
    brief: Brief = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Set anything to what lies on the table. Several pairs make one entry.

    Example: companion adjust morale 4 --why "forgot to move it"
    """
    given = plain_words(words)
    if len(given) < 2:
        raise Unreadable("adjust takes pairs of WHAT and VALUE", cure='Like this: companion adjust morale 4 --why "..."')
    if not why.strip():
        raise Unreadable("an adjustment needs its reason", cure='Add: --why "..."')
    desk = open_desk(db, session)
    result = desk.adjust(parse_changes(desk.game, desk.options, desk.position, given), why)
    raise typer.Exit(finish(desk, result, json, bool(session), asks=False, brief=brief))


def audit(
    words: Annotated[list[str] | None, typer.Argument(metavar="[WHAT=VALUE]...", help="What is different on the table.")] = None,
    brief: Brief = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Compare the table with what should be there; what differs becomes one adjustment.

    Example: companion audit ops=60
    """
    keyed, others = pairs(plain_words(words))
    if others:
        raise Unreadable(f"'{others[0]}' names no value", cure="Like this: companion audit WHAT=VALUE")
    raise typer.Exit(compare(open_desk(db, session), keyed, json, brief))


def compare(desk: SessionController, changes: Sequence[tuple[str, str]], as_json: bool, brief: bool = False) -> int:
    """Show what should be where; with changes, or with what a player marks on a terminal, adjust to it.

    Returns:
        The exit code.
    """
    if not changes:
        if as_json or not on_terminal():
            lines = [*setup_lines(desk.game, desk.position), Line("Different? companion audit WHAT=VALUE ...", "dim")]
            show(as_json, lambda: session_data(desk, brief), lambda: lines)
            return 0
        from companion.cli.repl.terminal import Terminal

        write(audit_lines(desk))
        changes = differences(desk, ask_differences(Terminal().ask))
    if not changes:
        write([Line("Everything is as it should be")])
        return 0
    return finish(desk, desk.adjust(list(changes), AUDITED, action="audit"), as_json, brief=brief)
