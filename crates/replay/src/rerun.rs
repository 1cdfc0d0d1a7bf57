//! Plays a replay again, through the same table as the live match.

use std::fmt;

use quintain_core::{Chance, Fault, Game, Opening, Outcome, Protocol, Seat, Spoken};
use quintain_referee::{Ask, Follower, Input, Recorder, Step, StepRecord, Table};
use serde::Deserialize as _;

use crate::ReplayError;
use crate::fairness::Fairness;
use crate::format::{EndLine, Header, RecordedStep};
use crate::provenance::{SetupOrigin, check_header};
use crate::reader::{Recording, Tail};
use crate::signature::{SignatureError, signer_of};

/// The first place where the rules give something else than the file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The turn that was being played, counted from 1 as wherever turns are shown.
    pub turn: u32,
    /// Counted from 1; with the header as line 1, a step is found on line `step + 1`.
    pub step: usize,
    pub what: &'static str,
    pub expected: String,
    pub got: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence { turn, step, what, expected, got } = self;
        let line = step + 1;
        write!(f, "turn {turn} (line {line}): {what}: expected {expected}, got {got}")
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    #[error("{0}")]
    Header(String),
    #[error("{0}")]
    Divergence(Divergence),
    #[error(transparent)]
    Read(#[from] ReplayError),
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

/// Where a match that was played again stands after its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Turns completed.
    pub turn: u32,
    pub steps: usize,
    /// `None` if the replay ends before the match does.
    pub outcome: Option<Outcome>,
    pub setup: SetupOrigin,
}

/// Plays the match again and compares every fingerprint.
///
/// # Errors
/// The match cannot be started from the header, the record cannot be read, or the first divergence.
pub fn rerun<G: Spoken>(
    recording: &mut dyn Recording,
    follower: &mut dyn Follower<G>,
) -> Result<Reached, RerunError> {
    let header = recording.header();
    let mut table = open_table::<G>(header, &header.opening()).map_err(RerunError::Header)?;
    let (config, setup) = parts_of::<G>(header).map_err(RerunError::Header)?;
    let setup = check_header::<G>(header, &config, &setup).map_err(RerunError::Header)?;
    let (mut chance, mut fairness) = (G::chance(header.seed), Fairness::new(header));
    table.start();
    fairness.note_asked(&mut table);
    follower.begin(&table.game, table.said());
    table.send_messages(|_| {});
    let mut steps = 0;
    while let Some(step) = recording.next_step()? {
        replay_step(&mut table, &step, &mut fairness, &mut *chance)
            .map_err(|mismatch| Divergence::in_step(mismatch, &step.record, steps))?;
        table.send_messages(|_| {});
        follower.step(&Step {
            game: &table.game,
            record: &step.record,
            replies: table.answered(),
            events: table.events(),
            said: table.said(),
        });
        steps += 1;
    }
    let turn = table.game.turn();
    if let Some(end) = &recording.tail().end {
        check_end(&table, end)
            .and_then(|()| check_record(recording.header(), recording.tail(), end))
            .map_err(|mismatch| Divergence::of(mismatch, turn, steps + 1))?;
        if recording.tail().lines.is_some() && recording.tail().cut.is_none() {
            signer_of(recording.header(), recording.tail())?;
        }
    }
    Ok(Reached { turn, steps, outcome: table.game.outcome(), setup })
}

/// The table of a replay before its first step, with the names and manners of `opening`.
///
/// # Errors
/// Says why the match cannot be started from the header.
pub fn open_table<G: Spoken>(header: &Header, opening: &Opening) -> Result<Table<G>, String> {
    if header.game != G::ID {
        return Err(format!("expected a replay of {}, found one of {}", G::ID, header.game));
    }
    if header.rules_version != G::RULES_VERSION {
        return Err(format!(
            "expected version {} of the rules of {}, found version {}",
            G::RULES_VERSION,
            G::ID,
            header.rules_version
        ));
    }
    let (config, setup) = parts_of::<G>(header)?;
    let game = G::new(&config, setup).map_err(|error| error.to_string())?;
    let ask = Ask::from_name(&header.ask)
        .ok_or_else(|| format!("expected ask to be in-turn or together, found `{}`", header.ask))?;
    Ok(Table::new(game, G::Protocol::new(opening), ask))
}

fn parts_of<G: Game>(header: &Header) -> Result<(G::Config, G::Setup), String> {
    let config = G::Config::deserialize(&header.config)
        .map_err(|error| format!("the header's config is not one of {}: {error}", G::ID))?;
    let setup = G::Setup::deserialize(&header.setup)
        .map_err(|error| format!("the header's setup is not one of {}: {error}", G::ID))?;
    Ok((config, setup))
}

