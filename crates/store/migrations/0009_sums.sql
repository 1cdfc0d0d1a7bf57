-- Games summed up as standings count them, so that those of a million are read in a few rows. Of a run the games up to
-- the number `summed` are in its sums; those after it are few, and whoever asks counts them.
ALTER TABLE runs ADD COLUMN summed BIGINT NOT NULL DEFAULT 0;

-- `result` and `twin_result` are those of the games, -2 where these have none. `copies` are the games that count and
-- that an earlier one with the same bots on the same seats equals in everything that was played.
CREATE TABLE sums (
    run BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    first_bot BIGINT NOT NULL,
    second_bot BIGINT NOT NULL,
    result BIGINT NOT NULL,
    twin_result BIGINT NOT NULL,
    games BIGINT NOT NULL,
    copies BIGINT NOT NULL,
    PRIMARY KEY (run, first_bot, second_bot, result, twin_result)
);

-- Errors in games that count, as `faults` has them.
CREATE TABLE fault_sums (
    run BIGINT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    bot BIGINT NOT NULL,
    kind TEXT NOT NULL,
    games BIGINT NOT NULL,
    times BIGINT NOT NULL,
    PRIMARY KEY (run, bot, kind)
);

-- Nobody walks over all games in the order of standings any more.
DROP INDEX games_by_result;
DROP INDEX faults_by_bot;

-- With the number in it, or the earlier one of two equal games would be looked for in the table.
DROP INDEX games_by_content;
CREATE INDEX games_by_content ON games (run, first_bot, second_bot, content, number)
    WHERE result IS NOT NULL;

-- Whether a game has a tag is asked for one game after the other.
DROP INDEX tags_by_name;
CREATE INDEX tags_by_name ON tags (run, name, number);

INSERT INTO sums (run, first_bot, second_bot, result, twin_result, games, copies)
    SELECT g.run, g.first_bot, g.second_bot, COALESCE(g.result, -2), COALESCE(g.twin_result, -2), COUNT(*),
        COUNT(CASE WHEN g.result IS NOT NULL AND EXISTS (SELECT 1 FROM games AS e
            WHERE e.run = g.run AND e.first_bot = g.first_bot AND e.second_bot = g.second_bot
            AND e.content = g.content AND e.result IS NOT NULL AND e.number < g.number) THEN 1 END)
    FROM games AS g GROUP BY g.run, g.first_bot, g.second_bot, g.result, g.twin_result;
INSERT INTO fault_sums (run, bot, kind, games, times)
    SELECT run, bot, kind, COUNT(*), CAST(SUM(times) AS BIGINT) FROM faults WHERE void = 0
    GROUP BY run, bot, kind;
UPDATE runs SET summed = (SELECT COALESCE(MAX(number), 0) FROM games WHERE games.run = runs.id);
