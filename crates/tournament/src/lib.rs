//! What the results of many games mean, and which games to play next.
//!
//! Everything here is arithmetic on plain values: no files, no clocks, no threads, no names of bots.
//! A bot is its place in a list ([`BotId`]), a game is who met whom and how it ended ([`GameResult`]).
//! Whoever plays the games asks what to play and reports what came out; whoever shows results asks
//! what they mean.
//!
//! Where to start reading: [`GameResult`], then [`Book`] (sums by pair of bots), from which everything
//! else follows:
//! - is the new version better: [`Comparison`], with [`Sprt`] to stop and [`Estimate`] for how much;
//! - who is how strong: [`standings`], by the ratings of [`rate`] or of a [`GlickoLadder`].

mod book;
mod comparison;
mod elo;
mod game;
mod glicko;
mod pairs;
mod rating;
mod sprt;
mod standings;
pub mod synthetic;
mod tally;

pub use book::{Book, Encounter};
pub use comparison::{Comparison, Finding, NEW, OLD, Strength, grouped, spoken};
pub use elo::{ELO_MAX, Estimate, elo_of_score, estimate, expected_score};
pub use game::{BotId, ErrorKind, Finish, GameId, GameIdError, GameResult, Score};
pub use glicko::{GlickoLadder, GlickoRating, TAU};
pub use pairs::{PairedResults, Pentanomial};
pub use rating::{Contest, FitError, Rating, RatingSettings, fit, rate};
pub use sprt::{Decision, Sprt, SprtError};
pub use standings::{Row, Standings, standings, standings_by};
pub use tally::{ErrorCounts, Tally};
