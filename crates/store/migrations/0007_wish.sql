-- What the latest session of a run was to play, in words of ours, where that is no part of what the run is: its test, how
-- many games, the command that goes on with it. NULL in runs that were begun before it was kept.
ALTER TABLE runs ADD COLUMN wish TEXT;
