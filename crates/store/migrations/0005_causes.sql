-- Why a bot made an error, where its kind leaves that open. NULL where the kind says it, and in games that were
-- recorded before it was kept, but for teams that were waited for in vain: these may need more time.
ALTER TABLE faults ADD COLUMN cause TEXT;
UPDATE faults SET cause = 'silent' WHERE kind = 'not-started' AND text LIKE 'gave no name in time%';
