"""The queries behind the tables of ``companion stats``, and those that come with the archive for Datasette."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Query(NamedTuple):
    """A query with what it answers. Its parameters stand in it as ``:name``."""

    title: str
    sql: str


PLAYED = """
CREATE TEMP TABLE played AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry FROM v_force WHERE in_force
), counted AS MATERIALIZED (
    SELECT session_id, count(*) AS entries, max(entry) AS last FROM force GROUP BY session_id
), timed AS (
    SELECT session_id, seq, at, CAST(strftime('%s', at) AS INTEGER) AS moment FROM log
), spaced AS (
    SELECT session_id, at, moment - lag(moment) OVER (PARTITION BY session_id ORDER BY seq) AS seconds FROM timed
), sat AS MATERIALIZED (
    SELECT session_id, max(at) AS ended, sum(CASE WHEN seconds < 3600 THEN seconds ELSE 0 END) AS at_table
    FROM spaced GROUP BY session_id
), thought AS MATERIALIZED (
    SELECT session_id, json_extract(body, '$.think') AS think, max(seq) FROM log
    WHERE kind = 'setting' AND json_extract(body, '$.think') IS NOT NULL GROUP BY session_id
)
SELECT s.name AS session, s.game, s.scenario, s.options, s.created, a.ended, c.entries, a.at_table,
    coalesce(t.think, 'usual') AS think, d.seq IS NULL AS open, json_extract(d.body, '$.result.over') AS over,
    json_extract(d.body, '$.result.total') AS score, json_extract(d.body, '$.result.verdict') AS verdict,
    json_extract(d.body, '$.result.turn') AS turns
FROM sessions s
LEFT JOIN counted c ON c.session_id = s.id
LEFT JOIN sat a ON a.session_id = s.id
LEFT JOIN thought t ON t.session_id = s.id
LEFT JOIN log d ON d.session_id = s.id AND d.entry = c.last AND d.kind = 'done'
WHERE s.flags <> 'quick' AND :game IN ('', s.game)
ORDER BY a.ended, s.id"""
"""A row a session; the other queries read it. A session of one action that stood alone is none."""

_LEVEL = "CASE instr(verdict, ' (') WHEN 0 THEN verdict ELSE substr(verdict, 1, instr(verdict, ' (') - 1) END"
"""A verdict without the figures that some games put behind it in brackets."""

TABLES: Mapping[str, Query] = {
    "games": Query(
        "Games",
        "SELECT game, count(*) AS sessions, count(over) AS finished, sum(entries) AS entries,"
        " round(sum(at_table) / 3600.0, 1) AS hours, round(sum(CASE WHEN turns > 0 THEN at_table END) / 60.0"
        " / sum(CASE WHEN turns > 0 THEN turns END), 1) AS minutes_a_turn FROM played GROUP BY game ORDER BY game",
    ),
    "results": Query(
        "Results",
        f"SELECT game, {_LEVEL} AS result, count(*) AS games, round(avg(score), 1) AS score"
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
        "SELECT p.game, d.who, d.face, count(*) AS dice FROM v_dice d JOIN played p ON p.session = d.session"
        " WHERE d.in_force GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    ),
    "newer": Query(
        "Rows of the log that this Companion does not know",
        "SELECT s.name AS session, l.kind, count(*) AS rows FROM log l JOIN sessions s ON s.id = l.session_id"
        " WHERE l.kind NOT IN (SELECT value FROM json_each(:kinds)) GROUP BY 1, 2",
    ),
}
"""Name -> what is asked of the sessions that were played."""

CANNED: Mapping[str, Query] = {
    "results": Query(
        "Games by result",
        "select game, verdict, count(*) as games, round(avg(score), 1) as score from v_results group by game, verdict",
    ),
    "dice": Query(
        "How the dice fell, by who rolled them",
        "select who, face, count(*) as dice from v_dice where in_force group by who, face",
    ),
    "dice_for": Query(
        "Dice of a session by what they were rolled for",
        "select key, rule, count(*) as dice, round(avg(face), 2) as mean from v_dice"
        " where in_force and session = :session group by key, rule order by dice desc",
    ),
    "tracks": Query(
        "The tracks of a session over its entries",
        "select entry, track, value from v_tracks where session = :session order by entry",
    ),
    "thought": Query(
        "What was thought about longest",
        "select session, entry, key, value, seconds from v_decisions where in_force and seconds < 3600"
        " order by seconds desc limit 50",
    ),
    "moves": Query(
        "Where a piece has been",
        "select entry, was, now, why from v_moves where session = :session and piece = :piece and in_force",
    ),
    "story": Query(
        "A session entry by entry",
        "select entry, action, args, lines from v_entries where session = :session and status = 'in force'",
    ),
}
"""Name -> a query that Datasette offers beside the views."""
