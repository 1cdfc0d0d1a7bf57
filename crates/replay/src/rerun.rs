//! Plays a replay again, through the same table as the live match.

use std::fmt;

use quintain_core::{Chance, Fault, Game, Opening, Outcome, Protocol, Seat};
use quintain_referee::{Ask, Message, RecordedChance, Table};

use crate::ReplayError;
use crate::format::{EndLine, EntryLine, Header, StepLine};
use crate::reader::Recording;

/// Follows a match that is played again.
pub trait Visitor<G: Game> {
    /// Before the first step.
    fn start(&mut self, _game: &G, _messages: &[Message]) {}

    fn step(&mut self, _game: &G, _step: &StepLine, _events: &[G::Event], _messages: &[Message]) {}
}

/// Follows nothing: for those who only want to know whether the replay holds.
impl<G: Game> Visitor<G> for () {}

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
}

/// Where a match that was played again stands after its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Turns completed.
    pub turn: u32,
    pub steps: usize,
    /// `None` if the replay ends before the match does.
    pub outcome: Option<Outcome>,
}

/// Plays the match again and compares every fingerprint.
///
/// # Errors
/// The match cannot be started from the header, the record cannot be read, or the first divergence.
pub fn rerun<G: Game, P: Protocol<G>>(
    recording: &mut dyn Recording,
    visitor: &mut dyn Visitor<G>,
) -> Result<Ended, RerunError> {
    let header = recording.header();
    let mut table = open_table::<G, P>(header, &header.opening()).map_err(RerunError::Header)?;
    let mut messages = Vec::new();
    table.start();
    table.take_messages(&mut messages);
    visitor.start(&table.game, &messages);
    let mut steps = 0;
    while let Some(step) = recording.next_step()? {
        replay_step(&mut table, &step)
            .map_err(|mismatch| Divergence::in_step(mismatch, &step, steps))?;
        messages.clear();
        table.take_messages(&mut messages);
        visitor.step(&table.game, &step, table.events(), &messages);
        steps += 1;
    }
    let turn = table.game.turn();
    if let Some(end) = &recording.tail().end {
        check_end(&table, end).map_err(|mismatch| Divergence::of(mismatch, turn, steps + 1))?;
    }
    Ok(Ended { turn, steps, outcome: table.game.outcome() })
}

/// The table of a replay before its first step, with the names and manners of `opening`.
///
/// # Errors
/// Says why the match cannot be started from the header.
pub fn open_table<G: Game, P: Protocol<G>>(
    header: &Header,
    opening: &Opening,
) -> Result<Table<G, P>, String> {
    if header.game != G::ID {
        return Err(format!("expected a replay of {}, found one of {}", G::ID, header.game));
    }
    if header.rules_version != G::RULES_VERSION {
        return Err(format!(
            "expected version {} of the rules of {}, found {}: this replay belongs to quintain {}",
            G::RULES_VERSION,
            G::ID,
            header.rules_version,
            header.quintain
        ));
    }
    let config = serde_json::from_value(header.config.clone())
        .map_err(|error| format!("the header's config is not one of {}: {error}", G::ID))?;
    let setup = serde_json::from_value(header.setup.clone())
        .map_err(|error| format!("the header's setup is not one of {}: {error}", G::ID))?;
    let game = G::new(&config, setup).map_err(|error| error.to_string())?;
    let ask = Ask::from_name(&header.ask)
        .ok_or_else(|| format!("expected ask to be in-turn or together, found `{}`", header.ask))?;
    Ok(Table::new(game, P::new(opening), ask))
}

