-- The log is the truth; what else is here can be made from it, or can be erased.
CREATE TABLE tables (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    opened BIGINT NOT NULL,
    finished BOOLEAN NOT NULL DEFAULT false
);
CREATE INDEX tables_live ON tables (number) WHERE NOT finished;

-- 32 bytes for each seal of the dice, oldest first.
CREATE TABLE secrets (
    table_id TEXT PRIMARY KEY REFERENCES tables (id),
    secret BYTEA NOT NULL CHECK (length(secret) >= 32 AND length(secret) % 32 = 0)
);

CREATE TABLE events (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seq INTEGER NOT NULL CHECK (seq >= 0),
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    seat INTEGER,
    move_id TEXT,
    at BIGINT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
);
CREATE UNIQUE INDEX events_move ON events (table_id, move_id) WHERE move_id IS NOT NULL;

CREATE FUNCTION event_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq > 0 AND NOT EXISTS (SELECT 1 FROM events e WHERE e.table_id = NEW.table_id AND e.seq = NEW.seq - 1 AND e.hash = NEW.previous) THEN
        RAISE EXCEPTION 'does not follow the last event' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER events_follow BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION event_follows();

CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a line of % is never changed or deleted', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- Names and free texts: beside the chain, which holds only their seals, so that they can be erased.
CREATE TABLE asides (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    owner TEXT NOT NULL,
    salt TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (table_id, seq),
    FOREIGN KEY (table_id, seq) REFERENCES events (table_id, seq)
);
CREATE INDEX asides_owner ON asides (owner);

-- One line a commit of a table, chained within its shard: no row is written by all. It is also what other processes read to follow.
CREATE TABLE ledger (
    shard INTEGER NOT NULL,
    number BIGINT NOT NULL,
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    head TEXT NOT NULL,
    PRIMARY KEY (shard, number)
);
CREATE TRIGGER ledger_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger FOR EACH STATEMENT EXECUTE FUNCTION never_changed();
-- The last line of each shard; who writes to a shard holds its row until the commit.
CREATE TABLE shards (shard INTEGER PRIMARY KEY, number BIGINT NOT NULL, head TEXT NOT NULL);
INSERT INTO shards SELECT shard, 0, '' FROM generate_series(0, 63) AS shard;

-- Which token (hashed) sits at which table: made from the log.
CREATE TABLE sitters (owner TEXT NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (owner, table_id));

CREATE TABLE cartes (
    id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    made BIGINT NOT NULL
);
CREATE TABLE places (carte TEXT NOT NULL REFERENCES cartes (id), owner TEXT NOT NULL, PRIMARY KEY (carte, owner));
CREATE INDEX places_owner ON places (owner);

-- When each process could last answer: clocks count until the last of them and no longer.
CREATE TABLE beats (house TEXT PRIMARY KEY, at BIGINT NOT NULL);
