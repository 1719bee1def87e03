"""Statistics over all sessions of an archive (``companion stats``), and the queries offered to Datasette."""

from __future__ import annotations

import csv
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any, NamedTuple

from companion.core import limits
from companion.core.errors import BadData, Unreadable
from companion.core.history import ROW_SCHEMAS
from companion.core.procedures import Progress, ProgressCallback, ignore_progress
from companion.core.text import clean, plural
from companion.core.values import JsonDict
from companion.session import database
from companion.session.database import SQLValue
from companion.session.simulation import ERROR


class Query(NamedTuple):
    """A query with the title of its result. Parameters are written ``:name``."""

    title: str
    sql: str


PLAYED = """
CREATE TEMP TABLE played AS
SELECT v.session, v.game, v.scenario, v.options, v.created, v.last_at AS ended, v.entries, v.at_table, v.think, v.open, v.over,
    v.score, v.verdict, v.turns
FROM v_sessions v JOIN sessions s ON s.name = v.session
WHERE NOT v.quick AND :game IN ('', v.game)
ORDER BY v.last_at, s.id"""
"""A row per session; the other queries read it. Single actions outside a session are left out."""

_PLAIN = "CASE instr(verdict, ' (') WHEN 0 THEN verdict ELSE substr(verdict, 1, instr(verdict, ' (') - 1) END"
_RESULT = f"CASE instr({_PLAIN}, ' VP: ') WHEN 0 THEN {_PLAIN} ELSE substr({_PLAIN}, instr({_PLAIN}, ' VP: ') + 5) END"
"""The verdict without the figures that some games put before it, or after it in brackets."""

