"""The command that tells a whole session as a document: report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.commands.options import Db, Json, Session
from companion.cli.shell.archives import open_desk
from companion.cli.shell.files import new_folder, write_new
from companion.cli.shell.output import document_of, put, show, write_json
from companion.core.errors import Unreadable
from companion.core.text import clean, pick_name
from companion.session.state import SessionState
from companion.views.lines import Line
from companion.views.report.render import FORMS, report_blocks, report_text, session_report

if TYPE_CHECKING:
    from companion.views.report.report import Extent, Report

_ENDINGS = {"htm": "html", "markdown": "md", "bb": "bbcode", "txt": "bbcode"}

_CURE = "Name another, or add --force to write over it"


def report(
    style: Annotated[
        str, typer.Option("--format", metavar="md|html|bbcode|json", help="Its form; or by the ending of FILE.")
    ] = "",
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Where to; in a folder/ with its pictures as files.")] = "",
    first: Annotated[
        int, typer.Option("--from", min=0, metavar="N", help="The first turn or operation; from the beginning otherwise.")
    ] = 0,
    last: Annotated[int, typer.Option("--to", min=0, metavar="N", help="The last one; to the end otherwise.")] = 0,
    brief: Annotated[bool, typer.Option("--brief", help="The story alone, without the log.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Every sentence, and in the log each reason.")] = False,
    luck: Annotated[bool, typer.Option("--luck", help="With the luck of the rolls, which takes a while to work out.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over FILE.")] = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """The whole session as a document: the result, the story by turns or operations, the set-up and the log.

    Example: companion report --out game.md
    """
    from companion.views.report.report import Extent

    if brief and full:
        raise Unreadable("--brief and --full are two different reports", cure="Name one of them")
    form = _form(style, out, json)
    desk = open_desk(db, session)
    with _uncollected():
        _tell(desk, Extent(first, last, brief, full), luck, form, out, force, json)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without looks for what is no longer needed: a long log makes much at once, and the command ends soon."""
    import gc

    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _tell(desk: SessionState, extent: Extent, luck: bool, form: str, out: str, force: bool, json: bool) -> None:
    """Write a report of some form, into a file or to stdout."""
    from companion.views.report.render import report_data

    found = session_report(desk, extent, luck)
    if out:
        path = _written(desk, found, form, out, force)
        show(json, lambda: {"session": desk.info.name, "file": path}, lambda: [Line(f"Written: {path}")])
    elif form == "json":
        write_json(report_data(found))
    else:
        put(report_text(desk, found, form))


def _form(style: str, out: str, as_json: bool) -> str:
    """The form that is asked for: by its name, else by the ending of the file, else as data or Markdown."""
    ending = out.rpartition(".")[2].casefold()
    ending = _ENDINGS.get(ending, ending)
    if style:
        return pick_name(style, FORMS, "format")
    if ending in FORMS:
        return ending
    return "json" if as_json and not out else "md"


def _written(desk: SessionState, report: Report, form: str, out: str, force: bool) -> str:
    """A report in a file, or in a folder with its pictures beside it; returns the path of the report.

    Raises:
        Unreadable: something is there already, or cannot be written.
    """
    import os

    from companion.views.report.render import report_data

    if form == "md" and (out.endswith(os.sep) or os.path.isdir(out)):
        return _with_pictures(desk, report, out, force)
    text = document_of(report_data(report)) if form == "json" else report_text(desk, report, form)
    return write_new(out, text, force, _CURE)


def _with_pictures(desk: SessionState, report: Report, folder: str, force: bool) -> str:
    """A report in Markdown with the files of its pictures, in a folder that is made where there is none."""
    import os

    from companion.views.report.document import Picture
    from companion.views.report.render import report_md

    blocks = report_blocks(desk, report, True)
    files = {f"{block.name}.svg": block.svg for block in blocks if isinstance(block, Picture)}
    files["report.md"] = report_md(blocks, True)
    there = [name for name in files if os.path.lexists(os.path.join(folder, name))]
    if there and not force:
        raise Unreadable(f"{clean(folder)} holds {there[0]} already", cure=_CURE)
    with new_folder(folder) as place:
        for name, text in files.items():
            write_new(os.path.join(place, name), text, force, _CURE)
    return os.path.abspath(os.path.join(folder, "report.md"))
