"""Draws the screens of the README as pictures, by what the commands print in colours: ``python -m tests.support.pictures``."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path
from unittest.mock import patch

from companion.cli.shell import output
from companion.session.standing import Standing
from companion.session.store import Archive
from companion.views.dashboard import dashboard
from companion.views.scene import scene, with_odds
from tests.support.commands import companion

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "companion" / "docs" / "screens"
WATCH = "watch.svg"
_CODES = re.compile(r"\x1b\[[0-9;]*m")
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


def coloured(rows: list[str]) -> list[str]:
    """The rows of a block as a terminal shows them: each command is carried out, and they are found again in what it prints."""
    found: list[str] = []
    printed: list[str] = []
    for row in rows:
        if row.startswith("# "):
            continue
        if row.startswith("$ "):
            with patch.object(output, "colours", lambda: True), patch.object(output, "column", lambda: _COLUMN):
                done = companion(*shlex.split(row[2:])[1:])
            printed = (done.out + done.err).split("\n")
            found.append(f"\x1b[1m{row}\x1b[0m")
            continue
        place = next((at for at, text in enumerate(printed) if _CODES.sub("", text).rstrip() == row.rstrip()), None)
        found.append(row if place is None else printed[place])
        printed = printed if place is None else printed[place + 1 :]
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
