-- Kinds of error have one list of names, and stretches of play are timed.

-- What the referee calls a fault is kept as the kind of error that it counts for. In `games`,
-- `first_fault` and `second_fault` hold all kinds of a seat, with commas between them.
UPDATE faults SET kind = CASE kind
    WHEN 'gone' THEN 'crash' WHEN 'late' THEN 'timeout' WHEN 'malformed' THEN 'illegal'
    WHEN 'flooded' THEN 'flood' WHEN 'refused' THEN 'not-started'
    WHEN 'unstartable' THEN 'not-started' ELSE kind END;
UPDATE games SET first_fault = CASE first_fault
    WHEN 'gone' THEN 'crash' WHEN 'late' THEN 'timeout' WHEN 'malformed' THEN 'illegal'
    WHEN 'flooded' THEN 'flood' WHEN 'refused' THEN 'not-started'
    WHEN 'unstartable' THEN 'not-started' ELSE first_fault END
    WHERE first_fault IS NOT NULL;
UPDATE games SET second_fault = CASE second_fault
    WHEN 'gone' THEN 'crash' WHEN 'late' THEN 'timeout' WHEN 'malformed' THEN 'illegal'
    WHEN 'flooded' THEN 'flood' WHEN 'refused' THEN 'not-started'
    WHEN 'unstartable' THEN 'not-started' ELSE second_fault END
    WHERE second_fault IS NOT NULL;

-- One row for each time that a run is played or gone on with. `played_us` is how long it was at the
-- latest commit, so that a killed session counts too.
CREATE TABLE sessions (
    run BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    session BIGINT NOT NULL,
    played_us BIGINT NOT NULL,
    PRIMARY KEY (run, session)
);

-- Few games have errors or a rare reason: who asks for them must not read the others.
CREATE INDEX games_failed ON games (run, number)
    WHERE first_fault IS NOT NULL OR second_fault IS NOT NULL;
CREATE INDEX games_by_reason ON games (run, reason, number);

-- With the order of lists in it, or a list of one seed would be looked for among all games.
DROP INDEX games_by_seed;
CREATE INDEX games_by_seed ON games (run, seed, number);
