-- One row that is written to learn whether the record can be written.

CREATE TABLE probe (
    one  BIGINT NOT NULL PRIMARY KEY,
    time BIGINT NOT NULL
);
INSERT INTO probe (one, time) VALUES (1, 0);
