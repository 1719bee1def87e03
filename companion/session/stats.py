"""Statistics over all sessions of an archive (``companion stats``), and queries offered to Datasette."""

from __future__ import annotations

import csv
import os
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import closing
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.core import limits
from companion.core.errors import BadData, Unreadable
from companion.core.history import ROW_SCHEMAS
from companion.core.procedures import Progress, ProgressCallback, ignore_progress
from companion.core.text import clean, plural
from companion.core.values import JsonDict
from companion.session import database
from companion.session.files import read_queries
from companion.session.row_checks import MAX_POINTS
from companion.session.simulation import ERROR


class Query(NamedTuple):
    """A query with the title of its result. Parameters are written ``:name``."""

    title: str
    sql: str


_PLAIN = "CASE instr(verdict, ' (') WHEN 0 THEN verdict ELSE substr(verdict, 1, instr(verdict, ' (') - 1) END"
_PLACEHOLDERS = {
    "{result}": f"CASE instr({_PLAIN}, ' VP: ') WHEN 0 THEN {_PLAIN} ELSE substr({_PLAIN}, instr({_PLAIN}, ' VP: ') + 5) END",
    "{known}": ", ".join(map(repr, ROW_SCHEMAS)),
}


def _read_queries(name: str) -> dict[str, Query]:
    """Return the queries of a file by name, with the placeholders filled in."""

    def fill_in(sql: str) -> str:
        for placeholder, text in _PLACEHOLDERS.items():
            sql = sql.replace(placeholder, text)
        return sql

    return {key: Query(title, fill_in(sql)) for key, (title, sql) in read_queries(name).items()}


STATISTICS = _read_queries("statistics")
"""Name -> query over the sessions that were played."""
SOURCES = [STATISTICS.pop(name).sql for name in ("apart", "played", "relatives", "counted")]
"""Statements that create the tables which the queries read: a row per session, and per game. Single actions are left out."""
DATASETTE_QUERIES = _read_queries("datasette")
"""Name -> query that Datasette offers beside the views."""

_NOTHING_APART: Mapping[str, Collection[str]] = MappingProxyType({})

SIMULATED = "SELECT series, result, score FROM games"
"""Query of a file of simulated games."""
_IS_TABLE = "SELECT 1 FROM sqlite_master WHERE name = 'games' AND sql LIKE 'CREATE TABLE%'"
"""Query that finds a row if they are in a table: reading a view may never end."""


class Table(NamedTuple):
    """The result of a query."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def data(self) -> list[JsonDict]:
        """Return a dictionary per row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def played_tables(
    path: str, game: str = "", watch: ProgressCallback = ignore_progress, apart: Mapping[str, Collection[str]] = _NOTHING_APART
) -> dict[str, Table]:
    """Return every table of an archive by name, with sessions of one game or of all ("").

    Args:
        apart: For each game the questions whose dice are not counted, because they only select one of several.

    Raises:
        BadData: The archive cannot be read.
    """
    with database.player_errors(path), closing(database.connect_with_temp_tables(path)) as connection:
        parameters = {"game": game, "apart": _apart_text(apart)}
        for statement in SOURCES:
            connection.execute(statement, {name: text for name, text in parameters.items() if f":{name}" in statement})
        tables = {}
        for number, (name, query) in enumerate(STATISTICS.items()):
            watch(Progress(number, len(STATISTICS), ""))
            tables[name] = _table(connection, query)
        watch(Progress(len(STATISTICS), len(STATISTICS), ""))
        return tables


def _table(connection: sqlite3.Connection, query: Query) -> Table:
    cursor = connection.execute(query.sql)
    columns = tuple(column for column, *_ in cursor.description)
    rows = (tuple(clean(cell) if isinstance(cell, str) else cell for cell in row) for row in cursor)
    return Table(query.title, columns, tuple(rows))


def _apart_text(apart: Mapping[str, Collection[str]]) -> str:
    import json

    return json.dumps({game: sorted(keys) for game, keys in apart.items() if keys})


def sql_script(game: str = "", apart: Mapping[str, Collection[str]] = _NOTHING_APART) -> str:
    """Return all queries as a script for the sqlite3 program."""
    quoted, keys = game.replace("'", "''"), _apart_text(apart)
    queries = [f"-- {query.title}\n{query.sql};" for query in STATISTICS.values()]
    sources = [statement.replace(":game", f"'{quoted}'").replace(":apart", f"'{keys}'") + ";" for statement in SOURCES]
    return "\n\n".join([*sources, *queries]) + "\n"


class SimulatedScores(NamedTuple):
    """The series in a file written by ``companion simulate --out``, and how often each score occurred."""

    description: str
    scores: Mapping[float, int]


def read_simulated(path: str, game: str) -> SimulatedScores:
    """Read the scores of a simulated series from a file.

    Raises:
        Unreadable: There is no such file.
        BadData: It holds no series, or one of another game.
    """
    if not os.path.isfile(path):
        raise Unreadable(f"there is no file {clean(path)}", cure=f"Write one: companion simulate {game} --out FILE.db")
    if os.path.getsize(path) > limits.SERIES:
        what = f"{clean(path)} is larger than {limits.SERIES} bytes"
        raise BadData(what, cure=f"A series has at most {plural(limits.GAMES, 'game')}")
    try:
        rows = _read_scores(path)
    except (sqlite3.Error, OSError, ValueError, KeyError, csv.Error):
        what = f"{clean(path)} holds no games that were simulated"
        raise BadData(what, cure=f"companion simulate {game} --out FILE.db") from None
    series = next((item for item, _, _ in rows), "")
    if series.partition(" ")[0] != game:
        raise BadData(f"{clean(path)} holds games of another kind: {clean(series)}", cure=f"Simulate {game}")
    return SimulatedScores(clean(series), Counter(score for _, result, score in rows if result != ERROR and score is not None))


def _read_scores(path: str) -> list[tuple[str, str, float | None]]:
    """Return series, result and score of each game."""
    if path.endswith(".db"):
        with closing(database.open_read_only(path)) as connection:
            rows = connection.execute(SIMULATED) if connection.execute(_IS_TABLE).fetchone() else ()
            return [(str(series), str(result), _score(score)) for series, result, score in rows]
    with open(path, newline="", encoding="utf-8") as file:
        return [(row["series"], row["result"], _score(row["score"])) for row in csv.DictReader(file)]


def _score(cell: object) -> float | None:
    """Return the score in a cell, or None for none; raise ValueError if no game has it."""
    score = float(str(cell)) if cell not in (None, "") else None
    if score is not None and not abs(score) < MAX_POINTS:
        raise ValueError("no score")
    return score
