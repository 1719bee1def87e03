"""The file of a simulated series: a row per game, as CSV or SQLite."""

from __future__ import annotations

import csv
import io
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from shutil import copymode
from time import monotonic
from typing import Any, BinaryIO

from companion.core.errors import BadData, Unreadable
from companion.core.game import Game
from companion.core.text import clean, plural
from companion.session.database import check_side_files
from companion.session.files import replacing, sync_file, sync_folder_of
from companion.session.simulation import Series, SimulatedGame

TABLE_NAME = "games"
_FLUSH_SECONDS = 0.5
"""Seconds between writes."""
_REALS = ("score", "seconds")
_TEXTS = ("seed", "result", "opening", "unused", "series", "error")

Cells = Sequence[str | int | float | None]
_NEXT = " | "
"""Between the fixed answers that were not used, in a file."""


def row_columns(game: Game) -> tuple[str, ...]:
    """Return the columns of a file of games."""
    head = ("index", "seed", "result", "score", "turns", "decisions", "seconds")
    return (*head, *game.tracks, *_TAIL)


_TAIL = ("refused", "opening", "unused", "series", "error")
"""The columns after the tracks."""


def row_cells(series: Series, row: SimulatedGame, width: int) -> list[int | float | str | None]:
    """Return a game in the order of `row_columns`, padded to `width`; values missing after an error are empty."""
    score = None if row.score is None else int(row.score) if row.score.is_integer() else row.score
    head: list[int | float | str | None] = [row.number, series.seed, row.result, score, row.turns, row.decisions, row.seconds]
    tracks = [*row.tracks, *[None] * (width - len(head) - len(row.tracks) - len(_TAIL))]
    return [*head, *tracks, row.refused, row.opening, _NEXT.join(row.unused), series.description, row.error]


_BOUND = 1e9
"""A bound for every number in a row."""


def parse_row(cells: Sequence[str | int | float | None]) -> SimulatedGame:
    """Return the game in a row of cells, without its tracks.

    Raises:
        ValueError: The cells hold none.
    """
    index, _, result, score, turns, decisions, seconds, *_, refused, opening, unused, _, error = cells
    vp = None if score in (None, "") else float(str(score))
    figures = (int(str(turns)), int(str(decisions)), float(str(seconds)))
    refusals = int(str(refused))
    if not all(abs(figure) <= _BOUND for figure in (*figures, refusals, vp or 0)):  # false for NaN too
        raise ValueError
    row = SimulatedGame(int(str(index)), str(result), vp, *figures, (), str(error or ""), refusals)
    return row._replace(opening=str(opening or ""), unused=tuple(str(unused).split(_NEXT)) if unused else ())