STATISTICS: Mapping[str, Query] = {
    "sessions": Query("Sessions", "SELECT * FROM played ORDER BY created, session"),
    "games": Query(
        "Games",
        "SELECT game, count(*) AS sessions, count(over) AS finished, sum(entries) AS entries,"
        " round(sum(at_table) / 3600.0, 1) AS hours, round(sum(CASE WHEN turns > 0 THEN at_table END) / 60.0"
        " / sum(CASE WHEN turns > 0 THEN turns END), 1) AS minutes_a_turn FROM played GROUP BY game ORDER BY game",
    ),
    "results": Query(
        "Results",
        f"SELECT game, {_RESULT} AS result, count(*) AS games, round(avg(score), 1) AS score"
        " FROM played WHERE over IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2",
    ),
    "scenarios": Query(
        "Scenarios",
        "SELECT game, scenario, count(*) AS games, round(avg(score), 1) AS score, min(score) AS least, max(score) AS greatest"
        " FROM played WHERE over IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2",
    ),
    "options": Query(
        "Options that differed",
        "SELECT game, option, choice, games, score FROM (SELECT p.game, o.key AS option, o.value AS choice, count(*) AS games,"
        " round(avg(p.score), 1) AS score, count(*) OVER (PARTITION BY p.game, o.key) AS choices"
        " FROM played p, json_each(p.options) o WHERE p.over IS NOT NULL AND o.key <> 'scenario' GROUP BY 1, 2, 3)"
        " WHERE choices > 1 ORDER BY 1, 2, 3",
    ),
    "levels": Query(
        "How far the opponent thought",
        "SELECT game, think, count(*) AS games, round(avg(score), 1) AS score FROM played WHERE over IS NOT NULL"
        " GROUP BY 1, 2 ORDER BY 1, 2",
    ),
    "scores": Query(
        "Scores in the order in which they were played",
        "SELECT session, game, scenario, score, verdict, turns, at_table, ended FROM played WHERE over IS NOT NULL"
        " AND score IS NOT NULL ORDER BY ended, session",
    ),
    "dice": Query(
        "Dice",
        # counted in the order in which they are kept, and only then by game
        "SELECT s.game, d.who, d.face, sum(d.dice) AS dice FROM (SELECT d.session_id, d.who, d.face, sum(d.dice) AS dice"
        " FROM faces d CROSS JOIN force f ON f.session_id = d.session_id AND f.entry = d.entry WHERE f.in_force GROUP BY 1, 2, 3)"
        " d JOIN sessions s ON s.id = d.session_id WHERE s.name IN (SELECT session FROM played)"
        " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    ),
    "newer": Query(
        "Rows of the log that this Companion does not know",
        "SELECT s.name AS session, l.kind, count(*) AS rows FROM sums u JOIN sessions s ON s.id = u.session_id"
        " JOIN log l ON l.session_id = s.id WHERE u.others > 0"
        f" AND l.kind NOT IN ({', '.join(map(repr, ROW_SCHEMAS))}) GROUP BY 1, 2",
    ),
}
"""Name -> query over the sessions that were played."""

SIMULATED = "SELECT series, result, score FROM games"
"""Query of a file of simulated games."""

DATASETTE_QUERIES: Mapping[str, Query] = {
    "results": Query(
        "Games by result",
        "SELECT game, verdict, count(*) AS games, round(avg(score), 1) AS score FROM v_results GROUP BY game, verdict",
    ),
    "dice": Query(
        "How the dice fell, by who rolled them",
        "SELECT who, face, count(*) AS dice FROM v_dice WHERE in_force GROUP BY who, face",
    ),
    "dice_for": Query(
        "Dice of a session by what they were rolled for",
        "SELECT key, rule, count(*) AS dice, round(avg(face), 2) AS mean FROM v_dice"
        " WHERE in_force AND session = :session GROUP BY key, rule ORDER BY dice DESC",
    ),
    "tracks": Query(
        "The tracks of a session over its entries",
        "SELECT entry, track, value FROM v_tracks WHERE session = :session ORDER BY entry",
    ),
    "thought": Query(
        "What was thought about longest",
        "SELECT session, entry, key, value, seconds FROM v_decisions WHERE in_force AND seconds < 3600"
        " ORDER BY seconds DESC LIMIT 50",
    ),
    "moves": Query(
        "Where a piece has been",
        "SELECT entry, was, now, why FROM v_moves WHERE session = :session AND piece = :piece AND in_force",
    ),
    "story": Query(
        "A session entry by entry",
        "SELECT entry, action, args, lines FROM v_entries WHERE session = :session AND status = 'in force'",
    ),
}
"""Name -> query that Datasette offers beside the views."""


class Table(NamedTuple):
    """The result of a query."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def data(self) -> list[JsonDict]:
        """Return a dictionary per row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def played_tables(path: str, game: str = "", watch: ProgressCallback = ignore_progress) -> dict[str, Table]:
    """Return every table of an archive by name.

    Args:
        path: The archive.
        game: Count only sessions of this game.
        watch: Called with the progress.

    Raises:
        BadData: The archive cannot be read.
    """
    try:
        with closing(database.connect_with_temp_tables(path)) as connection:
            connection.execute(PLAYED, {"game": game})
            tables = {}
            for number, (name, query) in enumerate(STATISTICS.items()):
                watch(Progress(number, len(STATISTICS), ""))
                tables[name] = _table(connection, query.title, query.sql)
            watch(Progress(len(STATISTICS), len(STATISTICS), ""))
            return tables
    except sqlite3.Error as fault:
        raise database.sqlite_error(path, fault) from None


def _table(connection: sqlite3.Connection, title: str, sql: str) -> Table:
    cursor = connection.execute(sql)
    columns = tuple(column for column, *_ in cursor.description)
    return Table(title, columns, tuple(tuple(map(_clean_cell, row)) for row in cursor))


def _clean_cell(cell: SQLValue) -> SQLValue:
    return clean(cell) if isinstance(cell, str) else cell


def sql_script(game: str = "") -> str:
    """Return all queries as a script for the sqlite3 program."""
    quoted = game.replace("'", "''")
    queries = [f"-- {query.title}\n{query.sql};" for query in STATISTICS.values()]
    return "\n\n".join([PLAYED.strip().replace(":game", f"'{quoted}'") + ";", *queries]) + "\n"


class SimulatedScores(NamedTuple):
    """A file written by ``companion simulate --out``: what was played, and how often each score occurred."""

    description: str
    scores: Mapping[float, int]


def read_simulated(path: str, game: str) -> SimulatedScores:
    """Read the scores of a simulated series from a file.

    Raises:
        Unreadable: There is no such file.
        BadData: It holds no series, or one of another game.
    """
    if not os.path.isfile(path):
        raise Unreadable(f"there is no file {clean(path)}", cure=f"Make one: companion simulate {game} --out FILE.db")
    if os.path.getsize(path) > limits.SERIES:
        raise BadData(
            f"{clean(path)} is larger than {limits.SERIES} bytes", cure=f"A series has at most {plural(limits.GAMES, 'game')}"
        )
    try:
        rows = list(_read_database(path) if path.endswith(".db") else _read_csv(path))
    except (sqlite3.Error, OSError, ValueError, KeyError, csv.Error):
        raise BadData(
            f"{clean(path)} holds no games that were simulated", cure=f"companion simulate {game} --out FILE.db"
        ) from None
    series = next((item for item, _, _ in rows), "")
    if series.partition(" ")[0] != game:
        raise BadData(f"{clean(path)} holds games of another kind: {clean(series)}", cure=f"Simulate {game}")
    return SimulatedScores(clean(series), Counter(score for _, result, score in rows if result != ERROR and score is not None))


ScoreRow = tuple[str, str, float | None]
"""Series, result and score of a game."""


def _read_database(path: str) -> Iterable[ScoreRow]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return [(str(series), str(result), score) for series, result, score in connection.execute(SIMULATED)]


def _read_csv(path: str) -> Iterable[ScoreRow]:
    with open(path, newline="", encoding="utf-8") as file:
        return [(row["series"], row["result"], float(row["score"]) if row["score"] else None) for row in csv.DictReader(file)]
