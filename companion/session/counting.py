"""What all sessions of an archive came to, as tables, and the rows of a series that was simulated to hold them against."""

from __future__ import annotations

import csv
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any, NamedTuple

from companion.core import limits
from companion.core.effects import Progress, Watch, unseen
from companion.core.errors import BadData, Unreadable
from companion.core.words import clean, plural
from companion.session import database
from companion.session.queries import PLAYED, SIMULATED, STATISTICS
from companion.session.simulating import ERROR


class Table(NamedTuple):
    """What a query found."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def data(self) -> list[dict[str, Any]]:
        """A dictionary a row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def played_tables(path: str, game: str = "", watch: Watch = unseen) -> dict[str, Table]:
    """Every table of an archive by name; ``game``: of that game alone, by its id. ``watch`` is told how far it is.

    Raises:
        BadData: the archive cannot be read.
    """
    try:
        with closing(database.connect_with_temp_tables(path)) as connection:
            connection.execute(PLAYED, {"game": game})
            found = {}
            for number, (name, query) in enumerate(STATISTICS.items()):
                watch(Progress(number, len(STATISTICS), ""))
                found[name] = _table(connection, query.title, query.sql)
            watch(Progress(len(STATISTICS), len(STATISTICS), ""))
            return found
    except sqlite3.Error as fault:
        raise database.sqlite_error(path, fault) from None


def _table(connection: sqlite3.Connection, title: str, sql: str) -> Table:
    found = connection.execute(sql)
    columns = tuple(column for column, *_ in found.description)
    return Table(title, columns, tuple(tuple(map(_shown, row)) for row in found))


def _shown(cell: Any) -> Any:
    return clean(cell) if isinstance(cell, str) else cell


def sql_script(game: str = "") -> str:
    """All of it as a script for the sqlite3 program."""
    quoted = game.replace("'", "''")
    queries = [f"-- {query.title}\n{query.sql};" for query in STATISTICS.values()]
    return "\n\n".join([PLAYED.strip().replace(":game", f"'{quoted}'") + ";", *queries]) + "\n"


class SimulatedScores(NamedTuple):
    """A series that ``companion simulate --out`` has written: what was played, and how often each score came."""

    description: str
    scores: Mapping[float, int]


def read_simulated(path: str, game: str) -> SimulatedScores:
    """Read a series of a game from a file.

    Raises:
        Unreadable: there is no such file.
        BadData: it holds no series, or one of another game.
    """
    if not os.path.isfile(path):
        raise Unreadable(f"there is no file {clean(path)}", cure=f"Make one: companion simulate {game} --out FILE.db")
    if os.path.getsize(path) > limits.SERIES:
        raise BadData(
            f"{clean(path)} is larger than {limits.SERIES} bytes", cure=f"A series has at most {plural(limits.GAMES, 'game')}"
        )
    try:
        rows = list(_database(path) if path.endswith(".db") else _sheet(path))
    except (sqlite3.Error, OSError, ValueError, KeyError, csv.Error):
        raise BadData(
            f"{clean(path)} holds no games that were simulated", cure=f"companion simulate {game} --out FILE.db"
        ) from None
    series = next((one for one, _, _ in rows), "")
    if series.partition(" ")[0] != game:
        raise BadData(f"{clean(path)} holds games of another kind: {clean(series)}", cure=f"Simulate {game}")
    return SimulatedScores(clean(series), Counter(score for _, result, score in rows if result != ERROR and score is not None))


ScoreRow = tuple[str, str, float | None]
"""Series, result and score of a game."""


def _database(path: str) -> Iterable[ScoreRow]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return [(str(one), str(result), score) for one, result, score in connection.execute(SIMULATED)]


def _sheet(path: str) -> Iterable[ScoreRow]:
    with open(path, newline="", encoding="utf-8") as file:
        return [(row["series"], row["result"], float(row["score"]) if row["score"] else None) for row in csv.DictReader(file)]
