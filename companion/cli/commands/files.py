"""Reading and writing the files that a player names: bounded, never overwritten, with clear faults."""

from __future__ import annotations

import os
from typing import Any

from companion.core.errors import BadData, Unreadable
from companion.core.words import clean
from companion.session.store import Archive, Session

MOST = 1_000_000
"""Bytes; nothing that Companion exchanges as a file of settings is larger."""


def read_text(path: str, most: int = MOST) -> str:
    """The text of a file. Raises BadData: it is missing, too large, unreadable or not UTF-8."""
    shown = clean(path)
    try:
        with open(path, "rb") as file:
            raw = file.read(most + 1)
    except OSError as fault:
        raise BadData(f"{shown}: {fault.strerror or 'cannot be read'}", cure="Check the path") from None
    if len(raw) > most:
        raise BadData(f"{shown}: larger than {most} bytes", cure="This is not such a file")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise BadData(f"{shown}: not UTF-8 text", cure="Save it as UTF-8") from None


def restored(archive: Archive, path: str) -> Session:
    """The session of a bundle, stored under a free name and made the one in use.

    Raises:
        Unreadable: no file is named.
        BadData: it is no bundle, or has a fault.
    """
    from companion.session.transfer import MOST_BYTES, restore

    if not path:
        raise Unreadable("restore which file?", cure="companion bundle --restore FILE")
    return restore(archive, read_text(path, MOST_BYTES))


def write_new(path: str, content: Any) -> str:
    """Write text, or an object as JSON, to a file that does not exist yet; returns its path.

    Raises:
        Unreadable: it exists, or cannot be written.
    """
    import json

    text = content if isinstance(content, str) else json.dumps(content, indent=1, default=list) + "\n"
    shown = clean(path)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Unreadable(f"{shown} exists already", cure="Name another file, or move that one away") from None
    except OSError as fault:
        raise Unreadable(f"{shown}: {fault.strerror or 'cannot be written'}", cure="Name another file") from None
    return os.path.abspath(path)
