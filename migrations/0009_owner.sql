-- Keys that own chairs: of somebody who plays on several devices, or of a program that others may play against.

CREATE TABLE owner (
    key_hash TEXT   NOT NULL PRIMARY KEY,
    created  BIGINT NOT NULL,
    used     BIGINT NOT NULL,
    name     TEXT,
    folded   TEXT   UNIQUE,
    terms    TEXT,
    here     BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX owner_here ON owner (here) WHERE name IS NOT NULL;

ALTER TABLE seat ADD COLUMN owner TEXT;
CREATE INDEX seat_owner ON seat (owner) WHERE owner IS NOT NULL;
