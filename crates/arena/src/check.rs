//! Finds out what is wrong with a bot: a match that it plays, the first thing that goes wrong in it, and
//! what usually is behind that. All of it is data; whoever shows it has the words.
//!
//! `causes.rs` is what may be behind a fault, `probe.rs` looks what a silent bot does when its input ends.

mod causes;
mod probe;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_core::{Absence, Exit, Fault, Item, PerSeat, Seat};
use quintain_links::Sandbox;
use quintain_record::{Contestant, Launch, Occupant};
use quintain_referee::Stop;
use quintain_registry::{AnyGame, MatchError, MatchReport, MatchSpec, NoSpectator, ReadyConfig};
use quintain_replay::{Reader, Recording as _, ReplayError, RerunError};

pub use quintain_referee::IntroductionLine;
pub use quintain_registry::{Answered, Exchange, Facts};

pub use self::causes::{Cause, EndCause, Language, StartCause, command_line};
pub use self::probe::AtEndOfInput;
use self::probe::{StartedAgain, at_end_of_input};
use crate::files::digests_of_seats;
use crate::occupant::{SeatNews, Seating, SeatingError, take_seats};
use crate::plan::MatchSettings;

/// The bot to be checked, and the match in which it is.
pub struct CheckPlan<'a> {
    pub game: &'a dyn AnyGame,
    pub settings: MatchSettings,
    /// What the settings come to.
    pub config: ReadyConfig,
    /// A program, or a client that comes by itself.
    pub bot: &'a Occupant,
    pub seat: Seat,
    /// How long a client may take to connect, and then to become ready.
    pub client_limit: Duration,
    /// Where a client connects.
    pub listen: &'a str,
    /// What the bot is held by; `None`: it is trusted.
    pub sandbox: Option<Arc<Sandbox>>,
    /// Where the replay of the match is kept; without one it goes when it has been read.
    pub replay: Option<PathBuf>,
}

impl CheckPlan<'_> {
    /// Who plays: the bot, and somebody who answers anything.
    fn occupants(&self) -> PerSeat<Occupant> {
        let opponent = Occupant::from(Contestant::house("random")).named("opponent");
        PerSeat::from_fn(|other| if other == self.seat { self.bot } else { &opponent }.clone())
    }

    fn spec(&self, seats: PerSeat<Occupant>) -> MatchSpec {
        let MatchSettings { seed, start_limit, .. } = self.settings;
        let limit = |bot: &Occupant| {
            let limit = bot.start_limit(start_limit, self.client_limit);
            limit.and_then(|limit| self.settings.scaled(limit))
        };
        let (files, limits) = (digests_of_seats(&seats), seats.as_ref().map(|_, bot| limit(bot)));
        let spec = self.settings.spec(self.config.clone(), seed, seats);
        MatchSpec { files, start_limit: limits, replay: self.replay.clone(), ..spec }
    }
}

/// What a check is at.
#[derive(Debug)]
pub enum CheckNews<'a> {
    Seating(SeatNews<'a>),
    /// The match begins, which takes its time.
    Match,
    /// It is looked what the bot does when its input ends, which takes some more.
    EndOfInput,
}

/// What was seen of a bot.
#[derive(Debug)]
pub struct CheckReport {
    /// How long it took to start the bot; `None` if it could not be.
    pub started_in: Option<Duration>,
    /// `None` if it could not be started.
    pub played: Option<Played>,
    /// The first thing that is wrong enough to lose by it.
    pub complaint: Option<Complaint>,
    /// What is not wrong enough for that.
    pub warnings: Vec<Warning>,
    /// What a bot without complaint does when its input ends after the first question; `None` if it was not
    /// tried.
    pub at_end_of_input: Option<AtEndOfInput>,
}

/// The match of a check.
#[derive(Debug)]
pub struct Played {
    pub report: MatchReport,
    pub seat: Seat,
    /// What the bot was asked before the match, and what it answered.
    pub introduction: Vec<IntroductionLine>,
    pub exchanges: Vec<Exchange>,
    /// How the bot left, if it did so before it was ended.
    pub exit: Option<Exit>,
    /// `None` without a clock.
    pub time_scale: Option<f64>,
}

