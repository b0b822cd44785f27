-- The worth of pieces as games of bots measured it: the results so far of every army that was tried.

CREATE TABLE measured (
    army    TEXT   NOT NULL PRIMARY KEY,
    pairs   TEXT   NOT NULL,
    touched BIGINT NOT NULL
);
