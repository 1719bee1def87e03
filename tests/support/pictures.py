"""Draws the screens of the README as pictures, by what the commands print in colours: ``python -m tests.support.pictures``."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from companion.cli.shell import output
from companion.session.standing import Standing
from companion.session.store import Archive
from companion.views.dashboard import dashboard
from companion.views.lines import Line, layout, plain
from companion.views.lines import coloured as in_colours
from companion.views.scene import scene, with_odds
from tests.support.commands import companion

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "companion" / "docs" / "screens"
WATCH = "watch.svg"
_COLUMN = "dark"


def screens() -> list[tuple[str, list[str]]]:
    """The console blocks of the README: the name of its picture, and the rows that it shows."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.S)
    return [(f"{number:02}.svg", block.rstrip("\n").split("\n")) for number, block in enumerate(blocks, 1)]


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


def _carried_out(words: list[str]) -> list[_Told]:
    """What a command tells, line by line."""
    told: list[_Told] = []

    def recorded(lines: Iterable[Line], width: int, column: str) -> str:
        lines = list(lines)
        told.extend(_Told(layout(line, width), in_colours(line, width, column)) for line in lines)
        return plain(lines, width)

    with (
        patch.object(output, "colours", lambda: True),
        patch.object(output, "column", lambda: _COLUMN),
        patch.object(output, "painted", recorded),
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
            told = _carried_out(shlex.split(row[2:])[1:])
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
    with Archive.look() as archive:
        found = with_odds(scene(Standing.open(archive)))
    return picture([row.shown for row in dashboard(found, 110, 36, _COLUMN)], WATCH, 110)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    os.chdir(ROOT)
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_CONFIG"] = os.path.join(folder, "config.toml")
        seen = False
        for number, (name, rows) in enumerate(screens()):
            if not number or rows[0].startswith("# afresh"):
                os.environ["COMPANION_DB"] = os.path.join(folder, f"{number}.sqlite3")
            (FOLDER / name).write_text(picture(coloured(rows), name, max(80, *map(len, rows))), encoding="utf-8")
            if not seen and any(" j3 " in row for row in rows):
                seen = True
                (FOLDER / WATCH).write_text(watched(), encoding="utf-8")


if __name__ == "__main__":
    main()
