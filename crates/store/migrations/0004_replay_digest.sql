-- The SHA-256 of a game's replay when unpacked, so that an edited replay is found, and an edited game. NULL
-- in games without a replay, and in those that were recorded before it was kept.
ALTER TABLE games ADD COLUMN replay_digest TEXT;
