//! The real binary: what it prints, how it exits, what it writes. Every call is checked for panics.

mod bots;
mod conform;
mod entelect;
mod export;
mod help;
mod human;
mod play;
mod replays;
mod serving;
mod support;
mod tools;
mod usage;
