"""What was computed about the entries of a session, kept in its archive so that it is computed once.

Nothing of it is a part of the game: a row that is missing, damaged or made by other rules is computed again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from json import dumps
from typing import Any

from companion import __version__, core
from companion.core import limits
from companion.core.errors import BadData, CompanionError
from companion.core.game import Game
from companion.core.history import Entry
from companion.core.values import Json, compact_json, read_json
from companion.games import GAMES
from companion.session.files import game_folder
from companion.session.shipped import read_bytes
from companion.session.state import SessionState


class AnalysisCache:
    """What was computed about the entries of a session, by kind (``luck``, ``review``), level and entry.

    Every entry in force is passed in order; its key is a hash of all that its result depends on: the program, the tables, the
    options, the printed facts and the play so far. Of each entry one result of a kind and level is kept, the latest.

    Args:
        parts: Whatever else the result depends on, such as a number of worlds.
    """

    def __init__(self, session: SessionState, kind: str, level: str, parts: Sequence[object] = ()) -> None:
        self._archive = session.archive
        self._session_id = session.info.id
        self._place = kind, level
        self._key = _hash(rules_stamp(session.game), dict(session.options), sorted(session.log.facts().items()), *parts)
        self._entries: dict[str, int] = {}
        self._added: dict[str, tuple[int, str]] = {}
        self._unwritten: set[str] = set()
        self._can_read = bool(self._session_id)

    def pass_entry(self, entry: Entry) -> str:
        """Return the key of the next entry in force."""
        replies = [
            (reply.key, reply.kind, reply.value, reply.source, reply.anyway, reply.seat, reply.left) for reply in entry.replies
        ]
        self._key = _hash(self._key, entry.number, entry.action, dict(entry.args), entry.is_open, entry.anyway, replies)
        self._entries[self._key] = entry.number
        return self._key

    def find(self, key: str) -> Json | None:
        """Return the result of an entry that was passed; None if it is not known or cannot be read."""
        if key in self._added:
            return read_json(self._added[key][1])
        entry, stored = self._entries.get(key), b""
        if entry is not None and self._can_read:
            try:
                stored = self._archive.analysis(self._session_id, *self._place, entry, key)
            except BadData:  # the table was replaced, or the disk fails: tried only once, since it may take long
                self._can_read = False
        with suppress(ValueError, RecursionError):
            data = read_json(stored.decode()) if stored else None
            # ASCII without an escape holds no control character; that is most of it, and takes no look at each number
            is_plain = stored.isascii() and b"\\" not in stored and b"\x7f" not in stored
            return data if is_plain else _printable(data)
        return None

    def add(self, key: str, entry: int, data: Json) -> None:
        """Keep the result of an entry; `write` stores it."""
        self._added[key] = entry, compact_json(data)
        self._unwritten.add(key)

    def write(self) -> None:
        """Store what was added since the last call, in one transaction.

        A file that cannot be written is ignored; the next call tries again.
        """
        rows = [
            (entry, key, text)
            for key, (entry, text) in self._added.items()
            if key in self._unwritten and len(text) <= limits.ANALYSIS  # the encoder writes ASCII
        ]
        if not rows or not self._session_id:
            return
        with suppress(BadData):
            self._archive.keep_analysis(self._session_id, *self._place, rows)
            self._unwritten.clear()


def _printable(value: Json) -> Json:
    """Return data without control characters in its texts: the archive may come from others, and the texts are shown."""
    if isinstance(value, str):
        is_plain = value.isprintable() or value.replace("\n", "").isprintable()
        return value if is_plain else "".join(char if char.isprintable() or char == "\n" else " " for char in value)
    if isinstance(value, list):
        # numbers are most of it, and cost no call
        return [item if type(item) is float else _printable(item) for item in value]
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    return value


def rules_stamp(game: Game) -> str:
    """Return a hash of the program, of a game's rules and of its tables: it changes when one of their files does."""
    module = sys.modules[game.package]
    digest = sha256(f"{__version__} {game.id}".encode())
    for path in (*_files(core), *_files(module), *_table_files(game.id)):
        with suppress(OSError):
            digest.update(read_bytes(path))
    return digest.hexdigest()


def _files(module: Any) -> Iterator[str]:
    """Yield the source files of a module or package; none if it is in an executable, whose version says enough."""
    file = getattr(module, "__file__", None) or ""
    if not hasattr(module, "__path__"):
        yield file
        return
    for folder, folders, names in os.walk(os.path.dirname(file)):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".py"))


def _table_files(game_id: str) -> list[str]:
    from companion.session.files import table_files
    from companion.session.plugins import tables_folder

    with suppress(CompanionError, OSError):
        folder = game_folder(game_id) if game_id in GAMES else tables_folder(game_id)
        return [os.path.join(folder, name) for name in table_files(folder)]
    return []


def _hash(*parts: Any) -> str:
    return sha256(dumps(parts, default=str).encode()).hexdigest()[:24]
