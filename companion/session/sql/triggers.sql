-- Triggers that keep the summary tables up to date with the log, so that no view has to scan all of it. What they write can be
-- rebuilt from the log: see summaries.sql. {NEW.opened} stands for the fragment `opened` of schema.py over the row NEW.

CREATE TRIGGER log_sums AFTER INSERT ON log BEGIN
    INSERT INTO sums VALUES (NEW.session_id, 1, NEW.kind NOT IN {kinds}, NEW.kind = 'note', NEW.at, NEW.at, 0,
        CASE WHEN NEW.kind = 'setting' AND json_valid(NEW.body) THEN json_extract(NEW.body, '$.think') END)
    ON CONFLICT (session_id) DO UPDATE SET rows = rows + 1, others = others + (NEW.kind NOT IN {kinds}),
        notes = notes + (NEW.kind = 'note'), think = coalesce(excluded.think, think),
        first_at = min(first_at, NEW.at), last_at = max(last_at, NEW.at), at_table = at_table + coalesce((
            SELECT CASE WHEN seconds BETWEEN 0 AND {pause} THEN seconds ELSE 0 END FROM (
                SELECT {NEW.moment} - {b.moment} AS seconds FROM log b
                WHERE b.session_id = NEW.session_id AND b.seq < NEW.seq ORDER BY b.seq DESC LIMIT 1)), 0);
    END;

CREATE TRIGGER log_opened AFTER INSERT ON log WHEN NEW.kind = 'entry' BEGIN
    INSERT OR IGNORE INTO force
    VALUES (NEW.session_id, NEW.entry, NEW.seq, NEW.seq, NULL, {NEW.opened}, 0, 0);
    END;

CREATE TRIGGER log_answered AFTER INSERT ON log WHEN NEW.kind IN ('reply', 'adjusted') BEGIN
    UPDATE force SET last = NEW.seq, answers = answers + (NEW.kind = 'reply' AND {NEW.answered}),
        rolls = rolls + (NEW.kind = 'reply' AND {NEW.rolled})
    WHERE session_id = NEW.session_id AND entry = NEW.entry;
    END;

CREATE TRIGGER log_done AFTER INSERT ON log WHEN NEW.kind = 'done' BEGIN
    UPDATE force SET last = NEW.seq, done = NEW.seq WHERE session_id = NEW.session_id AND entry = NEW.entry;
    INSERT OR REPLACE INTO names
    SELECT NEW.session_id, json_extract(v.value, '$.id'), json_extract(v.value, '$.name')
    FROM {NEW.events} WHERE {made};
    INSERT OR REPLACE INTO tracked
    SELECT NEW.session_id, json_extract(v.value, '$.track'), NEW.entry, json_extract(v.value, '$.now')
    FROM {NEW.events} WHERE {moved};
    END;

CREATE TRIGGER log_rolled AFTER INSERT ON log
    WHEN NEW.kind = 'reply' AND {NEW.rolled} AND json_valid(NEW.body) BEGIN
    INSERT INTO faces SELECT NEW.session_id, {NEW.who}, v.value, NEW.entry, 1
    FROM {NEW.dice} WHERE v.type = 'integer'
    ON CONFLICT (session_id, who, face, entry) DO UPDATE SET dice = dice + 1;
    END;

CREATE TRIGGER log_changed AFTER INSERT ON log WHEN NEW.kind = 'change' AND json_valid(NEW.body) BEGIN
    UPDATE force SET in_force = 0 WHERE session_id = NEW.session_id
        AND entry IN (SELECT m.value FROM json_each(NEW.body, '$.take') m);
    UPDATE force SET in_force = 1 WHERE session_id = NEW.session_id
        AND entry IN (SELECT m.value FROM json_each(NEW.body, '$.give') m);
    END;
