"""The queries behind the tables of ``companion stats``, and those that come with the archive for Datasette."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.history import ROWS


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

_BARE = "CASE instr(verdict, ' (') WHEN 0 THEN verdict ELSE substr(verdict, 1, instr(verdict, ' (') - 1) END"
_LEVEL = f"CASE instr({_BARE}, ' VP: ') WHEN 0 THEN {_BARE} ELSE substr({_BARE}, instr({_BARE}, ' VP: ') + 5) END"
"""A verdict without the figures that some games put before it, or behind it in brackets."""

TABLES: Mapping[str, Query] = {
    "sessions": Query("Sessions", "SELECT * FROM played ORDER BY created, session"),
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
        # counted before they are joined: a view within a join is worked out anew for every session
        "SELECT p.game, d.who, d.face, sum(d.dice) AS dice FROM (SELECT session, who, face, count(*) AS dice FROM v_dice"
        " WHERE in_force GROUP BY 1, 2, 3) d JOIN played p ON p.session = d.session GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    ),
    "newer": Query(
        "Rows of the log that this Companion does not know",
        "SELECT s.name AS session, l.kind, count(*) AS rows FROM log l JOIN sessions s ON s.id = l.session_id"
        f" WHERE l.kind NOT IN ({', '.join(map(repr, ROWS))}) GROUP BY 1, 2",
    ),
}
"""Name -> what is asked of the sessions that were played."""

SIMULATED = "SELECT series, result, score FROM games"
"""Of a file of games that were simulated."""

CANNED: Mapping[str, Query] = {
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
"""Name -> a query that Datasette offers beside the views."""
