//! A match that somebody follows step by step, without the command line.
//!
//! `cargo run -p quintain-arena --example single_match`

use quintain_arena::plan::{MatchPlan, MatchSettings};
use quintain_arena::run::{Progress, RunMeans, run_match};
use quintain_core::scene::{Eye, Frame};
use quintain_referee::Stop;
use quintain_registry::{FilmHead, Spectator};
use quintain_tournament::PlannedMatch;

/// Tells what happens in the match.
struct Commentator;

impl Spectator for Commentator {
    fn wants_frames(&self) -> bool {
        true
    }

    fn begin(&mut self, head: &FilmHead) {
        println!("{}: {} against {}", head.title, head.names.0[0], head.names.0[1]);
    }

    fn frame(&mut self, _eye: Eye, frame: &Frame) {
        for note in &frame.notes {
            println!("{note}");
        }
    }
}

/// Has every match commented.
struct Channel;

impl Progress for Channel {
    fn spectator(&mut self, _next: &PlannedMatch) -> Box<dyn Spectator> {
        Box::new(Commentator)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = MatchSettings { seed: 7, ..MatchSettings::of("hockey") };
    let bots = ["ann=house:random", "bob=house:greedy"].map(str::to_owned);
    let plan = MatchPlan::new(settings, &bots)?;
    let played = run_match(&plan, &RunMeans::default(), &mut Channel, &Stop::default())?;
    for report in &played.report {
        println!("{} ({} turns)", report.closing, report.turns);
    }
    Ok(())
}
