//! What tests of several crates need. A development dependency only; nothing that is shipped uses it.
//!
//! For the tests of a game: all that a plain one must show ([`check_game`]), random play with invariants at every state ([`battery()`]), recordings of the
//! original ([`Vectors`]), a whole match as text ([`check_golden`]), the README's table of editions
//! ([`check_editions`]), pictures ([`check_ids_are_unique`], [`check_inside`]) and matches of house bots
//! ([`house_match`]).
//!
//! For everything else: bots that misbehave, simulated ([`Mischief`]) and real (the binary
//! `misbehave`), what they left running ([`Mark`]), a [`Postgres`] server, certificates ([`SelfSigned`]), and the leases of jobs as a model
//! ([`leases`]).

mod battery;
mod certificate;
mod editions;
mod golden;
mod house;
pub mod leases;
mod leftovers;
mod mischief;
mod occupants;
mod pictures;
mod postgres;
mod series;
mod vectors;
mod whole;

pub use battery::battery;
pub use certificate::SelfSigned;
pub use editions::{check_editions, edition_rows};
pub use golden::{Look, Tale, check_golden, check_golden_file, happenings};
pub use house::{
    Exchange, check_house_names, digest_of_matches, exchange, greedy_wins, house_answers,
    house_bots, house_match,
};
pub use leftovers::Mark;
pub use mischief::{Deed, Log, Mischief, Temper};
pub use occupants::{program, program_on_stdin};
pub use pictures::{check_ids_are_unique, check_inside, points, scenes_after};
pub use postgres::Postgres;
pub use series::{
    Make, Series, SeriesResult, play_series, series_between, series_of_arguments,
    series_with_partners,
};
pub use vectors::{Vectors, check_recorded_workloads, replace};
pub use whole::check_game;
