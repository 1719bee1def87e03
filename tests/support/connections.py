"""Connections to an archive that are closed, not only committed as sqlite3's own ``with`` does."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any


@contextmanager
def connected(path: str | os.PathLike[str], **settings: Any) -> Iterator[sqlite3.Connection]:
    """Connect to a database; commit at the end, or roll back after an error, and close it."""
    with closing(sqlite3.connect(path, **settings)) as connection, connection:
        yield connection
