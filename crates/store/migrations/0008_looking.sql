-- For whoever looks at a run with many games: the few void ones, and what one bot said about itself.
CREATE INDEX games_void ON games (run, number) WHERE result IS NULL;
CREATE INDEX tags_by_player ON tags (run, player, name, amount);
