//! An evaluation without the command line: teams that are started by their scripts, and their marks.
//!
//! `cargo run -p quintain-arena --example evaluation -- TEAMS`, where TEAMS holds a folder for each team.

use std::error::Error;
use std::path::Path;

use quintain_arena::PlayedGame;
use quintain_arena::plan::{EvaluationLimits, EvaluationPlan, LinkWish, find_teams};
use quintain_arena::results::EvaluationReport;
use quintain_arena::run::{
    EvaluationMeans, EvaluationProgress, NetworkWish, PairingNow, TeamHost, run_evaluation,
};
use quintain_record::Admission;
use quintain_referee::Stop;
use quintain_registry::find;

/// A dot for each game, or a mark if somebody failed in it.
#[derive(Default)]
struct Dots(String);

impl EvaluationProgress for Dots {
    fn played(&mut self, game: &PlayedGame, _now: &PairingNow<'_>) {
        self.0.push(if game.record.errors.is_empty() { '.' } else { '!' });
    }

    fn pairing_over(&mut self) {
        println!("{}", std::mem::take(&mut self.0));
    }
}

pub(crate) fn evaluate(folder: &Path) -> Result<EvaluationReport, Box<dyn Error>> {
    let hockey = find("hockey").ok_or("hockey is in the list")?;
    let mut plan = EvaluationPlan::new(hockey, find_teams(folder, None, LinkWish::Auto)?)?;
    plan.limits = EvaluationLimits { games_max: 4, ..EvaluationLimits::default() };
    let environment = vec![("PATH".to_owned(), std::env::var("PATH")?)];
    let (host, _) = TeamHost::open("127.0.0.1:0", Admission::Own, NetworkWish::Auto, environment)?;
    let means = EvaluationMeans::new(host);
    Ok(run_evaluation(&plan, &means, &mut Dots::default(), &Stop::default())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder of teams")?;
    for team in &evaluate(Path::new(&folder))?.teams {
        println!("{} {}: {:.1} %", team.position, team.team, team.total_percent);
    }
    Ok(())
}
