//! The store from outside, each test on SQLite and on a real PostgreSQL server.

#![expect(clippy::unwrap_used, reason = "the functions here are tests of either engine")]

mod backup;
mod damage;
mod examine;
mod kill;
mod open;
mod query;
mod record;
mod suite;
mod tls;
mod trust;
mod work;
mod work_trace;
