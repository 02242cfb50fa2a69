PRAGMA application_id = 1178946644;
PRAGMA user_version = 1;

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Everything that happened, in the order in which the table took it. Offsets run from 1 without holes.
CREATE TABLE events (
    offset INTEGER PRIMARY KEY,
    utc_ns INTEGER NOT NULL,
    mono_ns INTEGER NOT NULL,
    kind TEXT NOT NULL,
    device TEXT,
    boot TEXT,
    seq INTEGER,
    rules TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;

-- What the table said of it: fact n of an event. Sequences run from 1 without holes.
CREATE TABLE facts (
    sequence INTEGER PRIMARY KEY,
    offset INTEGER NOT NULL REFERENCES events,
    n INTEGER NOT NULL,
    kind TEXT NOT NULL,
    round TEXT,
    body TEXT NOT NULL,
    UNIQUE (offset, n)
) STRICT;

-- Requests by the name that their client gave them, so that a repeat gets the first answer.
CREATE TABLE requests (
    client TEXT NOT NULL,
    id TEXT NOT NULL,
    offset INTEGER NOT NULL REFERENCES events,
    answer TEXT NOT NULL,
    PRIMARY KEY (client, id)
) STRICT, WITHOUT ROWID;

-- The last of each device's own events that was ever here, for the acknowledgement after a reconnect.
-- It outlives the event itself, so it refers to none.
CREATE TABLE receipts (
    device TEXT PRIMARY KEY,
    boot TEXT NOT NULL,
    seq INTEGER NOT NULL,
    offset INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How far each reader of the facts has come.
CREATE TABLE cursors (
    name TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Only a shortcut for the replay: a snapshot of another version of the code is passed over.
CREATE TABLE snapshots (
    offset INTEGER PRIMARY KEY REFERENCES events,
    code_version TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
INSERT INTO meta VALUES ('journal', '0123456789ab'), ('created_utc_ns', '1790000000000000000');
