-- When something last happened in a game, for the list of those that are being played.

ALTER TABLE game ADD COLUMN touched BIGINT NOT NULL DEFAULT 0;
UPDATE game SET touched = COALESCE((SELECT MAX(line.time) FROM line WHERE line.game = game.id), created);
CREATE INDEX game_running ON game (touched, id) WHERE result IS NULL;
