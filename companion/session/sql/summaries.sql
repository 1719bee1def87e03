-- Queries that rebuild the summary tables from the log, each with the name of its table. {d.events} stands for the fragment
-- `events` of schema.py over the row d.

-- force: Entries, and whether they are in force
WITH sound AS (
    SELECT session_id, seq, body FROM log WHERE kind = 'change' AND json_valid(body)
), moved AS (
    SELECT l.session_id, CAST(m.value AS INTEGER) AS entry, l.seq * 2 AS told FROM sound l, json_each(l.body, '$.take') m
    UNION ALL
    SELECT l.session_id, CAST(m.value AS INTEGER), l.seq * 2 + 1 FROM sound l, json_each(l.body, '$.give') m
), latest AS MATERIALIZED (
    SELECT session_id, entry, max(told) % 2 AS given FROM moved GROUP BY session_id, entry
), lived AS MATERIALIZED (
    SELECT session_id, entry, min(CASE kind WHEN 'entry' THEN seq END) AS first, max(seq) AS last,
        max(CASE kind WHEN 'done' THEN seq END) AS done,
        max(CASE kind WHEN 'entry' THEN {opened} END) AS opened,
        sum(kind = 'reply' AND {answered}) AS answers, sum(kind = 'reply' AND {rolled}) AS rolls
    FROM log WHERE kind IN ('entry', 'reply', 'adjusted', 'done') GROUP BY session_id, entry
)
SELECT e.session_id, e.entry, e.first, e.last, e.done, coalesce(m.given, e.opened), e.answers, e.rolls
FROM lived e LEFT JOIN latest m ON m.session_id = e.session_id AND m.entry = e.entry WHERE e.first IS NOT NULL;

-- sums: Sessions
WITH timed AS (
    SELECT session_id, seq, {moment} AS moment FROM log
), spaced AS (
    SELECT session_id, moment - lag(moment) OVER (PARTITION BY session_id ORDER BY seq) AS seconds FROM timed
), sat AS MATERIALIZED (
    SELECT session_id, sum(CASE WHEN seconds BETWEEN 0 AND {pause} THEN seconds ELSE 0 END) AS at_table FROM spaced GROUP BY session_id
), thought AS MATERIALIZED (
    SELECT session_id, json_extract(body, '$.think') AS think, max(seq) FROM log
    WHERE kind = 'setting' AND json_valid(body) AND json_type(body, '$.think') IS NOT NULL GROUP BY session_id
)
SELECT l.session_id, count(*), sum(l.kind NOT IN {kinds}), sum(l.kind = 'note'), min(l.at), max(l.at), s.at_table, t.think
FROM log l JOIN sat s ON s.session_id = l.session_id LEFT JOIN thought t ON t.session_id = l.session_id GROUP BY l.session_id;

-- names: Pieces, each with its latest name
SELECT session_id, id, name FROM (
    SELECT d.session_id, json_extract(v.value, '$.id') AS id, json_extract(v.value, '$.name') AS name,
        max(d.seq * 100000 + v.key)
    FROM log d, {d.events} WHERE d.kind = 'done' AND {made} GROUP BY 1, 2
);

-- tracked: Tracks, as each entry left them
SELECT session_id, track, entry, value FROM (
    SELECT d.session_id, json_extract(v.value, '$.track') AS track, d.entry, json_extract(v.value, '$.now') AS value,
        max(d.seq * 100000 + v.key)
    FROM log d, {d.events} WHERE d.kind = 'done' AND {moved} GROUP BY 1, 2, 3
);

-- faces: Dice, by roller and face
SELECT r.session_id, {r.who}, v.value, r.entry, count(*) FROM log r, {r.dice}
WHERE r.kind = 'reply' AND {r.rolled} AND v.type = 'integer' GROUP BY 1, 2, 3, 4;
