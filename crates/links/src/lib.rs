//! Where bytes of bots come in and go out.
pub mod limits;
mod lines;
mod ring;
pub use lines::{Cut, LineCutter};
pub use ring::Ring;
