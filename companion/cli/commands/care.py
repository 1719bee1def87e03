"""Commands that look after the archive: a copy of it, and what is wrong with it."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Db, Json
from companion.cli.shell.output import show
from companion.core.errors import Unreadable
from companion.core.text import plural
from companion.session import database
from companion.session.database import archive_exists, archive_path
from companion.session.doctor import Finding, HealthReport
from companion.views.lines import Line


def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to.")],
    force: Annotated[bool, typer.Option("--force", help="Take the place of a file that is there.")] = False,
    db: Db = "",
    json: Json = False,
) -> None:
    """A copy of the archive in one file, made while a game may be open, and read back before it counts.

    Example: companion backup companion-2026-11.sqlite3
    """
    from companion.cli.shell.progress import Bar
    from companion.session.backup import backup as copy

    done = copy(_archive(db), file, force, Bar().show)
    told = f"{plural(done.rows['sessions'], 'session')}, {plural(done.rows['log'], 'row')} of the log"
    show(
        json,
        lambda: {"file": done.path, "rows": done.rows},
        lambda: [Line(f"Saved and checked: {done.path}"), Line(f"{told}. To use it: companion --db {done.path}", "dim")],
    )


def doctor(
    repair: Annotated[
        str, typer.Option("--repair", metavar="FILE", help="Put what can be read into this new file; the archive stays as it is.")
    ] = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """What is wrong with the archive, and what to do about it: its file, every session, every printed fact. It changes nothing.

    Example: companion doctor
    """
    from companion.cli.shell.progress import Bar
    from companion.session import doctor as care

    path = _archive(db)
    found = care.repair(path, repair) if repair else care.check_archive(path, Bar().show)
    show(json, lambda: _data(found), lambda: [*_lines(found), *(_use(found) if repair else [])])
    if not found.is_sound:
        raise typer.Exit(4)


def _archive(db: str) -> str:
    """The file of the archive. Raises Unreadable: there is none."""
    path = archive_path(db or None)
    if not archive_exists(path):
        raise Unreadable(f"there is no archive {path}", cure="Begin one: companion new GAME")
    return path


def _data(found: HealthReport) -> dict[str, object]:
    return {
        "archive": found.path,
        "well": found.is_sound,
        "schema": found.schema,
        "rows": found.rows,
        "findings": [one._asdict() for one in found.findings],
    }


def _lines(found: HealthReport) -> list[Line]:
    head = [Line(found.path, "title"), *([Line(_sizes(found), "dim")] if found.rows else [])]
    said = [line for one in found.findings for line in _finding(one)]
    return [*head, *said, *([Line("All is well.", "gain")] if found.is_sound and not found.is_incomplete else [])]


def _use(found: HealthReport) -> list[Line]:
    """What an archive that was made out of another one is good for."""
    sound = "The new archive is sound; what is named above is not in it."
    return [
        *([Line(sound, "warning")] if found.is_sound and found.is_incomplete else []),
        Line(f"To use it: companion --db {found.path}", "dim"),
    ]


def _sizes(found: HealthReport) -> str:
    rows = found.rows
    told = f"{plural(rows['sessions'], 'session')}, {plural(rows['log'], 'row')} of the log"
    return f"{told}, {plural(rows['printed'], 'printed fact')}; schema {found.schema} of {database.SCHEMA}"


def _finding(one: Finding) -> list[Line]:
    whose = f"{one.session}: " if one.session else ""
    return [Line(f"{whose}{one.what}", "warning" if one.harm else ""), Line(f"  {one.cure}", "dim")]
