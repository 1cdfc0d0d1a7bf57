//! A tournament with progress of one's own, without the command line.
//!
//! `cargo run -p quintain-arena --example tournament`

use quintain_arena::plan::TournamentDraft;
use quintain_arena::run::{Now, Progress, RunMeans, run_tournament};
use quintain_arena::{PlayedGame, Wish};
use quintain_referee::Stop;

/// A dot for each game, and a mark for each in which somebody failed.
#[derive(Default)]
struct Dots(String);

impl Progress for Dots {
    fn played(&mut self, game: &PlayedGame, _now: &Now<'_>) -> Wish {
        self.0.push(if game.record.errors.is_empty() { '.' } else { '!' });
        Wish::GoOn
    }

    fn over(&mut self) {
        println!("{}", self.0);
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut draft = TournamentDraft::of("fencing");
    draft.settings.rules.league = Some(2);
    draft.games_per_pair = Some(4);
    for bot in ["a=house:random", "b=house:greedy", "c=house:random"] {
        draft.bots.push(bot.to_owned());
    }
    let plan = draft.plan()?;
    let played =
        run_tournament(&plan, &RunMeans::default(), &mut Dots::default(), &Stop::default())?;
    for row in &played.report.standings {
        println!("{:?} {} {:.1}", row.place, row.bot, row.points);
    }
    Ok(())
}
