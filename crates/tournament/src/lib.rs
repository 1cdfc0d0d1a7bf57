//! What the results of many games mean, and which games to play next.
//!
//! Everything here is arithmetic on plain values: no files, no clocks, no threads, no names of bots.
//! A bot is its place in a list ([`quintain_record::BotId`]), a game is who met whom and how it ended ([`MatchResult`]).
//! Whoever plays the games asks what to play and reports what came out; whoever shows results asks
//! what they mean.
//!
//! Where to start reading: [`MatchResult`], then [`Book`] (sums by pair of bots), from which everything
//! else follows:
//! - is the new version better: [`Comparison`], with [`Sprt`] to stop and [`Estimate`] for how much;
//! - who is how strong: [`standings()`], by the ratings of [`rate`] or of a [`GlickoLadder`];
//! - what to play: [`Schedule`];
//! - which parameters are best: [`Spsa`];
//! - the marks of the hockey contest: [`evaluate()`].
//!
//! A whole tournament, in which the first seat always wins:
//!
//! ```
//! use quintain_core::{PerSeat, Seat};
//! use quintain_tournament::*;
//!
//! let seeds = Seeds::Derived { from: 1, bits: 31 };
//! let settings = Settings { bots: 4, form: Form::RoundRobin, games: 10, seeds };
//! let mut schedule = Schedule::new(settings)?;
//! let mut book = Book::new(4);
//! while let Some(PlannedMatch { id, bots, seed: _ }) = schedule.take() {
//!     let finish = Finish::Won(Seat::First);
//!     let result = MatchResult { id, bots, finish, errors: PerSeat::default(), content: None };
//!     schedule.record(&result)?;
//!     book.add(&result);
//! }
//! assert!(schedule.is_over());
//! let table = standings(&book, &RatingSettings::default());
//! assert!(table.rows.iter().all(|row| row.place == 1 && row.tally.wins == 15));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bets;
mod book;
mod comparison;
mod copies;
mod disturbed;
mod elo;
mod evaluation;
mod glicko;
mod match_result;
mod pairs;
mod rating;
mod residual;
mod schedule;
mod sprt;
mod spsa;
mod standings;
pub mod synthetic;
mod tally;
mod words;

pub use book::{Book, Encounter};
pub use comparison::{Comparison, Finding, NEW, OLD, PAIRS_WITHOUT_NEWS, Question, Strength};
pub use copies::copies_in_words;
pub use disturbed::{DISTURBED_GAMES_MIN, DISTURBED_SHARE_MAX, DisturbedGames};
pub use elo::{ELO_MAX, Estimate, elo_of_score, expected_score};
pub use evaluation::{
    Evaluated, PairingState, PlayedPairing, RANKING_PERCENT, SCRIPT_PERCENT, evaluate, granted,
    ranking_percent,
};
pub use glicko::{GlickoLadder, GlickoRating, TAU};
pub use match_result::{Finish, MatchResult, Score};
pub use pairs::{PairedResults, Pentanomial};
pub use quintain_core::{ErrorKind, ErrorKinds};
pub use rating::{Contest, FitError, KnownOpponent, Rating, RatingSettings, fit, rate, rate_among};
pub use residual::{PlayedPairs, residual};
pub use schedule::{
    Form, Pairing, Place, PlannedMatch, RecordError, Round, Schedule, Seeds, Settings,
    SettingsError, TieBreak,
};
pub use sprt::{Decision, Evidence, Sprt, SprtError};
pub use spsa::{Knob, Spsa, Tries};
pub use standings::{RatingKind, Row, Standings, standings, standings_by};
pub use tally::{ErrorCounts, Tally};
pub use words::{grouped, number_in_words, spoken};
