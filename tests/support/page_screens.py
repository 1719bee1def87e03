"""Pictures of the page of ``companion host``: each game at a question, on a phone and on a tablet.

    python -m tests.support.page_screens FOLDER [GAME]

Needs Chromium. Writes GAME-question-SIZE.png, GAME-after-SIZE.png and GAME-VIEW-SIZE.png.
"""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.support.phones import Phone, chromium, hosting
from tests.support.turns import _Player, turns_of

QUESTIONS = {
    "fallujah2004": ("J-3 by hand: Node, 2+1 picks, two hits", "hit"),
    "fallujahcards": ("whole game by hand", "destroy"),
    "iraqwar2003": ("Attack by the map: a stack, two players", "combat"),
    "lzalbany": ("Turn 2, 12 chits, two players", "target"),
    "phantomfury": ("practice: turns 1 and 2 by hand", "assault"),
}
"""A turn of each game and the question at which its picture is taken."""


class _Until(_Player):
    """Plays a turn until a question is asked."""

    until = ""

    def ask(self, prompt: Any) -> str:
        if self.session.pending is not None and self.session.pending.key == self.until:
            raise EOFError
        return super().ask(prompt)


@contextmanager
def session_at(game: str, title: str, until: str) -> Iterator[tuple[str, str]]:
    """An archive with a turn that is played until a question is asked: its path and the session's name."""
    content, name = _played(game, title, until)
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "archive.sqlite3"
        db.write_bytes(content)
        with patch.dict(os.environ, {"COMPANION_DB": str(db)}):
            yield str(db), name


@cache
def _played(game: str, title: str, until: str) -> tuple[bytes, str]:
    from companion.cli.repl.loop import Loop
    from companion.session.store import Archive

    turn = next(turn for turn in turns_of(game) if turn.title == title)
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "archive.sqlite3"
        with patch.dict(os.environ, {"COMPANION_DB": str(db)}), Archive.open() as archive:
            session = turn.start(archive)
            session.setting(think="0")
            player = _Until(turn, session)
            player.until = until
            Loop(session, player.ask, player.tell).play(greet=False)
            name = session.info.name
        return db.read_bytes(), name


def main() -> None:
    """Run from the command line."""
    words = ArgumentParser(prog="python -m tests.support.page_screens")
    words.add_argument("folder", type=Path)
    words.add_argument("game", nargs="?")
    said = words.parse_args()
    said.folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for game in [said.game] if said.game else QUESTIONS:
            pictures(browser, game, said.folder)


def pictures(browser: Any, game: str, folder: Path) -> None:
    """Write the pictures of a game."""
    with session_at(game, *QUESTIONS[game]) as (db, name), hosting(db, name) as host:
        for size, scheme in (("small", "light"), ("phone", "dark"), ("tablet", "light"), ("upright", "dark")):
            for role in {"tablet": [*host.links], "upright": ["watch"]}.get(size, [host.seat]):
                phone = Phone(browser, host.links[role], size, color_scheme=scheme)
                shown = f"{game}-{size}" if size in ("small", "phone") else f"{game}-{role}-{size}"
                phone.page.screenshot(path=folder / f"{shown}.png")
                for view in ("map", "log", "rules", "odds", "notes") if role == host.seat else ():
                    phone.tab(view)
                    phone.page.wait_for_timeout(400)
                    phone.page.screenshot(path=folder / f"{shown}-{view}.png")
                if phone.messages:
                    sys.stdout.write(f"{shown}: {phone.messages[:5]}\n")
                phone.close()


if __name__ == "__main__":
    main()