class RowFile:
    """A file with the rows of one series."""

    def __init__(self, path: str, series: Series, columns: Sequence[str]) -> None:
        self.path = path
        self.series = series
        self.columns = tuple(columns)
        self._pending: list[Cells] = []
        self._flushed_at = monotonic()
        self._last_number = 0
        self._is_sorted = True

    def rows(self) -> Iterator[SimulatedGame]:
        """Yield every game in the file; raise BadData if it holds something else."""
        for cells in self._cells():
            try:
                row = parse_row(cells)
            except ValueError:
                raise self._wrong_file("it has a row that is not a game") from None
            if (cells[1], cells[-2]) != (self.series.seed, self.series.description):
                raise self._wrong_file(f"its games are: {clean(str(cells[-2]))}; seed {clean(str(cells[1]))}")
            self._note_number(row.number)
            yield row

    def _note_number(self, number: int) -> None:
        self._is_sorted = self._is_sorted and number > self._last_number
        self._last_number = number

    def _wrong_file(self, why: str) -> BadData:
        cure = "Name another file with --out; nothing was changed"
        return BadData(f"{clean(self.path)} belongs to something else: {why}", cure=cure)

    def add(self, rows: Iterable[SimulatedGame]) -> None:
        """Add games; they are written within half a second, or with the next ones."""
        for row in rows:
            self._note_number(row.number)
            self._pending.append(row_cells(self.series, row, len(self.columns)))
        if monotonic() - self._flushed_at > _FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what has been added."""
        waiting, self._pending = self._pending, []
        if waiting:
            with _writing(self.path):
                self._write(waiting)
        self._flushed_at = monotonic()

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
        with _writing(path), open(path, "a+b") as file:
            self._repair(file)

    def _repair(self, file: BinaryIO) -> None:
        """Write the header of a new file, and cut off an incomplete last line."""
        file.seek(0)
        head = file.readline(len(self._head) + 1)
        if self._head != head and self._head.startswith(head):  # the file is empty, or has only a part of the first line
            file.truncate(0)
            file.write(self._head)
            return
        if head != self._head:
            raise self._wrong_file("it has other columns")
        end = size = file.seek(0, os.SEEK_END)
        while end and not (tail := _read_part(file, end)).endswith(b"\n"):
            end -= len(tail) - tail.rfind(b"\n") - 1 if b"\n" in tail else len(tail)
        if end < size:
            file.truncate(end)

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
            raise self._wrong_file("it is not CSV") from None
        except OSError as fault:
            cure = "Check the disk; what is in the file stays"
            raise BadData(f"{clean(self.path)} cannot be read: {fault.strerror}", cure=cure) from None

    def _write(self, waiting: Sequence[Cells]) -> None:
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows(waiting)
        rest = text.getvalue().encode()
        with open(self.path, "ab", buffering=0) as file:  # unbuffered: closing the file does not repeat a write that failed
            while rest:
                rest = rest[file.write(rest) :]

    def close(self) -> None:
        super().close()
        if not self._is_sorted:
            self._sort()
        with _writing(self.path):
            sync_file(self.path)
        sync_folder_of(self.path)

    def _sort(self) -> None:
        """Sort the rows by number."""
        rows = {int(str(cells[0])): cells for cells in self._cells()}
        path = os.path.realpath(self.path)  # keep a symbolic link
        with _writing(self.path), replacing(path) as beside:
            with open(beside, "w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([self.columns, *(rows[index] for index in sorted(rows))])
            copymode(path, beside)


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

        check_side_files(path)
        with _writing(path):
            connection = sqlite3.connect(path, timeout=10)
            try:
                self._db = Database(connection, execute_plugins=False)
                self._table: Any = self._db[TABLE_NAME]
                self._begin()
            except BaseException as fault:
                connection.close()
                if isinstance(fault, sqlite3.DatabaseError) and "not a database" in str(fault):
                    raise self._wrong_file("it is not an SQLite file") from None
                raise

    def _begin(self) -> None:
        names = self._db.table_names()
        if names and names != [TABLE_NAME]:
            raise self._wrong_file(f"it has the tables {clean(', '.join(names[:5]))}")
        if self._db.view_names() or self._db.triggers:
            raise self._wrong_file("it has views or triggers")
        if not names:
            kinds = {name: float if name in _REALS else str if name in _TEXTS else int for name in self.columns}
            self._table.create(kinds, pk="index")
        elif tuple(column.name for column in self._table.columns) != self.columns:
            raise self._wrong_file("its table has other columns")

    def _cells(self) -> Iterator[Cells]:
        with _writing(self.path):
            for row in self._table.rows_where(order_by='"index"'):
                yield tuple(row.values())

    def _write(self, waiting: Sequence[Cells]) -> None:
        self._table.insert_all([dict(zip(self.columns, cells, strict=True)) for cells in waiting], ignore=True)

    def close(self) -> None:
        super().close()
        self._db.close()
        sync_folder_of(self.path)  # also the removal of SQLite's journal, which would roll the last rows back


KINDS: dict[str, type[RowFile]] = {".csv": CsvFile, ".db": SqliteFile}


def open_rows(path: str, series: Series, columns: Sequence[str]) -> RowFile:
    """Open the file of a series; create it if missing.

    Raises:
        Unreadable: Its name ends neither in .csv nor in .db, or it cannot be written.
        BadData: It holds something else.
    """
    kind = KINDS.get(os.path.splitext(path)[1].casefold())
    if kind is None:
        raise Unreadable(f"'{clean(path)}' is not a name for the rows", cure="Its ending is the format: FILE.csv or FILE.db")
    return kind(path, series, columns)


@contextmanager
def _writing(path: str) -> Iterator[None]:
    """Raise the player's error if a file cannot be written."""
    try:
        yield
    except (OSError, sqlite3.Error) as fault:
        why = clean(getattr(fault, "strerror", None) or str(fault))
        cure = "Name another file with --out, or free some room; what is in it stays"
        raise Unreadable(f"{clean(path)} cannot be written: {why}", cure=cure) from None
