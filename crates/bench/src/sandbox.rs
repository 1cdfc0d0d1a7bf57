//! What a sandbox costs: the start and the end of a program that does nothing, and an exchange of lines.

use std::time::Instant;

use anyhow::ensure;
use quintain_core::{Framing, Item, LineEnds, PerSeat, Seat};
use quintain_links::{Link, RealWorld, Sandbox, Starter};
use quintain_record::Launch;
use quintain_referee::{Wait, World as _};
use quintain_sandbox::Level;

use crate::{Beside, Call, Means, Row, smallest_of};

/// Starts of each kind in one try, one after the other.
const STARTS: u32 = 50;
/// Lines that are sent and answered in one try.
const EXCHANGES: u32 = 5000;
const TRIES: u32 = 5;

/// Milliseconds that a start takes at a level, and how much more at most.
pub(crate) fn start(means: &Means<'_>, level: Level, most: f64) -> anyhow::Result<Row> {
    beside_bare(means, level, "start", "ms", most, |starter, _| milliseconds_of_start(starter))
}

/// Microseconds that a line and its answer take at a level, and how much more at most.
pub(crate) fn exchange(means: &Means<'_>, level: Level, most: f64) -> anyhow::Result<Row> {
    beside_bare(means, level, "move", "us", most, microseconds_of_exchange)
}

fn beside_bare(
    means: &Means<'_>,
    level: Level,
    what: &'static str,
    unit: &'static str,
    most: f64,
    measure: fn(Starter<'_>, &Launch) -> anyhow::Result<f64>,
) -> anyhow::Result<Row> {
    let sandbox = Sandbox::new(means.program.path.to_owned(), level);
    // What the machine has is found out once.
    sandbox.layers();
    let held = Starter { sandbox: Some(&sandbox), seclusion: None };
    let echo = means.program.launch(&Call::Echo);
    let [with, bare] =
        smallest_of(TRIES, || Ok([measure(held, &echo)?, measure(Starter::default(), &echo)?]))?;
    let beside = Beside {
        what: if what == "start" { "bare start" } else { "bare exchange" },
        value: bare,
        ratio: with / bare,
        ratio_max: (bare + most) / bare,
    };
    let name = format!("sandbox-{}-{what}", level.name());
    Ok(Row::plain(name, with, unit).at_most(bare + most).beside(beside))
}

fn milliseconds_of_start(starter: Starter<'_>) -> anyhow::Result<f64> {
    let launch = Launch { program: "true".to_owned(), ..Launch::default() };
    let begun = Instant::now();
    for _ in 0..STARTS {
        drop(starter.spawn(&launch)?);
    }
    Ok(begun.elapsed().as_secs_f64() * 1e3 / f64::from(STARTS))
}

fn microseconds_of_exchange(starter: Starter<'_>, echo: &Launch) -> anyhow::Result<f64> {
    let child = starter.spawn(echo)?;
    let framing = Framing { line_ends_in: LineEnds::Any, line_end_out: "\n", line_bytes_max: 1024 };
    let mut world = RealWorld::new(framing, PerSeat([Link::process(child), Link::inside()]));
    let line = Item::Line("a line as long as a typical message of a game, about so".to_owned());
    let mut answer = || {
        world.send(Seat::First, &line);
        world.flush();
        matches!(world.next(None), Wait::Came(_))
    };
    ensure!(answer(), "the program that answers every line is gone");
    let begun = Instant::now();
    for _ in 0..EXCHANGES {
        ensure!(answer(), "the program that answers every line is gone");
    }
    Ok(begun.elapsed().as_secs_f64() * 1e6 / f64::from(EXCHANGES))
}
