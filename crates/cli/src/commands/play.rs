//! `quintain play`

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use quintain_core::{Fault, Options, PerSeat, Seat};
use quintain_links::{Housing, RealWorld, tidy_up_on_interrupt};
use quintain_referee::Ask;
use quintain_registry::{AnyGame, MatchError, MatchReport, MatchSpec, Nobody};
use quintain_replay::check_match_log_folder;
use serde_json::json;

use crate::args::{PlayArgs, StateArg};
use crate::bots::{BotKind, BotSpec, Seating, parse_pair, seat_specs, take_places};
use crate::failure::Failure;
use crate::gallery::{Gallery, TextGallery};
use crate::output::{HEADING, file_name_part, free_path, milliseconds, remark, shell_word};

/// A client that connects may be a person with telnet, who takes a while to type a name.
const TCP_START_LIMIT: Duration = Duration::from_secs(60);
const REPLAY_FOLDER: &str = "replays";

pub(super) fn run(args: &PlayArgs) -> Result<(), Failure> {
    let game = super::game_named(&args.game)?;
    let bots = parse_pair(&args.bots, game)?;
    let options =
        Options { start_limit: Some(args.start_limit), ..super::options_of(&args.rules)? };
    game.check_options(&options).map_err(|error| Failure::usage(error.to_string()))?;
    check_files(args, game)?;
    if bots.0.iter().any(|bot| bot.kind == BotKind::Human) {
        greet_human(args, game)?;
    }
    let spec = match_spec(args, game, &bots, options)?;
    let housing = Housing { keep_rounds: args.keep_rounds };
    let files = game.facts().has_files.then_some((state_of(args), housing));
    if files.is_some() {
        tidy_up_on_interrupt()?;
    }
    let seating = Seating { framing: game.framing(), address: &args.listen, files };
    let places = take_places(&bots, &seating)?;
    let mut world = RealWorld::new(game.framing(), places);
    let report = match audience_of(args, game, &bots) {
        Screen::Drawn => {
            let mut gallery = Gallery::new();
            let report = game.play(&spec, &mut world, &mut gallery);
            gallery.close()?;
            report
        }
        Screen::Text => game.play(&spec, &mut world, &mut TextGallery),
        Screen::None => game.play(&spec, &mut world, &mut Nobody),
    };
    let report = report.map_err(|error| match error {
        MatchError::Options(error) => Failure::usage(error.to_string()),
        error => Failure::Failed(error.into()),
    })?;
    print_report(args, &bots, &report)
}

/// A person shares the terminal with the boards, so there is no room for a single object on it.
fn greet_human(args: &PlayArgs, game: &dyn AnyGame) -> Result<(), Failure> {
    if args.json {
        return Err(Failure::usage("--json: expected two bots, found a human at the terminal"));
    }
    remark(format!("When it is your turn, answer {}", game.facts().answers));
    Ok(())
}

enum Screen {
    Drawn,
    Text,
    None,
}

fn state_of(args: &PlayArgs) -> StateArg {
    args.state.unwrap_or(StateArg::Files)
}

/// What is said about files must be meant for a game that has some.
fn check_files(args: &PlayArgs, game: &dyn AnyGame) -> Result<(), Failure> {
    let facts = game.facts();
    let refuse = |option: &str, what: &str| {
        Err(Failure::usage(format!("--{option}: expected a game with {what}, found {}", facts.id)))
    };
    if args.state.is_some() && !facts.has_files {
        return refuse("state", "state files");
    }
    if args.keep_rounds.is_some() && !facts.has_files {
        return refuse("keep-rounds", "state files");
    }
    let Some(folder) = &args.match_log else {
        return Ok(());
    };
    if !facts.has_match_log {
        return refuse("match-log", "a match log");
    }
    check_match_log_folder(folder).map_err(|error| Failure::usage(format!("--match-log: {error}")))
}

fn audience_of(args: &PlayArgs, game: &dyn AnyGame, bots: &PerSeat<BotSpec>) -> Screen {
    if bots.0.iter().any(|bot| bot.kind == BotKind::Human) {
        // With state files comes a picture for people, sent as to everyone.
        if game.facts().has_files { Screen::None } else { Screen::Text }
    } else if std::io::stdout().is_terminal() && !args.quiet && !args.json {
        Screen::Drawn
    } else {
        Screen::None
    }
}

