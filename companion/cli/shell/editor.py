"""A text in the editor that the player has chosen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from companion.cli.shell.output import on_terminal
from companion.core.errors import BadData, Unreadable
from companion.core.words import clean

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
