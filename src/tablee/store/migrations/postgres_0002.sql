-- What several houses share beside the log: it may be lost with the server, so it is not written to the server's own log.

-- How often a sender (an address, a hashed token) did something in a window of time, or how much of something it holds now, at each house.
CREATE UNLOGGED TABLE used (
    what TEXT NOT NULL,
    number BIGINT NOT NULL,
    who TEXT NOT NULL,
    house TEXT NOT NULL,
    count BIGINT NOT NULL,
    told TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (what, number, who, house)
);
CREATE INDEX used_told ON used (told);

-- What each house has measured, as JSON.
CREATE UNLOGGED TABLE measured (house TEXT PRIMARY KEY, samples TEXT NOT NULL);

-- Cartes on their way to another device: the key of the link opens `masked`, and is kept nowhere; one link for each carte.
CREATE UNLOGGED TABLE carried (
    key_hash TEXT PRIMARY KEY,
    carte_hash TEXT NOT NULL UNIQUE,
    masked BYTEA NOT NULL,
    until TIMESTAMPTZ NOT NULL
);

-- What computer players are asked; `line` is the group in the queue, `home` who keeps the player, `taker` who thinks about it since `taken`.
CREATE UNLOGGED TABLE thoughts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    house TEXT NOT NULL,
    line TEXT NOT NULL,
    table_id TEXT NOT NULL,
    home TEXT NOT NULL,
    request TEXT NOT NULL,
    asked TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    taker TEXT,
    taken TIMESTAMPTZ,
    answer TEXT
);
-- When each group was served last: groups take turns.
CREATE UNLOGGED TABLE turns (line TEXT PRIMARY KEY, served TIMESTAMPTZ NOT NULL);
-- The seeds of all computer players come from it, wherever they think.
CREATE UNLOGGED TABLE player_secret (one INTEGER PRIMARY KEY CHECK (one = 1), secret BYTEA NOT NULL);
