-- What held the programs of a game: the level of the sandbox and its layers. NULL if they were trusted, and in
-- games that were recorded before it was kept.
ALTER TABLE games ADD COLUMN sandbox TEXT;
