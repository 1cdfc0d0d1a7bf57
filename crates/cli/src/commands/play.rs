//! `quintain play`

use std::io::{self, IsTerminal as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use quintain_arena::plan::{BranchPlan, MatchPlan, MatchSettings, PlanError};
use quintain_arena::results::played_match;
use quintain_arena::run::{
    BrokenOff, Now, Progress, ReplayWish, RunError, RunHead, RunMeans, run_match,
};
use quintain_arena::{PlayedGame, REPLAY_EXTENSION, REPLAYS_FOLDER, RunEnd, SeatNews, Wish};
use quintain_core::Seat;
use quintain_links::{Quarters, end_interrupted, tell_interrupts};
use quintain_record::Occupant;
use quintain_referee::Stop;
use quintain_registry::{
    AnyGame, CATCH_UP, FeedError, MatchError, MatchReport, NoSpectator, Spectator, find,
};
use quintain_replay::Recording as _;
use quintain_report::played::{self, MatchTelling};
use quintain_server::{ShowingPlan, live_address};
use quintain_terminal::{HumanTerminal, LiveScreen, TextView, give_back, human_screen, is_screen};
use quintain_tournament::PlannedMatch;
use serde_json::{Value, json};

use super::aftermath::{Remainder, broken_off_in_words, hints};
use super::opened::{Opened, stay, watched};
use crate::args::{PlayArgs, StateArg, build_bots};
use crate::failure::Failure;
use crate::output::{Line, print_lines, remark, wrapped_output};
use crate::seating::tell;
use crate::words::{MORE_TIME, Origin, run_failure};
use quintain_arena::write_whole;

pub(super) fn run(args: &PlayArgs) -> Result<(), Failure> {
    let (game, plan) = plan_of(args)?;
    let means = means_of(args)?;
    let bots = plan.seats.0.iter().filter_map(Occupant::contestant);
    build_bots(&args.build.wish(), bots, means.sandbox.as_deref())?;
    let person = plan.seats.0.iter().find(|occupant| occupant.is_person());
    if person.is_some() && args.json {
        return Err(Failure::usage("--json: expected two bots, found a human at the terminal"));
    }
    let stop = break_off_on_interrupt()?;
    let mut screen = Screen {
        game,
        plan: &plan,
        is_drawn: is_drawn(args),
        person: person.map(Occupant::name),
        drawing: None,
        wire: None,
        human: None,
        failure: None,
        stop: stop.clone(),
        broken_off: None,
    };
    let opened = opened(args, game)?;
    let played =
        watched(opened.as_ref(), &mut screen, |progress| run_match(&plan, &means, progress, &stop));
    let drawn = screen.close();
    let played = played.map_err(|error| match_failure(args, error))?;
    drawn?;
    if !played.report.is_empty() {
        print_results(args, &plan, &played.report)?;
    }
    if played.ended == RunEnd::Stopped {
        remark(broken_off_in_words(args, &plan, screen.broken_off.as_ref()));
        return Err(Failure::Interrupted);
    }
    stay(opened.as_ref(), &stop);
    Ok(())
}

/// Shows the match in the browser, if that is wanted.
fn opened(args: &PlayArgs, game: &dyn AnyGame) -> Result<Option<Opened>, Failure> {
    let beside = args.replay.as_deref().and_then(Path::parent);
    let replays = args.log_dir.as_deref().or(beside).unwrap_or(Path::new(REPLAYS_FOLDER));
    let plan = ShowingPlan {
        listen: args.open.listen(),
        title: game.facts().title,
        replays: replays.to_owned(),
        page: live_address(1),
        films_all: true,
        store: None,
    };
    Opened::start(&args.open, "this match", plan)
}

/// The first Ctrl-C ends the match where it is and leads to what can be done with it, the second ends
/// everything.
fn break_off_on_interrupt() -> Result<Stop, Failure> {
    let stop = Stop::default();
    let request = stop.clone();
    tell_interrupts(move |times| {
        if times == 1 {
            request.break_off();
            return;
        }
        Quarters::remove_all();
        give_back();
        end_interrupted();
    })?;
    Ok(stop)
}

fn plan_of(args: &PlayArgs) -> Result<(&'static dyn AnyGame, MatchPlan), Failure> {
    let (name, words) = args.words(|word| find(word).is_some());
    let past = args.from.as_deref().map(super::open_replay).transpose()?;
    let game = match &past {
        Some((_, game)) => check_same_game(name, *game)?,
        None => super::game_named(name.unwrap_or_default())?,
    };
    let has_state = args.state.is_some() || args.keep_rounds.is_some();
    let state = args.state.unwrap_or(StateArg::Files).state(args.keep_rounds);
    let settings = MatchSettings {
        game: game.facts().id.to_owned(),
        rules: args.rules.rules(),
        ask: args.ask,
        start_limit: args.start_limit.unwrap_or(MatchSettings::START_LIMIT),
        state: has_state.then_some(state),
        seed: match &past {
            Some((replay, _)) => replay.header().seed,
            None => args.seed.unwrap_or_else(|| super::seed_from_clock(game)),
        },
    };
    let mut plan = MatchPlan::new(settings, &words).map_err(|error| match error {
        PlanError::Wrong { wrong, .. } => Failure::usage(wrong),
        error => Failure::usage(error.to_string()),
    })?;
    let passed_on = args.pass_env.variables()?;
    plan.seats.0.iter_mut().for_each(|bot| bot.give(&passed_on));
    plan.both_sides = args.swap;
    plan.times_persons = args.human_clock;
    plan.client_limit = args.start_limit.unwrap_or(plan.client_limit);
    plan.branch =
        args.from.clone().zip(args.turn).map(|(replay, turn)| BranchPlan { replay, turn });
    Ok((game, plan))
}

fn means_of(args: &PlayArgs) -> Result<RunMeans, Failure> {
    let replays = args.log_dir.as_deref().or(Some(Path::new(REPLAYS_FOLDER)));
    let hidden = [replays, args.replay.as_deref(), args.sign.as_deref(), args.match_log.as_deref()];
    Ok(RunMeans {
        sandbox: args.sandbox.sandbox(&hidden)?,
        replays: ReplayWish::of(args.log_dir.as_deref(), args.no_replay),
        replay_file: args.replay.clone(),
        match_log: args.match_log.clone(),
        listen: args.listen.clone(),
        signer: super::key::signer(args.sign.as_deref())?,
        ..RunMeans::default()
    })
}

/// A game that is named beside a replay must be the replay's.
fn check_same_game(
    name: Option<&str>,
    game: &'static dyn AnyGame,
) -> Result<&'static dyn AnyGame, Failure> {
    let id = game.facts().id;
    match name {
        Some(name) if name != id => {
            Err(Failure::usage(format!("--from: expected a replay of {name}, found one of {id}")))
        }
        _ => Ok(game),
    }
}

