-- The views of the archive. They hold no data; when the schema changes, all are dropped and created again.
-- Their columns and results are promised (docs/archive.md), and `companion doctor` compares their text with this file.

-- {replies} in the views: unsorted, since SQLite could not ask a sorted subquery for the replies of one entry.
SELECT s.name AS session, r.entry,
    (SELECT count(*) FROM log b WHERE b.session_id = r.session_id AND b.seq > f.first AND b.seq <= r.seq
        AND b.entry = r.entry AND b.kind IN ('reply', 'adjusted')) AS reply,
    json_extract(r.body, '$.key') AS key, json_extract(r.body, '$.kind') AS kind,
    CASE json_type(r.body, '$.value') WHEN 'true' THEN 'yes' WHEN 'false' THEN 'no'
        WHEN 'object' THEN json_extract(r.body, '$.value')
        ELSE (SELECT group_concat(coalesce(n.name, v.value), ', ') FROM json_each(r.body, '$.value') v
            LEFT JOIN names n ON n.session_id = r.session_id AND n.id = v.value) END AS value,
    json_extract(r.body, '$.source') AS source,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted', 'suggested') THEN 'player' ELSE 'companion' END AS who,
    coalesce(json_extract(r.body, '$.anyway'), 0) AS anyway, json_extract(r.body, '$.rule') AS rule, f.in_force, r.at,
    max(0, CAST(strftime('%s', r.at) AS INTEGER) - (SELECT CAST(strftime('%s', b.at) AS INTEGER) FROM log b
        WHERE b.session_id = r.session_id AND b.seq = r.seq - 1)) AS seconds
FROM sessions s
CROSS JOIN force f ON f.session_id = s.id
CROSS JOIN log r ON r.session_id = f.session_id AND r.seq > f.first AND r.seq <= f.last
WHERE r.kind = 'reply' AND r.entry = f.entry;

CREATE VIEW v_force AS SELECT session_id, entry, in_force FROM force;

CREATE VIEW v_names AS SELECT session_id, id, name AS piece FROM names;

CREATE VIEW v_events AS
WITH happened AS (
    SELECT s.name AS session, s.id AS session_id, f.entry, f.in_force, d.at, v.key + 1 AS nr, v.value AS event,
        json_extract(v.value, '$.kind') AS kind, json_extract(v.value, '$.id') AS id, json_extract(v.value, '$.was') AS was,
        json_extract(v.value, '$.now') AS now, json_extract(v.value, '$.why') AS why,
        coalesce(json_extract(v.value, '$.track'), json_extract(v.value, '$.flag'), json_extract(v.value, '$.mark')) AS what,
        coalesce(json_extract(v.value, '$.place'), json_extract(v.value, '$.now')) AS became
    FROM sessions s
    CROSS JOIN force f ON f.session_id = s.id
    CROSS JOIN log d ON d.session_id = f.session_id AND d.seq = f.done
    CROSS JOIN json_each(d.body, '$.events') v
)
SELECT h.session, h.entry, h.nr, h.kind, h.what, coalesce(n.name, h.id) AS piece, h.id, h.was, h.became AS now,
    CASE h.kind WHEN 'said' THEN json_extract(h.event, '$.text')
        WHEN 'track' THEN h.what || ' ' || h.was || ' -> ' || h.now
        WHEN 'flag' THEN h.what || ': ' || coalesce(h.now, 'none')
        WHEN 'made' THEN h.became || ': ' || coalesce(n.name, h.id)
        WHEN 'moved' THEN coalesce(n.name, h.id) || ': ' || h.was || ' -> ' || h.now
        WHEN 'flipped' THEN coalesce(n.name, h.id) || ': turned to its ' || h.now
        WHEN 'marked' THEN coalesce(n.name, h.id) || ': ' || h.what || ' ' || coalesce(h.now, 'off')
    END || CASE WHEN coalesce(h.why, '') = '' THEN '' ELSE ': ' || h.why END AS line,
    json_extract(h.event, '$.rule') AS rule, h.why, h.in_force, h.at
FROM happened h LEFT JOIN names n ON n.session_id = h.session_id AND n.id = h.id
ORDER BY h.session_id, h.entry, h.nr;

CREATE VIEW v_moves AS
SELECT session, entry, nr, piece, id, was, now, rule, why, in_force, at FROM v_events WHERE kind IN ('moved', 'made');

CREATE VIEW v_replies AS
{replies}ORDER BY s.id, f.entry, r.seq;

