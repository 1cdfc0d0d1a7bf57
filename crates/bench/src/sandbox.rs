//! What a sandbox costs: the start and the end of a program that does nothing, and an exchange of lines.

use std::time::Instant;

use anyhow::ensure;
use quintain_core::{Framing, Item, LineEnds, PerSeat, Seat};
use quintain_links::{Link, RealWorld, Sandbox, Starter};
use quintain_record::Launch;
use quintain_referee::{Wait, World as _};
use quintain_sandbox::Level;

use crate::{Beside, Call, Means, More, Row};

/// Pairs of starts, one with the sandbox and one without, one after the other.
const STARTS: u32 = 100;
/// Pairs of rows of exchanges, in turns.
const ROWS: u32 = 100;
/// Lines that are sent and answered in one row.
const EXCHANGES: u32 = 100;

/// Milliseconds that a start takes at a level, and how much more at most.
pub(crate) fn start(means: &Means<'_>, level: Level, most: f64) -> anyhow::Result<Row> {
    beside_bare(means, level, "start", most, |held| {
        pairs(STARTS, || milliseconds_of_start(held), || milliseconds_of_start(Starter::default()))
    })
}

/// Microseconds that a line and its answer take at a level, and how much more at most.
pub(crate) fn exchange(means: &Means<'_>, level: Level, most: f64) -> anyhow::Result<Row> {
    let echo = means.program.launch(&Call::Echo);
    beside_bare(means, level, "move", most, |held| {
        let mut held = Partner::start(held, &echo)?;
        let mut bare = Partner::start(Starter::default(), &echo)?;
        pairs(ROWS, || held.microseconds_of_exchange(), || bare.microseconds_of_exchange())
    })
}

/// Measures the same with and without a sandbox, in turns: whatever else the machine does meets both. The first
/// of each is not counted, since it finds everything cold.
fn pairs(
    count: u32,
    mut held: impl FnMut() -> anyhow::Result<f64>,
    mut bare: impl FnMut() -> anyhow::Result<f64>,
) -> anyhow::Result<Vec<[f64; 2]>> {
    held()?;
    bare()?;
    (0..count).map(|_| Ok([held()?, bare()?])).collect()
}

fn beside_bare(
    means: &Means<'_>,
    level: Level,
    what: &'static str,
    most: f64,
    measure: impl Fn(Starter<'_>) -> anyhow::Result<Vec<[f64; 2]>>,
) -> anyhow::Result<Row> {
    let sandbox = Sandbox::new(means.program.path.to_owned(), level);
    // What the machine has is found out once.
    sandbox.layers();
    let pairs = measure(Starter { sandbox: Some(&sandbox), seclusion: None })?;
    let middle = |side: usize| {
        let mut all: Vec<f64> = pairs.iter().map(|pair| pair[side]).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let (with, bare) = (middle(0), middle(1));
    let (beside, unit) =
        if what == "start" { ("bare start", "ms") } else { ("bare exchange", "us") };
    let beside =
        Beside { what: beside, value: bare, ratio: with / bare, ratio_max: (bare + most) / bare };
    let differences = pairs.iter().map(|[with, bare]| with - bare).collect();
    let name = format!("sandbox-{}-{what}", level.name());
    Ok(Row::plain(name, with, unit).beside(beside).more(More::of(differences, most)))
}

fn milliseconds_of_start(starter: Starter<'_>) -> anyhow::Result<f64> {
    let launch = Launch { program: "true".to_owned(), ..Launch::default() };
    let begun = Instant::now();
    drop(starter.spawn(&launch)?);
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

/// A program that answers every line.
struct Partner {
    world: RealWorld,
    line: Item,
}

impl Partner {
    fn start(starter: Starter<'_>, echo: &Launch) -> anyhow::Result<Partner> {
        let child = starter.spawn(echo)?;
        let framing =
            Framing { line_ends_in: LineEnds::Any, line_end_out: "\n", line_bytes_max: 1024 };
        let world = RealWorld::new(framing, PerSeat([Link::process(child), Link::inside()]));
        let line = Item::Line("a line as long as a typical message of a game, about so".to_owned());
        Ok(Partner { world, line })
    }

    /// The middle of a row of exchanges would hide what happens rarely, so it is their mean.
    fn microseconds_of_exchange(&mut self) -> anyhow::Result<f64> {
        let begun = Instant::now();
        for _ in 0..EXCHANGES {
            self.world.send(Seat::First, &self.line);
            self.world.flush();
            let is_answered = matches!(self.world.next(None), Wait::Came(_));
            ensure!(is_answered, "the program that answers every line is gone");
        }
        Ok(begun.elapsed().as_secs_f64() * 1e6 / f64::from(EXCHANGES))
    }
}
