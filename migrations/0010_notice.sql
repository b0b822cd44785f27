-- Whom to tell that a key is asked: readers of its feed, a program at an address, a browser that has asked for it.

CREATE TABLE notice (
    id      TEXT   NOT NULL PRIMARY KEY,
    owner   TEXT   NOT NULL,
    kind    TEXT   NOT NULL,
    address TEXT   NOT NULL,
    secret  TEXT   NOT NULL,
    origin  TEXT   NOT NULL,
    created BIGINT NOT NULL,
    failing BIGINT,
    UNIQUE (owner, kind, address)
);

-- The ply of which the holder of a chair was told the last time.
ALTER TABLE seat ADD COLUMN noticed BIGINT NOT NULL DEFAULT -1;

-- The secret with which this site signs what it sends to browsers, once it has been drawn.
CREATE TABLE signer (
    one    BIGINT NOT NULL PRIMARY KEY,
    secret TEXT   NOT NULL
);