fn match_spec(
    args: &PlayArgs,
    game: &dyn AnyGame,
    bots: &PerSeat<BotSpec>,
    options: Options,
) -> Result<MatchSpec, Failure> {
    let seed = args.seed.unwrap_or_else(super::seed_from_clock);
    game.check_seed(seed).map_err(|error| Failure::usage(error.to_string()))?;
    let mut rules = super::match_rules(&args.rules);
    for seat in Seat::BOTH {
        rules.clock[seat] &= bots[seat].kind != BotKind::Human;
    }
    let start_limit = PerSeat::from_fn(|seat| match bots[seat].kind {
        BotKind::Human => None,
        _ if args.rules.no_clock => None,
        BotKind::Tcp => Some(TCP_START_LIMIT),
        _ => Some(args.start_limit.mul_f64(args.rules.time_scale)),
    });
    Ok(MatchSpec {
        options,
        seed,
        seats: seat_specs(bots, state_of(args)),
        rules,
        ask: Ask::InTurn,
        start_limit,
        opening: None,
        replay: replay_path(args, game, bots, seed),
        match_log: args.match_log.clone(),
    })
}

fn replay_path(
    args: &PlayArgs,
    game: &dyn AnyGame,
    bots: &PerSeat<BotSpec>,
    seed: i64,
) -> Option<PathBuf> {
    if args.no_replay {
        return None;
    }
    Some(args.replay.clone().unwrap_or_else(|| {
        let [first, second] = bots.as_ref().0.map(|bot| file_name_part(&bot.label));
        let stem = format!("{}-{first}-vs-{second}-{seed}", game.facts().id);
        free_path(Path::new(REPLAY_FOLDER), &stem, "replay.jsonl.zst")
    }))
}

fn print_report(
    args: &PlayArgs,
    bots: &PerSeat<BotSpec>,
    report: &MatchReport,
) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    if args.json {
        let object = as_json(&args.game, bots, report);
        writeln!(out, "{}", serde_json::to_string(&object)?)?;
    } else {
        writeln!(out, "{HEADING}{}{HEADING:#}", report.closing)?;
    }
    if !args.json && !args.quiet {
        print_why(report, &mut out)?;
        for remark in report.remarks.iter().flatten() {
            writeln!(out, "to be verified: {remark}")?;
        }
        if let Some(folder) = &args.match_log {
            writeln!(out, "match log: {}", shell_word(folder))?;
        }
        if let Some(path) = &report.replay {
            let word = shell_word(path);
            writeln!(out, "replay: {word}\nshow it again: quintain replay {word}")?;
        }
    }
    let replay_error = report.replay_error.as_ref().map(ToString::to_string);
    let error = replay_error.or(report.match_log_error.as_ref().map(ToString::to_string));
    match error {
        Some(error) => Err(Failure::Failed(anyhow::anyhow!("the match was played, but: {error}"))),
        None => Ok(()),
    }
}

/// The last words of a bot that failed: usually they say why.
fn print_why(report: &MatchReport, out: &mut impl std::io::Write) -> std::io::Result<()> {
    const LINES_SHOWN: usize = 10;
    for (seat, text) in report.last_stderr.iter() {
        let failed = report.faults.iter().any(|(faulty, _)| *faulty == seat);
        if failed && !text.is_empty() {
            writeln!(out, "the last lines that {} wrote to stderr:", report.names[seat])?;
            let skipped = text.lines().count().saturating_sub(LINES_SHOWN);
            for line in text.lines().skip(skipped) {
                writeln!(out, "  {line}")?;
            }
        }
    }
    Ok(())
}

/// The result for programs. `ranks` and `errors` are what league runners expect of a match.
pub(super) fn as_json(
    game: &str,
    bots: &PerSeat<BotSpec>,
    report: &MatchReport,
) -> serde_json::Value {
    let failed = |seat: Seat| report.faults.iter().any(|(faulty, _)| *faulty == seat);
    let errors = PerSeat::from_fn(|seat| u8::from(failed(seat)));
    let answers = PerSeat::from_fn(|seat| {
        let stats = report.answers[seat];
        json!({
            "count": stats.count,
            "worst_ms": milliseconds(stats.worst),
            "mean_ms": milliseconds(stats.mean()),
        })
    });
    let fault_json = |(seat, fault): &(Seat, Fault)| json!({ "seat": seat.index(), "fault": fault.code(), "text": fault.to_string() });
    let faults: Vec<_> = report.faults.iter().map(fault_json).collect();
    let mut object = json!({
        "game": game,
        "ranks": report.outcome.ranks(),
        "scores": report.outcome.scores,
        "errors": errors,
        "reason": report.outcome.reason,
        "winner": report.outcome.winner().map(Seat::index),
        "turns": report.turns,
        "seed": report.seed,
        "replay": report.replay,
        "bots": bots.as_ref().map(|_, bot| bot.label.clone()),
        "names": report.wire_names,
        "answers": answers,
        "faults": faults,
        "closing": report.closing,
    });
    if let Some(remarks) = &report.remarks {
        object["verification_required"] = json!(!remarks.is_empty());
        object["remarks"] = json!(remarks);
    }
    object
}
