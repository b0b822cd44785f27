-- Several processes on one database: which of them are there, and which of them thinks for the bot of a game.

CREATE TABLE process (
    name  TEXT   NOT NULL PRIMARY KEY,
    role  TEXT   NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL
);

-- Since when the game's bot is asked, and the process that thinks for it.
ALTER TABLE game ADD COLUMN asked BIGINT;
ALTER TABLE game ADD COLUMN thinker TEXT;
UPDATE game SET asked = touched WHERE result IS NULL AND opponent LIKE 'bot:%';
CREATE INDEX game_asked ON game (asked, id) WHERE asked IS NOT NULL;
