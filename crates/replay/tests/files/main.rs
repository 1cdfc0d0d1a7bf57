//! Replay files: what is written is read, whole or in part, and nothing in a file can do harm.

mod cuts;
mod flushing;
mod garbage;
mod old_formats;
mod played;
mod round_trip;
