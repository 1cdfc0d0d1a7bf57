//! `quintain host`

use std::io::Write as _;
use std::sync::Arc;

use quintain_arena::plan::{HostPlan, PlanError};
use quintain_arena::run::{HostMeans, HostProgress, HostingError, run_host};
use quintain_draw::Sheet;
use quintain_links::{StopSign, listen, stop_on_interrupt};
use quintain_registry::{AnyGame, MatchError, MatchReport};
use quintain_replay::Reader;
use quintain_report::played::{hosted, hosted_json};

use crate::args::HostArgs;
use crate::failure::Failure;
use crate::output::remark;
use crate::words::{listen_failure, plan_failure};

pub(super) fn run(args: &HostArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let plan = HostPlan {
        game: args.game.clone(),
        rules: args.rules.rules(),
        games_max: args.games,
        tables_max: args.tables.and_then(|tables| usize::try_from(tables).ok()),
    };
    plan.check().map_err(hosting_failure)?;
    let signer = super::key::signer(args.sign.as_deref())?;
    if !args.no_replays {
        std::fs::create_dir_all(&args.replays).map_err(|error| {
            let folder = args.replays.display();
            anyhow::anyhow!("--replays: cannot make the folder {folder}: {error}")
        })?;
    }
    let sockets = listen(&args.listen).map_err(|error| listen_failure(&args.listen, &error))?;
    if !args.quiet {
        for socket in &sockets {
            remark(format_args!("{} on {}", game.facts().title, socket.local_addr()?));
        }
    }
    if !args.quiet && !args.json {
        remark("Ctrl-C lets the running games end and stops, twice stops at once");
    }
    let stop = StopSign::new()?;
    stop_on_interrupt(&stop)?;
    let replays = (!args.no_replays).then(|| args.replays.clone());
    let means = HostMeans { sockets, replays, signer };
    let teller = Teller { game, gif: args.gif, json: args.json, quiet: args.quiet };
    let report = run_host(&plan, means, Arc::new(teller), &stop).map_err(|error| match error {
        HostingError::Plan(error) => hosting_failure(error),
        HostingError::Wait(error) => error.into(),
    })?;
    if !args.quiet && !args.json {
        let plural = if report.games_finished == 1 { "" } else { "s" };
        remark(format_args!("{} game{plural} finished", report.games_finished));
    }
    match report.games_aborted {
        0 => Ok(()),
        count => Err(Failure::Failed(anyhow::anyhow!("{count} games were aborted"))),
    }
}

/// The game was no option.
fn hosting_failure(error: PlanError) -> Failure {
    match error {
        PlanError::Wrong { field, wrong } if &*field.0 == "game" => Failure::usage(wrong),
        error => plan_failure(error),
    }
}

/// Says what came of each match.
struct Teller {
    game: &'static dyn AnyGame,
    gif: bool,
    json: bool,
    quiet: bool,
}

impl HostProgress for Teller {
    fn failed(&self, number: u64, error: &MatchError) {
        remark(format_args!("game {number} was not played: {error}"));
    }

    /// Nobody to tell it to is no reason to stop serving.
    fn played(&self, number: u64, report: &MatchReport) {
        if self.gif
            && let Err(error) = self.make_film(report)
        {
            remark(format_args!("game {number}: no film: {error:#}"));
        }
        if let Some(error) = &report.replay_error {
            remark(format_args!("game {number}: {error}"));
        }
        if self.quiet {
            return;
        }
        let line = match self.json {
            true => hosted_json(number, report),
            false => hosted(number, report),
        };
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    }
}

impl Teller {
    fn make_film(&self, report: &MatchReport) -> anyhow::Result<()> {
        let Some(path) = &report.replay else {
            return Ok(());
        };
        let film = self.game.film(&mut Reader::open(path)?)?;
        let target = path.with_extension("").with_extension("").with_extension("gif");
        super::export::write_gif(&target, &film, Sheet::default())
    }
}
