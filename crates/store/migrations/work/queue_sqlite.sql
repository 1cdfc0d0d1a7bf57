-- The queue of a store in a file, with PGMQ's meaning: whoever reads a job makes it invisible until a time, and counts
-- that it was read. Numbers are never used again, or an old lease could fit a new job.
CREATE TABLE IF NOT EXISTS work_jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reads BIGINT NOT NULL,
    visible_ms BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS work_jobs_visible ON work_jobs (visible_ms);
