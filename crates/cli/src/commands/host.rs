//! `quintain host`

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use quintain_core::{Opening, PerSeat, printable};
use quintain_draw::Sheet;
use quintain_links::{HostSettings, StopSign, TableMatch, host, listen, stop_on_interrupt};
use quintain_record::Occupant;
use quintain_referee::Ask;
use quintain_registry::{AnyGame, Decided, MatchReport, MatchSpec};
use quintain_replay::{Reader, unix_ms};
use serde_json::json;

use super::config::config_of;
use crate::args::HostArgs;
use crate::failure::Failure;
use crate::output::{file_name_part, free_path, remark};
use crate::seating::listen_failure;

pub(super) fn run(args: &HostArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let tables_max = args.tables.and_then(|tables| usize::try_from(tables).ok());
    let lobby = game.lobby(tables_max).ok_or_else(|| {
        Failure::usage(format!("expected a game whose bots connect by TCP, found {}", args.game))
    })?;
    let table = HostedTable::new(args, game)?;
    let listeners = listen(&args.listen).map_err(|error| listen_failure(&args.listen, &error))?;
    if !args.quiet {
        for listener in &listeners {
            remark(format_args!("{} on {}", game.facts().title, listener.local_addr()?));
        }
    }
    if !args.quiet && !args.json {
        remark("Ctrl-C lets the running games end and stops, twice stops at once");
    }
    let settings = HostSettings { games_max: args.games, ..HostSettings::default() };
    let stop = StopSign::new()?;
    stop_on_interrupt(&stop)?;
    let play = Arc::new(move |seated: TableMatch| table.play(seated));
    let report = host(listeners, lobby, game.framing(), settings, &stop, play)?;
    if !args.quiet && !args.json {
        let plural = if report.games_finished == 1 { "" } else { "s" };
        remark(format_args!("{} game{plural} finished", report.games_finished));
    }
    match report.games_aborted {
        0 => Ok(()),
        count => Err(Failure::Failed(anyhow::anyhow!("{count} games were aborted"))),
    }
}

/// What every match of the host is played with.
struct HostedTable {
    game: &'static dyn AnyGame,
    spec: MatchSpec,
    replays: Option<PathBuf>,
    gif: bool,
    json: bool,
    quiet: bool,
}

impl HostedTable {
    fn new(args: &HostArgs, game: &'static dyn AnyGame) -> Result<Self, Failure> {
        let config = config_of(game, &args.rules, None)?;
        let spec = MatchSpec {
            config,
            seed: 0,
            seats: PerSeat::from_fn(|_| Occupant::Client { name: String::new() }),
            files: PerSeat::default(),
            rules: args.rules.rules().match_rules(),
            ask: Ask::InTurn,
            start_limit: PerSeat([None, None]),
            opening: None,
            replay: None,
            match_log: None,
            signer: super::key::signer(args.sign.as_deref())?,
        };
        if !args.no_replays {
            std::fs::create_dir_all(&args.replays).map_err(|error| {
                let folder = args.replays.display();
                anyhow::anyhow!("--replays: cannot make the folder {folder}: {error}")
            })?;
        }
        Ok(HostedTable {
            game,
            spec,
            replays: (!args.no_replays).then(|| args.replays.clone()),
            gif: args.gif,
            json: args.json,
            quiet: args.quiet,
        })
    }

    fn play(&self, seated: TableMatch) {
        let TableMatch { number, opening, on_over, mut world, .. } = seated;
        let mut spec = self.spec.clone();
        spec.seed = i64::try_from(number).unwrap_or(i64::MAX);
        spec.seats = opening.names.as_ref().map(|_, name| Occupant::Client { name: name.clone() });
        spec.replay = self.replay_path(&opening, number);
        spec.opening = Some(opening);
        // Frees the names as soon as the match is decided.
        let mut on_over = Some(on_over);
        let mut free_names = |end: &Decided| {
            if let Some(on_over) = on_over.take() {
                on_over(end.next_message_id);
            }
        };
        match self.game.play(&spec, &mut world, &mut free_names) {
            Ok(report) => self.tell(number, &report),
            Err(error) => remark(format_args!("game {number} was not played: {error}")),
        }
    }

    /// `<name0>VS<name1>-<unique>`, as the document promises.
    fn replay_path(&self, opening: &Opening, number: u64) -> Option<PathBuf> {
        let folder = self.replays.as_ref()?;
        let [first, second] = opening.names.as_ref().0.map(|name| file_name_part(name));
        let started = unix_ms();
        let stem = format!("{first}VS{second}-{started}-{number}");
        Some(free_path(folder, &stem, "replay.jsonl.zst"))
    }

    /// Nobody to tell it to is no reason to stop serving.
    fn tell(&self, number: u64, report: &MatchReport) {
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
        let line = if self.json {
            json!({
                "number": number,
                "names": report.wire_names,
                "ranks": report.outcome.ranks(),
                "scores": report.outcome.scores,
                "reason": report.outcome.reason,
                "turns": report.turns,
                "replay": report.replay,
            })
            .to_string()
        } else {
            let path = report.replay.as_ref().map(|path| format!(" ({})", path.display()));
            format!("game {number}: {}{}", report.closing, path.unwrap_or_default())
        };
        let _ = writeln!(std::io::stdout().lock(), "{}", printable(&line));
    }

    fn make_film(&self, report: &MatchReport) -> anyhow::Result<()> {
        let Some(path) = &report.replay else {
            return Ok(());
        };
        let film = self.game.film(&mut Reader::open(path)?)?;
        let target = path.with_extension("").with_extension("").with_extension("gif");
        super::export::write_gif(&target, &film, Sheet::default())
    }
}
