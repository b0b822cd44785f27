-- Games, their lines, their seats and the receipts of repeated requests.
-- Read by SQLite and PostgreSQL alike: TEXT and BIGINT only. Times are milliseconds since 1970.

CREATE TABLE game (
    id         TEXT   NOT NULL PRIMARY KEY,
    variant    TEXT   NOT NULL,
    options    TEXT   NOT NULL,
    created    BIGINT NOT NULL,
    clock      TEXT,
    opponent   TEXT   NOT NULL,
    rematch_of TEXT   UNIQUE REFERENCES game (id),
    open       BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    ply        BIGINT NOT NULL,
    due        BIGINT,
    result     TEXT,
    finished   BIGINT
);

CREATE INDEX game_lobby ON game (created, id) WHERE open = 1 AND result IS NULL;
CREATE INDEX game_due ON game (due) WHERE due IS NOT NULL;

CREATE TABLE line (
    game  TEXT   NOT NULL REFERENCES game (id),
    at    BIGINT NOT NULL,
    actor TEXT   NOT NULL,
    text  TEXT   NOT NULL,
    time  BIGINT NOT NULL,
    PRIMARY KEY (game, at)
);

CREATE TABLE seat (
    game        TEXT NOT NULL REFERENCES game (id),
    seat        TEXT NOT NULL,
    token_hash  TEXT UNIQUE,
    invite_hash TEXT UNIQUE,
    name        TEXT,
    claimed     BIGINT,
    PRIMARY KEY (game, seat)
);

CREATE TABLE receipt (
    game    TEXT   NOT NULL REFERENCES game (id),
    seat    TEXT   NOT NULL,
    key     TEXT   NOT NULL,
    outcome TEXT   NOT NULL,
    at      BIGINT NOT NULL,
    PRIMARY KEY (game, seat, key)
);
