//! The match loop.
mod world;
pub use world::{Capped, Departure, Heard, Incoming, World};
