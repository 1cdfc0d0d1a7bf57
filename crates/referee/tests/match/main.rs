//! The match loop on virtual time, with a toy game in which both seats are asked in each turn.

#[macro_use]
mod worlds;

mod asking;
mod bench;
mod chance;
mod clock;
mod leaving;
mod lines;
mod meeting;
mod noise;
mod stopping;
mod thinking;
mod toy;