/// What is wrong with a bot.
#[derive(Clone, Debug, PartialEq)]
pub struct Complaint {
    /// Counted from 1; `None` before the match.
    pub turn: Option<u32>,
    pub wrong: Wrong,
    /// Likeliest first.
    pub causes: Vec<Cause>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// It could not be started, in the words of whoever tried.
    Unstartable(String),
    Fault(Fault),
    /// It lost by breaking the rules, in the words of the game.
    Offence(String),
}

/// What happened in some turns, the first time in turn `first`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// It answered before it was asked.
    Early { turns: usize, first: u32, line: String },
    /// Lines that mean nothing.
    Meaningless { lines: usize, first: u32, line: String },
    /// Answers that the rules do not allow, with the words of the game.
    Refused { answers: usize, first: u32, note: String },
}

#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The bot does not come to its seat, which may be [what is wrong](CheckReport::unstartable) with it.
    #[error(transparent)]
    Seating(#[from] SeatingError),
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Rerun(#[from] RerunError),
    #[error("no place for a replay: {0}")]
    Temporary(io::Error),
}

/// Seats the bot, plays the match and judges the bot by it.
///
/// # Errors
/// The bot does not come, the match cannot be played, or its replay cannot be kept or read.
pub fn check(
    plan: &CheckPlan<'_>,
    tell: &mut dyn FnMut(CheckNews<'_>),
) -> Result<CheckReport, CheckError> {
    let CheckPlan { game, seat, settings, sandbox, .. } = plan;
    let (game, seat) = (*game, *seat);
    let occupants = plan.occupants();
    let begun = Instant::now();
    let mut seating = Seating {
        address: plan.listen,
        client_limit: settings.scaled(plan.client_limit),
        stop: Stop::default(),
        absent_plays_on: false,
        persons: PerSeat::default(),
        sandbox: sandbox.clone(),
        tell: &mut |news| tell(CheckNews::Seating(news)),
    };
    let mut world = take_seats(game, &occupants, &mut seating)?;
    let started_in = Some(begun.elapsed());
    let mut spec = plan.spec(occupants);
    let temporary = tempfile::tempdir().map_err(CheckError::Temporary)?;
    let own = || temporary.path().join("check.replay.jsonl.zst");
    let path: PathBuf = spec.replay.get_or_insert_with(own).clone();
    tell(CheckNews::Match);
    let mut report = game.play(&spec, &mut world, &mut NoSpectator)?;
    if let Some(error) = report.replay_error.take() {
        return Err(error.into());
    }
    let mut introduction = report.introduction.clone();
    introduction.retain(|line| line.seat() == seat);
    let mut replay = Reader::open(&path)?;
    let exchanges = game.transcript(&mut replay, seat)?;
    let exit = replay.tail().end.as_ref().and_then(|end| end.exits[seat]);
    let time_scale = spec.rules.clock[seat].then_some(spec.rules.time_scale);
    let played = Played { report, seat, introduction, exchanges, exit, time_scale };
    let (launch, sandbox) =
        (plan.bot.contestant().and_then(Contestant::launch), sandbox.as_deref());
    let again = launch.map(|launch| StartedAgain { launch, sandbox });
    let mut judge = Judge { game, facts: game.facts(), again, played: &played, tell };
    let complaint = judge.fault().or_else(|| judge.offence());
    let warnings = played.warnings(complaint.as_ref().and_then(|complaint| complaint.turn));
    let at_end_of_input = match complaint {
        None => judge.at_end_of_input(played.exchanges.first()),
        Some(_) => None,
    };
    Ok(CheckReport { started_in, played: Some(played), complaint, warnings, at_end_of_input })
}

impl CheckReport {
    /// A bot that cannot be found or started: the first thing that can be wrong with it.
    pub fn unstartable(game: &dyn AnyGame, why: String) -> CheckReport {
        let causes = causes::unstarted(&game.facts());
        let complaint = Complaint { turn: None, wrong: Wrong::Unstartable(why), causes };
        CheckReport {
            started_in: None,
            played: None,
            complaint: Some(complaint),
            warnings: Vec::new(),
            at_end_of_input: None,
        }
    }
}

impl Complaint {
    /// False if the bot never was ready for the match: then it was not told anything of it.
    pub fn is_in_match(&self) -> bool {
        !matches!(self.wrong, Wrong::Unstartable(_) | Wrong::Fault(Fault::NotStarted(_)))
    }
}

impl Played {
    /// The time that an answer had, as the match was played.
    pub fn limit(&self, exchange: &Exchange) -> Option<Duration> {
        self.time_scale.map(|scale| exchange.limit.mul_f64(scale))
    }

    /// The question whose answer came nearest to its limit.
    pub fn slowest(&self) -> Option<&Exchange> {
        let share = |exchange: &&Exchange| {
            let wall = exchange.recorded.wall.unwrap_or_default().as_secs_f64();
            wall / exchange.limit.as_secs_f64()
        };
        self.exchanges.iter().max_by(|a, b| share(a).total_cmp(&share(b)))
    }

    fn last(&self) -> causes::Last {
        let has_lines = |exchange: &Exchange| !exchange.recorded.lines.is_empty();
        causes::Last {
            has_answered: self.exchanges.iter().any(has_lines),
            has_said_why: !self.report.last_stderr[self.seat].is_empty(),
        }
    }

    /// `told` is the turn of the complaint, which needs no warning.
    fn warnings(&self, told: Option<u32>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut early = self.exchanges.iter().filter(|exchange| is_early(exchange));
        if let Some(exchange) = early.next() {
            let said = &exchange.recorded;
            let line = said.early.first().or(said.lines.first()).cloned().unwrap_or_default();
            let (turns, first) = (early.count() + 1, exchange.turn);
            warnings.push(Warning::Early { turns, first, line });
        }
        let ignored = self.exchanges.iter().find(|exchange| !exchange.recorded.ignored.is_empty());
        if let Some(exchange) = ignored {
            let lines = self.exchanges.iter().map(|e| e.recorded.ignored.len()).sum();
            let (first, line) = (exchange.turn, exchange.recorded.ignored[0].clone());
            warnings.push(Warning::Meaningless { lines, first, line });
        }
        // What the rules made of no answer at all is no news beside that.
        let answered = self.exchanges.iter().filter(|exchange| exchange.recorded.fault.is_none());
        let answered = answered.filter(|exchange| told != Some(exchange.turn));
        let mut refused = answered.filter_map(|e| Some((e.turn, e.refusal.clone()?)));
        if let Some((first, note)) = refused.next() {
            warnings.push(Warning::Refused { answers: refused.count() + 1, first, note });
        }
        warnings
    }
}

/// An answer that was there before the question took no time at all.
fn is_early(exchange: &Exchange) -> bool {
    !exchange.recorded.early.is_empty() || exchange.recorded.wall == Some(Duration::ZERO)
}

/// Whoever looks for what is wrong in a match that was played.
struct Judge<'a> {
    game: &'a dyn AnyGame,
    facts: Facts,
    /// `None` if it comes by itself.
    again: Option<StartedAgain<'a>>,
    played: &'a Played,
    tell: &'a mut dyn FnMut(CheckNews<'_>),
}

