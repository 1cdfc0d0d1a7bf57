-- Runs, their bots and their games. The same text on SQLite and PostgreSQL, so only BIGINT, DOUBLE
-- PRECISION and TEXT; times of day are milliseconds since 1970, spans of time microseconds, truth is
-- 0 or 1. A published migration is never edited: the next change is the next file.

CREATE TABLE runs (
    id BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    settings TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    created_ms BIGINT NOT NULL
);

-- `place` is the bot's position in the run's list; games name bots by it.
CREATE TABLE bots (
    run BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    name TEXT NOT NULL,
    spec TEXT NOT NULL,
    PRIMARY KEY (run, place),
    UNIQUE (run, name)
);

-- `number` counts the games of a run in the order in which they were recorded. `result` is what the
-- first seat got in half points (2 won, 1 drawn, 0 lost), -1 if both lost, NULL if the game is void.
-- `twin_result` is the result of the same seed's game with the seats swapped, if that was recorded
-- earlier: so each complete pair is written down once, at its second game.
CREATE TABLE games (
    run BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    round BIGINT NOT NULL,
    pairing BIGINT NOT NULL,
    seed_index BIGINT NOT NULL,
    swapped BIGINT NOT NULL,
    seed BIGINT NOT NULL,
    first_bot BIGINT NOT NULL,
    second_bot BIGINT NOT NULL,
    result BIGINT,
    twin_result BIGINT,
    first_verdict TEXT,
    second_verdict TEXT,
    first_score BIGINT,
    second_score BIGINT,
    reason TEXT NOT NULL,
    turns BIGINT NOT NULL,
    first_fault TEXT,
    second_fault TEXT,
    disturbed BIGINT NOT NULL,
    replay TEXT,
    duration_us BIGINT NOT NULL,
    first_answers BIGINT NOT NULL,
    first_worst_us BIGINT NOT NULL,
    first_mean_us BIGINT NOT NULL,
    second_answers BIGINT NOT NULL,
    second_worst_us BIGINT NOT NULL,
    second_mean_us BIGINT NOT NULL,
    finished_ms BIGINT NOT NULL,
    PRIMARY KEY (run, number),
    UNIQUE (run, round, pairing, swapped, seed_index)
);

-- Holds all that standings need, in the order in which they group it: a million games are counted
-- in one walk, without the table and without sorting.
CREATE INDEX games_by_result
    ON games (run, round, first_bot, second_bot, result, twin_result);
CREATE INDEX games_by_seed ON games (run, seed);
CREATE INDEX games_disturbed ON games (run, number) WHERE disturbed > 0;

-- One row for each kind of fault of a bot in a game. `text` is the first of its kind.
CREATE TABLE faults (
    run BIGINT NOT NULL,
    number BIGINT NOT NULL,
    position BIGINT NOT NULL,
    bot BIGINT NOT NULL,
    kind TEXT NOT NULL,
    times BIGINT NOT NULL,
    text TEXT NOT NULL,
    void BIGINT NOT NULL,
    PRIMARY KEY (run, number, position),
    FOREIGN KEY (run, number) REFERENCES games (run, number) ON DELETE CASCADE
);
CREATE INDEX faults_by_bot ON faults (run, void, bot, kind, times);

-- An answer that came late because the host was busy. The attempt was thrown away.
CREATE TABLE disturbances (
    run BIGINT NOT NULL,
    number BIGINT NOT NULL,
    position BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    bot BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    limit_us BIGINT NOT NULL,
    wall_us BIGINT NOT NULL,
    cpu_us BIGINT,
    waited_us BIGINT,
    replay TEXT,
    PRIMARY KEY (run, number, position),
    FOREIGN KEY (run, number) REFERENCES games (run, number) ON DELETE CASCADE
);

-- What bots said about themselves (`player` is the bot's place) or about the match (no player).
-- `amount` is the value as a number, if it is one.
CREATE TABLE tags (
    run BIGINT NOT NULL,
    number BIGINT NOT NULL,
    position BIGINT NOT NULL,
    name TEXT NOT NULL,
    player BIGINT,
    turn BIGINT,
    value TEXT NOT NULL,
    amount DOUBLE PRECISION,
    PRIMARY KEY (run, number, position),
    FOREIGN KEY (run, number) REFERENCES games (run, number) ON DELETE CASCADE
);
CREATE INDEX tags_by_name ON tags (run, name, value);
