-- Conditional moves of a seat: lines of moves as JSON, from the position after `ply` steps. `takebacks` is the number of takebacks in the game
-- when they were stored. Lines from before a takeback are not played.

CREATE TABLE conditional_moves (
    game      TEXT   NOT NULL REFERENCES game (id),
    seat      TEXT   NOT NULL,
    ply       BIGINT NOT NULL,
    takebacks BIGINT NOT NULL,
    lines     TEXT   NOT NULL,
    PRIMARY KEY (game, seat)
);