/// What kept a match from being played, told with the replay that it goes on from.
fn match_failure(args: &PlayArgs, error: RunError) -> Failure {
    match (error, &args.from) {
        (
            RunError::Match(
                MatchError::Field(error) | MatchError::Branch(FeedError::NoTurn(error)),
            ),
            _,
        ) => Failure::field(error),
        (
            RunError::Match(MatchError::Rerun(error) | MatchError::Branch(FeedError::Rerun(error))),
            Some(replay),
        ) => super::not_the_same(replay, &error),
        (RunError::Match(MatchError::Branch(error)), _) => Failure::usage(error.to_string()),
        (error, _) => run_failure(error, "", &Origin::default()),
    }
}

/// Whether the match is drawn on the terminal.
fn is_drawn(args: &PlayArgs) -> bool {
    is_screen(&io::stdout()) && !args.quiet && !args.json && !args.open.is_wanted()
}

/// What is shown of a match while it is played.
struct Screen<'a> {
    game: &'static dyn AnyGame,
    plan: &'a MatchPlan,
    is_drawn: bool,
    /// Who shares the terminal with the boards.
    person: Option<&'a str>,
    drawing: Option<LiveScreen>,
    /// The person's end of the way to the match, until there is a screen for it.
    wire: Option<UnixStream>,
    human: Option<HumanTerminal>,
    failure: Option<io::Error>,
    /// Raised when nobody wants to look on any more.
    stop: Stop,
    /// The match that was not played to its end.
    broken_off: Option<Remainder>,
}

impl Screen<'_> {
    /// Waits until everything has been shown.
    fn close(&mut self) -> io::Result<()> {
        let played = self.human.take().map_or(Ok(()), HumanTerminal::close);
        let closed = self.drawing.take().map_or(Ok(()), LiveScreen::close);
        self.failure.take().map_or(played.and(closed), Err)
    }

    /// The seat of the person in a match.
    fn seat(&self, next: &PlannedMatch) -> Option<Seat> {
        let is_person = |seat: &Seat| self.plan.seats.0[next.bots[*seat].index()].is_person();
        Seat::BOTH.into_iter().find(is_person)
    }
}

/// Whether a person has a whole terminal: keys to press and a screen to look at.
fn has_screen() -> bool {
    io::stdin().is_terminal() && is_screen(&io::stdout())
}

