//! What tests of several crates need: random play with invariants at every state, and bots that
//! misbehave, simulated ([`Mischief`]) and real (the binary `misbehave`), and a [`Postgres`] server.
//!
//! A development dependency only; nothing that is shipped uses it.

mod battery;
mod mischief;
mod postgres;

pub use battery::battery;
pub use mischief::{Deed, Log, Mischief, Temper};
pub use postgres::Postgres;