CREATE VIEW v_decisions AS
SELECT session, entry, reply, key, kind, value, source, seconds, anyway, rule, in_force, at, level, loss, loss_error, win_loss,
    win_loss_error, grade, best
FROM (
    SELECT s.id AS session_id, r.*, d.level, d.loss, d.loss_error, d.win_loss, d.win_loss_error, d.grade, d.best
    FROM ({replies}) r
    CROSS JOIN sessions s ON s.name = r.session
    LEFT JOIN reviewed d ON r.in_force AND d.session_id = s.id AND d.entry = r.entry AND d.reply = r.reply AND d.level = (
        SELECT o.level FROM reviewed o WHERE o.session_id = d.session_id AND o.entry = d.entry AND o.reply = d.reply
        ORDER BY instr('quick normal deep', o.level) DESC LIMIT 1)
    WHERE r.who = 'player' AND r.kind NOT IN ('roll', 'draw', 'printed')
    UNION ALL
    SELECT s.id, s.name, d.entry, 0, 'action', 'action', json_extract(e.body, '$.action'), NULL, 'player',
        coalesce(json_extract(e.body, '$.anyway'), 0), d.rule, f.in_force, e.at,
        max(0, CAST(strftime('%s', e.at) AS INTEGER) - (SELECT CAST(strftime('%s', b.at) AS INTEGER) FROM log b
            WHERE b.session_id = e.session_id AND b.seq = e.seq - 1)),
        d.level, d.loss, d.loss_error, d.win_loss, d.win_loss_error, d.grade, d.best
    FROM sessions s
    CROSS JOIN reviewed d ON d.session_id = s.id
    CROSS JOIN force f ON f.session_id = d.session_id AND f.entry = d.entry
    CROSS JOIN log e ON e.session_id = f.session_id AND e.seq = f.first
    WHERE d.reply = 0 AND d.by_person AND f.in_force AND d.level = (
        SELECT o.level FROM reviewed o WHERE o.session_id = d.session_id AND o.entry = d.entry AND o.reply = d.reply
        ORDER BY instr('quick normal deep', o.level) DESC LIMIT 1)
) ORDER BY session_id, entry, reply;

CREATE VIEW v_dice AS
SELECT s.name AS session, r.entry, json_extract(r.body, '$.key') AS key, v.key + 1 AS die, v.value AS face,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END AS who,
    json_extract(r.body, '$.rule') AS rule, f.in_force, r.at
FROM sessions s
CROSS JOIN log r ON r.session_id = s.id
CROSS JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
CROSS JOIN json_each(r.body, '$.value') v
WHERE r.kind = 'reply' AND json_extract(r.body, '$.kind') = 'roll'
ORDER BY s.id, r.seq, v.key;

CREATE VIEW v_rolls AS
SELECT s.name AS session, r.entry, json_extract(r.body, '$.key') AS key, json_extract(r.body, '$.kind') AS kind,
    json_extract(r.body, '$.value') AS value, json_extract(r.body, '$.source') AS source,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END AS who,
    json_extract(r.body, '$.rule') AS rule, f.in_force, r.at
FROM sessions s
CROSS JOIN log r ON r.session_id = s.id
CROSS JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
WHERE r.kind = 'reply' AND json_extract(r.body, '$.kind') IN ('roll', 'draw')
ORDER BY s.id, r.seq;

CREATE VIEW v_draws AS
SELECT session, entry, key, value AS counter, source, who, rule, in_force, at FROM v_rolls WHERE kind = 'draw';

CREATE VIEW v_entries AS
SELECT s.name AS session, f.entry, json_extract(e.body, '$.action') AS action,
    CASE json_extract(e.body, '$.args') WHEN '{}' THEN (
        SELECT json_group_object(key, json(value)) FROM (
            SELECT key, min(reply) AS nr,
                CASE count(*) WHEN 1 THEN json_quote(max(value)) ELSE json_group_array(value) END AS value
            FROM ({replies}) a WHERE a.session = s.name AND a.entry = f.entry AND a.who = 'player' GROUP BY key ORDER BY nr)
    ) ELSE json_extract(e.body, '$.args') END AS args,
    CASE WHEN NOT f.in_force THEN 'taken back' WHEN f.done IS NULL THEN 'open' ELSE 'in force' END AS status,
    json_extract(e.body, '$.copy_of') AS copy_of, e.at,
    (SELECT group_concat(line, char(10)) FROM (
        SELECT h.line FROM v_events h WHERE h.session = s.name AND h.entry = f.entry ORDER BY h.nr LIMIT -1)) AS lines,
    (SELECT nullif(json_group_array(json_object('action', json_extract(a.body, '$.action'),
        'changes', json_extract(a.body, '$.changes'), 'why', json_extract(a.body, '$.why'))), '[]')
     FROM log a WHERE a.session_id = f.session_id AND a.seq > f.first AND a.seq <= f.last AND a.entry = f.entry
        AND a.kind = 'adjusted') AS adjusted
