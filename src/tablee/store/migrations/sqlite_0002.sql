-- A table that was restored from a backup has one secret more for each seal of its dice, 32 bytes each, oldest first.
CREATE TABLE secrets_of_seals (
    table_id TEXT PRIMARY KEY REFERENCES tables (id),
    secret BLOB NOT NULL CHECK (length(secret) >= 32 AND length(secret) % 32 = 0)
) STRICT, WITHOUT ROWID;
INSERT INTO secrets_of_seals SELECT table_id, secret FROM secrets;
DROP TABLE secrets;
ALTER TABLE secrets_of_seals RENAME TO secrets;
-- A database of another program is not taken for ours ("tabl" as a number).
PRAGMA application_id = 0x7461626c;
