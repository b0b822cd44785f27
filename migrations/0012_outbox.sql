-- Turn notifications that wait to be delivered, at most one for each notice, game and seat.
-- `due` is the time of the next attempt. While a process makes one, `claimed` and `due` are the time at which its claim expires;
-- `claimed` is 0 otherwise.

CREATE TABLE outbox (
    notice   TEXT   NOT NULL,
    game     TEXT   NOT NULL,
    seat     TEXT   NOT NULL,
    owner    TEXT   NOT NULL,
    ply      BIGINT NOT NULL,
    created  BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    due      BIGINT NOT NULL,
    claimed  BIGINT NOT NULL,
    PRIMARY KEY (notice, game, seat)
);
CREATE INDEX outbox_due ON outbox (owner, due);
CREATE INDEX outbox_claimed ON outbox (owner, claimed) WHERE claimed > 0;

-- The keys with entries. `due` is the time at which an entry of the key can be claimed, `served` the time at which one was claimed last,
-- or at which the first one was written.
-- A transaction locks the row of a key before it changes entries of that key.
CREATE TABLE outbox_key (
    owner  TEXT   NOT NULL PRIMARY KEY,
    due    BIGINT NOT NULL,
    served BIGINT NOT NULL
);
CREATE INDEX outbox_key_due ON outbox_key (due);

-- The version of the game whose turns were last written to the outbox.
ALTER TABLE game ADD COLUMN notified BIGINT NOT NULL DEFAULT -1;