impl Progress for Screen<'_> {
    fn begun(&mut self, _run: &RunHead<'_>) {
        if self.person.is_some() && !has_screen() {
            remark(format_args!("When it is your turn, answer {}", self.game.facts().answers));
        }
    }

    fn seating(&mut self, news: &SeatNews<'_>) {
        tell(news);
    }

    fn person(&mut self, _next: &PlannedMatch, _seat: Seat) -> Option<UnixStream> {
        if self.person.is_none() || !has_screen() {
            return None;
        }
        match UnixStream::pair() {
            Ok((ours, theirs)) => {
                self.wire = Some(theirs);
                Some(ours)
            }
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    fn spectator(&mut self, next: &PlannedMatch) -> Box<dyn Spectator> {
        if let (Some(name), Some(seat), Some(wire)) =
            (self.person, self.seat(next), self.wire.take())
        {
            let rules = &self.plan.settings.rules;
            let time_scale = (self.plan.times_persons && rules.clock).then_some(rules.time_scale);
            let (screen, terminal) = human_screen(seat, name, time_scale, wire, self.stop.clone());
            self.human = Some(terminal);
            return Box::new(screen);
        }
        // With state files comes a picture for people, sent as to everyone.
        match self.person.is_some() {
            true if self.game.facts().abilities.state_files => Box::new(NoSpectator),
            true => Box::new(TextView),
            false if self.is_drawn => {
                let screen = self.drawing.insert(LiveScreen::new(self.stop.clone()));
                Box::new(screen.clone())
            }
            false => Box::new(NoSpectator),
        }
    }

    fn played(&mut self, _game: &PlayedGame, _now: &Now<'_>) -> Wish {
        self.failure = self.close().err();
        // Without its screen nobody looks on.
        if self.failure.is_some() { Wish::Enough } else { Wish::GoOn }
    }

    fn broken_off(&mut self, what: &BrokenOff<'_>) {
        let replay = what.replay.map(PathBuf::from);
        let swapped = what.planned.id.swapped;
        self.broken_off = Some(Remainder { replay, turns: what.turns, swapped });
    }
}

/// In the second match, if there is one, the seats were swapped.
fn print_results(
    args: &PlayArgs,
    plan: &MatchPlan,
    reports: &[MatchReport],
) -> Result<(), Failure> {
    let (game, labels) = (&plan.settings.game, plan.seats.as_ref().map(|_, bot| bot.name()).0);
    let object = |(number, report)| json!(played_match(game, labels, number == 1, report));
    let objects: Vec<Value> = reports.iter().enumerate().map(object).collect();
    if args.log_dir.is_some() {
        for (report, object) in reports.iter().zip(&objects) {
            write_log(report, object)?;
        }
    }
    let mut out = wrapped_output();
    match &objects[..] {
        [object] if args.json => writeln!(out, "{object}")?,
        objects if args.json => writeln!(out, "{}", serde_json::to_string(objects)?)?,
        _ => {
            for (number, report) in reports.iter().enumerate() {
                print_report(args, report, &hints(args, plan, number == 1, report), &mut out)?;
            }
        }
    }
    match reports.iter().find_map(unwritten) {
        Some(error) => Err(Failure::Failed(anyhow::anyhow!("the match was played, but: {error}"))),
        None => Ok(()),
    }
}

/// Why something about the match could not be written.
fn unwritten(report: &MatchReport) -> Option<String> {
    let replay_error = report.replay_error.as_ref().map(ToString::to_string);
    replay_error.or_else(|| report.match_log_error.as_ref().map(ToString::to_string))
}

/// Writes the result beside its replay.
fn write_log(report: &MatchReport, object: &Value) -> Result<(), Failure> {
    let replay = report.replay.as_deref().expect("--log-dir always leaves a replay");
    let name = replay.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(REPLAY_EXTENSION).unwrap_or(&name);
    let path = replay.with_file_name(format!("{stem}json"));
    Ok(write_whole(&path, format!("{object}\n").as_bytes())?)
}

fn print_report(
    args: &PlayArgs,
    report: &MatchReport,
    hints: &[String],
    out: &mut impl std::io::Write,
) -> std::io::Result<()> {
    let telling = MatchTelling {
        waited: CATCH_UP * args.start_limit.unwrap_or(MatchSettings::START_LIMIT),
        more_time: MORE_TIME,
        match_log: args.match_log.as_deref(),
    };
    let shown = if args.quiet { 1 } else { usize::MAX };
    let lines = played::lines(report, &telling).into_iter().chain(hints.iter().map(Line::text));
    print_lines(lines.take(shown), out)
}
