-- The queue of a store in a file, with PGMQ's meaning: whoever reads a job makes it invisible until a time, and counts
-- that it was read. Numbers are never used again, or an old lease could fit a new job.
CREATE TABLE IF NOT EXISTS work_jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reads BIGINT NOT NULL,
    visible_ms BIGINT NOT NULL,
    body TEXT NOT NULL
);
-- The oldest job that nobody holds is soon found by its number, since few are held. By this index, which there was once,
-- all that wait were sorted for each of them.
DROP INDEX IF EXISTS work_jobs_visible;
