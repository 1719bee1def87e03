"""Read, write and edit files that the player names. Sizes are bounded, and nothing is overwritten unasked."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from companion.cli.shell.arguments import split
from companion.cli.shell.bar import BAR
from companion.cli.shell.output import on_terminal
from companion.core import limits
from companion.core.errors import BadData, Unreadable
from companion.core.hints import Any
from companion.core.text import clean
from companion.session.files import create_folder, publish, sync_folder_of
from companion.session.shipped import is_frozen, is_zipped, read_bytes

MAX_BYTES = limits.FACTS_FILE

STANDARD = "-"
"""As a path: standard input or output."""


def read_text(path: str, max_bytes: int = MAX_BYTES) -> str:
    """Read a file, or standard input for `-`. Raises BadData: it is missing, too large, not a file or not UTF-8."""
    shown = clean(path)
    try:
        raw = sys.stdin.buffer.read(max_bytes + 1) if path == STANDARD else _read_file(path, max_bytes + 1)
    except OSError as error:
        raise BadData(f"{shown}: {error.strerror or 'cannot be read'}", cure="Check the path") from None
    if len(raw) > max_bytes:
        raise BadData(f"{shown}: larger than {max_bytes} bytes", cure="Check that it is the right file")
    try:
        text = raw.decode("utf-8-sig")  # Windows Notepad writes a BOM
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise BadData(f"{shown}: not UTF-8 text", cure="Save it as text in UTF-8; a spreadsheet as CSV")
    return text


def _read_file(path: str, max_bytes: int) -> bytes:
    """Read a regular file. Raises OSError: it is something else; reading a named pipe would block."""
    if is_zipped(path):
        return read_bytes(path)
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(0, "not a regular file")
    with open(path, "rb") as file:
        return file.read(max_bytes)


_EXISTS_CURE = "Name another file, or move that one away"


def require_new(path: str, over: bool = False, cure: str = _EXISTS_CURE) -> None:
    """Check before long work that `write_new` can write a file. Raises Unreadable: it exists, or its folder does not."""
    shown = clean(path)
    if os.path.isdir(path):
        raise Unreadable(f"{shown} is a folder", cure="Name a file")
    if os.path.lexists(path) and not over:
        raise Unreadable(f"{shown} exists already", cure=cure)
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise Unreadable(f"{shown}: there is no folder {clean(folder)}", cure="Name another file")
    if not os.access(folder, os.W_OK):
        raise Unreadable(f"{shown}: the folder cannot be written to", cure="Name another file")


def write_new(path: str, content: Any, over: bool = False, cure: str = _EXISTS_CURE) -> str:
    """Write text, or an object as JSON, to a new file; return its path.

    Args:
        path: The file.
        content: What to write.
        over: Replace an existing file atomically.
        cure: What to do if the file exists.

    Raises Unreadable: the file exists, or cannot be written.
    """
    import json

    text = content if isinstance(content, str) else json.dumps(content, indent=1, default=list) + "\n"
    shown = clean(path)
    temporary = f"{path}.part{os.getpid()}"
    try:
        if os.path.lexists(path) and not over:
            raise FileExistsError
        with open(temporary, "x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if over:
            os.replace(temporary, path)
        else:
            publish(temporary, path)
        sync_folder_of(path)
    except FileExistsError:
        raise Unreadable(f"{shown} exists already", cure=cure) from None
    except OSError as error:
        raise Unreadable(f"{shown}: {error.strerror or 'cannot be written'}", cure="Name another file") from None
    finally:
        with suppress(OSError):
            os.unlink(temporary)
    return os.path.abspath(path)


def make_folder(path: str) -> None:
    """Create a folder if it does not exist. Raises Unreadable: it cannot be created."""
    try:
        create_folder(path)
    except OSError as error:
        raise Unreadable(f"{clean(path)}: {error.strerror or 'cannot be made'}", cure="Name another folder") from None


@contextmanager
def new_folder(path: str) -> Iterator[str]:
    """Yield a folder to write files into; a new one gets its name at the end, so that it is complete or missing.

    Raises Unreadable: it cannot be created.
    """
    import shutil

    if os.path.isdir(path):
        yield path
        return
    path = os.path.abspath(path)
    temporary = f"{path}.part{os.getpid()}"
    make_folder(os.path.dirname(path))
    make_folder(temporary)
    try:
        yield temporary
        os.rename(temporary, path)
        sync_folder_of(path)
    except OSError as error:
        raise Unreadable(f"{clean(path)}: {error.strerror or 'cannot be made'}", cure="Name another folder") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _editor_environment() -> dict[str, str]:
    """Return the environment for another program: an executable puts its own libraries first in its own."""
    environment = dict(os.environ)
    if is_frozen():
        own = environment.pop("LD_LIBRARY_PATH", None)
        before = environment.pop("LD_LIBRARY_PATH_ORIG", "")
        if own and before:
            environment["LD_LIBRARY_PATH"] = before
    return environment


def edit_map(text: str, game: str) -> str:
    """Return the form of a map as the player leaves it in `$VISUAL` or `$EDITOR`.

    Args:
        text: The text to begin with.
        game: The id of the game, which is the name of the file, too.

    Raises:
        Unreadable: There is no terminal or no editor, or the text is empty.
        BadData: The result is not text.
    """
    import signal
    import subprocess

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    cure = f"Fill in a file instead: companion map {game} export FILE, companion map {game} import FILE"
    if not on_terminal():
        raise Unreadable("an editor needs a terminal", cure=cure)
    cure = f"Name one: EDITOR=nano companion map {game} edit. {cure}"
    with _temporary_folder(cure) as folder:
        path = os.path.join(folder, f"{game}.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        before = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is for the editor, which would inherit SIG_IGN
        try:
            with BAR.paused():
                code = subprocess.call([*split(editor), path], env=_editor_environment())
        except (OSError, ValueError):
            raise Unreadable(f"there is no editor '{clean(editor)}'", cure=cure) from None
        finally:
            signal.signal(signal.SIGINT, before)
        if code:
            raise Unreadable(f"'{clean(editor)}' ended with {code}: nothing is changed", cure=cure)
        after = ""
        with suppress(FileNotFoundError), open(path, encoding="utf-8-sig") as file:
            try:
                after = file.read()
            except UnicodeDecodeError:
                raise BadData("the editor wrote no UTF-8 text", cure="Nothing is changed") from None
    if not after.strip():
        raise Unreadable("the form came back empty: nothing is changed", cure=f"Begin again: companion map {game} edit")
    return after


@contextmanager
def _temporary_folder(cure: str) -> Iterator[str]:
    """Yield a folder for the text. Raises BadData: it cannot be created or written."""
    import tempfile

    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            yield folder
    except OSError as error:
        raise BadData(f"the form cannot be written: {error.strerror}", cure=cure) from None
