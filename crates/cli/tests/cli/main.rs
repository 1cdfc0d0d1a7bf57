//! The real binary: what it prints, how it exits, what it writes. Every call is checked for panics.

mod bots;
mod check;
mod codingame_bots;
mod conform;
mod doctor;
mod entelect;
mod errors;
mod evaluate;
mod export;
mod feed;
mod from;
mod help;
mod human;
mod interrupts;
mod kill;
mod leagues;
mod play;
mod replays;
mod serving;
mod stats;
mod support;
mod terminal;
mod tools;
mod tournament;
mod usage;
mod whispers;
