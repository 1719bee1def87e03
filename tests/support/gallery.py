"""Draws each screen of the program as a terminal of 80 by 24 shows it: ``python -m tests.support.gallery [NAME ...]``.

``tests/games/<game>/shots.py`` holds ``SHOTS``, a tuple of ``Shot``; the index is ``companion/docs/screens.md``.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from companion.games import GAMES
from tests.support.pictures import ROOT, picture

FOLDER = ROOT / "companion" / "docs" / "screens" / "each"
INDEX = ROOT / "companion" / "docs" / "screens.md"
ROWS, COLUMNS = 24, 80
_CALM = 0.7
"""Seconds that a screen is left alone before the next thing is typed."""
_PATIENCE = 120.0
"""Seconds: it is no test, and may be made beside other work."""


class Shot(NamedTuple):
    """A screen.

    Attributes:
        name: of its file.
        title: what it shows, for the index.
        before: command lines that make the session, each run without a terminal.
        words: of the command line that is run on the terminal.
        typed: what is typed, each with a text that then comes onto the screen; after nothing and after TAB there is no Enter;
            ``\\r`` is one alone.
    """

    name: str
    title: str
    before: tuple[str, ...]
    words: str
    typed: tuple[tuple[str, str], ...]


def shots() -> Iterator[Shot]:
    """Every screen, game by game."""
    for game in sorted(GAMES):
        if find_spec(f"tests.games.{game}.shots"):
            yield from import_module(f"tests.games.{game}.shots").SHOTS


def taken(shot: Shot) -> list[str]:
    """The rows of a screen with the codes of its colours, by the program itself at a terminal."""
    import shlex

    from tests.support import screen as terminal
    from tests.support.commands import companion

    with tempfile.TemporaryDirectory() as folder:
        own = {"COMPANION_DB": os.path.join(folder, "a.sqlite3"), "COMPANION_CONFIG": os.path.join(folder, "config.toml")}
        with patch.dict(os.environ, own):
            for line in shot.before:
                companion(*shlex.split(line))
            terminal._PATIENCE = _PATIENCE
            screen = terminal.Screen(
                *shlex.split(shot.words),
                rows=ROWS,
                columns=COLUMNS,
                tiny=False,
                COMPANION_THEME="",
                COLORFGBG="15;0",
                COLORTERM="",
                **own,
            )
            _grey(screen.glass)
            for text, wanted in shot.typed:
                screen.type(text, "" if text[-1:] in ("", "\t", "\r") else "\r").wait(wanted)
                time.sleep(_CALM)  # what is typed before its prompt is drawn is echoed above it
                screen.settle()
            found = [_row(screen.glass, y) for y in range(ROWS)]
            screen.child.close(force=True)
    return found


def _grey(glass: Any) -> None:
    """What is dim is grey in a picture, since the model of the screen knows no dim."""
    select = glass.select_graphic_rendition
    glass.select_graphic_rendition = lambda *codes, **more: select(*(90 if code == 2 else code for code in codes), **more)


_COLOURS = {
    name: number
    for number, names in enumerate(
        (("black",), ("red",), ("green",), ("brown", "yellow"), ("blue",), ("magenta",), ("cyan",), ("white",)), 30
    )
    for name in names
}
_COLOURS |= {f"bright{name}": number + 60 for name, number in _COLOURS.items()} | {"bfightmagenta": 95}


def _row(glass: Any, y: int) -> str:
    """A row of the screen with its codes."""
    text, last = "", ""
    for x in range(COLUMNS):
        cell = glass.buffer[y][x]
        code = ";".join(
            [
                *(["1"] if cell.bold else []),
                *(["4"] if cell.underscore else []),
                *(["7"] if cell.reverse else []),
                *([str(_COLOURS[cell.fg])] if cell.fg in _COLOURS else []),
                *([str(_COLOURS[cell.bg] + 10)] if cell.bg in _COLOURS else []),
            ]
        )
        text += (f"\x1b[0m\x1b[{code}m" if code != last else "") + cell.data
        last = code
    return f"{text}\x1b[0m".rstrip()


def index() -> str:
    """The page that shows them all."""
    head = "# The screens\n\nPictures of the program on a terminal of 80 columns and 24 rows. "
    head += "`python -m tests.support.gallery` in the source makes them.\n"
    return head + "".join(f"\n## {shot.title}\n\n![{shot.title}](screens/each/{shot.name}.svg)\n" for shot in shots())


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    os.chdir(ROOT)
    wanted = sys.argv[1:]
    for old in FOLDER.glob("*.svg"):
        if old.stem not in {shot.name for shot in shots()}:
            old.unlink()
    for shot in shots():
        if not wanted or shot.name in wanted:
            Path(FOLDER / f"{shot.name}.svg").write_text(picture(taken(shot), shot.name, COLUMNS), encoding="utf-8")
    INDEX.write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
