-- What was played, as a fingerprint: games that are copies of each other have the same. NULL in games that
-- were recorded before it was kept.
ALTER TABLE games ADD COLUMN content BIGINT;

-- Holds all that is needed to count different games, in the order in which they are grouped.
CREATE INDEX games_by_content ON games (run, first_bot, second_bot, content) WHERE result IS NOT NULL;
