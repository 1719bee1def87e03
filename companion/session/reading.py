"""The views of the archive that answer what is asked over many sessions: a row a decision, a draw, a result, a session."""

VIEWS = """
DROP VIEW v_replies;
CREATE VIEW v_replies AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), names AS MATERIALIZED (
    SELECT session_id, id, piece FROM v_names
), given AS (
    SELECT session_id, seq, kind AS row, entry, body, at,
        row_number() OVER (PARTITION BY session_id, entry ORDER BY seq) AS reply
    FROM log WHERE kind IN ('reply', 'adjusted')
)
SELECT s.name AS session, r.entry, r.reply, json_extract(r.body, '$.key') AS key, json_extract(r.body, '$.kind') AS kind,
    CASE json_type(r.body, '$.value') WHEN 'true' THEN 'yes' WHEN 'false' THEN 'no'
        WHEN 'object' THEN json_extract(r.body, '$.value')
        ELSE (SELECT group_concat(coalesce(n.piece, v.value), ', ') FROM json_each(r.body, '$.value') v
            LEFT JOIN names n ON n.session_id = r.session_id AND n.id = v.value) END AS value,
    json_extract(r.body, '$.source') AS source,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted', 'suggested') THEN 'player' ELSE 'companion' END AS who,
    coalesce(json_extract(r.body, '$.anyway'), 0) AS anyway, json_extract(r.body, '$.rule') AS rule, f.in_force, r.at,
    CAST(strftime('%s', r.at) AS INTEGER) - (SELECT CAST(strftime('%s', b.at) AS INTEGER) FROM log b
        WHERE b.session_id = r.session_id AND b.seq = r.seq - 1) AS seconds
FROM given r
JOIN sessions s ON s.id = r.session_id
JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
WHERE r.row = 'reply'
ORDER BY r.session_id, r.seq;

CREATE VIEW v_decisions AS
SELECT session, entry, reply, key, kind, value, source, seconds, anyway, rule, in_force, at
FROM v_replies WHERE who = 'player' AND kind NOT IN ('roll', 'draw', 'printed');

CREATE VIEW v_draws AS
SELECT session, entry, key, value AS counter, source, who, rule, in_force, at FROM v_rolls WHERE kind = 'draw';

DROP VIEW v_sessions;
CREATE VIEW v_sessions AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), counted AS MATERIALIZED (
    SELECT session_id, sum(in_force) AS entries, sum(NOT in_force) AS taken_back, max(CASE WHEN in_force THEN entry END) AS last
    FROM force GROUP BY session_id
), timed AS (
    SELECT session_id, seq, CAST(strftime('%s', at) AS INTEGER) AS moment FROM log
), spaced AS (
    SELECT session_id, moment - lag(moment) OVER (PARTITION BY session_id ORDER BY seq) AS seconds FROM timed
), sat AS MATERIALIZED (
    SELECT session_id, sum(CASE WHEN seconds < 3600 THEN seconds ELSE 0 END) AS at_table FROM spaced GROUP BY session_id
), logged AS MATERIALIZED (
    SELECT l.session_id, min(l.at) AS first_at, max(l.at) AS last_at,
        sum(l.kind = 'reply' AND f.in_force AND json_extract(l.body, '$.source') IN ('typed', 'scripted', 'suggested'))
            AS answers,
        sum(l.kind = 'reply' AND f.in_force AND json_extract(l.body, '$.kind') = 'roll') AS rolls,
        sum(l.kind = 'note') AS notes
    FROM log l LEFT JOIN force f ON f.session_id = l.session_id AND f.entry = l.entry GROUP BY l.session_id
), thought AS MATERIALIZED (
    SELECT session_id, json_extract(body, '$.think') AS think, max(seq) FROM log
    WHERE kind = 'setting' AND json_extract(body, '$.think') IS NOT NULL GROUP BY session_id
)
SELECT s.name AS session, s.game, s.scenario, s.options, s.seed, p.name AS parent, s.flags = 'quick' AS quick, s.version,
    s.created,
    c.entries, c.taken_back, g.answers, g.rolls, g.notes, g.first_at, g.last_at,
    CAST(strftime('%s', g.last_at) AS INTEGER) - CAST(strftime('%s', g.first_at) AS INTEGER) AS seconds, a.at_table,
    coalesce(t.think, 'usual') AS think,
    d.seq IS NULL AS open, json_extract(d.body, '$.result.over') AS over, json_extract(d.body, '$.result.total') AS score,
    json_extract(d.body, '$.result.verdict') AS verdict, json_extract(d.body, '$.result.turn') AS turns
FROM sessions s
LEFT JOIN sessions p ON p.id = s.parent
LEFT JOIN counted c ON c.session_id = s.id
LEFT JOIN logged g ON g.session_id = s.id
LEFT JOIN sat a ON a.session_id = s.id
LEFT JOIN thought t ON t.session_id = s.id
LEFT JOIN log d ON d.session_id = s.id AND d.entry = c.last AND d.kind = 'done'
ORDER BY s.id;

CREATE VIEW v_results AS
SELECT session, game, scenario, verdict, score, over, turns, entries, at_table, seconds, last_at AS ended
FROM v_sessions WHERE over IS NOT NULL AND NOT quick;
"""
"""Migration 6, with v_replies and v_sessions anew: they have columns more."""
