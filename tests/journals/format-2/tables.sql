PRAGMA application_id = 1178946644;
PRAGMA user_version = 2;

-- The header line, and the dictionary that the lines are packed with.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Everything that happened, in the order in which the table took it, with what followed from it: a packed line, and its
-- hash. Offsets run from 1 without holes. `sequence` is that of the last fact up to here.
CREATE TABLE records (
    offset INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body BLOB NOT NULL
) STRICT;

-- The records that carry over what outlives a round, with the round that takes bets after them. A start reads the last.
CREATE TABLE carried (
    offset INTEGER PRIMARY KEY,
    round TEXT
) STRICT;

-- Requests by their user and the id that the user gave them, so that a repeat gets the first answer.
CREATE TABLE requests (
    who TEXT NOT NULL,
    id TEXT NOT NULL,
    offset INTEGER NOT NULL,
    PRIMARY KEY (who, id)
) STRICT, WITHOUT ROWID;

-- Where a copy of the journal continued in the place of a lost one, and the id that the journal has from there on.
CREATE TABLE generations (
    offset INTEGER PRIMARY KEY,
    journal TEXT NOT NULL
) STRICT;

-- Signed lines that name a record and its hash; the key that signed, and the signature.
CREATE TABLE checkpoints (
    offset INTEGER PRIMARY KEY,
    line BLOB NOT NULL,
    key BLOB NOT NULL,
    signature BLOB NOT NULL
) STRICT;

-- How far each reader of the facts has come.
CREATE TABLE cursors (
    name TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