FROM sessions s
CROSS JOIN force f ON f.session_id = s.id
CROSS JOIN log e ON e.session_id = f.session_id AND e.seq = f.first
ORDER BY s.id, f.entry;

CREATE VIEW v_adjustments AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), made AS (
    SELECT session_id, seq, entry, at, json_extract(body, '$.action') AS action, json_extract(body, '$.changes') AS changes,
        json_extract(body, '$.why') AS why, json_extract(body, '$.at') AS question
    FROM log WHERE kind = 'adjusted'
    UNION ALL
    SELECT session_id, seq, entry, at, json_extract(body, '$.action'), json_extract(body, '$.args.changes'),
        json_extract(body, '$.args.why'), NULL
    FROM log WHERE kind = 'entry' AND json_extract(body, '$.action') IN ('adjust', 'audit')
)
SELECT s.name AS session, m.entry, m.action, json_extract(c.value, '$[0]') AS what, json_extract(c.value, '$[1]') AS value,
    m.why, m.question, f.in_force, m.at
FROM made m
JOIN sessions s ON s.id = m.session_id
JOIN force f ON f.session_id = m.session_id AND f.entry = m.entry
JOIN json_each(m.changes) c
ORDER BY m.session_id, m.seq, c.key;

CREATE VIEW v_tracks AS
SELECT session, entry, track, value FROM (
    SELECT s.name AS session, s.id AS session_id, f.entry, t.track, (
        SELECT k.value FROM tracked k JOIN force g ON g.session_id = k.session_id AND g.entry = k.entry AND g.in_force
        WHERE k.session_id = f.session_id AND k.track = t.track AND k.entry <= f.entry ORDER BY k.entry DESC LIMIT 1) AS value
    FROM sessions s
    CROSS JOIN force f ON f.session_id = s.id
    CROSS JOIN (SELECT DISTINCT session_id, track FROM tracked) t ON t.session_id = f.session_id
    WHERE f.in_force AND f.done IS NOT NULL
) WHERE value IS NOT NULL
ORDER BY session_id, entry, track;

CREATE VIEW v_sessions AS
WITH counted AS MATERIALIZED (
    SELECT session_id, sum(in_force) AS entries, sum(NOT in_force) AS taken_back, sum(in_force * answers) AS answers,
        sum(in_force * rolls) AS rolls, max(CASE WHEN in_force THEN entry END) AS last
    FROM force GROUP BY session_id
)
SELECT s.name AS session, s.game, s.scenario, s.options, s.seed, p.name AS parent, s.flags = 'quick' AS quick, s.version,
    s.created,
    c.entries, c.taken_back, c.answers, c.rolls, g.notes, g.first_at, g.last_at,
    CAST(strftime('%s', g.last_at) AS INTEGER) - CAST(strftime('%s', g.first_at) AS INTEGER) AS seconds, g.at_table,
    coalesce(g.think, 'usual') AS think,
    d.seq IS NULL AS open, json_extract(d.body, '$.result.over') AS over, json_extract(d.body, '$.result.total') AS score,
    json_extract(d.body, '$.result.verdict') AS verdict, json_extract(d.body, '$.result.turn') AS turns
FROM sessions s
LEFT JOIN sessions p ON p.id = s.parent
LEFT JOIN counted c ON c.session_id = s.id
LEFT JOIN sums g ON g.session_id = s.id
LEFT JOIN force l ON l.session_id = s.id AND l.entry = c.last
LEFT JOIN log d ON d.session_id = s.id AND d.seq = l.done
ORDER BY s.id;

CREATE VIEW v_results AS
SELECT session, game, scenario, verdict, score, over, turns, entries, at_table, seconds, last_at AS ended
FROM v_sessions WHERE over IS NOT NULL AND NOT quick;

CREATE VIEW v_printed AS
SELECT game, key, value, source, at FROM printed p
WHERE revision = (SELECT max(revision) FROM printed q WHERE q.game = p.game AND q.key = p.key) AND value <> ''
ORDER BY game, key;
