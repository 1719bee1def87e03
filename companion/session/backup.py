"""Back up an archive: copy it while games may be open, and check the copy before it gets its name."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from typing import NamedTuple

from companion.core.errors import BadData, Unreadable
from companion.core.procedures import ProgressCallback, ignore_progress
from companion.core.text import clean
from companion.session import database
from companion.session.files import sync_file, sync_folder_of


class BackupCopy(NamedTuple):
    """A copy: its absolute path, and the number of rows of each table."""

    path: str
    rows: dict[str, int]


def backup(archive: str, path: str, force: bool = False, watch: ProgressCallback = ignore_progress) -> BackupCopy:
    """Copy an archive as of one moment. The target is replaced only after the copy has been checked.

    Args:
        archive: The archive.
        path: The target.
        force: Replace an existing file.
        watch: Called with the progress.

    Raises:
        Unreadable: The target exists, or cannot be written.
        BadData: The archive cannot be read, or the copy is damaged.
    """
    _check_target(archive, path, force)
    beside = f"{path}.part{os.getpid()}"
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))  # for the player's eyes only
        rows = _write_copy(archive, beside, watch)
        sync_file(beside)
        os.replace(beside, path)
        sync_folder_of(path)
    except OSError as fault:
        raise Unreadable(f"{clean(path)}: {fault.strerror or 'cannot be written'}", cure="Name another file") from None
    finally:
        with suppress(OSError):
            os.unlink(beside)
    return BackupCopy(os.path.abspath(path), rows)


def _check_target(archive: str, path: str, force: bool) -> None:
    """Raise Unreadable if the copy may not be written there."""
    if os.path.isdir(path):
        raise Unreadable(f"{clean(path)} is a folder", cure="Name a file in it")
    if os.path.exists(path) and os.path.samefile(archive, path):
        raise Unreadable(f"{clean(path)} is the archive itself", cure="Name another file")
    if os.path.lexists(path) and not force:
        raise Unreadable(f"{clean(path)} exists already", cure="Name another file, or --force")


def _write_copy(archive: str, beside: str, watch: ProgressCallback) -> dict[str, int]:
    """Write the copy and return its row counts."""
    source = database.connect_for_check(archive)
    try:
        copy = database.copy_database(source, beside, watch)
        try:
            damage = database.find_damage(copy)
            rows = {} if damage else database.row_counts(copy)
        finally:
            copy.close()
    except sqlite3.Error as fault:
        raise database.sqlite_error(archive, fault) from None
    finally:
        source.close()
    if damage:
        raise BadData(f"the archive {archive} is damaged: {damage[0]}", cure="No copy is kept. See: companion doctor")
    return rows
