-- When something last happened in a game, for the operator who does not keep games for ever.

CREATE INDEX game_touched ON game (touched, id);
