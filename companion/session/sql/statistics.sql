-- What `companion stats` asks of an archive. First comes the table that the others read, then each query with its name and title.
-- {result} is the verdict without the figures that some games put before it, or after it in brackets.

-- played: Sessions that were played
CREATE TEMP TABLE played AS
SELECT v.session, v.game, v.scenario, v.options, v.created, v.last_at AS ended, v.entries, v.at_table, v.think, v.open, v.over,
    v.score, v.verdict, v.turns
FROM v_sessions v JOIN sessions s ON s.name = v.session
WHERE NOT v.quick AND :game IN ('', v.game)
ORDER BY v.last_at, s.id;

-- sessions: Sessions
SELECT * FROM played ORDER BY created, session;

-- games: Games
SELECT game, count(*) AS sessions, count(over) AS finished, sum(entries) AS entries,
    round(sum(at_table) / 3600.0, 1) AS hours,
    round(sum(CASE WHEN turns > 0 THEN at_table END) / 60.0 / sum(CASE WHEN turns > 0 THEN turns END), 1) AS minutes_a_turn
FROM played GROUP BY game ORDER BY game;

-- results: Results
SELECT game, {result} AS result, count(*) AS games, round(avg(score), 1) AS score
FROM played WHERE over IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2;

-- scenarios: Scenarios
SELECT game, scenario, count(*) AS games, round(avg(score), 1) AS score, min(score) AS least, max(score) AS greatest
FROM played WHERE over IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2;

-- options: Options that differed
SELECT game, option, choice, games, score FROM (
    SELECT p.game, o.key AS option, o.value AS choice, count(*) AS games,
        round(avg(p.score), 1) AS score, count(*) OVER (PARTITION BY p.game, o.key) AS choices
    FROM played p, json_each(p.options) o WHERE p.over IS NOT NULL AND o.key <> 'scenario' GROUP BY 1, 2, 3)
WHERE choices > 1 ORDER BY 1, 2, 3;

-- levels: How far the opponent thought
SELECT game, think, count(*) AS games, round(avg(score), 1) AS score
FROM played WHERE over IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2;

-- scores: Scores in the order in which they were played
SELECT session, game, scenario, score, verdict, turns, at_table, ended
FROM played WHERE over IS NOT NULL AND score IS NOT NULL ORDER BY ended, session;

-- dice: Dice
-- counted in the order in which they are kept, and only then by game
SELECT s.game, d.who, d.face, sum(d.dice) AS dice FROM (
    SELECT d.session_id, d.who, d.face, sum(d.dice) AS dice
    FROM faces d CROSS JOIN force f ON f.session_id = d.session_id AND f.entry = d.entry WHERE f.in_force GROUP BY 1, 2, 3) d
JOIN sessions s ON s.id = d.session_id WHERE s.name IN (SELECT session FROM played)
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- newer: Rows of the log that this Companion does not know
SELECT s.name AS session, l.kind, count(*) AS rows
FROM sums u JOIN sessions s ON s.id = u.session_id JOIN log l ON l.session_id = s.id
WHERE u.others > 0 AND l.kind NOT IN ({known}) GROUP BY 1, 2;
