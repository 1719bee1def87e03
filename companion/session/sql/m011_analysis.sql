-- What was computed about entries, and the figures of reviewed decisions taken from it by triggers, so that v_decisions parses no
-- JSON. No foreign key, and no guard against deleting: whatever is missing or damaged here is computed again.

CREATE TABLE analysis (
    session_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    entry INTEGER NOT NULL,
    level TEXT NOT NULL,
    key TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session_id, kind, entry, level)
) STRICT;

CREATE TABLE reviewed (
    session_id INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    reply INTEGER NOT NULL,
    level TEXT NOT NULL,
    by_person INTEGER NOT NULL,
    rule ANY,
    loss ANY,
    loss_error ANY,
    win_loss ANY,
    win_loss_error ANY,
    grade ANY,
    best ANY,
    PRIMARY KEY (session_id, entry, reply, level)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER analysis_reviewed AFTER INSERT ON analysis WHEN NEW.kind = 'review' BEGIN
    DELETE FROM reviewed WHERE session_id = NEW.session_id AND entry = NEW.entry AND level = NEW.level;
    INSERT OR REPLACE INTO reviewed
    SELECT NEW.session_id, NEW.entry, json_extract(d.value, '$.reply'), NEW.level, json_extract(d.value, '$.by_person') IS 1,
        json_extract(d.value, '$.rule'), json_extract(d.value, '$.loss[0]'), json_extract(d.value, '$.loss[1]'),
        json_extract(d.value, '$.win_loss[0]'), json_extract(d.value, '$.win_loss[1]'), json_extract(d.value, '$.grade'),
        json_extract(d.value, '$.best')
    FROM json_each(CASE WHEN json_valid(NEW.data) THEN NEW.data ELSE '{}' END, '$.decisions') d
    WHERE CASE d.type WHEN 'object' THEN json_type(d.value, '$.reply') = 'integer' END;
END;

CREATE TRIGGER analysis_forgotten AFTER DELETE ON analysis WHEN OLD.kind = 'review' BEGIN
    DELETE FROM reviewed WHERE session_id = OLD.session_id AND entry = OLD.entry AND level = OLD.level;
END;
