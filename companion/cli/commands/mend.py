"""Commands that mend: undo, redo, amend, adjust, audit. Each ends with what to do on the board."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.options import PLAIN, Anyway, Db, Json, Session
from companion.cli.place import open_desk
from companion.cli.steps import finish
from companion.cli.words import pairs, plain_words, reply_number
from companion.core.errors import Unreadable

SETTINGS = {"amend": PLAIN, "adjust": PLAIN, "audit": PLAIN}


def undo(
    count: Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many entries.")] = 1,
    to: Annotated[int, typer.Option("--to", metavar="ENTRY", min=0, help="Everything after this entry.")] = 0,
    reply: Annotated[bool, typer.Option("--reply", help="Only the last reply that was given by hand.")] = False,
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
    step = desk.undo_reply() if reply else desk.undo_to(to) if to else desk.undo(count)
    raise typer.Exit(finish(desk, step, json, bool(session), asks=False))


def redo(session: Session = "", db: Db = "", json: Json = False) -> None:
    """Bring back what the last undo took.

    Example: companion redo
    """
    desk = open_desk(db, session)
    raise typer.Exit(finish(desk, desk.redo(), json, bool(session), asks=False))


def amend(
    reply: Annotated[str, typer.Argument(metavar="ENTRY.REPLY", help="As the log numbers it: 12.3")],
    value: Annotated[list[str], typer.Argument(metavar="VALUE", help="What it should have been.")],
    anyway: Anyway = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Change an old reply, and play the later ones again as far as they still fit.

    Example: companion amend 12.3 5
    """
    desk = open_desk(db, session)
    entry, number = reply_number(reply)
    step = desk.amend(entry, number, " ".join(plain_words(value)), anyway)
    raise typer.Exit(finish(desk, step, json, bool(session), asks=False))


def adjust(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WHAT VALUE...", help="A track, a piece, PIECE.face, PIECE.MARK, flag:NAME or new:KIND:NAME, and its value."
        ),
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason; it goes to the log.")] = "",
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Set anything to what lies on the table. Several pairs make one entry.

    Example: companion adjust morale 4 --why "forgot to move it"
    """
    given = plain_words(words)
    if len(given) % 2:
        raise Unreadable("adjust takes pairs of WHAT and VALUE", cure='Like this: companion adjust morale 4 --why "..."')
    if not why.strip():
        raise Unreadable("an adjustment needs its reason", cure='Add: --why "..."')
    desk = open_desk(db, session)
    step = desk.adjust(list(zip(given[::2], given[1::2], strict=True)), why)
    raise typer.Exit(finish(desk, step, json, bool(session), asks=False))


def audit(
    words: Annotated[list[str] | None, typer.Argument(metavar="[WHAT=VALUE]...", help="What is different on the table.")] = None,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Compare the table with what should be there; what differs becomes one adjustment.

    Example: companion audit ops=60
    """
    from companion.cli.audit import audit as run

    keyed, others = pairs(plain_words(words))
    if others:
        raise Unreadable(f"'{others[0]}' names no value", cure="Like this: companion audit WHAT=VALUE")
    raise typer.Exit(run(open_desk(db, session), keyed, json))
