-- When the game of a seat was created and when it ended, so that the lists of a key cost by what they show, not by what the key owns.

ALTER TABLE seat ADD COLUMN created BIGINT NOT NULL DEFAULT 0;
ALTER TABLE seat ADD COLUMN finished BIGINT;
UPDATE seat SET created = game.created, finished = game.finished FROM game WHERE game.id = seat.game;
CREATE INDEX seat_newest ON seat (owner, created, game) WHERE owner IS NOT NULL;
CREATE INDEX seat_finished ON seat (owner, finished, created, game) WHERE owner IS NOT NULL;
DROP INDEX seat_owner;
