//! The server as strangers meet it: over real sockets, with requests of every kind.

mod answers;
mod garbage;
mod guard;
mod matches;
mod slowness;
