-- What the engine thinks of games that are over; nothing yet of those that wait.

CREATE TABLE review (
    game    TEXT   NOT NULL PRIMARY KEY REFERENCES game (id),
    opinion TEXT,
    asked   BIGINT NOT NULL
);
CREATE INDEX review_waits ON review (asked, game) WHERE opinion IS NULL;
