//! Counts what a turn takes from the heap: once a match is set up, `advance` must take nothing.
//!
//! Prints a line for every workload of every game and fails if a count is not 0. A program of its own,
//! since an allocator that counts is paid for by everything else in the same program.

use std::alloc::System;
use std::path::Path;
use std::process::ExitCode;

use quintain_core::measure::{NamedWorkload, StepMeter};
use quintain_registry::{AnyGame, GAMES, prepare};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SEED: i64 = 1;
const MATCHES_MIN: u64 = 64;

fn main() -> ExitCode {
    assert_eq!(allocations_of_a_box(), 1, "a counter that always says 0 shows nothing");
    let mut is_free = true;
    for &game in GAMES {
        for workload in game.workloads() {
            let count = count(game, &workload);
            let per_turn = count.allocations as f64 / count.turns as f64;
            println!("{}-{}: allocations per turn: {per_turn}", game.facts().id, workload.name);
            is_free &= count.allocations == 0;
        }
    }
    if is_free {
        return ExitCode::SUCCESS;
    }
    eprintln!("expected no allocation in `advance` once a match is set up");
    ExitCode::FAILURE
}

struct Count {
    allocations: usize,
    turns: u64,
}

fn count(game: &dyn AnyGame, workload: &NamedWorkload) -> Count {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../games")
        .join(game.facts().id)
        .join("tests/vectors");
    let prepared = prepare(game, workload, SEED, Some(&vectors))
        .unwrap_or_else(|error| panic!("{}-{}: {error}", game.facts().id, workload.name));
    let matches = MATCHES_MIN.next_multiple_of(prepared.round());
    let mut meter = Meter { before: allocations(), taken: 0 };
    let turns = prepared.play_watched(matches, &mut meter);
    Count { allocations: meter.taken, turns }
}

/// Adds up the allocations of all steps.
struct Meter {
    before: usize,
    taken: usize,
}

impl StepMeter for Meter {
    fn before(&mut self) {
        self.before = allocations();
    }

    fn after(&mut self) {
        self.taken += allocations() - self.before;
    }
}

/// Since the start of the program; a block that grows counts again.
fn allocations() -> usize {
    let stats = HEAP.stats();
    stats.allocations + stats.reallocations
}

fn allocations_of_a_box() -> usize {
    let before = allocations();
    drop(std::hint::black_box(Box::new(SEED)));
    allocations() - before
}
