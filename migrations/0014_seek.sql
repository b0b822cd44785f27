-- Time until which the creator of an open game counts as present. Null for a game that stays open without its creator.

ALTER TABLE game ADD COLUMN seeking BIGINT;
CREATE INDEX game_seeking ON game (seeking) WHERE open = 1 AND result IS NULL AND seeking IS NOT NULL;