/// What differs, what the file says, what the rules say.
pub type Mismatch = (&'static str, String, String);

impl Divergence {
    /// In the step of this index.
    pub fn in_step(mismatch: Mismatch, step: &StepRecord, index: usize) -> RerunError {
        // A file can hold any number.
        Divergence::of(mismatch, step.turn.saturating_add(1), index + 1)
    }

    fn of((what, expected, got): Mismatch, turn: u32, step: usize) -> RerunError {
        RerunError::Divergence(Divergence { turn, step, what, expected, got })
    }
}

fn replay_step<G: Spoken>(
    table: &mut Table<G>,
    step: &RecordedStep,
    fairness: &mut Fairness,
    chance: &mut dyn Chance,
) -> Result<(), Mismatch> {
    let record = &step.record;
    check_turn(table, record)?;
    fairness.begin(record);
    for input in &record.inputs {
        let was_asked = table.is_asked(input.seat());
        replay_input(table, input)?;
        fairness.hear(input, was_asked && !table.is_asked(input.seat()), record)?;
        fairness.note_asked(table);
    }
    fairness.finish(record)?;
    take_step(table, step, chance)?;
    fairness.note_asked(table);
    Ok(())
}

/// Whether the table stands where the step begins.
///
/// # Errors
/// Names both turns.
pub fn check_turn<G: Spoken>(table: &Table<G>, step: &StepRecord) -> Result<(), Mismatch> {
    compare("turn", step.turn, table.game.turn())
}

/// Plays a step of which everything has been heard. What is drawn is what was drawn then.
///
/// # Errors
/// Something is missing, other numbers were drawn, or the position is not the recorded one.
pub fn take_step<G: Spoken>(
    table: &mut Table<G>,
    step: &RecordedStep,
    chance: &mut dyn Chance,
) -> Result<(), Mismatch> {
    if !table.is_ready() {
        let got = if table.game.outcome().is_some() {
            "the game was over before"
        } else {
            "a seat has not answered"
        };
        return Err(("step", "an answer of every seat that was asked".to_owned(), got.to_owned()));
    }
    chance.begin_turn(table.game.turn());
    let mut recorder = Recorder::new(chance);
    table.step(&mut recorder);
    let drawn = &step.record.draws;
    if recorder.draws != *drawn {
        let [expected, got] = [drawn, &recorder.draws].map(|draws| shown_draws(draws));
        return Err(("draws", expected, format!("{got} of the seed")));
    }
    let got = table.game.fingerprint();
    compare("digest", format!("{:016x}", step.digest), format!("{got:016x}"))
}

fn shown_draws(draws: &[u32]) -> String {
    const SHOWN_MAX: usize = 8;
    match draws.get(..SHOWN_MAX) {
        Some(first) if draws.len() > SHOWN_MAX => {
            format!("{first:?} and {} more", draws.len() - SHOWN_MAX)
        }
        _ => format!("{draws:?}"),
    }
}

/// Lets a table hear what was recorded.
///
/// # Errors
/// It cannot have been heard there.
pub fn replay_input<G: Spoken>(table: &mut Table<G>, input: &Input) -> Result<(), Mismatch> {
    match input {
        Input::Line { seat, line, asked, .. } => {
            compare("whether the seat was asked", *asked, table.is_asked(*seat))?;
            table.hear(*seat, line);
        }
        // Only who never became ready fails without having been asked.
        Input::Fault { seat, fault, .. }
            if table.is_asked(*seat) || matches!(fault, Fault::NotStarted(_)) =>
        {
            table.fault(*seat, *fault);
        }
        Input::Fault { seat, fault, .. } => {
            let got = format!("`{}` of seat {}", fault.code(), seat.index());
            return Err(("fault", "a seat that was asked".to_owned(), got));
        }
    }
    Ok(())
}

fn check_end<G: Spoken>(table: &Table<G>, end: &EndLine) -> Result<(), Mismatch> {
    let Some(outcome) = table.game.outcome() else {
        return Err(("outcome", end.reason.clone(), "a game that is not over".to_owned()));
    };
    let got = EndLine::new(&outcome, table.game.turn(), 0, &Default::default());
    compare("turns", end.turns, got.turns)?;
    for seat in Seat::BOTH {
        compare("verdict", end.verdicts[seat], got.verdicts[seat])?;
        compare("score", end.scores[seat], got.scores[seat])?;
    }
    compare("reason", &end.reason, &got.reason)?;
    let messages = table.messages_fingerprint();
    compare("messages", format!("{:016x}", end.messages), format!("{messages:016x}"))
}

/// Whether the lines are those that were written: a change that the rules do not notice is noticed
/// here, unless its maker has counted again.
fn check_record(header: &Header, tail: &Tail, end: &EndLine) -> Result<(), Mismatch> {
    if let Some(from) = &header.from
        && (from.turn == 0 || from.turn > end.turns)
    {
        let expected = format!("a turn from 1 to {}", end.turns);
        return Err(("the turn that it goes on from", expected, from.turn.to_string()));
    }
    // What is not in a file has no lines.
    let Some(got) = &tail.lines else { return Ok(()) };
    if header.format > 1 {
        let expected = end.lines.as_deref().unwrap_or("none");
        compare("digest of all lines before", expected, got)?;
    }
    Ok(())
}

fn compare<T: PartialEq + fmt::Display>(
    what: &'static str,
    expected: T,
    got: T,
) -> Result<(), Mismatch> {
    if expected == got { Ok(()) } else { Err((what, expected.to_string(), got.to_string())) }
}
