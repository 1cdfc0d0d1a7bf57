-- Games that other machines play. The same text on SQLite and PostgreSQL; the queue itself is the engine's own.

-- Who may speak to the server. `digest` is that of the token, which nobody keeps. `revoked_ms` is NULL as long as it
-- is good.
CREATE TABLE work_tokens (
    name TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE,
    created_ms BIGINT NOT NULL,
    revoked_ms BIGINT
);

-- What is known of a worker, by the name of its token.
CREATE TABLE work_workers (
    name TEXT NOT NULL PRIMARY KEY,
    version TEXT NOT NULL,
    slots BIGINT NOT NULL,
    seen_ms BIGINT NOT NULL,
    games BIGINT NOT NULL,
    void_games BIGINT NOT NULL,
    disturbed_games BIGINT NOT NULL,
    failed_jobs BIGINT NOT NULL,
    refused BIGINT NOT NULL,
    last_words TEXT NOT NULL
);

-- How all games of somebody's run are played. `key` is the same when that run is gone on with.
CREATE TABLE work_orders (
    id BIGINT NOT NULL PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    body TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    seen_ms BIGINT NOT NULL
);

-- One row for each game of an order that was ever asked for, so that none is counted twice. `state` is waiting, played
-- or taken; `body` is how it is to be played, then what came of it, and nothing once that was taken. `reads` is how
-- often its job had been handed out when it was played.
CREATE TABLE work_games (
    order_id BIGINT NOT NULL REFERENCES work_orders (id) ON DELETE CASCADE,
    game TEXT NOT NULL,
    job BIGINT NOT NULL,
    state TEXT NOT NULL,
    body TEXT,
    worker TEXT,
    reads BIGINT,
    changed_ms BIGINT NOT NULL,
    PRIMARY KEY (order_id, game)
);
CREATE INDEX work_games_by_job ON work_games (job);
CREATE INDEX work_games_played ON work_games (order_id, changed_ms) WHERE state = 'played';

-- Who has a job.
CREATE TABLE work_claims (
    job BIGINT NOT NULL PRIMARY KEY,
    reads BIGINT NOT NULL,
    order_id BIGINT NOT NULL,
    worker TEXT NOT NULL,
    since_ms BIGINT NOT NULL
);

-- Each time that a job came to nothing, until it is played or given up.
CREATE TABLE work_troubles (
    job BIGINT NOT NULL,
    number BIGINT NOT NULL,
    worker TEXT NOT NULL,
    log TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (job, number)
);

-- Jobs that were given up, with what went wrong each time.
CREATE TABLE work_failures (
    job BIGINT NOT NULL PRIMARY KEY,
    order_id BIGINT NOT NULL REFERENCES work_orders (id) ON DELETE CASCADE,
    games TEXT NOT NULL,
    log TEXT NOT NULL,
    at_ms BIGINT NOT NULL
);
