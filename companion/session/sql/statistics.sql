-- What `companion stats` asks of an archive. First come the tables that the others read, then each query with its name and title.
-- {result} is the verdict without the figures that some games put before it, or after it in brackets.

-- apart: Questions of each game whose dice only select one of several; these are not counted
CREATE TEMP TABLE apart AS SELECT g.key AS game, k.value AS key FROM json_each(:apart) g, json_each(g.value) k;

-- played: Sessions that were played
CREATE TEMP TABLE played AS
SELECT v.session, v.game, v.scenario, v.options, v.created, v.last_at AS ended, v.entries, v.at_table,
    CASE WHEN typeof(v.think) IN ('integer', 'text') THEN v.think ELSE 'usual' END AS think, v.open, v.over,
    v.score, v.verdict, v.turns, v.parent
FROM v_sessions v JOIN sessions s ON s.name = v.session
WHERE NOT v.quick AND :game IN ('', v.game) AND v.last_at IS NOT NULL
    AND CASE WHEN json_valid(v.options) THEN json_type(v.options) = 'object'
        AND NOT EXISTS (SELECT 1 FROM json_each(v.options) WHERE type <> 'text') END
ORDER BY v.last_at, s.id;

-- relatives: Sessions that are branches or have some, with the original session of each
CREATE TEMP TABLE relatives AS
WITH RECURSIVE tree(session_id, original) AS (
    SELECT id, id FROM sessions WHERE parent IS NULL AND id IN (SELECT parent FROM sessions)
    UNION ALL
    SELECT s.id, t.original FROM sessions s JOIN tree t ON s.parent = t.session_id)
SELECT * FROM tree;

-- counted: One session of each game: the original if it is over, else the branch that is, else the one played last
CREATE TEMP TABLE counted AS
SELECT p.* FROM played p JOIN sessions s ON s.name = p.session LEFT JOIN relatives r ON r.session_id = s.id
WHERE r.original IS NULL OR s.id = (
    SELECT b.session_id FROM relatives b JOIN sessions t ON t.id = b.session_id JOIN played q ON q.session = t.name
    WHERE b.original = r.original
    ORDER BY q.over IS NULL, q.over IS NOT NULL AND q.parent IS NOT NULL, q.ended DESC, t.id DESC LIMIT 1);

-- sessions: Sessions
SELECT * FROM played ORDER BY created, session;

-- games: Games
SELECT game, count(*) AS sessions, count(over) AS finished, sum(entries) AS entries,
    round(sum(at_table) / 3600.0, 1) AS hours,
    round(sum(CASE WHEN turns > 0 THEN at_table END) / 60.0 / sum(CASE WHEN turns > 0 THEN turns END), 1) AS minutes_a_turn
FROM counted GROUP BY game ORDER BY game;

-- results: Results
SELECT game, {result} AS result, count(*) AS games, round(avg(score), 1) AS score
FROM counted WHERE over IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2;

-- scenarios: Scenarios
SELECT game, scenario, count(*) AS games, round(avg(score), 1) AS score, min(score) AS least, max(score) AS greatest
FROM counted WHERE over IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2;

-- options: Options that differed
SELECT game, option, choice, games, score FROM (
    SELECT p.game, o.key AS option, o.value AS choice, count(*) AS games,
        round(avg(p.score), 1) AS score, count(*) OVER (PARTITION BY p.game, o.key) AS choices
    FROM counted p, json_each(p.options) o WHERE p.over IS NOT NULL AND o.key <> 'scenario' GROUP BY 1, 2, 3)
WHERE choices > 1 ORDER BY 1, 2, 3;

-- levels: How far the opponent thought
SELECT game, think, count(*) AS games, round(avg(score), 1) AS score
FROM counted WHERE over IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2;

-- scores: Scores in the order in which they were played
SELECT session, game, scenario, score, verdict, turns, at_table, ended
FROM counted WHERE over IS NOT NULL AND score IS NOT NULL ORDER BY ended, session;