/// What differs, what the file says, what the rules say.
pub type Mismatch = (&'static str, String, String);

impl Divergence {
    /// In the step of this index.
    pub fn in_step(mismatch: Mismatch, step: &StepLine, index: usize) -> RerunError {
        // A file can hold any number.
        Divergence::of(mismatch, step.turn.saturating_add(1), index + 1)
    }

    fn of((what, expected, got): Mismatch, turn: u32, step: usize) -> RerunError {
        RerunError::Divergence(Divergence { turn, step, what, expected, got })
    }
}

fn replay_step<G: Game, P: Protocol<G>>(
    table: &mut Table<G, P>,
    step: &StepLine,
) -> Result<(), Mismatch> {
    check_turn(table, step)?;
    for entry in &step.heard {
        replay_entry(table, entry)?;
    }
    take_step(table, step, None)
}

/// Whether the table stands where the step begins.
///
/// # Errors
/// Names both turns.
pub fn check_turn<G: Game, P: Protocol<G>>(
    table: &Table<G, P>,
    step: &StepLine,
) -> Result<(), Mismatch> {
    compare("turn", step.turn, table.game.turn())
}

/// Plays a step of which everything has been heard, with the recorded draws. A source that is given
/// along draws as often, so that a match can go on with it.
///
/// # Errors
/// Something is missing, or the position is not the recorded one.
pub fn take_step<G: Game, P: Protocol<G>>(
    table: &mut Table<G, P>,
    step: &StepLine,
    along: Option<&mut dyn Chance>,
) -> Result<(), Mismatch> {
    if !table.is_ready() {
        let got = if table.game.outcome().is_some() {
            "the game was over before"
        } else {
            "a seat has not answered"
        };
        return Err(("step", "an answer of every seat that was asked".to_owned(), got.to_owned()));
    }
    let mut chance = RecordedChance::new(&step.draws);
    match along {
        None => table.step(&mut chance),
        Some(along) => {
            along.begin_turn(table.game.turn());
            table.step(&mut Abreast { recorded: &mut chance, along });
        }
    }
    if !chance.is_exact() {
        let expected = format!("the recorded draws {:?}", step.draws);
        return Err(("draws", expected, "other draws by the rules".to_owned()));
    }
    let got = table.game.fingerprint();
    compare("digest", format!("{:016x}", step.digest), format!("{got:016x}"))
}

/// Gives recorded draws, and lets another source draw as often.
struct Abreast<'a> {
    recorded: &'a mut RecordedChance,
    along: &'a mut dyn Chance,
}

impl Chance for Abreast<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.along.below(n);
        self.recorded.below(n)
    }
}

/// Lets a table hear what was recorded.
///
/// # Errors
/// It cannot have been heard there.
pub fn replay_entry<G: Game, P: Protocol<G>>(
    table: &mut Table<G, P>,
    entry: &EntryLine,
) -> Result<(), Mismatch> {
    let Some(seat) = entry.seat() else {
        return Err(("seat", "0 or 1".to_owned(), format!("{entry:?}")));
    };
    match entry {
        EntryLine::Line { line, asked, .. } => {
            compare("whether the seat was asked", *asked, table.is_asked(seat))?;
            table.hear(seat, line);
            Ok(())
        }
        EntryLine::Fault { fault, .. } => match entry.fault() {
            // Only who never became ready fails without having been asked.
            Some(fault) if table.is_asked(seat) || matches!(fault, Fault::NotStarted(_)) => {
                table.fault(seat, fault);
                Ok(())
            }
            Some(_) => {
                let expected = "a seat that was asked".to_owned();
                Err(("fault", expected, format!("`{fault}` of seat {}", seat.index())))
            }
            None => {
                let expected = "late, gone, flooded or not-started".to_owned();
                Err(("fault", expected, format!("`{fault}`")))
            }
        },
    }
}

fn check_end<G: Game, P: Protocol<G>>(table: &Table<G, P>, end: &EndLine) -> Result<(), Mismatch> {
    let Some(outcome) = table.game.outcome() else {
        return Err(("outcome", end.reason.clone(), "a game that is not over".to_owned()));
    };
    let got = EndLine::new(&outcome, table.game.turn(), 0, &Default::default());
    compare("turns", end.turns, got.turns)?;
    for seat in Seat::BOTH {
        compare("verdict", &end.verdicts[seat], &got.verdicts[seat])?;
        compare("score", end.scores[seat], got.scores[seat])?;
    }
    compare("reason", &end.reason, &got.reason)?;
    let messages = table.messages_fingerprint();
    compare("messages", format!("{:016x}", end.messages), format!("{messages:016x}"))
}

fn compare<T: PartialEq + fmt::Display>(
    what: &'static str,
    expected: T,
    got: T,
) -> Result<(), Mismatch> {
    if expected == got { Ok(()) } else { Err((what, expected.to_string(), got.to_string())) }
}
