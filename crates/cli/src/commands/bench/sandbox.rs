//! What a sandbox costs: the start and the end of a program that does nothing.

use std::time::Instant;

use quintain_links::{Sandbox, Starter};
use quintain_record::Launch;
use quintain_sandbox::Level;

use super::{Beside, Row, smallest_of};

/// Starts of each kind in one try, one after the other.
const STARTS: u32 = 50;
const TRIES: u32 = 5;

/// Milliseconds that a start takes longer at a level, and at most.
pub(super) fn start(level: Level, most: f64) -> anyhow::Result<Row> {
    let sandbox = Sandbox::new(std::env::current_exe()?, level);
    // What the machine has is found out once.
    sandbox.layers();
    let held = Starter { sandbox: Some(&sandbox), seclusion: None };
    let [with, bare] =
        smallest_of(TRIES, || Ok([milliseconds_of(held)?, milliseconds_of(Starter::default())?]))?;
    let beside = Beside {
        what: "bare start",
        value: bare,
        ratio: with / bare,
        ratio_max: (bare + most) / bare,
    };
    let name = format!("sandbox-{}-start", level.name());
    Ok(Row::plain(name, with, "ms").at_most(bare + most).beside(beside))
}

fn milliseconds_of(starter: Starter<'_>) -> anyhow::Result<f64> {
    let launch = Launch { program: "true".to_owned(), ..Launch::default() };
    let begun = Instant::now();
    for _ in 0..STARTS {
        drop(starter.spawn(&launch)?);
    }
    Ok(begun.elapsed().as_secs_f64() * 1e3 / f64::from(STARTS))
}
