"""Writing a game of one's own to begin with: a copy of ``companion.skeleton`` under another id."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress

from companion.core.errors import BadData, Unreadable
from companion.core.words import clean
from companion.games import GAMES
from companion.session.folders import create_folder, games_folder, sync_file, sync_folder_of

TEMPLATE = "skeleton"
_PROJECT = "project"
_HERE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), TEMPLATE)
_SETTINGS = "[pytest]\ncompanion_game = {}\n"
_SKIPPED = ("__pycache__",)


def write_game(game_id: str, own: bool = False, where: str = "") -> tuple[str, list[str]]:
    """Writes a game, all of it or nothing: the folder, and the files in it.

    Args:
        resolve_game_id: what it is to be called.
        own: into the user's folder of games, to be played at once; else a distribution, to be installed.
        where: the folder that the distribution's own comes to lie in; "" for the current one.

    Raises:
        Unreadable: that can be no id, or there is something of that name.
        BadData: it cannot be written.
    """
    name = clean(game_id)
    if not (name.isidentifier() and name.isascii() and name == name.lower()) or name.startswith("_") or name == TEMPLATE:
        raise Unreadable(
            f"'{name}' cannot be the id of a game", cure="One lower-case word: letters, digits and _, no digit first"
        )
    if name in GAMES:
        raise Unreadable(f"the id '{name}' is taken by a game of Companion", cure="Take another one")
    if own and not games_folder():
        raise Unreadable("there is no folder of your own games", cure="COMPANION_GAMES says none: let it name a folder")
    above = games_folder() if own else _whole(where or os.curdir)
    folder = os.path.join(above, name)
    if os.path.lexists(folder):
        raise Unreadable(f"{folder} exists already", cure="Take another id, or move it away")
    files = dict(game_files(name, own))
    try:
        create_folder(above)
        with tempfile.TemporaryDirectory(prefix=".", dir=above, ignore_cleanup_errors=True) as aside:
            for path, text in files.items():
                _write(os.path.join(aside, name, path), text)
            os.rename(os.path.join(aside, name), folder)
            with suppress(OSError):
                os.rmdir(aside)  # one call, where clearing away makes five that can fail
        sync_folder_of(folder)
    except OSError as fault:
        raise BadData(
            f"{folder} cannot be written: {fault.strerror}", cure="Go to another folder, or make room; nothing is kept"
        ) from None
    return folder, sorted(files)


def _whole(folder: str) -> str:
    """The whole path of a folder. Raises BadData: the current one is gone."""
    try:
        return os.path.abspath(folder)
    except OSError:
        raise BadData("the folder you are in has been removed", cure="Change to another one") from None


def _write(path: str, text: str) -> None:
    create_folder(os.path.dirname(path))
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    sync_file(path)
    sync_folder_of(path)


def game_files(name: str, own: bool) -> Iterator[tuple[str, str]]:
    """Each file with its path below the game's folder."""
    for path, text in _template():
        inside = path.removeprefix(f"{_PROJECT}/")
        if inside == path:
            yield (path if own else f"companion_{name}/{path}"), _renamed(text, name)
        elif inside.startswith("tests/") or not own:
            yield inside, _renamed(text, name)
    if own:
        yield "pytest.ini", _SETTINGS.format(name)


def _template() -> Iterator[tuple[str, str]]:
    for folder, below, names in os.walk(_HERE):
        below[:] = sorted(one for one in below if one not in _SKIPPED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, _HERE).replace(os.sep, "/"), file.read()


def _renamed(text: str, name: str) -> str:
    """A file of the template for a game of that id. Its modules name each other relatively, so that they work wherever the
    game lies.
    """
    beside = "."
    text = text.replace(f"\nfrom companion.{TEMPLATE}.", f"\n\nfrom {beside}").replace(
        f"companion-{TEMPLATE}", f"companion-{name.replace('_', '-')}"
    )
    return text.replace(TEMPLATE, name)
