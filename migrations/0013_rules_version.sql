-- Version of the rules that a game is played under.

ALTER TABLE game ADD COLUMN rules_version BIGINT NOT NULL DEFAULT 1;
