-- The public games in the order of their end, for the monthly exports.

CREATE INDEX game_ended ON game (finished, id) WHERE public = 1 AND finished IS NOT NULL;