impl Judge<'_> {
    /// The first fault that the referee found.
    fn fault(&mut self) -> Option<Complaint> {
        let played = self.played;
        let is_own = |(seat, _): &&(Seat, Fault)| *seat == played.seat;
        let mut found = played.report.faults.iter().filter(is_own).map(|(_, fault)| fault);
        let is_absence = |fault: &&Fault| matches!(fault, Fault::NotStarted(_));
        if let Some(fault) = found.clone().find(is_absence) {
            return Some(self.complaint(fault, None));
        }
        let in_match = played.exchanges.iter().find_map(|exchange| {
            let fault = exchange.recorded.fault.as_ref()?;
            Some((fault, Some(exchange)))
        });
        let (fault, exchange) =
            in_match.or_else(|| Some((found.next()?, played.exchanges.last())))?;
        Some(self.complaint(fault, exchange))
    }

    fn complaint(&mut self, fault: &Fault, exchange: Option<&Exchange>) -> Complaint {
        let last = self.played.last();
        let mut causes = causes::of(fault, exchange, &self.facts, self.launch(), last);
        if exchange.is_some_and(|exchange| self.was_refused_in(exchange.turn)) {
            causes = self.forfeits().chain(causes).collect();
        }
        let is_silent = exchange.is_none_or(|exchange| exchange.recorded.lines.is_empty());
        let is_waited_for = matches!(fault, Fault::Late | Fault::NotStarted(Absence::Silent));
        if is_silent
            && is_waited_for
            && let Some(end) = self.at_end_of_input(exchange)
        {
            let said = end.said.lines().find(|line| !line.trim().is_empty());
            match said {
                Some(said) => causes = vec![causes::buffered(Some(said.to_owned()), self.launch())],
                None if end.computes => causes = vec![Cause::Computes, Cause::Slow],
                None => {}
            }
        }
        let turn = exchange.map(|exchange| exchange.turn);
        Complaint { turn, wrong: Wrong::Fault(*fault), causes }
    }

    fn launch(&self) -> Option<&Launch> {
        self.again.map(|again| again.launch)
    }

    /// A match that was lost by breaking the rules.
    fn offence(&self) -> Option<Complaint> {
        let Played { report, seat, exchanges, .. } = self.played;
        let outcome = &report.outcome;
        // A match that ends badly for both says nothing about the bot.
        if !outcome.is_disqualified(*seat) || outcome.is_disqualified(seat.other()) {
            return None;
        }
        let last = exchanges.last();
        let refusal = last.and_then(|exchange| exchange.refusal.clone());
        let words = refusal.clone().unwrap_or_else(|| outcome.reason.to_owned());
        let wrong = Wrong::Offence(words);
        let mut causes: Vec<Cause> = self.forfeits().collect();
        // Where nothing was refused, every answer was in order for itself.
        if causes.is_empty() || refusal.is_some() {
            causes.extend([Cause::WrittenWrong, Cause::NotAllowed]);
        }
        Some(Complaint { turn: last.map(|exchange| exchange.turn), wrong, causes })
    }

    /// What the game knows of the way in which the match ended.
    fn forfeits(&self) -> impl Iterator<Item = Cause> + use<> {
        let (reason, forfeits) = (self.played.report.outcome.reason, self.facts.forfeits);
        let known = forfeits.iter().filter(move |forfeit| forfeit.reason == reason);
        known.map(|forfeit| Cause::Forfeit(forfeit.help))
    }

    fn was_refused_in(&self, turn: u32) -> bool {
        let mut exchanges = self.played.exchanges.iter();
        exchanges.any(|exchange| exchange.turn == turn && exchange.refusal.is_some())
    }

    /// What the bot does when its input ends after a question. Bots with state files are not asked:
    /// without the files they would fail in another way.
    fn at_end_of_input(&mut self, exchange: Option<&Exchange>) -> Option<AtEndOfInput> {
        let again = self.again.filter(|_| !self.facts.abilities.state_files)?;
        let sent = self.played.introduction.iter().filter_map(|line| match line {
            IntroductionLine::Sent { line, .. } => Some(line.clone()),
            IntroductionLine::Heard { .. } => None,
        });
        let told = exchange.into_iter().flat_map(|exchange| &exchange.told);
        let told = told.filter_map(|item| match item {
            Item::Line(line) => Some(line.clone()),
            Item::File { .. } => None,
        });
        let lines: Vec<String> = sent.chain(told).collect();
        (self.tell)(CheckNews::EndOfInput);
        at_end_of_input(again, &lines, self.game.framing().line_end_out)
    }
}
