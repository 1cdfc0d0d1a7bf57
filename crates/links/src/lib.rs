//! Where bytes of bots come in and go out.
mod child;
mod launch;
pub mod limits;
mod lines;
mod link;
mod pending;
mod ring;
mod world;
pub use child::{Child, SpawnError};
pub use launch::{Launch, LaunchError};
pub use lines::{Cut, LineCutter};
pub use link::{Connection, Place};
pub use ring::Ring;
pub use world::RealWorld;
