//! The server as strangers meet it: over real sockets, with requests of every kind.

mod answers;
mod api;
mod garbage;
mod guard;
mod hostile_workers;
mod live;
mod matches;
mod operations;
mod people;
mod results;
mod runs;
mod slowness;
mod trust;
mod work;
