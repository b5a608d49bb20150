-- The log is the truth; what else is here can be made from it, or can be erased.
CREATE TABLE tables (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    opened INTEGER NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tables_finished ON tables (finished);

-- Apart from everything else, so that it is easily kept out of backups that are given away.
CREATE TABLE secrets (
    table_id TEXT PRIMARY KEY REFERENCES tables (id),
    secret BLOB NOT NULL CHECK (length(secret) = 32)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seq INTEGER NOT NULL CHECK (seq >= 0),
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    seat INTEGER,
    move_id TEXT,
    at INTEGER NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX events_move ON events (table_id, move_id) WHERE move_id IS NOT NULL;

CREATE TRIGGER events_follow BEFORE INSERT ON events
WHEN NEW.seq > 0 AND NOT EXISTS (
    SELECT 1 FROM events WHERE table_id = NEW.table_id AND seq = NEW.seq - 1 AND hash = NEW.previous
)
BEGIN SELECT RAISE(ABORT, 'does not follow the last event'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;

-- Names and free texts: beside the chain, which holds only their seals, so that they can be erased.
CREATE TABLE asides (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    owner TEXT NOT NULL,
    salt TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (table_id, seq),
    FOREIGN KEY (table_id, seq) REFERENCES events (table_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX asides_owner ON asides (owner);

-- One line a commit of a table, chained over all tables: a log that is cut off at its end shows here.
CREATE TABLE ledger (
    number INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    head TEXT NOT NULL
) STRICT;
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is never changed'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is never deleted'); END;

-- Which token (hashed) sits at which table: made from the log.
CREATE TABLE sitters (owner TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (owner, table_id)) STRICT, WITHOUT ROWID;

CREATE TABLE cartes (
    id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    made INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE places (carte TEXT NOT NULL REFERENCES cartes (id), owner TEXT NOT NULL, PRIMARY KEY (carte, owner)) STRICT, WITHOUT ROWID;

-- When the house could last answer: clocks count until then and no longer.
CREATE TABLE beats (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT;
