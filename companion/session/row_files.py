"""The file of a series: a row per game, as CSV or SQLite. A later run adds the games that are missing."""

from __future__ import annotations

import csv
import io
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from shutil import copymode
from time import monotonic
from typing import Any, BinaryIO

from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.text import clean, plural
from companion.session.files import sync_file, sync_folder_of
from companion.session.simulation import Series, SimulatedGame, parse_row, row_cells

TABLE_NAME = "games"
_FLUSH_SECONDS = 0.5
"""Seconds between writes."""
_REALS = ("score", "seconds")
_TEXTS = ("seed", "result", "series", "error")

Cells = Sequence[str | int | float | None]


class RowFile:
    """A file with the rows of one series.

    Args:
        path: The file; created if missing.
        series: The series.
        columns: Its columns, in order.
    """

    def __init__(self, path: str, series: Series, columns: Sequence[str]) -> None:
        self.path = path
        self.series = series
        self.columns = tuple(columns)
        self._pending: list[Cells] = []
        self._flushed_at = monotonic()
        self._last_number = 0
        self._is_sorted = True

    # -- what is there -----------------------------------------------------------------------------------------

    def rows(self) -> Iterator[SimulatedGame]:
        """Yield every game in the file.

        Raises:
            BadData: It holds something else.
        """
        for cells in self._cells():
            try:
                row = parse_row(cells)
            except ValueError:
                raise self._wrong_file("a row of it is none") from None
            self._check_row(cells, row.number)
            yield row

    def _check_row(self, cells: Cells, index: int) -> None:
        if (cells[1], cells[-2]) != (self.series.seed, self.series.description):
            raise self._wrong_file(f"its games are: {clean(str(cells[-2]))}; seed {clean(str(cells[1]))}")
        self._is_sorted = self._is_sorted and index > self._last_number
        self._last_number = index

    def _wrong_file(self, why: str) -> BadData:
        return BadData(
            f"{clean(self.path)} belongs to something else: {why}", cure="Name another file with --out; nothing was changed"
        )

    # -- what comes --------------------------------------------------------------------------------------------

    def add(self, rows: Iterable[SimulatedGame]) -> None:
        """Add games; they are written within half a second, or with the next ones."""
        for row in rows:
            self._is_sorted = self._is_sorted and row.number > self._last_number
            self._last_number = row.number
            self._pending.append(row_cells(self.series, row, len(self.columns)))
        if monotonic() - self._flushed_at > _FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what has been added."""
        waiting, self._pending = self._pending, []
        if waiting:
            self._write_or_raise(waiting)
        self._flushed_at = monotonic()

    def _write_or_raise(self, waiting: Sequence[Cells]) -> None:
        try:
            self._write(waiting)
        except (OSError, sqlite3.Error) as fault:
            raise unwritable(self.path, fault) from None

    def close(self) -> None:
        """Write what has been added, and sort the rows by number if needed."""
        self.flush()

    def _cells(self) -> Iterator[Cells]:
        raise NotImplementedError

    def _write(self, waiting: Sequence[Cells]) -> None:
        raise NotImplementedError


class CsvFile(RowFile):
    """Rows as text. An incomplete last line is removed."""

    def __init__(self, path: str, series: Series, columns: Sequence[str]) -> None:
        super().__init__(path, series, columns)
        self._head = (",".join(columns) + "\n").encode()
        try:
            with open(path, "a+b") as file:
                self._repair(file)
        except OSError as fault:
            raise unwritable(path, fault) from None

    def _repair(self, file: BinaryIO) -> None:
        """Write the header of a new file, and cut off an incomplete last line."""
        file.seek(0)
        head = file.readline(len(self._head) + 1)
        if self._head != head and self._head.startswith(head):  # nothing is there, or no more than a part of the first line
            file.truncate(0)
            file.write(self._head)
            return
        if head != self._head:
            raise self._wrong_file("it has other columns")
        size = file.seek(0, os.SEEK_END)
        at = size
        while at and not (tail := _read_part(file, at)).endswith(b"\n"):
            at -= len(tail) - tail.rfind(b"\n") - 1 if b"\n" in tail else len(tail)
        if at < size:
            file.truncate(at)

    def _cells(self) -> Iterator[Cells]:
        try:
            with open(self.path, encoding="utf-8", newline="") as file:
                lines = csv.reader(file, strict=True)
                next(lines)
                for cells in lines:
                    if len(cells) != len(self.columns):
                        raise self._wrong_file(f"line {lines.line_num} has {plural(len(cells), 'column')}")
                    yield cells
        except (csv.Error, ValueError):
            raise self._wrong_file("it is no CSV") from None
        except OSError as fault:
            raise unreadable(self.path, fault) from None

    def _write(self, waiting: Sequence[Cells]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(waiting)
        rest = text.getvalue().encode()
        with open(self.path, "ab", buffering=0) as file:  # what a disk has refused is not tried again as the file is closed
            while rest:
                rest = rest[file.write(rest) :]

    def close(self) -> None:
        super().close()
        if not self._is_sorted:
            self._sort()
        try:
            sync_file(self.path)
        except OSError as fault:
            raise unwritable(self.path, fault) from None
        sync_folder_of(self.path)

    def _sort(self) -> None:
        """Sort the rows by number."""
        rows = {int(str(cells[0])): cells for cells in self._cells()}
        path = os.path.realpath(self.path)  # a link goes on leading there
        beside = f"{path}.part{os.getpid()}"
        try:
            with open(beside, "w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([self.columns, *(rows[index] for index in sorted(rows))])
                file.flush()
                os.fsync(file.fileno())
            copymode(path, beside)
            os.replace(beside, path)
        except OSError as fault:
            with suppress(OSError):
                os.unlink(beside)
            raise unwritable(self.path, fault) from None


def _read_part(file: BinaryIO, end: int) -> bytes:
    """Return up to 4,096 bytes that end at a position."""
    begin = max(0, end - 4096)
    file.seek(begin)
    content: bytes = file.read(end - begin)
    return content


class SqliteFile(RowFile):
    """Rows in the table ``games`` of an SQLite file."""

    def __init__(self, path: str, series: Series, columns: Sequence[str]) -> None:
        super().__init__(path, series, columns)
        from sqlite_utils import Database

        try:
            self._db = Database(sqlite3.connect(path, timeout=10), execute_plugins=False)
            self._table: Any = self._db[TABLE_NAME]
            self._begin()
        except sqlite3.Error as fault:
            if "not a database" in str(fault):
                raise self._wrong_file("it is no SQLite file") from None
            raise unwritable(path, fault) from None

    def _begin(self) -> None:
        names = self._db.table_names()
        if not names:
            kinds = {name: float if name in _REALS else str if name in _TEXTS else int for name in self.columns}
            self._table.create(kinds, pk="index")
        elif names != [TABLE_NAME]:
            raise self._wrong_file(f"it has the tables {clean(', '.join(names[:5]))}")
        elif tuple(column.name for column in self._table.columns) != self.columns:
            raise self._wrong_file("its table has other columns")

    def _cells(self) -> Iterator[Cells]:
        try:
            for row in self._table.rows_where(order_by='"index"'):
                yield tuple(row.values())
        except sqlite3.Error as fault:
            raise unwritable(self.path, fault) from None

    def _write(self, waiting: Sequence[Cells]) -> None:
        self._table.insert_all([dict(zip(self.columns, cells, strict=True)) for cells in waiting], ignore=True)

    def close(self) -> None:
        super().close()
        self._db.close()
        sync_folder_of(self.path)  # and that the file beside it, with which SQLite would take the last rows back, is gone


KINDS: dict[str, type[RowFile]] = {".csv": CsvFile, ".db": SqliteFile}


def open_rows(path: str, series: Series, columns: Sequence[str]) -> RowFile:
    """Open the file of a series; create it if missing.

    Raises:
        Unreadable: Its name ends neither in .csv nor in .db, or it cannot be written.
        BadData: It holds something else.
    """
    kind = KINDS.get(os.path.splitext(path)[1].casefold())
    if kind is None:
        raise Unreadable(f"'{clean(path)}' is not a name for the rows", cure="Its end says what it is: FILE.csv or FILE.db")
    return kind(path, series, columns)


def unreadable(path: str, fault: OSError) -> CompanionError:
    """Return the player's error for a file that cannot be read."""
    return BadData(f"{clean(path)} cannot be read: {fault.strerror}", cure="Look at the disk; what is in the file stays")


def unwritable(path: str, fault: Exception) -> CompanionError:
    """Return the player's error for a file that cannot be written."""
    why = getattr(fault, "strerror", None) or str(fault)
    return Unreadable(
        f"{clean(path)} cannot be written: {clean(why)}", cure="Name another file with --out, or make room; what is in it stays"
    )
