-- How far workers are trusted, and what people are shown of it.

-- Numbers that are never used again: a worker knows an order by its number.
CREATE TABLE work_numbers (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO work_numbers (name, value) SELECT 'order', COALESCE(MAX(id), 0) FROM work_orders;

-- What the server alone knows: the word that leases are proven by.
CREATE TABLE work_secrets (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- Whether results of an order depend on how fast and how quiet a machine is.
ALTER TABLE work_orders ADD COLUMN timed BIGINT NOT NULL DEFAULT 1;

-- By how many thousandths times were multiplied for whoever has the job.
ALTER TABLE work_claims ADD COLUMN scale_milli BIGINT NOT NULL DEFAULT 1000;

-- How fast a worker is, in thousandths of the server's speed; why it is given no games with a clock; since when and
-- why it is given none at all; and when an organiser last forgave it. NULL and 0 where there is nothing to say.
ALTER TABLE work_workers ADD COLUMN speed_milli BIGINT;
ALTER TABLE work_workers ADD COLUMN noise TEXT;
ALTER TABLE work_workers ADD COLUMN quarantined_ms BIGINT;
ALTER TABLE work_workers ADD COLUMN quarantine TEXT;
ALTER TABLE work_workers ADD COLUMN lifted_ms BIGINT NOT NULL DEFAULT 0;

-- Games whose end the server knew before it handed them out. `wrong` is NULL if the worker's came out the same.
-- `took_us` is what it took there with all slots busy, `known_us` what it took the server.
CREATE TABLE work_canaries (
    job BIGINT NOT NULL PRIMARY KEY,
    worker TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    seed TEXT NOT NULL,
    wrong TEXT,
    took_us BIGINT NOT NULL,
    known_us BIGINT NOT NULL
);
CREATE INDEX work_canaries_by_worker ON work_canaries (worker, at_ms);

-- What a worker played of a run, and how much of it its machine disturbed. It stays when the order is withdrawn.
CREATE TABLE work_shares (
    worker TEXT NOT NULL,
    order_id BIGINT NOT NULL,
    games BIGINT NOT NULL,
    disturbed BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (worker, order_id)
);

-- How the pairs came out that a worker played of a pairing: how many of them gave the first bot so many half points.
CREATE TABLE work_pairs (
    worker TEXT NOT NULL,
    order_id BIGINT NOT NULL,
    pairing BIGINT NOT NULL,
    half_points BIGINT NOT NULL,
    pairs BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (worker, order_id, pairing, half_points)
);

-- What a worker was refused, by kind.
CREATE TABLE work_refusals (
    worker TEXT NOT NULL,
    kind TEXT NOT NULL,
    times BIGINT NOT NULL,
    last_words TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (worker, kind)
);

-- Jobs that were given up, with what went wrong each time: they are shown to people after their order is gone.
CREATE TABLE work_given_up (
    job BIGINT NOT NULL PRIMARY KEY,
    order_id BIGINT NOT NULL,
    owner TEXT NOT NULL,
    games TEXT NOT NULL,
    log TEXT NOT NULL,
    at_ms BIGINT NOT NULL
);
CREATE INDEX work_given_up_by_order ON work_given_up (order_id);
INSERT INTO work_given_up (job, order_id, owner, games, log, at_ms)
    SELECT f.job, f.order_id, o.owner, f.games, f.log, f.at_ms
    FROM work_failures AS f JOIN work_orders AS o ON o.id = f.order_id;
DROP TABLE work_failures;
