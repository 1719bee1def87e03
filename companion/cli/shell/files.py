"""Reading and writing the files that a player names: bounded, never overwritten, with clear faults."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from companion.cli.shell.output import on_terminal
from companion.core import limits
from companion.core.errors import BadData, Unreadable
from companion.core.text import clean
from companion.session.files import create_folder, sync_folder_of
from companion.session.store import Archive, Session

MOST = limits.FACTS_FILE


STANDARD = "-"
"""In the place of a path: the standard input or output."""


def read_text(path: str, most: int = MOST) -> str:
    """The text of a file, or of the standard input for ``-``. Raises BadData: it is missing, too large, no file or not UTF-8."""
    shown = clean(path)
    try:
        raw = sys.stdin.buffer.read(most + 1) if path == STANDARD else _read_file(path, most + 1)
    except OSError as fault:
        raise BadData(f"{shown}: {fault.strerror or 'cannot be read'}", cure="Check the path") from None
    if len(raw) > most:
        raise BadData(f"{shown}: larger than {most} bytes", cure="This is not such a file")
    try:
        text = raw.decode("utf-8-sig")  # a BOM is what Windows Notepad puts first
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise BadData(f"{shown}: not UTF-8 text", cure="Save it as text in UTF-8; a spreadsheet as CSV")
    return text


def _read_file(path: str, most: int) -> bytes:
    """The first bytes of a file. Raises OSError: it is none; a pipe with a name would be waited for without end."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(0, "no file with a content of its own")
    with open(path, "rb") as file:
        return file.read(most)


def restored(archive: Archive, path: str) -> Session:
    """The session of a bundle, stored under a free name and made the one in use.

    Raises:
        Unreadable: no file is named.
        BadData: it is no bundle, or has a fault.
    """
    from companion.session.transfer import MAX_BYTES, restore

    if not path:
        raise Unreadable("restore which file?", cure="companion bundle --restore FILE")
    return restore(archive, read_text(path, MAX_BYTES))


def write_new(path: str, content: Any, over: bool = False, cure: str = "Name another file, or move that one away") -> str:
    """Write text, or an object as JSON, to a file that does not exist yet; returns its path.

    Args:
        path: of the file.
        content: what to write.
        over: whether it may exist; it is then replaced at one go.
        cure: what to do where it exists.

    Raises:
        Unreadable: it exists, or cannot be written.
    """
    import json

    text = content if isinstance(content, str) else json.dumps(content, indent=1, default=list) + "\n"
    shown = clean(path)
    beside = f"{path}.part{os.getpid()}"
    try:
        if os.path.lexists(path) and not over:
            raise FileExistsError
        with open(beside, "x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if over:
            os.replace(beside, path)
        else:
            _appear(beside, path)
        sync_folder_of(path)
    except FileExistsError:
        raise Unreadable(f"{shown} exists already", cure=cure) from None
    except OSError as fault:
        raise Unreadable(f"{shown}: {fault.strerror or 'cannot be written'}", cure="Name another file") from None
    finally:
        with suppress(OSError):
            os.unlink(beside)
    return os.path.abspath(path)


def make_folder(path: str) -> None:
    """Make a folder where there is none. Raises Unreadable: it cannot be made."""
    try:
        create_folder(path)
    except OSError as fault:
        raise Unreadable(f"{clean(path)}: {fault.strerror or 'cannot be made'}", cure="Name another folder") from None


@contextmanager
def new_folder(path: str) -> Iterator[str]:
    """The folder to write some files into that are to be there all together or not at all: it gets its name when that is done.
    One that is there already is written into as it is.

    Raises:
        Unreadable: it cannot be made.
    """
    import shutil

    if os.path.isdir(path):
        yield path
        return
    path = os.path.abspath(path)
    beside = f"{path}.part{os.getpid()}"
    make_folder(os.path.dirname(path))
    make_folder(beside)
    try:
        yield beside
        os.rename(beside, path)
        sync_folder_of(path)
    except OSError as fault:
        raise Unreadable(f"{clean(path)}: {fault.strerror or 'cannot be made'}", cure="Name another folder") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _appear(beside: str, path: str) -> None:
    """Give a whole file its name, at one go. Raises FileExistsError: it has been taken meanwhile."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.rename(beside, path)


_FILE = "rite a file: companion map GAME export FILE, then import it"
_CURE = f"Name one: EDITOR=nano companion map GAME edit; or w{_FILE}"


def edited(text: str, name: str) -> str:
    """What becomes of a text in ``$VISUAL`` or ``$EDITOR``.

    Args:
        text: to begin with.
        name: of the file, without its end.

    Raises:
        Unreadable: there is no terminal or no editor, or the player left it without a text.
        BadData: what came back is no text.
    """
    import shlex
    import signal
    import subprocess

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    if not on_terminal():
        raise Unreadable("an editor needs a terminal", cure=f"W{_FILE}")
    with _room() as folder:
        path = os.path.join(folder, f"{name}.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is the editor's; what is ignored it would ignore too
        try:
            code = subprocess.call([*shlex.split(editor), path])
        except (OSError, ValueError):
            raise Unreadable(f"there is no editor '{clean(editor)}'", cure=_CURE) from None
        finally:
            signal.signal(signal.SIGINT, before)
        if code:
            raise Unreadable(f"'{clean(editor)}' ended with {code}: nothing is changed", cure=_CURE)
        after = ""
        with suppress(FileNotFoundError), open(path, encoding="utf-8-sig") as file:
            try:
                after = file.read()
            except UnicodeDecodeError:
                raise BadData("what the editor wrote is not a text in UTF-8", cure="Nothing is changed") from None
    if not after.strip():
        raise Unreadable("the form came back empty: nothing is changed", cure=f"Begin again: companion map {name} edit")
    return after


@contextmanager
def _room() -> Iterator[str]:
    """A folder for the text. Raises BadData: none can be made, or written into."""
    import tempfile

    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            yield folder
    except OSError as fault:
        raise BadData(f"there is no room for the form: {fault.strerror}", cure=_CURE) from None
