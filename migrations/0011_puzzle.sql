-- How often a puzzle was tried, and how often it was solved.

CREATE TABLE puzzle (
    kind   TEXT   NOT NULL,
    number BIGINT NOT NULL,
    tried  BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    PRIMARY KEY (kind, number)
);
