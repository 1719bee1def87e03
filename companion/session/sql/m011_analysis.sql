-- No foreign key, and no guard against deleting: whatever is missing or damaged here is computed again.
CREATE TABLE analysis (
    session_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    entry INTEGER NOT NULL,
    level TEXT NOT NULL,
    key TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session_id, kind, entry, level)
) STRICT;
