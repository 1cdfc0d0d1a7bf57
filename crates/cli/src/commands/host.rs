//! `quintain host`

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use quintain_arena::plan::{HostPlan, MatchSettings};
use quintain_arena::run::{HostProgress, ReplayWish, RunMeans, run_host};
use quintain_draw::{GifOptions, Sheet};
use quintain_links::stop_on_interrupt;
use quintain_referee::Stop;
use quintain_registry::{AnyGame, MatchError, MatchReport};
use quintain_replay::Reader;
use quintain_report::played::{hosted, hosted_json};

use super::export::write_gif;
use crate::args::HostArgs;
use crate::failure::Failure;
use crate::output::remark;
use crate::words::{Origin, run_failure};

pub(super) fn run(args: &HostArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let plan = HostPlan {
        settings: MatchSettings { rules: args.rules.rules(), ..MatchSettings::of(&args.game) },
        games_max: args.games,
        tables_max: args.tables.and_then(|tables| usize::try_from(tables).ok()),
    };
    let means = RunMeans {
        listen: args.listen.clone(),
        replays: ReplayWish::of(Some(&args.replays), args.no_replays),
        signer: super::key::signer(args.sign.as_deref())?,
        ..RunMeans::default()
    };
    let stop = Stop::default();
    stop_on_interrupt(&stop)?;
    let (width, height) = args.size;
    let sheet = Sheet { width, height, ..Sheet::default() };
    let film = args.gif.then(|| GifOptions::at_speed(sheet, args.speed));
    let teller = Teller { game, film, json: args.json, quiet: args.quiet };
    let report = run_host(&plan, &means, Arc::new(teller), &stop)
        .map_err(|error| run_failure(error, "", &Origin::default()))?;
    if !args.quiet && !args.json {
        let plural = if report.games_finished == 1 { "" } else { "s" };
        remark(format_args!("{} game{plural} finished", report.games_finished));
    }
    match report.games_aborted {
        0 => Ok(()),
        count => Err(Failure::Failed(anyhow::anyhow!("{count} games were aborted"))),
    }
}

/// Says what came of each match.
struct Teller {
    game: &'static dyn AnyGame,
    /// How films are made, if they are.
    film: Option<GifOptions>,
    json: bool,
    quiet: bool,
}

impl HostProgress for Teller {
    fn listening(&self, addresses: &[SocketAddr]) {
        if self.quiet {
            return;
        }
        for address in addresses {
            remark(format_args!("{} on {address}", self.game.facts().title));
        }
        if !self.json {
            remark("Ctrl-C lets the running games end and stops, twice stops at once");
        }
    }

    fn failed(&self, number: u64, error: &MatchError) {
        remark(format_args!("game {number} was not played: {error}"));
    }

    /// Nobody to tell it to is no reason to stop serving.
    fn played(&self, number: u64, report: &MatchReport) {
        if let Some(options) = self.film
            && let Err(error) = self.make_film(report, options)
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
    fn make_film(&self, report: &MatchReport, options: GifOptions) -> anyhow::Result<()> {
        let Some(path) = report.whole_replay() else {
            return Ok(());
        };
        let film = self.game.film(&mut Reader::open(path)?)?;
        let target = path.with_extension("").with_extension("").with_extension("gif");
        write_gif(&target, &film, options)
    }
}
