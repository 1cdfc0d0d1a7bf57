//! The hockey host as clients see it: real sockets, raw bytes, the lobby and the tables together.
//!
//! `server.rs` starts a host as the command line does; `client.rs` is what talks to it. Every read
//! has a limit, so that whatever goes wrong is a message and not a test that hangs.

mod bots;
mod client;
mod descriptors;
mod floods;
mod intruders;
mod names;
mod pieces;
mod seats;
mod server;
mod transcript;
