"""Draws the screens of the README and of the pages as pictures, in colours: ``python -m tests.support.pictures``."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from itertools import takewhile
from typing import NamedTuple
from unittest.mock import patch

from companion.cli.shell import output
from companion.games import GAMES
from companion.session.state import SessionState
from companion.session.store import Archive
from companion.views.dashboard import dashboard, snapshot, with_odds
from companion.views.lines import WIDTH, Line, layout, plain_text
from companion.views.lines import coloured_rows as in_colours
from tests.support.architecture import PICTURE
from tests.support.commands import companion
from tests.support.pages import ROOT, Shown, at_table, blocks, pages

FOLDER = ROOT / "companion" / "docs" / "screens"
WATCH = "watch.svg"
_COLUMN = "dark"


DRAWN = ("README", *GAMES, "looks")
"""The pages of which each console block is a picture too."""


def screens() -> list[tuple[str, list[str]]]:
    """The console blocks of those pages: the name of the picture of each, and the rows that it shows."""
    found = [
        (page.stem.lower(), number, text) for page in pages() if page.stem in DRAWN for number, text in enumerate(blocks(page), 1)
    ]
    return [(f"{name}-{number}.svg", text.rstrip("\n").split("\n")) for name, number, text in found]


def picture(rows: list[str], name: str, width: int = 80) -> str:
    """Rows with the codes of a terminal as a picture that fetches nothing from elsewhere."""
    from io import StringIO

    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=width, file=StringIO(), force_terminal=True, legacy_windows=False)
    for row in rows:
        console.print(Text.from_ansi(row), soft_wrap=True, highlight=False)
    form = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.S)
    drawn = console.export_svg(title="companion", unique_id=name.partition(".")[0], code_format=form)
    return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


class _Told(NamedTuple):
    """A line as plain text, and as a terminal in colours shows it."""

    plain: list[str]
    shown: list[str]


def _carried_out(shown: Shown) -> list[_Told]:
    """What a command tells, line by line, and what the loop tells that it opens."""
    told = _printed(shown.opening) if shown.opening else []
    typed = at_table(shown) if shown.typed else []
    return [*told, *(_Told(layout(line), in_colours(line, WIDTH, _COLUMN)) for line in typed)]


def _printed(words: list[str]) -> list[_Told]:
    told: list[_Told] = []

    def recorded(lines: Iterable[Line], width: int, column: str) -> str:
        lines = list(lines)
        told.extend(_Told(layout(line, width), in_colours(line, width, column)) for line in lines)
        return plain_text(lines, width)

    with (
        patch.object(output, "colours", lambda: True),
        patch.object(output, "colour_column", lambda: _COLUMN),
        patch.object(output, "ansi_text", recorded),
    ):
        companion(*words)
    return told


def coloured(rows: list[str]) -> list[str]:
    """The rows of a block as a terminal shows them: each command is carried out, and they are found again in what it prints."""
    found: list[str] = []
    told: list[_Told] = []
    left = [row.rstrip() for row in rows if not row.startswith("# ")]
    while left:
        row = left.pop(0)
        if row.startswith("$ "):
            below = takewhile(lambda one: not one.startswith("$ "), left)
            told = _carried_out(Shown(row[2:], tuple(below)))
            found.append(f"\x1b[1m{row}\x1b[0m")
            continue
        place = next((at for at, line in enumerate(told) if line.plain[0].rstrip() == row), None)
        if place is None:
            found.append(row)
            continue
        line, told = told[place], told[place + 1 :]
        below = [one.rstrip() for one in line.plain[1:]]
        whole = left[: len(below)] == below
        found += line.shown if whole else line.shown[:1]
        left = left[len(below) :] if whole else left
    return found


def watched() -> str:
    """The second terminal beside the session in use."""
    with Archive.open_existing() as archive:
        found = with_odds(snapshot(SessionState.open(archive)))
    return picture([row.shown for row in dashboard(found, 110, 36, _COLUMN).rows(36)], WATCH, 110)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in set(FOLDER.glob("*.svg")) - {PICTURE}:
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["COMPANION_CONFIG"] = os.path.join(folder, "config.toml")
        seen = False
        for number, (name, rows) in enumerate(screens()):
            if name.endswith("-1.svg") or rows[0].startswith("# afresh"):
                os.environ["COMPANION_DB"] = os.path.join(folder, f"{number}.sqlite3")
            (FOLDER / name).write_text(picture(coloured(rows), name, max(80, *map(len, rows))), encoding="utf-8")
            if not seen and any(row.startswith("$ companion do j3") for row in rows):
                seen = True
                (FOLDER / WATCH).write_text(watched(), encoding="utf-8")


if __name__ == "__main__":
    main()
