-- The games that are shown to everybody while they are played, so that those that nobody is shown cost nothing where they are listed.

ALTER TABLE game ADD COLUMN public BIGINT NOT NULL DEFAULT 0;
UPDATE game SET public = 1 WHERE opponent NOT IN ('link', 'self');
CREATE INDEX game_shown ON game (touched, id) WHERE result IS NULL AND public = 1 AND open = 0 AND version > 0 AND ply > 0;
DROP INDEX game_running;