-- dice: Dice
-- A branch copies the rolls of its original, and a corrected action those of the action that it replaces. They are the same
-- roll if the same row is copied, or if they are the same roll for the same purpose of the action; each is counted once.
WITH RECURSIVE own AS (
    SELECT c.id AS session_id, c.parent, coalesce((
        SELECT min(l.seq) FROM log l LEFT JOIN log p
            ON p.session_id = c.parent AND p.seq = l.seq AND p.kind = l.kind AND p.body = l.body AND p.at = l.at
        WHERE l.session_id = c.id AND p.seq IS NULL), 9e15) AS first
    FROM sessions c WHERE c.parent IS NOT NULL
), written(session_id, writer, first, below) AS (
    SELECT r.session_id, r.session_id, coalesce(o.first, 0), 9e15 FROM relatives r LEFT JOIN own o ON o.session_id = r.session_id
    UNION ALL
    SELECT w.session_id, o.parent, coalesce(p.first, 0), min(w.below, o.first) FROM written w
    JOIN own o ON o.session_id = w.writer LEFT JOIN own p ON p.session_id = o.parent
), replaced(session_id, entry, origin) AS (
    SELECT e.session_id, e.entry, json_extract(e.body, '$.copy_of') FROM log e
    WHERE e.session_id IN (SELECT session_id FROM relatives) AND e.kind = 'entry' AND json_valid(e.body)
        AND json_extract(e.body, '$.copy_of') > 0
    UNION
    SELECT c.session_id, c.entry, json_extract(e.body, '$.copy_of') FROM replaced c
    JOIN log e ON e.session_id = c.session_id AND e.entry = c.origin AND e.kind = 'entry'
    WHERE json_valid(e.body) AND json_extract(e.body, '$.copy_of') > 0
), rolls AS MATERIALIZED (
    SELECT l.session_id, l.seq, l.entry, l.body, w.writer, json_extract(l.body, '$.key') AS key,
        row_number() OVER (PARTITION BY l.session_id, l.entry, json_extract(l.body, '$.key') ORDER BY l.seq) AS nth
    FROM log l JOIN written w ON w.session_id = l.session_id AND l.seq >= w.first AND l.seq < w.below
    WHERE l.kind = 'reply' AND json_valid(l.body) AND json_extract(l.body, '$.kind') = 'roll'
), firsts AS (
    SELECT r.session_id, r.body, coalesce(o.writer, r.writer) AS writer, coalesce(o.seq, r.seq) AS seq,
        row_number() OVER (PARTITION BY r.session_id, r.seq ORDER BY o.seq IS NULL, o.seq) AS nth
    FROM rolls r JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry AND f.in_force
    LEFT JOIN replaced c ON c.session_id = r.session_id AND c.entry = r.entry
    LEFT JOIN rolls o ON o.session_id = r.session_id AND o.entry = c.origin AND o.key = r.key AND o.nth = r.nth
), once AS (
    SELECT body, session_id, min(session_id) OVER (PARTITION BY writer, seq) AS earliest FROM firsts WHERE nth = 1
), kept AS (
    SELECT d.session_id, d.who, d.face, d.dice FROM faces d
    CROSS JOIN force f ON f.session_id = d.session_id AND f.entry = d.entry
    WHERE f.in_force AND d.session_id NOT IN (SELECT session_id FROM relatives)
    UNION ALL
    SELECT s.id, CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END, v.value, -1
    FROM (SELECT DISTINCT game FROM apart) g
    CROSS JOIN sessions s ON s.game = g.game AND s.id NOT IN (SELECT session_id FROM relatives)
    CROSS JOIN log r ON r.session_id = s.id
    CROSS JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
    CROSS JOIN json_each(CASE WHEN json_valid(r.body) THEN r.body ELSE '{}' END, '$.value') v
    WHERE r.kind = 'reply' AND instr(r.body, '"kind":"roll"') > 0 AND f.in_force AND v.type = 'integer'
        AND json_extract(r.body, '$.key') IN (SELECT a.key FROM apart a WHERE a.game = s.game)
    UNION ALL
    SELECT o.session_id, CASE WHEN json_extract(o.body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END,
        v.value, 1
    FROM once o JOIN sessions s ON s.id = o.session_id, json_each(o.body, '$.value') v
    WHERE o.session_id = o.earliest AND v.type = 'integer'
        AND json_extract(o.body, '$.key') NOT IN (SELECT a.key FROM apart a WHERE a.game = s.game)
)
SELECT s.game, d.who, d.face, sum(d.dice) AS dice
FROM (SELECT session_id, who, face, sum(dice) AS dice FROM kept GROUP BY 1, 2, 3) d
JOIN sessions s ON s.id = d.session_id WHERE s.name IN (SELECT session FROM played)
GROUP BY 1, 2, 3 HAVING sum(d.dice) > 0 ORDER BY 1, 2, 3;

-- newer: Rows of the log that this Companion does not know
SELECT s.name AS session, l.kind, count(*) AS rows
FROM sums u JOIN sessions s ON s.id = u.session_id JOIN log l ON l.session_id = s.id
WHERE u.others > 0 AND l.kind NOT IN ({known}) GROUP BY 1, 2;
