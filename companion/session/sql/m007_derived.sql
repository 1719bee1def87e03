CREATE TABLE force (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    entry INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    done INTEGER,
    in_force INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    rolls INTEGER NOT NULL,
    PRIMARY KEY (session_id, entry)
) STRICT, WITHOUT ROWID;
CREATE TABLE sums (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id),
    rows INTEGER NOT NULL,
    others INTEGER NOT NULL,
    notes INTEGER NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    at_table INTEGER NOT NULL,
    think ANY
) STRICT;
CREATE TABLE names (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tracked (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    track TEXT NOT NULL,
    entry INTEGER NOT NULL,
    value ANY,
    PRIMARY KEY (session_id, track, entry)
) STRICT, WITHOUT ROWID;
CREATE TABLE faces (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    who TEXT NOT NULL,
    face INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    dice INTEGER NOT NULL,
    PRIMARY KEY (session_id, who, face, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX log_learnt ON log (session_id, seq) WHERE kind = 'reply' AND instr(body, '"kind":"learn"') > 0;
